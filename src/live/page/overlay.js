// What is drawn over the picture: hands, joints as engineers draw them, pressure, the ghost of the last run.

/** Length of the longest bar of pressure (pixels). */
const BAR = 38;
/** Largest number of edges of a ghost. */
const EDGES = 6000;

/** Adds a spring between two pixels to the path of a context. */
export function spring(context, [ax, ay], [bx, by]) {
  const length = Math.hypot(bx - ax, by - ay);
  context.moveTo(ax, ay);
  if (length > 24) {
    const turns = Math.max(3, Math.min(14, Math.round(length / 14)));
    const [ux, uy] = [(bx - ax) / length, (by - ay) / length];
    for (let k = 1; k < 2 * turns; k++) {
      const along = 8 + ((length - 16) * k) / (2 * turns);
      const across = k % 2 ? 4.5 : -4.5;
      context.lineTo(ax + ux * along - uy * across, ay + uy * along + ux * across);
    }
  }
  context.lineTo(bx, by);
}

/** Words in a box around a pixel. */
export function label(context, text, [x, y], colour, ground) {
  context.font = "600 13px system-ui, sans-serif";
  context.textBaseline = "middle";
  context.textAlign = "center";
  const wide = context.measureText(text).width + 14;
  context.beginPath();
  context.roundRect(x - wide / 2, y - 10, wide, 20, 10);
  context.fillStyle = colour;
  context.fill();
  context.fillStyle = ground;
  context.fillText(text, x, y + 0.5);
}

/** Strokes a path twice: a line on its border. */
function lined(context, [ink, paper], path) {
  for (const [colour, width] of [[paper, 4], [ink, 1.6]]) {
    context.strokeStyle = colour;
    context.lineWidth = width;
    context.beginPath();
    path();
    context.stroke();
  }
}

/** The sign of the ground at a pixel: a triangle on a hatched line. */
function ground(context, [x, y], colours) {
  lined(context, colours, () => {
    context.moveTo(x, y);
    context.lineTo(x - 7, y + 11);
    context.lineTo(x + 7, y + 11);
    context.closePath();
    context.moveTo(x - 11, y + 11);
    context.lineTo(x + 11, y + 11);
    for (let k = -10; k <= 10; k += 4) {
      context.moveTo(x + k, y + 11);
      context.lineTo(x + k - 4, y + 15);
    }
  });
}

/**
 * Joints between pixels: `ties` have the kind of each, and whether it ends on the ground. Springs are coils, ropes are
 * dashed, guides are rails, and points that bodies share are circles.
 */
export function paintJoints(context, ties, ends, [ink, paper]) {
  const colours = [ink, paper];
  context.lineCap = "round";
  ends.forEach(([a, b], k) => {
    const { kind, ground: grounded = null } = ties[k] ?? {};
    const isApart = Math.hypot(b[0] - a[0], b[1] - a[1]) > 3;
    if (grounded !== null) ground(context, grounded === 1 ? b : a, colours);
    if (isApart) {
      if (kind === "rope") context.setLineDash([7, 5]);
      lined(context, colours, () => {
        if (kind === "spring" || kind === "wheel") spring(context, a, b);
        else {
          context.moveTo(...a);
          context.lineTo(...b);
        }
      });
      context.setLineDash([]);
    }
    if (kind === "weld" || kind === "attach") {
      lined(context, colours, () => {
        context.moveTo(a[0] - 5, a[1] - 5);
        context.lineTo(a[0] + 5, a[1] + 5);
        context.moveTo(a[0] + 5, a[1] - 5);
        context.lineTo(a[0] - 5, a[1] + 5);
      });
      return;
    }
    for (const [x, y] of isApart ? [a, b] : [a]) {
      context.beginPath();
      context.arc(x, y, 4, 0, 2 * Math.PI);
      context.fillStyle = paper;
      context.fill();
      context.strokeStyle = ink;
      context.lineWidth = 1.6;
      context.stroke();
    }
  });
}

/**
 * Pressure along outlines, as bars inwards of the body that feels it: `edges` are pairs of vertices with the body on their
 * left, `pressure` has a value for each vertex. Returns the largest one.
 */
export function paintPressure(context, edges, pressure, pixelOf, { scale, colour }) {
  let most = 0;
  context.fillStyle = colour;
  context.globalAlpha = 0.5;
  for (let k = 0; k + 2 <= edges.length; k += 2) {
    const [first, second] = [edges[k], edges[k + 1]];
    const [p, q] = [pressure[first] || 0, pressure[second] || 0];
    if (p <= 0 && q <= 0) continue;
    most = Math.max(most, p, q);
    const [[ax, ay], [bx, by]] = [pixelOf(first), pixelOf(second)];
    const length = Math.hypot(bx - ax, by - ay) || 1;
    // Pixels run downwards, so that the left of an edge is this.
    const [nx, ny] = [(by - ay) / length, (ax - bx) / length];
    const [u, v] = [p, q].map((each) => Math.min(1.5, each * scale) * BAR);
    context.beginPath();
    context.moveTo(ax, ay);
    context.lineTo(bx, by);
    context.lineTo(bx + nx * v, by + ny * v);
    context.lineTo(ax + nx * u, ay + ny * u);
    context.fill();
  }
  context.globalAlpha = 1;
  return most;
}

/** Outlines of the ghost: edges and circles at other positions. */
export function paintGhost(context, { edges, circles }, pixelOf, { colour, scale }) {
  if (edges.length > 2 * EDGES) return;
  context.strokeStyle = colour;
  context.lineWidth = 1.4;
  context.globalAlpha = 0.65;
  context.setLineDash([4, 4]);
  context.beginPath();
  for (let k = 0; k + 2 <= edges.length; k += 2) {
    context.moveTo(...pixelOf(edges[k]));
    context.lineTo(...pixelOf(edges[k + 1]));
  }
  for (const { centre, radius } of circles) {
    const [x, y] = pixelOf(centre);
    context.moveTo(x + radius * scale, y);
    context.arc(x, y, radius * scale, 0, 2 * Math.PI);
  }
  context.stroke();
  context.setLineDash([]);
  context.globalAlpha = 1;
}
