// SPDX-License-Identifier: MIT
// The report: one time, shown by everything on the page.
import { rowAt } from "./data.js";
import { el, save, theme, withCode } from "./dom.js";
import { clean, count, exact, namesOf, number, ordinal } from "./format.js";
import { addBounds, energies, impulses, ofModel, portraits, strips } from "./figures.js";
import { pixels } from "./painter.js";
import { Scene } from "./scene.js";
import { ending, endingNotes, rowsShown, unmet, verdict, whatItIs } from "./story.js";
import { certificate, eventCounts, eventList, expectations, ledger, modelText, parameters, reproduce, StateTable } from "./tables.js";
import { lanesOf, Timeline } from "./timeline.js";
import { zip } from "./zip.js";

const FEW = 8; // bodies that may have ghosts on paper
const REFRESH = 6; // frames from one text of the state to the next, while it plays: nobody reads faster
const SPEEDS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10];

const signed = new Set(["impact", "rest", "liftoff", "release", "close", "engage", "stick", "stop"]); // the others are rings
const says = { slip: "begins to slip", reverse: "turns round" };

export class Report {
  // `was`: the report that this one takes the place of; what its reader had chosen is kept. Unless it
  // shall be whole, what lies below the first screen is there after complete().
  constructor(data, { was = null, whole = true } = {}) {
    this.data = data;
    this.span = [data.t[0], data.t[data.n - 1]];
    if (!(this.span[1] > this.span[0])) this.span = [this.span[0], this.span[0] + 1];
    this.view = this.span.slice();
    this.time = this.span[0];
    this.row = 0;
    this.playing = false;
    this.speed = startSpeed(this.span[1] - this.span[0]);
    this.plots = [];
    this.dirty = true;
    this.frames = 0;
    this.theme = theme();
    const lengths = data.by.q.map((c) => c.unit).filter((u) => u && u !== "1");
    this.lengthUnit = lengths.includes("m") ? "m" : "";
    this.gone = new AbortController();
    was?.dispose();
    this.build();
    if (whole) this.rest();
    this.seek(this.span[0]);
    this.listen();
    this.settle();
    if (was) this.takeOver(was);
    this.loop = (now) => this.tick(now);
    requestAnimationFrame(this.loop);
  }

  takeOver(was) {
    for (const [key, button] of Object.entries(this.toolButtons)) {
      if (was.toolButtons[key] && was.scene.show[key] !== this.scene.show[key]) button.click();
    }
    const sameSpan = was.span[0] === this.span[0] && was.span[1] === this.span[1];
    if (!sameSpan) return;
    this.setSpeed(was.speed);
    if (was.time < was.span[1]) this.seek(was.time);
    if (was.playing) this.play();
  }

  dispose() {
    this.gone.abort();
    this.seen.disconnect();
    this.sizes.disconnect();
    this.hideHelp();
  }

  // ---- time ----

  // While it plays, the picture runs on between rows. At rest everything shows one row, the nearest.
  seek(time) {
    const { t } = this.data;
    this.wanted = Math.max(this.span[0], Math.min(this.span[1], time));
    this.row = rowAt(t, this.wanted);
    if (!this.playing) {
      const next = t[Math.min(this.row + 1, this.data.n - 1)];
      if (next - this.wanted < this.wanted - t[this.row]) this.row = rowAt(t, next);
    }
    this.time = this.playing ? this.wanted : t[this.row];
    this.draw();
  }

  step(by) {
    const row = Math.max(0, Math.min(this.data.n - 1, this.row + by));
    this.pause();
    this.seek(this.data.t[row]);
    this.row = row;
    this.draw();
  }

  jump(by) {
    const list = this.data.events, eps = 1e-12 * (this.span[1] - this.span[0]);
    const next = by > 0 ? list.find((e) => e.t > this.wanted + eps) : list.findLast((e) => e.t < this.wanted - eps);
    this.pause();
    if (next) this.seek(next.t);
  }

  play() {
    if (this.time >= this.data.t[this.data.n - 1]) this.seek(this.span[0]);
    this.playing = true;
    this.last = null;
    this.button.textContent = "❚❚";
    this.button.setAttribute("aria-label", "pause");
  }

  pause() {
    const moved = this.playing;
    this.playing = false;
    if (moved) this.seek(this.time);
    this.button.textContent = "▶";
    this.button.setAttribute("aria-label", "play");
  }

  toggle() { if (this.playing) this.pause(); else this.play(); }

  setSpeed(index) {
    this.speed = Math.max(0, Math.min(SPEEDS.length - 1, index));
    this.speedText.textContent = speedName(SPEEDS[this.speed]);
  }

  tick(now) {
    if (this.gone.signal.aborted) return;
    requestAnimationFrame(this.loop); // first, so that a fault in one frame is not the end of all
    if (this.resized) this.layout();
    if (this.playing) {
      const passed = this.last === null ? 0 : Math.min(0.1, (now - this.last) / 1000);
      this.last = now;
      const t = this.time + passed * SPEEDS[this.speed];
      if (t >= this.span[1]) { this.seek(this.span[1]); this.pause(); } else this.seek(t);
    }
    if (this.dirty) this.render();
  }

  zoom(from, to) {
    const least = (this.span[1] - this.span[0]) * 1e-9;
    let width = Math.max(least, Math.min(to - from, this.span[1] - this.span[0]));
    let a = (from + to) / 2 - width / 2;
    a = Math.max(this.span[0], Math.min(a, this.span[1] - width));
    this.view = [a, a + width];
    this.draw();
  }

  isFull() { return this.view[0] === this.span[0] && this.view[1] === this.span[1]; }

  magnify(f) {
    const middle = Math.max(this.view[0], Math.min(this.view[1], this.time)), [a, b] = this.view;
    this.zoom(middle - (middle - a) * f, middle + (b - middle) * f);
  }

  // The events nearest to the cursor that lie close together.
  cluster() {
    const t = this.data.events.map((e) => e.t);
    if (t.length < 2) return;
    let i = 0;
    for (let k = 1; k < t.length; k++) if (Math.abs(t[k] - this.time) < Math.abs(t[i] - this.time)) i = k;
    let a = i, b = i;
    while (b - a < 12 && (a > 0 || b < t.length - 1)) {
      const left = a > 0 ? t[a] - t[a - 1] : Infinity, right = b < t.length - 1 ? t[b + 1] - t[b] : Infinity;
      if (Math.min(left, right) > 0.3 * (this.view[1] - this.view[0])) break;
      if (left <= right) a--; else b++;
    }
    const room = Math.max((t[b] - t[a]) * 0.15, (this.span[1] - this.span[0]) * 1e-9);
    this.zoom(t[a] - room, t[b] + room);
  }

  draw() { this.dirty = true; }

  // ---- rendering ----

  render() {
    this.dirty = false;
    const th = this.theme;
    this.scene.render(th);
    this.timeline?.render(th);
    for (const p of this.plots) if (p.visible) p.render(th);
    this.frames = (this.frames + 1) % REFRESH;
    if (!this.playing || this.frames === 0) {
      this.state.update();
      this.clock.textContent = `${number(this.data.t[this.row], 9)} s`;
      this.slider.value = String((this.time - this.span[0]) / (this.span[1] - this.span[0]));
    }
  }

  get fonts() { return this.theme; }

  settle() {
    this.layout();
    this.layout(); // again, now that its pictures have their sizes
    this.render();
  }

  layout() {
    this.theme = theme();
    const wide = this.stage.clientWidth;
    this.resized = false;
    this.wide = wide;
    this.timeline?.resize(this.lanesBox.clientWidth);
    const taken = this.stage.getBoundingClientRect().top + window.scrollY + 96 + (this.timeline ? this.timeline.h + 70 : 30);
    const printed = document.documentElement.dataset.print, room = printed ? Infinity : window.innerHeight - taken;
    const height = Math.round(Math.max(300, Math.min(wide * 0.75, room, 640)));
    this.scene.resize(wide, height);
    this.stateBox.style.height = window.innerWidth > 900 && !printed ? `${height + 2}px` : "";
    const widths = this.plots.map((p) => p.holder.clientWidth);
    this.plots.forEach((p, i) => p.resize(widths[i]));
    const strips = this.plots.filter((p) => p.time), left = Math.max(0, ...strips.map((p) => p.leftNeeded(this.theme)));
    for (const p of this.plots) p.left = p.time ? left : p.leftNeeded(this.theme); // strips lie below each other
    this.draw();
  }

  // ---- building ----

  build() {
    const { about } = this.data;
    document.title = `${clean(about.title || about.summary.model || "motion", 100)} · Pawl`;
    this.main = document.getElementById("page");
    this.main.replaceChildren(this.header(), this.first());
    this.seen = new IntersectionObserver((list) => {
      for (const e of list) {
        e.target.plot.visible = e.isIntersecting;
        if (e.isIntersecting) this.draw();
      }
    }, { rootMargin: "200px" });
    // A frame that is shown later gets its width without a resize of the window; the next tick lays out.
    this.sizes = new ResizeObserver(() => { this.resized = this.resized || this.stage.clientWidth !== this.wide; });
    this.sizes.observe(this.stage);
  }

  complete() {
    if (this.gone.signal.aborted) return;
    this.rest();
    this.settle();
  }

  // Once: the sections below the first screen.
  rest() {
    if (this.whole) return;
    this.whole = true;
    this.main.append(...this.sections(), this.footer());
    for (const p of this.plots) this.seen.observe(p.holder);
  }

  header() {
    const { about } = this.data, v = verdict(about), end = ending(about);
    const file = clean(about.summary.model || "", 80).replace(/^.*\//, "");
    const laws = whatItIs(about), seconds = `${number(this.span[1] - this.span[0], 6)}\u00a0s`;
    return el("header", {},
      el("div", { class: "brand" }, el("span", { class: "mark" }, "Pawl"), el("span", { class: "file" }, el("bdi", {}, file)),
        el("span", { class: "space" }), el("button", { class: "small", title: "light or dark", onclick: () => this.flip() }, "◐")),
      el("h1", {}, el("bdi", {}, clean(about.title || file || "A motion", 160))),
      el("p", { class: "sentence", id: "sentence" }, el("span", { class: `badge ${v.tone}`, id: "verdict" }, v.head),
        ` ${laws}, followed for ${seconds}`, v.word ? [": ", el("strong", {}, v.word), ". "] : ". ", v.text),
      end ? el("div", { class: "alert", id: "ending" }, withCode(end), this.endingList()) : null,
      unmet(about) ? el("p", { class: "alert", id: "unmet" }, withCode(unmet(about))) : null,
      about.trouble ? el("p", { class: "alert" }, about.trouble) : null);
  }

  endingList() {
    const { about } = this.data, notes = endingNotes(about), code = about.summary.error?.code;
    if (!notes.length) return null;
    const more = code ? el("li", {}, "more: ", el("code", {}, `pawl explain ${clean(code, 8)}`)) : null;
    return el("ul", {}, notes.map((text) => el("li", {}, withCode(text))), more);
  }

  first() {
    this.scene = new Scene(this, this.data);
    this.state = new StateTable(this, this.data);
    const { lanes, always } = lanesOf(this.data);
    this.timeline = lanes.length ? new Timeline(this, lanes) : null;
    this.stage = el("div", { class: "stage" }, this.scene.canvas, this.tools());
    this.stateBox = el("div", { class: "card statebox" }, this.state.element);
    const row = el("div", { class: "top" }, el("div", { class: "card stagebox" }, this.stage), this.stateBox);
    return el("section", { class: "first" }, row, this.timeline ? this.lanes(always) : this.noLanes(always), this.transport());
  }

  tools() {
    const s = this.scene, tool = (key, text, title) => {
      const b = el("button", { class: "tool", title, "aria-pressed": String(s.show[key]), onclick: () => {
        s.show[key] = !s.show[key];
        b.setAttribute("aria-pressed", String(s.show[key]));
        this.draw();
      } }, text);
      return b;
    };
    this.toolButtons = { trails: tool("trails", "trails", "trails (T)"), ghosts: tool("ghosts", "ghosts", "ghost frames (G)") };
    if (s.hasForces) this.toolButtons.forces = tool("forces", "forces", "force arrows (F)");
    if (s.canFollow) {
      this.toolButtons.follow = tool("follow", "follow", "the view goes with what moves (V)");
      this.toolButtons.follow.addEventListener("click", () => { if (!s.show.follow) s.home(); });
    }
    const list = s.fallback ? [this.toolButtons.trails] : Object.values(this.toolButtons);
    const more = el("details", { class: "menu" }, el("summary", { class: "tool", title: "save the picture" }, "save"), el("div", {},
      el("button", { onclick: () => this.savePng(this.scene, "picture") }, "PNG"),
      el("button", { onclick: () => this.saveSvg(this.scene, "picture") }, "SVG"),
      el("button", { id: "frames", onclick: () => this.saveFrames() }, "video frames")));
    const home = s.fallback ? null : el("button", { class: "tool", title: "reset the view (Esc)", onclick: () => s.home() }, "⤢");
    return el("div", { class: "tools" }, list, more, home);
  }

  lanes(always) {
    this.lanesBox = el("div", { class: "lanes", id: "timeline" }, this.timeline.element);
    this.tip = el("div", { class: "tip", hidden: true });
    const key = (cls, text) => el("span", {}, el("i", { class: `key ${cls}` }), text);
    const has = (s, of = () => true) => this.timeline.all.some((l) => of(l) && l.spans.some((span) => span[2] === s));
    const laws = has(2, (l) => l.kind !== "pair");
    const kinds = new Set(this.data.events.map((e) => e.kind));
    const others = [...kinds].filter((k) => !signed.has(k)).map((k) => clean(says[k] || k, 24));
    const legend = [has(1) ? key("closed", "closed, sticking") : null, has(2) ? key("slip", laws ? "slipping or acting, forward" : "slipping") : null,
      has(3) ? key("back", has(2) ? "backward" : "slipping or acting, backward") : null, kinds.has("impact") ? key("impact", "impact, height by impulse") : null,
      kinds.has("rest") ? key("rest", "comes to rest") : null, kinds.has("liftoff") || kinds.has("release") ? key("up", "opens") : null,
      kinds.has("close") || kinds.has("engage") ? key("down", "closes") : null, kinds.has("stick") ? key("stick", "begins to stick") : null,
      kinds.has("stop") ? key("stop", "ends the run") : null, others.length ? key("round", others.join(", ")) : null];
    const notes = [];
    if (always.length) notes.push(`Always held: ${namesOf(always, 8)}.`);
    const { stride } = this.data.meetings;
    if (this.timeline.all.some((l) => l.kind === "pair")) {
      notes.push(`One lane for each pair of shapes that met, with its state at every ${stride > 1 ? `${ordinal(stride)} ` : ""}row and its events; contacts.csv has the points and their forces.`);
    }
    const rest = this.timeline.hidden, more = rest ? el("button", { class: "tool", id: "lanes", onclick: () => {
      this.timeline.showAll(this.timeline.hidden > 0);
      more.textContent = this.timeline.hidden ? `${rest} more lanes` : "fewer lanes";
      this.layout();
    } }, `${rest} more lanes`) : null;
    const zoomers = [["−", "zoom out", () => this.magnify(1.6)], ["+", "zoom in", () => this.magnify(0.6)],
      ["cluster", "zoom into the events around the cursor", () => this.cluster()], ["all", "the whole run", () => this.zoom(...this.span)]];
    return el("div", { class: "card timeline" },
      el("div", { class: "lanehead" }, el("div", { class: "legend" }, legend),
        el("div", { class: "zoomers" }, more, zoomers.map(([text, title, go]) => el("button", { class: "tool", title, onclick: go }, text)))),
      this.lanesBox, notes.length ? el("p", { class: "note" }, notes.join(" ")) : null, this.tip);
  }

  noLanes(always) {
    this.lanesBox = el("div");
    return always.length ? el("p", { class: "note" }, `No events. Always held: ${namesOf(always, 12)}.`) : null;
  }

  hover(event, pointer) {
    if (!this.tip) return;
    this.tip.hidden = !event;
    if (event) {
      this.tip.replaceChildren(...this.timeline.describe(event).map((line) => el("div", {}, line)));
      const box = this.lanesBox.parentElement.getBoundingClientRect();
      this.tip.style.left = `${Math.min(pointer.clientX - box.left + 12, box.width - 190)}px`;
      this.tip.style.top = `${pointer.clientY - box.top + 14}px`;
    }
  }

  transport() {
    this.button = el("button", { class: "play", id: "play", "aria-label": "play", title: "play (space)", onclick: () => this.toggle() }, "▶");
    this.clock = el("output", { class: "clock", id: "clock" });
    this.slider = el("input", { type: "range", min: 0, max: 1, step: "any", id: "slider", "aria-label": "time",
      oninput: () => this.seek(this.span[0] + Number(this.slider.value) * (this.span[1] - this.span[0])) });
    this.speedText = el("span", { class: "speed" }, speedName(SPEEDS[this.speed]));
    const b = (text, title, go) => el("button", { class: "tool", title, onclick: go }, text);
    const stepEvents = this.data.events.length ? [b("⇤", "previous event (shift ←)", () => this.jump(-1)), b("⇥", "next event (shift →)", () => this.jump(1))] : [];
    return el("div", { class: "transport" }, this.button, stepEvents, this.slider, this.clock,
      el("span", { class: "speeds" }, b("−", "slower (−)", () => this.setSpeed(this.speed - 1)), this.speedText, b("+", "faster (=)", () => this.setSpeed(this.speed + 1))),
      b("?", "keys (F1)", () => this.help()));
  }

  section(title, lead, ...content) {
    const inside = content.flat(Infinity).filter(Boolean);
    if (!inside.length) return null;
    return el("section", { class: "part" }, el("h2", {}, title), lead ? el("p", { class: "lead" }, lead) : null, inside);
  }

  figure(plot) {
    const bar = el("div", { class: "savebar" }, el("button", { class: "tool", onclick: () => this.saveSvg(plot, plot.name) }, "SVG"),
      el("button", { class: "tool", onclick: () => this.savePng(plot, plot.name) }, "PNG"));
    plot.holder = el("figure", { class: plot.portrait ? "card portrait" : "card strip" }, plot.element, bar);
    plot.holder.plot = plot;
    plot.visible = false;
    this.plots.push(plot);
    return plot.holder;
  }

  figures(plots) {
    const stripsOnly = plots.filter((p) => !p.portrait), rest = plots.filter((p) => p.portrait);
    return [...stripsOnly.map((p) => this.figure(p)), rest.length ? el("div", { class: "portraits" }, rest.map((p) => this.figure(p))) : null];
  }

  sections() {
    const d = this.data, { about, by } = d, own = ofModel(this, d);
    addBounds(d, own);
    const moving = (c) => c.x.some((v) => v !== c.x[0]);
    const quat = (c) => !/\.q\[\d\]$/.test(c.name);
    const forces = by.force.filter((c) => moving(c) || c.x[0] !== 0), still = by.force.length - forces.length;
    const forceNote = `Forces belong to the constraint as written: force(c) times its gradient acts on the coordinates.${still ? ` ${still === 1 ? "One force is" : `${still} forces are`} zero at all times.` : ""}`;
    const unitless = by.q.every((c) => !c.unit) ? "The model states no units; numbers are in SI units as far as it means them so." : "";
    const thinned = [rowsShown(about.rows), unitless].filter(Boolean).join(" ") || null;
    return [
      this.section("Plots of the model", null, this.figures(own)),
      this.section("Motion", thinned, this.figures(strips(this, d, by.q.filter(quat), "positions", own)), this.figures(strips(this, d, by.u, "velocities", own))),
      this.section("Signals", null, this.figures(strips(this, d, by.signal, "signals", own))),
      this.section("Forces and impulses", by.force.length ? forceNote : null,
        this.figures(strips(this, d, forces, "forces")), this.figures(impulses(this, d))),
      this.section("Outputs", null, this.figures(strips(this, d, by.output, "outputs", own))),
      this.section("Energy", null, this.figures(energies(this, d)), ledger(about) ? el("div", { class: "card pad" }, ledger(about)) : null),
      this.section("Phase portraits", "Dotted lines are jumps, hatched lines one-sided constraints.", this.figures(portraits(this, d))),
      about.events.all ? this.section("Events", null, el("div", { class: "card pad" }, eventCounts(d, this)), el("div", { class: "card pad" }, eventList(d, this))) : null,
      this.section("Certificate", null, el("div", { class: "card pad" }, certificate(about))),
      this.section("Model", "The margin says what Pawl inferred about each law.", el("div", { class: "card" }, modelText(about)), this.autoNote(), el("div", { class: "columns" },
        about.parameters.length ? el("div", { class: "card pad" }, el("h3", {}, "Parameters"), parameters(about)) : null,
        expectations(about) ? el("div", { class: "card pad" }, el("h3", {}, "Expectations"), expectations(about)) : null)),
      this.section("Reproduce", null, el("div", { class: "card pad" }, reproduce(about),
        el("p", {}, el("button", { id: "csv", onclick: () => this.saveCsv() }, "save CSV"), " ",
          el("span", { class: "note" }, about.rows.kept < about.rows.all ? "of the rows shown here" : about.rows.columns[1].bytes === 8 ? "the same bytes as trajectory.csv" : "rounded; trajectory.csv has all digits")))),
    ].filter(Boolean);
  }

  autoNote() {
    const { about } = this.data, shapes = (about.autoLines || "").split("\n").filter(Boolean);
    if (!shapes.length) return null;
    return el("details", { class: "card pad" }, el("summary", {}, "The model draws nothing; this picture was chosen for it. Put such lines into the model to change it."),
      el("pre", {}, shapes.join("\n")));
  }

  footer() {
    return el("footer", {}, `Pawl ${this.data.about.pawl}. Mechanics with inequalities. This page needs no network and no other file.`);
  }

  // ---- saving ----

  saveSvg(what, name) { save(`${name}.svg`, new Blob([what.svg(theme())], { type: "image/svg+xml" })); }

  picture(what, scale) {
    const canvas = document.createElement("canvas"), th = theme();
    canvas.width = pixels(what.w, scale);
    canvas.height = pixels(what.h, scale);
    const ctx = canvas.getContext("2d");
    ctx.scale(scale, scale);
    what.paint(ctx, th, this.time);
    ctx.globalCompositeOperation = "destination-over";
    ctx.fillStyle = th.card;
    ctx.fillRect(0, 0, what.w, what.h);
    return new Promise((done) => canvas.toBlob(done, "image/png"));
  }

  async savePng(what, name) { save(`${name}.png`, await this.picture(what, 3)); }

  async saveFrames() {
    const button = document.getElementById("frames"), text = button.textContent;
    const time = this.time, seconds = (this.span[1] - this.span[0]) / SPEEDS[this.speed];
    const n = Math.max(2, Math.min(900, Math.round(seconds * 30))), files = [];
    for (let k = 0; k < n; k++) {
      this.time = this.span[0] + ((this.span[1] - this.span[0]) * k) / (n - 1);
      const blob = await this.picture(this.scene, 2);
      button.textContent = `frame ${k + 1} of ${n}`;
      files.push({ name: `frame-${String(k + 1).padStart(4, "0")}.png`, bytes: new Uint8Array(await blob.arrayBuffer()) });
    }
    files.push({ name: "README.txt", bytes: new TextEncoder().encode("ffmpeg -framerate 30 -i frame-%04d.png -pix_fmt yuv420p motion.mp4\n") });
    this.time = time;
    button.textContent = text;
    this.draw();
    save("frames.zip", zip(files));
  }

  csv() {
    const { heads, columns, n } = this.data;
    const list = heads.map((h, i) => [h, columns[i]]).filter(([h]) => ["t", "q", "signal", "delay", "u", "force", "output"].includes(h.kind));
    const field = (s) => (/[,"\n\r]/.test(s) ? `"${s.replace(/"/g, '""')}"` : s);
    const lines = [list.map(([h]) => field(h.name)).join(",")];
    for (let i = 0; i < n; i++) lines.push(list.map(([, x]) => exact(x[i])).join(","));
    return lines.join("\n") + "\n";
  }

  saveCsv() { save("trajectory.csv", new Blob([this.csv()], { type: "text/csv" })); }

  // ---- keys ----

  listen() {
    const { signal } = this.gone, on = (target, kind, act) => target.addEventListener(kind, act, { signal });
    on(window, "resize", () => this.layout());
    on(matchMedia("(prefers-color-scheme: dark)"), "change", () => this.layout());
    on(window, "beforeprint", () => this.forPrint(true));
    on(window, "afterprint", () => this.forPrint(false));
    on(matchMedia("print"), "change", (e) => this.forPrint(e.matches));
    on(window, "keydown", (e) => this.key(e));
    if (matchMedia("print").matches) this.forPrint(true);
  }

  // Pictures are drawn anew for the width of a page of paper, all of them and at once.
  forPrint(on) {
    if (on === this.printed) return;
    this.rest();
    this.printed = on;
    if (on) document.documentElement.dataset.print = "1"; else delete document.documentElement.dataset.print;
    for (const p of this.plots) p.visible = p.visible || on;
    for (const d of document.querySelectorAll("details.card")) d.open = on;
    this.scene.show.ghosts = on ? this.scene.drawn.filter((s) => s.moves).length <= FEW : this.toolButtons.ghosts.getAttribute("aria-pressed") === "true";
    this.settle();
  }

  key(e) {
    if (e.ctrlKey || e.metaKey || e.altKey || ["INPUT", "BUTTON", "SUMMARY"].includes(e.target.tagName) && [" ", "Enter", "ArrowLeft", "ArrowRight"].includes(e.key)) return;
    const s = this.scene, press = (k) => this.toolButtons[k]?.click();
    const keys = {
      " ": () => this.toggle(), Backspace: () => { this.pause(); this.seek(this.span[0]); },
      ArrowRight: () => (e.shiftKey ? this.jump(1) : this.step(1)), ArrowLeft: () => (e.shiftKey ? this.jump(-1) : this.step(-1)),
      Home: () => this.seek(this.span[0]), End: () => this.seek(this.span[1]),
      "-": () => this.setSpeed(this.speed - 1), "=": () => this.setSpeed(this.speed + 1), "+": () => this.setSpeed(this.speed + 1),
      Escape: () => { this.hideHelp() || s.home(); }, f: () => press("forces"), t: () => press("trails"), g: () => press("ghosts"), v: () => press("follow"),
      "[": () => this.view3(-1), "]": () => this.view3(1), F1: () => this.help(), "?": () => this.help(),
    };
    const go = keys[e.key] || keys[e.key.toLowerCase()];
    if (go) { go(); e.preventDefault(); }
  }

  view3(by) {
    if (!this.scene.space) return;
    this.preset = ((this.preset ?? 3) + by + 4) % 4;
    this.scene.view.camera.preset(this.preset);
    this.draw();
  }

  help() {
    if (this.hideHelp()) return;
    const keys = [["space", "play, pause"], ["← →", "one row back, on"], ["shift ← →", "event before, after"], ["backspace", "to the start"], ["− =", "slower, faster"],
      ["F", "force arrows"], ["T", "trails"], ["G", "ghost frames"], ["V", "follow what moves"], ["[ ]", "other cameras (space)"], ["esc", "reset the view"], ["drag", "turn or move the picture"], ["wheel", "zoom (click the picture first)"]];
    this.helpBox = el("div", { class: "help card", role: "dialog" }, el("h3", {}, "Keys"), el("dl", {}, keys.map(([k, v]) => el("div", {}, el("dt", {}, el("kbd", {}, k)), el("dd", {}, v)))),
      el("button", { onclick: () => this.hideHelp() }, "close"));
    document.body.append(this.helpBox);
  }

  hideHelp() {
    const was = this.helpBox;
    this.helpBox = null;
    was?.remove();
    return Boolean(was);
  }

  flip() {
    const root = document.documentElement, dark = theme().dark;
    root.dataset.theme = dark ? "light" : "dark";
    this.layout();
  }
}

function startSpeed(span) { // so that the run takes between 4 and 20 seconds
  let k = SPEEDS.indexOf(1);
  while (k > 0 && span / SPEEDS[k] < 4) k--;
  while (k < SPEEDS.length - 1 && span / SPEEDS[k] > 40) k++;
  return k;
}

function speedName(s) { return s >= 1 ? `${s}×` : `1/${Math.round(1 / s)}×`; }
