// SPDX-License-Identifier: MIT
// The worker and its jobs: one at a time, the latest wish wins. A job that takes longer than the
// patience of the next one is stopped by replacing the worker; the compiled module is kept.
const PATIENCE_MS = 300;

export class Engine {
  constructor(onProgress) {
    this.onProgress = onProgress;
    this.next = 1;
    this.waiting = new Map();
    this.ready = globalThis.pawlCore.first.then((worker) => this.adopt(worker)); // of early.js
  }

  adopt(worker) {
    this.worker = worker;
    this.worker.onmessage = ({ data }) => this.heard(data);
    this.worker.onerror = (e) => this.drop(new Error(e.message || "the worker failed"));
  }

  async start() {
    this.adopt(globalThis.pawlCore.worker());
    return this.post({ kind: "begin", module: await globalThis.pawlCore.module });
  }

  post(job) {
    const id = this.next++;
    return new Promise((done, fail) => {
      this.waiting.set(id, { done, fail });
      this.worker.postMessage({ ...job, id });
    });
  }

  heard(data) {
    if (data.kind === "progress") return this.onProgress(data);
    const wish = this.waiting.get(data.id);
    this.waiting.delete(data.id);
    if (data.kind === "broken") {
      this.restart();
      return wish?.fail(new Error(data.message));
    }
    return wish?.done(data);
  }

  drop(error) {
    for (const wish of this.waiting.values()) wish.fail(error);
    this.waiting.clear();
  }

  // Everything under way ends here.
  restart() {
    this.worker.terminate();
    this.drop(new Cancelled());
    this.ready = this.start();
  }

  get busy() { return this.job !== undefined; }

  cancel() { if (this.busy) this.restart(); }

  // Begins when what is under way has ended; that ends by force when it takes too long.
  async ask(job) {
    await this.ready;
    if (this.busy) {
      const slow = setTimeout(() => this.cancel(), Math.max(0, PATIENCE_MS - (performance.now() - this.began)));
      await this.job.catch(() => {});
      clearTimeout(slow);
      await this.ready;
    }
    this.began = performance.now();
    const mine = this.job = this.post(job);
    try {
      return await mine;
    } finally {
      if (this.job === mine) this.job = undefined;
    }
  }
}

export class Cancelled extends Error {
  constructor() { super("stopped"); }
}
