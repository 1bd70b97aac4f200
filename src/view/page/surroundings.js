// What is drawn around bodies: the axis of revolution, the cell of a scene that repeats, and gas in chambers.

import { cssColour } from "./colours.js";
import { withUnit } from "./numbers.js";

/** Cells that are drawn on each side of the one at home. */
const BESIDE = 1;
/** Lengths of dashes and gaps (pixels): of the axis, and of the sides of a cell. */
const DASHES = { axis: [14, 4, 3, 4], cell: [7, 5] };

/** Periods of a run in a state (m); 0 along an axis that does not repeat. */
function periodsOf(run, state) {
  const { vertices, repeats } = run.head.cell;
  return vertices.map((vertex, axis) => (repeats[axis] ? run.place(state, vertex) : [0, 0]));
}

/** Displacements (m) of the cells that a picture shows: of the one at home, and of those beside it if they are wanted. */
export function cellsOf(run, state, isRepeated) {
  if (!run.head.cell || !isRepeated) return [[0, 0]];
  const periods = periodsOf(run, state);
  const counts = run.head.cell.repeats.map((repeats) => (repeats ? BESIDE : 0));
  const cells = [];
  for (let j = -counts[1]; j <= counts[1]; j++) {
    for (let i = -counts[0]; i <= counts[0]; i++) {
      cells.push([0, 1].map((axis) => i * periods[0][axis] + j * periods[1][axis]));
    }
  }
  // The cell at home is painted last, over its neighbours.
  return cells.sort((a, b) => Math.hypot(...b) - Math.hypot(...a));
}

/** Draws a line in dashes between two pixels. */
function dashed(context, [from, to], dashes, colour) {
  context.save();
  context.setLineDash(dashes);
  context.strokeStyle = colour;
  context.lineWidth = 1.2;
  context.beginPath();
  context.moveTo(...from);
  context.lineTo(...to);
  context.stroke();
  context.restore();
}

/** Draws the axis of revolution over the height of a tile. */
function drawAxis(context, { camera }, ink) {
  const [x] = camera.pixel([0, 0]);
  dashed(context, [[x, 0], [x, camera.height]], DASHES.axis, ink);
}

/** Draws the sides of the cell at home. */
function drawCell(context, { camera }, run, state, ink) {
  const { vertices, repeats, nearest, way, extent } = run.head.cell;
  const periods = vertices.map((vertex) => run.place(state, vertex));
  const at = (from, first, second) => [0, 1].map((axis) => from[axis] + first * periods[0][axis] + second * periods[1][axis]);
  const corner = at(run.place(state, nearest), ...way);
  const [wide, high] = repeats.map((repeat, axis) => (repeat ? 1 : extent[axis]));
  const sides = [];
  if (repeats[0]) sides.push([[0, 0], [0, high]], [[wide, 0], [wide, high]]);
  if (repeats[1]) sides.push([[0, 0], [wide, 0]], [[0, high], [wide, high]]);
  for (const side of sides) dashed(context, side.map((end) => camera.pixel(at(corner, ...end))), DASHES.cell, ink);
}

/** Fills the chambers lightly, and writes their pressures over the ambient one. */
function drawChambers(context, { camera }, run, state, { fill, ink, paper }) {
  for (const { name, outline, to_axis: isToAxis, gauge } of run.head.chambers) {
    if (outline.length === 0) continue;
    const places = outline.map((vertex) => run.place(state, vertex));
    if (isToAxis) places.push([0, places.at(-1)[1]], [0, places[0][1]]);
    const pixels = places.map((place) => camera.pixel(place));
    context.beginPath();
    pixels.forEach(([x, y], k) => (k ? context.lineTo(x, y) : context.moveTo(x, y)));
    context.closePath();
    context.globalAlpha = 0.18;
    context.fillStyle = fill;
    context.fill("evenodd");
    context.globalAlpha = 1;

    const middle = [0, 1].map((axis) => {
      const own = pixels.map((pixel) => pixel[axis]);
      return 0.5 * (Math.min(...own) + Math.max(...own));
    });
    const value = gauge[state];
    const text = value === null || value === undefined ? name : `${name} ${withUnit(value, "Pa")}`;
    context.font = "12px system-ui, sans-serif";
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.lineWidth = 3;
    context.strokeStyle = paper;
    context.strokeText(text, ...middle);
    context.fillStyle = ink;
    context.fillText(text, ...middle);
  }
}

/** Draws all surroundings of a run over a tile. */
export function drawSurroundings(context, tile, run, state, shown, colours) {
  const ink = cssColour(colours.theme.ink);
  if (shown.chambers) {
    drawChambers(context, tile, run, state, { fill: cssColour(colours.marks.accent), ink, paper: cssColour(colours.theme.paper) });
  }
  if (run.head.axis) drawAxis(context, tile, ink);
  if (run.head.cell) drawCell(context, tile, run, state, ink);
}
