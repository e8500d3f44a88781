// SPDX-License-Identifier: MIT
// Elements without a word of HTML: every text goes in as text.

export function el(tag, props = {}, ...children) {
  const e = document.createElement(tag);
  for (const [key, value] of Object.entries(props)) {
    if (key === "class") e.className = value;
    else if (key.startsWith("on")) e.addEventListener(key.slice(2), value);
    else if (value !== null && value !== undefined && value !== false) e.setAttribute(key, value);
  }
  for (const c of children.flat(Infinity)) {
    if (c !== null && c !== undefined) e.append(c);
  }
  return e;
}

// `code` between backticks, as in messages of the command line.
export function withCode(text) {
  return text.split(/`([^`]*)`/).map((part, i) => (i % 2 ? el("code", {}, part) : part));
}

export function save(name, blob) {
  const a = el("a", { href: URL.createObjectURL(blob), download: name });
  a.click();
  setTimeout(() => URL.revokeObjectURL(a.href), 10000);
}

// Colours of the page, read from its style sheet, so that pictures follow light and dark.
export function theme(override) {
  const style = getComputedStyle(override || document.documentElement);
  const get = (name) => style.getPropertyValue("--" + name).trim();
  const curve = [];
  for (let i = 1; i <= 8; i++) curve.push(get("curve" + i));
  return {
    ink: get("ink"), soft: get("soft"), faint: get("faint"), line: get("line"), paper: get("paper"),
    card: get("card"), closed: get("closed"), slip: get("slip"), back: get("back"),
    impact: get("impact"), rest: get("rest"), force: get("force"), body: get("body"),
    solid: get("solid"), ground: get("ground"), cursor: get("cursor"), curve,
    sans: get("sans"), mono: get("mono"), dark: get("dark") === "1",
  };
}
