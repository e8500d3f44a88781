// SPDX-License-Identifier: MIT
// Builds the extension; with --package also pawl.vsix. The grammar is made from the words of the
// language, which have one list, in C.
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url)), root = join(here, "../..");
const source = readFileSync(join(root, "src/lang/words.c"), "utf8");
const list = (start) => [...new RegExp(`${start}\\[\\] = \\{([^}]*)\\}`).exec(source)[1].matchAll(/"(\w+)"/g)].map((m) => m[1]).join("|");

mkdirSync(join(here, "syntaxes"), { recursive: true });
writeFileSync(join(here, "syntaxes/pawl.tmLanguage.json"), `${JSON.stringify({
  scopeName: "source.pawl", name: "Pawl",
  patterns: [
    { match: "#.*$", name: "comment.line.number-sign.pawl" },
    { match: "\"[^\"]*\"", name: "string.quoted.double.pawl" },
    { match: `^\\s*(${list("pw_keywords")})\\b`, captures: { 1: { name: "keyword.control.pawl" } } },
    { match: `\\b(${list(" functions")}|${list("free_functions")})(?=\\()`, name: "support.function.pawl" },
    { match: "\\b(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d+)?\\b", name: "constant.numeric.pawl" },
    { match: ">=|<=|\\+-|\\.\\.|[-+*/^=~]", name: "keyword.operator.pawl" },
  ],
}, null, 1)}\n`);
copyFileSync(join(root, "LICENSE"), join(here, "LICENSE"));
await build({ entryPoints: [join(here, "extension.js")], bundle: true, minify: true, platform: "node", format: "cjs", target: "node18", external: ["vscode"], outfile: join(here, "dist/extension.js"), logLevel: "warning" });
if (process.argv.includes("--package")) {
  execFileSync(join(here, "node_modules/.bin/vsce"), ["package", "--no-dependencies", "--allow-missing-repository", "-o", "pawl.vsix"], { cwd: here, stdio: "inherit" });
}
