// The page's own decoder against the files of the run, without a browser.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { motionOf } from "../../src/view/page/motion.js";
import { Run } from "../../src/view/page/run.js";
import { PLACE } from "./browser.mjs";
import { table, trajectory } from "./npy.mjs";

/** The run of a page. */
function runOf(file) {
  const page = readFileSync(`${PLACE}/${file}`, "utf8");
  const data = (id) => page.split(`id="${id}">`)[1].split("</script>")[0];
  return Run.read(JSON.parse(data("head-0")), data("data-0"));
}

for (const name of ["squares", "coarse", "cards", "disks", "linkage", "bracket", "single", "failed"]) {
  test(`the decoder finds the positions and numbers of the run ${name}`, async () => {
    const run = await runOf(`${name}/view.html`);
    const { entries, vertices, at } = trajectory(`${PLACE}/${name}/trajectory.npy`);
    assert.deepEqual([run.head.states, run.head.vertices], [entries, vertices]);
    for (let entry = 0; entry < entries; entry++) {
      for (let vertex = 0; vertex < vertices; vertex++) {
        const [expected, found] = [at(entry, vertex), run.place(entry, vertex)];
        const off = Math.max(Math.abs(expected[0] - found[0]), Math.abs(expected[1] - found[1]));
        assert.ok(off <= run.head.error * (1 + 1e-9), `entry ${entry}, vertex ${vertex}: ${off} m`);
      }
    }

    // Every column of the table, to the last bit.
    table(`${PLACE}/${name}/energies.csv`).forEach((row, state) => {
      for (const [column, value] of Object.entries(row)) assert.equal(run.table[column][state], value);
    });
  });
}

test("contacts of the page add up to the sums of forces.csv", async () => {
  const run = await runOf("squares/view.html");
  let checked = 0;
  for (let state = 1; state < run.head.states; state++) {
    const sums = new Map();
    for (const { first, second, push, friction } of run.contacts(state)) {
      const sign = first < second ? 1 : -1;
      const key = [first, second].sort((a, b) => a - b).map((body) => run.head.bodies[body].name).join();
      const sum = sums.get(key) ?? [0, 0, 0];
      for (const axis of [0, 1]) sum[axis] += sign * (push[axis] + friction[axis]);
      sum[2] += Math.hypot(...push) + Math.hypot(...friction);
      sums.set(key, sum);
    }

    // Rows of the table of forces at this step, by the page's own arrays.
    const { force_step: steps, force_series: series, force_x: x, force_y: y } = run.blocks;
    for (let row = 0; row < steps.length; row++) {
      const [kind, first, second] = run.head.series[series[row]];
      if (steps[row] !== run.steps[state] || kind !== "contact") continue;
      const [sumX, sumY, size] = sums.get(`${first},${second}`);
      const off = Math.hypot(sumX - x[row], sumY - y[row]);
      assert.ok(off <= 1e-4 * size, `step ${steps[row]}: ${off} N of ${size} N`);
      checked++;
    }
  }
  assert.ok(checked > 50, String(checked));
});

test("fields are those that positions give", async () => {
  const run = await runOf("squares/view.html");
  const { at } = trajectory(`${PLACE}/squares/trajectory.npy`);
  for (const state of [10, 40, 80]) {
    const duration = run.times[state] - run.times[state - 1];
    for (let vertex = 0; vertex < 18; vertex++) {
      const [a, b] = [at(state - 1, vertex), at(state, vertex)];
      const expected = Math.hypot(b[0] - a[0], b[1] - a[1]) / duration;
      assert.ok(Math.abs(run.value("speed", state, vertex) - expected) <= run.errorIn("speed", state) * (1 + 1e-6) + 1e-6);
    }
  }

  // Pressure times length is force: on edges that are pressed at both ends at most the normal forces on each body.
  const side = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1]);
  let checked = 0;
  for (let state = 0; state < run.head.states; state++) {
    const pushed = [0, 0];
    for (const { first, second, force } of run.contacts(state)) {
      if (first < 2) pushed[first] += Math.abs(force);
      if (second < 2) pushed[second] += Math.abs(force);
    }
    for (const body of [0, 1]) {
      let [sum, error] = [0, 0];
      const { edges } = run.blocks;
      for (let k = 0; k < edges.length; k += 2) {
        if (run.blocks.body[edges[k]] !== body) continue;
        const half = 0.5 * side(at(state, edges[k]), at(state, edges[k + 1]));
        const both = [edges[k], edges[k + 1]].map((vertex) => run.value("pressure", state, vertex));
        if (Math.min(...both) > 0) sum += half * (both[0] + both[1]);
        error += 2 * half * run.errorIn("pressure", state);
      }
      assert.ok(sum <= pushed[body] * (1 + 1e-6) + error, `state ${state}: ${sum} N of ${pushed[body]} N`);
      if (pushed[body] > 0) checked++;
      if (pushed[body] === 0) assert.ok(sum <= error);
    }
  }
  assert.ok(checked > 20);
});

test("energies and angles of bodies add up to those of the run", async () => {
  for (const name of ["squares", "linkage"]) {
    const run = await runOf(`${name}/view.html`);
    const bodies = run.head.bodies.map((_, body) => body).filter((body) => !run.isObstacle[body]);
    const most = Math.max(...run.table.kinetic);
    for (let state = 0; state < run.head.states; state++) {
      const sum = bodies.reduce((all, body) => all + motionOf(run, body).kinetic[state], 0);
      assert.ok(Math.abs(sum - run.table.kinetic[state]) < 0.01 * most, `${name} ${state}: ${sum} J for ${run.table.kinetic[state]} J`);
    }
    for (const axis of ["x", "y"]) {
      const momentum = bodies.reduce((all, body) => all + run.head.bodies[body].mass * motionOf(run, body)[`v${axis}`].at(-1), 0);
      const size = bodies.reduce((all, body) => all + run.head.bodies[body].mass, 0) * Math.max(...bodies.flatMap((body) => [...motionOf(run, body).speed]));
      assert.ok(Math.abs(momentum - run.table[`momentum_${axis}`].at(-1)) < 0.01 * size, `${name} ${axis}: ${momentum}`);
    }
  }

  // The crank of the linkage turns once in two seconds.
  const run = await runOf("linkage/view.html");
  const crank = run.head.bodies.findIndex(({ name }) => name === "crank");
  const { angle } = motionOf(run, crank);
  assert.ok(Math.abs(Math.abs(angle.at(-1)) - Math.PI * run.times.at(-1)) < 0.05 * Math.PI, String(angle.at(-1)));
});
