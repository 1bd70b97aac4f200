// The clock of all runs: which moment is shown, and how it moves on.

/** Speeds that one can choose, relative to that of the run. */
const SPEEDS = [1e-4, 1e-3, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8, 16];

/** Moments of all runs, sorted, each once. */
function momentsOf(runs) {
  const all = Float64Array.from(runs.flatMap((run) => Array.from(run.times))).sort();
  return all.filter((time, k) => k === 0 || time > all[k - 1] + 1e-9 * Math.abs(time));
}

/** Clock that runs through the moments of all runs. */
export class Clock {
  constructor(runs) {
    this.runs = runs;
    this.moments = momentsOf(runs);
    this.index = 0;
    this.isPlaying = false;
    this.loops = false;
    this.listeners = [];

    // A run of 1 to 60 seconds plays as fast as it was; others within ten seconds.
    const duration = this.moments.at(-1) - this.moments[0];
    const isLong = duration > 60 || duration < 1;
    this.speed = isLong && duration > 0 ? SPEEDS.reduce((a, b) => (Math.abs(Math.log((10 * b) / duration)) < Math.abs(Math.log((10 * a) / duration)) ? b : a)) : 1;
    this.speeds = SPEEDS;
    this.before = 0;
  }

  /** Time that is shown (s). */
  get time() {
    return this.moments[this.index];
  }

  /** State of each run at this time. */
  get states() {
    return this.runs.map((run) => run.stateAt(this.time));
  }

  /** Shows the moment with a number, or the nearest one that there is. */
  seek(index) {
    const next = Math.max(0, Math.min(this.moments.length - 1, Math.round(index)));
    this.exact = this.moments[next];
    if (next !== this.index) {
      this.index = next;
      this.tell();
    }
  }

  /** Shows the moment nearest to a time (s). */
  seekTime(time) {
    const { moments } = this;
    let best = 0;
    for (let k = 1; k < moments.length; k++) {
      if (Math.abs(moments[k] - time) < Math.abs(moments[best] - time)) best = k;
    }
    this.seek(best);
  }

  /** Starts or stops; at the end it starts from the beginning. */
  toggle(on = !this.isPlaying) {
    if (on && this.index === this.moments.length - 1) this.seek(0);
    this.isPlaying = on && this.moments.length > 1;
    this.exact = this.time;
    this.before = 0;
    this.tell();
  }

  /** Plays faster (1) or slower (-1). */
  change(direction) {
    const at = SPEEDS.indexOf(this.speed);
    this.speed = SPEEDS[Math.max(0, Math.min(SPEEDS.length - 1, at + direction))];
    this.tell();
  }

  /** Moves on to the moment that is due at a time of the page (ms). */
  tick(now) {
    if (!this.isPlaying) return;
    const passed = this.before ? Math.min(0.25, (now - this.before) / 1000) : 0;
    this.before = now;
    this.exact += passed * this.speed;
    const last = this.moments.length - 1;
    if (this.exact >= this.moments[last] && this.loops && this.index === last) {
      this.exact = this.moments[0];
      this.index = 0;
      this.tell();
    }

    let next = this.index;
    while (next < last && this.moments[next + 1] <= this.exact + 1e-12) next++;
    if (next !== this.index) {
      this.index = next;
      this.tell();
    }
    if (next === last && !this.loops) this.toggle(false);
  }

  /** Calls all listeners. */
  tell() {
    this.listeners.forEach((listener) => listener());
  }
}
