// The same bits in WebAssembly and in the program, also of what hands did and the page has saved: node hashes.mjs MODULE PROGRAM STEPS SCENE...

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Engine } from "./engine.mjs";

const [file, program, steps, ...scenes] = process.argv.slice(2);
const place = mkdtempSync(join(tmpdir(), "live"));
let failures = 0;
for (const scene of scenes) {
  const out = join(place, "run");
  execFileSync(program, ["run", scene, "--steps", steps, "--out", out, "--no-frames", "--quiet", "--force"]);
  const { hash } = JSON.parse(readFileSync(join(out, "run.json"), "utf8"));

  const engine = new Engine(file);
  const open = engine.done("open", { scene: readFileSync(scene, "utf8") });
  const start = performance.now();
  const reply = engine.done("advance", { steps: Number(steps), budget: 1e9 });
  const each = (performance.now() - start) / Number(steps);
  const isSame = reply.hash === hash && !reply.failure && reply.proofs.breaches.length === 0;

  // There and back again.
  const half = engine.done("back", { step: Number(steps) >> 1 });
  const again = engine.done("advance", { steps: Number(steps) - half.step, budget: 1e9 });
  const isBack = again.hash === reply.hash;
  if (!isSame || !isBack) failures++;
  console.log(`${isSame && isBack ? "same" : "OTHER"} ${reply.hash} ${hash} ${each.toFixed(2)} ms a step, ${open.vertices} vertices, ${reply.proofs.pairs} pairs proved: ${scene}${isBack ? "" : " (not after stepping back)"}`);
}

// What hands do is a scene, which the program repeats bit for bit.
for (const scene of scenes.slice(0, 6)) {
  const engine = new Engine(file);
  let reply = engine.done("open", { scene: readFileSync(scene, "utf8") });
  const body = reply.bodies.find(({ obstacle }) => !obstacle);
  reply = engine.done("advance", { steps: 5, budget: 1e9 });
  const { body: name, at, point, mass } = engine.done("grab", { at: [...reply.arrays.x.subarray(2 * body.first, 2 * body.first + 2)], within: 1e-9 });
  for (let k = 0; k < 5; k++) {
    const to = [point[0] + 0.05 * k, point[1] + 0.1 * k];
    engine.done("set", { parameters: [{ hand: { body: name, at, to, stiffness: 2000 * mass } }] });
    engine.done("advance", { steps: 4, budget: 1e9 });
  }
  engine.done("set", { parameters: [{ hand: {} }, { gravity: [0.5, -5] }] });
  reply = engine.done("advance", { steps: 5, budget: 1e9 });
  const recorded = engine.done("scene");
  const saved = join(place, "saved.json");
  writeFileSync(saved, JSON.stringify(recorded.scene));
  const out = join(place, "again");
  execFileSync(program, ["run", saved, "--out", out, "--no-frames", "--quiet", "--force"]);
  const { hash } = JSON.parse(readFileSync(join(out, "run.json"), "utf8"));
  const isSame = recorded.recorded && hash === reply.hash;
  if (!isSame) failures++;
  console.log(`${isSame ? "same" : "OTHER"} ${reply.hash} ${hash} with a hand on "${name}": ${scene}`);
}
rmSync(place, { recursive: true });
process.exit(failures ? 1 : 0);
