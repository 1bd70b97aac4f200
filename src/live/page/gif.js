// A file in the format GIF89a of some pictures.

/** Largest number of colours of a file. */
const COLOURS = 256;

/** Bits of a colour that count when colours are chosen: five of each part. */
function coarse(r, g, b) {
  return ((r >> 3) << 10) | ((g >> 3) << 5) | (b >> 3);
}

/** The most frequent colours of some pictures, and for each coarse colour the number of the nearest one. */
function paletteOf(pictures) {
  const counts = new Uint32Array(32768);
  const sums = new Float64Array(3 * 32768);
  for (const { data } of pictures) {
    for (let k = 0; k < data.length; k += 4) {
      const cell = coarse(data[k], data[k + 1], data[k + 2]);
      counts[cell]++;
      for (let part = 0; part < 3; part++) sums[3 * cell + part] += data[k + part];
    }
  }
  const used = Array.from(counts.keys()).filter((cell) => counts[cell] > 0);
  used.sort((a, b) => counts[b] - counts[a]);
  const colours = used.slice(0, COLOURS).map((cell) => [0, 1, 2].map((part) => Math.round(sums[3 * cell + part] / counts[cell])));

  const numbers = new Uint8Array(32768);
  for (const cell of used) {
    const own = [0, 1, 2].map((part) => sums[3 * cell + part] / counts[cell]);
    let [best, least] = [0, Infinity];
    colours.forEach((colour, k) => {
      const off = colour.reduce((sum, part, axis) => sum + (part - own[axis]) ** 2, 0);
      if (off < least) [best, least] = [k, off];
    });
    numbers[cell] = best;
  }
  return { colours, numbers };
}

/** Bytes of numbers below 256, compressed as the format asks for (Welch 1984). */
function compressed(numbers) {
  const out = [];
  let [bits, held] = [0, 0];
  let width = 9;
  const put = (code) => {
    held |= code << bits;
    bits += width;
    while (bits >= 8) {
      out.push(held & 255);
      held >>>= 8;
      bits -= 8;
    }
  };
  const [clear, end] = [256, 257];
  let table = new Map();
  let next = 258;
  put(clear);
  let prefix = numbers[0];
  for (let k = 1; k < numbers.length; k++) {
    const key = (prefix << 8) | numbers[k];
    const known = table.get(key);
    if (known !== undefined) {
      prefix = known;
      continue;
    }
    put(prefix);
    prefix = numbers[k];
    if (next === 4096) {
      put(clear);
      [table, next, width] = [new Map(), 258, 9];
    } else {
      table.set(key, next);
      // The reader is one entry behind.
      if (next === 1 << width) width++;
      next++;
    }
  }
  put(prefix);
  put(end);
  if (bits > 0) out.push(held & 255);
  return out;
}

/** Bytes of a GIF of pictures (`ImageData` of one size), each shown for some hundredths of a second, without end. */
export function gifOf(pictures, hundredths) {
  const { width, height } = pictures[0];
  const { colours, numbers } = paletteOf(pictures);
  const bytes = [];
  const text = (word) => bytes.push(...[...word].map((letter) => letter.charCodeAt(0)));
  const short = (number) => bytes.push(number & 255, number >> 8);
  text("GIF89a");
  short(width);
  short(height);
  bytes.push(0xf7, 0, 0);
  for (let k = 0; k < COLOURS; k++) bytes.push(...(colours[k] ?? [0, 0, 0]));
  bytes.push(0x21, 0xff, 11);
  text("NETSCAPE2.0");
  bytes.push(3, 1, 0, 0, 0);

  const parts = [new Uint8Array(bytes)];
  for (const { data } of pictures) {
    const pixels = new Uint8Array(width * height);
    for (let k = 0; k < pixels.length; k++) pixels[k] = numbers[coarse(data[4 * k], data[4 * k + 1], data[4 * k + 2])];
    const head = [0x21, 0xf9, 4, 0, hundredths & 255, hundredths >> 8, 0, 0, 0x2c, 0, 0, 0, 0];
    head.push(width & 255, width >> 8, height & 255, height >> 8, 0, 8);
    parts.push(new Uint8Array(head));
    const packed = compressed(pixels);
    for (let k = 0; k < packed.length; k += 255) {
      const block = packed.slice(k, k + 255);
      parts.push(new Uint8Array([block.length, ...block]));
    }
    parts.push(new Uint8Array([0]));
  }
  parts.push(new Uint8Array([0x3b]));
  return parts;
}
