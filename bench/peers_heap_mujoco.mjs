// SPDX-License-Identifier: MIT
// A heap by MuJoCo's own WebAssembly build (npm i @mujoco/mujoco), for bench/peers_heap. Its elliptic cone and Newton
// solver; the rest are its defaults. Usage: node peers_heap_mujoco.mjs SHAPE STEP SPAN < starts
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const require = createRequire(pathToFileURL(`${process.env.PEERS_NODE ?? process.cwd()}/`));
const { default: load } = await import(pathToFileURL(require.resolve("@mujoco/mujoco")));
const mujoco = await load();
const [shape, step, span] = process.argv.slice(2);
const lines = readFileSync(0, "utf8").trim().split("\n");
const walls = Number(lines[0]);
const body = ([x, y, z]) => `<body pos="${x} ${y} ${z}"><freejoint/><geom type="${shape}" size="${shape === "box" ? "0.1 0.1 0.1" : "0.1"}" mass="1"/></body>`;
const plane = (at, axis) => `<geom type="plane" size="0 0 1" pos="${at}" zaxis="${axis}"/>`;
const planes = [plane("0 0 0", "0 0 1"), ...(walls > 0 ? [plane("0 0 0", "1 0 0"), plane(`${walls} 0 0`, "-1 0 0"), plane("0 0 0", "0 1 0"), plane(`0 ${walls} 0`, "0 -1 0")] : [])];
const model = mujoco.MjModel.from_xml_string(`<mujoco><option timestep="${step}" cone="elliptic" solver="Newton"/><size memory="900M"/>
<default><geom friction="0.5 0 0" condim="3"/></default><worldbody>${planes.join("")}${lines.slice(1).map((l) => body(l.split(" "))).join("")}</worldbody></mujoco>`);
const data = new mujoco.MjData(model);
const begin = process.cpuUsage();
for (let k = 0; k < Math.round(span / step); k++) mujoco.mj_step(model, data);
const used = process.cpuUsage(begin);
console.log(((used.user + used.system) / 1e6).toFixed(6));
for (let i = 1; i < lines.length; i++) console.log([0, 1, 2].map((k) => data.xpos[3 * i + k]).join(" "));
