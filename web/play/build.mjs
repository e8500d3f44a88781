// SPDX-License-Identifier: MIT
// build.mjs CORE OUT EMSCRIPTEN: the playground as static files, from the module that scripts/web has
// built with the Emscripten of that folder.
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build, transform } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url)), root = join(here, "../.."), [core, out, emscripten] = process.argv.slice(2).map((p) => resolve(p));
const read = (...parts) => readFileSync(join(root, ...parts), "utf8");
const hash = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
mkdirSync(out, { recursive: true });

// The words of the language have one list, in C.
function words() {
  const source = read("src/lang/words.c");
  const list = (start) => [...new RegExp(`${start}\\[\\] = \\{([^}]*)\\}`).exec(source)[1].matchAll(/"(\w+)"/g)].map((m) => m[1]);
  const options = "restitution poisson mu on rough bound static roll spin slip stretch stiffness play preload damping pull allow viscous vakonomic inertia by closed open stop falling rising every vs at in tol method step mass radius size angle to as from through graph axis ground revolute cylindrical prismatic planar spherical universal fixed linear cubic periodic auto one-way reservoir complementary".split(" ");
  return { statements: list("pw_keywords"), functions: list("functions"), options };
}

// Models that examples include: the worker has them as files.
function parts() {
  const texts = readdirSync(join(root, "examples")).filter((n) => n.endsWith(".pawl")).map((n) => read("examples", n));
  const names = new Set(texts.flatMap((text) => [...text.matchAll(/^include "([\w-]+\.pawl)"/gm)].map((m) => m[1])));
  return Object.fromEntries([...names].sort().map((name) => [name, read("examples", name)]));
}

// The model that stands there at first.
const usual = () => ({ text: read("examples/bouncing-ball.pawl"), values: {} });

const own = {
  name: "own",
  setup(b) {
    const made = { words, parts, usual };
    b.onResolve({ filter: /^\.\/(words|parts|usual)\.json$/ }, ({ path }) => ({ path: path.slice(2, -5), namespace: "own" }));
    b.onLoad({ filter: /./, namespace: "own" }, ({ path }) => ({ contents: JSON.stringify(made[path]()), loader: "json" }));
    b.onResolve({ filter: /core\/core\.js$/ }, () => ({ path: join(core, "core.js") }));
  },
};
const common = { bundle: true, minify: true, target: "es2022", charset: "utf8", legalComments: "linked", plugins: [own], external: ["fs", "path"], logLevel: "warning" };
const app = await build({ ...common, entryPoints: [join(here, "app.js")], format: "esm", outdir: out, metafile: true });
await build({ ...common, entryPoints: [join(here, "worker.js"), join(here, "early.js")], format: "iife", outdir: out, external: [...common.external, "./app.js"] });

// The licences ask for their texts beside copies of what they cover.
function licences({ inputs }) {
  const packages = new Set(Object.keys(inputs).map((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1]).filter(Boolean));
  const texts = [...packages].sort().map((name) => `${name} ${JSON.parse(read("web/node_modules", name, "package.json")).version}\n\n${read("web/node_modules", name, "LICENSE")}`);
  return [`Pawl\n\n${read("LICENSE")}`, ...texts, ...ofModule()].map((text) => text.trim()).join(`\n\n${"-".repeat(72)}\n\n`);
}
// What Emscripten puts into the module: its own code, under the terms of Pawl's licence, and its library.
function ofModule() {
  const version = readFileSync(join(emscripten, "emscripten-version.txt"), "utf8").replace(/[^\d.]/g, "");
  const terms = read("LICENSE").replace(/Copyright \(c\).*/, "Copyright (c) 2010-2022 The Emscripten Authors");
  return [`Emscripten ${version}\n\n${terms}`,
    `musl, the C library in the module\n\n${readFileSync(join(emscripten, "system/lib/libc/musl/COPYRIGHT"), "utf8")}`,
    "dlmalloc, by Doug Lea: in the public domain.\ncompiler-rt, of the LLVM project: Apache License 2.0 with LLVM exceptions, by which compiled code needs no notice."];
}
writeFileSync(join(out, "LICENSES.txt"), `${licences(app.metafile)}\n`);

// The page of the motion: that of reports, with another way to its data.
const view = (await build({ ...common, legalComments: "none", entryPoints: [join(here, "view.js")], format: "esm", write: false })).outputFiles[0].text.trim();
const style = (await transform(read("web/src/page.css"), { loader: "css", minify: true, charset: "utf8" })).code.trim();
const policy = `default-src 'none'; script-src ${hash(view)}; style-src ${hash(style)}; img-src data: blob:; base-uri 'none'; form-action 'none'`;
writeFileSync(join(out, "view.html"), read("web/src/page.html").replace("@CSP@", () => policy).replace("@STYLE@", () => style).replace("@SCRIPT@", () => view)
  .replace("@PAWL_TITLE@", "Pawl").replace("@PAWL_PACKING@", "").replace("@PAWL_DATA@", "").replace("Reading the motion …", "Computing the motion …"));

copyFileSync(join(core, "core.wasm"), join(out, "pawl.wasm"));
copyFileSync(join(here, "index.html"), join(out, "index.html"));
writeFileSync(join(out, "play.css"), (await transform(readFileSync(join(here, "play.css"), "utf8"), { loader: "css", minify: true })).code);

const examples = readdirSync(join(root, "examples")).filter((n) => n.endsWith(".pawl")).sort().map((file) => {
  const text = read("examples", file), name = file.slice(0, -5);
  return { name, title: /^model "(.*)"/m.exec(text)?.[1] ?? name, group: /^# group: (.*)$/m.exec(text)?.[1] ?? "others", text };
});
examples.sort((a, b) => (a.group < b.group ? -1 : a.group > b.group ? 1 : a.title < b.title ? -1 : 1));
writeFileSync(join(out, "examples.json"), JSON.stringify({ examples, gallery: existsSync(join(out, "gallery/index.html")) }));
