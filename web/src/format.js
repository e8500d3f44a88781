// SPDX-License-Identifier: MIT
// Numbers and names as text.

const marks = /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;

// A name of the model: no marks that turn or hide text, not longer than a line.
export function clean(text, most = 60) {
  const s = String(text ?? "").replace(marks, "\u2423");
  const points = s.length > most ? Array.from(s.slice(0, 2 * most)) : null;
  return points && points.length > most ? points.slice(0, most - 1).join("") + "…" : s;
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
export function axisText(name, u) {
  return clean(name, 40) + (u && u !== "1" ? ` / ${unit(u)}` : "");
}

function raise(digits) {
  return digits.replace(/-/g, "⁻").replace(/\d/g, (d) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[d]);
}

// Ticks at 1, 2 or 5 times a power of ten.
export function ticks(low, high, most) {
  const span = high - low;
  if (!(span > 0) || !Number.isFinite(span)) return { step: 1, list: [low], digits: 3 };
  const raw = span / Math.max(1, most), base = 10 ** Math.floor(Math.log10(raw));
  const step = base * [1, 2, 5, 10].find((m) => base * m >= raw * 0.999);
  const first = Math.ceil(low / step - 1e-9), last = Math.floor(high / step + 1e-9);
  const list = [];
  for (let k = first; k <= last && list.length < 100; k++) list.push(k * step);
  return { step, list };
}

export function tickText(x, step) {
  if (Math.abs(x) < step * 1e-6) return "0";
  const size = Math.max(Math.abs(x), step);
  if (size >= 1e5 || size < 1e-3) {
    const digits = Math.max(0, Math.floor(Math.log10(Math.abs(x)) + 1e-9) - Math.floor(Math.log10(step) + 1e-9));
    const [m, e] = x.toExponential(Math.min(digits, 8)).split("e");
    return sign(m) + "e" + sign(e.replace("+", ""));
  }
  const decimals = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  return sign(x.toFixed(Math.min(decimals, 12)));
}
