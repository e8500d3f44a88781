// SPDX-License-Identifier: MIT
// The core in a worker: answers { id, kind, text, overrides } with what the core says. A run cannot
// be stopped from inside; whoever wants to stops the worker and starts another.
import createCore from "../../build-web/web/core/core.js";
import { readAll } from "./files.js";
import parts from "./parts.json";

const PROGRESS_MS = 100;
let core = null;

function withText(texts, call) {
  const places = texts.map((text) => {
    const room = core.lengthBytesUTF8(text) + 1, at = core._malloc(room);
    if (at) core.stringToUTF8(text, at, room);
    return at;
  });
  try {
    if (places.some((at) => at === 0)) throw new Error("the text does not fit into memory");
    return JSON.parse(core.UTF8ToString(call(...places)));
  } finally {
    for (const at of places) core._free(at);
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
  return withText([text, list], (model, values) => core._core_run(model, values));
}

const answers = {
  check: ({ text }) => ({ result: withText([text], (at) => core._core_check(at)) }),
  run(job) {
    const begin = performance.now(), result = run(job), ms = performance.now() - begin;
    return { result, ms, files: result.dir ? readAll(core.FS) : {} };
  },
};

onmessage = async ({ data }) => {
  try {
    if (data.kind === "begin") {
      core = await createCore({
        instantiateWasm(imports, done) {
          WebAssembly.instantiate(data.module, imports).then((instance) => done(instance, data.module));
          return {};
        },
      });
      for (const [name, text] of Object.entries(parts)) core.FS.writeFile(name, text);
      postMessage({ id: data.id, kind: "ready" });
    } else {
      const answer = answers[data.kind](data);
      postMessage({ id: data.id, kind: data.kind, ...answer }, Object.values(answer.files ?? {}).map((bytes) => bytes.buffer)); // moved, not copied
    }
  } catch (e) {
    postMessage({ id: data.id, kind: "broken", message: String(e.message || e) });
  }
};
