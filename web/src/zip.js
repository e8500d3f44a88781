// SPDX-License-Identifier: MIT
// A zip file without compression, for the frames of a film.

const table = new Uint32Array(256).map((_, n) => {
  let c = n;
  for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  return c >>> 0;
});

export function crc32(bytes) {
  let c = 0xffffffff;
  for (const b of bytes) c = table[(c ^ b) & 255] ^ (c >>> 8);
  return (c ^ 0xffffffff) >>> 0;
}

function record(signature, fields) { // fields: [bytes, value]
  const size = fields.reduce((n, [w]) => n + w, 4), view = new DataView(new ArrayBuffer(size));
  view.setUint32(0, signature, true);
  let at = 4;
  for (const [width, value] of fields) {
    if (width === 2) view.setUint16(at, value, true); else view.setUint32(at, value, true);
    at += width;
  }
  return new Uint8Array(view.buffer);
}

// files: { name, bytes }; dates are those of an empty archive, so equal frames give equal files.
export function zip(files) {
  const parts = [], central = [];
  let offset = 0;
  for (const { name, bytes } of files) {
    const label = new TextEncoder().encode(name), crc = crc32(bytes);
    const common = [[2, 20], [2, 0], [2, 0], [2, 0], [2, 33], [4, crc], [4, bytes.length],
      [4, bytes.length], [2, label.length], [2, 0]];
    const head = record(0x04034b50, common);
    parts.push(head, label, bytes);
    central.push(record(0x02014b50, [[2, 20], ...common, [2, 0], [2, 0], [2, 0], [4, 0], [4, offset]]), label);
    offset += head.length + label.length + bytes.length;
  }
  const size = central.reduce((n, p) => n + p.length, 0);
  const end = record(0x06054b50, [[2, 0], [2, 0], [2, files.length], [2, files.length], [4, size], [4, offset], [2, 0]]);
  return new Blob([...parts, ...central, end], { type: "application/zip" });
}
