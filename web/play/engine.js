// SPDX-License-Identifier: MIT
// The worker and its jobs: one at a time, the latest wish wins. A job that takes longer than the
// patience of the next one is stopped by replacing the worker; the compiled module is kept.
const PATIENCE_MS = 300;

// Compiled while it comes in, whatever type the server says it has.
async function compile() {
  const answer = await fetch(new URL("pawl.wasm", document.baseURI));
  if (!answer.ok) throw new Error(`pawl.wasm is missing on this server (${answer.status})`);
  return WebAssembly.compileStreaming(new Response(answer.body, { headers: { "content-type": "application/wasm" } }));
}

export class Engine {
  constructor() {
    this.onProgress = () => {};
    this.next = 1;
    this.waiting = new Map();
    this.module = compile();
    this.start();
  }

  // The worker takes its jobs in turn: they may be posted as soon as it has the module.
  start() {
    const worker = this.worker = new Worker(new URL("worker.js", document.baseURI));
    worker.onmessage = ({ data }) => this.heard(data);
    worker.onerror = (e) => this.fall(new Error(e.message || "the worker failed"));
    this.fallen = null;
    this.begun = this.module.then((module) => worker.postMessage({ id: 0, kind: "begin", module }));
    this.begun.catch(() => {}); // whoever asks is told
  }

  heard(data) {
    const wish = this.waiting.get(data.id);
    if (data.kind === "progress") return this.onProgress(data);
    if (data.kind === "checked") return wish?.checked(data.result);
    const error = data.kind === "broken" ? new Error(data.message) : null;
    if (error && data.id === 0) return this.fall(error); // it cannot begin; another would not either
    this.waiting.delete(data.id);
    if (!error) return wish?.done(data);
    this.restart();
    return wish?.fail(error);
  }

  fall(error) {
    this.fallen = error;
    this.drop(error);
  }

  drop(error) {
    for (const wish of this.waiting.values()) wish.fail(error);
    this.waiting.clear();
  }

  // Everything under way ends here.
  restart() {
    this.worker.terminate();
    this.drop(new Cancelled());
    this.start();
  }

  get busy() { return this.job !== undefined; }

  cancel() { if (this.busy) this.restart(); }

  // { checked, done }: promises of what is known before the run, and of all. With job.check the text is
  // checked first, and runs if it has no errors; else nothing is said of `checked`.
  run(job) {
    let tell;
    const checked = new Promise((done) => { tell = done; });
    return { checked, done: this.inTurn(job, tell) };
  }

  // Begins when what is under way has ended; that ends by force when it takes too long.
  async inTurn(job, checked) {
    if (this.busy) {
      const slow = setTimeout(() => this.cancel(), Math.max(0, PATIENCE_MS - (performance.now() - this.began)));
      await this.job.catch(() => {});
      clearTimeout(slow);
    }
    this.began = performance.now();
    const mine = this.job = this.post(job, checked);
    try {
      return await mine;
    } finally {
      if (this.job === mine) this.job = undefined;
    }
  }

  async post(job, checked) {
    await this.begun;
    if (this.fallen) throw this.fallen;
    const id = this.next++;
    return new Promise((done, fail) => {
      this.waiting.set(id, { checked, done, fail });
      this.worker.postMessage({ ...job, kind: "run", id });
    });
  }
}

class Cancelled extends Error {
  constructor() { super("stopped"); this.stopped = true; }
}
