// SPDX-License-Identifier: MIT
// The playground as its users meet it: a wrong model, its message, mended; sliders, links, examples,
// runs without an end. Final states are those of the program, up to rounding times sensitivity.
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { dirname, extname, join, normalize } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "../.."), dist = join(root, "web/dist");
const { chromium } = await import(pathToFileURL(join(root, "web/node_modules/playwright-core/index.mjs")));
const pawl = process.env.PAWL, whole = process.env.PAWL_CAMPAIGN === "1";
let passed = 0, failed = 0;

function check(ok, what) {
  if (ok) passed++; else { failed++; console.log(`FAILED ${what}`); }
}

// A server that knows no type of WebAssembly, as many do not.
const types = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".json": "application/json", ".wasm": process.argv.includes("--times") ? "application/wasm" : undefined };
const server = createServer((ask, answer) => {
  const path = normalize(decodeURIComponent(new URL(ask.url, "http://x").pathname));
  try {
    const bytes = readFileSync(join(dist, path === "/" ? "index.html" : path));
    answer.writeHead(200, { "content-type": types[extname(path === "/" ? "index.html" : path)] || "application/octet-stream" }).end(bytes);
  } catch {
    answer.writeHead(404).end();
  }
}).listen(0, "127.0.0.1");
await new Promise((done) => server.on("listening", done));
const site = `http://127.0.0.1:${server.address().port}/`;
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox"] });

async function open(hash = "", options = {}) {
  const tab = await browser.newPage({ viewport: { width: 1280, height: 900 }, ...options }), heard = [];
  tab.on("console", (m) => heard.push(`console: ${m.text()}`));
  tab.on("pageerror", (e) => heard.push(`error: ${e.message}`));
  tab.on("request", (r) => { if (!r.url().startsWith(site) && !/^(blob|data):/.test(r.url())) heard.push(`request: ${r.url()}`); });
  await tab.goto(site + hash);
  await tab.waitForFunction(() => document.documentElement.dataset.shown && globalThis.playground?.last && document.getElementById("examples").length > 1, null, { timeout: 120000 });
  return { tab, heard };
}

async function close({ tab, heard }, what) {
  check(heard.length === 0, `${what}: ${heard.slice(0, 3).join("; ")}`);
  await tab.close();
}

// Puts a text in and waits until its run has ended.
async function put(tab, text, values = {}) {
  return tab.evaluate(async ([model, list]) => {
    const p = globalThis.playground;
    p.last = null;
    document.getElementById("messages").replaceChildren();
    p.setText(model, list);
    p.run();
    while (!p.last && !document.getElementById("messages").textContent.startsWith("E06")) await new Promise((done) => setTimeout(done, 10));
    return p.last;
  }, [text, values]);
}

const ENDLESS = "coordinates x\nkinetic T = 1/2*x'^2\npotential V = 1/2*x^2\nstart x = 1\nrun 0..1e9, every 1, max-steps 1e12\n";
const example = (name) => readFileSync(join(root, "examples", `${name}.pawl`), "utf8");

function native(text, ...words) { return runBy(pawl, text, ...words); }

function runBy(program, text, ...words) {
  const done = spawnSync(program, ["run", "-", "--no-save", "--json", ...words], { input: text, encoding: "utf8", maxBuffer: 1 << 28, cwd: join(root, "examples") });
  return JSON.parse(done.stdout);
}

// ---- words and places ----

async function typing() {
  const page = await open(), { tab } = page;
  const frame = tab.frames().find((f) => f.url().endsWith("view.html"));
  check(await frame.textContent("#verdict") === "Verified", "the first motion is verified");
  await put(tab, example("pendulum").replace('model "', 'model "𝛼𝛽 ').replace("m*g", "m*gg"));
  const marks = await tab.$$eval(".cm-lintRange-error", (list) => list.map((m) => m.textContent));
  check(marks.join() === "gg", `the wrong name alone is marked: ${marks}`);
  check(/^E0101 line \d+unknown name `gg`/.test(await tab.textContent("#messages li")), "and listed");
  const wrong = await put(tab, 'model "𝛼𝛽" $\ncoordinates x\nkinetic T = x\'^2\nrun 0..1\n');
  const at = await tab.$$eval(".cm-lintRange-error", (list) => list.map((m) => m.textContent));
  check(wrong.errors.length > 0 && at[0] === "$", `behind signs of two units: ${at}`);
  await tab.click(".cm-content");
  await tab.keyboard.press("Control+A");
  await tab.keyboard.insertText("coordinates x\nkinetic T = 1/2*x'^2\npotential V = 1/2*x^2\nstart x = 1\nrun 0..3\n");
  await tab.waitForFunction(() => globalThis.playground.last?.state && !document.querySelector(".cm-lintRange-error"));
  const x = await tab.evaluate(() => globalThis.playground.last.state.x);
  check(Math.abs(x - Math.cos(3)) < 1e-7, `what was typed runs by itself: ${x}`);
  await tab.keyboard.press("Control+End");
  await tab.keyboard.type("cons");
  await tab.waitForSelector(".cm-tooltip-autocomplete");
  check((await tab.textContent(".cm-tooltip-autocomplete")).includes("constraint"), "statements are completed");
  await close(page, "typing");
}

async function sliders() {
  const page = await open(), { tab } = page;
  const names = await tab.$$eval(".slider label", (list) => list.map((l) => l.textContent));
  check(names.join() === "e", `a slider for each range: ${names}`);
  await tab.evaluate(() => { globalThis.playground.last = null; const s = document.getElementById("p-e"); s.value = "0.8"; s.dispatchEvent(new Event("input")); });
  await tab.waitForFunction(() => globalThis.playground.last);
  const got = await tab.evaluate(() => globalThis.playground.last), want = native(example("bouncing-ball"), "e=0.8");
  check(Math.abs(got.energy.lost.floor - want.energy.lost.floor) < 1e-9 && got.events.count === want.events.count, "a slider is an override");
  await tab.click("#share");
  await tab.waitForFunction(() => location.hash.startsWith("#m="));
  const link = new URL(tab.url()).hash;
  const again = await open(link);
  const found = await again.tab.evaluate(() => ({ text: globalThis.playground.text, values: globalThis.playground.values }));
  check(found.text === example("bouncing-ball") && found.values.e === 0.8, `a link brings text and values: ${JSON.stringify(found.values)}`);
  await close(again, "a shared link");
  const [file] = await Promise.all([tab.waitForEvent("download"), tab.evaluate(() => globalThis.playground.download("trajectory.csv"))]);
  const csv = readFileSync(await file.path(), "utf8");
  check(csv.startsWith("t,y,y'") && csv.trimEnd().split("\n").length === want.rows + 1, "trajectory.csv can be saved");
  await close(page, "sliders");
}

// ---- what nobody should send ----

async function garbage() {
  for (const [hash, word] of [["#m=", "damaged"], ["#m=%%%", "signs"], ["#m=AAAA", ""], ["#m=q1YqSS0uAQA", ""], [`#m=${"A".repeat(100000)}`, ""], ["#m=eyJ0ZXh0Ijo1fQ", ""]]) {
    const page = await open(hash);
    const text = await page.tab.textContent("#messages");
    check(text.startsWith("E0641: the link holds no model") && text.includes(word), `${hash.slice(0, 20)}: ${text}`);
    await close(page, "a broken link");
  }
  const page = await open(), { tab } = page;
  await put(tab, "x".repeat(1000001));
  check((await tab.textContent("#messages")).startsWith("E0642"), "a text that is too long");
  const long = await put(tab, `# ${"y".repeat(999000)}\n${"coordinates x\nkinetic T = x'^2\nrun 0..1\n"}`);
  check(long.ending === "end", "a text of nearly a million characters");
  const many = Array.from({ length: 100 }, (_, i) => `p${i}`), ranges = many.map((p) => `parameter ${p} = 0 [1] in 0..1\n`).join("");
  const moved = await put(tab, `${ranges}coordinates x\nkinetic T = 1/2*x'^2\nstart x = ${many.join(" + ")}\nrun 0..1\n`, Object.fromEntries(many.map((p) => [p, 1])));
  check(moved.state?.x === 100, `a hundred sliders: ${JSON.stringify(moved.state ?? moved.errors).slice(0, 200)}`);
  const names = await put(tab, `parameter ${"a".repeat(999900)} = 1\n`);
  check(names.errors.length > 0, "a name of a million characters");
  await tab.evaluate((text) => globalThis.playground.setText(text), ENDLESS);
  await tab.waitForSelector("#stop:not([hidden])");
  await tab.click("#stop");
  await tab.waitForFunction(() => document.getElementById("messages").textContent === "stopped");
  const after = await put(tab, example("pendulum"));
  check(after.ending === "end", "after an endless run the next one runs");
  await close(page, "garbage");
}

// ---- files of the motion that is shown ----

async function saved(tab, name) {
  const [file] = await Promise.all([tab.waitForEvent("download", { timeout: 20000 }), tab.evaluate((n) => globalThis.playground.download(n), name)]);
  return readFileSync(await file.path(), "utf8");
}

async function downloads() {
  const page = await open("#example=pendulum"), { tab } = page;
  const before = await saved(tab, "trajectory.csv");
  await tab.evaluate((text) => globalThis.playground.setText(text), ENDLESS);
  await tab.waitForSelector("#stop:not([hidden])");
  check(await saved(tab, "trajectory.csv") === before, "the motion that is shown can be saved during a run");
  await new Promise((done) => setTimeout(done, 600));
  check(await tab.isVisible("#stop") && /^running/.test(await tab.textContent("#status")), `and the run goes on: ${await tab.textContent("#status")}`);
  await tab.click("#stop");
  await tab.waitForFunction(() => document.getElementById("messages").textContent === "stopped");
  check(await saved(tab, "trajectory.csv") === before, "and after it was stopped");
  check(await saved(tab, "model.pawl") === example("pendulum"), "with the model of that motion");
  await put(tab, "coordinates $");
  check(await saved(tab, "trajectory.csv") === before, "a text with errors leaves the files");
  await close(page, "downloads");
}

// ---- links ----

const GREEK = 'parameter μ = 3 [1] in 0..9, constructor = 1 [1] in 0..2\ncoordinates größe\nkinetic T = 1/2*größe\'^2\npotential V = constructor*μ*größe^2\nstart größe = 1\nrun 0..1\n';

const hashOf = (tab, text, values) => tab.evaluate(async ([model, list]) => {
  const p = globalThis.playground, was = location.hash;
  p.setText(model, list);
  document.getElementById("share").click();
  while (location.hash === was) await new Promise((done) => setTimeout(done, 10));
  return location.hash;
}, [text, values]);

// The address of a tab that shows the playground changes, as by a click on a link.
async function go(tab, hash) {
  await tab.evaluate((h) => { globalThis.playground.last = null; location.hash = h; }, hash);
}

// The core gets the text as a file would hold it: a NUL does not end it, a lone surrogate is U+FFFD.
async function sameBytes() {
  const page = await open(), { tab } = page, rest = "coordinates x\nkinetic T = 1/2*x'^2\nstart x = 1, x' = 2\nrun 0..1\n";
  const told = ({ errors }) => JSON.stringify(errors.map((e) => [e.code, e.line, e.column, e.message]));
  for (const text of [`${rest}\0nonsense\n`, `# a\0b\n${rest}`]) {
    const here = await put(tab, text);
    check(/E0001.*0x00/.test(told(here)) && told(here) === told(native(text)), `a NUL: ${told(here)}`);
  }
  for (const lone of ["\ud800", "\udc00"]) {
    await go(tab, await hashOf(tab, `# ${lone}\n${rest}`, {}));
    await tab.waitForFunction(() => globalThis.playground.last);
    const here = await tab.evaluate(() => globalThis.playground.last);
    check(here.ending === "end" && Math.abs(here.state.x - 3) < 1e-12, `a lone surrogate swallows nothing: ${JSON.stringify(here)}`);
    const wrong = await put(tab, `# ${lone}\ncoordinates x, ${lone}\n`);
    check(wrong.errors[0]?.line === 2 && told(wrong) === told(native(`# \ufffd\ncoordinates x, \ufffd\n`)), `nor hides errors: ${told(wrong)}`);
  }
  await close(page, "bytes");
}

async function links() {
  const page = await open(), { tab } = page;
  const greek = await hashOf(tab, GREEK, { μ: 4.5 }), wide = await hashOf(tab, example("bouncing-ball"), { e: 7 });
  const wrong = await hashOf(tab, "coordinates $\n", {}), dotted = await hashOf(tab, GREEK, { "left.r": 2, "a=b": 1, "a\nb": 1 });
  await go(tab, greek);
  await tab.waitForFunction(() => globalThis.playground.last?.state);
  const found = await tab.evaluate(() => ({ text: globalThis.playground.text, values: { ...globalThis.playground.values }, shown: document.getElementById("p-μ").value, other: document.getElementById("p-constructor").value, x: globalThis.playground.last.state.größe }));
  check(found.text === GREEK && found.values.μ === 4.5 && found.shown === "4.5" && found.other === "1", `a link in a tab that is open, with a name in Greek: ${JSON.stringify(found)}`);
  check(Math.abs(found.x - Math.cos(3)) < 1e-7, `and its value is used: ${found.x}`);
  await go(tab, "#example=pendulum");
  await tab.waitForFunction(() => globalThis.playground.last?.state);
  check(await tab.evaluate(() => globalThis.playground.text) === example("pendulum") && await tab.inputValue("#examples") === "pendulum", "an example by its name in a tab that is open");
  await go(tab, "#example=nope");
  await tab.waitForFunction(() => document.getElementById("messages").textContent.includes("there is no example `nope`"));
  check(await tab.evaluate(() => globalThis.playground.text) === example("pendulum"), "an example that does not exist changes nothing");
  await go(tab, wide);
  await tab.waitForFunction(() => globalThis.playground.last?.errors.length);
  check(/^E0115 slider e`e` is outside its range/.test(await tab.textContent("#messages li")), `a value out of range is told at its slider: ${await tab.textContent("#messages")}`);
  check(await tab.$(".cm-lintRange-error") === null && await tab.$eval(".slider.wrong label", (l) => l.textContent) === "e", "not in the text");
  await tab.click(".slider.wrong button");
  await tab.waitForFunction(() => globalThis.playground.last?.state && !document.querySelector(".slider.wrong"));
  await close(page, "links");
  const keeps = await open(dotted);
  check(await keeps.tab.evaluate(() => globalThis.playground.last.state.größe) !== undefined, "names that are no parameters do no harm");
  await close(keeps, "odd names");
  const nope = await open("#example=nope");
  check((await nope.tab.textContent("#messages")).includes("E0641: the link holds no model: there is no example `nope`"), "the first page, too, tells of an example that does not exist");
  await close(nope, "no example");
  await sameBytes();
  const bad = await browser.newPage();
  await bad.goto(site + wrong);
  const frame = bad.frameLocator("#view");
  await frame.locator("#page", { hasText: "No motion yet: the model has errors" }).waitFor({ timeout: 60000 });
  check((await frame.locator("#page").textContent()).startsWith("No motion yet") && (await bad.textContent("#messages")).startsWith("E"), "a first model with errors is not computed for ever");
  const mended = await put(bad, example("pendulum"));
  await frame.locator("#verdict").waitFor({ timeout: 60000 });
  check(mended.ending === "end", "and the mended one is shown");
  await bad.close();
}

// A million characters without any pattern do not fit into a link.
async function tooLong() {
  const page = await open(), { tab } = page;
  const texts = await tab.evaluate(async () => {
    const p = globalThis.playground, out = [], hash = location.hash;
    let seed = 1;
    const sign = () => { seed = (seed * 48271) % 2147483647; return String.fromCharCode(0x4e00 + (seed >> 8) % 20000); };
    p.run = () => {}; // its motion does not matter here
    for (const text of [`# ${Array.from({ length: 999990 }, sign).join("")}`, "x".repeat(1000001)]) {
      p.setText(text);
      await p.share();
      out.push(document.getElementById("messages").textContent);
    }
    return location.hash === hash ? out : ["the address has changed"];
  });
  check(texts.length === 2 && texts.every((t) => t.startsWith("E0642: the text is too long for a link")), `what no link holds is refused: ${texts}`);
  await close(page, "a long link");
}

// A server without some of the files: what there is works, and what does not is said.
async function missing() {
  for (const [file, words, runs] of [["pawl.wasm", "E0643: the computation broke down: pawl.wasm is missing", false], ["worker.js", "E0643: the computation broke down", false], ["view.html", "", true], ["examples.json", "there is no example `pendulum`", true]]) {
    const tab = await browser.newPage();
    await tab.route(`**/${file}`, (r) => r.fulfill({ status: 404, body: "" }));
    await tab.goto(`${site}#example=${file === "examples.json" ? "pendulum" : "bouncing-ball"}`);
    await tab.waitForFunction(([w, r]) => document.getElementById("messages").textContent.includes(w) && Boolean(globalThis.playground?.last) === r, [words, runs], { timeout: 60000 })
      .catch(async () => check(false, `without ${file}: ${await tab.textContent("#messages")} ${await tab.textContent("#status")}`));
    check(await tab.evaluate(() => globalThis.playground.text.length > 100), `without ${file} there is a text`);
    await tab.close();
  }
}

function licences() {
  const text = readFileSync(join(dist, "LICENSES.txt"), "utf8");
  check(["Pawl\n", "@codemirror/view 6", "@lezer/highlight 1", "style-mod ", "w3c-keyname ", "Emscripten 3", "The Emscripten Authors", "Rich Felker"].every((name) => text.includes(name)) && text.includes("Marijn Haverbeke"), "licences of what is bundled");
}

// ---- all examples ----

const apart = (a, b) => Math.hypot(...a.map((v, i) => v - b[i])) / (Math.hypot(...a) || 1);

// What a change of the tolerance by a thousandth does to the end: errors of its size are the run's own.
function sensitivity(text, base) {
  const other = native(text, "--tol", String(1.001e-9));
  return apart(Object.values(base.state), Object.values(other.state)) / 1e-9;
}

async function compare() {
  const page = await open(), { tab } = page;
  const quick = ["bouncing-ball", "woodpecker", "double-pendulum", "rolling-disk", "newtons-cradle", "friction-oscillator", "superball", "spring-with-play", "tennis-racket", "rocking-block", "skate", "squeezer", "half-car"];
  const names = whole ? readdirSync(join(root, "examples")).filter((n) => n.endsWith(".pawl")).map((n) => n.slice(0, -5)) : quick;
  for (const name of names) {
    const text = example(name), want = native(text), got = await put(tab, text);
    if (!got?.state) { check(false, `${name} does not run: ${JSON.stringify(got).slice(0, 300)}`); continue; }
    const off = apart(Object.values(want.state), Object.values(got.state));
    const allowed = off <= 1e-9 ? 1e-9 : 1e-9 * Math.max(1, sensitivity(text, want));
    check(off <= allowed, `${name}: the final state is off by ${off}, ${allowed} is allowed`);
    if (process.env.PAWL_MUSL) { // the same functions of mathematics: the same bits
      const same = runBy(process.env.PAWL_MUSL, text);
      check(JSON.stringify(same.state) === JSON.stringify(got.state) && same.rows === got.rows, `${name}: not the bits of a build with musl: ${JSON.stringify(same.state)} ${JSON.stringify(got.state)}`.slice(0, 400));
    }
    check(got.events.count === want.events.count && got.certificate.verdict === want.certificate.verdict && got.ending === want.ending, `${name}: events ${got.events.count} ${want.events.count}, ${got.certificate.verdict} ${want.certificate.verdict}`);
  }
  await close(page, "examples");
}

async function phone() {
  const page = await open("#example=pendulum", { viewport: { width: 390, height: 844 }, isMobile: true }), { tab } = page;
  check((await tab.evaluate(() => globalThis.playground.text)) === example("pendulum"), "an example by its name");
  check(await tab.isVisible("#editor") && !(await tab.isVisible("#view")), "the model first");
  await tab.click('#tabs [data-tab="motion"]');
  check(await tab.isVisible("#view") && !(await tab.isVisible("#editor")), "the motion on its tab");
  check(await tab.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "nothing is wider than the screen");
  await close(page, "a phone");
}

// play.mjs --times: how long the first motion takes after the page has loaded, and a slider of the ball
// until the new motion is painted. Printed, not judged: it is the machine's as much as ours.
async function timesOf(tab) {
  return tab.evaluate(async () => {
    const root = document.documentElement, slider = document.getElementById("p-e"), took = [];
    for (let k = 0; k < 40; k++) {
      const begin = performance.now(), was = root.dataset.shown;
      const painted = new Promise((done) => {
        const watch = new MutationObserver(() => { if (root.dataset.shown !== was) { watch.disconnect(); done(); } });
        watch.observe(root, { attributes: true });
      });
      slider.value = String(0.5 + 0.001 * k);
      slider.dispatchEvent(new Event("input"));
      await painted;
      took.push(performance.now() - begin);
      await new Promise((done) => setTimeout(done, 100));
    }
    const [visit] = performance.getEntriesByType("navigation");
    return { first: globalThis.firstShown, load: visit.loadEventEnd, again: took.slice(10).sort((a, b) => a - b) };
  });
}

const middle = (list) => [...list].sort((a, b) => a - b)[list.length >> 1];

async function times() {
  const seen = [];
  for (let visit = 1; visit <= 6; visit++) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } }); // with caches of its own
    await context.addInitScript(() => {
      new MutationObserver(() => { if (document.documentElement?.dataset.shown) globalThis.firstShown ??= performance.now(); })
        .observe(document, { attributes: true, subtree: true, childList: true });
    });
    const tab = await context.newPage();
    await new Promise((done) => setTimeout(done, 1500)); // what the browser does for a new tab is not ours
    await tab.goto(site);
    await tab.waitForFunction(() => globalThis.playground?.last && document.getElementById("p-e"), null, { timeout: 120000 });
    const { first, load, again } = await timesOf(tab);
    seen.push({ first, after: first - load, again: again[15] });
    console.log(`visit ${visit}: load at ${load.toFixed(0)} ms, first motion at ${first.toFixed(0)} ms, ${(first - load).toFixed(0)} ms after load; the ball again ${again[15].toFixed(0)} ms (${again[0].toFixed(0)} to ${again[29].toFixed(0)})`);
    await context.close();
  }
  const of = (key) => `${middle(seen.map((s) => s[key])).toFixed(0)} ms (least ${Math.min(...seen.map((s) => s[key])).toFixed(0)})`;
  console.log(`middle: first motion ${of("after")} after load, ${of("first")} after the visit begins; the ball again ${of("again")}`);
}

if (process.argv.includes("--times")) {
  await times();
  await browser.close();
  server.close();
  process.exit(0);
}
try {
  await typing();
  await sliders();
  await garbage();
  await downloads();
  await links();
  await tooLong();
  await missing();
  licences();
  await phone();
  await compare();
} catch (e) {
  check(false, e.stack);
} finally {
  await browser.close();
  server.close();
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed ? 1 : 0);
