// SPDX-License-Identifier: MIT
// Makes page.html, the template of reports, from src/. `node build.mjs --check` compares instead.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, transform } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const read = (name) => readFileSync(join(here, name), "utf8");
const hash = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

const bundle = await build({
  entryPoints: [join(here, "src/main.js")], bundle: true, minify: true, format: "esm", target: "es2022", charset: "utf8", write: false, legalComments: "none",
});
const script = bundle.outputFiles[0].text.trim();
const style = (await transform(read("src/page.css"), { loader: "css", minify: true, charset: "utf8" })).code.trim();
if (/<\/(script|style)/i.test(script + style)) throw new Error("the page would end early");

const policy = `default-src 'none'; script-src ${hash(script)}; style-src ${hash(style)}; img-src data: blob:; base-uri 'none'; form-action 'none'`;
const page = read("src/page.html").replace("@CSP@", () => policy).replace("@STYLE@", () => style).replace("@SCRIPT@", () => script);

const out = join(here, "page.html");
if (process.argv.includes("--check")) {
  const same = readFileSync(out, "utf8") === page;
  console.log(same ? "web/page.html is what web/src makes" : "web/page.html is not what web/src makes: run `npm run build` in web/");
  process.exit(same ? 0 : 1);
}
writeFileSync(out, page);
console.log(`page.html: ${page.length} bytes, script ${script.length}, style ${style.length}`);
