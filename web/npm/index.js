// The simulator as a module of JavaScript, in browsers and in node: scenes are objects as in a file, and steps are
// those of the program, bit for bit.

const KINDS = { u32: Uint32Array, f64: Float64Array };
let compiled;

/** Compiles the module once: that of this package, or another one by its address, bytes or response. */
export async function load(source = new URL("./ipcsim.wasm", import.meta.url)) {
  if (source instanceof WebAssembly.Module) compiled = source;
  else if (source instanceof Uint8Array || source instanceof ArrayBuffer) compiled = await WebAssembly.compile(source);
  else {
    const address = new URL(source, import.meta.url);
    const bytes =
      address.protocol === "file:" && globalThis.process?.versions?.node
        ? await (await import("node:fs/promises")).readFile(address)
        : await (await fetch(address)).arrayBuffer();
    compiled = await WebAssembly.compile(bytes);
  }
  return compiled;
}

/** A scene that cannot be used, or a step that cannot be made. */
export class IpcsimError extends Error {}

/** A simulation of a scene. */
export class Simulation {
  /** Builds the world of a scene: an object or text of JSON. */
  static async create(scene) {
    const simulation = new Simulation();
    const module = compiled ?? (await load());
    const host = { now: () => performance.now() / 1000 };
    simulation.exports = (await WebAssembly.instantiate(module, { host })).exports;
    simulation.take(simulation.request("open", { scene: typeof scene === "string" ? scene : JSON.stringify(scene) }));
    return simulation;
  }

  /** The reply to a request of the engine: its head with `arrays`. */
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
      throw new IpcsimError(said || error.message);
    }
    const left = reply();
    const bytes = new Uint8Array(memory.buffer, left, count).slice();
    const numbers = new DataView(bytes.buffer);
    const [size, start] = [numbers.getUint32(0, true), numbers.getUint32(4, true)];
    const head = JSON.parse(new TextDecoder().decode(bytes.subarray(8, 8 + size)));
    if (head.error) throw new IpcsimError(head.error);
    const arrays = {};
    for (const [key, [kind, first, many]] of Object.entries(head.arrays)) arrays[key] = new KINDS[kind](bytes.buffer, start + first, many);
    return { ...head, arrays };
  }

  /** Keeps what does not change, and the state. */
  take(reply) {
    if (reply.bodies) {
      this.bodies = reply.bodies;
      this.mesh = { edges: reply.arrays.edges, triangles: reply.arrays.faces, body: reply.arrays.body };
    }
    this.state = reply;
    return this;
  }

  /** Makes steps; each is proved. */
  step(steps = 1) {
    const reply = this.take(this.request("advance", { steps, budget: 1e300 })).state;
    if (reply.failure) throw new IpcsimError(reply.failure);
    return this;
  }

  /** Time (s), number of steps, positions of all vertices (m), and what has been proved. */
  get time() {
    return this.state.time;
  }
  get steps() {
    return this.state.step;
  }
  get positions() {
    return this.state.arrays.x;
  }
  get proofs() {
    return this.state.proofs;
  }

  /** Place, angle and velocities of a body by its name. */
  body(name) {
    const number = this.bodies.findIndex((body) => body.name === name);
    if (number < 0) throw new IpcsimError(`there is no body "${name}"; there are ${this.bodies.map((body) => body.name).join(", ")}`);
    const [x, y, angle, vx, vy, spin] = this.state.arrays.motions.subarray(6 * number, 6 * number + 6);
    return { ...this.bodies[number], centre: [x, y], angle, velocity: [vx, vy], spin };
  }

  /** Sets parameters from the next step on, as in `changes` of a scene. */
  set(...parameters) {
    this.request("set", { parameters });
    return this;
  }

  /** Steps back to an earlier state, bit for bit. */
  back(step) {
    return this.take(this.request("back", { step }));
  }

  /** The scene with all that was set, which `ipcsim run` repeats bit for bit. */
  scene() {
    return this.request("scene").scene;
  }
}

/** Shows the live page with a scene in an element of a page; returns its frame. */
export async function live(host, scene) {
  const frame = document.createElement("iframe");
  frame.style.cssText = "border: 0; width: 100%; height: 100%; min-height: 480px";
  frame.src = new URL("./live.html", import.meta.url).href + (scene ? await fragment(scene) : "");
  host.append(frame);
  return frame;
}

/** The part of an address that has a scene in it. */
export async function fragment(scene) {
  const text = typeof scene === "string" ? scene : JSON.stringify(scene);
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  let letters = "";
  for (const byte of bytes) letters += String.fromCharCode(byte);
  return `#scene=${btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")}`;
}
