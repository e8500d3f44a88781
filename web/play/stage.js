// SPDX-License-Identifier: MIT
// The frame beside the editor, from outside: what it shows is sent to it once it is there.
const frame = () => document.getElementById("view")?.contentWindow;

export class Stage {
  constructor() {
    this.shows = null; // the answer of the worker whose motion is shown
    this.here = new Promise((done) => { this.isHere = done; });
    this.painted = new Promise((done) => { this.isPainted = done; }); // the first motion
    addEventListener("message", ({ source, origin, data }) => {
      if (source !== frame() || origin !== location.origin) return;
      if (data?.kind === "here") this.isHere();
      if (data?.kind === "shown") {
        document.documentElement.dataset.shown = String(data.id);
        this.isPainted();
      }
    });
  }

  async send(message) {
    await this.here;
    frame().postMessage(message, location.origin);
  }

  async show(answer) {
    if (answer === this.shows) return;
    this.shows = answer;
    await this.send({ kind: "show", id: answer.id, ...answer.motion });
  }

  // Without a motion the one before stays; where there is none, the frame says why.
  async none(why) { await this.send({ kind: "none", why }); }
}
