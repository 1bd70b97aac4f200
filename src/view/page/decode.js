// From the text of the page back to arrays: the inverse of `codec.rs` and `blocks.rs`.

/** Bytes of a text in base64. */
export function bytesOf(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let k = 0; k < bytes.length; k++) bytes[k] = binary.charCodeAt(k);
  return bytes;
}

/** Bytes that were deflated (RFC 1951). */
export async function inflated(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Bytes of numbers of `width` bytes each, from bytes that are sorted by weight. */
function byNumber(bytes, width) {
  const count = bytes.length / width;
  const numbers = new Uint8Array(bytes.length);
  for (let weight = 0; weight < width; weight++) {
    for (let k = 0; k < count; k++) numbers[k * width + weight] = bytes[weight * count + k];
  }
  return numbers.buffer;
}

/** The difference that a whole number from 0 stands for: 0, 1, 2, 3, ... are 0, -1, 1, -2, ... */
function unfolded(number) {
  return (number >>> 1) ^ -(number & 1);
}

/** Whole numbers of their differences. */
function summed(differences) {
  const numbers = new Uint32Array(differences.length);
  let number = 0;
  for (let k = 0; k < numbers.length; k++) {
    number += unfolded(differences[k]);
    numbers[k] = number;
  }
  return numbers;
}

/** Arrays of numbers by kind of block. */
const READERS = {
  bytes: (bytes) => bytes,
  words: (bytes) => new Uint32Array(byNumber(bytes, 4)),
  steps: (bytes) => summed(new Uint32Array(byNumber(bytes, 4))),
  floats: (bytes) => new Float32Array(byNumber(bytes, 4)),
  doubles: (bytes) => new Float64Array(byNumber(bytes, 8)),
};

/** All blocks of a run, by name. */
export async function readBlocks(list, bytes) {
  const read = async ({ name, kind, start, bytes: length }) => {
    const plain = await inflated(bytes.subarray(start, start + length));
    return [name, READERS[kind](plain)];
  };
  return Object.fromEntries(await Promise.all(list.map(read)));
}

/** Width and height of a texture with a texel for each of `count` elements. */
export function textureSize(count) {
  const width = Math.max(1, Math.min(1024, count));
  return { width, height: Math.max(1, Math.ceil(count / width)) };
}

/** Ranges of successive vertices of the same body, as pairs of first and end. */
export function rangesOf(body) {
  const ranges = [];
  for (let vertex = 0, first = 0; vertex < body.length; vertex++) {
    if (vertex + 1 === body.length || body[vertex + 1] !== body[vertex]) {
      ranges.push([first, vertex + 1]);
      first = vertex + 1;
    }
  }
  return ranges;
}

/**
 * Numbers of grid points of all vertices in all states, `[states][stride][2]`: of each state as many
 * as a texture has texels. Rules are those of `codec.rs`.
 */
export function decodePositions(head, blocks) {
  const { states, vertices, weights, cells } = head;
  const { width, height } = textureSize(vertices);
  const stride = width * height;
  const Numbers = cells < 65536 ? Uint16Array : Uint32Array;
  const out = new Numbers(states * stride * 2);
  const ranges = rangesOf(blocks.body);
  const bytes = Array.from({ length: weights }, (_, weight) => blocks[`positions_${weight}`]);

  let next = 0;
  for (let state = 0; state < states; state++) {
    const step = 2 * stride;
    for (let axis = 0; axis < 2; axis++) {
      for (let body = 0; body < ranges.length; body++) {
        const rule = blocks.position_rules[state * ranges.length + body];
        const [first, end] = ranges[body];
        for (let vertex = first; vertex < end; vertex++) {
          // What the number differs by from its prediction.
          let folded = bytes[0][next];
          for (let weight = 1; weight < weights; weight++) folded |= bytes[weight][next] << (8 * weight);
          next++;

          const place = state * step + 2 * vertex + axis;
          const inner = vertex > first;
          let predicted;
          if (rule === 0) {
            predicted = inner ? out[place - 2] : 0;
          } else if (rule === 1) {
            predicted = out[place - step];
          } else if (rule === 2) {
            predicted = 2 * out[place - step] - out[place - 2 * step];
          } else if (rule === 3) {
            predicted = out[place - step];
            if (inner) predicted += out[place - 2] - out[place - step - 2];
          } else {
            predicted = 2 * out[place - step] - out[place - 2 * step];
            if (inner) predicted += out[place - 2] - 2 * out[place - step - 2] + out[place - 2 * step - 2];
          }
          out[place] = predicted + unfolded(folded);
        }
      }
    }
  }
  return { numbers: out, stride, width, height };
}

/** Bytes of a field in all states, `[states][stride]`: of each state as many as a texture has texels. */
export function decodeLevels(rules, differences, states) {
  const count = differences.length / states;
  const { width, height } = textureSize(count);
  const stride = width * height;
  const out = new Uint8Array(states * stride);
  for (let state = 0; state < states; state++) {
    const start = state * stride;
    const rule = rules[state];
    for (let k = 0; k < count; k++) {
      const place = start + k;
      let predicted = 0;
      if (rule === 0) {
        if (k > 0) predicted = out[place - 1];
      } else {
        predicted = out[place - stride];
        if (rule === 3 && k > 0) predicted += out[place - 1] - out[place - stride - 1];
      }
      out[place] = predicted + differences[state * count + k];
    }
  }
  return { levels: out, count, stride, width, height };
}
