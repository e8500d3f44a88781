// SPDX-License-Identifier: MIT
// The playground: text on the left, its motion on the right, computed here as one types.
import { autocompletion, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { lintGutter, setDiagnostics } from "@codemirror/lint";
import { EditorState } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers } from "@codemirror/view";
import { el, save } from "../src/dom.js";
import { clean, number, unit } from "../src/format.js";
import { fromAddress } from "./address.js";
import { NAMES } from "./files.js";
import { complete, diagnostics, inText, pawl, range } from "./language.js";
import { encode, MOST_CHARACTERS } from "./share.js";

const TYPING_MS = 250;
const $ = (id) => document.getElementById(id);

class Playground {
  constructor({ engine, stage }, { start, run }) {
    this.examples = [];
    this.setValues(start.values);
    this.notice = start.notice; // stays until the text changes
    this.wish = 0;
    this.stage = stage;
    this.engine = engine;
    engine.onProgress = (p) => this.say(`running … ${Math.round(100 * Math.max(0, p.part))} %, ${p.rows} rows, ${p.events} events`);
    this.editor = this.makeEditor(start.text);
    this.listen();
    this.run(run);
  }

  get text() { return this.editor.state.doc.toString(); }

  makeEditor(doc) {
    $("plain")?.remove();
    return new EditorView({
      parent: $("editor"), state: EditorState.create({ doc, extensions: [
        lineNumbers(), highlightActiveLine(), highlightActiveLineGutter(), history(), drawSelection(), lintGutter(), pawl,
        autocompletion({ override: [complete] }), keymap.of([...completionKeymap, ...defaultKeymap, ...historyKeymap, indentWithTab]),
        EditorView.contentAttributes.of({ "aria-label": "model" }),
        EditorView.updateListener.of((u) => { if (u.docChanged) this.typed(); }),
      ] }),
    });
  }

  // Any name may be that of a parameter: no name has a meaning of its own here.
  setValues(values) {
    this.values = Object.assign(Object.create(null), values);
    this.checkedText = this.sliderKey = null; // sliders stand anew
  }

  setText(text, values = {}) {
    this.setValues(values);
    this.editor.dispatch({ changes: { from: 0, to: this.editor.state.doc.length, insert: text } });
  }

  typed() {
    this.notice = null;
    $("right").classList.add("old");
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.run(), TYPING_MS);
  }

  say(text) { $("status").textContent = text; }

  // ---- a run ----

  // `underWay`: a run of this text that has been begun already.
  async run(underWay = null) {
    clearTimeout(this.timer);
    const wish = ++this.wish, { text } = this;
    if (text.length > MOST_CHARACTERS) {
      return this.refuse(`E0642: the text has ${text.length} characters; the playground takes ${MOST_CHARACTERS}. The program on your machine takes more.`);
    }
    this.say("running …");
    const slow = setTimeout(() => { $("stop").hidden = false; }, 300);
    try {
      const check = text !== this.checkedText; // sliders change values only
      const { checked, done } = underWay ?? this.engine.run({ text, overrides: this.values, check });
      checked.then(({ sliders }) => { if (wish === this.wish) this.showSliders(sliders); });
      const answer = await done;
      if (wish !== this.wish) return null;
      if (!answer.result.errors.length) this.checkedText = text;
      this.finish(answer, text);
    } catch (e) {
      if (wish === this.wish) this.refuse(e.stopped ? "stopped" : `E0643: the computation broke down: ${clean(e.message, 300)}`);
    } finally {
      clearTimeout(slow);
      if (wish === this.wish) $("stop").hidden = true;
    }
    return null;
  }

  refuse(text) {
    this.say("");
    $("messages").replaceChildren(el("li", {}, text));
    this.stage.none("No motion yet.");
  }

  finish(answer, text) {
    const { result, ms, files, motion } = answer, { doc } = this.editor.state;
    this.last = result;
    if (doc.toString() === text) this.mark(diagnostics(doc, result));
    this.messages(result);
    const errors = result.errors.length;
    this.say(errors && !motion ? `${errors} ${errors === 1 ? "error" : "errors"}` : `${result.rows} rows in ${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms${result.ending === "end" ? "" : `, ${result.ending}`}`);
    $("right").classList.toggle("old", !motion);
    if (motion) this.files = files; // of the motion that is shown, until another is
    if (motion) this.stage.show(answer);
    else this.stage.none("No motion yet: the model has errors, which stand below its text.");
  }

  mark(list) {
    if (list.length || this.marked) this.editor.dispatch(setDiagnostics(this.editor.state, list));
    this.marked = list.length > 0;
  }

  messages(result) {
    this.markSliders(result.errors);
    const one = (kind) => (d) => el("li", { class: kind, onclick: () => this.goTo(d) }, el("b", {}, `${d.code}${this.place(d)}`), clean(d.message, 400),
      d.label ? el("small", {}, clean(d.label, 300)) : null, [...(d.help || []).map((h) => `help: ${h}`), ...(d.note || []).map((n) => `note: ${n}`)].map((t) => el("small", {}, clean(t, 400))));
    const unmet = (result.expect || []).filter((e) => !e.ok).map((e) => el("li", { class: "warning", onclick: () => this.goTo({ line: e.line, column: 1, length: 1 }) }, el("b", {}, `line ${e.line}`), `${clean(e.text, 200)}: not met${e.reason ? `, ${clean(e.reason, 200)}` : ""}`));
    const notice = this.notice ? [el("li", {}, this.notice)] : [];
    $("messages").replaceChildren(...notice, ...result.errors.map(one("error")), ...result.warnings.map(one("warning")), ...unmet);
  }

  // The parameter whose slider, or value in a link, a message is about.
  sliderOf(d) {
    const name = d.file === "command line" ? /`([^`]+)`/.exec(d.message)?.[1] : undefined;
    return name in this.values ? name : undefined;
  }

  markSliders(errors) {
    const wrong = new Set(errors.map((d) => this.sliderOf(d)));
    for (const s of $("sliders").children) s.classList.toggle("wrong", wrong.has(s.dataset.name));
  }

  place(d) {
    const name = this.sliderOf(d);
    if (name !== undefined) return ` slider ${clean(name)}`;
    if (!(d.line > 0)) return "";
    return inText(d) ? ` line ${d.line}` : ` ${clean(d.file)} line ${d.line}`;
  }

  goTo(d) {
    const name = this.sliderOf(d);
    if (name !== undefined) return $(`p-${name}`)?.focus();
    if (!inText(d)) return null;
    const { from, to } = range(this.editor.state.doc, d);
    this.editor.dispatch({ selection: { anchor: from, head: to }, scrollIntoView: true });
    return this.editor.focus();
  }

  // ---- sliders ----

  showSliders(list) {
    if (!list) return; // a text with errors keeps them
    for (const name of Object.keys(this.values)) if (!list.some((p) => p.name === name)) delete this.values[name];
    const key = JSON.stringify(list);
    if (key === this.sliderKey) return;
    this.sliderKey = key;
    $("sliders").replaceChildren(...list.map((p) => this.slider(p)));
  }

  slider(p) {
    const u = p.unit && p.unit !== "1" ? ` ${unit(p.unit)}` : "", shown = el("output", {}), id = `p-${p.name}`;
    const input = el("input", { type: "range", id, min: p.lo, max: p.hi, step: "any", value: this.values[p.name] ?? p.value });
    const back = el("button", { title: "the value of the text" }, "↺");
    const show = () => { shown.textContent = number(this.values[p.name] ?? p.value, 4) + u; back.disabled = !(p.name in this.values); };
    input.addEventListener("input", () => { this.values[p.name] = Number(Number(input.value).toPrecision(6)); show(); this.run(); });
    back.addEventListener("click", () => { delete this.values[p.name]; input.value = p.value; show(); this.run(); });
    show();
    return el("div", { class: "slider", "data-name": p.name }, el("label", { for: id }, p.name), input, shown, back);
  }

  // ---- around it ----

  listen() {
    addEventListener("hashchange", () => this.follow(location.hash));
    $("stop").addEventListener("click", () => { this.engine.cancel(); });
    $("share").addEventListener("click", () => this.share());
    $("files").append(...NAMES.map((name) => el("button", { onclick: () => this.download(name) }, name)));
    for (const b of $("tabs").children) b.addEventListener("click", () => this.tab(b.dataset.tab));
  }

  tab(name) {
    document.body.dataset.tab = name;
    for (const b of $("tabs").children) b.setAttribute("aria-pressed", String(b.dataset.tab === name));
  }

  menu({ examples, gallery }, name = "") {
    this.examples = examples;
    $("gallery").hidden = !gallery;
    const groups = Map.groupBy ? Map.groupBy(examples, (e) => e.group) : new Map([["examples", examples]]);
    for (const [group, list] of groups) {
      $("examples").append(el("optgroup", { label: group }, list.map((e) => el("option", { value: e.name }, e.title))));
    }
    $("examples").value = name;
    $("examples").addEventListener("change", () => {
      const found = this.examples.find((e) => e.name === $("examples").value);
      if (!found) return;
      $("gallery").href = `gallery/${found.name}.html`;
      window.history.replaceState(null, "", `#example=${found.name}`);
      this.setText(found.text);
      this.run();
    });
  }

  // A link that is opened where the playground is already shown. One that holds nothing changes nothing.
  async follow(hash) {
    const found = await fromAddress(hash, this.examples);
    if (!found || hash !== location.hash) return;
    if (found.text === undefined) {
      this.notice = found.notice;
      this.refuse(found.notice);
      return;
    }
    $("examples").value = found.name ?? "";
    this.setText(found.text, found.values);
    this.run();
  }

  async share() {
    const link = new URL(location.href), hash = await encode(this.text, this.values).catch((e) => { this.refuse(e.message); });
    if (!hash) return;
    link.hash = hash;
    window.history.replaceState(null, "", link);
    const copied = await navigator.clipboard?.writeText(link.href).then(() => true, () => false);
    this.say(copied ? `link copied (${link.href.length} characters)` : "the link is in the address bar");
  }

  download(name) {
    if (this.files?.[name]) save(name, new Blob([this.files[name]]));
    else this.say(this.files ? `${name}: this run wrote none` : `${name}: there is no result yet`);
  }
}

const early = globalThis.pawlEarly, first = await early.first;
await early.soon;
const playground = globalThis.playground = new Playground(early, first);
playground.menu(await early.lists, first.start.name);
