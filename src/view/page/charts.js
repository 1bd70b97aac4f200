// Charts in step with the picture: energies, forces, and what the solver did. A click seeks.

import { short, withUnit } from "./numbers.js";

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
  const all = () => names.map((name) => columnOf(runs[0], name, { unit: "J", hidden: name === "friction" }));
  return [{ name: "all energies", curves: all }, ...each];
}

/** Label of a curve: that of the run if there are several. */
function labelOf(runs, k, label) {
  return runs.length > 1 ? `${k + 1} ${runs[k].head.folder || runs[k].head.name}` : label;
}

/** Choices of the chart of the solver. */
export function solverChoices(runs) {
  const single = (column, more) => ({
    name: worded(column),
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
  return [{ name: "iterations and gap", curves: both }, ...each];
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

/** A chart with a list of choices, a line at the time of the picture, and a legend with values there. */
export class Chart {
  constructor(host, title, choices, clock, colours) {
    this.clock = clock;
    this.colours = colours;
    this.choices = choices;
    this.host = host;
    host.innerHTML = "";
    const head = document.createElement("div");
    head.className = "chart-head";
    const name = document.createElement("h2");
    name.textContent = title;
    head.append(name);
    if (choices.length > 1) head.append(this.chooser(title));
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
    this.choices.forEach(({ name }, k) => select.add(new Option(name, k)));
    select.addEventListener("change", () => {
      this.choice = this.choices[select.value];
      this.build();
    });
    return select;
  }

  /** Builds the chart of the current choice. */
  build() {
    this.plot?.destroy();
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
      grid: curve.right ? { show: false } : axis.grid,
      values: (_, splits) => splits.map((value) => (value === null ? "" : curve.unit ? withUnit(value, curve.unit) : short(value))),
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
      axes: [{ ...axis, size: 26, values: (_, splits) => splits.map((value) => `${short(value)} s`) }, valueAxis(curves[0] ?? {}), ...(right ? [valueAxis(right)] : [])],
      series: [{ label: "time", value: (_, value) => (value === null ? "–" : `${short(value, 5)} s`) }, ...curves.map((curve, k) => this.seriesOf(curve, k, scaleOf(curve)))],
      cursor: { drag: { x: true, y: false, setScale: true }, points: { size: 6 } },
      hooks: { draw: [() => this.mark()], ready: [() => this.show()] },
    };
    this.plot = new uPlot(options, data, this.body);
    this.line = document.createElement("div");
    this.line.className = "now";
    this.plot.over.append(this.line);
    this.listen();
    this.show();
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
