// SPDX-License-Identifier: MIT
// Numbers and names as text.

const marks = /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;

// A name of the model: no marks that turn or hide text, not longer than a line.
export function clean(text, most = 60) {
  const s = String(text ?? "").replace(marks, "\u2423");
  const points = s.length > most ? Array.from(s.slice(0, 2 * most)) : null;
  return points && points.length > most ? points.slice(0, most - 1).join("") + "…" : s;
}

// Some of the names, and how many more there are.
export function namesOf(list, most) {
  const rest = list.length - most;
  return list.slice(0, most).map((name) => clean(name, 24)).join(", ") + (rest > 0 ? ` and ${rest} more` : "");
}

// Text of the model, line by line.
export function cleanLine(text) {
  return text.replace(/\t/g, "  ").replace(marks, "\u2423");
}

// So many significant digits, without an exponent between 1e-4 and 1e7.
export function number(x, digits = 6) {
  if (x === undefined || Number.isNaN(x)) return "–";
  if (!Number.isFinite(x)) return x > 0 ? "∞" : "−∞";
  if (x === 0) return "0";
  const size = Math.abs(x);
  if (size >= 1e-4 && size < Math.max(1e7, 10 ** digits)) {
    return sign(trim(x.toPrecision(digits)));
  }
  const [digit, power] = x.toExponential(digits - 1).split("e");
  return sign(trim(digit)) + "e" + (power[0] === "+" ? power.slice(1) : "−" + power.slice(1));
}

function trim(s) {
  return s.includes(".") && !s.includes("e") ? s.replace(/\.?0+$/, "") : s;
}

function sign(s) {
  return s.replace("-", "−");
}

// 2.34e-6 as "2.3·10⁻⁶"; up: as "3·10⁻⁶", not less than it is.
export function power(x, up = false) {
  if (!(x > 0)) return "0";
  const raised = "⁰¹²³⁴⁵⁶⁷⁸⁹";
  let [m, e] = up ? x.toExponential(12).split("e").map(Number) : x.toExponential(1).split("e").map(Number);
  if (up) m = Math.ceil(m - 1e-9);
  if (m === 10) { m = 1; e += 1; }
  const text = String(Math.abs(e)).split("").map((d) => raised[d]).join("");
  return (m === 1 ? "" : m + "·") + "10" + (e < 0 ? "⁻" : "") + text;
}

// As C's "%.17g": every double reads back as it was.
export function exact(x) {
  if (Number.isNaN(x)) return "nan";
  if (!Number.isFinite(x)) return x > 0 ? "inf" : "-inf";
  if (x === 0) return "0";
  const [mantissa, e] = x.toExponential(16).split("e");
  const exponent = Number(e);
  const minus = mantissa[0] === "-" ? "-" : "";
  const digits = mantissa.replace(/[-.]/g, "").replace(/0+$/, "");
  if (exponent < -4 || exponent >= 17) {
    const size = String(Math.abs(exponent)).padStart(2, "0");
    const rest = digits.slice(1);
    return minus + digits[0] + (rest ? "." + rest : "") + "e" + (exponent < 0 ? "-" : "+") + size;
  }
  if (exponent < 0) return minus + "0." + "0".repeat(-exponent - 1) + digits;
  const whole = digits.padEnd(exponent + 1, "0");
  const rest = whole.slice(exponent + 1);
  return minus + whole.slice(0, exponent + 1) + (rest ? "." + rest : "");
}

export function count(n, one, many = one + "s") {
  return `${n.toLocaleString("en").replace(/,/g, "\u202f")} ${n === 1 ? one : many}`;
}

export function unit(u) {
  return u ? u.replace(/\^(-?\d+)/g, (_, d) => raise(d)).replace(/\*/g, "·") : "";
}

// A quantity with its unit, as at an axis.
export function axisText(name, u, power = 0) {
  const beside = poweredUnit(u, power);
  return clean(name, 40) + (beside ? ` / ${beside}` : "");
}

function raise(digits) {
  return digits.replace(/-/g, "⁻").replace(/\d/g, (d) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[d]);
}

// Ticks at 1, 2 or 5 times a power of ten, some `most` of them; more if they would be fewer than `least`.
export function ticks(low, high, most, least = 1) {
  const span = high - low;
  if (!(span > 0) || !Number.isFinite(span)) return { step: 1, list: [low] };
  const raw = span / Math.max(1, most), base = 10 ** Math.floor(Math.log10(raw));
  const at = [1, 2, 5, 10].findIndex((m) => base * m >= raw * 0.999);
  let out = null;
  for (let k = at; k > at - 4 && !(out?.list.length >= least); k--) {
    const step = base * 10 ** Math.floor(k / 3) * [1, 2, 5][((k % 3) + 3) % 3];
    const first = Math.ceil(low / step - 1e-9), last = Math.floor(high / step + 1e-9), list = [];
    for (let i = first; i <= last && list.length < 100; i++) list.push(i * step);
    out = { step, list };
  }
  return out;
}

// The numbers at ticks. Large and small ones share a power of ten, which stands beside the unit.
export function tickTexts(list, step) {
  const size = list.reduce((most, v) => Math.max(most, Math.abs(v)), step);
  const shared = size >= 1e5 || size < 1e-2 ? Math.floor(Math.log10(size) + 1e-9) : 0;
  const decimals = Math.max(0, shared - Math.floor(Math.log10(step) + 1e-9));
  const texts = list.map((v) => (Math.abs(v) < step * 1e-6 ? "0" : sign((v / 10 ** shared).toFixed(Math.min(decimals, 14)))));
  return { texts, power: shared };
}

// "10⁻³ N" for numbers in thousandths.
export function poweredUnit(u, power) {
  return [power ? "10" + raise(String(power)) : "", u && u !== "1" ? unit(u) : ""].filter(Boolean).join(" ");
}

// 1st, 2nd, 3rd, 11th.
export function ordinal(n) {
  const last = n % 100 > 10 && n % 100 < 14 ? 0 : n % 10;
  return `${n}${["th", "st", "nd", "rd"][last] ?? "th"}`;
}
