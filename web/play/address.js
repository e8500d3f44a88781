// SPDX-License-Identifier: MIT
// What an address names: a text with values, a notice why there is none, or null.
import { clean } from "../src/format.js";
import { decode } from "./share.js";

export async function fromAddress(hash, examples) {
  const name = /^#example=(.*)$/s.exec(hash)?.[1];
  if (name === undefined) return decode(hash).catch((e) => ({ notice: e.message }));
  const found = (await examples).find((e) => e.name === name);
  if (found) return { name, text: found.text, values: {} };
  return { notice: `E0641: the link holds no model: there is no example \`${clean(name)}\`` };
}
