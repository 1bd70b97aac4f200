// The engine in WebAssembly, in a worker: the module first, then requests, a reply to each.

let instance;
let compiled;

/** Makes an instance of the module. */
async function start(bytes) {
  if (bytes) {
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    compiled = await WebAssembly.compile(await new Response(stream).arrayBuffer());
  }
  const host = { now: () => performance.now() / 1000 };
  instance = (await WebAssembly.instantiate(compiled, { host })).exports;
}

/** Text or bytes that the module left. */
function left(length) {
  const place = instance.reply();
  return new Uint8Array(instance.memory.buffer, place, length).slice();
}

/** The reply to a request; a module that has failed is replaced, and its scene is lost. */
async function answer(text) {
  try {
    const bytes = new TextEncoder().encode(text);
    // Memory may grow in any call, which takes earlier views of it away.
    const place = instance.room(bytes.length);
    new Uint8Array(instance.memory.buffer, place, bytes.length).set(bytes);
    return left(instance.answer());
  } catch (error) {
    let why = error.message;
    try {
      const said = new TextDecoder().decode(left(instance.length()));
      if (said) why = said;
    } catch {
      // Nothing is left of it.
    }
    await start();
    return why;
  }
}

self.onmessage = async ({ data }) => {
  try {
    if (data.module) {
      await start(data.module);
      self.postMessage({ ready: true });
    } else {
      const reply = await answer(data.request);
      if (typeof reply === "string") self.postMessage({ lost: reply });
      else self.postMessage({ reply }, [reply.buffer]);
    }
  } catch (error) {
    self.postMessage({ failed: error.message });
  }
};
