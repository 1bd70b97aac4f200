// Small charts: curves over the last seconds, on a canvas.

import { short } from "./numbers.js";

/** Number of moments that are kept. */
const MOMENTS = 1200;

/** Curves over time. */
export class Trace {
  constructor(canvas, colours) {
    this.canvas = canvas;
    this.colours = colours;
    this.clear();
  }

  /** Forgets all. */
  clear() {
    this.times = [];
    this.curves = {};
  }

  /** Adds the values of a moment by the names of their curves. Moments after it are forgotten. */
  add(time, values) {
    while (this.times.length && this.times.at(-1) >= time - 1e-12) {
      this.times.pop();
      Object.values(this.curves).forEach((curve) => curve.pop());
    }
    this.times.push(time);
    for (const [name, value] of Object.entries(values)) {
      this.curves[name] ??= new Array(this.times.length - 1).fill(NaN);
      this.curves[name].push(value);
    }
    for (const curve of Object.values(this.curves)) if (curve.length < this.times.length) curve.push(NaN);
    if (this.times.length > MOMENTS) {
      this.times.shift();
      Object.values(this.curves).forEach((curve) => curve.shift());
    }
  }

  /** Draws all curves. */
  draw(unit) {
    const { canvas, times, colours } = this;
    const ratio = Math.min(3, window.devicePixelRatio || 1);
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    if (!width) return;
    if (canvas.width !== Math.round(width * ratio)) [canvas.width, canvas.height] = [Math.round(width * ratio), Math.round(height * ratio)];
    const context = canvas.getContext("2d");
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    if (times.length < 2) return;

    // The range of all values, with a line at zero.
    let [low, high] = [Infinity, -Infinity];
    for (const curve of Object.values(this.curves)) {
      for (const value of curve) {
        if (value < low) low = value;
        if (value > high) high = value;
      }
    }
    if (!(high > low)) [low, high] = [low - 1e-9 - Math.abs(low) * 0.01, high + 1e-9 + Math.abs(high) * 0.01];
    const [left, top, bottom] = [4, 12, height - 4];
    const x = (time) => left + ((time - times[0]) / (times.at(-1) - times[0])) * (width - left - 4);
    const y = (value) => bottom - ((value - low) / (high - low)) * (bottom - top);
    const style = getComputedStyle(document.documentElement);
    context.strokeStyle = style.getPropertyValue("--rule");
    context.lineWidth = 1;
    context.beginPath();
    for (const value of [low, high, ...(low < 0 && high > 0 ? [0] : [])]) {
      context.moveTo(left, Math.round(y(value)) + 0.5);
      context.lineTo(width - 4, Math.round(y(value)) + 0.5);
    }
    context.stroke();

    context.lineWidth = 1.6;
    context.lineJoin = "round";
    Object.values(this.curves).forEach((curve, k) => {
      context.strokeStyle = colours.ofCurve(k);
      context.beginPath();
      let isOn = false;
      const stride = Math.max(1, Math.floor(curve.length / width));
      for (let i = 0; i < curve.length; i += stride) {
        if (!Number.isFinite(curve[i])) isOn = false;
        else if (isOn) context.lineTo(x(times[i]), y(curve[i]));
        else {
          context.moveTo(x(times[i]), y(curve[i]));
          isOn = true;
        }
      }
      context.stroke();
    });
    context.fillStyle = style.getPropertyValue("--soft");
    context.font = "10.5px system-ui, sans-serif";
    context.textBaseline = "bottom";
    context.fillText(`${short(high, 3)} ${unit}`, left, top - 1);
    context.fillText(`${short(low, 3)} ${unit}`, left, bottom - 1);
    const span = `${short(times.at(-1) - times[0], 2)} s`;
    context.textAlign = "right";
    context.fillText(span, width - 5, bottom - 1);
    context.textAlign = "left";
  }
}
