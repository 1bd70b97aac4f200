// New bodies: from what the pointer draws to a body of a scene.

/** Steps of the pen (pixels), and the share of the diagonal up to which a stroke is smoothed. */
const STROKE = 5;
/** Materials by the names of the buttons, for a scene of a size (m) and gravity (m/s^2). */
const MATERIALS = {
  rubber: (size, g) => ({ density: 1000, law: { neo_hookean: { young: round2(1000 * g * size * 12), poisson: 0.4 } } }),
  foam: (size, g) => ({ density: 200, law: { neo_hookean: { young: round2(200 * g * size * 8), poisson: 0.2 } } }),
  steel: () => ({ density: 7800, law: { neo_hookean: { young: 2e11, poisson: 0.3 } } }),
  rigid: () => ({ density: 2000 }),
};

/** A number with two digits. */
function round2(value) {
  return Number(value.toPrecision(2));
}

/** A length (m) with few digits. */
function short6(value) {
  return Number(value.toPrecision(6));
}

/** Twice the area inside of a polygon, positive if it runs counter-clockwise. */
function twiceArea(points) {
  return points.reduce((sum, [x, y], k) => {
    const [nextX, nextY] = points[(k + 1) % points.length];
    return sum + x * nextY - y * nextX;
  }, 0);
}

/** True if two segments cross. */
function cross(a, b, c, d) {
  const side = (p, q, r) => Math.sign((q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]));
  return side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0;
}

/** Points of a stroke at even distances along it. */
function even(points, distance) {
  const kept = [points[0]];
  let rest = distance;
  for (let k = 1; k < points.length; k++) {
    let [from, to] = [points[k - 1], points[k]];
    let length = Math.hypot(to[0] - from[0], to[1] - from[1]);
    while (length >= rest && length > 0) {
      const share = rest / length;
      from = [from[0] + share * (to[0] - from[0]), from[1] + share * (to[1] - from[1])];
      kept.push(from);
      length -= rest;
      rest = distance;
    }
    rest -= length;
  }
  return kept;
}

/** Corners of a closed stroke without those that are nearly on a line between others (Douglas and Peucker 1973). */
function simple(points, deviation) {
  if (points.length < 3) return points;
  const [a, b] = [points[0], points.at(-1)];
  const length = Math.hypot(b[0] - a[0], b[1] - a[1]);
  let [far, most] = [0, 0];
  for (let k = 1; k < points.length - 1; k++) {
    const [px, py] = [points[k][0] - a[0], points[k][1] - a[1]];
    const off = length > 0 ? Math.abs(px * (b[1] - a[1]) - py * (b[0] - a[0])) / length : Math.hypot(px, py);
    if (off > most) [far, most] = [k, off];
  }
  if (most <= deviation) return [a, b];
  return [...simple(points.slice(0, far + 1), deviation), ...simple(points.slice(far), deviation).slice(1)];
}

/** The outline of a stroke (m), counter-clockwise; nothing if it is too small or crosses itself. */
export function outlineOf(stroke, pixel) {
  if (stroke.length < 3) return undefined;
  const places = even(stroke, STROKE * pixel);
  if (places.length < 6) return undefined;
  const half = Math.floor(places.length / 2);
  const closed = [...places, places[0]];
  const corners = [...simple(closed.slice(0, half + 1), 1.6 * pixel), ...simple(closed.slice(half), 1.6 * pixel).slice(1, -1)];
  if (corners.length < 3) return undefined;
  for (let i = 0; i < corners.length; i++) {
    for (let j = i + 2; j < corners.length; j++) {
      if (i === 0 && j === corners.length - 1) continue;
      if (cross(corners[i], corners[i + 1], corners[j], corners[(j + 1) % corners.length])) return undefined;
    }
  }
  if (Math.abs(twiceArea(corners)) < 2 * (12 * pixel) ** 2) return undefined;
  return twiceArea(corners) > 0 ? corners : corners.reverse();
}

/** Corners of a box between two places (m). */
export function boxOf([x1, y1], [x2, y2]) {
  const [left, right] = [Math.min(x1, x2), Math.max(x1, x2)];
  const [low, high] = [Math.min(y1, y2), Math.max(y1, y2)];
  return [[left, low], [right, low], [right, high], [left, high]];
}

/**
 * A body and its material, for the request `add`: of an outline (m) or a circle `{ centre, radius }` (m), of a
 * material by its name. `scene` has the names of bodies, a size (m) and gravity (m/s^2).
 */
export function bodyOf(form, material, scene) {
  const isRigid = material === "rigid";
  let number = 1;
  while (scene.names.includes(`${material} ${number}`)) number++;
  const body = { name: `${material} ${number}`, material: `drawn ${material}` };
  if (isRigid) body.kind = "rigid";

  if (form.radius) {
    const radius = short6(form.radius);
    body.position = form.centre.map(short6);
    body.shape = isRigid ? { circle: { radius } } : { disk: { radius, segments: 20 } };
  } else {
    const middle = [0, 1].map((axis) => short6(form.reduce((sum, corner) => sum + corner[axis], 0) / form.length));
    const corners = form.map((corner) => corner.map((part, axis) => short6(part - middle[axis])));
    const extent = Math.sqrt(Math.abs(twiceArea(corners)) / 2);
    body.position = middle;
    body.shape = isRigid ? { outline: { points: corners } } : { area: { outline: { path: { points: corners } }, mesh: { size: short6(extent / 5) } } };
  }
  return { body, material: MATERIALS[material](scene.size, Math.max(1, scene.gravity)) };
}

/**
 * A steel ball of a radius (m) that flies from a place towards another one (m) at a speed (m/s), and its
 * material, for the request `add`. `names` are those of all bodies.
 */
export function ballOf(from, to, radius, speed, names) {
  const way = [to[0] - from[0], to[1] - from[1]];
  const length = Math.hypot(...way);
  let number = 1;
  while (names.includes(`shot ${number}`)) number++;
  const body = {
    name: `shot ${number}`,
    kind: "rigid",
    material: "shot steel",
    shape: { circle: { radius: short6(radius) } },
    position: from.map(short6),
    velocity: way.map((part) => short6((part / length) * speed)),
  };
  return { body, material: { density: 7800 } };
}
