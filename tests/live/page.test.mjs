// The live page in headless Chromium: drag, draw, slider, link, step back; from disk with the module, and served by the
// program, with what may not come in.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { after, before, test } from "node:test";
import { get } from "node:http";
import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import { chromium } from "../view/node_modules/playwright-core/index.mjs";

const { CHROMIUM, IPCSIM, PLACE } = process.env;

let browser;
before(async () => {
  const args = ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--force-color-profile=srgb"];
  browser = await chromium.launch({ executablePath: CHROMIUM, args });
});
after(() => browser.close());

/** Opens a page; `complaints` gets what it writes to the console. */
async function open(address, { size = [1200, 760], theme = "light" } = {}) {
  const page = await browser.newPage({ viewport: { width: size[0], height: size[1] }, colorScheme: theme });
  const complaints = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && !message.text().includes("GPU stall") && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  await page.goto(address);
  await page.waitForSelector("body.ready", { timeout: 60000 });
  return { page, complaints };
}

/** Pixel of a body's centre. */
function pixelOf(page, name) {
  return page.evaluate((wanted) => {
    const { run, stage } = window.live;
    const body = run.head.bodies.findIndex((own) => own.name === wanted);
    const box = document.getElementById("canvas").getBoundingClientRect();
    const [x, y] = stage.camera.pixel(run.centre(0, body));
    return [x + box.left, y + box.top];
  }, name);
}

/** Waits until a number of steps more are made. */
async function steps(page, count) {
  const from = await page.evaluate(() => window.live.run.frame.step);
  await page.waitForFunction((until) => window.live.run.frame.step >= until, from + count, { timeout: 60000 });
}

/** Drags a body by pixels, and returns the force of the hand (N) on the way; `held` is done before it is let go. */
async function drag(page, name, [dx, dy], held = () => {}) {
  // A body that moves is elsewhere when the pointer comes.
  await page.evaluate(() => window.live.play(false));
  await page.waitForFunction(() => !window.live.isBusy && !window.live.latest);
  const [x, y] = await pixelOf(page, name);
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.waitForFunction(() => window.live.hands.size > 0);
  await page.evaluate(() => window.live.play(true));
  for (let k = 1; k <= 10; k++) await page.mouse.move(x + (dx * k) / 10, y + (dy * k) / 10);
  await steps(page, 30);
  const force = await page.evaluate(() => Math.hypot(...window.live.run.frame.hands[0].force));
  await held();
  if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/drag.png` });
  await page.mouse.up();
  return force;
}

/** What every engine does: drag, draw, refuse, undo, slider, stop, back. */
async function play(page) {
  const before = await pixelOf(page, "ball");
  const force = await drag(page, "ball", [80, -160], async () => {
    // It is lifted, sooner or later.
    while ((await pixelOf(page, "ball"))[1] > before[1] - 40) await steps(page, 1);
  });
  assert.ok(force > 1, `${force} N`);
  assert.equal(await page.locator("#proof-breaches").innerText(), "0");

  // A box of rubber, where there is room.
  await page.locator('[data-tool="box"]').click();
  const canvas = await page.locator("#canvas").boundingBox();
  const [x, y] = [canvas.x + 0.82 * canvas.width, canvas.y + 0.12 * canvas.height];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 50, y + 40, { steps: 4 });
  await page.mouse.up();
  await page.waitForFunction(() => window.live.run.head.bodies.some(({ name }) => name === "rubber 1"));

  // An outline with the pen, rigid.
  await page.locator('[data-tool="pen"]').click();
  await page.locator('[data-material="rigid"]').click();
  const [px, py] = [canvas.x + 0.3 * canvas.width, canvas.y + 0.14 * canvas.height];
  await page.mouse.move(px + 40, py);
  await page.mouse.down();
  for (let k = 1; k <= 24; k++) {
    const angle = (2 * Math.PI * k) / 25;
    await page.mouse.move(px + 40 * Math.cos(angle), py + 28 * Math.sin(angle));
  }
  await page.mouse.up();
  await page.waitForFunction(() => window.live.run.head.bodies.some(({ name }) => name === "rigid 1"));
  if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/drawn.png` });

  // In the floor there is no room.
  await page.locator('[data-tool="disk"]').click();
  const floor = canvas.y + 0.97 * canvas.height;
  await page.mouse.move(x, floor);
  await page.mouse.down();
  await page.mouse.move(x + 60, floor, { steps: 3 });
  await page.mouse.up();
  await page.waitForSelector("#notice:not([hidden])");
  const count = await page.evaluate(() => window.live.run.head.bodies.length);
  await page.locator("#undo").click();
  await page.waitForFunction((was) => window.live.run.head.bodies.length === was - 1, count);
  await page.locator('[data-tool="hand"]').click();

  // Gravity upwards: all goes up.
  await page.locator("#sliders input").nth(1).fill("12");
  await steps(page, 60);
  const up = await page.evaluate(() => window.live.run.frame.arrays.motions[4]);
  assert.ok(up > 0, `${up} m/s`);

  // Stop, and back: the hash of that step comes again.
  await page.locator("#play").click();
  await page.waitForFunction(() => !window.live.isBusy);
  const at = await page.evaluate(() => [window.live.run.frame.step, window.live.run.frame.hash]);
  await page.evaluate((step) => window.live.back(step), at[0] - 20);
  await page.waitForFunction((step) => window.live.run.frame.step === step, at[0] - 20);
  for (let k = 1; k <= 20; k++) {
    await page.evaluate(() => window.live.one());
    await page.waitForFunction((step) => window.live.run.frame.step === step, at[0] - 20 + k);
  }
  assert.equal(await page.evaluate(() => window.live.run.frame.hash), at[1]);
}

/** Moves the pointer from a pixel to another one while it is down; `held` is done before it goes up. */
async function stroke(page, [x, y], [toX, toY], held = () => {}) {
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(toX, toY, { steps: 6 });
  await held();
  await page.mouse.up();
}

/** Finger, hinge, rope, spring, copy, pressure, sums, ghost and the moving picture, on a page that was just opened. */
async function tools(page) {
  // One by one, so that bodies are at the same places on every machine.
  await page.evaluate(() => window.live.play(false));
  await page.evaluate(() => window.live.begin());
  await page.waitForFunction(() => !window.live.isBusy && !window.live.latest);
  for (let step = 1; step <= 120; step++) {
    await page.evaluate(() => window.live.one());
    await page.waitForFunction((own) => window.live.run.frame.step === own && !window.live.isBusy, step);
  }
  const count = () => page.evaluate(() => window.live.run.head.bodies.length);
  const before = await count();

  // A copy of the star goes above it, and a rope from it to the ground.
  const [x, y] = await pixelOf(page, "star");
  await page.locator('[data-tool="copy"]').click();
  await stroke(page, [x, y], [x - 20, y - 150]);
  await page.waitForFunction((was) => window.live.run.head.bodies.length === was + 1, before);
  for (const [tool, way] of [["rope", [0, -120]], ["spring", [90, -60]]]) {
    await page.locator(`[data-tool="${tool}"]`).click();
    const [fromX, fromY] = await pixelOf(page, "star 2");
    const ties = await page.evaluate(() => window.live.run.head.ties.length);
    await stroke(page, [fromX, fromY], [fromX + way[0], fromY + way[1]]);
    await page.waitForFunction((was) => window.live.run.head.ties.length === was + 1, ties);
  }
  await page.locator('[data-tool="hinge"]').click();
  const [pinX, pinY] = await pixelOf(page, "brick");
  await page.mouse.click(pinX, pinY);
  await page.waitForFunction(() => window.live.run.head.ties.length === 3);

  // A ball of 10 km/s has room, and an undo takes it back.
  await page.locator('[data-tool="shoot"]').click();
  await page.locator("#shot-speed").fill("4");
  assert.match(await page.locator("#shot").innerText(), /10,000 m\/s/);
  const were = await count();
  const { x: left, y: top } = await page.locator("#canvas").boundingBox();
  await stroke(page, [left + 260, top + 60], [left + 340, top + 130]);
  await page.waitForFunction((was) => window.live.run.head.bodies.length === was + 1, were);
  await page.evaluate(() => window.live.one());
  await page.waitForFunction(() => !window.live.isBusy && !window.live.latest);
  const proof = await page.locator("#proof").innerText();
  assert.match(proof, /^0 intersections/);
  await page.locator("#undo").click();
  await page.waitForFunction((was) => window.live.run.head.bodies.length === was, were);

  // The finger comes from above to the ball, is no edit, and goes.
  await page.locator('[data-tool="finger"]').click();
  const picture = await page.locator("#canvas").boundingBox();
  const within = (at, low, size) => Math.min(Math.max(at, low + 0.15 * size), low + 0.85 * size);
  const [ballX, ballY] = await pixelOf(page, "ball");
  const from = [picture.x + 0.45 * picture.width, picture.y + 0.1 * picture.height];
  const to = [within(ballX, picture.x, picture.width), within(ballY, picture.y, picture.height)];
  await page.locator("#show-pressure").check();
  await page.locator("#show-normal").check();
  await page.evaluate(() => window.live.play(true));
  await stroke(page, from, to, async () => {
    await page.waitForFunction(() => window.live.run.head.bodies.some(({ name }) => name.startsWith("finger")));
    await steps(page, 25);
    if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/tools.png` });
  });
  await page.waitForFunction(() => !window.live.run.head.bodies.some(({ name }) => name.startsWith("finger")));
  await steps(page, 20);
  assert.ok((await page.locator("#pairs dt").count()) > 1);
  const text = await page.locator("#state").innerText();
  assert.match(text, /largest pressure/);

  // What is saved begins with the state that the finger has left.
  const saved = await page.evaluate(async () => JSON.parse((await window.live.recorded()).text));
  assert.ok(saved.start.state.step > 100, JSON.stringify(saved.start).slice(0, 100));
  assert.equal(saved.joints.length, 3);

  // Begun anew, the last run is a ghost, if it was shown in more than five states; a moving picture is saved.
  await page.waitForFunction(() => window.live.film.states.length > 5);
  await page.evaluate(() => window.live.begin());
  await page.evaluate(() => window.live.play(true));
  await steps(page, 4);
  assert.ok(await page.evaluate(() => Boolean(window.live.film.ghostAt(window.live.run.frame.time, window.live.run.x.length))));
  if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/ghost.png` });
  const [download] = await Promise.all([page.waitForEvent("download"), page.locator("#film").click()]);
  const bytes = readFileSync(await download.path());
  if (process.env.PICTURES) await download.saveAs(`${process.env.PICTURES}/live.gif`);
  assert.equal(bytes.subarray(0, 6).toString(), "GIF89a");
  assert.ok(bytes.length > 3000, `${bytes.length} bytes`);
  assert.equal(await page.locator("#proof-breaches").innerText(), "0");
}

test("the page from disk, with the engine in a worker", async () => {
  const { page, complaints } = await open(`file://${PLACE}/live.html`);
  assert.equal(await page.evaluate(() => window.live.engine.constructor.name), "WorkerEngine");
  await play(page);
  const fresh = await open(`file://${PLACE}/live.html`);
  await tools(fresh.page);
  complaints.push(...fresh.complaints);
  await fresh.page.close();

  // A link has the scene in it.
  await page.locator("#share").click();
  await page.waitForFunction(() => location.hash.startsWith("#scene="));
  const address = page.url();
  assert.ok(address.length < 4000, `${address.length} characters`);
  const next = await open(address, { theme: "dark" });
  assert.equal(await next.page.evaluate(() => window.live.run.head.name), "Soft things");
  await steps(next.page, 20);
  if (process.env.PICTURES) await next.page.screenshot({ path: `${process.env.PICTURES}/dark.png` });
  assert.deepEqual([...complaints, ...next.complaints], []);
  await next.page.close();
  await page.close();
});

test("every scene of the list opens and steps, in a phone's width too", async () => {
  const { page, complaints } = await open(`file://${PLACE}/live.html`, { size: [390, 800] });
  if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/phone.png` });
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  assert.ok(wide <= 390, `${wide} pixels wide`);
  const count = await page.evaluate(() => window.live.scenes.length);
  for (let k = 0; k < count; k++) {
    const opened = await page.evaluate((number) => window.live.openText(window.live.scenes[number].text), k);
    const words = await page.locator("#notice").innerText();
    assert.ok(opened, `${k}: ${words}`);
    await steps(page, 3);
  }
  assert.deepEqual(complaints, []);
  await page.close();
});

/** Starts the program; resolves to its address. */
function serve(...options) {
  const program = spawn(IPCSIM, ["live", "--no-open", ...options]);
  const ended = new Promise((resolve) => program.on("exit", (code) => resolve(code)));
  let said = "";
  program.stderr.on("data", (bytes) => (said += bytes));
  const address = new Promise((resolve, reject) => {
    program.stdout.on("data", (bytes) => {
      const found = /live: (http\S+)/.exec(bytes.toString());
      if (found) resolve(found[1]);
    });
    ended.then(() => reject(new Error(said)));
  });
  return { program, ended, address, said: () => said };
}

/** Status of a request. */
function statusOf(address, headers = {}) {
  return new Promise((resolve, reject) => {
    const request = get(address, { headers, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    request.on("upgrade", (response, socket) => {
      socket.destroy();
      resolve(101);
    });
    request.on("error", reject);
  });
}

test("the program serves the page to its own page only, and ends with it", async () => {
  const { address: soon, ended } = serve();
  const address = await soon;
  const socket = { connection: "Upgrade", upgrade: "websocket", "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==", "sec-websocket-version": "13" };
  const { origin, port } = new URL(address);
  assert.equal(await statusOf(`${origin}/`), 404);
  assert.equal(await statusOf(`${origin}/00000000000000000000000000000000/`), 404);
  assert.equal(await statusOf(address, { host: `example.org:${port}` }), 421);
  assert.equal(await statusOf(`${address}socket`, { ...socket, origin: "https://example.org" }), 403);
  assert.equal(await statusOf(`${address}socket`, socket), 403);
  assert.equal(await statusOf(address, { "x-long": "a".repeat(20000) }), 431);
  assert.equal(await statusOf(address), 200);

  const { page, complaints } = await open(address);
  assert.equal(await page.evaluate(() => window.live.engine.constructor.name), "SocketEngine");
  await play(page);

  // A second page is told, and the first one goes on.
  assert.equal(await statusOf(`${address}socket`, { ...socket, origin }), 409);
  await steps(page, 0);
  const wrong = await page.evaluate(() => window.live.engine.request("open", { scene: "{" }));
  assert.match(wrong.error, /line 1/);
  assert.deepEqual(complaints, []);
  await page.close();
  assert.equal(await ended, 0);
});

test("a request that is too large ends the connection, and the program", async () => {
  const { address: soon, ended } = serve();
  const { page } = await open(await soon);
  const reply = await page.evaluate(() => {
    window.live.play(false);
    return window.live.engine.request("open", { scene: " ".repeat(70e6) });
  });
  assert.match(reply.error, /has ended/);
  await page.close();
  assert.equal(await ended, 0);
});

test("a taken port is said", async () => {
  const taken = createServer();
  await new Promise((resolve) => taken.listen(0, "127.0.0.1", resolve));
  const { port } = taken.address();
  const { ended, said, address } = serve("--port", String(port));
  address.catch(() => {});
  assert.equal(await ended, 2);
  assert.match(said(), new RegExp(`port ${port} of this machine cannot be used`));
  taken.close();
});
