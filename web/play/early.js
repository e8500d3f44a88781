// SPDX-License-Identifier: MIT
// Runs before anything else of the page: the core is compiled and its worker starts while the rest
// is still being read.
async function compile() {
  const answer = await fetch(new URL("pawl.wasm", document.baseURI));
  if (!answer.ok) throw new Error(`pawl.wasm is missing on this server (${answer.status})`);
  const streams = answer.headers.get("content-type") === "application/wasm";
  return streams ? WebAssembly.compileStreaming(answer) : WebAssembly.compile(await answer.arrayBuffer()); // any type will do
}

const worker = () => new Worker(new URL("worker.js", document.baseURI));

async function begin(module) {
  const first = worker(), compiled = await module;
  return new Promise((done, fail) => {
    first.onmessage = ({ data }) => (data.kind === "ready" ? done(first) : fail(new Error(data.message)));
    first.onerror = (e) => fail(new Error(e.message || "the worker failed"));
    first.postMessage({ id: 0, kind: "begin", module: compiled });
  });
}

const module = compile();
globalThis.pawlCore = { module, worker, first: begin(module) };
globalThis.pawlCore.first.catch(() => {}); // whoever waits for it is told
