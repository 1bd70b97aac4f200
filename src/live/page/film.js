// The last states that the page has shown: the ghost of the last run, and a moving picture of the last seconds.

import { gifOf } from "./gif.js";
import { saveFile } from "./link.js";

/** Largest number of states, and of bytes. */
const [MOST_STATES, ROOM] = [1500, 40e6];
/** Length of a moving picture (s of the scene), frames in a second of it, and its largest width (pixels). */
const [LENGTH, RATE, WIDE] = [6, 20, 560];

/** States in the order of their times. */
export class Film {
  constructor() {
    this.clear();
  }

  /** Forgets all, and the ghost too unless it is kept. */
  clear(keepsGhost = false) {
    if (!keepsGhost) this.ghost = undefined;
    this.states = [];
  }

  /** What was shown becomes the ghost, if it was long enough to compare. */
  haunt() {
    if (this.states.length > 5) this.ghost = this.states;
    this.states = [];
  }

  /** Adds a state; those at or after its time are forgotten. */
  add({ time, arrays }) {
    while (this.states.length && this.states.at(-1).time >= time - 1e-12) this.states.pop();
    this.states.push({ time, x: Float32Array.from(arrays.x), joints: arrays.joints });
    const most = Math.max(60, Math.min(MOST_STATES, ROOM / (4 * arrays.x.length)));
    if (this.states.length > most) this.states.shift();
  }

  /** Positions of the ghost at a time; nothing without a ghost, or after its end. */
  ghostAt(time, count) {
    const { ghost } = this;
    if (!ghost || ghost[0].x.length !== count || time > ghost.at(-1).time + 0.05) return undefined;
    return at(ghost, time).x;
  }

  /** Saves a moving picture of the last seconds; returns its number of frames. */
  save(stage) {
    const { states } = this;
    if (states.length < 2) return 0;
    const end = states.at(-1).time;
    const start = Math.max(states[0].time, end - LENGTH);
    const frames = Math.max(2, Math.round((end - start) * RATE));
    const { canvas, over } = stage;
    const scale = Math.min(1, WIDE / canvas.width);
    const small = document.createElement("canvas");
    [small.width, small.height] = [canvas.width, canvas.height].map((size) => Math.round(size * scale));
    const context = small.getContext("2d", { willReadFrequently: true });

    const pictures = [];
    for (let k = 0; k < frames; k++) {
      stage.paintPast(at(states, start + ((end - start) * k) / (frames - 1)));
      for (const layer of [canvas, over]) context.drawImage(layer, 0, 0, small.width, small.height);
      pictures.push(context.getImageData(0, 0, small.width, small.height));
    }
    stage.paintPast(undefined);
    saveFile("live.gif", gifOf(pictures, Math.round(100 / RATE)), "image/gif");
    return frames;
  }
}

/** The last of some states at or before a time, or the first one. */
function at(states, time) {
  let [low, high] = [0, states.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (states[middle].time <= time + 1e-9) low = middle;
    else high = middle - 1;
  }
  return states[low];
}
