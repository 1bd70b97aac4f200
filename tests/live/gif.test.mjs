// The moving pictures of the page, read again by a reader of its own.

import assert from "node:assert/strict";
import { test } from "node:test";
import { gifOf } from "../../src/live/page/gif.js";

/** Codes of compressed bytes as numbers of colours. */
function unpacked(bytes, count) {
  const out = [];
  let [at, bits, held, width] = [0, 0, 0, 9];
  const next = () => {
    while (bits < width) {
      held |= bytes[at++] << bits;
      bits += 8;
    }
    const code = held & ((1 << width) - 1);
    held >>>= width;
    bits -= width;
    return code;
  };
  let table;
  let before;
  for (;;) {
    const code = next();
    if (code === 257) break;
    if (code === 256) {
      table = Array.from({ length: 258 }, (_, k) => [k]);
      width = 9;
      before = undefined;
      continue;
    }
    const entry = code < table.length ? table[code] : [...before, before[0]];
    out.push(...entry);
    if (before && table.length < 4096) table.push([...before, entry[0]]);
    if (table.length === 1 << width && width < 12) width++;
    before = entry;
  }
  assert.equal(out.length, count);
  return out;
}

test("a moving picture has its pixels, also after the table of codes is full", () => {
  const [width, height] = [160, 120];
  let seed = 1;
  const pictures = Array.from({ length: 3 }, (_, frame) => {
    const data = new Uint8ClampedArray(4 * width * height);
    for (let k = 0; k < width * height; k++) {
      seed = (seed * 1103515245 + 12345) & 0x7fffffff;
      const shade = ((seed >> 16) % 7) * 40;
      data.set([shade, frame * 100, k % width < 30 ? 8 : 200, 255], 4 * k);
    }
    return { data, width, height };
  });
  const bytes = Buffer.concat(gifOf(pictures, 5).map((part) => Buffer.from(part)));
  assert.equal(bytes.subarray(0, 6).toString(), "GIF89a");
  const colours = bytes.subarray(13, 13 + 768);
  let at = 13 + 768 + 19;
  for (const { data } of pictures) {
    assert.deepEqual([bytes[at], bytes[at + 1]], [0x21, 0xf9]);
    at += 8 + 10;
    assert.equal(bytes[at++], 8);
    const parts = [];
    while (bytes[at]) {
      parts.push(bytes.subarray(at + 1, at + 1 + bytes[at]));
      at += 1 + bytes[at];
    }
    at++;
    const pixels = unpacked(Buffer.concat(parts), width * height);
    pixels.forEach((number, k) => {
      for (let part = 0; part < 3; part++) assert.equal(colours[3 * number + part], data[4 * k + part], `pixel ${k}`);
    });
  }
  assert.equal(bytes[at], 0x3b);
});
