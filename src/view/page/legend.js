// Buttons of quantities, and the legend: names of bodies, or the scale of values with its range.

import { RANGES, cssColour } from "./colours.js";
import { prefixed, roundTicks, short, withUnit } from "./numbers.js";
import { element } from "./page.js";

/** Quantities in the order of their buttons. */
const QUANTITIES = ["body", "speed", "stress", "pressure"];
/** What has no value of a quantity. */
const WITHOUT = {
  speed: "Mean since the state before. Rigid bodies show one mean, obstacles none.",
  stress: "Bodies without elastic triangles are grey.",
  pressure: "Along outlines. Circles and half-planes show none.",
};
/** Number of bodies that the legend names. */
const NAMED = 12;

/** Legend of a viewer. */
export class Legend {
  constructor(viewer) {
    this.viewer = viewer;
    this.scale = viewer.scale;
    for (const quantity of QUANTITIES) {
      const button = element(`by-${quantity}`);
      button.disabled = !this.scale.has(quantity);
      if (button.disabled) button.title = this.scale.whyNot(quantity) ?? "no run has it";
      button.addEventListener("click", () => this.colourBy(quantity));
    }
    this.addRanges();
    this.colourBy(this.scale.quantity);
  }

  /** Ways to choose the range, and boxes for one's own. */
  addRanges() {
    const { scale, viewer } = this;
    this.mode = element("range-mode");
    this.mode.title = "Range of the colours; 99.5 of 100 values above 0 are most values";
    for (const [name, words] of Object.entries(RANGES)) this.mode.add(new Option(words, name));
    this.mode.addEventListener("change", () => {
      if (this.mode.value === "own") scale.own = scale.range(viewer.states);
      scale.mode = this.mode.value;
      viewer.changed();
    });
    ["range-low", "range-high"].forEach((id, k) => {
      element(id).addEventListener("change", ({ target }) => this.limit(target, k));
    });
  }

  /** Takes a limit of the range from its box, in the unit of the legend, unless it is no number or leaves no range. */
  limit(box, k) {
    const own = [...this.scale.range(this.viewer.states)];
    own[k] = box.value.trim() === "" ? NaN : Number(box.value) * this.divisor;
    if (!Number.isFinite(own[k]) || !(own[1] > own[0])) {
      box.setAttribute("aria-invalid", "true");
      return;
    }
    box.removeAttribute("aria-invalid");
    this.scale.own = own;
    this.scale.mode = "own";
    this.mode.value = "own";
    this.viewer.changed();
  }

  /** Shows a quantity by colours. An own range belongs to one quantity only. */
  colourBy(quantity) {
    const { scale } = this;
    scale.quantity = quantity;
    if (scale.mode === "own") scale.mode = "most";
    this.mode.value = scale.mode;
    for (const each of QUANTITIES) element(`by-${each}`).setAttribute("aria-pressed", String(each === quantity));
    this.shownRange = undefined;
    this.draw();
    this.viewer.changed();
  }

  /** Shows the next quantity that a run has. */
  next() {
    const known = QUANTITIES.filter((quantity) => this.scale.has(quantity));
    this.colourBy(known[(known.indexOf(this.scale.quantity) + 1) % known.length]);
  }

  /** Draws the legend of the quantity in the colours of the theme. */
  draw() {
    const isBody = this.scale.quantity === "body";
    element("legend-bodies").hidden = !isBody;
    element("legend-values").hidden = isBody;
    if (isBody) {
      this.nameBodies();
      return;
    }
    element("smooth").closest("label").hidden = this.scale.quantity !== "stress";
    element("legend-without").textContent = WITHOUT[this.scale.quantity];
    const colours = this.viewer.settings.scale.map(cssColour).join(", ");
    element("legend-bar").style.setProperty("--colours", `linear-gradient(to right, ${colours})`);
    element("legend-bar").style.setProperty("--most", cssColour(this.viewer.settings.scale.at(-1)));
  }

  /** Names of the bodies of the active run in their colours, the first ones if there are many. */
  nameBodies() {
    const { viewer } = this;
    const { active, colours } = viewer;
    const run = viewer.runs[active];
    // What joints hold to the world is nowhere to be seen.
    const numbered = run.head.bodies.map(({ name, kind }, body) => ({ name, kind, body }));
    const bodies = numbered.filter(({ kind }) => kind !== "world");
    const list = element("legend-bodies");
    list.replaceChildren();
    bodies.slice(0, NAMED).forEach(({ name, body }) => {
      const item = document.createElement("li");
      const button = document.createElement("button");
      button.type = "button";
      const swatch = document.createElement("i");
      swatch.style.background = cssColour(colours.ofBody(run, body));
      button.append(swatch, document.createTextNode(name));
      button.addEventListener("click", () => viewer.select({ run: active, body }));
      item.append(button);
      list.append(item);
    });
    if (bodies.length > NAMED) {
      const more = document.createElement("li");
      more.textContent = `and ${bodies.length - NAMED} more`;
      list.append(more);
    }
  }

  /** Shows the least and the largest value of the active run in its state. */
  showExtremes() {
    const { active, runs, states } = this.viewer;
    const { field, quantity } = this.scale;
    const extremes = runs[active].fields[quantity] && runs[active].extremesIn(quantity, states[active]);
    const text = extremes ? `now ${withUnit(extremes.least, field.unit)} to ${withUnit(extremes.largest, field.unit)}` : "";
    if (element("legend-extremes").textContent !== text) element("legend-extremes").textContent = text;
  }

  /** Shows the range of the colours and the error of the values, if they are others. */
  showRange(range) {
    if (this.scale.quantity === "body") return;
    const { field } = this.scale;
    const error = `±${withUnit(this.scale.error(this.viewer.states), field.unit, 2)}`;
    if (element("legend-error").textContent !== error) element("legend-error").textContent = error;
    if (String(range) === this.shownRange) return;
    this.shownRange = String(range);
    const { unit, divisor } = prefixed(range[1], field.unit);
    element("legend-name").textContent = `${field.label} [${unit}]`;
    element("legend-error").title = "Largest error of the values, which are rounded";
    this.divisor = divisor;

    // Round values below the bar, which has a tip where values go on.
    element("legend-bar").classList.toggle("cut", this.scale.isCut(range));
    const [low, high] = range.map((end) => end / divisor);
    const ticks = roundTicks(low, high, 5).map((value) => {
      const tick = document.createElement("span");
      tick.textContent = short(value, 4);
      tick.style.left = `${(100 * (value - low)) / (high - low)}%`;
      return tick;
    });
    element("legend-ticks").replaceChildren(...ticks);
    element("range-low").value = Number(low.toPrecision(4));
    element("range-high").value = Number(high.toPrecision(4));
  }
}
