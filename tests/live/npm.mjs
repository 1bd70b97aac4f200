// The npm package as it is packed: node npm.mjs PACKAGE.tgz. It is installed into a new folder, and a ball falls by three lines.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const place = mkdtempSync(join(tmpdir(), "npm"));
writeFileSync(join(place, "package.json"), '{ "private": true, "type": "module" }');
execFileSync("npm", ["install", "--silent", "--no-audit", "--no-fund", "--offline", realpathSync(process.argv[2])], { cwd: place });
writeFileSync(join(place, "fall.js"), `
import { IpcsimError, Simulation, fragment } from "ipcsim";
const simulation = await Simulation.create({ time: { step: 0.01, steps: 100 }, materials: { steel: { density: 7800 } }, bodies: [{ name: "ball", kind: "rigid", shape: { circle: { radius: 0.1 } }, material: "steel" }] });
console.log(simulation.step(100).body("ball").centre[1]);
simulation.set({ gravity: [0, 0] }).back(50).step(1);
console.log(simulation.steps, simulation.scene().bodies.length, (await fragment(simulation.scene())).length > 50);
try { simulation.body("nobody"); } catch (error) { console.log(error instanceof IpcsimError, error.message); }
try { await Simulation.create("{"); } catch (error) { console.log(error.message); }
`);
const said = execFileSync("node", ["fall.js"], { cwd: place, encoding: "utf8" }).split("\n");
assert.ok(Math.abs(Number(said[0]) + 0.5 * 9.81 * 1.01) < 1e-9, said[0]);
assert.match(said[1], /^51 1 true$/);
assert.match(said[2], /^true there is no body "nobody"; there are ball$/);
assert.match(said[3], /line 1/);
rmSync(place, { recursive: true });
console.log("the npm package: installed, and a ball fell by three lines");
