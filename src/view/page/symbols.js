// Symbols of joints, supports and loads, and numbers of arrows: what a canvas over the picture shows.

import { cssColour } from "./colours.js";
import { motionOf } from "./motion.js";
import { withUnit } from "./numbers.js";

/** Lengths in pixels of a picture 720 pixels high, as in pictures of `ipcsim render --diagram`. */
const SIZES = { hinge: 5, half: 6, line: 30, hatch: [8, 6], motor: 12, stops: 17, gear: 10, triangle: 12, ground: 19, apart: 20, tooth: 13, turn: 20, force: 64, comb: 36, letters: 13 };
/** Parts of the largest value of a load that its numbers count. */
const PARTS = 1000;
/** Radius of the ring at a largest value (pixels), and share of the range from which on one is drawn. */
const [RING, SHOWN] = [8, 0.01];
/** Number of arrows of a pressure on an edge. */
const TEETH = 5;
/** Largest number of numbers on arrows of a tile, and length from which on an arrow has one (pixels). */
const [LABELS, LABELLED] = [16, 22];

const add = (a, b, factor = 1) => [a[0] + factor * b[0], a[1] + factor * b[1]];
const across = ([x, y]) => [-y, x];
const distance = (a, b) => Math.hypot(b[0] - a[0], b[1] - a[1]);
const unit = ([x, y]) => (Math.hypot(x, y) > 0 ? [x / Math.hypot(x, y), y / Math.hypot(x, y)] : [1, 0]);

/** What is drawn over a tile. Places are pixels from its upper left corner. */
class Sketch {
  constructor(context, tile, run, state, colours) {
    Object.assign(this, { context, camera: tile.camera, run, state });
    this.size = Math.min(1.25, Math.max(0.85, Math.min(tile.camera.width, tile.camera.height) / 720));
    this.paper = cssColour(colours.theme.paper);
    this.ink = cssColour(colours.theme.ink);
    this.load = cssColour(colours.marks.load);
  }

  /** Pixel of a point that moves with vertices. */
  pixel(terms) {
    return this.camera.pixel(this.run.carried(this.state, terms));
  }

  /** Direction of an arrow that moves with vertices, in the picture. */
  way(terms) {
    const [x, y] = this.run.carried(this.state, terms);
    return unit([x, -y]);
  }

  /** A line through pixels, on a halo that shows it on any ground. */
  lines(points, colour = this.ink, width = 1.6) {
    const { context, size } = this;
    const path = new Path2D();
    points.forEach(([x, y], k) => (k ? path.lineTo(x, y) : path.moveTo(x, y)));
    context.lineJoin = context.lineCap = "round";
    context.globalAlpha = 0.75;
    context.strokeStyle = this.paper;
    context.lineWidth = (width + 2) * size;
    context.stroke(path);
    context.globalAlpha = 1;
    context.strokeStyle = colour;
    context.lineWidth = width * size;
    context.stroke(path);
  }

  /** A filled polygon. */
  polygon(points, colour) {
    const { context } = this;
    context.beginPath();
    points.forEach(([x, y], k) => (k ? context.lineTo(x, y) : context.moveTo(x, y)));
    context.fillStyle = colour;
    context.fill();
  }

  /** A circle: filled with `fill`, its line in the colour of the theme unless the width is 0. */
  circle([x, y], radius, fill, width = 1.8) {
    const { context } = this;
    context.beginPath();
    context.arc(x, y, radius * this.size, 0, 2 * Math.PI);
    if (fill) {
      context.fillStyle = fill;
      context.fill();
    }
    if (width === 0) return;
    context.strokeStyle = this.ink;
    context.lineWidth = width * this.size;
    context.stroke();
  }

  /** The head of an arrow that ends at a tip. */
  head(tip, along, colour, [long, half] = [9, 3.8]) {
    const back = add(tip, along, -long * this.size);
    const side = across(along);
    this.polygon([tip, add(back, side, half * this.size), add(back, side, -half * this.size)], colour);
  }

  /** A name whose middle is away from a point along a direction. */
  name(label, at, away) {
    const letters = Math.max(11, SIZES.letters * this.size);
    // Names of what is elsewhere are left out.
    if (at[0] < 0 || at[1] < 0 || at[0] > this.camera.width || at[1] > this.camera.height) return;
    this.context.font = `${letters}px system-ui, sans-serif`;
    const wide = this.context.measureText(label).width;
    const [x, y] = add(at, [away[0] * (0.5 * wide + 0.5 * letters), away[1] * letters]);
    this.words(label, this.inside([x, y], [0.5 * wide + 2, 0.7 * letters]), this.load);
  }

  /** The place within the tile that is nearest to a place, for something with half a width and height. */
  inside([x, y], [wide, high]) {
    const { width, height } = this.camera;
    return [Math.max(wide, Math.min(width - wide, x)), Math.max(high, Math.min(height - high, y))];
  }

  /** Words around a point, on a halo. */
  words(label, [x, y], colour) {
    const { context } = this;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.lineJoin = "round";
    context.strokeStyle = this.paper;
    context.lineWidth = 3;
    context.strokeText(label, x, y);
    context.fillStyle = colour;
    context.fillText(label, x, y);
  }

  /** Points of an arc between two angles (rad), counter-clockwise in the picture. */
  arc([x, y], radius, from, until) {
    return Array.from({ length: 33 }, (_, k) => {
      const angle = from + ((until - from) * k) / 32;
      return [x + radius * this.size * Math.cos(angle), y - radius * this.size * Math.sin(angle)];
    });
  }

  /** An arrow from tail to tip. */
  arrow(tail, tip, width) {
    const along = unit(add(tip, tail, -1));
    const shrink = Math.min(1, (0.65 * distance(tail, tip)) / (9 * this.size));
    this.lines([tail, add(tip, along, -7 * shrink * this.size)], this.load, width);
    this.head(tip, along, this.load, [9 * shrink, 3.8 * shrink]);
  }
}

/** How each kind of symbol is drawn. */
const DRAWN = {
  hinge: (sketch, { at }) => sketch.circle(sketch.pixel(at[0]), SIZES.hinge, sketch.paper),
  rod(sketch, { at }) {
    const ends = at.map((end) => sketch.pixel(end));
    sketch.lines(ends, sketch.ink, 2);
    ends.forEach((end) => sketch.circle(end, SIZES.hinge, sketch.paper));
  },

  // A rope that is longer than the distance `d` of its ends sags by `f`: the length is `d + 8/3 f^2 / d`.
  rope(sketch, { at, length }) {
    const [a, b] = at.map((end) => sketch.run.carried(sketch.state, end));
    const d = distance(a, b);
    const sag = Math.sqrt(0.375 * Math.max(0, length - d) * Math.max(d, 0.5 * length));
    const place = (t) => sketch.camera.pixel([a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1]) - 4 * sag * t * (1 - t)]);
    sketch.lines(Array.from({ length: 17 }, (_, k) => place(k / 16)), sketch.ink, 1.4);
    [a, b].forEach((end) => dot(sketch, sketch.camera.pixel(end)));
  },
  spring: (sketch, { at }) => zigzag(sketch, ...at.map((end) => sketch.pixel(end))),

  // Where the ends meet, as of a wheel, the spring is drawn above the point that moves.
  strut(sketch, { at, axis }) {
    const [fixed, moving] = at.map((end) => sketch.pixel(end));
    const along = sketch.way(axis);
    const length = SIZES.line * sketch.size;
    const isShort = distance(fixed, moving) < length;
    zigzag(sketch, moving, isShort ? add(fixed, along, along[1] > 0 ? -length : length) : fixed);
  },
  cylinder(sketch, { at }) {
    const [a, b] = at.map((end) => sketch.pixel(end));
    const way = add(b, a, -1);
    const half = across(unit(way)).map((part) => part * SIZES.half * sketch.size);
    const [mouth, piston] = [add(a, way, 0.6), add(a, way, 0.45)];
    sketch.lines([add(mouth, half), add(a, half), add(a, half, -1), add(mouth, half, -1)]);
    sketch.lines([add(piston, half), add(piston, half, -1)]);
    sketch.lines([piston, b], sketch.ink, 2);
    [a, b].forEach((end) => dot(sketch, end));
  },
  weld(sketch, { at }) {
    const middle = sketch.pixel(at[0]);
    const half = SIZES.half * sketch.size;
    for (const way of [[half, half], [half, -half]]) sketch.lines([add(middle, way, -1), add(middle, way)], sketch.ink, 2.4);
  },
  guide(sketch, { at, axis, turns, grounded }) {
    const [from, middle] = at.map((place) => sketch.pixel(place));
    const along = sketch.way(axis);
    const reach = (middle[0] - from[0]) * along[0] + (middle[1] - from[1]) * along[1];
    // A line on the ground is seen beyond what slides on it.
    const beyond = (grounded ? 1.6 : 1) * SIZES.line * sketch.size;
    const line = [add(from, along, Math.min(0, reach) - beyond), add(from, along, Math.max(0, reach) + beyond)];
    sketch.lines(line, sketch.ink, 1.4);
    if (grounded) hatches(sketch, ...line);
    if (turns) {
      sketch.circle(middle, SIZES.hinge, sketch.paper);
      return;
    }
    const half = SIZES.half * sketch.size;
    const [long, wide] = [along.map((part) => 1.5 * half * part), across(along).map((part) => half * part)];
    const corners = [[1, 1], [-1, 1], [-1, -1], [1, -1]].map(([i, j]) => add(add(middle, long, i), wide, j));
    sketch.polygon(corners, sketch.paper);
    sketch.lines([...corners, corners[0]], sketch.ink, 1.8);
  },
  gear(sketch, { at }) {
    for (const centre of at.map((place) => sketch.pixel(place))) {
      sketch.circle(centre, SIZES.gear, undefined, 1.6);
      for (let k = 0; k < 8; k++) {
        const way = [Math.cos((k * Math.PI) / 4), Math.sin((k * Math.PI) / 4)];
        sketch.lines([1, 1.35].map((share) => add(centre, way, share * SIZES.gear * sketch.size)), sketch.ink, 2.2);
      }
    }
  },
  motor(sketch, { at }) {
    const points = sketch.arc(sketch.pixel(at[0]), SIZES.motor, -0.25 * Math.PI, 1.25 * Math.PI);
    sketch.lines(points, sketch.ink, 1.8);
    const along = unit(add(points[32], points[30], -1));
    sketch.head(add(points[32], along, 4 * sketch.size), along, sketch.ink, [7, 3.2]);
  },
  stops(sketch, { at, axis, range }) {
    if (!range || range[1] - range[0] > 600) return;
    const middle = sketch.pixel(at[0]);
    const [x, y] = sketch.way(axis);
    const start = Math.atan2(-y, x);
    sketch.lines(sketch.arc(middle, SIZES.stops, start + range[0], start + range[1]), sketch.ink, 1.2);
    for (const limit of range) {
      const way = [Math.cos(start + limit), -Math.sin(start + limit)];
      sketch.lines([0.75, 1.25].map((share) => add(middle, way, share * SIZES.stops * sketch.size)), sketch.ink, 2);
    }
  },
  glue(sketch, { at }) {
    let last;
    for (const place of at) {
      const here = sketch.pixel(place);
      if (last && distance(last, here) < SIZES.hinge * sketch.size) continue;
      dot(sketch, here);
      last = here;
    }
  },
  support(sketch, { at, outward, axes, window }) {
    const time = sketch.run.times[sketch.state];
    if (time < window[0] || (window[1] !== null && time > window[1])) return;
    triangles(sketch, at, outward, axes[0] && axes[1], SIZES.triangle);
  },
  ground: (sketch, { at, outward }) => triangles(sketch, at, outward, true, SIZES.ground),
  force(sketch, { at, body, values, label }) {
    const way = wayOf(sketch, values, 0);
    const [middle, centre] = [sketch.run.carried(sketch.state, at[0]), sketch.run.centre(sketch.state, body)];
    const pushes = (middle[0] - centre[0]) * way[0] - (middle[1] - centre[1]) * way[1] < 0;
    const ends = endsOf(sketch, sketch.camera.pixel(middle), way, pushes, SIZES.force);
    if (!ends) return;
    sketch.arrow(...ends, 2.6);
    const along = unit(add(ends[1], ends[0], -1));
    if (pushes) sketch.name(label, ends[0], [-along[0], -along[1]]);
    else sketch.name(label, ends[1], along);
  },
  traction(sketch, { at, normals, values, label }) {
    comb(sketch, at.map((place, k) => {
      const way = wayOf(sketch, values, k);
      return { at: sketch.pixel(place), way, pushes: normals[k][0] * way[0] - normals[k][1] * way[1] >= 0 };
    }), label);
  },
  pressure(sketch, { edges, values, label }) {
    comb(sketch, edges.flatMap(([i, j], k) => {
      const [a, b] = [i, j].map((vertex) => sketch.camera.pixel(sketch.run.place(sketch.state, vertex)));
      const size = values[sketch.state][k] / PARTS;
      // To the left of the edge is the inside; ordinates of pictures point down.
      const [x, y] = unit(add(b, a, -1));
      const way = [y * size, -x * size];
      return Array.from({ length: TEETH }, (_, tooth) => ({ at: add(a, add(b, a, -1), (tooth + 0.5) / TEETH), way, pushes: size >= 0 }));
    }), label);
  },
  torque(sketch, { at, values, label }) {
    const share = values[sketch.state][0] / PARTS;
    if (share === 0) return;
    const middle = sketch.pixel(at[0]);
    const radius = SIZES.turn * (0.5 + 0.5 * Math.abs(share));
    const points = share > 0 ? sketch.arc(middle, radius, 0, 1.5 * Math.PI) : sketch.arc(middle, radius, Math.PI, -0.5 * Math.PI);
    sketch.lines(points, sketch.load, 2.2);
    const along = unit(add(points[32], points[30], -1));
    sketch.head(add(points[32], along, 5.4 * sketch.size), along, sketch.load);
    sketch.name(label, add(middle, [0, -radius * sketch.size]), [0, -1]);
  },
};

/** A spring between two pixels, unless it is too short for a zigzag. */
function zigzag(sketch, a, b) {
  const bend = SIZES.half * sketch.size;
  if (distance(a, b) < 3 * bend) return;
  const way = add(b, a, -1);
  const side = across(unit(way));
  const bends = Array.from({ length: 8 }, (_, k) => add(add(a, way, 0.15 + (0.7 * (k + 0.5)) / 8), side, k % 2 ? -bend : bend));
  sketch.lines([a, ...bends, b]);
  [a, b].forEach((end) => dot(sketch, end));
}

/** Hatches along a line that never moves, on its lower side. */
function hatches(sketch, from, to) {
  const [apart, high] = SIZES.hatch.map((length) => length * sketch.size);
  const along = unit(add(to, from, -1));
  const side = across(along);
  // Ordinates of pictures point down.
  const below = side[1] < 0 ? side.map((part) => -part) : side;
  const stroke = add(below, along, -1).map((part) => part * high);
  const count = Math.round(distance(from, to) / apart);
  for (let k = 1; k <= count; k++) {
    const foot = add(from, add(to, from, -1), k / count);
    sketch.lines([foot, add(foot, stroke)], sketch.ink, 1.1);
  }
}

/** A small disk. */
function dot(sketch, at) {
  sketch.circle(at, 0.6 * SIZES.hinge, sketch.ink, 0);
}

/** Triangles of a height at some of these points. */
function triangles(sketch, at, outward, isFixed, height) {
  const away = unit([outward[0], -outward[1]]);
  const drawn = [];
  for (const place of at) {
    const tip = sketch.pixel(place);
    if (drawn.some((other) => distance(other, tip) < SIZES.apart * sketch.size)) continue;
    drawn.push(tip);
    triangle(sketch, tip, away, isFixed, height * sketch.size);
  }
}

/** A triangle with its tip at a point, on hatched ground or on rollers. */
function triangle(sketch, tip, away, isFixed, height) {
  const side = across(away).map((part) => 0.6 * height * part);
  const foot = add(tip, away, height);
  sketch.lines([add(foot, side), tip, add(foot, side, -1), add(foot, side)]);
  let ground = foot;
  if (!isFixed) {
    const radius = 0.2 * height;
    for (const place of [-0.5, 0.5]) sketch.circle(add(add(foot, away, radius), side, place), radius / sketch.size, undefined, 1.4);
    ground = add(foot, away, 2 * radius);
  }
  sketch.lines([add(ground, side, -1.3), add(ground, side, 1.3)]);
  // Hatches are as far apart below small triangles and large ones.
  const hatches = Math.round(height / (SIZES.triangle * sketch.size));
  const stroke = add(away.map((part) => 0.35 * height * part), side, -0.4);
  for (let k = -hatches; k <= hatches; k++) {
    const from = add(ground, side, (0.8 * k) / hatches);
    sketch.lines([from, add(from, stroke, 1 / Math.sqrt(hatches))], sketch.ink, 1.1);
  }
}

/** Value of a load at one of its points, as a share of the largest, in the picture. */
function wayOf(sketch, values, k) {
  const row = values[sketch.state];
  return [row[2 * k] / PARTS, -row[2 * k + 1] / PARTS];
}

/** Tail and tip of an arrow of a load; `undefined` if it is too short to be seen. */
function endsOf(sketch, at, way, pushes, longest) {
  const length = longest * sketch.size;
  if (Math.hypot(...way) * length < 4 * sketch.size) return undefined;
  return pushes ? [add(at, way, -length), at] : [at, add(at, way, length)];
}

/** Draws arrows side by side, not too many, with the line through their free ends. */
function comb(sketch, teeth, label) {
  let last;
  let back = [];
  let longest;
  const join = () => {
    if (back.length > 1) sketch.lines(back, sketch.load, 1.4);
    back = [];
  };
  for (const { at, way, pushes } of teeth) {
    const ends = endsOf(sketch, at, way, pushes, SIZES.comb);
    if (!ends) {
      join();
      continue;
    }
    const gap = last ? distance(last, at) : Infinity;
    if (gap < SIZES.tooth * sketch.size) continue;
    if (last && gap > 8 * SIZES.tooth * sketch.size) join();
    sketch.arrow(...ends, 1.4);
    const free = pushes ? ends[0] : ends[1];
    back.push(free);
    last = at;
    if (!longest || distance(free, at) > longest.length) longest = { length: distance(free, at), free, away: unit(add(free, at, -1)) };
  }
  join();
  if (longest) sketch.name(label, longest.free, longest.away);
}

/** Draws the symbols of a run in a state over its tile. */
export function drawSymbols(context, tile, run, state, colours) {
  const sketch = new Sketch(context, tile, run, state, colours);
  for (const symbol of run.symbols) DRAWN[symbol.kind](sketch, symbol);
}

/** Draws the path of the centre of a body, or of a vertex, from the first state to the present one. */
export function drawPath(context, tile, run, { body, vertex }, state, colours) {
  const sketch = new Sketch(context, tile, run, state, colours);
  const { x, y } = motionOf(run, body);
  const place = (k) => (vertex === undefined ? [x[k], y[k]] : run.place(k, vertex));
  const points = Array.from({ length: state + 1 }, (_, k) => tile.camera.pixel(place(k)));
  const colour = cssColour(colours.marks.accent);
  sketch.lines(points, colour, 2);
  sketch.circle(points.at(-1), 0.8 * SIZES.hinge, colour, 0);
}

/**
 * Writes the sizes of forces at their arrows, the largest first, where there is room in the tile. `labels` are those
 * of a list of arrows: pixels of the free end and of the other, and the force (N).
 */
export function drawNumbers(context, tile, labels, colours) {
  const { width, height } = tile.camera;
  const sketch = new Sketch(context, tile, undefined, 0, colours);
  context.font = "12px system-ui, sans-serif";
  const taken = [];
  const long = labels.filter(({ free, other }) => distance(free, other) >= LABELLED);
  for (const { free, other, force, colour } of long.sort((a, b) => b.force - a.force).slice(0, 4 * LABELS)) {
    if (taken.length === LABELS) break;
    const text = withUnit(force, "N");
    const half = [0.5 * context.measureText(text).width + 2, 8];
    const away = unit(add(free, other, -1));
    const at = [free[0] + away[0] * (half[0] + 4), free[1] + away[1] * (half[1] + 4)];

    // Within the tile, unless its arrow is elsewhere.
    if (free[0] < -40 || free[1] < -40 || free[0] > width + 40 || free[1] > height + 40) continue;
    const inside = sketch.inside(at, half);
    const isFree = taken.every((box) => Math.abs(box.at[0] - inside[0]) > box.half[0] + half[0] || Math.abs(box.at[1] - inside[1]) > box.half[1] + half[1]);
    if (!isFree) continue;
    taken.push({ at: inside, half });
    sketch.words(text, inside, cssColour(colours.marks[colour]));
  }
}

/** Draws a ring at the place of the largest value (m), unless the value is next to nothing in the range. */
export function drawPeak(context, tile, { largest, at }, range, colours) {
  if (largest < SHOWN * range[1]) return;
  const [x, y] = tile.camera.pixel(at);
  context.beginPath();
  context.arc(x, y, RING, 0, 2 * Math.PI);
  for (const [colour, width] of [[colours.theme.paper, 4], [colours.theme.ink, 1.6]]) {
    context.strokeStyle = cssColour(colour);
    context.lineWidth = width;
    context.stroke();
  }
}
