// Arrows of forces, and marks of contacts: what stands on the picture, in pixels from its middle.

import { CALM, WILD, unitColour } from "./colours.js";

/** Distance within which contacts of the same two bodies share an arrow (pixels). */
const CELL = 9;
/** Length of the arrow of a force that is larger than 95 of 100, where there are few (pixels). */
const USUAL = 50;
/** Number of contacts in a state from which on arrows become shorter. */
const FEW = 40;
/** Largest length of an arrow (pixels). */
const LONGEST = 260;
/** Length of the arrow of a support that is larger than 95 of 100 (pixels). */
const LONG = 150;
/** Width of the line of a force that is larger than 95 of 100 in the network of forces, over the usual length of lines. */
const THICK = 0.4;

/** Value that 95 of 100 of some sizes do not exceed; 0 without any. */
function usualOf(sizes) {
  const known = Float64Array.from(sizes.filter((size) => size > 0 && Number.isFinite(size))).sort();
  return known[Math.floor((known.length * 19) / 20)] ?? 0;
}

/**
 * What 95 of 100 forces do not exceed, of lists for each state. A run with a crush, whose forces are far above those of
 * most states, is measured by the calmer states.
 */
function usualIn(states) {
  const largest = states.map((sizes) => sizes.reduce((most, size) => Math.max(most, size), 0));
  const known = Float64Array.from(largest.filter((most) => most > 0)).sort();
  const middle = known[known.length >> 1];
  const usual = usualOf(states.flat());
  return usual > WILD * middle ? usualOf(states.filter((_, k) => largest[k] <= CALM * middle).flat()) : usual;
}

/** Pixels per newton for all states of all runs: by contacts, with few supports that are longer than a picture shows. */
export function arrowScale(runs) {
  const [contacts, supports] = [[], []];
  let crowd = 1;
  for (const run of runs) {
    const { contact_force: forces = [] } = run.blocks;
    for (let state = 0; state < run.head.states; state++) {
      const [start, end] = [run.contactStarts[state], run.contactStarts[state + 1]];
      contacts.push(Array.from(forces.slice(start, end), Math.abs));
      supports.push(run.reactions(state).map(({ force }) => Math.hypot(...force)));
      crowd = Math.max(crowd, (end - start) / FEW);
    }
  }
  const usual = Math.max(Math.sqrt(crowd) * usualIn(contacts), (usualIn(supports) * USUAL) / LONG);
  return usual ? USUAL / usual : 1;
}

/** Metres of width per newton in the network of forces, for all states of all runs, and the largest width (m). */
export function networkScale(runs) {
  const [sizes, lengths] = [[], []];
  for (const run of runs) {
    // A hundred states tell how large forces are.
    const stride = Math.ceil(run.head.states / 100);
    for (let state = 0; state < run.head.states; state += stride) {
      const pairs = pairsOf(run, state).filter(({ weight }) => weight > 0);
      sizes.push(pairs.map(({ weight }) => weight));
      lengths.push(...pairs.map((pair) => Math.hypot(...linkOf(run, state, pair).reduce((a, b) => [a[0] - b[0], a[1] - b[1]]))));
    }
  }
  const usual = usualIn(sizes);
  const length = Float64Array.from(lengths).sort()[lengths.length >> 1] ?? 0;
  return { scale: usual ? (THICK * length) / usual : 0, widest: length };
}

/** Contacts of the same two bodies within a cell as one, at their mean place weighted by force. */
function merged(contacts, cell) {
  const cells = new Map();
  for (const contact of contacts) {
    const isSorted = contact.first <= contact.second;
    const sign = isSorted ? 1 : -1;
    const pair = isSorted ? `${contact.first} ${contact.second}` : `${contact.second} ${contact.first}`;
    const key = `${pair} ${Math.floor(contact.x / cell)} ${Math.floor(contact.y / cell)}`;
    let sum = cells.get(key);
    if (!sum) {
      sum = { x: 0, y: 0, weight: 0, push: [0, 0], friction: [0, 0], at: [contact.x, contact.y] };
      cells.set(key, sum);
    }
    const weight = Math.abs(contact.force);
    sum.x += weight * contact.x;
    sum.y += weight * contact.y;
    sum.weight += weight;
    for (let axis = 0; axis < 2; axis++) {
      sum.push[axis] += sign * contact.push[axis];
      sum.friction[axis] += sign * contact.friction[axis];
    }
  }
  for (const sum of cells.values()) {
    if (sum.weight > 0) sum.at = [sum.x / sum.weight, sum.y / sum.weight];
  }
  return [...cells.values()];
}

/** List of arrows of a tile, as the numbers that the graphics card takes. */
export class ArrowList {
  constructor(camera, colours) {
    this.camera = camera;
    this.colours = colours;
    this.numbers = [];
    this.labels = [];
  }

  /** Pixels from the middle, upwards, of a place (m). */
  at([x, y]) {
    const { camera } = this;
    return [(x - camera.x) * camera.scale, (y - camera.y) * camera.scale];
  }

  /**
   * Adds the arrow of a force (N) at a scale (pixels/N), not longer than a picture shows. It begins at a place (m), or
   * ends there if it is that of a support, whose force comes from outside.
   */
  arrow(place, force, scale, colour, isHeld = false) {
    const size = Math.hypot(...force);
    const length = scale * size;
    if (!(length > 1)) return;
    const [x, y] = force.map((part) => (part / size) * Math.min(LONGEST, length));
    const at = this.at(place);
    const tail = isHeld ? [at[0] - x, at[1] - y] : at;
    this.add(tail, [x, y], colour, isHeld ? 2.6 : 1.8, isHeld ? 10 : 8);
    const [start, end] = [tail, [tail[0] + x, tail[1] + y]].map(([px, py]) => [this.camera.width / 2 + px, this.camera.height / 2 - py]);
    this.labels.push({ free: isHeld ? start : end, other: isHeld ? end : start, force: size, colour });
  }

  /** Adds a line between two places (m). */
  line(from, to, colour, width) {
    const [a, b] = [this.at(from), this.at(to)];
    if (a[0] !== b[0] || a[1] !== b[1]) this.add(a, [b[0] - a[0], b[1] - a[1]], colour, width, 0);
  }

  /** Adds a dot. */
  dot(place, colour, width) {
    this.add(this.at(place), [0, 0], colour, width, 0);
  }

  /** Adds the numbers of an arrow. */
  add(at, way, colour, width, head) {
    this.numbers.push(...at, ...way, ...unitColour(this.colours.marks[colour]), width, head);
  }

  /** The numbers of all arrows. */
  finish() {
    return new Float32Array(this.numbers);
  }
}

/**
 * Arrows of a state. `shown` says which: `normal`, `friction`, `reactions`, `pairs`; `scale` is that of
 * forces (pixels per newton); `pair` is the pair of bodies that is marked alone, if any.
 */
export function arrowsOf(run, state, camera, colours, shown, scale, pair) {
  const list = new ArrowList(camera, colours);
  const contacts = shown.normal || shown.friction || shown.pairs || pair ? run.contacts(state) : [];
  if (shown.pairs || pair) {
    for (const contact of contacts) {
      if (pair && !isOf(contact, pair)) continue;
      const { x, y, normal, gap } = contact;
      list.line([x, y], [x + normal[0] * gap, y + normal[1] * gap], pair ? "accent" : "gap", pair ? 2.4 : 1.4);
      list.dot([x, y], pair ? "accent" : "gap", pair ? 5 : 3.5);
    }
  }

  if (shown.normal || shown.friction) {
    for (const { at, push, friction } of merged(contacts, CELL / camera.scale)) {
      if (shown.normal) list.arrow(at, push, scale, "normal");
      if (shown.friction) list.arrow(at, friction, scale, "friction");
    }
  }
  if (shown.reactions) {
    for (const { at, force } of run.reactions(state)) list.arrow(at, force, scale, "reaction", true);
  }
  return list;
}

/** Ends of the line of a pair of bodies in the network of forces (m): their centres, of an obstacle the contact. */
function linkOf(run, state, { bodies, at }) {
  return bodies.map((body) => (run.isObstacle[body] ? at : run.centre(state, body)));
}

/** Adds the network of forces of a state: lines as wide as normal forces at a scale (m/N), up to a largest width (m). */
export function addNetwork(list, run, state, { scale, widest }) {
  for (const pair of pairsOf(run, state)) {
    const width = Math.min(widest, pair.weight * scale) * list.camera.scale;
    if (width > 0) list.line(...linkOf(run, state, pair), "normal", Math.max(0.6, width));
  }
}

/** True if a contact is between the two bodies of a pair. */
export function isOf(contact, [a, b]) {
  return (contact.first === a && contact.second === b) || (contact.first === b && contact.second === a);
}

/**
 * Pairs of bodies in contact in a state: number of contacts, smallest gap, sums of forces on the first, sum of the sizes
 * of normal forces, and the middle of the contacts, weighted by these.
 */
export function pairsOf(run, state) {
  const pairs = new Map();
  for (const contact of run.contacts(state)) {
    const bodies = [contact.first, contact.second].sort((a, b) => a - b);
    const sign = bodies[0] === contact.first ? 1 : -1;
    const key = bodies.join(" ");
    if (!pairs.has(key)) pairs.set(key, { bodies, count: 0, gap: Infinity, push: [0, 0], friction: [0, 0], weight: 0, at: [0, 0] });
    const pair = pairs.get(key);
    pair.count += 1;
    pair.gap = Math.min(pair.gap, contact.gap);
    const weight = Math.abs(contact.force);
    pair.weight += weight;
    pair.at = [pair.at[0] + weight * contact.x, pair.at[1] + weight * contact.y];
    for (let axis = 0; axis < 2; axis++) {
      pair.push[axis] += sign * contact.push[axis];
      pair.friction[axis] += sign * contact.friction[axis];
    }
  }
  for (const pair of pairs.values()) {
    if (pair.weight > 0) pair.at = pair.at.map((sum) => sum / pair.weight);
  }
  return [...pairs.values()].sort((a, b) => Math.hypot(...b.push) - Math.hypot(...a.push));
}
