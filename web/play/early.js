// SPDX-License-Identifier: MIT
// Runs before anything else of the page: the core is compiled, and the first motion is computed and
// painted; the editor, which is large, takes the time that is left.
import { fromAddress } from "./address.js";
import { Engine } from "./engine.js";
import usual from "./usual.json";
import { Stage } from "./stage.js";

const PATIENCE_MS = 300; // of the editor with a first motion that takes long
const engine = new Engine(), stage = new Stage();

// Without the list the playground works, and says so of links to examples.
async function list() {
  try {
    return await (await fetch(new URL("examples.json", document.baseURI), { priority: "low" })).json();
  } catch {
    return { examples: [], gallery: false };
  }
}

async function begin(examples) {
  const start = { ...usual, ...await fromAddress(location.hash, examples) };
  const run = engine.run({ text: start.text, overrides: start.values, check: true });
  run.done.then((answer) => { if (answer.motion) stage.show(answer); }, () => {}); // the editor tells of errors
  return { start, run };
}

// Until the editor is there, its text stands in its place.
function plain({ text }) {
  const show = () => { document.getElementById("plain")?.append(text.slice(0, 10000)); };
  if (document.getElementById("plain")) show(); else addEventListener("DOMContentLoaded", show);
}

const lists = list(), first = begin(lists.then(({ examples }) => examples));
first.then(({ start }) => plain(start));

// The editor comes when the first motion is painted, or there is none, or it takes long.
async function soon() {
  const { run } = await first, patience = run.checked.then(() => new Promise((done) => { setTimeout(done, PATIENCE_MS); }));
  await Promise.race([patience, run.done.then(({ motion }) => motion && stage.painted, () => {})]);
}

globalThis.pawlEarly = { engine, stage, lists, first, soon: soon() };
Promise.race([stage.here, new Promise((done) => { addEventListener("load", done); })]).then(() => import("./app.js"));
