// Paints the states of one run into a tile.

import { textureSize } from "./decode.js";
import { unitColour } from "./colours.js";
import { Program, arraysOf, formatOf, textureOf } from "./gl.js";
import { ARROWS, DISKS, FACES, LINES, PLANES } from "./shaders.js";

/** Units of the textures. */
const POSITION_UNIT = 0;
const VALUE_UNIT = 1;
const BODY_UNIT = 2;
const SCALE_UNIT = 3;

/** Width of wires and radius of points (pixels). */
const WIRE = 2.5;
const POINT = 3.5;
/** Numbers of an arrow: place, way, colour, style. */
const ARROW = 9;

/** Programs and textures that all runs share. */
export class Toolbox {
  constructor(gl, colours) {
    this.gl = gl;
    this.colours = colours;
    this.faces = new Program(gl, FACES);
    this.lines = new Program(gl, LINES);
    this.disks = new Program(gl, DISKS);
    this.planes = new Program(gl, PLANES);
    this.arrows = new Program(gl, ARROWS);
    this.empty = gl.createVertexArray();

    // Colours of values, from the smallest to the largest.
    gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
    const { scale } = colours.settings;
    this.scale = textureOf(gl, true);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGB8, scale.length, 1, 0, gl.RGB, gl.UNSIGNED_BYTE, new Uint8Array(scale.flat()));

    // Places, ways, colours and styles of arrows, one buffer for all tiles.
    this.arrowData = gl.createBuffer();
    this.arrowArrays = gl.createVertexArray();
    gl.bindVertexArray(this.arrowArrays);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.arrowData);
    let offset = 0;
    for (const [name, size] of [["aAt", 2], ["aWay", 2], ["aColour", 3], ["aStyle", 2]]) {
      const place = gl.getAttribLocation(this.arrows.handle, name);
      gl.enableVertexAttribArray(place);
      gl.vertexAttribPointer(place, size, gl.FLOAT, false, 4 * ARROW, 4 * offset);
      gl.vertexAttribDivisor(place, 1);
      offset += size;
    }
    gl.bindVertexArray(null);
  }
}

/** Painter of a run. */
export class Painter {
  constructor(tools, run) {
    this.tools = tools;
    this.run = run;
    this.gl = tools.gl;
    this.addShapes();
    this.addTextures();
  }

  /** Buffers of everything that is drawn, which states do not change. */
  addShapes() {
    const { gl, tools, run } = this;
    const { faces, edges, springs, points, disks, radii, body } = run.blocks;
    const bodyOf = (vertices, each) => Uint32Array.from({ length: vertices.length / each }, (_, k) => body[vertices[each * k]]);
    const [hasArea, sizes] = [this.areas(), this.sizes()];

    this.faceCount = faces.length;
    this.faces = arraysOf(gl, tools.faces, {
      aVertex: { array: faces, size: 1 },
      aBody: { array: bodyOf(faces, 1), size: 1 },
    });

    // Outlines, wires and springs are lines of different widths.
    const ends = new Uint32Array(edges.length + springs.length);
    ends.set(edges);
    ends.set(springs, edges.length);
    const owners = bodyOf(ends, 2);
    const springWidth = springs.length > 4000 ? 1 : 1.6;
    const widths = Float32Array.from(owners, (owner, k) => {
      if (k >= edges.length / 2) return -springWidth;
      return hasArea[owner] ? sizes[owner] : -WIRE;
    });
    this.lineCount = owners.length;
    this.lines = arraysOf(gl, tools.lines, {
      aEnds: { array: ends, size: 2, divisor: 1 },
      aBody: { array: owners, size: 1, divisor: 1 },
      aSize: { array: widths, size: 1, divisor: 1 },
    });

    // Circles, and points as circles without a spoke.
    const pairs = Uint32Array.from([...disks, ...Array.from(points).flatMap((vertex) => [vertex, vertex])]);
    const reach = Float32Array.from([...radii, ...Array.from(points, () => -POINT)]);
    this.diskCount = reach.length;
    this.disks = arraysOf(gl, tools.disks, {
      aEnds: { array: pairs, size: 2, divisor: 1 },
      aBody: { array: bodyOf(pairs, 2), size: 1, divisor: 1 },
      aRadius: { array: reach, size: 1, divisor: 1 },
    });
  }

  /** For each body whether it has an area or springs within its outline. */
  areas() {
    const { faces, springs, body } = this.run.blocks;
    const has = this.run.head.bodies.map(() => false);
    for (let k = 0; k < faces.length; k += 3) has[body[faces[k]]] = true;
    for (let k = 0; k < springs.length; k += 2) has[body[springs[k]]] = true;
    return has;
  }

  /** Size of each body in the first state (m): four areas over the outline, the side of a square. */
  sizes() {
    const { run } = this;
    const { faces, edges, body } = run.blocks;
    const [areas, outlines] = [run.vertices.map(() => 0), run.vertices.map(() => 0)];
    const places = Array.from({ length: run.head.vertices }, (_, vertex) => run.place(0, vertex));
    for (let k = 0; k < faces.length; k += 3) {
      const [a, b, c] = [places[faces[k]], places[faces[k + 1]], places[faces[k + 2]]];
      areas[body[faces[k]]] += Math.abs((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])) / 2;
    }
    for (let k = 0; k < edges.length; k += 2) {
      const [a, b] = [places[edges[k]], places[edges[k + 1]]];
      outlines[body[edges[k]]] += Math.hypot(b[0] - a[0], b[1] - a[1]);
    }
    return areas.map((area, own) => (area > 0 ? (4 * area) / outlines[own] : Infinity));
  }

  /** Textures of positions and values, which each state fills anew. */
  addTextures() {
    const { gl, run } = this;
    const { numbers, width, height } = run.positions;
    this.positionFormat = formatOf(gl, numbers, 2);
    this.positions = textureOf(gl);
    gl.texStorage2D(gl.TEXTURE_2D, 1, this.positionFormat[0], width, height);
    this.values = {};
    for (const [name, field] of Object.entries(run.fields)) {
      this.values[name] = textureOf(gl);
      gl.texStorage2D(gl.TEXTURE_2D, 1, gl.R8UI, field.width, field.height);
    }
    if (run.fields.stress) {
      const { width: wide, height: high } = textureSize(run.head.vertices + run.head.bodies.length);
      this.smooth = textureOf(gl);
      gl.texStorage2D(gl.TEXTURE_2D, 1, gl.R8UI, wide, high);
    }
    this.noValues = textureOf(gl);
    gl.texStorage2D(gl.TEXTURE_2D, 1, gl.R8UI, 1, 1);
    gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, 1, 1, gl.RED_INTEGER, gl.UNSIGNED_BYTE, new Uint8Array([255]));
    this.shownStates = new Map();

    // A texel for each body, with 0 in the last part for obstacles.
    const { bodies } = run.head;
    const size = textureSize(bodies.length);
    const texels = new Uint8Array(4 * size.width * size.height);
    bodies.forEach((_, k) => texels.set([...this.tools.colours.ofBody(run, k), run.isObstacle[k] ? 0 : 255], 4 * k));
    this.bodies = textureOf(gl);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, size.width, size.height, 0, gl.RGBA, gl.UNSIGNED_BYTE, texels);
  }

  /** Brings a state into the textures, unless it is there. */
  load(state, { quantity, smooth }) {
    const { gl, run } = this;
    gl.activeTexture(gl.TEXTURE0 + POSITION_UNIT);
    gl.bindTexture(gl.TEXTURE_2D, this.positions);
    if (this.shownStates.get(this.positions) !== state) {
      const { numbers, stride, width, height } = run.positions;
      const [, format, type] = this.positionFormat;
      gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, width, height, format, type, numbers, 2 * stride * run.slot(state));
      this.shownStates.set(this.positions, state);
    }

    const field = run.fields[quantity];
    gl.activeTexture(gl.TEXTURE0 + VALUE_UNIT);
    const isSmooth = smooth && quantity === "stress" && field;
    gl.bindTexture(gl.TEXTURE_2D, isSmooth ? this.smooth : field ? this.values[quantity] : this.noValues);
    if (isSmooth && this.shownStates.get(this.smooth) !== state) {
      const { levels, width, height } = run.smoothStress(state);
      gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, width, height, gl.RED_INTEGER, gl.UNSIGNED_BYTE, levels);
      this.shownStates.set(this.smooth, state);
    } else if (field && !isSmooth && this.shownStates.get(field) !== state) {
      const { levels, stride, width, height } = field;
      gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, width, height, gl.RED_INTEGER, gl.UNSIGNED_BYTE, levels, stride * run.slot(state));
      this.shownStates.set(field, state);
    }
    gl.activeTexture(gl.TEXTURE0 + BODY_UNIT);
    gl.bindTexture(gl.TEXTURE_2D, this.bodies);
    gl.activeTexture(gl.TEXTURE0 + SCALE_UNIT);
    gl.bindTexture(gl.TEXTURE_2D, this.tools.scale);
  }

  /**
   * Paints a state into the tile that is the current viewport. `tile` has the camera, the ratio of
   * device pixels to those of style sheets and the place of the tile; `shown` what is shown. All is
   * moved `by` a displacement (m), as the neighbours of a cell are.
   */
  paint(state, tile, shown, arrows, by = [0, 0]) {
    const { gl, tools, run } = this;
    this.load(state, shown);
    const values = this.uniforms(state, tile, shown, by);
    gl.enable(gl.BLEND);
    gl.blendFuncSeparate(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA, gl.ONE, gl.ONE_MINUS_SRC_ALPHA);

    this.paintPlanes(state, tile);
    tools.faces.use({ ...values, uElements: run.head.elements, uVertices: run.head.vertices, uMesh: shown.mesh ? 0.4 : 0 });
    gl.bindVertexArray(this.faces.object);
    gl.drawArrays(gl.TRIANGLES, 0, this.faceCount);
    tools.lines.use(values);
    gl.bindVertexArray(this.lines.object);
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, this.lineCount);
    tools.disks.use(values);
    gl.bindVertexArray(this.disks.object);
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, this.diskCount);
    this.paintArrows(arrows, values);
    gl.bindVertexArray(null);
  }

  /** Values of all uniforms of a tile. */
  uniforms(state, tile, { quantity, range, selected, smooth, grey }, by) {
    const { run, tools } = this;
    const { camera, ratio } = tile;
    const { head } = run;
    const { theme, marks, settings } = tools.colours;
    const field = run.fields[quantity];
    const cells = [(camera.x - by[0] - head.origin[0]) / head.spacing, (camera.y - by[1] - head.origin[1]) / head.spacing];
    const whole = cells.map((cell) => Math.max(-1e9, Math.min(1e9, Math.floor(cell))));
    const isSmooth = smooth && quantity === "stress" && field;
    const mode = isSmooth ? 1 : !field ? (quantity === "body" ? 0 : 2) : quantity === "pressure" ? 3 : field.at_vertices ? 1 : 2;
    return {
      uPositions: POSITION_UNIT,
      uValues: VALUE_UNIT,
      uBodies: BODY_UNIT,
      uScale: SCALE_UNIT,
      uWidth: run.positions.width,
      uCell: whole,
      uFraction: [cells[0] - whole[0], cells[1] - whole[1]],
      uPixels: head.spacing * camera.scale * ratio,
      uHalf: [0.5 * camera.width * ratio, 0.5 * camera.height * ratio],
      uScalePixels: camera.scale,
      uRatio: ratio,
      uValueWidth: (isSmooth ? run.smooth : field)?.width ?? 1,
      uMode: mode,
      uLargest: field?.tops[state] ?? 0,
      uGrey: [...unitColour(settings.obstacle), grey ? 0.85 : 0],
      uRange: range,
      uSelected: selected ?? -1,
      uTint: [...unitColour(theme.paper), theme.tint],
      uShade: [...unitColour(theme.shadeTo), theme.shade],
      uInk: unitColour(theme.ink),
      uMissing: unitColour(settings.missing).map((part, k) => 0.55 * part + 0.45 * unitColour(theme.paper)[k]),
      uAccent: unitColour(marks.accent),
    };
  }

  /** Paints the solid sides of all half-planes. */
  paintPlanes(state, tile) {
    const { gl, tools, run } = this;
    const { camera, ratio } = tile;
    const { theme, settings } = tools.colours;
    const towards = (a, b, t) => unitColour(a).map((part, k) => part + t * (unitColour(b)[k] - part));
    gl.bindVertexArray(tools.empty);
    for (const plane of run.head.planes) {
      const [x, y] = run.place(state, plane.origin_vertex);
      let normal = plane.normal;
      if (plane.along_vertex !== undefined) {
        const [ax, ay] = run.place(state, plane.along_vertex);
        const length = Math.hypot(ax - x, ay - y) || 1;
        normal = [-(ay - y) / length, (ax - x) / length];
      }
      tools.planes.use({
        uMiddle: [tile.left * ratio + 0.5 * camera.width * ratio, tile.bottom * ratio + 0.5 * camera.height * ratio],
        uOrigin: [(x - camera.x) * camera.scale * ratio, (y - camera.y) * camera.scale * ratio],
        uNormal: normal,
        uRatio: ratio,
        uFill: towards(settings.obstacle, theme.paper, plane.moves ? 0.62 : 0.74),
        uLine: towards(settings.obstacle, theme.ink, 0.25),
      });
      gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    }
  }

  /** Paints arrows and marks. */
  paintArrows(arrows, values) {
    if (arrows.length === 0) return;
    const { gl, tools } = this;
    tools.arrows.use(values);
    gl.bindVertexArray(tools.arrowArrays);
    gl.bindBuffer(gl.ARRAY_BUFFER, tools.arrowData);
    gl.bufferData(gl.ARRAY_BUFFER, arrows, gl.DYNAMIC_DRAW);
    gl.drawArraysInstanced(gl.TRIANGLES, 0, 9, arrows.length / ARROW);
  }
}
