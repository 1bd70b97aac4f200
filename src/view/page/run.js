// A run: its states, fields, contacts and tables, by number of state.

import { bytesOf, decodeLevels, decodePositions, rangesOf, readBlocks, textureSize } from "./decode.js";

/** Number that stands for a missing value. */
const MISSING = 255;
/** Largest number of a value. */
const LEVELS = 254;

/** A stored run, decoded. */
export class Run {
  /** Decodes a run from its head and its bytes in base64. */
  static async read(head, text) {
    return new Run(head, await readBlocks(head.blocks, bytesOf(text)));
  }

  constructor(head, blocks) {
    this.head = head;
    this.blocks = blocks;
    this.positions = decodePositions(head, blocks);
    this.ranges = rangesOf(blocks.body);
    this.fields = {};
    for (const field of head.fields) {
      const coded = decodeLevels(blocks[`${field.name}_rules`], blocks[field.name], head.states);
      this.fields[field.name] = { ...field, ...coded, tops: blocks[`${field.name}_tops`] };
    }
    this.symbols = JSON.parse(new TextDecoder().decode(blocks.symbols));
    this.readTable();
    this.sortVertices();
    this.countContacts();
  }

  /** Columns of the table of energies, by name. */
  readTable() {
    const { columns, states } = this.head;
    this.table = {};
    columns.forEach((name, k) => {
      this.table[name] = Float64Array.from({ length: states }, (_, state) => this.blocks.table[state * columns.length + k]);
    });
    this.times = this.table.time;
    this.steps = this.table.step;
  }

  /** For each body its vertices, its elastic triangles and what it is, for picking. */
  sortVertices() {
    this.vertices = this.head.bodies.map(() => []);
    this.blocks.body.forEach((body, vertex) => this.vertices[body].push(vertex));
    this.elements = this.head.bodies.map(() => []);
    const [first, end] = this.head.elements;
    for (let face = first; face < end; face++) {
      this.elements[this.blocks.body[this.blocks.faces[3 * face]]].push(face - first);
    }
    this.isObstacle = this.head.bodies.map(({ kind }) => ["obstacle", "half_plane", "world"].includes(kind));
  }

  /** First contact and first row of forces of each state. */
  countContacts() {
    const counts = this.blocks.contact_counts ?? new Uint32Array(this.head.states);
    this.contactStarts = new Uint32Array(counts.length + 1);
    counts.forEach((count, state) => (this.contactStarts[state + 1] = this.contactStarts[state] + count));

    // Rows of forces are sorted by step.
    this.forceRows = new Map();
    (this.blocks.force_step ?? []).forEach((step, row) => {
      if (!this.forceRows.has(step)) this.forceRows.set(step, row);
    });
  }

  /** Place of a state in the arrays of positions and values, which have all states. */
  slot(state) {
    return state;
  }

  /** Place of a vertex in a state (m). */
  place(state, vertex) {
    const { numbers, stride } = this.positions;
    const { origin, spacing } = this.head;
    const at = 2 * (state * stride + vertex);
    return [origin[0] + spacing * numbers[at], origin[1] + spacing * numbers[at + 1]];
  }

  /** Number of the last state at or before a time (s); the first state before all. */
  stateAt(time) {
    let low = 0;
    let high = this.times.length - 1;
    const late = time + 1e-9 * Math.abs(time);
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.times[middle] <= late) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** Centre of mass of a body in a state (m); without masses the middle of its vertices. */
  centre(state, body) {
    const { centre } = this.head.bodies[body];
    if (centre) return this.carried(state, centre);
    const vertices = this.vertices[body];
    const { masses } = this.blocks;
    let [x, y, all] = [0, 0, 0];
    const isKnown = masses[vertices[0]] > 0;
    for (const vertex of vertices) {
      const [px, py] = this.place(state, vertex);
      const mass = isKnown ? masses[vertex] : 1;
      x += mass * px;
      y += mass * py;
      all += mass;
    }
    return [x / all, y / all];
  }

  /** Box around all bodies but half-planes in a state (m), with a margin. */
  boxOf(state) {
    const [min, max] = [[Infinity, Infinity], [-Infinity, -Infinity]];
    const add = (place, reach) => {
      for (let axis = 0; axis < 2; axis++) {
        min[axis] = Math.min(min[axis], place[axis] - reach);
        max[axis] = Math.max(max[axis], place[axis] + reach);
      }
    };
    this.head.bodies.forEach(({ kind }, body) => {
      if (kind !== "half_plane") this.vertices[body].forEach((vertex) => add(this.place(state, vertex), 0));
    });
    this.disksOf().forEach(({ centre, radius }) => add(this.place(state, centre), radius));
    const margin = Math.max(0.06 * Math.hypot(max[0] - min[0], max[1] - min[1]), this.head.spacing);
    return min[0] > max[0] ? this.head.view : [min.map((low) => low - margin), max.map((high) => high + margin)];
  }

  /** Circles: vertices of centre and rim, radius and body. */
  disksOf() {
    if (!this.disks) {
      const { disks, radii, body } = this.blocks;
      this.disks = Array.from(radii, (radius, k) => {
        return { centre: disks[2 * k], rim: disks[2 * k + 1], radius, body: body[disks[2 * k]] };
      });
    }
    return this.disks;
  }

  /** Value of an element of a field in a state; NaN without one. */
  value(field, state, element) {
    const { levels, stride, tops } = this.fields[field];
    const level = levels[state * stride + element];
    return level === MISSING ? NaN : tops[state] * (level / LEVELS) ** 2;
  }

  /** Largest value of a field in a state. */
  largestIn(field, state) {
    const { levels, stride, count, tops } = this.fields[field];
    let most = 0;
    for (let k = state * stride; k < state * stride + count; k++) {
      if (levels[k] !== MISSING && levels[k] > most) most = levels[k];
    }
    return tops[state] * (most / LEVELS) ** 2;
  }

  /** Least and largest value of a field in a state, with the place of the largest (m); nothing where no element has one. */
  extremesIn(field, state) {
    const { levels, stride, count, tops } = this.fields[field];
    const [start, end] = [state * stride, state * stride + count];
    let [least, most] = [-1, -1];
    for (let k = start; k < end; k++) {
      if (levels[k] === MISSING) continue;
      if (most < 0 || levels[k] > levels[most]) most = k;
      if (least < 0 || levels[k] < levels[least]) least = k;
    }
    if (most < 0) return undefined;

    // Fields have values at vertices, or of elastic triangles.
    const { faces } = this.blocks;
    const element = most - start;
    const isOfVertices = this.head.fields.find(({ name }) => name === field).at_vertices;
    const corners = isOfVertices ? [element] : [0, 1, 2].map((corner) => faces[3 * (this.head.elements[0] + element) + corner]);
    const places = corners.map((vertex) => this.place(state, vertex));
    const at = [0, 1].map((axis) => places.reduce((sum, place) => sum + place[axis] / places.length, 0));
    const value = (k) => tops[state] * (levels[k] / LEVELS) ** 2;
    return { least: value(least), largest: value(most), at };
  }

  /** Largest error of the values of a field in a state. */
  errorIn(field, state) {
    return this.fields[field].tops[state] / LEVELS;
  }

  /** How often each number of a field occurs in a state. */
  histogram(field, state) {
    const { levels, stride, count } = this.fields[field];
    const often = new Float64Array(256);
    for (let k = state * stride; k < state * stride + count; k++) often[levels[k]]++;
    return often;
  }

  /** Stress averaged to vertices, weighted by the areas of triangles, as a field of one state. */
  smoothStress(state) {
    const { levels, stride } = this.fields.stress;
    const { faces } = this.blocks;
    const [first, end] = this.head.elements;
    if (!this.smooth) {
      const size = textureSize(this.head.vertices + this.head.bodies.length);
      this.smooth = { ...size, levels: new Uint8Array(size.width * size.height), areas: this.areasOf(first, end) };
    }
    if (this.smooth.state === state) return this.smooth;

    const { areas } = this.smooth;
    const [sums, weights] = [new Float64Array(this.head.vertices), new Float64Array(this.head.vertices)];
    for (let face = first; face < end; face++) {
      const level = levels[state * stride + face - first];
      if (level === MISSING) continue;
      for (let corner = 0; corner < 3; corner++) {
        const vertex = faces[3 * face + corner];
        sums[vertex] += areas[face - first] * level ** 2;
        weights[vertex] += areas[face - first];
      }
    }
    this.smooth.levels.fill(MISSING);
    sums.forEach((sum, vertex) => {
      if (weights[vertex] > 0) this.smooth.levels[vertex] = Math.round(Math.sqrt(sum / weights[vertex]));
    });
    this.smooth.state = state;
    return this.smooth;
  }

  /** Areas of triangles in the first state (m^2). */
  areasOf(first, end) {
    const { faces } = this.blocks;
    return Float64Array.from({ length: end - first }, (_, k) => {
      const [a, b, c] = [0, 1, 2].map((corner) => this.place(0, faces[3 * (first + k) + corner]));
      return Math.abs((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])) / 2;
    });
  }

  /** A sum of vertices in a state, each turned and scaled: a point (m) or a direction. */
  carried(state, terms) {
    let [x, y] = [0, 0];
    for (const [vertex, s, t] of terms) {
      const [px, py] = this.place(state, vertex);
      x += s * px - t * py;
      y += t * px + s * py;
    }
    return [x, y];
  }

  /** A contact by its number: bodies, point (m), normal, gap (m), forces (N). */
  contact(k) {
    const { blocks, head } = this;
    const angle = blocks.contact_angle[k];
    const force = blocks.contact_force[k];
    const normal = [Math.cos(angle), Math.sin(angle)];
    return {
      first: blocks.contact_first[k],
      second: blocks.contact_second[k],
      x: head.origin[0] + head.spacing * blocks.contact_x[k],
      y: head.origin[1] + head.spacing * blocks.contact_y[k],
      normal,
      gap: blocks.contact_gap[k],
      force,
      push: [normal[0] * force, normal[1] * force],
      friction: [blocks.contact_friction_x[k], blocks.contact_friction_y[k]],
    };
  }

  /** All contacts of a state. Those of the last one that was asked for are kept. */
  contacts(state) {
    if (this.kept?.state !== state) {
      const list = [];
      for (let k = this.contactStarts[state]; k < this.contactStarts[state + 1]; k++) list.push(this.contact(k));
      this.kept = { state, list };
    }
    return this.kept.list;
  }

  /** Rows of the table of forces in a state: kind, names, force (N), moment (N m), place (m). */
  forces(state) {
    const list = [];
    const { blocks, head } = this;
    const step = this.steps[state];
    for (let row = this.forceRows.get(step) ?? Infinity; row < (blocks.force_step?.length ?? 0); row++) {
      if (blocks.force_step[row] !== step) break;
      const [kind, name, how] = head.series[blocks.force_series[row]];
      list.push({
        kind,
        name,
        how,
        at: [blocks.force_at_x[row], blocks.force_at_y[row]],
        force: [blocks.force_x[row], blocks.force_y[row]],
        moment: how === "obstacle" ? 0 : blocks.force_moment[row],
      });
    }
    return list;
  }

  /**
   * Forces of supports in a state: place (m), force (N), moment (N m), names. An obstacle has one for each
   * body that it touches, at the middle of their contacts, if these are known.
   */
  reactions(state) {
    const rows = this.forces(state);
    this.numbers ??= new Map(this.head.bodies.map(({ name }, body) => [name, body]));
    const keyOf = (bodies) => Math.min(...bodies) * this.head.bodies.length + Math.max(...bodies);

    // Middles of the contacts of each two bodies, weighted by their normal forces.
    const places = new Map();
    for (const { first, second, force, x, y } of rows.length ? this.contacts(state) : []) {
      const key = keyOf([first, second]);
      const [weight, sumX, sumY] = places.get(key) ?? [0, 0, 0];
      const own = Math.abs(force);
      places.set(key, [weight + own, sumX + own * x, sumY + own * y]);
    }

    const list = [];
    for (const pair of rows) {
      if (pair.kind !== "contact") continue;
      const bodies = [this.numbers.get(pair.name), this.numbers.get(pair.how)];
      const [weight, x, y] = places.get(keyOf(bodies)) ?? [0];
      if (this.isObstacle[bodies[0]] === this.isObstacle[bodies[1]] || !(weight > 0)) continue;

      // The force on the body that the obstacle holds.
      const sign = this.isObstacle[bodies[1]] ? 1 : -1;
      const name = this.isObstacle[bodies[1]] ? pair.how : pair.name;
      list.push({ name, how: "obstacle", at: [x / weight, y / weight], force: pair.force.map((part) => sign * part), moment: 0 });
    }
    const known = new Set(list.map(({ name }) => name));
    return list.concat(rows.filter(({ kind, name, how }) => kind === "reaction" && !(how === "obstacle" && known.has(name))));
  }
}
