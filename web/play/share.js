// SPDX-License-Identifier: MIT
// A model in a link: JSON, deflated, as base64 for addresses, behind the # that no server sees.
export const MOST_CHARACTERS = 1_000_000;
const MOST_LINK = 2_000_000; // browsers open no address of more than 2 MB
const MOST_BYTES = 4 * MOST_CHARACTERS;

const toLink = (bytes) => {
  let text = "";
  for (let i = 0; i < bytes.length; i += 0x8000) text += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  return btoa(text).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
};

async function through(stream, bytes, most) {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader(), parts = [];
  let size = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    parts.push(part.value);
    size += part.value.length;
    if (size > most) throw new Error(`it holds more than ${most} bytes`);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

// Errors say why there is no link: what is given out here, decode takes.
export async function encode(text, values) {
  const plain = new TextEncoder().encode(JSON.stringify({ text, values }));
  const fits = text.length <= MOST_CHARACTERS && plain.length <= MOST_BYTES;
  const link = fits ? toLink(await through(new CompressionStream("deflate-raw"), plain, MOST_BYTES)) : "";
  if (!fits || link.length > MOST_LINK) throw new Error("E0642: the text is too long for a link; share the file of the model (download, model.pawl)");
  return `m=${link}`;
}

// null: the address has no model. Errors say what is wrong with it.
export async function decode(hash) {
  const link = /^#m=(.*)$/s.exec(hash)?.[1];
  if (link === undefined) return null;
  try {
    if (link.length > MOST_LINK) throw new Error("it is too long");
    if (!/^[A-Za-z0-9_-]*$/.test(link)) throw new Error("it has signs that no such link has");
    const packed = Uint8Array.from(atob(link.replace(/-/g, "+").replace(/_/g, "/")), (c) => c.charCodeAt(0));
    const plain = await through(new DecompressionStream("deflate-raw"), packed, MOST_BYTES);
    return checked(JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(plain)));
  } catch (e) {
    throw new Error(`E0641: the link holds no model: ${reason(e)}`);
  }
}

function reason(e) {
  if (e instanceof SyntaxError) return "what it holds is not readable";
  return e instanceof TypeError ? "it is damaged or cut off" : e.message;
}

function checked(found) {
  if (typeof found?.text !== "string") throw new Error("there is no text in it");
  if (found.text.length > MOST_CHARACTERS) throw new Error(`its text has more than ${MOST_CHARACTERS} characters`);
  const values = {};
  for (const [name, value] of Object.entries(found.values || {})) {
    if (/^[^\s=\p{Cc}]+$/u.test(name) && Number.isFinite(value)) values[name] = value;
  }
  return { text: found.text, values };
}
