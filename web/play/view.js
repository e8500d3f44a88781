// SPDX-License-Identifier: MIT
// The motion beside the editor: a report whose data comes from the playground, again and again.
import { load } from "../src/data.js";
import { el } from "../src/dom.js";
import { clean } from "../src/format.js";
import { Report } from "../src/report.js";

let report = null;

// The first screen of the first motion is painted before the rest is made; later ones come whole, so
// that the page keeps its place.
function show({ id, text, packing }) {
  let made = null;
  try {
    made = new Report(load(text, packing), { was: report, whole: report !== null });
    report = globalThis.pawlReport = made;
    document.documentElement.dataset.ready = String(id);
  } catch (e) {
    document.getElementById("page").replaceChildren(el("p", { class: "alert" }, `The motion cannot be shown: ${clean(e.message, 300)}`));
  }
  requestAnimationFrame(() => {
    parent.postMessage({ kind: "shown", id }, location.origin);
    if (made && !made.whole) setTimeout(() => made.complete());
  });
}

// Nothing to show, and why, as long as nothing has been shown.
function none({ why }) {
  if (!report) document.getElementById("page").replaceChildren(el("p", {}, clean(why, 300)));
}

addEventListener("message", ({ source, origin, data }) => {
  if (source !== parent || origin !== location.origin) return;
  if (data?.kind === "show") show(data);
  if (data?.kind === "none") none(data);
});
parent.postMessage({ kind: "here" }, location.origin);
