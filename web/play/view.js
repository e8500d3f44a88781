// SPDX-License-Identifier: MIT
// The motion beside the editor: a report whose data comes from the playground, again and again.
import { load } from "../src/data.js";
import { el } from "../src/dom.js";
import { clean } from "../src/format.js";
import { Report } from "../src/report.js";

let report = null;

function show({ id, text, packing }) {
  try {
    report = globalThis.pawlReport = new Report(load(text, packing), report);
    document.documentElement.dataset.ready = String(id);
  } catch (e) {
    document.getElementById("page").replaceChildren(el("p", { class: "alert" }, `The motion cannot be shown: ${clean(e.message, 300)}`));
  }
  requestAnimationFrame(() => parent.postMessage({ kind: "shown", id }, location.origin));
}

// Nothing to show, and why, as long as nothing has been shown.
function none({ why }) {
  if (!report) document.getElementById("page").replaceChildren(el("p", {}, clean(why, 300)));
}

// Either side may be there first: each asks for the other.
const here = () => parent.postMessage({ kind: "here" }, location.origin);

addEventListener("message", ({ source, origin, data }) => {
  if (source !== parent || origin !== location.origin) return;
  if (data?.kind === "hello") here();
  if (data?.kind === "show") show(data);
  if (data?.kind === "none") none(data);
});
here();
