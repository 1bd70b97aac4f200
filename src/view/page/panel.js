// The panel beside the picture: numbers of the state, of what was clicked, and pairs in contact.

import { pairsOf } from "./arrows.js";
import { motionOf } from "./motion.js";
import { short, timeText, withUnit } from "./numbers.js";
import { element } from "./page.js";

/** Largest number of pairs that are listed. */
const PAIRS = 40;
/** Words for kinds of bodies. */
const KINDS = {
  solid: "deformable",
  springs: "mass-spring",
  half_plane: "half-plane",
  rigid: "rigid",
  affine: "affine",
  reduced: "reduced",
  obstacle: "scripted obstacle",
};

/** Fills a list of terms and values; rows that are empty are left out. */
function fill(list, rows) {
  const known = rows.filter(([, value]) => value !== undefined);
  while (list.children.length > 2 * known.length) list.lastChild.remove();
  while (list.children.length < 2 * known.length) list.append(document.createElement("dt"), document.createElement("dd"));
  known.forEach(([term, value], k) => {
    const [dt, dd] = [list.children[2 * k], list.children[2 * k + 1]];
    if (dt.textContent !== term) dt.textContent = term;
    if (dd.textContent !== value) dd.textContent = value;
  });
}

/** Panel of a viewer. */
export class Panel {
  constructor(viewer) {
    this.viewer = viewer;
    this.state = element("state");
    this.solver = element("solver");
    this.selection = element("selection");
    this.pairs = element("pairs");
    this.pairsNote = element("pairs-note");
    this.followButton = element("follow");
    this.pairs.addEventListener("click", (event) => this.choosePair(event.target.closest("tr")));
    this.pairs.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === " ") {
        event.preventDefault();
        this.choosePair(event.target.closest("tr"));
      }
    });
    this.writeAbout();
  }

  /** Shows the numbers of the moment. */
  show() {
    const { viewer } = this;
    const { active } = viewer;
    this.showState(viewer.runs[active], viewer.states[active]);
    this.showSelection();
    if (element("pairs-box").open) this.showPairs(viewer.runs[active], viewer.states[active]);
  }

  /** Numbers of the state of a run. */
  showState(run, state) {
    const { table } = run;
    const count = (column) => (table[column] ? short(table[column][state]) : undefined);
    fill(this.state, [
      ["run", this.viewer.runs.length > 1 ? this.viewer.nameOf(this.viewer.active) : undefined],
      ["step", `${short(run.steps[state], 9)} of ${short(run.steps.at(-1), 9)}`],
      ["time", `${timeText(run.times[state], this.viewer.stepOf(run))} s`],
      ["contacts", count("contacts")],
      ["kinetic energy", withUnit(table.kinetic?.[state] ?? NaN, "J", 4)],
      ["total energy", withUnit(table.total?.[state] ?? NaN, "J", 4)],
    ]);
    fill(this.solver, [
      ["Newton iterations", count("newton_iterations")],
      ["smallest gap", table.min_gap && !Number.isNaN(table.min_gap[state]) ? withUnit(table.min_gap[state], "m", 4) : "no contact"],
      ["unbalanced force, as a speed", table.imbalance ? withUnit(table.imbalance[state], "m/s") : undefined],
    ]);
  }

  /** Numbers of the vertex or body that was clicked. */
  showSelection() {
    const { viewer } = this;
    const chosen = viewer.selected;
    this.followButton.disabled = !chosen;
    this.followButton.setAttribute("aria-pressed", String(viewer.isFollowing));
    element("selection-hint").hidden = Boolean(chosen);
    if (!chosen) {
      fill(this.selection, []);
      return;
    }

    const run = viewer.runs[chosen.run];
    const state = viewer.states[chosen.run];
    const { name, kind, first } = run.head.bodies[chosen.body];
    const at = chosen.vertex === undefined ? run.centre(state, chosen.body) : run.place(state, chosen.vertex);
    const error = run.head.error;
    const place = (value) => `${value.toFixed(Math.max(0, Math.min(12, Math.ceil(-Math.log10(error)))))} m`.replace("-", "−");
    const body = this.bodyNumbers(run, state, chosen.body);
    const motion = motionOf(run, chosen.body);
    const isWhole = chosen.vertex === undefined;
    const isHeld = run.isObstacle[chosen.body];
    fill(this.selection, [
      ["run", viewer.runs.length > 1 ? viewer.nameOf(chosen.run) : undefined],
      ["body", name],
      ["kind", KINDS[kind] ?? kind],
      ["vertex", isWhole ? undefined : `${chosen.vertex - first} (${chosen.vertex} of all)`],
      [isWhole ? "centre x" : "x", place(at[0])],
      [isWhole ? "centre y" : "y", place(at[1])],
      ["speed", isWhole ? withUnit(motion.speed[state], "m/s") : this.valueText(run, "speed", state, chosen.vertex)],
      ["velocity", isWhole ? `(${short(motion.vx[state], 3)}, ${short(motion.vy[state], 3)}) m/s` : undefined],
      ["angle", isWhole && motion.angle ? `${short((motion.angle[state] * 180) / Math.PI, 4)}°` : undefined],
      ["spin", isWhole && motion.spin ? `${short(motion.spin[state], 3)} rad/s` : undefined],
      ["kinetic energy", isWhole && motion.kinetic ? withUnit(motion.kinetic[state], "J") : undefined],
      ["mass", run.head.bodies[chosen.body].mass > 0 ? `${short(run.head.bodies[chosen.body].mass)} kg` : undefined],
      ["pressure", this.valueText(run, "pressure", state, chosen.vertex)],
      ["stress around it", isWhole ? undefined : this.stressAt(run, state, chosen.vertex)],
      ["largest stress", body.stress],
      ["vertices", String(run.vertices[chosen.body].length)],
      ["contacts", isHeld && !run.blocks.contact_counts ? undefined : body.contacts],
      ["normal force", body.push],
      ["friction", body.friction],
    ]);
  }

  /** Value of a field at a vertex as text; `undefined` without one. */
  valueText(run, name, state, vertex) {
    const field = run.fields[name];
    if (!field || vertex === undefined) return undefined;
    const value = run.value(name, state, vertex);
    return Number.isNaN(value) ? undefined : withUnit(value, field.unit);
  }

  /** Largest stress of the elements around a vertex. */
  stressAt(run, state, vertex) {
    if (!run.fields.stress) return undefined;
    const first = run.head.elements[0];
    const { faces, body } = run.blocks;
    const around = run.elements[body[vertex]].filter((k) => [0, 1, 2].some((c) => faces[3 * (k + first) + c] === vertex));
    return around.length ? withUnit(Math.max(...around.map((k) => run.value("stress", state, k))), "Pa") : undefined;
  }

  /** Sums and extremes of a body as text. */
  bodyNumbers(run, state, body) {
    const numbers = {};
    if (run.fields.stress && run.elements[body].length) {
      let most = 0;
      for (const k of run.elements[body]) most = Math.max(most, run.value("stress", state, k) || 0);
      numbers.stress = withUnit(most, "Pa");
    }
    if (!run.blocks.contact_counts) return numbers;

    // Forces on the body by all others.
    const [push, friction] = [[0, 0], [0, 0]];
    let count = 0;
    for (const contact of run.contacts(state)) {
      const sign = (contact.first === body ? 1 : 0) - (contact.second === body ? 1 : 0);
      count += contact.first === body || contact.second === body ? 1 : 0;
      for (let axis = 0; axis < 2; axis++) {
        push[axis] += sign * contact.push[axis];
        friction[axis] += sign * contact.friction[axis];
      }
    }
    numbers.contacts = String(count);
    if (count) {
      numbers.push = this.forceText(push);
      numbers.friction = run.head.has_friction ? this.forceText(friction) : "not stored";
    }
    return numbers;
  }

  /** A force as text: its size, and both of its parts. */
  forceText(force) {
    return `${withUnit(Math.hypot(...force), "N")} (${short(force[0], 3)}, ${short(force[1], 3)})`;
  }

  /** Pairs of bodies in contact in a state of a run. */
  showPairs(run, state) {
    const all = pairsOf(run, state);
    const rows = all.slice(0, PAIRS);
    const chosen = this.viewer.pair?.join(" ");
    const names = (k) => run.head.bodies[k].name;
    this.pairsNote.textContent = this.pairsWords(run, all.length);
    while (this.pairs.children.length > rows.length) this.pairs.lastChild.remove();
    while (this.pairs.children.length < rows.length) {
      const row = document.createElement("tr");
      row.tabIndex = 0;
      for (let k = 0; k < 4; k++) row.append(document.createElement("td"));
      this.pairs.append(row);
    }
    rows.forEach(({ bodies, count, gap, push }, k) => {
      const row = this.pairs.children[k];
      const key = bodies.join(" ");
      row.dataset.pair = key;
      row.setAttribute("aria-selected", String(key === chosen));
      const texts = [`${names(bodies[0])} – ${names(bodies[1])}`, String(count), withUnit(gap, "m"), withUnit(Math.hypot(...push), "N")];
      texts.forEach((text, column) => {
        if (row.children[column].textContent !== text) row.children[column].textContent = text;
      });
    });
  }

  /** What stands above the list of pairs. */
  pairsWords(run, count) {
    if (!run.blocks.contact_counts) return "Contacts are left out of this page.";
    if (count === 0) return "Nothing is in contact.";
    return count > PAIRS ? `The ${PAIRS} pairs of ${count} that press most.` : "";
  }

  /** Marks the contacts of the pair in a row, or no longer. */
  choosePair(row) {
    if (!row) return;
    const pair = row.dataset.pair.split(" ").map(Number);
    const isSame = this.viewer.pair?.join(" ") === row.dataset.pair;
    this.viewer.pair = isSame ? undefined : pair;
    this.viewer.changed();
  }

  /** Where the numbers come from, with their errors, and what is missing. */
  writeAbout() {
    const about = element("about");
    for (const [k, run] of this.viewer.runs.entries()) {
      const { head } = run;
      const errors = head.fields.map(({ name, error, unit }) => `${name} ±${withUnit(error, unit, 2)}`);
      const text = [`positions ±${withUnit(head.error, "m", 2)}`, ...errors, `forces and gaps ±${short(100 * head.relative_error, 2)} %`];
      const item = document.createElement("li");
      item.textContent = `${this.viewer.nameOf(k)}: ${head.states} states of ${head.vertices} vertices, rounded: ${text.join(", ")}. A state with larger values is rounded more, to 0.8 % of its largest value.`;
      about.append(item);
      const motion = document.createElement("li");
      motion.textContent = `Velocities, spins and energies of bodies are those of bodies.csv, and without it means since the state before, ±${short(100 * head.relative_error, 2)} %.`;
      about.append(motion);
      for (const note of head.notes) {
        const line = document.createElement("li");
        line.textContent = `${note[0].toUpperCase()}${note.slice(1)}.`;
        about.append(line);
      }
    }
  }
}
