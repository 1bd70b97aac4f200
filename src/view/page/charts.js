// Charts in step with the picture: energies, forces, the motion of a body, and what the solver did. A click seeks.

import { motionOf } from "./motion.js";
import { prefixed, short, withUnit } from "./numbers.js";

/** Number of curves that are shown at first. */
const CURVES = 6;
/** Names of columns for readers. */
const WORDS = {
  newton_iterations: "Newton iterations",
  min_gap: "smallest gap",
  momentum_x: "momentum x",
  momentum_y: "momentum y",
  friction: "friction (lagged)",
};

/** Name of a column for readers. */
function worded(column) {
  return WORDS[column] ?? column.replaceAll("_", " ");
}

/** A column of a run's table as a curve. */
function columnOf(run, column, more) {
  return { label: worded(column), times: run.times, values: run.table[column], ...more };
}

/** Choices of the chart of energies: all of one run, or each one of all runs. */
export function energyChoices(runs) {
  const names = [...new Set(runs.flatMap((run) => run.head.energies.map((k) => run.head.columns[k])))];
  const each = names.map((name) => ({
    name: worded(name),
    curves: () => runs.flatMap((run, k) => (run.table[name] ? [columnOf(run, name, { label: labelOf(runs, k, worded(name)), unit: "J" })] : [])),
  }));
  if (runs.length > 1) return [each.at(-1), ...each.slice(0, -1)];
  // The total first, since a small chart names few curves at once.
  const sorted = ["total", ...names.filter((name) => name !== "total")].filter((name) => names.includes(name));
  const all = () => sorted.map((name) => columnOf(runs[0], name, { unit: "J", hidden: name === "friction" }));
  return [{ name: "all energies", curves: all }, ...each];
}

/** Label of a curve: that of the run if there are several. */
function labelOf(runs, k, label) {
  return runs.length > 1 ? `${k + 1} ${runs[k].head.folder || runs[k].head.name}` : label;
}

/** Curves of the motion of a body: name, unit, and the curves of one chart. */
const MOTIONS = [
  ["place", "m", ["x", "y"]],
  ["velocity", "m/s", ["vx", "vy", "speed"]],
  ["angle", "rad", ["angle"]],
  ["spin", "rad/s", ["spin"]],
  ["kinetic energy", "J", ["kinetic"]],
  ["contact force", "N", ["force"]],
];

/** Choices of the chart of a body; `chosen` gives its number and its run. Other runs show their body of the same name. */
export function bodyChoices(runs, chosen) {
  const bodyOf = (run) => {
    const { name } = runs[chosen().run].head.bodies[chosen().body];
    return run.head.bodies.findIndex((body) => body.name === name);
  };
  const curve = (run, k, column, unit) => {
    const body = bodyOf(run);
    const values = body < 0 ? undefined : motionOf(run, body)[column];
    return values ? [{ label: labelOf(runs, k, column === "kinetic" ? "kinetic energy" : column), times: run.times, values, unit }] : [];
  };
  const choice = (name, unit, columns) => ({ name, group: "Body", curves: () => columns.flatMap((column) => runs.flatMap((run, k) => curve(run, k, column, unit))) });
  const known = MOTIONS.filter(([, , [column]]) => column !== "force" || runs.some((run) => run.blocks.contact_counts));
  if (runs.length === 1) return known.map(([name, unit, columns]) => choice(name, unit, columns));
  return known.flatMap(([name, unit, columns]) => columns.map((column) => choice(columns.length > 1 ? column : name, unit, [column])));
}

/** Choices of the measures of the scenes. */
export function measureChoices(runs) {
  const names = [...new Set(runs.flatMap((run) => run.head.measures.map(([name]) => name)))];
  const curve = (run, k, name) => {
    const column = run.head.measures.findIndex(([own]) => own === name);
    if (column < 0 || run.blocks.measure_time.length === 0) return [];
    const { measure_time: times, measures: values } = run.blocks;
    const own = Array.from(times, (_, row) => values[row * run.head.measures.length + column]);
    const [, unit] = run.head.measures[column];
    return [{ label: labelOf(runs, k, name), times, values: own, unit: unit === "1" ? "" : unit }];
  };
  return names.map((name) => ({ name, group: "Measures", curves: () => runs.flatMap((run, k) => curve(run, k, name)) }));
}

/** Choices of what the solver did. */
export function solverChoices(runs) {
  const single = (column, more) => ({
    name: worded(column),
    group: "Solver",
    curves: () => runs.flatMap((run, k) => (run.table[column] ? [columnOf(run, column, { label: labelOf(runs, k, worded(column)), ...more })] : [])),
  });
  const iterations = { unit: "", stepped: true };
  const gap = { unit: "m", log: true };
  const each = [
    single("newton_iterations", iterations),
    single("min_gap", gap),
    single("contacts", iterations),
    single("imbalance", { unit: "m/s", log: true }),
    single("momentum_x", { unit: "kg m/s" }),
    single("momentum_y", { unit: "kg m/s" }),
  ];
  if (runs.length > 1) return [each[1], each[0], ...each.slice(2)];
  const both = () => [columnOf(runs[0], "newton_iterations", iterations), columnOf(runs[0], "min_gap", { ...gap, right: true })];
  return [{ name: "iterations and gap", group: "Solver", curves: both }, ...each];
}

/** Name of a series of forces for readers. */
function seriesName([kind, first, second, own]) {
  if (kind === "reaction") return `support of ${first} (${second})`;
  if (kind === "joint" && own) return `${own} (joint)`;
  return `${first} – ${second}${kind === "joint" ? " (joint)" : ""}`;
}

/** Forces of all steps of a run by series; a step without a row has none. */
function forceSeries(run) {
  const { force_step: steps, force_time: times, force_series: owners } = run.blocks;
  const first = new Map();
  const clock = [];
  steps.forEach((step, row) => {
    if (first.has(step)) return;
    first.set(step, clock.length);
    clock.push(times[row]);
  });
  const series = run.head.series.map((names) => {
    const zeros = () => new Float64Array(first.size);
    return { name: seriesName(names), kind: names[0], times: clock, force: zeros(), friction: zeros(), rest: zeros(), most: 0 };
  });
  owners.forEach((owner, row) => {
    const own = series[owner];
    const k = first.get(steps[row]);
    const { force_x: fx, force_y: fy, force_friction_x: rx, force_friction_y: ry } = run.blocks;
    own.force[k] = Math.hypot(fx[row], fy[row]);
    own.friction[k] = Math.hypot(rx[row], ry[row]);
    own.rest[k] = Math.hypot(fx[row] - rx[row], fy[row] - ry[row]);
    own.most = Math.max(own.most, own.force[k]);
  });
  return series.sort((a, b) => b.most - a.most);
}

/** Choices of the chart of forces; none if no run has a table of forces. */
export function forceChoices(runs) {
  const all = runs.map((run) => (run.blocks.force_step?.length ? forceSeries(run) : []));
  const names = [...new Set(all.flatMap((series) => series.map(({ name }) => name)))].slice(0, 200);
  if (runs.length > 1) {
    return names.map((name) => ({
      name,
      curves: () => all.flatMap((series, k) => series.filter((own) => own.name === name).map((own) => ({ label: labelOf(runs, k, name), times: own.times, values: own.force, unit: "N" }))),
    }));
  }

  const each = all[0].map((own) => ({
    name: own.name,
    curves: () => {
      const whole = { label: "force", times: own.times, values: own.force, unit: "N" };
      if (!own.friction.some((size) => size > 0)) return [whole];
      return [whole, { ...whole, label: "friction", values: own.friction }, { ...whole, label: "without friction", values: own.rest }];
    },
  }));
  if (each.length === 0) return [];
  const largest = () => all[0].slice(0, CURVES).map((own) => ({ label: own.name, times: own.times, values: own.force, unit: "N" }));
  return [{ name: "largest forces", curves: largest }, ...each];
}

/** Values of an axis as text, all with the same prefix of the unit unless the axis is logarithmic. */
function inOneUnit(splits, { unit, log }) {
  if (log || !unit) return splits.map((value) => (value === null ? "" : unit ? withUnit(value, unit) : short(value)));
  const scaled = prefixed(Math.max(...splits.map(Math.abs)), unit);
  return splits.map((value) => `${short(value / scaled.divisor)} ${scaled.unit}`);
}

/** A chart with a list of choices, a line at the time of the picture, and a legend with values there. */
export class Chart {
  /** `title` names the chart for a choice; `zoomed` is called with the times that it shows, or with nothing for all. */
  constructor(host, title, choices, clock, colours, zoomed) {
    this.title = title;
    this.zoomed = zoomed;
    this.clock = clock;
    this.colours = colours;
    this.choices = choices;
    this.host = host;
    host.innerHTML = "";
    const head = document.createElement("div");
    head.className = "chart-head";
    this.name = document.createElement("h2");
    head.append(this.name);
    if (choices.length > 1) head.append(this.chooser(title(choices[0])));
    this.body = document.createElement("div");
    this.body.className = "chart-body";
    host.append(head, this.body);
    this.choice = choices[0];
    new ResizeObserver(() => this.resize()).observe(this.body);
    this.build();
  }

  /** List of the choices. */
  chooser(title) {
    const select = document.createElement("select");
    select.setAttribute("aria-label", `${title}: curves`);
    const groups = new Map();
    this.choices.forEach(({ name, group }, k) => {
      if (group && !groups.has(group)) groups.set(group, Object.assign(document.createElement("optgroup"), { label: group }));
      (groups.get(group) ?? select).append(new Option(name, k));
    });
    select.append(...groups.values());
    select.addEventListener("change", () => {
      this.choice = this.choices[select.value];
      this.build();
    });
    return select;
  }

  /** Builds the chart again, for another body. */
  rebuild() {
    this.build();
    this.zoom(this.span);
  }

  /** Builds the chart of the current choice. */
  build() {
    this.plot?.destroy();
    this.name.textContent = this.title(this.choice);
    const curves = this.choice.curves();
    const tables = curves.map(({ times, values, log }) => {
      const known = Array.from(values, (value) => (Number.isNaN(value) || (log && !(value > 0)) ? null : value));
      return [Array.from(times), known];
    });
    const data = tables.length ? uPlot.join(tables) : [[0], [null]];
    this.times = data[0];

    const scaleOf = ({ right }) => (right ? "right" : "y");
    const { width, height } = this.size();
    const colour = (name) => () => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
    const axis = { stroke: colour("--soft"), grid: { stroke: colour("--rule"), width: 1 }, ticks: { stroke: colour("--rule"), width: 1, size: 4 }, font: "11px system-ui, sans-serif", gap: 4 };
    const valueAxis = (curve) => ({
      ...axis,
      scale: scaleOf(curve),
      side: curve.right ? 1 : 3,
      size: 58,
      space: 24,
      grid: curve.right ? { show: false } : axis.grid,
      values: (_, splits) => inOneUnit(splits, curve),
    });
    const right = curves.find((curve) => curve.right);
    const options = {
      width,
      height,
      padding: [8, right ? 0 : 18, 0, 0],
      scales: {
        x: { time: false },
        y: { distr: curves[0]?.log ? 3 : 1 },
        ...(right ? { right: { distr: right.log ? 3 : 1 } } : {}),
      },
      axes: [{ ...axis, size: 26, space: 64, values: (_, splits) => splits.map((value) => `${short(value)} s`) }, valueAxis(curves[0] ?? {}), ...(right ? [valueAxis(right)] : [])],
      series: [{ label: "time", value: (_, value) => (value === null ? "–" : `${short(value, 5)} s`) }, ...curves.map((curve, k) => this.seriesOf(curve, k, scaleOf(curve)))],
      cursor: { drag: { x: true, y: false, setScale: true }, points: { size: 6 } },
      hooks: { draw: [() => this.mark()], ready: [() => this.show()], setScale: [(plot, key) => key === "x" && this.tellZoom(plot)] },
    };
    this.isBuilt = false;
    this.plot = new uPlot(options, data, this.body);
    this.line = document.createElement("div");
    this.line.className = "now";
    this.plot.over.append(this.line);
    this.listen();
    this.show();
    this.isBuilt = true;
  }

  /** Shows the time between two moments (s), or all of it. */
  zoom(span) {
    this.span = span;
    const [min, max] = span ?? [this.times[0], this.times.at(-1)];
    const { x } = this.plot.scales;
    if (!(max > min)) return;
    if (x.min !== min || x.max !== max) this.plot.setScale("x", { min, max });
  }

  /** Tells which times the user wants to see. */
  tellZoom(plot) {
    if (!this.isBuilt || plot !== this.plot) return;
    const { min, max } = plot.scales.x;
    const isAll = min <= this.times[0] && max >= this.times.at(-1);
    this.span = isAll ? undefined : [min, max];
    this.zoomed(this.span);
  }

  /** Options of a curve. */
  seriesOf(curve, k, scale) {
    return {
      label: curve.label,
      scale,
      show: !curve.hidden,
      stroke: () => this.colours.ofCurve(k),
      width: 1.6,
      spanGaps: !curve.log,
      paths: curve.stepped ? uPlot.paths.stepped({ align: -1 }) : undefined,
      points: { show: this.times.length < 4 },
      value: (_, value) => (value === null || value === undefined ? "–" : curve.unit ? withUnit(value, curve.unit, 4) : short(value)),
    };
  }

  /** A click that is no drag seeks to its time. */
  listen() {
    const { over } = this.plot;
    let from = 0;
    over.addEventListener("pointerdown", (event) => (from = event.offsetX));
    over.addEventListener("click", (event) => {
      if (Math.abs(event.offsetX - from) < 3) this.clock.seekTime(this.plot.posToVal(event.offsetX, "x"));
    });
    this.isHovered = false;
    over.addEventListener("pointerenter", () => (this.isHovered = true));
    over.addEventListener("pointerleave", () => {
      this.isHovered = false;
      this.show();
    });
  }

  /** Size of the drawing: what the legend leaves of the box. */
  size() {
    const legend = this.plot?.root.querySelector(".u-legend")?.offsetHeight ?? 32;
    return { width: Math.max(120, this.body.clientWidth), height: Math.max(70, this.body.clientHeight - legend) };
  }

  /** Fits the chart to its box; once more if its legend has then another height. */
  resize(times = 2) {
    const { width, height } = this.size();
    if (!this.plot || times === 0 || (width === this.plot.width && height === this.plot.height)) return;
    this.plot.setSize({ width, height });
    this.show();
    queueMicrotask(() => this.resize(times - 1));
  }

  /** Moves the line to the time of the picture. */
  mark() {
    if (!this.line) return;
    const left = this.plot.valToPos(this.clock.time, "x");
    const width = this.plot.bbox.width / uPlot.pxRatio;
    this.line.style.visibility = left >= -1 && left <= width + 1 ? "visible" : "hidden";
    this.line.style.transform = `translateX(${left}px)`;
  }

  /** Shows the time of the picture: the line, and values in the legend unless the pointer asks for others. */
  show() {
    this.mark();
    if (this.isHovered) return;
    let [low, high] = [0, this.times.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.times[middle] <= this.clock.time + 1e-12) low = middle;
      else high = middle - 1;
    }
    this.plot.setLegend({ idx: low }, false);
  }

  /** Draws all again, in the colours of another theme. */
  redraw() {
    this.plot.redraw(false);
    this.plot.root.querySelectorAll(".u-marker").forEach((marker, k) => {
      if (k > 0 && marker.style.borderColor) marker.style.borderColor = this.colours.ofCurve(k - 1);
    });
  }
}
