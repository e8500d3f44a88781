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
globalThis.pawlCore = { module: compile(), worker, first: worker() };
globalThis.pawlCore.module.catch(() => {}); // whoever waits for it is told
