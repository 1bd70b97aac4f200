// The same bits in WebAssembly and in the program: node hashes.mjs MODULE PROGRAM STEPS SCENE...

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
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
rmSync(place, { recursive: true });
process.exit(failures ? 1 : 0);
