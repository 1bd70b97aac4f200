// The viewer: runs, clock, colours and selection, and the controls of the page.

import { Chart, bodyChoices, energyChoices, forceChoices, measureChoices, solverChoices } from "./charts.js";
import { Clock } from "./clock.js";
import { Colours, Scale } from "./colours.js";
import { addControls } from "./controls.js";
import { listenToKeys } from "./keys.js";
import { Legend } from "./legend.js";
import { timeText } from "./numbers.js";
import { dataOf, element } from "./page.js";
import { Panel } from "./panel.js";
import { Run } from "./run.js";
import { Stage } from "./stage.js";

/** Number of frames whose times are kept. */
const KEPT = 1000;

/** Everything that the page shows. */
class Viewer {
  constructor(runs, settings) {
    this.runs = runs;
    this.settings = settings;
    this.colours = new Colours(settings);
    this.clock = new Clock(runs);
    this.scale = new Scale(runs, settings.quantity);
    this.active = 0;
    this.selected = undefined;
    this.pair = undefined;
    this.isFollowing = false;
    this.arrowFactor = 1;
    this.shown = { normal: false, friction: false, reactions: false, pairs: false, network: false, symbols: true, mesh: true, path: false, chambers: true, cells: false };
    this.isSmooth = false;
    this.isLinked = runs.every(({ head }) => String(head.view) === String(runs[0].head.view));
    this.states = this.clock.states;
    this.frameTimes = [];

    this.stage = new Stage(this);
    this.panel = new Panel(this);
    this.addCharts();
    addControls(this);
    this.legend = new Legend(this);
    this.writeHead();
    listenToKeys(this);
    this.printing();
    this.clock.listeners.push(() => this.moved());
    this.colours.listeners.push(() => this.themed());
    this.changed();
    this.moved();
    requestAnimationFrame((now) => this.frame(now));
  }

  /** Name of a run among all. */
  nameOf(k) {
    const { name, folder } = this.runs[k].head;
    const own = name || folder || "run";
    if (this.runs.length === 1) return own;
    return `${k + 1} ${folder && folder !== own ? `${own} (${folder})` : own}`;
  }

  /** Smallest time between two states of a run (s). */
  stepOf(run) {
    run.least ??= run.times.reduce((least, time, k) => (k > 0 && time > run.times[k - 1] ? Math.min(least, time - run.times[k - 1]) : least), Infinity);
    return Number.isFinite(run.least) ? run.least : 0.01;
  }

  /** A frame of the browser. How long the script takes for one that paints is kept (ms), for tests. */
  frame(now) {
    const start = performance.now();
    this.clock.tick(now);
    if (this.stage.paint()) {
      this.frameTimes.push(performance.now() - start);
      if (this.frameTimes.length > KEPT) this.frameTimes.shift();
    }
    requestAnimationFrame((next) => this.frame(next));
  }

  /** Another moment is shown, or the clock has started or stopped. */
  moved() {
    const { clock } = this;
    this.states = clock.states;
    this.stage.due();
    element("time").value = clock.index;
    const step = this.stepOf(this.runs[this.active]);
    const text = `${timeText(clock.time, step)} / ${timeText(clock.moments.at(-1), step)} s`;
    element("clock").textContent = text;
    element("time").setAttribute("aria-valuetext", `${timeText(clock.time, step)} seconds`);
    const play = element("play");
    play.dataset.icon = clock.isPlaying ? "stop" : "play";
    play.setAttribute("aria-label", clock.isPlaying ? "Stop" : "Play");
    element("speed").value = String(clock.speed);
    this.panel.show();
    this.charts.forEach((chart) => chart.show());
  }

  /** What is shown of a moment has changed. */
  changed() {
    this.stage.due();
    this.panel.show();
  }

  /** Shows light or dark colours. */
  themed() {
    this.stage.due();
    this.charts.forEach((chart) => chart.redraw());
    this.legend.draw();
  }

  /** Charts below the picture; that of forces says why if there is none. */
  addCharts() {
    const { clock, colours, runs } = this;
    const forces = forceChoices(runs);
    const zoomed = (span) => this.zoom(span);
    const chart = (id, title, choices) => new Chart(element(id), title, choices, clock, colours, zoomed);
    this.charts = [chart("chart-energies", () => "Energies", energyChoices(runs))];
    if (forces.length) {
      this.charts.push(chart("chart-forces", () => "Forces", forces));
    } else {
      element("chart-forces").querySelector("p").hidden = false;
    }

    // What moves, and one choice away what the solver did.
    const chosen = () => this.selected ?? { run: this.active, body: Math.max(0, runs[this.active].isObstacle.indexOf(false)) };
    const title = ({ group }) => (group === "Body" ? runs[chosen().run].head.bodies[chosen().body].name : group);
    this.bodyChart = chart("chart-body", title, [...bodyChoices(runs, chosen), ...measureChoices(runs), ...solverChoices(runs)]);
    this.charts.push(this.bodyChart);
  }

  /** Charts show the time between two moments (s), or all of it; so do ranges of colours. */
  zoom(span) {
    if (String(span) === String(this.scale.span)) return;
    this.scale.look(span);
    this.charts.forEach((chart) => chart.zoom(span));
    this.changed();
  }

  /** Title, and a line for each run that has not completed. */
  writeHead() {
    const { runs } = this;
    element("name").textContent = runs.length === 1 ? runs[0].head.name || runs[0].head.folder : `${runs.length} runs`;
    const status = element("status");
    runs.forEach(({ head }, k) => {
      if (head.status === "completed") return;
      const line = document.createElement("p");
      line.className = head.status;
      const word = document.createElement("strong");
      word.textContent = head.status;
      line.append(word, document.createTextNode(`${runs.length > 1 ? ` ${this.nameOf(k)}:` : ""} ${head.reason ?? ""}`));
      status.append(line);
    });
    const words = [...new Set(runs.map(({ head }) => head.description).filter(Boolean))];
    element("story").hidden = words.length === 0;
    element("description").replaceChildren(...words.map((text) => Object.assign(document.createElement("p"), { textContent: text })));
    element("version").textContent = `ipcsim ${this.settings.version}`;
  }

  /** Chooses a body and a vertex, or nothing. */
  select(chosen) {
    this.selected = chosen;
    if (!chosen) this.isFollowing = false;
    else this.activate(chosen.run);
    this.bodyChart.rebuild();
    this.stage.follow();
    this.changed();
  }

  /** Makes a run the one whose numbers are shown. */
  activate(k) {
    if (this.active === k) return;
    this.active = k;
    this.pair = undefined;
    this.legend.draw();
    this.changed();
  }

  /** Follows the chosen body, or no longer. */
  follow() {
    this.isFollowing = Boolean(this.selected) && !this.isFollowing;
    this.stage.followed = undefined;
    this.stage.follow();
    this.changed();
  }

  /** Shows all of each run. */
  fit() {
    this.isFollowing = false;
    this.stage.fit();
    this.panel.show();
  }

  /** Shows or hides arrows, marks or the mesh. */
  toggle(name) {
    const box = element(`show-${name}`);
    if (box.disabled) return;
    this.shown[name] = !this.shown[name];
    box.checked = this.shown[name];
    this.changed();
  }

  /** Plays again from the start at the end, or no longer. */
  toggleLoop() {
    this.clock.loops = !this.clock.loops;
    element("loop").setAttribute("aria-pressed", String(this.clock.loops));
  }

  /** Moves all runs together, or each for itself. */
  toggleLink() {
    this.isLinked = !this.isLinked;
    element("link").setAttribute("aria-pressed", String(this.isLinked));
  }

  /** Shows or hides the charts. */
  toggleCharts() {
    const isHidden = document.body.classList.toggle("no-charts");
    element("charts-button").setAttribute("aria-pressed", String(!isHidden));
  }

  /** Shows or hides the list of keys. */
  toggleHelp() {
    const dialog = element("help-box");
    if (dialog.open) dialog.close();
    else dialog.showModal();
  }

  /** Closes the list of keys, or chooses nothing. */
  escape() {
    if (element("help-box").open) element("help-box").close();
    else this.select(undefined);
  }

  /** Prints in light colours and in the size of paper, whatever the screen shows. */
  printing() {
    let theme;
    const arrange = (isPaper) => {
      document.body.classList.toggle("printing", isPaper);
      this.colours.use(isPaper ? "light" : theme);
      this.stage.layOut();
      this.stage.paint();
      this.charts.forEach((chart) => chart.resize());
    };
    window.addEventListener("beforeprint", () => {
      theme = this.colours.name;
      this.clock.toggle(false);
      arrange(true);
      element("print-picture").src = this.stage.picture();
    });
    window.addEventListener("afterprint", () => arrange(false));
  }
}

/** Says what went wrong in place of the picture. */
function fail(error) {
  element("loading").hidden = true;
  const box = element("failure");
  box.hidden = false;
  box.textContent = `The page cannot show the run: ${error.message}`;
  throw error;
}

/** Decodes all runs and shows them. */
async function start() {
  if (!("DecompressionStream" in window)) throw new Error("this browser cannot decompress data; use one of 2023 or later");
  const runs = [];
  for (let k = 0; element(`head-${k}`); k++) {
    runs.push(await Run.read(dataOf(`head-${k}`), element(`data-${k}`).textContent));
    element(`data-${k}`).remove();
  }
  window.viewer = new Viewer(runs, dataOf("settings"));
  element("loading").hidden = true;
  document.body.classList.add("ready");
}

start().catch(fail);
