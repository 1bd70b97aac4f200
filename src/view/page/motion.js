// The motion of a body over time.

/**
 * Curves of a body, one number for each state: centre of mass (m), velocity and speed (m/s), angle (rad) over
 * turns, spin (rad/s), kinetic energy (J) and the sum of its contact forces (N). What a body does not have is left
 * out.
 */
export function motionOf(run, body) {
  run.motions ??= new Map();
  if (!run.motions.has(body)) run.motions.set(body, computed(run, body));
  return run.motions.get(body);
}

/** Curves of a body, computed. */
function computed(run, body) {
  const { states, bodies } = run.head;
  const each = (value) => Float64Array.from({ length: states }, (_, state) => value(state));
  const stored = (name) => each((state) => run.blocks[`motion_${name}`][state * bodies.length + body]);
  const places = Array.from({ length: states }, (_, state) => run.centre(state, body));
  const [vx, vy, angle, spin, kinetic] = [stored("vx"), stored("vy"), stored("angle"), stored("spin"), stored("kinetic")];
  const curves = { x: each((state) => places[state][0]), y: each((state) => places[state][1]), vx, vy, speed: each((state) => Math.hypot(vx[state], vy[state])) };

  // A single vertex has no angle.
  if (run.vertices[body].length > 1) {
    curves.angle = angle;
    curves.spin = spin;
  }
  if (!Number.isNaN(kinetic[0])) curves.kinetic = kinetic;
  if (run.blocks.contact_counts) curves.force = forcesOn(run, body);
  return curves;
}

/** Size of the sum of all contact forces on a body in each state (N). */
function forcesOn(run, body) {
  const { contact_first: first, contact_second: second, contact_angle: angle, contact_force: force } = run.blocks;
  const { contact_friction_x: alongX, contact_friction_y: alongY } = run.blocks;
  return Float64Array.from({ length: run.head.states }, (_, state) => {
    let [x, y] = [0, 0];
    for (let k = run.contactStarts[state]; k < run.contactStarts[state + 1]; k++) {
      const sign = (first[k] === body ? 1 : 0) - (second[k] === body ? 1 : 0);
      if (sign === 0) continue;
      x += sign * (force[k] * Math.cos(angle[k]) + alongX[k]);
      y += sign * (force[k] * Math.sin(angle[k]) + alongY[k]);
    }
    return Math.hypot(x, y);
  });
}
