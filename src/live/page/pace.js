// The clock of the page: how many steps are due, and how fast they come.

/** Time that the steps of a frame may take (s), and most of the time that they may be behind (s). */
const BUDGET = 0.013;
const BEHIND = 0.06;
/** Span over which the speed is measured (s). */
const SPAN = 0.7;
/** Share of the speed below which the page says that it is late. */
const LATE = 0.93;

/** Keeps simulated time in step with the time of the page. A step that is late slows the clock, and nothing else. */
export class Pace {
  constructor() {
    this.speed = 1;
    this.isPlaying = true;
    this.restart(0.01);
  }

  /** Begins with a time step (s). */
  restart(h) {
    this.h = h;
    this.due = 0;
    this.before = 0;
    this.marks = [];
    this.measured = 1;
  }

  /** Starts or stops. */
  toggle(on = !this.isPlaying) {
    this.isPlaying = on;
    this.before = 0;
    this.due = 0;
    this.marks = [];
  }

  /** Number of steps that are due at a time of the page (ms), and the budget for them (s). */
  tick(now) {
    if (!this.isPlaying) return undefined;
    const passed = this.before ? Math.max(0, Math.min(0.1, (now - this.before) / 1000)) : 0;
    this.before = now;
    this.due = Math.min(this.due + passed * this.speed, BEHIND * this.speed + this.h);
    const steps = Math.floor(this.due / this.h + 1e-6);
    return steps > 0 ? { steps: Math.min(steps, 1000), budget: BUDGET } : undefined;
  }

  /** Notes steps that were made. */
  done(steps, now) {
    this.due = Math.max(0, this.due - steps * this.h);
    this.marks.push([now, steps * this.h]);
    while (this.marks.length > 2 && now - this.marks[0][0] > 1000 * SPAN) this.marks.shift();
    const wall = (now - this.marks[0][0]) / 1000;
    if (wall < 0.5 * SPAN) return;
    const simulated = this.marks.slice(1).reduce((sum, [, time]) => sum + time, 0);
    this.measured = simulated / wall;
  }

  /** Words if steps are late: how fast the scene runs; otherwise nothing. */
  get lateness() {
    if (!this.isPlaying || this.marks.length < 3 || this.measured > LATE * this.speed) return "";
    return `${this.measured < 0.1 ? this.measured.toFixed(2) : this.measured.toFixed(1)}×`;
  }
}
