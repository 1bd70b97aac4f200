// The stage of the live page: the picture, and what the pointer does on it.

import { ArrowList, arrowsOf } from "./arrows.js";
import { Camera } from "./camera.js";
import { cssColour, unitColour } from "./colours.js";
import { roundBelow, short, withUnit } from "./numbers.js";
import { label, paintGhost, paintJoints, paintPressure, spring } from "./overlay.js";
import { element } from "./page.js";
import { Painter, Toolbox } from "./painter.js";
import { boxOf, outlineOf } from "./pen.js";

/** Distance within which a body is grabbed beside its area (pixels), for a mouse and for a finger. */
const REACH = { mouse: 14, touch: 26, pen: 16 };
/** Radius of the rigid finger (pixels). */
const FINGER = 17;
/** Largest number of places that a finger tries on the way of its pointer, while the engine looks for room. */
const TRAIL = 64;
/** Radius of a ball that is shot (pixels). */
const BALL = 7;
/** Length of the arrow of a usual force (pixels). */
const FORCE = 46;

/** Canvas, camera and pointers. */
export class LiveStage {
  constructor(page) {
    this.page = page;
    this.host = element("stage");
    this.canvas = element("canvas");
    this.over = element("over");
    this.bar = this.host.querySelector(".bar");
    this.gl = this.canvas.getContext("webgl2", { antialias: true, alpha: false, preserveDrawingBuffer: true });
    if (!this.gl) throw new Error("this browser has no WebGL 2, which the picture needs; open the page in another one, or allow the graphics card in its settings");
    this.camera = new Camera();
    this.pointers = new Map();
    this.strokes = new Map();
    this.forceScale = 0;
    this.isDue = true;
    new ResizeObserver(() => this.layOut()).observe(this.host);
    this.listen();
    this.canvas.addEventListener("webglcontextlost", (event) => event.preventDefault());
    this.canvas.addEventListener("webglcontextrestored", () => this.show(this.run));
  }

  /** Shows a scene; the camera stays where it is if `keeps`. */
  show(run, keeps = false) {
    const isNew = !this.run;
    this.run = run;
    this.tools = new Toolbox(this.gl, this.page.colours);
    this.painter = new Painter(this.tools, run);
    if (!keeps || isNew) {
      this.layOut();
      this.fit();
      this.forceScale = 0;
      this.pressureScale = 0;
    }
    this.due();
  }

  /** Takes the size of the stage. */
  layOut() {
    const { clientWidth: width, clientHeight: height } = this.host;
    if (width === 0 || height === 0) return;
    this.ratio = Math.min(3, window.devicePixelRatio || 1);
    for (const canvas of [this.canvas, this.over]) {
      canvas.width = Math.round(width * this.ratio);
      canvas.height = Math.round(height * this.ratio);
    }
    this.camera.resize(width, height);
    if (this.run && !this.isMoved) this.fit();
    this.due();
  }

  /** Shows all of the scene. */
  fit() {
    this.camera.fit(this.run.view());
    this.isMoved = false;
    this.due();
  }

  /** Moves the camera. */
  move(change) {
    change(this.camera);
    this.isMoved = true;
    this.due();
  }

  /** Asks for a new picture. */
  due() {
    this.isDue = true;
  }

  /** Paints, if something has changed; returns whether it has. */
  paint() {
    if (!this.isDue || !this.run || !this.ratio) return false;
    this.isDue = false;
    const { gl, camera, ratio, page, run } = this;
    const tile = { camera, ratio, left: 0, bottom: 0 };
    gl.disable(gl.SCISSOR_TEST);
    gl.viewport(0, 0, this.canvas.width, this.canvas.height);
    gl.clearColor(...unitColour(page.colours.theme.paper), 1);
    gl.clear(gl.COLOR_BUFFER_BIT);
    const arrows = this.arrows();
    const shown = { quantity: page.quantity, range: [0, page.top], selected: page.selected, mesh: page.shown.mesh, smooth: false, grey: false };
    this.painter.paint(run.state, tile, shown, arrows.finish());
    this.paintOver();
    this.label();
    return true;
  }

  /** Arrows of the forces of contacts; their scale follows the largest ones slowly. */
  arrows() {
    const { page, run, camera } = this;
    if (!page.shown.normal && !page.shown.friction) return new ArrowList(camera, page.colours);
    const sizes = run.contacts().map(({ force }) => force).sort((a, b) => a - b);
    const usual = sizes[Math.floor(0.9 * sizes.length)] ?? 0;
    if (usual > 0) {
      const wanted = FORCE / usual;
      this.forceScale = this.forceScale ? this.forceScale * (wanted / this.forceScale) ** 0.04 : wanted;
    }
    return arrowsOf(run, run.state, camera, page.colours, page.shown, this.forceScale, undefined);
  }

  /** Hands with their forces, pins, and what is drawn. */
  paintOver() {
    const { over, ratio, camera, page } = this;
    const context = over.getContext("2d");
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, over.width, over.height);
    const accent = cssColour(page.colours.marks.accent);
    const paper = cssColour(page.colours.theme.paper);

    this.paintMechanics(context);

    // The engine knows where points and places are; the pointer is a little ahead of it.
    for (const hold of this.run.frame.hands) {
      const [px, py] = camera.pixel(hold.point);
      const [tx, ty] = camera.pixel(hold.to);
      const force = Math.hypot(...hold.force);
      context.lineCap = "round";
      for (const [colour, width] of [[paper, 5], [accent, 2.4]]) {
        context.strokeStyle = colour;
        context.lineWidth = width;
        context.beginPath();
        spring(context, [px, py], [tx, ty]);
        context.stroke();
      }
      for (const [x, y, radius] of [[px, py, 4], [tx, ty, 6]]) {
        context.beginPath();
        context.arc(x, y, radius, 0, 2 * Math.PI);
        context.fillStyle = accent;
        context.fill();
        context.lineWidth = 1.5;
        context.strokeStyle = paper;
        context.stroke();
      }
      label(context, withUnit(force, "N"), [tx, ty - 20], accent, paper);
    }

    // What is being drawn.
    for (const form of this.strokes.values()) {
      context.strokeStyle = form.isRefused ? cssColour(page.colours.marks.normal) : accent;
      context.fillStyle = page.colours.name === "dark" ? "rgb(255 95 185 / .18)" : "rgb(214 0 110 / .12)";
      context.lineWidth = 2;
      context.beginPath();
      if (form.line) {
        form.line.map((place) => camera.pixel(place)).forEach(([x, y], k) => (k ? context.lineTo(x, y) : context.moveTo(x, y)));
        context.stroke();
        continue;
      }
      if (form.radius) {
        const [x, y] = camera.pixel(form.centre);
        context.arc(x, y, form.radius * camera.scale, 0, 2 * Math.PI);
      } else {
        form.points.map((place) => camera.pixel(place)).forEach(([x, y], k) => (k ? context.lineTo(x, y) : context.moveTo(x, y)));
        if (form.isClosed) context.closePath();
      }
      context.fill();
      context.stroke();
    }
  }

  /** Joints, the ghost and pressure, below hands. */
  paintMechanics(context) {
    const { camera, page, run } = this;
    const [ink, paper, soft] = ["ink", "paper", "soft"].map((name) => cssColour(page.colours.theme[name] ?? page.colours.theme.ink));
    const pixelAt = (x) => (vertex) => camera.pixel([x[2 * vertex], x[2 * vertex + 1]]);
    const ghost = page.shown.ghost && !this.past && page.film.ghostAt(run.frame.time, run.x.length);
    if (ghost) paintGhost(context, { edges: run.blocks.edges, circles: run.disksOf() }, pixelAt(ghost), { colour: soft, scale: camera.scale });

    const { pressure, joints } = run.frame.arrays;
    if (page.shown.pressure && pressure && !this.past) {
      const most = paintPressure(context, run.blocks.edges, pressure, pixelAt(run.x), { scale: this.pressureScale || 0, colour: cssColour(page.colours.marks.normal) });
      if (most > 0) this.pressureScale = this.pressureScale ? this.pressureScale * (1 / most / this.pressureScale) ** 0.06 : 1 / most;
      page.pressure = most;
    }
    if (page.shown.joints) {
      const ends = Array.from({ length: joints.length >> 2 }, (_, k) => [0, 2].map((side) => camera.pixel([joints[4 * k + side], joints[4 * k + side + 1]])));
      paintJoints(context, run.head.ties ?? [], ends, [ink, paper]);
    }
  }

  /** Paints a state of the film with nothing of hands; without one the present state again. */
  paintPast(state) {
    const { run, page } = this;
    this.past = state;
    this.present ??= { frame: run.frame, quantity: page.quantity };
    const { frame, quantity } = this.present;
    page.quantity = state ? "body" : quantity;
    run.update(state ? { ...frame, hands: [], arrays: { ...frame.arrays, x: state.x, joints: state.joints, contacts_list: [] } } : frame);
    if (!state) this.present = undefined;
    this.isDue = true;
    this.paint();
  }

  /** The scale bar: a round length of 60 to 150 pixels. */
  label() {
    const { camera, bar } = this;
    const length = roundBelow(Math.min(150, 0.3 * camera.width) / camera.scale);
    bar.style.width = `${length * camera.scale}px`;
    const text = length >= 1000 ? `${short(length / 1000)} km` : length >= 1 ? `${short(length)} m` : length >= 0.01 ? `${short(100 * length)} cm` : length >= 1e-3 ? `${short(1000 * length)} mm` : `${short(1e6 * length)} µm`;
    if (bar.firstChild.textContent !== text) bar.firstChild.textContent = text;
  }

  /** Place (m) of an event. */
  placeOf(event) {
    const box = this.canvas.getBoundingClientRect();
    return this.camera.place([event.clientX - box.left, event.clientY - box.top]);
  }

  /** Pointer and wheel. */
  listen() {
    const { canvas } = this;
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      const box = canvas.getBoundingClientRect();
      const lines = event.deltaMode === 1 ? 24 : 1;
      const factor = Math.exp(-Math.max(-120, Math.min(120, event.deltaY * lines)) * 0.0022);
      this.move((camera) => camera.zoom(factor, [event.clientX - box.left, event.clientY - box.top]));
    }, { passive: false });
    canvas.addEventListener("pointerdown", (event) => this.down(event));
    canvas.addEventListener("pointermove", (event) => this.moved(event));
    for (const kind of ["pointerup", "pointercancel"]) canvas.addEventListener(kind, (event) => this.up(event));
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
  }

  /** A pointer goes down: it grabs, draws, takes out, or moves the picture. */
  async down(event) {
    this.canvas.setPointerCapture(event.pointerId);
    const pixel = [event.clientX, event.clientY];
    const place = this.placeOf(event);
    const pointer = { pixel, start: pixel, place, kind: "none", way: 0 };
    this.pointers.set(event.pointerId, pointer);
    const { tool } = this.page;
    if (event.button === 1 || event.button === 2) {
      pointer.kind = "pan";
      return;
    }
    if (tool === "pen") {
      pointer.kind = "draw";
      this.strokes.set(event.pointerId, { points: [place] });
      return;
    }
    if (["box", "disk", "rope", "spring", "shoot"].includes(tool)) {
      pointer.kind = "draw";
      return;
    }
    const touch = (REACH[event.pointerType] ?? REACH.mouse) / this.camera.scale;
    if (tool === "hinge") {
      pointer.kind = "none";
      await this.page.join("hinge", place, place, touch);
      return;
    }
    if (tool === "finger") {
      pointer.trail = [place];
      await this.push(event.pointerId, pointer);
      return;
    }

    // Until the engine has said what is there, nothing moves.
    pointer.kind = "asked";
    const found = await this.page.grab(place, touch, tool);
    if (!this.pointers.has(event.pointerId) && tool !== "delete") {
      found?.free?.();
      return;
    }
    pointer.kind = found ? "hand" : "pan";
    if (found?.copies) {
      pointer.kind = "draw";
      pointer.copies = found.copies;
      return;
    }
    pointer.hand = found;
    found?.pull?.(pointer.place);
  }

  /** A rigid finger follows a pointer, from the first place on its way where there is room. */
  async push(id, pointer) {
    pointer.kind = "asked";
    const radius = FINGER / this.camera.scale;
    const finger = await this.page.finger(pointer.trail.shift(), radius);
    if (!this.pointers.has(id)) {
      finger?.free();
      return;
    }
    if (finger) {
      pointer.kind = "hand";
      pointer.hand = finger;
      finger.pull(pointer.place);
    } else if (pointer.trail.length > 0) await this.push(id, pointer);
    else pointer.kind = "seeking";
  }

  /** A pointer moves. */
  moved(event) {
    const pointer = this.pointers.get(event.pointerId);
    const place = this.placeOf(event);
    if (!pointer) return;
    const now = [event.clientX, event.clientY];
    const [dx, dy] = [now[0] - pointer.pixel[0], now[1] - pointer.pixel[1]];
    pointer.way += Math.hypot(dx, dy);
    const before = pointer.pixel;
    pointer.pixel = now;
    if (["asked", "seeking"].includes(pointer.kind)) {
      pointer.place = place;
      if (pointer.trail?.length < TRAIL) pointer.trail.push(place);
    }
    if (pointer.kind === "seeking") this.push(event.pointerId, pointer);
    if (pointer.kind === "hand") pointer.hand.pull?.(place);
    if (pointer.kind === "draw") this.draw(event.pointerId, pointer, place);
    if (pointer.kind !== "pan") return;

    // Two fingers on the ground zoom.
    const other = [...this.pointers.values()].find((each) => each !== pointer && each.kind === "pan");
    if (other) {
      const apart = (point) => Math.hypot(point[0] - other.pixel[0], point[1] - other.pixel[1]) || 1;
      const box = this.canvas.getBoundingClientRect();
      const middle = [(now[0] + other.pixel[0]) / 2 - box.left, (now[1] + other.pixel[1]) / 2 - box.top];
      this.move((camera) => {
        camera.zoom(apart(now) / apart(before), middle);
        camera.pan(dx / 2, dy / 2);
      });
    } else {
      this.move((camera) => camera.pan(dx, dy));
    }
  }

  /** What a pointer has drawn so far. */
  draw(id, pointer, place) {
    const { tool } = this.page;
    if (pointer.copies || ["rope", "spring", "shoot"].includes(tool)) this.strokes.set(id, { line: [pointer.place, place] });
    else if (tool === "pen") this.strokes.get(id)?.points.push(place);
    else if (tool === "box") this.strokes.set(id, { points: boxOf(pointer.place, place), isClosed: true });
    else this.strokes.set(id, { centre: pointer.place, radius: Math.hypot(place[0] - pointer.place[0], place[1] - pointer.place[1]) });
    this.due();
  }

  /** A line between two places becomes a joint, or says where a copy or a ball goes; what cannot be is red for a
   * moment. */
  async tie(pointer, form, event) {
    const [from, to] = form.line;
    const touch = (REACH[event.pointerType] ?? REACH.mouse) / this.camera.scale;
    if (event.type !== "pointerup" || pointer.way < 12) return;
    const by = [to[0] - from[0], to[1] - from[1]];
    const { page } = this;
    let done;
    if (pointer.copies) done = page.edit("duplicate", { body: pointer.copies, by });
    else if (page.tool === "shoot") done = page.shoot(from, to, BALL / this.camera.scale);
    else done = page.join(page.tool, from, to, touch);
    if (await done) return;
    form.isRefused = true;
    this.due();
    await new Promise((resolve) => setTimeout(resolve, 400));
  }

  /** A pointer goes up. */
  async up(event) {
    const pointer = this.pointers.get(event.pointerId);
    this.pointers.delete(event.pointerId);
    if (!pointer) return;
    if (pointer.kind === "hand") pointer.hand.free?.();
    if (pointer.kind === "pan" && pointer.way < 4) this.page.select(undefined);
    const form = this.strokes.get(event.pointerId);
    if (!form) return;

    if (form.line) {
      await this.tie(pointer, form, event);
      this.strokes.delete(event.pointerId);
      this.due();
      return;
    }

    // A stroke becomes an outline; what cannot be a body is shown in red for a moment.
    const pixel = 1 / this.camera.scale;
    let wanted = form.radius ? form : form.isClosed ? form.points : outlineOf(form.points, pixel);
    if (pointer.way < 12) wanted = undefined;
    const done = event.type === "pointerup" && wanted && (await this.page.addBody(wanted));
    if (!done) {
      form.isRefused = true;
      this.due();
      if (!wanted && pointer.way >= 12) this.page.notice("An outline is a closed curve that does not cross itself, and not too small.");
      await new Promise((resolve) => setTimeout(resolve, 400));
    }
    this.strokes.delete(event.pointerId);
    this.due();
  }
}
