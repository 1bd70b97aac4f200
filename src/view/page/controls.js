// Controls of the page: buttons, the slider of time, boxes of what is shown.

import { element } from "./page.js";

/** Boxes that few scenes have a use for: they are hidden elsewhere. */
const RARE = ["chambers", "cells"];

/** Connects buttons, sliders and boxes with a viewer. */
export function addControls(viewer) {
  const { clock } = viewer;
  const time = element("time");
  time.max = clock.moments.length - 1;
  time.addEventListener("input", () => clock.seek(Number(time.value)));
  element("play").addEventListener("click", () => clock.toggle());
  element("back").addEventListener("click", () => clock.seek(clock.index - 1));
  element("on").addEventListener("click", () => clock.seek(clock.index + 1));
  element("loop").addEventListener("click", () => viewer.toggleLoop());
  element("fit").addEventListener("click", () => viewer.fit());
  element("follow").addEventListener("click", () => viewer.follow());
  element("theme").addEventListener("click", () => viewer.colours.toggle());
  element("help").addEventListener("click", () => viewer.toggleHelp());
  element("help-close").addEventListener("click", () => viewer.toggleHelp());
  element("print").addEventListener("click", () => window.print());
  element("charts-button").addEventListener("click", () => viewer.toggleCharts());
  element("link").hidden = viewer.runs.length === 1;
  element("link").addEventListener("click", () => viewer.toggleLink());
  element("link").setAttribute("aria-pressed", String(viewer.isLinked));
  element("pairs-box").addEventListener("toggle", () => viewer.panel.show());

  const speed = element("speed");
  for (const each of clock.speeds) speed.add(new Option(`${each}×`, String(each)));
  speed.addEventListener("change", () => {
    clock.speed = Number(speed.value);
  });
  for (const name of Object.keys(viewer.shown)) {
    const box = element(`show-${name}`);
    box.checked = viewer.shown[name];
    box.addEventListener("change", () => {
      viewer.shown[name] = box.checked;
      viewer.changed();
    });
    const why = whyNot(viewer, name);
    box.disabled = Boolean(why);
    if (RARE.includes(name)) box.closest("label").hidden = box.disabled;
    if (why) box.closest("label").title = why;
  }
  element("smooth").addEventListener("change", ({ target }) => {
    viewer.isSmooth = target.checked;
    viewer.changed();
  });
  element("arrow-size").addEventListener("input", (event) => {
    viewer.arrowFactor = 2 ** Number(event.target.value);
    viewer.changed();
  });
  addMarks(viewer);

  // After a click with a pointer, keys belong to the page again, and not to the button.
  document.addEventListener("click", ({ detail, target }) => {
    if (detail > 0) target.closest("button, summary, input[type=checkbox]")?.blur();
  });
}

/** Why no run can show some arrows; `undefined` if one can. */
function whyNot(viewer, name) {
  const { runs } = viewer;
  const has = {
    normal: runs.some((run) => run.blocks.contact_counts),
    pairs: runs.some((run) => run.blocks.contact_counts),
    friction: runs.some((run) => run.blocks.contact_counts && run.head.has_friction),
    reactions: runs.some((run) => run.head.series.some(([kind]) => kind === "reaction")),
    network: runs.some((run) => run.blocks.contact_counts),
    symbols: runs.some((run) => run.symbols.length > 0),
    mesh: true,
    path: true,
    chambers: runs.some((run) => run.head.chambers.length > 0),
    cells: runs.some((run) => run.head.cell),
  };
  if (has[name]) return undefined;
  if (RARE.includes(name)) return "no scene has any";
  if (name === "symbols") return "the scene has no joint, support or load";
  if (!has.normal) return "contacts and forces are left out of this page (--no-forces)";
  return name === "friction"
    ? "the run has no file of contacts; run the scene with --set output.contacts=npy"
    : "the run has no forces of supports in forces.csv";
}

/** Marks on the slider where steps were tried again, and where a run failed. */
function addMarks(viewer) {
  const { clock, runs } = viewer;
  const duration = clock.moments.at(-1) - clock.moments[0] || 1;
  const marks = element("marks");
  const add = (time, kind, words) => {
    const mark = document.createElement("i");
    mark.className = kind;
    mark.style.left = `${(100 * (time - clock.moments[0])) / duration}%`;
    mark.title = words;
    marks.append(mark);
  };
  for (const run of runs) {
    for (const { step, rung, why } of run.head.recoveries.slice(0, 200)) {
      const state = run.steps.findIndex((own) => own >= step);
      if (state >= 0) add(run.times[state], "again", `step ${step} was tried again (${rung}): ${why}`);
    }
    if (run.head.status === "failed") add(run.times.at(-1), "failed", run.head.reason);
  }
}
