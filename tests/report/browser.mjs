// SPDX-License-Identifier: MIT
// Opens reports from disk and looks at them as a reader would: verdict, cursor, numbers, keys. No
// page may print to the console or ask any host for anything.
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "../..");
const { chromium } = await import(pathToFileURL(join(root, "web/node_modules/playwright-core/index.mjs")));
const pawl = process.env.PAWL, work = mkdtempSync(join(tmpdir(), "pawl-report-"));
let passed = 0, failed = 0;

function check(ok, what) {
  if (ok) passed++; else { failed++; console.log(`FAILED ${what}`); }
}

function run(model, name, ...words) {
  return spawnSync(pawl, ["run", model, "-q", "-o", join(work, name), ...words], { encoding: "utf8" });
}

const page = (name) => join(work, name, "report.html");

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox"] });

// A tab that collects what must not be.
async function open(file, options = {}) {
  const tab = await browser.newPage({ viewport: { width: 1280, height: 900 }, acceptDownloads: true, ...options });
  const heard = [];
  tab.on("console", (m) => heard.push(`console: ${m.text()}`));
  tab.on("pageerror", (e) => heard.push(`error: ${e.message}`));
  tab.on("request", (r) => { if (!/^(file|blob|data):/.test(r.url())) heard.push(`request: ${r.url()}`); });
  await tab.goto(pathToFileURL(file).href);
  await tab.waitForSelector("html[data-ready]", { timeout: 60000 });
  return { tab, heard };
}

async function close({ tab, heard }, what) {
  check(heard.length === 0, `${what}: ${heard.slice(0, 3).join("; ")}`);
  await tab.close();
}

// ---- the table of the state against trajectory.csv ----

function readCsv(file) {
  const [head, ...rows] = readFileSync(file, "utf8").trimEnd().split("\n");
  return { names: head.split(","), rows: rows.map((r) => r.split(",").map(Number)) };
}

// The digits shown are those of the number: "−0.0123" is right for -0.012345.
function shows(text, value) {
  const plain = text.replace(/−/g, "-");
  const digits = plain.replace(/e.*$/, "").replace(/[-.]/g, "").replace(/^0+/, "").length || 1;
  const shown = Number(plain);
  return shown === value || shown === Number(value.toPrecision(Math.max(digits, 5))) ||
    [5, 6, 7, 8, 9].some((d) => Number(value.toPrecision(d)) === shown && d >= digits);
}

async function compareState(tab, csv, name) {
  const shown = await tab.evaluate(() => ({
    row: globalThis.pawlReport.row, clock: document.getElementById("clock").textContent,
    cells: [...document.querySelectorAll("td.value")].map((c) => [c.dataset.column, c.textContent]),
  }));
  const row = csv.rows[shown.row], twin = shown.row > 0 && csv.rows[shown.row - 1][0] === row[0] ? csv.rows[shown.row - 1] : null;
  check(shows(shown.clock.replace(" s", ""), row[0]), `${name}: clock ${shown.clock} for t = ${row[0]}`);
  const bad = shown.cells.filter(([column, text]) => {
    const k = csv.names.indexOf(column);
    if (k < 0) return false; // energies
    const sides = text.split(" → ");
    return sides.length === 2 ? !(twin && shows(sides[0], twin[k]) && shows(sides[1], row[k])) : !shows(text, row[k]);
  });
  check(bad.length === 0, `${name}: row ${shown.row}: ${JSON.stringify(bad.slice(0, 3))}`);
  return shown.row;
}

const settle = (tab) => tab.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

// ---- ten examples ----

const verdicts = { STRONG: "Verified", WEAK: "Verified", UNDECIDED: "Undecided", "NOT A MOTION": "Not a motion", "NOT CHECKED": "Not checked" };

async function example(name, options) {
  const ran = run(join(root, "examples", `${name}.pawl`), name);
  check(existsSync(page(name)), `${name}: no report (${ran.stderr})`);
  check(statSync(page(name)).size < 1e6, `${name}: the report has ${statSync(page(name)).size} bytes`);
  const { tab, heard } = await open(page(name), options);
  const certificate = JSON.parse(readFileSync(join(work, name, "certificate.json"), "utf8"));
  check(await tab.textContent("#verdict") === verdicts[certificate.verdict], `${name}: verdict ${certificate.verdict}`);
  const csv = readCsv(join(work, name, "trajectory.csv"));
  await compareState(tab, csv, name);
  await drag(tab, csv, name);
  await keys(tab, csv, name);
  const same = await tab.evaluate(() => globalThis.pawlReport.csv()) === readFileSync(join(work, name, "trajectory.csv"), "utf8");
  check(same, `${name}: the CSV of the page is not trajectory.csv`);
  await tab.evaluate(() => document.querySelectorAll("section").forEach((s) => s.scrollIntoView()));
  await settle(tab);
  check(await painted(tab, ".stage canvas"), `${name}: the animation is empty`);
  await close({ tab, heard }, name);
}

// More than one colour on a canvas.
function painted(tab, selector) {
  return tab.evaluate((s) => {
    const c = document.querySelector(s), d = c.getContext("2d").getImageData(0, 0, c.width, c.height).data;
    const seen = new Set();
    for (let i = 0; i < d.length; i += 4) seen.add((d[i] << 24) | (d[i + 1] << 16) | (d[i + 2] << 8) | d[i + 3]);
    return seen.size > 3;
  }, selector);
}

// The cursor follows the pointer, on the timeline if there is one, else on the slider.
async function drag(tab, csv, name) {
  const lanes = await tab.$("#timeline canvas"), box = await (lanes ?? await tab.$("#slider")).boundingBox();
  await tab.mouse.move(box.x + box.width * 0.3, box.y + box.height / 2);
  await tab.mouse.down();
  await tab.mouse.move(box.x + box.width * 0.45, box.y + box.height / 2, { steps: 4 });
  await tab.mouse.move(box.x + box.width * 0.7, box.y + box.height / 2, { steps: 4 });
  await tab.mouse.up();
  await settle(tab);
  const row = await compareState(tab, csv, `${name}, dragged`);
  check(row > csv.rows.length * 0.3 && row < csv.rows.length * 0.95, `${name}: dragged to row ${row} of ${csv.rows.length}`);
}

async function keys(tab, csv, name) {
  await tab.evaluate(() => document.activeElement.blur());
  await tab.keyboard.press("Backspace");
  check(await tab.evaluate(() => globalThis.pawlReport.row) <= 1, `${name}: backspace goes to the start`);
  await tab.keyboard.press("End");
  for (let k = 0; k < 3; k++) await tab.keyboard.press("ArrowLeft");
  await settle(tab);
  await compareState(tab, csv, `${name}, stepped`);
  if (await tab.evaluate(() => globalThis.pawlReport.data.events.length > 0)) {
    await tab.keyboard.press("Backspace");
    await tab.keyboard.press("Shift+ArrowRight");
    await settle(tab);
    const at = await tab.evaluate(() => [globalThis.pawlReport.time, globalThis.pawlReport.data.events.map((e) => e.t)]);
    check(at[1].includes(at[0]), `${name}: shift → goes to an event`);
    await compareState(tab, csv, `${name}, at an event`);
  }
  await tab.keyboard.press("Backspace");
  await tab.keyboard.press(" ");
  await tab.waitForFunction((t) => globalThis.pawlReport.time > t, await tab.evaluate(() => globalThis.pawlReport.time));
  await tab.keyboard.press(" ");
  check(!(await tab.evaluate(() => globalThis.pawlReport.playing)), `${name}: space plays and pauses`);
  await settle(tab);
  await compareState(tab, csv, `${name}, paused`);
  const apart = await tab.evaluate(() => {
    const r = globalThis.pawlReport, frame = r.scene.frame(r.time);
    return r.time !== r.data.t[r.row] || r.scene.columns.some((x, k) => !Object.is(x[r.row], frame[k]));
  });
  check(!apart, `${name}: paused, the picture and the table show the same instant`);
}

// ---- saving, printing ----

async function saving() {
  const { tab, heard } = await open(page("bouncing-ball"));
  for (const [button, wanted] of [["#csv", "trajectory.csv"], [".menu button:nth-child(2)", "picture.svg"], [".menu button:nth-child(1)", "picture.png"]]) {
    const [file] = await Promise.all([tab.waitForEvent("download"), tab.evaluate((s) => document.querySelector(s).click(), button)]);
    check(file.suggestedFilename() === wanted, `${wanted} is saved`);
    const bytes = readFileSync(await file.path());
    if (wanted.endsWith("svg")) check(bytes.toString().startsWith("<svg xmlns") && bytes.toString().includes("<path"), "the SVG file is a picture");
    if (wanted.endsWith("png")) check(bytes.subarray(1, 4).toString() === "PNG", "the PNG file is a picture");
  }
  await tab.evaluate(() => globalThis.pawlReport.setSpeed(9));
  const [film] = await Promise.all([tab.waitForEvent("download"), tab.evaluate(() => document.getElementById("frames").click())]);
  const zip = readFileSync(await film.path());
  check(zip.readUInt32LE(0) === 0x04034b50 && zip.includes("frame-0001.png") && zip.includes("frame-0002.png"), "frames.zip holds frames");
  await tab.emulateMedia({ media: "print" });
  const pdf = await tab.pdf({ format: "A4" });
  check(pdf.length > 20000, "it prints");
  await close({ tab, heard }, "saving and printing");
}

async function paper() {
  const { tab, heard } = await open(page("woodpecker"));
  await tab.emulateMedia({ media: "print" });
  await settle(tab);
  const seen = await tab.evaluate(() => {
    const box = document.querySelector(".statebox"), next = document.querySelector("section.part");
    return { over: box.scrollHeight - box.clientHeight, gap: next.getBoundingClientRect().top - box.querySelector("table").getBoundingClientRect().bottom,
      keys: getComputedStyle(document.querySelector(".key")).printColorAdjust };
  });
  check(seen.over <= 1 && seen.gap > 0, `on paper the state stays in its box (${JSON.stringify(seen)})`);
  check(seen.keys === "exact", "on paper the legend keeps its colours");
  await close({ tab, heard }, "paper");
}

// Whatever has been drawn by then: printing paints all of it, without a frame in between.
async function earlyPaper() {
  const tab = await browser.newPage({ viewport: { width: 1280, height: 900 }, colorScheme: "dark" });
  await tab.addInitScript(() => {
    globalThis.requestAnimationFrame = () => 0;
    document.addEventListener("DOMContentLoaded", () => { globalThis.readyAt = document.documentElement.dataset.ready; });
  });
  await tab.goto(pathToFileURL(page("woodpecker")).href, { waitUntil: "domcontentloaded" });
  const pdf = await tab.pdf({ format: "A4" });
  check(pdf.length > 60000, `a page that is printed at once is not empty (${pdf.length} bytes)`);
  check(await tab.evaluate(() => globalThis.readyAt) === "1", "the page is there as soon as its text is");
  await tab.evaluate(() => dispatchEvent(new Event("beforeprint")));
  const seen = await tab.evaluate(() => ({
    blank: [...document.querySelectorAll("canvas")].filter((c) => !c.getContext("2d").getImageData(0, 0, c.width, c.height).data.some((v) => v > 0)).length,
    badge: getComputedStyle(document.getElementById("verdict")).backgroundColor,
    card: getComputedStyle(document.querySelector(".card")).backgroundColor,
  }));
  check(seen.blank === 0, `${seen.blank} pictures are blank on paper`);
  check(seen.badge === "rgb(223, 242, 234)" && seen.card === "rgb(255, 255, 255)", `paper is white, also from a dark screen (${JSON.stringify(seen)})`);
  await tab.close();
}

// ---- axes, names, numbers ----

async function axes(name, options) {
  const { tab, heard } = await open(page(name), options);
  const few = await tab.evaluate(() => globalThis.pawlReport.plots.filter((p) => p.yTicks().list.length < 3).map((p) => p.name));
  check(few.length === 0, `${name}: axes with fewer than three numbers: ${few}`);
  const wide = await tab.evaluate(() => globalThis.pawlReport.plots.filter((p) => p.leftNeeded(globalThis.pawlReport.theme) > p.left + 0.5).map((p) => p.name));
  check(wide.length === 0, `${name}: numbers that have no room: ${wide}`);
  await close({ tab, heard }, `${name}, axes`);
}

async function texts() {
  const source = (file) => import(pathToFileURL(join(root, "web/src", file)));
  const { ordinal, ticks, tickTexts } = await source("format.js");
  check(["1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "102nd", "111th"].every((w) => ordinal(parseInt(w, 10)) === w), "ordinals");
  const random = (k) => { const x = Math.sin(k * 12.9898) * 43758.5453; return x - Math.floor(x); };
  let wrong = 0;
  for (let k = 0; k < 2000; k++) {
    const low = (random(k) - 0.5) * 10 ** (12 * random(k + 0.5) - 6), high = low + 10 ** (12 * random(k + 0.25) - 6) + Math.abs(low) * 1e-6;
    const { list, step } = ticks(low, high, 2 + 4 * random(k + 0.75), 3), { texts: shown, power } = tickTexts(list, step);
    const near = (v, i) => Math.abs(Number(shown[i].replace("−", "-")) * 10 ** power - v) <= step * 1e-6;
    if (list.length < 3 || list.length > 16 || new Set(shown).size < shown.length || !list.every(near)) wrong++;
  }
  check(wrong === 0, `${wrong} axes of 2000 have too few numbers, or wrong ones`);
  const { shortNames } = await source("timeline.js"), fits = (text) => text.length <= 12;
  const names = shortNames(["board:ball[1]-ground", "board:ball[2]-ground", "board:ball[2]-ground:slip", "floor"], fits);
  check(new Set(names).size === 4 && names.every(fits) && names[3] === "floor", `names of lanes stay apart: ${names}`);
  const { inflate } = await source("inflate.js"), { deflateRawSync } = await import("node:zlib");
  for (const level of [0, 1, 9]) for (const strategy of [0, 2, 4]) {
    const bytes = Buffer.from(Array.from({ length: 70000 }, (_, i) => (i % 3 ? (i * i) >> 7 : 255 * random(i)) & 255));
    check(Buffer.from(inflate(deflateRawSync(bytes, { level, strategy }))).equals(bytes), `unpacks level ${level}, strategy ${strategy}`);
  }
  const cut = deflateRawSync(Buffer.from("twice twice twice")).subarray(0, 6);
  let refused = false;
  try { inflate(cut); } catch { refused = true; }
  check(refused, "data that end too early are refused");
}

// ---- units of outputs ----

// A wheel turns at pi rad/s: 30 rpm, in the table as in the plot.
async function outputUnits() {
  const file = join(work, "wheel.pawl");
  writeFileSync(file, "coordinates a\nkinetic T = 1/2*a'^2\nstart a' = pi\noutput n [rpm] = a'\noutput up [deg] = a\nplot n\nrun 0..1\n");
  run(file, "wheel");
  const { tab } = await open(page("wheel"));
  const cells = await tab.evaluate(() => {
    globalThis.pawlReport.seek(1);
    return ["n", "up"].map((name) => document.querySelector(`td.value[data-column="${name}"]`).parentElement)
      .map((row) => [row.querySelector(".value").textContent, row.querySelector(".unit").textContent].join(" "));
  });
  check(cells[0] === "30 rpm", `an output is shown in its unit: ${cells[0]}`);
  check(cells[1].endsWith(" deg"), `an output that is not plotted, too: ${cells[1]}`);
  await tab.close();
}

// ---- the work of a frame ----

// Twenty bodies: what a frame does is counted, since a busy machine would make any clock wrong.
async function frames() {
  const n = 20, file = join(work, "twenty.pawl"), list = (f) => Array.from({ length: n }, (_, i) => f(i + 1));
  writeFileSync(file, ["coordinates " + list((i) => `x${i}, y${i}, a${i}`).join(", "), "kinetic T = " + list((i) => `1/2*(x${i}'^2 + y${i}'^2 + a${i}'^2)`).join(" + "),
    "potential V = " + list((i) => `9.81*y${i} + x${i}^2`).join(" + "), ...list((i) => `constraint f${i}: y${i} >= 0, restitution 0.8`),
    "start " + list((i) => `x${i} = ${i} - 10, y${i} = 1 + ${i}/20, a${i}' = ${i}`).join(", "), "run 0..5, every 0.002",
    ...list((i) => `draw circle (x${i}, y${i}), radius 0.2\ndraw line (x${i}, y${i}), (x${i} + 0.2*cos(a${i}), y${i} + 0.2*sin(a${i}))`), ""].join("\n"));
  run(file, "twenty");
  const { tab, heard } = await open(page("twenty"));
  const each = await tab.evaluate(() => {
    const r = globalThis.pawlReport, counts = { points: 0, strokes: 0, reads: 0, texts: 0 };
    const watch = (owner, name, key) => { const was = owner[name]; owner[name] = function (...a) { counts[key]++; return was.apply(this, a); }; };
    const c = CanvasRenderingContext2D.prototype;
    for (const name of ["lineTo", "moveTo", "arc", "rect"]) watch(c, name, "points");
    for (const name of ["stroke", "fill", "fillText", "fillRect", "drawImage"]) watch(c, name, "strokes");
    watch(Element.prototype, "getBoundingClientRect", "reads");
    watch(globalThis, "getComputedStyle", "reads");
    for (const [owner, name] of [[Element.prototype, "clientWidth"], [Element.prototype, "scrollHeight"], [HTMLElement.prototype, "offsetWidth"], [HTMLElement.prototype, "offsetHeight"]]) {
      const was = Object.getOwnPropertyDescriptor(owner, name);
      Object.defineProperty(owner, name, { get() { counts.reads++; return was.get.call(this); } });
    }
    const text = Object.getOwnPropertyDescriptor(Node.prototype, "textContent");
    Object.defineProperty(Node.prototype, "textContent", { set(v) { counts.texts++; text.set.call(this, v); }, get() { return text.get.call(this); } });
    r.seek(2.5);
    r.play();
    const FRAMES = 30;
    for (let k = 0; k < FRAMES; k++) { r.seek(2.5 + k / 60); r.render(); }
    r.pause();
    for (const key of Object.keys(counts)) counts[key] /= FRAMES;
    return counts;
  });
  check(each.points > 500 && each.points < 6000 && each.strokes < 400, `twenty bodies: ${each.points} points and ${each.strokes} strokes in a frame`);
  check(each.reads === 0, `a frame asks for no layout (${each.reads})`);
  check(each.texts < 40, `twenty bodies: ${each.texts} texts change in a frame`);
  await close({ tab, heard }, "twenty bodies");
}

// ---- contacts of shapes ----

// Every force of contacts.csv is an arrow at its point.
async function touches() {
  run(join(root, "examples/disks-in-a-box.pawl"), "disks-in-a-box");
  const rows = readFileSync(join(work, "disks-in-a-box/contacts.csv"), "utf8").trimEnd().split("\n").slice(1).map((line) => line.split(","));
  const t = Number(rows[Math.floor(rows.length * 0.7)][0]), wanted = rows.filter((r) => Number(r[0]) === t)
    .map((r) => { const [x, y, , nx, ny, , fn, fx, fy] = r.slice(4).map(Number); return [x, y, fn * nx + fx, fn * ny + fy]; });
  const { tab, heard } = await open(page("disks-in-a-box"));
  const found = await tab.evaluate((time) => {
    const { scene } = globalThis.pawlReport, frame = scene.frame(time);
    return scene.shapes.filter((s) => s.force).map((s) => scene.points(s, frame).flat());
  }, t);
  const size = Math.max(...wanted.flat().map(Math.abs)), same = (a, b) => a.every((v, k) => Math.abs(v - b[k]) < 1e-4 * size);
  check(wanted.length > 4 && wanted.every((w) => found.some((f) => same(f, w))), `contacts of contacts.csv are arrows: ${JSON.stringify(wanted)} in ${JSON.stringify(found)}`);
  await close({ tab, heard }, "contacts");
  const beam = await open(page("ball-beam-delay"));
  check(!/delay\d/.test(await beam.tab.textContent(".state")), "the past of a delay is no part of the table");
  await close(beam, "a delay");
}

// Pairs that steps find on their way: an arrow for every force of contacts.csv, and lanes with bars.
async function meetings() {
  run(join(root, "examples/card-house.pawl"), "card-house");
  const rows = readFileSync(join(work, "card-house/contacts.csv"), "utf8").trimEnd().split("\n").slice(1).map((line) => line.split(","));
  const t = Number(rows[Math.floor(rows.length * 0.7)][0]), wanted = rows.filter((r) => Number(r[0]) === t)
    .map((r) => { const [x, y, , nx, ny, , fn, fx, fy] = r.slice(4).map(Number); return [x, y, fn * nx + fx, fn * ny + fy]; });
  const { tab, heard } = await open(page("card-house"));
  const seen = await tab.evaluate((time) => {
    const r = globalThis.pawlReport, found = [];
    r.seek(time);
    r.render();
    r.data.meetings.each(r.data.t, r.row, r.time, (a, v) => found.push([a[0], a[1], v[0], v[1]]));
    return { found, lanes: r.timeline.all.map((l) => [l.name, l.kind, l.spans]), closed: r.state.met.closed.textContent, forces: Boolean(r.toolButtons.forces) };
  }, t);
  const near = (a, b) => a.every((v, k) => Math.abs(v - b[k]) <= 5e-4 * Math.max(Math.abs(v), k < 2 ? 0.01 : 0.001));
  check(wanted.length === 8 && seen.found.length === 8 && wanted.every((w) => seen.found.some((f) => near(f, w))),
    `points of contacts.csv are arrows: ${JSON.stringify(wanted)} in ${JSON.stringify(seen.found)}`);
  check(seen.lanes.length === 8 && seen.lanes.every(([name, kind, s]) => kind === "pair" && !/[:#]/.test(name) && s.length === 1 && s[0][0] === 5e-4 && s[0][1] === 1 && s[0][2] === 1),
    `every pair of the house sticks from the first step to the end: ${JSON.stringify(seen.lanes)}`);
  check(seen.closed === "8" && seen.forces, "the state counts the closed points");
  await close({ tab, heard }, "card-house");
  const file = join(work, "slides.pawl");
  writeFileSync(file, ["coordinates x, y, a", "kinetic T = x'^2 + y'^2 + 0.005*a'^2", "potential V = 2*9.81*y", "shape block: polygon (x, y), angle a, (-0.2, -0.05)(0.2, -0.05)(0.2, 0.05)(-0.2, 0.05)",
    "shape post[i in 1..12]: disk (9, i), radius 0.1", "shape ground: plane (0, 0), (0, 1)", "contact table: block, post, ground, restitution 0, mu 0.3",
    "start y = 0.05, x' = 1", "run 0..0.6, method moreau, step 1e-3, every 0.01", ""].join("\n"));
  run(file, "slides");
  const block = await open(page("slides"));
  const [lane] = await block.tab.evaluate(() => globalThis.pawlReport.timeline.all.map((l) => l.spans));
  check(lane.length === 2 && lane[0][2] === 2 && lane[1][2] === 1 && Math.abs(lane[0][1] - 1 / (0.3 * 9.81)) < 0.0101 && lane[1][1] === 0.6,
    `it slides, then sticks: ${JSON.stringify(lane)}`);
  check(/slipping/.test(await block.tab.textContent(".legend")), "the legend tells slipping");
  await close(block, "a block that slides");
}

// ---- expectations ----

async function expected() {
  const file = join(work, "expects.pawl");
  writeFileSync(file, ["coordinates y", "kinetic T = 1/2*y'^2", "start y = 1", "run 0..1", "expect y = 7 +- 1e-3", "expect y = 1 +- 1e-3", ""].join("\n"));
  const ran = run(file, "expects");
  check(ran.status === 4, `a failed expectation is exit 4 (${ran.status})`);
  const { tab, heard } = await open(page("expects"));
  const banner = await tab.$("#unmet"), box = await banner?.boundingBox();
  check(box && box.y + box.height < 300, "a failed expectation is told on the first screen");
  check(/^1 of 2 expectations fails\. Line 5, y = 7/.test(await banner?.textContent()), "the banner names the expectation that fails");
  const lines = await tab.$$eval(".expect li", (list) => list.map((e) => [e.clientWidth, getComputedStyle(e).textAlign, e.className]));
  check(lines.length === 2 && lines.every(([w, align]) => w > 250 && align !== "right"), `expectations are lines of text (${JSON.stringify(lines)})`);
  await close({ tab, heard }, "expectations");
  const met = await open(page("bouncing-ball"));
  check(await met.tab.$("#unmet") === null, "where all expectations hold there is no banner");
  await close(met, "met expectations");
}

// ---- phones ----

async function phones() {
  const name = "a_law_with_a_name_that_is_much_longer_than_a_telephone_is_wide", file = join(work, "phone.pawl");
  writeFileSync(file, ["coordinates y", "kinetic T = 1/2*y'^2", "potential V = 9.81*y", `constraint ${name}: y >= 0, restitution 0.5`, "start y = 1", "run 0..2", ""].join("\n"));
  run(file, "phone");
  for (const model of ["phone", "woodpecker"]) for (const width of [320, 360]) {
    const { tab, heard } = await open(page(model), { viewport: { width, height: 740 } });
    const seen = await tab.evaluate(() => {
      const ledger = document.querySelector(".ledger"), tools = document.querySelector(".tools").getBoundingClientRect();
      const picture = document.querySelector(".stage canvas").getBoundingClientRect();
      return { wide: document.documentElement.scrollWidth - window.innerWidth, ledger: ledger.scrollWidth - ledger.parentElement.clientWidth,
        covered: tools.top < picture.bottom - 1 && tools.bottom > picture.top + 1 };
    });
    check(seen.wide <= 0 && seen.ledger <= 0, `${model} at ${width} px does not scroll sideways (${JSON.stringify(seen)})`);
    check(!seen.covered, `${model} at ${width} px: the toolbar leaves the picture free`);
    await close({ tab, heard }, `${model} at ${width} px`);
  }
}

// ---- tables, legends and hints ----

async function crowd() {
  run(join(root, "examples/disks-in-a-box.pawl"), "crowd", "--certify=off");
  const { tab, heard } = await open(page("crowd"), { viewport: { width: 390, height: 844 } });
  const seen = await tab.evaluate(() => {
    const table = document.querySelector(".counts"), box = table.parentElement, speeds = document.querySelector(".speeds").getBoundingClientRect();
    const lines = [...table.querySelectorAll("tbody bdi")].map((b) => b.getClientRects().length && b.getBoundingClientRect().height / parseFloat(getComputedStyle(b).lineHeight));
    box.scrollLeft = 1e6;
    return { lines: Math.max(...lines), cut: table.rows[0].lastElementChild.getBoundingClientRect().right - box.getBoundingClientRect().right,
      wide: document.documentElement.scrollWidth - window.innerWidth, speeds: [speeds.width, speeds.right], legend: document.querySelector(".legend").textContent };
  });
  check(seen.lines < 3, `names of laws keep whole words on a phone (${seen.lines} lines)`);
  check(seen.cut <= 1 && seen.wide <= 0, `the last column can be reached (${JSON.stringify(seen)})`);
  check(seen.speeds[0] > 40 && seen.speeds[1] <= 390, `the speed can be chosen on a phone (${seen.speeds})`);
  check(/begins to stick/.test(seen.legend) && /begins to slip/.test(seen.legend), `the legend has the marks of friction (${seen.legend})`);
  await tab.click(".speeds button:last-child");
  await close({ tab, heard }, "many disks on a phone");

  run(join(root, "examples/card-house.pawl"), "cards");
  const cards = await open(page("cards")), text = await cards.tab.textContent("main");
  check(/closes/.test(await cards.tab.textContent(".legend")), "the legend has the mark of a contact that closes");
  check(/contacts\.csv has the points/.test(text), "contacts of steps: the page says where they are");
  check(await cards.tab.textContent("#verdict") === verdicts.WEAK && !/The motion was not certified/.test(text), "contacts of steps have a verdict");
  await close(cards, "contacts of steps");

  run(join(root, "examples/card-house.pawl"), "unchecked", "--certify=off");
  const unchecked = await open(page("unchecked")), rest = await unchecked.tab.textContent("main");
  check(!/0 rows read/.test(rest) && /The motion was not certified/.test(rest), "what is not checked has no rows that were read");
  await close(unchecked, "contacts of steps, not checked");
}

// ---- no room at the moment ----

async function noRoom() {
  const alive = async (where, what) => {
    await where.waitForFunction(() => globalThis.pawlReport.scene.w > 500 && document.querySelector(".stage canvas").getBoundingClientRect().width > 500, null, { timeout: 20000 });
    await where.evaluate(() => globalThis.pawlReport.play());
    await where.waitForFunction(() => globalThis.pawlReport.time > globalThis.pawlReport.span[0], null, { timeout: 20000 });
    await where.evaluate(() => globalThis.pawlReport.pause());
    check(await where.evaluate(() => globalThis.pawlReport.time < globalThis.pawlReport.span[1]), `${what}: it plays`);
  };
  for (const name of ["woodpecker", "superball-in-space"]) {
    const { tab, heard } = await open(page(name), { viewport: { width: 1400, height: 900 } });
    for (const [width, height] of [[1, 1], [1400, 900], [30, 900], [1400, 900]]) {
      await tab.setViewportSize({ width, height });
      await tab.waitForTimeout(150);
      await tab.evaluate(() => globalThis.pawlReport.draw());
    }
    await alive(tab, `${name} after a window of one pixel`);
    check(await painted(tab, ".stage canvas"), `${name} after a window of one pixel is painted`);
    await close({ tab, heard }, `${name} in a window of one pixel`);
  }
  const outer = join(work, "outer.html");
  writeFileSync(outer, `<!doctype html><html data-ready><body><iframe src="woodpecker/report.html" style="display:none" width="1200" height="800"></iframe>`);
  const shown = await open(outer);
  await shown.tab.waitForTimeout(300);
  await shown.tab.evaluate(() => { document.querySelector("iframe").style.display = "block"; });
  await alive(shown.tab.frames()[1], "a frame that is shown later");
  await shown.tab.evaluate(() => { document.querySelector("iframe").style.display = "none"; });
  await shown.tab.waitForTimeout(150);
  await shown.tab.evaluate(() => { document.querySelector("iframe").style.display = "block"; });
  await alive(shown.tab.frames()[1], "a frame that was hidden for a while");
  check(await painted(shown.tab.frames()[1], ".stage canvas"), "a frame that is shown again is painted");
  await close(shown, "a hidden frame");
}

// ---- texts that would like to be more ----

const nasty = `"><script>globalThis.pwned = 1</script><img src=x onerror="globalThis.pwned = 1">`;
const turned = "\u202egnp.exe\u2066\u200f";

async function hostile() {
  const long = "x".repeat(100000);
  const model = [`model "${nasty.replace(/"/g, '\\"')} ${turned} ${long}"`, `# </script></style><script>globalThis.pwned = 2</script> ${turned} ${long}`,
    "coordinates y, a\u0301b\u05d0\u05d1", "kinetic T = 1/2*(y'^2 + a\u0301b\u05d0\u05d1'^2)", "potential V = 9.81*y",
    "constraint floor_script: y >= 0, restitution 0.5", "start y = 1", "run 0..1",
    `draw text (0, y), "${nasty.replace(/"/g, '\\"')}${turned}"`, "draw point (0, y)", ""].join("\n");
  const file = join(work, "nasty.pawl");
  writeFileSync(file, model.replace(/a\u0301b\u05d0\u05d1/g, "\u05d0\u05d1"));
  const ran = run(file, "nasty");
  check(existsSync(page("nasty")), `a hostile model has a report: ${ran.stderr.slice(0, 300)}`);
  const { tab, heard } = await open(page("nasty"));
  check(await tab.evaluate(() => document.documentElement.dataset.ready) === "1", "a hostile model is shown");
  check(await tab.evaluate(() => globalThis.pwned === undefined), "no text of the model runs");
  check(await tab.evaluate(() => document.querySelectorAll("main script, main img, main style").length) === 0, "no text of the model is markup");
  const title = await tab.textContent("h1");
  check(title.includes("<script>") && title.length < 400, "the title is shown as text, cut");
  check(!/[\u202a-\u202e\u2066-\u2069\u200e\u200f]/.test(await tab.textContent("main")), "no mark turns the text around");
  check((await tab.title()).length < 300, "the name of the tab is short");
  const wide = await tab.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  check(wide <= 1, `a long line does not widen the page (${wide})`);
  await close({ tab, heard }, "a hostile model");
}

// ---- runs that stopped ----

// Words that the ledger, the certificate and the page have to share, and units at the events.
async function words() {
  const toy = run(join(root, "examples/woodpecker.pawl"), "toy"), tab = await open(page("toy"));
  check(toy.status === 0 && /: dissipative\. /.test(await tab.tab.textContent("#sentence")), "the word of the certificate is that of the page");
  check(/No impact gains energy/.test(await tab.tab.textContent("main")), "a share that gains is explained");
  await close(tab, "the woodpecker");
  const ball = await open(page("bouncing-ball"));
  const heads = await ball.tab.$$eval(".events th", (list) => list.map((h) => h.textContent));
  check(heads.includes("impulse / N·s") && heads.includes("rate before → after / m/s") && heads.includes("energy / J"), `heads of the events have units: ${heads}`);
  await close(ball, "the ball");
}

async function stopped() {
  const ball = run(join(root, "examples/bouncing-ball.pawl"), "early", "--max-steps", "30");
  check(ball.status === 3, `a run with few steps stops early (${ball.status})`);
  const early = await open(page("early"));
  const text = await early.tab.textContent("#ending");
  check(/stopped at t = /.test(text) && text.length > 40, `a run that stopped says why: ${text}`);
  check(await early.tab.textContent("#verdict") === "Stopped early" && await early.tab.$("#verdict.unsure"), "a run that stopped is not simply verified");
  check(/What was computed is verified/.test(await early.tab.textContent("#sentence")), "what was computed is told to be verified");
  const notes = await early.tab.$$eval("#ending li", (list) => list.map((l) => l.textContent));
  check(notes.some((n) => n.startsWith("help: ")) && notes.some((n) => /^more: pawl explain E\d{4}$/.test(n)), `the banner has the notes of the error: ${notes}`);
  await close(early, "a run that stopped");

  writeFileSync(join(work, "jam.pawl"), readFileSync(join(root, "tests/reject/run_crushed_quickly.pawl")));
  run(join(work, "jam.pawl"), "jam");
  const jam = await open(page("jam"));
  const proof = await jam.tab.textContent("#ending");
  check(/line 7: it contradicts/.test(proof) && /note: proved: /.test(proof), `place and proof are in the banner: ${proof}`);
  await close(jam, "a run that was proved to stop");

  const file = join(work, "long.pawl");
  writeFileSync(file, "coordinates x\nkinetic T = 1/2*x'^2\npotential V = 1/2*x^2\nstart x = 1\nrun 0..1e7, every 0.01, max-steps 1e12\n");
  const child = spawn(pawl, ["run", file, "-q", "-o", join(work, "long")]);
  const motion = join(work, "long/.partial/motion.pwt");
  while (!(existsSync(motion) && statSync(motion).size > 4e5)) await new Promise((done) => setTimeout(done, 50));
  child.kill("SIGKILL");
  await new Promise((done) => child.on("exit", done));
  execFileSync(pawl, ["report", join(work, "long"), "-o", join(work, "killed.html"), "-q"]);
  const killed = await open(join(work, "killed.html"));
  check(/killed/.test(await killed.tab.textContent("#ending")), "a killed run says so");
  check(await killed.tab.evaluate(() => globalThis.pawlReport.data.n > 100), "a killed run shows its rows");
  await close(killed, "a killed run");

  const free = run(join(root, "examples/pendulum.pawl"), "free", "--certify=off");
  const plain = await open(page("free"));
  check(free.status === 0 && await plain.tab.textContent("#verdict") === "Not checked", "a run without a certificate says so");
  await close(plain, "a run without a certificate");
}

// ---- folders that are not what they should be ----

function report(...words) {
  return spawnSync(pawl, ["report", ...words], { encoding: "utf8" });
}

async function folders() {
  const ball = join(work, "bouncing-ball"), copy = join(work, "copy");
  cpSync(ball, copy, { recursive: true });
  const again = report(copy, "-q", "-o", join(work, "again.html"));
  check(again.status === 0 && again.stdout === "" && readFileSync(join(work, "again.html")).equals(readFileSync(page("bouncing-ball"))),
    "`pawl report` writes the bytes that `pawl run` has written");
  for (const [words, what] of [[[join(work, "nowhere")], "no folder"], [[work], "a folder of others"], [[copy, "-o", "/no/such/place.html"], "no place to write to"]]) {
    const r = report(...words);
    check(r.status === 5 && /error\[E06/.test(r.stderr), `${what}: exit 5 and a message (${r.status}, ${r.stderr})`);
  }
  check(report().status === 2 && report(copy, "-o", "").status === 2, "wrong usage is exit 2");

  rmSync(join(copy, "summary.json"));
  rmSync(join(copy, "certificate.json"));
  writeFileSync(join(copy, "model.pawl"), "coordinates z\nkinetic T = 1/2*z'^2\nrun 0..1\n");
  check(report(copy, "-q").status === 0, "a folder with another model has a report");
  const other = await open(page("copy"));
  check(/not the model of this motion/.test(await other.tab.textContent("main")), "it says that the model is another one");
  check(await other.tab.textContent("#verdict") === "Not checked", "without a certificate nothing is verified");
  await close(other, "a folder with another model");
  writeFileSync(join(copy, "model.pawl"), "this is no model\n");
  writeFileSync(join(copy, "summary.json"), "{ broken");
  check(report(copy, "-q").status === 0, "a folder with a broken model has a report");
  await close(await open(page("copy")), "a folder with a broken model");

  const motion = join(copy, "motion.pwt"), bytes = readFileSync(motion);
  bytes[bytes.length >> 1] ^= 1;
  writeFileSync(motion, bytes);
  const spoiled = report(copy);
  check(spoiled.status === 5 && /E0618/.test(spoiled.stderr), `a spoiled motion is refused (${spoiled.status}, ${spoiled.stderr})`);
}

// ---- many events ----

async function busy() {
  const file = join(work, "busy.pawl");
  writeFileSync(file, ["coordinates x, y", "kinetic T = 1/2*(x'^2 + y'^2)", ...[["w", "x >= 0"], ["e", "x <= 1"], ["s", "y >= 0"], ["n", "y <= 1"]]
    .map(([n, r]) => `constraint ${n}: ${r}, restitution 1`), "start x = 0.3, y = 0.4, x' = 61.7, y' = 47.3", "run 0..60, every 0.01", ""].join("\n"));
  const ran = run(file, "busy");
  check(existsSync(page("busy")), `a busy run has a report ${ran.stderr.slice(0, 200)}`);
  const { tab, heard } = await open(page("busy"));
  const all = JSON.parse(readFileSync(join(work, "busy/summary.json"), "utf8")).counts.events;
  const counted = await tab.evaluate(() => globalThis.pawlReport.data.about.events.count.flat().reduce((a, b) => a + b, 0));
  check(all > 5000 && counted === all, `all ${all} events are counted (${counted})`);
  check(statSync(page("busy")).size < 2e6, "a busy report stays small");
  await tab.click(".zoomers button:nth-child(3)");
  const view = await tab.evaluate(() => globalThis.pawlReport.view);
  check(view[1] - view[0] < 1, `cluster zooms in (${view})`);
  await close({ tab, heard }, "a busy run");
}

async function template() {
  const built = spawnSync(process.execPath, [join(root, "web/build.mjs"), "--check"], { encoding: "utf8" });
  check(built.status === 0, built.stdout + built.stderr);
}

try {
  await template();
  const looks = [{}, { colorScheme: "dark" }, { viewport: { width: 390, height: 844 } }];
  const names = ["bouncing-ball", "woodpecker", "pendulum-stop", "superball-in-space", "rolling-disk", "belt-stribeck", "bead-chain",
    "slider-crank", "newtons-cradle", "heavy-top", "servo-cart", "spring-with-play", "ball-beam-delay"];
  for (const [i, name] of names.entries()) await example(name, looks[i % 3]);
  await saving();
  await paper();
  await earlyPaper();
  for (const name of names) for (const look of [looks[0], looks[2]]) await axes(name, look);
  await texts();
  await outputUnits();
  await frames();
  await touches();
await meetings();
  await expected();
  await phones();
  await crowd();
  await noRoom();
  await hostile();
  await stopped();
  await words();
  await folders();
  await busy();
} catch (e) {
  check(false, `the tests themselves: ${e.stack}`);
}
await browser.close();
rmSync(work, { recursive: true, force: true });
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);
