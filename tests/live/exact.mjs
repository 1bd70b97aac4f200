// An exact test of a state, written for these tests only: nothing of the engine decides here. Segments of different bodies
// do not cross or touch, nothing lies in another body, no triangle is turned over, and circles and half-planes are free.
// Signs of determinants are exact: where double precision does not decide, whole numbers do.

/** A double as a whole number of units of 2^-1074. */
function whole(x) {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, x);
  const bits = view.getBigUint64(0);
  const exponent = Number((bits >> 52n) & 2047n);
  const fraction = bits & 0xfffffffffffffn;
  const size = exponent ? (fraction | (1n << 52n)) << BigInt(exponent - 1) : fraction;
  return bits >> 63n ? -size : size;
}

/** Sign of the area of a triangle of points (x, y), (x, y), (x, y): 1 if it runs counter-clockwise, 0 on a line. */
export function side(ax, ay, bx, by, cx, cy) {
  const left = (ax - cx) * (by - cy);
  const right = (ay - cy) * (bx - cx);
  const area = left - right;
  // The error of this is below 3.4e-16 of the sum (Shewchuk 1997).
  if (Math.abs(area) > 3.4e-16 * (Math.abs(left) + Math.abs(right))) return Math.sign(area);
  const [ux, uy, vx, vy, wx, wy] = [ax, ay, bx, by, cx, cy].map(whole);
  const exact = (ux - wx) * (vy - wy) - (uy - wy) * (vx - wx);
  return exact > 0n ? 1 : exact < 0n ? -1 : 0;
}

/** True if two segments meet, touching included. */
function meet(p, a, b, c, d) {
  const at = (v) => [p[2 * v], p[2 * v + 1]];
  const [[ax, ay], [bx, by], [cx, cy], [dx, dy]] = [a, b, c, d].map(at);
  if (Math.max(ax, bx) < Math.min(cx, dx) || Math.max(cx, dx) < Math.min(ax, bx)) return false;
  if (Math.max(ay, by) < Math.min(cy, dy) || Math.max(cy, dy) < Math.min(ay, by)) return false;
  return side(ax, ay, bx, by, cx, cy) * side(ax, ay, bx, by, dx, dy) <= 0 && side(cx, cy, dx, dy, ax, ay) * side(cx, cy, dx, dy, bx, by) <= 0;
}

/** Distance of a place from a segment. */
function distance(x, y, ax, ay, bx, by) {
  const [ux, uy] = [bx - ax, by - ay];
  const t = Math.max(0, Math.min(1, ((x - ax) * ux + (y - ay) * uy) / (ux * ux + uy * uy || 1)));
  return Math.hypot(x - ax - t * ux, y - ay - t * uy);
}

/** A test of the states of a scene, from the reply that opened it. */
export class ExactTest {
  constructor({ arrays, elements, planes }) {
    Object.assign(this, { planes, edges: arrays.edges, body: arrays.body, disks: arrays.disks, radii: arrays.radii });
    this.triangles = arrays.faces.subarray(3 * elements[0], 3 * elements[1]);
    this.passes = new Set();
    for (let k = 0; k + 2 <= arrays.passes.length; k += 2) this.passes.add(arrays.passes[k] * 1e6 + arrays.passes[k + 1]);
    this.tests = 0;
  }

  /** True if two bodies pass through each other by the scene. */
  free(a, b) {
    return a === b || this.passes.has(Math.min(a, b) * 1e6 + Math.max(a, b));
  }

  /** What is wrong with the positions of a state, in words; nothing if all is well. */
  fault(x) {
    const { edges, body, triangles } = this;
    for (let k = 0; k < triangles.length; k += 3) {
      const [a, b, c] = triangles.subarray(k, k + 3);
      this.tests++;
      if (side(x[2 * a], x[2 * a + 1], x[2 * b], x[2 * b + 1], x[2 * c], x[2 * c + 1]) <= 0) return `triangle ${a}-${b}-${c} is turned over`;
    }

    // Segments by their left ends.
    const list = Array.from({ length: edges.length >> 1 }, (_, k) => {
      const [a, b] = [edges[2 * k], edges[2 * k + 1]];
      return { a, b, left: Math.min(x[2 * a], x[2 * b]), right: Math.max(x[2 * a], x[2 * b]) };
    });
    list.sort((p, q) => p.left - q.left);
    for (let i = 0; i < list.length; i++) {
      for (let j = i + 1; j < list.length && list[j].left <= list[i].right; j++) {
        const [p, q] = [list[i], list[j]];
        if (this.free(body[p.a], body[q.a])) continue;
        this.tests++;
        if (meet(x, p.a, p.b, q.a, q.b)) return `edge ${p.a}-${p.b} meets edge ${q.a}-${q.b}`;
      }
    }
    return this.circles(x) ?? this.halves(x);
  }

  /** Circles that meet an edge or each other. */
  circles(x) {
    const { disks, radii, body, edges } = this;
    for (let i = 0; i < radii.length; i++) {
      const centre = disks[2 * i];
      const [cx, cy] = [x[2 * centre], x[2 * centre + 1]];
      for (let j = i + 1; j < radii.length; j++) {
        const other = disks[2 * j];
        if (this.free(body[centre], body[other])) continue;
        this.tests++;
        if (Math.hypot(cx - x[2 * other], cy - x[2 * other + 1]) <= radii[i] + radii[j]) return `circles ${centre} and ${other} meet`;
      }
      for (let k = 0; k + 2 <= edges.length; k += 2) {
        const [a, b] = [edges[k], edges[k + 1]];
        if (this.free(body[centre], body[a])) continue;
        this.tests++;
        if (distance(cx, cy, x[2 * a], x[2 * a + 1], x[2 * b], x[2 * b + 1]) <= radii[i]) return `circle ${centre} meets edge ${a}-${b}`;
      }
    }
    return undefined;
  }

  /** Vertices and circles on or behind half-planes that keep their direction. */
  halves(x) {
    const { planes, body, disks, radii } = this;
    for (const { normal, origin_vertex: origin, along_vertex: along } of planes) {
      if (along !== undefined && along !== null) continue;
      const above = (v) => (x[2 * v] - x[2 * origin]) * normal[0] + (x[2 * v + 1] - x[2 * origin + 1]) * normal[1];
      for (const v of this.edges) {
        if (this.free(body[v], body[origin])) continue;
        this.tests++;
        if (above(v) <= 0) return `vertex ${v} is on or behind a half-plane`;
      }
      for (let k = 0; k < radii.length; k++) {
        const centre = disks[2 * k];
        if (!this.free(body[centre], body[origin]) && above(centre) <= radii[k]) return `circle ${centre} meets a half-plane`;
      }
    }
    return undefined;
  }
}
