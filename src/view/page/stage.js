// The stage: one canvas with a tile for each run, painted when something has changed.

import { addNetwork, arrowsOf, arrowScale, networkScale } from "./arrows.js";
import { Camera } from "./camera.js";
import { unitColour } from "./colours.js";
import { roundBelow, short, timeText } from "./numbers.js";
import { element } from "./page.js";
import { Painter, Toolbox } from "./painter.js";
import { pick } from "./pick.js";
import { cellsOf, drawSurroundings } from "./surroundings.js";
import { drawNumbers, drawPath, drawPeak, drawSymbols } from "./symbols.js";

/** Quantities whose largest value is marked. */
const PEAKED = ["stress", "pressure"];

/** Canvas with the tiles of all runs. */
export class Stage {
  constructor(viewer) {
    this.viewer = viewer;
    this.host = element("stage");
    this.canvas = element("canvas");
    this.over = element("over");
    this.gl = this.canvas.getContext("webgl2", { antialias: true, alpha: false, preserveDrawingBuffer: true });
    if (!this.gl) throw new Error("this browser has no WebGL 2, which the picture needs; open the page in another one, or allow the graphics card in its settings");
    this.prepare();
    this.scale = arrowScale(viewer.runs);
    this.isDue = true;
    new ResizeObserver(() => this.layOut()).observe(this.host);
    this.layOut();
    this.fit();
    this.listen();

    // A browser may take the graphics card away, and give it back.
    this.canvas.addEventListener("webglcontextlost", (event) => event.preventDefault());
    this.canvas.addEventListener("webglcontextrestored", () => {
      this.prepare();
      this.due();
    });
  }

  /** Everything that lives on the graphics card. */
  prepare() {
    const tools = new Toolbox(this.gl, this.viewer.colours);
    const painters = this.viewer.runs.map((run) => new Painter(tools, run));
    if (!this.tiles) {
      this.tiles = painters.map((painter, k) => ({ painter, camera: new Camera(), caption: this.captionOf(k) }));
    }
    this.tiles.forEach((tile, k) => (tile.painter = painters[k]));
  }

  /** Name and scale bar on a tile. */
  captionOf(k) {
    const box = document.createElement("div");
    box.className = "tile";
    const name = document.createElement("button");
    name.className = "tile-name";
    name.type = "button";
    name.addEventListener("click", () => this.viewer.activate(k));
    const bar = document.createElement("div");
    bar.className = "bar";
    bar.append(document.createElement("span"));
    box.append(name, bar);
    this.host.append(box);
    return { box, name, bar };
  }

  /** Places the tiles: as near to squares as the stage allows. */
  layOut() {
    const { clientWidth: width, clientHeight: height } = this.host;
    if (width === 0 || height === 0) return;
    this.ratio = Math.min(3, window.devicePixelRatio || 1);
    for (const canvas of [this.canvas, this.over]) {
      canvas.width = Math.round(width * this.ratio);
      canvas.height = Math.round(height * this.ratio);
    }

    const count = this.tiles.length;
    let columns = 1;
    const size = (tried) => Math.min(width / tried, height / Math.ceil(count / tried));
    for (let tried = 2; tried <= count; tried++) if (size(tried) > size(columns)) columns = tried;
    const rows = Math.ceil(count / columns);
    this.tiles.forEach((tile, k) => {
      const [tileWidth, tileHeight] = [width / columns, height / rows];
      Object.assign(tile, { left: (k % columns) * tileWidth, top: Math.floor(k / columns) * tileHeight, ratio: this.ratio });
      tile.bottom = height - tile.top - tileHeight;
      tile.camera.resize(tileWidth, tileHeight);
      Object.assign(tile.caption.box.style, { left: `${tile.left}px`, top: `${tile.top}px`, width: `${tileWidth}px`, height: `${tileHeight}px` });
    });
    if (!this.isMoved) this.fit();
    this.due();
  }

  /** Shows all of each run, as its scene asks for. */
  fit() {
    for (const tile of this.tiles) tile.camera.fit(tile.painter.run.head.view);
    this.isMoved = false;
    this.due();
  }

  /** Shows all bodies of the states, whatever the scenes ask for. */
  fitBodies() {
    this.tiles.forEach(({ camera, painter: { run } }, k) => camera.fit(run.boxOf(this.viewer.states[k])));
    this.isMoved = true;
    this.due();
  }

  /** Moves the cameras of all runs, or that of one. */
  move(change, tile) {
    const moved = this.viewer.isLinked || !tile ? this.tiles : [tile];
    for (const { camera } of moved) change(camera);
    this.isMoved = true;
    this.due();
  }

  /** Asks for a new picture. */
  due() {
    this.isDue = true;
  }

  /** Paints all tiles, if something has changed; returns whether it has. */
  paint() {
    if (!this.isDue) return false;
    this.isDue = false;
    const { gl, viewer, ratio } = this;
    const { states, colours, shown, selected } = viewer;
    this.follow();
    const range = viewer.scale.quantity === "body" ? [0, 1] : viewer.scale.range(states);
    viewer.legend.showRange(range);
    viewer.legend.showExtremes();
    gl.enable(gl.SCISSOR_TEST);
    const context = this.over.getContext("2d");
    context.clearRect(0, 0, this.over.width, this.over.height);
    this.tiles.forEach((tile, k) => {
      const { camera, painter } = tile;
      const box = [tile.left, tile.bottom, camera.width, camera.height].map((length) => Math.round(length * ratio));
      gl.viewport(...box);
      gl.scissor(...box);
      gl.clearColor(...unitColour(colours.theme.paper), 1);
      gl.clear(gl.COLOR_BUFFER_BIT);
      const arrows = this.arrows(tile, k);
      const own = selected?.run === k ? selected.body : undefined;
      const what = { quantity: viewer.scale.quantity, range, selected: own, mesh: shown.mesh, smooth: viewer.isSmooth, grey: shown.network };
      const cells = cellsOf(painter.run, states[k], shown.cells);
      cells.forEach((cell, number) => painter.paint(states[k], tile, what, number + 1 < cells.length ? [] : arrows.finish(), cell));
      this.paintOver(context, tile, k, arrows, range);
      this.label(tile, k);
    });
    return true;
  }

  /** Symbols, numbers and the place of the largest stress or pressure over a tile. */
  paintOver(context, tile, k, { labels }, range) {
    const { shown, colours, states, scale } = this.viewer;
    const { run } = tile.painter;
    const state = states[k];
    context.save();
    context.setTransform(this.ratio, 0, 0, this.ratio, tile.left * this.ratio, tile.top * this.ratio);
    context.beginPath();
    context.rect(0, 0, tile.camera.width, tile.camera.height);
    context.clip();
    const extremes = PEAKED.includes(scale.quantity) && run.fields[scale.quantity] && run.extremesIn(scale.quantity, state);
    if (extremes) drawPeak(context, tile, extremes, range, colours);
    drawSurroundings(context, tile, run, state, shown, colours);
    if (shown.path && this.viewer.selected?.run === k) drawPath(context, tile, run, this.viewer.selected, state, colours);
    if (shown.symbols) drawSymbols(context, tile, run, state, colours);
    drawNumbers(context, tile, labels, colours);
    context.restore();
  }

  /** The picture with all that stands over it, as a data URL. */
  picture() {
    const whole = document.createElement("canvas");
    [whole.width, whole.height] = [this.canvas.width, this.canvas.height];
    const context = whole.getContext("2d");
    context.drawImage(this.canvas, 0, 0);
    context.drawImage(this.over, 0, 0);
    return whole.toDataURL();
  }

  /** Arrows and marks of a tile. */
  arrows(tile, k) {
    const { viewer } = this;
    const { run } = tile.painter;
    const state = viewer.states[k];
    const pair = viewer.active === k ? viewer.pair : undefined;
    const list = arrowsOf(run, state, tile.camera, viewer.colours, viewer.shown, this.scale * viewer.arrowFactor, pair);
    if (viewer.shown.network) {
      this.network ??= networkScale(viewer.runs);
      const { scale, widest } = this.network;
      addNetwork(list, run, state, { scale: scale * viewer.arrowFactor, widest: widest * Math.max(1, viewer.arrowFactor) });
    }
    const { selected } = viewer;
    if (selected?.run === k && selected.vertex !== undefined) list.dot(run.place(state, selected.vertex), "accent", 9);
    return list;
  }

  /** Moves the cameras by what the followed body has moved since the last call, which may be before the next picture. */
  follow() {
    const { selected, isFollowing, states, runs } = this.viewer;
    if (!selected || !isFollowing) return;
    const run = runs[selected.run];
    const at = selected.vertex === undefined ? run.centre(states[selected.run], selected.body) : run.place(states[selected.run], selected.vertex);
    const before = this.followed;
    this.followed = { at, selected };
    if (before?.selected !== selected) return;
    const [dx, dy] = [at[0] - before.at[0], at[1] - before.at[1]];
    const moved = this.viewer.isLinked ? this.tiles : [this.tiles[selected.run]];
    for (const { camera } of moved) {
      camera.x += dx;
      camera.y += dy;
    }
    if (dx || dy) this.isMoved = true;
  }

  /** Name, step and time of a tile, and its scale bar. */
  label({ camera, caption, painter: { run } }, k) {
    const { viewer } = this;
    const state = viewer.states[k];
    const isOver = viewer.clock.time > run.times.at(-1) * (1 + 1e-9);
    const end = isOver ? " (ended)" : "";
    const text = `${viewer.nameOf(k)} · step ${run.steps[state]} · ${timeText(run.times[state], viewer.stepOf(run))} s${end}`;
    if (caption.name.textContent !== text) caption.name.textContent = text;
    caption.name.classList.toggle("active", viewer.runs.length > 1 && viewer.active === k);

    // A round length of 60 to 150 pixels.
    const length = roundBelow(Math.min(150, 0.3 * camera.width) / camera.scale);
    caption.bar.style.width = `${length * camera.scale}px`;
    const words = length >= 1000 ? `${short(length / 1000)} km` : length >= 1 ? `${short(length)} m` : length >= 0.01 ? `${short(100 * length)} cm` : length >= 1e-3 ? `${short(1000 * length)} mm` : `${short(1e6 * length)} µm`;
    if (caption.bar.firstChild.textContent !== words) caption.bar.firstChild.textContent = words;
  }

  /** The tile below a pixel of the stage, and the pixel in it. */
  tileAt(event) {
    const box = this.canvas.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    const tile = this.tiles.find(({ left, top, camera }) => x >= left && x < left + camera.width && y >= top && y < top + camera.height);
    return tile ? { tile, pixel: [x - tile.left, y - tile.top] } : undefined;
  }

  /** Pointer and wheel: drag pans, wheel and two fingers zoom, a click picks. */
  listen() {
    const pointers = new Map();
    let way = 0;
    const { canvas } = this;
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      const at = this.tileAt(event);
      if (!at) return;
      const lines = event.deltaMode === 1 ? 24 : 1;
      const factor = Math.exp(-Math.max(-120, Math.min(120, event.deltaY * lines)) * 0.0022);
      this.move((camera) => camera.zoom(factor, at.pixel), at.tile);
    }, { passive: false });
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      pointers.set(event.pointerId, [event.clientX, event.clientY]);
      if (pointers.size === 1) way = 0;
    });
    canvas.addEventListener("pointermove", (event) => {
      const before = pointers.get(event.pointerId);
      const at = this.tileAt(event);
      if (!before || !at) return;
      const now = [event.clientX, event.clientY];
      const [dx, dy] = [now[0] - before[0], now[1] - before[1]];
      way += Math.hypot(dx, dy);
      if (pointers.size === 2) {
        const other = [...pointers].find(([id]) => id !== event.pointerId)[1];
        const apart = (point) => Math.hypot(point[0] - other[0], point[1] - other[1]) || 1;
        this.move((camera) => camera.zoom(apart(now) / apart(before), at.pixel), at.tile);
      } else if (way > 4) {
        this.move((camera) => camera.pan(dx, dy), at.tile);
      }
      pointers.set(event.pointerId, now);
    });
    const end = (event) => {
      const wasOne = pointers.size === 1;
      if (pointers.delete(event.pointerId) && wasOne && way <= 4 && event.type === "pointerup") this.click(event);
    };
    canvas.addEventListener("pointerup", end);
    canvas.addEventListener("pointercancel", end);
  }

  /** Chooses what is below the pointer. */
  click(event) {
    const at = this.tileAt(event);
    if (!at) return;
    const k = this.tiles.indexOf(at.tile);
    const found = pick(at.tile.painter.run, this.viewer.states[k], at.tile.camera, at.pixel);
    this.viewer.select(found && { run: k, ...found });
  }
}
