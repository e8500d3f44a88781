// SPDX-License-Identifier: MIT
// typst.mjs DIR: compiles every .typ file of the folder with Typst, and prints one line for each:
// its name and its number of pages, or what is wrong with it.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const modules = join(dirname(fileURLToPath(import.meta.url)), "../../web/node_modules/@myriaddreamin/typst-ts-node-compiler");
const { NodeCompiler } = await import(pathToFileURL(join(modules, "index.js")));
const compiler = NodeCompiler.create();
const folder = process.argv[2];

for (const name of readdirSync(folder).filter((n) => n.endsWith(".typ")).sort()) {
  const done = compiler.compile({ mainFileContent: readFileSync(join(folder, name), "utf8") });
  if (done.result) console.log(`${name} ${done.result.numOfPages}`);
  else console.log(`${name} wrong: ${JSON.stringify(compiler.fetchDiagnostics(done.takeDiagnostics())).slice(0, 400)}`);
}
