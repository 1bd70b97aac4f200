// Engines: where the simulation runs. All have one function, `request`, which resolves to the reply.

import { bytesOf } from "./decode.js";

/** Arrays of numbers by their kind in a reply. */
const KINDS = { u32: Uint32Array, f64: Float64Array };

/** A reply from its bytes: the head with its arrays by name. */
export function readReply(bytes) {
  const numbers = new DataView(bytes.buffer, bytes.byteOffset);
  const [length, start] = [numbers.getUint32(0, true), numbers.getUint32(4, true)];
  const head = JSON.parse(new TextDecoder().decode(bytes.subarray(8, 8 + length)));
  const arrays = {};
  for (const [name, [kind, first, count]] of Object.entries(head.arrays)) {
    const at = bytes.byteOffset + start + first;
    arrays[name] = new KINDS[kind](bytes.buffer, at, count);
  }
  return { ...head, arrays };
}

/** What engines have in common: requests are answered in their order. */
class Engine {
  constructor() {
    this.waiting = [];
  }

  /** The reply to a request. Resolves to an object with `error` if it cannot be done. */
  request(name, values = {}) {
    return new Promise((resolve) => {
      this.waiting.push(resolve);
      this.send(JSON.stringify({ [name]: values }));
    });
  }

  /** Hands on the reply to the first request that has none. */
  answered(bytes) {
    this.waiting.shift()?.(readReply(bytes));
  }

  /** Says to all who wait that the engine has failed. */
  failed(message, isOver) {
    const all = isOver ? this.waiting.splice(0) : [this.waiting.shift()];
    all.forEach((resolve) => resolve?.({ error: message, lost: true, over: isOver }));
  }
}

/** The engine in WebAssembly, in a worker. */
export class WorkerEngine extends Engine {
  static async start(program, module) {
    const engine = new WorkerEngine();
    const url = URL.createObjectURL(new Blob([program], { type: "text/javascript" }));
    engine.worker = new Worker(url);
    await new Promise((resolve, reject) => {
      engine.worker.onmessage = ({ data }) => (data.ready ? resolve() : reject(new Error(data.failed)));
      engine.worker.onerror = (event) => reject(new Error(event.message || "the worker cannot start"));
      const bytes = bytesOf(module);
      engine.worker.postMessage({ module: bytes }, [bytes.buffer]);
    });
    engine.worker.onmessage = ({ data }) => {
      if (data.reply) engine.answered(data.reply);
      else engine.failed(data.lost ?? data.failed, Boolean(data.failed));
    };
    return engine;
  }

  send(text) {
    this.worker.postMessage({ request: text });
  }
}

/** The engine in WebAssembly, in the page itself, where no worker can be had: the worker's program with itself. */
export class PageEngine extends Engine {
  static async start(program, module) {
    const engine = new PageEngine();
    const self = {};
    new Function("self", program)(self);
    engine.inner = self;
    await new Promise((resolve, reject) => {
      self.postMessage = (data) => (data.ready ? resolve() : reject(new Error(data.failed)));
      self.onmessage({ data: { module: bytesOf(module) } });
    });
    self.postMessage = (data) => {
      if (data.reply) engine.answered(data.reply);
      else engine.failed(data.lost ?? data.failed, Boolean(data.failed));
    };
    return engine;
  }

  send(text) {
    // Not at once, so that the page is drawn in between.
    setTimeout(() => this.inner.onmessage({ data: { request: text } }));
  }
}

/** The native program, which the page reaches over a WebSocket. */
export class SocketEngine extends Engine {
  static start(address) {
    const engine = new SocketEngine();
    engine.socket = new WebSocket(address);
    engine.socket.binaryType = "arraybuffer";
    engine.socket.onmessage = ({ data }) => engine.answered(new Uint8Array(data));
    return new Promise((resolve, reject) => {
      engine.socket.onopen = () => {
        engine.socket.onclose = () => engine.failed("the program ipcsim has ended; start it again: ipcsim live", true);
        resolve(engine);
      };
      engine.socket.onclose = () => reject(new Error("the program ipcsim does not answer, or another page has it; start it again: ipcsim live"));
    });
  }

  send(text) {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(text);
    else this.failed("the program ipcsim has ended; start it again: ipcsim live", true);
  }
}
