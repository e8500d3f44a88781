// SPDX-License-Identifier: MIT
// The core in a worker: answers { id, text, overrides, check } with what the core says. A run cannot be
// stopped from inside; whoever wants to stops the worker and starts another.
import createCore from "../../build-web/web/core/core.js";
import { readAll } from "./files.js";
import parts from "./parts.json";

const PROGRESS_MS = 100;
let core = null;

// The texts as UTF-8 in the core's memory, a lone surrogate as U+FFFD, with a NUL behind each.
function withText(texts, call) {
  const encoder = new TextEncoder(), places = [];
  try {
    for (const text of texts) {
      const bytes = encoder.encode(`${text}\0`), at = core._malloc(bytes.length);
      if (at === 0) throw new Error("the text does not fit into memory");
      places.push({ at, size: bytes.length - 1 });
      core.HEAPU8.set(bytes, at); // the memory may have moved: not to be kept
    }
    return JSON.parse(core.UTF8ToString(call(...places)));
  } finally {
    for (const { at } of places) core._free(at);
  }
}

function run({ id, text, overrides }) {
  let last = performance.now();
  core.progress = (part, rows, events) => {
    const now = performance.now();
    if (now - last > PROGRESS_MS) {
      last = now;
      postMessage({ id, kind: "progress", part, rows, events });
    }
    return 0;
  };
  const list = Object.entries(overrides).map(([name, value]) => `${name}=${value}\n`).join("");
  return withText([text, list], (model, values) => core._core_run(model.at, model.size, values.at));
}

// What the page of the report holds for its script.
function motionOf(page) {
  const [, packing, text] = /id="data" data-packing="([^"]*)">([^<]*)</.exec(new TextDecoder().decode(page)) || [];
  return { packing, text };
}

// Values of names that the text has no range for are left out.
function check(job) {
  const result = withText([job.text], ({ at, size }) => core._core_check(at, size)), { parameters } = result;
  const sliders = parameters?.filter((p) => p.lo < p.hi && Number.isFinite(p.lo) && Number.isFinite(p.hi));
  postMessage({ id: job.id, kind: "checked", result: { sliders } });
  if (sliders) job.overrides = Object.fromEntries(Object.entries(job.overrides).filter(([name]) => sliders.some((p) => p.name === name)));
  return result;
}

function answer(job) {
  const checked = job.check ? check(job) : null;
  if (checked?.errors.length) return { result: checked, files: {} };
  const begin = performance.now(), result = run(job), ms = performance.now() - begin;
  const files = result.dir ? readAll(core.FS) : {}, page = files["report.html"];
  return { result, ms, files, motion: page && motionOf(page) };
}

async function begin(module) {
  core = await createCore({
    instantiateWasm(imports, done) {
      WebAssembly.instantiate(module, imports).then((instance) => done(instance, module));
      return {};
    },
  });
  for (const [name, text] of Object.entries(parts)) core.FS.writeFile(name, text);
}

async function take({ data }) {
  try {
    if (data.kind === "begin") return await begin(data.module);
    const done = answer(data);
    return postMessage({ id: data.id, kind: "done", ...done }, Object.values(done.files).map((bytes) => bytes.buffer)); // moved, not copied
  } catch (e) {
    return postMessage({ id: data.id, kind: "broken", message: String(e.message || e) });
  }
}

let before = Promise.resolve();
onmessage = (event) => { before = before.then(() => take(event)); }; // in turn
