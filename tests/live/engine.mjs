// The engine in WebAssembly, in node: requests and replies as in the page.

import { readFileSync } from "node:fs";

const KINDS = { u32: Uint32Array, f64: Float64Array };

/** An engine from a module's file. */
export class Engine {
  constructor(file) {
    const module = new WebAssembly.Module(readFileSync(file));
    const host = { now: () => performance.now() / 1000 };
    this.exports = new WebAssembly.Instance(module, { host }).exports;
  }

  /** The reply to a request. */
  request(name, values = {}) {
    const { memory, room, answer, reply, length } = this.exports;
    const text = new TextEncoder().encode(JSON.stringify({ [name]: values }));
    // Memory may grow in any call, which takes earlier views of it away.
    const place = room(text.length);
    new Uint8Array(memory.buffer, place, text.length).set(text);
    let count;
    try {
      count = answer();
    } catch (error) {
      const said = new TextDecoder().decode(new Uint8Array(memory.buffer, reply(), length()));
      throw new Error(`${name}: ${said || error.message}`);
    }

    const left = reply();
    const bytes = new Uint8Array(memory.buffer, left, count).slice();
    const numbers = new DataView(bytes.buffer);
    const [size, start] = [numbers.getUint32(0, true), numbers.getUint32(4, true)];
    const head = JSON.parse(new TextDecoder().decode(bytes.subarray(8, 8 + size)));
    const arrays = {};
    for (const [key, [kind, first, many]] of Object.entries(head.arrays)) arrays[key] = new KINDS[kind](bytes.buffer, start + first, many);
    return { ...head, arrays };
  }

  /** The reply to a request that must be done. */
  done(name, values) {
    const reply = this.request(name, values);
    if (reply.error) throw new Error(`${name}: ${reply.error}`);
    return reply;
  }

  /** Pages of memory (bytes). */
  get memory() {
    return this.exports.memory.buffer.byteLength;
  }
}
