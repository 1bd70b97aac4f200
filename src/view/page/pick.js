// What is below the pointer: a vertex within a few pixels, or the body whose area is there.

/** Distance within which a vertex is hit (pixels). */
const NEAR = 9;

/** Body and vertex at a pixel of a tile; `undefined` on empty ground. */
export function pick(run, state, camera, pixel) {
  const at = camera.place(pixel);
  const body = bodyAt(run, state, at);
  const vertex = vertexAt(run, state, at, NEAR / camera.scale);
  if (vertex !== undefined) return { body: run.blocks.body[vertex], vertex };
  return body === undefined ? undefined : { body };
}

/** The vertex nearest to a place (m), within a distance (m). */
function vertexAt(run, state, [x, y], reach) {
  const { numbers, stride } = run.positions;
  const { origin, spacing, vertices } = run.head;
  const [px, py] = [(x - origin[0]) / spacing, (y - origin[1]) / spacing];
  let best;
  let least = (reach / spacing) ** 2;
  for (let vertex = 0; vertex < vertices; vertex++) {
    const k = 2 * (state * stride + vertex);
    const distance = (numbers[k] - px) ** 2 + (numbers[k + 1] - py) ** 2;
    if (distance < least) [best, least] = [vertex, distance];
  }
  return best;
}

/** The body whose area is at a place (m), half-planes last. */
function bodyAt(run, state, [x, y]) {
  const { faces, body } = run.blocks;
  for (const { centre, radius, body: owner } of run.disksOf()) {
    const [cx, cy] = run.place(state, centre);
    if (Math.hypot(x - cx, y - cy) <= radius) return owner;
  }

  // Whole numbers of the grid, as they are stored.
  const { numbers, stride } = run.positions;
  const { origin, spacing } = run.head;
  const [px, py] = [(x - origin[0]) / spacing, (y - origin[1]) / spacing];
  const start = 2 * state * stride;
  for (let k = 0; k < faces.length; k += 3) {
    const [a, b, c] = [start + 2 * faces[k], start + 2 * faces[k + 1], start + 2 * faces[k + 2]];
    const side = (i, j) => (numbers[j] - numbers[i]) * (py - numbers[i + 1]) - (numbers[j + 1] - numbers[i + 1]) * (px - numbers[i]);
    const [first, second, third] = [side(a, b), side(b, c), side(c, a)];
    const isInside = (first >= 0 && second >= 0 && third >= 0) || (first <= 0 && second <= 0 && third <= 0);
    if (isInside) return body[faces[k]];
  }

  for (const { origin_vertex: vertex, along_vertex: along, normal } of run.head.planes) {
    const [ox, oy] = run.place(state, vertex);
    const [ax, ay] = along === undefined ? [ox + normal[1], oy - normal[0]] : run.place(state, along);
    if ((ax - ox) * (y - oy) - (ay - oy) * (x - ox) < 0) return body[vertex];
  }
  return undefined;
}
