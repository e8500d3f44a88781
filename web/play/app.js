// SPDX-License-Identifier: MIT
// The playground: text on the left, its motion on the right, computed here as one types.
import { autocompletion, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { lintGutter, setDiagnostics } from "@codemirror/lint";
import { EditorState } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, highlightActiveLineGutter, keymap, lineNumbers } from "@codemirror/view";
import { el, save } from "../src/dom.js";
import { clean, number, unit } from "../src/format.js";
import { Cancelled, Engine } from "./engine.js";
import { NAMES } from "./files.js";
import { complete, diagnostics, inText, pawl, range } from "./language.js";
import { decode, encode, MOST_CHARACTERS } from "./share.js";

const TYPING_MS = 250;
const $ = (id) => document.getElementById(id);

class Playground {
  constructor(examples, start) {
    this.examples = examples;
    this.setValues(start.values);
    this.notice = start.notice; // stays until the text changes
    this.wish = 0;
    this.sent = new Promise((done) => { this.viewIsHere = done; });
    this.engine = new Engine((p) => this.say(`running … ${Math.round(100 * Math.max(0, p.part))} %, ${p.rows} rows, ${p.events} events`));
    this.editor = this.makeEditor(start.text);
    this.listen();
    this.run();
  }

  get text() { return this.editor.state.doc.toString(); }

  makeEditor(doc) {
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

  async run() {
    clearTimeout(this.timer);
    const wish = ++this.wish, { text } = this;
    if (text.length > MOST_CHARACTERS) {
      return this.refuse(`E0642: the text has ${text.length} characters; the playground takes ${MOST_CHARACTERS}. The program on your machine takes more.`);
    }
    this.say("running …");
    const slow = setTimeout(() => { $("stop").hidden = false; }, 300);
    try {
      if (text !== this.checkedText) { // sliders change values only
        const checked = await this.engine.ask({ kind: "check", text });
        if (wish !== this.wish) return null;
        this.showSliders(checked.result);
        if (checked.result.errors.length) return this.finish(checked, text);
        this.checkedText = text;
      }
      const done = await this.engine.ask({ kind: "run", text, overrides: this.values });
      if (wish === this.wish) this.finish(done, text);
    } catch (e) {
      if (wish === this.wish) this.refuse(e instanceof Cancelled ? "stopped" : `E0643: the computation broke down: ${clean(e.message, 300)}`);
    } finally {
      clearTimeout(slow);
      if (wish === this.wish) $("stop").hidden = true;
    }
    return null;
  }

  refuse(text) {
    this.say("");
    $("messages").replaceChildren(el("li", {}, text));
    this.show(null, "No motion yet.");
  }

  finish({ result, ms, files = {} }, text) {
    const { doc } = this.editor.state, page = files["report.html"];
    this.last = result;
    if (doc.toString() === text) this.editor.dispatch(setDiagnostics(this.editor.state, diagnostics(doc, result)));
    this.messages(result);
    const errors = result.errors.length;
    this.say(errors && !page ? `${errors} ${errors === 1 ? "error" : "errors"}` : `${result.rows} rows in ${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms${result.ending === "end" ? "" : `, ${result.ending}`}`);
    $("right").classList.toggle("old", !page);
    if (page) this.files = files; // of the motion that is shown, until another is
    this.show(page && new TextDecoder().decode(page), "No motion yet: the model has errors, which stand below its text.");
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

  // Without a page the motion before stays; where there is none, the view says why.
  async show(page, why) {
    const [, packing, text] = /id="data" data-packing="([^"]*)">([^<]*)</.exec(page ?? "") || [];
    await this.sent;
    if (!page) $("view").contentWindow.postMessage({ kind: "none", why }, location.origin);
    else $("view").contentWindow.postMessage({ kind: "show", id: this.wish, text, packing }, location.origin);
  }

  // ---- sliders ----

  showSliders(result) {
    const list = (result.parameters || []).filter((p) => p.lo < p.hi && Number.isFinite(p.lo) && Number.isFinite(p.hi));
    if (!result.parameters) return; // a text with errors keeps them
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
    addEventListener("message", ({ source, origin, data }) => {
      if (source !== $("view").contentWindow || origin !== location.origin) return;
      if (data?.kind === "here") this.viewIsHere();
      if (data?.kind === "shown") document.documentElement.dataset.shown = String(data.id);
    });
    $("view").contentWindow?.postMessage({ kind: "hello" }, location.origin);
    addEventListener("hashchange", () => this.follow(location.hash));
    $("stop").addEventListener("click", () => { this.engine.cancel(); });
    $("share").addEventListener("click", () => this.share());
    $("files").append(...NAMES.map((name) => el("button", { onclick: () => this.download(name) }, name)));
    for (const b of $("tabs").children) b.addEventListener("click", () => this.tab(b.dataset.tab));
    this.menu();
  }

  tab(name) {
    document.body.dataset.tab = name;
    for (const b of $("tabs").children) b.setAttribute("aria-pressed", String(b.dataset.tab === name));
  }

  menu() {
    const groups = Map.groupBy ? Map.groupBy(this.examples, (e) => e.group) : new Map([["examples", this.examples]]);
    for (const [group, list] of groups) {
      $("examples").append(el("optgroup", { label: group }, list.map((e) => el("option", { value: e.name }, e.title))));
    }
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

// What an address names: a text with values, a notice why there is none, or null.
async function fromAddress(hash, examples) {
  const name = /^#example=(.*)$/s.exec(hash)?.[1], found = examples.find((e) => e.name === name);
  if (found) return { name, text: found.text, values: {} };
  if (name !== undefined) return { notice: `E0641: the link holds no model: there is no example \`${clean(name)}\`` };
  return decode(hash).catch((e) => ({ notice: e.message }));
}

const { examples, gallery } = await (await fetch("examples.json")).json();
const usual = { text: (examples.find((e) => e.name === "bouncing-ball") || examples[0]).text, values: {} };
const start = { ...usual, ...await fromAddress(location.hash, examples) };
if (gallery) $("gallery").hidden = false;
globalThis.playground = new Playground(examples, start);
$("examples").value = start.name ?? "";
