// Colours: themes, colours of bodies, and the scale of values with its range.

/** Colours of a theme that the graphics card needs, as numbers from 0 to 1. */
const THEMES = {
  light: { paper: [252, 252, 253], ink: [38, 42, 51], tint: 0.58, shadeTo: [0, 0, 0], shade: 0.22 },
  dark: { paper: [22, 25, 30], ink: [228, 231, 236], tint: 0.5, shadeTo: [255, 255, 255], shade: 0.25 },
};

/** Colours of arrows and marks in each theme. */
const MARKS = {
  light: { normal: [178, 24, 43], friction: [33, 102, 172], reaction: [84, 39, 136], gap: [38, 42, 51], accent: [214, 0, 110], load: [150, 0, 120] },
  dark: { normal: [255, 128, 120], friction: [126, 190, 255], reaction: [200, 160, 255], gap: [228, 231, 236], accent: [255, 95, 185], load: [255, 140, 225] },
};

/** A colour as three numbers from 0 to 1. */
export function unitColour(colour) {
  return colour.map((part) => part / 255);
}

/** A colour for a style sheet. */
export function cssColour(colour) {
  return `rgb(${colour.map(Math.round).join(" ")})`;
}

/** Colours of the theme that the page shows. */
export class Colours {
  constructor(settings) {
    this.settings = settings;
    const system = window.matchMedia("(prefers-color-scheme: dark)");
    this.use(system.matches ? "dark" : "light");
    this.listeners = [];
    system.addEventListener("change", ({ matches }) => this.use(matches ? "dark" : "light"));
  }

  /** Shows a theme. */
  use(name) {
    this.name = name;
    this.theme = THEMES[name];
    this.marks = MARKS[name];
    document.documentElement.dataset.theme = name;
    this.listeners?.forEach((listener) => listener());
  }

  /** Shows the other theme. */
  toggle() {
    this.use(this.name === "dark" ? "light" : "dark");
  }

  /** Colour of a body by its number, of an obstacle the one of all obstacles. */
  ofBody(run, body) {
    const { bodies, obstacle } = this.settings;
    return run.isObstacle[body] ? obstacle : bodies[body % bodies.length];
  }

  /** Colour of a curve by its number. */
  ofCurve(k) {
    const { bodies } = this.settings;
    const colour = bodies[k % bodies.length];
    const white = this.name === "dark" ? 0.35 : 0;
    return cssColour(colour.map((part) => part + white * (255 - part)));
  }
}

/** Ways to choose the range of the colours. */
export const RANGES = {
  most: "most values",
  run: "whole run",
  state: "this state",
  own: "own range",
};

/** Share of the values that the usual range has, and by how much the largest must exceed these to be left out. */
const [MOST, MUCH] = [0.995, 1.25];
/** How many times as large as in the middle one of its states a run may be without a range for the calmer states, and their largest. */
export const WILD = 16;
export const CALM = 4;
/** Bins of values for an octave, and number of all. */
const [FINE, BINS] = [64, 4096];

/** Quantity that colours show, and its range, the same for all runs. */
export class Scale {
  constructor(runs, quantity) {
    this.runs = runs;
    this.mode = "most";
    this.own = [0, 1];
    this.tops = {};
    this.quantity = this.has(quantity) ? quantity : "body";
  }

  /** True if a run has values of a quantity. */
  has(quantity) {
    return quantity === "body" || this.runs.some((run) => run.fields[quantity]);
  }

  /** Why no run has values of a quantity. */
  whyNot(quantity) {
    return this.runs[0].head.absent[quantity];
  }

  /** Label and unit of the quantity. */
  get field() {
    return this.runs.map((run) => run.fields[this.quantity]).find(Boolean);
  }

  /** Largest error of the values that runs show in these states. */
  error(states) {
    return Math.max(...this.runs.map((run, k) => (run.fields[this.quantity] ? run.errorIn(this.quantity, states[k]) : 0)));
  }

  /** Shows the states between two times (s) that charts show, or all; ranges are those of these states. */
  look(span) {
    this.span = span;
    this.tops = {};
  }

  /** States of a run that charts show. */
  visible(run) {
    const all = [...run.times.keys()];
    const seen = this.span ? all.filter((state) => run.times[state] >= this.span[0] && run.times[state] <= this.span[1]) : all;
    return seen.length ? seen : all;
  }

  /** Smallest and largest value with a colour of its own, when runs are in these states. */
  range(states) {
    if (this.mode === "own") return this.own;
    const own = this.runs.map((run, k) => [run, states[k]]).filter(([run]) => run.fields[this.quantity]);
    const tops = own.map(([run, state]) => {
      if (this.mode === "state") return run.largestIn(this.quantity, state);
      return this.mode === "run" ? this.known(run).largest : this.known(run).usual;
    });
    // What is rounding has no colours of its own.
    const noise = Math.max(...own.map(([run]) => run.head.fields.find(({ name }) => name === this.quantity).noise));
    return [0, Math.max(...tops, noise) || 1];
  }

  /** Largest value of a run in the visible states, and where its usual range ends. */
  known(run) {
    const key = `${this.runs.indexOf(run)} ${this.quantity}`;
    this.tops[key] ??= this.measured(run);
    return this.tops[key];
  }

  /** Largest value of a run in the visible states, and where its usual range ends, as in pictures. */
  measured(run) {
    const states = this.visible(run).map((state) => ({ state, most: run.largestIn(this.quantity, state) }));
    const largest = Math.max(...states.map(({ most }) => most));
    const sizes = states.map(({ most }) => most).filter((most) => most > 0).sort((a, b) => a - b);
    const middle = sizes[sizes.length >> 1];
    let usual = this.usualOf(run, states, largest);
    if (usual > WILD * middle) usual = this.usualOf(run, states.filter(({ most }) => most <= CALM * middle), CALM * middle);
    return { largest, usual };
  }

  /** Value that 99.5 of 100 values above 0 of these states do not exceed, or the largest if that is not much above. */
  usualOf(run, states, limit) {
    const bins = new Float64Array(BINS);
    let all = 0;
    let largest = 0;
    for (const { state, most } of states) {
      largest = Math.max(largest, most);
      const top = run.fields[this.quantity].tops[state];
      run.histogram(this.quantity, state).forEach((count, level) => {
        if (level === 0 || level === 255 || count === 0) return;
        const octaves = Math.log2((top * (level / 254) ** 2) / limit);
        bins[Math.max(0, Math.min(BINS - 1, Math.ceil(BINS - 1 + FINE * octaves)))] += count;
        all += count;
      });
    }
    let [bin, below] = [-1, 0];
    while (bin < BINS - 1 && below < MOST * all) below += bins[++bin];
    const high = limit * 2 ** ((bin - (BINS - 1)) / FINE);
    return largest > MUCH * high ? high : largest;
  }

  /** True if some values are above the range. */
  isCut(range) {
    const largest = Math.max(...this.runs.map((run) => (run.fields[this.quantity] ? this.known(run).largest : 0)));
    return largest > range[1] * (1 + 1e-9);
  }
}
