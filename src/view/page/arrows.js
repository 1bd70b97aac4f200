// Arrows of forces, and marks of contacts: what stands on the picture, in pixels from its middle.

import { unitColour } from "./colours.js";

/** Distance within which contacts of the same two bodies share an arrow (pixels). */
const CELL = 9;
/** Length of the arrow of a force that is larger than 95 of 100, where there are few (pixels). */
const USUAL = 50;
/** Number of contacts in a state from which on arrows become shorter. */
const FEW = 40;
/** Largest length of an arrow (pixels). */
const LONGEST = 260;

/** Pixels per newton for all states of all runs: by contacts, or by supports without any. */
export function arrowScale(runs) {
  const sizes = [];
  let crowd = 1;
  for (const run of runs) {
    const { contact_force: forces = [] } = run.blocks;
    forces.forEach((force) => sizes.push(Math.abs(force)));
    for (let state = 0; state < run.head.states; state++) {
      crowd = Math.max(crowd, (run.contactStarts[state + 1] - run.contactStarts[state]) / FEW);
    }
  }
  if (sizes.length === 0) {
    for (const run of runs) run.steps.forEach((_, state) => run.reactions(state).forEach(({ force }) => sizes.push(Math.hypot(...force))));
  }
  const known = Float64Array.from(sizes.filter((size) => size > 0 && Number.isFinite(size))).sort();
  const usual = known[Math.floor((known.length * 19) / 20)];
  return usual ? USUAL / (Math.sqrt(crowd) * usual) : 1;
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
  }

  /** Pixels from the middle, upwards, of a place (m). */
  at([x, y]) {
    const { camera } = this;
    return [(x - camera.x) * camera.scale, (y - camera.y) * camera.scale];
  }

  /** Adds an arrow from a place (m) by a way (pixels), not longer than a picture shows. */
  arrow(place, way, colour) {
    const length = Math.hypot(...way);
    if (!(length > 1)) return;
    const shorter = Math.min(1, LONGEST / length);
    this.add(this.at(place), [way[0] * shorter, way[1] * shorter], colour, 1.8, 8);
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
      if (shown.normal) list.arrow(at, [push[0] * scale, push[1] * scale], "normal");
      if (shown.friction) list.arrow(at, [friction[0] * scale, friction[1] * scale], "friction");
    }
  }
  if (shown.reactions) {
    for (const { at, force } of run.reactions(state)) {
      list.arrow(at, [force[0] * scale, force[1] * scale], "reaction");
    }
  }
  return list;
}

/** True if a contact is between the two bodies of a pair. */
export function isOf(contact, [a, b]) {
  return (contact.first === a && contact.second === b) || (contact.first === b && contact.second === a);
}

/** Pairs of bodies in contact in a state: number of contacts, smallest gap, sums of forces on the first. */
export function pairsOf(run, state) {
  const pairs = new Map();
  for (const contact of run.contacts(state)) {
    const bodies = [contact.first, contact.second].sort((a, b) => a - b);
    const sign = bodies[0] === contact.first ? 1 : -1;
    const key = bodies.join(" ");
    if (!pairs.has(key)) pairs.set(key, { bodies, count: 0, gap: Infinity, push: [0, 0], friction: [0, 0] });
    const pair = pairs.get(key);
    pair.count += 1;
    pair.gap = Math.min(pair.gap, contact.gap);
    for (let axis = 0; axis < 2; axis++) {
      pair.push[axis] += sign * contact.push[axis];
      pair.friction[axis] += sign * contact.friction[axis];
    }
  }
  return [...pairs.values()].sort((a, b) => Math.hypot(...b.push) - Math.hypot(...a.push));
}
