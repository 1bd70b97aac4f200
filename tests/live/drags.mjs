// Random drags: node drags.mjs MODULE STEPS SEED SCENE...
// Grabs a body somewhere, pulls it anywhere for 5 to 200 steps with a force that may be huge, and lets go; now and then
// it steps back. The engine proves every step, and an exact test of its own tries the state after every fifth one. Fails at
// a breach, an intersection, an exception or an error, and if memory grows without end.

import { readFileSync } from "node:fs";
import { Engine } from "./engine.mjs";
import { ExactTest } from "./exact.mjs";

const [file, steps, first, ...scenes] = process.argv.slice(2);

/** Numbers from 0 to 1 that follow from a seed (mulberry32). */
function randomOf(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** Memory that no scene of the page may exceed (bytes). */
const MOST_MEMORY = 1.2e9;

let failures = 0;
const each = Math.ceil(Number(steps) / scenes.length);
const totals = { steps: 0, pairs: 0, exact: 0, failed: 0, refused: 0, seconds: 0 };
for (const [k, scene] of scenes.entries()) {
  const random = randomOf(Number(first) + 1000 * k);
  const engine = new Engine(file);
  const open = engine.done("open", { scene: readFileSync(scene, "utf8") });
  engine.done("show", { field: null, forces: false, proofs: true });
  const movable = open.bodies.filter(({ obstacle }) => !obstacle);
  const start = performance.now();
  const test = new ExactTest(open);
  let fault = test.fault(open.arrays.x);
  let made = 0;
  let failed = 0;
  let reply = open;
  while (made < each && !fault) {
    // A point on a vertex of any body.
    const body = movable[Math.floor(random() * movable.length)];
    const vertex = body.first + Math.floor(random() * body.count);
    const at = [reply.arrays.x[2 * vertex], reply.arrays.x[2 * vertex + 1]];
    const found = engine.done("grab", { at, within: 1e-9 });
    const spread = 2 * Math.hypot(...open.arrays.x.reduce((most, value, i) => ((most[i % 2] = Math.max(most[i % 2], Math.min(100, Math.abs(value)))), most), [0, 0]));
    const pull = 5 + Math.floor(random() * 195);
    const stiffness = 600 * (found.mass ?? 1) * 10 ** (random() * 5 - 1);
    let to = found.point ?? at;
    for (let step = 0; step < pull && made < each; step += 5) {
      to = to.map((part) => part + (random() - 0.5) * 0.4 * spread);
      if (found.body) {
        const set = engine.request("set", { parameters: [{ hand: { body: found.body, at: found.at, to, stiffness } }] });
        if (set.error) totals.refused++;
      }
      reply = engine.done("advance", { steps: 5, budget: 1e9 });
      made += reply.done;
      fault = test.fault(reply.arrays.x);
      if (fault) break;
      if (reply.failure) {
        // A step that cannot be made leaves the state as it was; the hand lets go.
        failed++;
        break;
      }
    }
    if (found.body) engine.done("set", { parameters: [{ hand: {} }] });
    if (failed > 50) break;
    if (random() < 0.2) reply = engine.done("back", { step: Math.max(0, reply.step - Math.floor(random() * 40)) });
  }
  const { proofs } = engine.done("look");
  const seconds = (performance.now() - start) / 1000;
  totals.steps += made;
  totals.pairs += proofs.pairs;
  totals.failed += failed;
  totals.seconds += seconds;
  totals.exact += test.tests;
  if (proofs.breaches.length || failed > 50 || fault || engine.memory > MOST_MEMORY) failures++;
  if (fault) console.log(`  at step ${reply.step}: ${fault}`);
  console.log(`${scene}: ${made} steps, ${proofs.pairs} pairs proved, ${proofs.breaches.length} breaches, ${failed} steps refused, ${seconds.toFixed(1)} s, ${test.tests} exact tests, ${(engine.memory / 2 ** 20).toFixed(0)} MiB`);
  proofs.breaches.slice(0, 3).forEach((text) => console.log(`  ${text}`));
}
console.log(`${totals.steps} steps, ${totals.pairs} pairs proved, ${totals.exact} exact tests, ${totals.failed} steps refused, ${totals.seconds.toFixed(1)} s`);
process.exit(failures ? 1 : 0);
