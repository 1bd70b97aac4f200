// Colours: themes, colours of bodies, and the scale of values with its range.

/** Colours of a theme that the graphics card needs, as numbers from 0 to 1. */
const THEMES = {
  light: { paper: [252, 252, 253], ink: [38, 42, 51], tint: 0.58, shadeTo: [0, 0, 0], shade: 0.22 },
  dark: { paper: [22, 25, 30], ink: [228, 231, 236], tint: 0.5, shadeTo: [255, 255, 255], shade: 0.25 },
};

/** Colours of arrows and marks in each theme. */
const MARKS = {
  light: { normal: [178, 24, 43], friction: [33, 102, 172], reaction: [84, 39, 136], gap: [38, 42, 51], accent: [214, 0, 110] },
  dark: { normal: [255, 128, 120], friction: [126, 190, 255], reaction: [200, 160, 255], gap: [228, 231, 236], accent: [255, 95, 185] },
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

  /** Label, unit and error of the quantity; those of the run with the largest error. */
  get field() {
    const fields = this.runs.map((run) => run.fields[this.quantity]).filter(Boolean);
    return fields.reduce((a, b) => (a && a.error >= b.error ? a : b), undefined);
  }

  /** Smallest and largest value with a colour of its own, when runs are in these states. */
  range(states) {
    if (this.mode === "own") return this.own;
    const own = this.runs.map((run, k) => [run, states[k]]).filter(([run]) => run.fields[this.quantity]);
    const tops = own.map(([run, state]) => {
      if (this.mode === "state") return run.largestIn(this.quantity, state);
      return this.mode === "run" ? run.fields[this.quantity].largest : this.topOfMost(run);
    });
    return [0, Math.max(...tops) || 1];
  }

  /** Value that 99.5 of 100 values of a run above 0 do not exceed. */
  topOfMost(run) {
    const key = `${this.runs.indexOf(run)} ${this.quantity}`;
    if (!(key in this.tops)) {
      const often = run.histogram(this.quantity).slice(1, 255);
      const all = often.reduce((sum, count) => sum + count, 0);
      let [level, below] = [0, 0];
      while (level < 254 && below < 0.995 * all) below += often[level++];
      this.tops[key] = run.fields[this.quantity].largest * (level / 254) ** 2;
    }
    return this.tops[key];
  }

  /** True if some values are above the range. */
  isCut(range) {
    const largest = Math.max(...this.runs.map((run) => run.fields[this.quantity]?.largest ?? 0));
    return largest > range[1] * (1 + 1e-9);
  }
}
