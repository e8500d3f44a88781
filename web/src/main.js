// SPDX-License-Identifier: MIT
// The page of a results folder: its data stands in it.
import { load } from "./data.js";
import { el } from "./dom.js";
import { clean } from "./format.js";
import { Report } from "./report.js";

try {
  const element = document.getElementById("data");
  globalThis.pawlReport = new Report(load(element.textContent, element.dataset.packing));
  document.documentElement.dataset.ready = "1";
} catch (e) {
  document.getElementById("page").replaceChildren(el("p", { class: "alert" }, `The report cannot be shown: ${clean(e.message, 300)}`));
  document.documentElement.dataset.ready = "failed";
}
