// What the painter of runs draws, filled with one state at a time: the one that the engine is at.

import { textureSize } from "./decode.js";

/** Points of the grid of positions across the diagonal of the scene. */
const GRID = 2 ** 22;
/** Numbers of grid points on each side of the middle. */
const MIDDLE = 1e9;
/** Largest number of a value, and the number of a missing one. */
const [TOP_LEVEL, NO_LEVEL] = [254, 255];

/** Labels and units of the quantities of colours. */
export const LIVE_FIELDS = {
  speed: { label: "Speed", unit: "m/s", at_vertices: true },
  stress: { label: "Von Mises stress", unit: "Pa", at_vertices: false },
};

/** The scene that is open, in its present state. */
export class LiveRun {
  constructor(reply) {
    const { arrays, bodies, vertices, planes, elements } = reply;
    const { faces, edges, springs, points, disks, radii, body } = arrays;
    this.blocks = { faces, edges, springs, points, disks, radii, body };
    for (const plane of planes) if (plane.along_vertex === null) delete plane.along_vertex;
    this.head = { ...reply, bodies, vertices, planes, elements, fields: [], symbols: [] };
    this.isObstacle = bodies.map(({ obstacle }) => obstacle);
    this.vertices = bodies.map(({ first, count }) => Array.from({ length: count }, (_, k) => first + k));
    this.thick = arrays.thick;

    // Positions as whole numbers, which the painter reads from a texture.
    const size = textureSize(vertices);
    const stride = size.width * size.height;
    this.positions = { numbers: new Uint32Array(2 * stride), stride, ...size };
    this.fields = {};
    for (const [name, field] of Object.entries(LIVE_FIELDS)) {
      const count = field.at_vertices ? vertices : elements[1] - elements[0];
      const { width, height } = textureSize(count);
      this.fields[name] = { ...field, levels: new Uint8Array(width * height).fill(NO_LEVEL), count, stride: width * height, width, height, tops: {} };
    }
    this.state = -1;
    this.x = arrays.x;
    const [min, max] = this.box();
    const wide = Math.hypot(max[0] - min[0], max[1] - min[1]) || 1;
    this.size = wide;
    this.head.spacing = wide / GRID;
    this.head.origin = [0, 1].map((axis) => (min[axis] + max[axis]) / 2 - MIDDLE * this.head.spacing);
    this.update(reply);
  }

  /** Every state is at the same place of the arrays. */
  slot() {
    return 0;
  }

  /** Takes the state of a reply. */
  update(reply) {
    this.state += 1;
    this.frame = reply;
    this.x = reply.arrays.x;
    const { numbers } = this.positions;
    const { origin, spacing } = this.head;
    for (let k = 0; k < this.x.length; k++) numbers[k] = Math.min(2 * MIDDLE, Math.max(0, Math.round((this.x[k] - origin[k % 2]) / spacing)));
  }

  /** Takes the values of a quantity, with a colour for each up to a largest one. */
  colour(name, values, top) {
    const field = this.fields[name];
    if (!values) return;
    for (let k = 0; k < values.length; k++) {
      field.levels[k] = Number.isFinite(values[k]) ? Math.round(TOP_LEVEL * Math.sqrt(Math.min(1, values[k] / top))) : NO_LEVEL;
    }
    field.tops[this.state] = top;
    delete field.tops[this.state - 1];
  }

  /** Place of a vertex (m). */
  place(_, vertex) {
    return [this.x[2 * vertex], this.x[2 * vertex + 1]];
  }

  /** Centre of a body (m). */
  centre(_, body) {
    const motions = this.frame.arrays.motions;
    return [motions[6 * body], motions[6 * body + 1]];
  }

  /** Circles: vertices of centre and rim, radius and body. */
  disksOf() {
    const { disks, radii, body } = this.blocks;
    this.disks ??= Array.from(radii, (radius, k) => ({ centre: disks[2 * k], rim: disks[2 * k + 1], radius, body: body[disks[2 * k]] }));
    return this.disks;
  }

  /** Box around all bodies but half-planes (m). */
  box() {
    const [min, max] = [[Infinity, Infinity], [-Infinity, -Infinity]];
    const add = (x, y, reach) => {
      min[0] = Math.min(min[0], x - reach);
      min[1] = Math.min(min[1], y - reach);
      max[0] = Math.max(max[0], x + reach);
      max[1] = Math.max(max[1], y + reach);
    };
    this.head.bodies.forEach(({ kind, first, count }) => {
      if (kind === "half_plane" || kind === "world") return;
      for (let vertex = first; vertex < first + count; vertex++) add(...this.place(0, vertex), 0);
    });
    this.disksOf().forEach(({ centre, radius }) => add(...this.place(0, centre), radius));
    if (min[0] > max[0]) return [[-1, -1], [1, 1]];
    return [min, max];
  }

  /** What the picture shows at first (m): the view of the scene, or all bodies and some of the planes below. */
  view() {
    if (this.head.view) return this.head.view;
    const [min, max] = this.box();
    for (const { origin_vertex: vertex, normal } of this.head.planes) {
      const at = this.place(0, vertex);
      const axis = Math.abs(normal[1]) > Math.abs(normal[0]) ? 1 : 0;
      if (Math.abs(normal[axis]) > 0.99 && Math.abs(at[axis] - (min[axis] + max[axis]) / 2) < 1.5 * this.size) {
        min[axis] = Math.min(min[axis], at[axis]);
        max[axis] = Math.max(max[axis], at[axis]);
      }
    }
    const margin = 0.08 * Math.hypot(max[0] - min[0], max[1] - min[1]);
    return [min.map((low) => low - margin), max.map((high) => high + margin)];
  }

  /** Forces of contacts in this state, as the arrows of the viewer take them. */
  contacts() {
    const rows = this.frame.arrays.contacts_list ?? [];
    const list = [];
    for (let k = 0; k + 8 <= rows.length; k += 8) {
      const push = [rows[k + 4], rows[k + 5]];
      const friction = [rows[k + 6], rows[k + 7]];
      list.push({ first: rows[k], second: rows[k + 1], x: rows[k + 2], y: rows[k + 3], push, friction, force: Math.hypot(...push) });
    }
    return list;
  }
}
