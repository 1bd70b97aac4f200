// Keys, and the list of them that `?` shows.

import { element } from "./page.js";

/** What keys do: keys, words, and the call. */
const KEYS = [
  [[" "], "Space", "play or stop", (viewer) => viewer.clock.toggle()],
  [["ArrowRight"], "→", "next state", (viewer) => viewer.clock.seek(viewer.clock.index + 1)],
  [["ArrowLeft"], "←", "state before", (viewer) => viewer.clock.seek(viewer.clock.index - 1)],
  [["PageDown"], "Page down", "ten states on", (viewer) => viewer.clock.seek(viewer.clock.index + 10)],
  [["PageUp"], "Page up", "ten states back", (viewer) => viewer.clock.seek(viewer.clock.index - 10)],
  [["Home"], "Home", "first state", (viewer) => viewer.clock.seek(0)],
  [["End"], "End", "last state", (viewer) => viewer.clock.seek(Infinity)],
  [["]"], "]", "faster", (viewer) => viewer.clock.change(1)],
  [["["], "[", "slower", (viewer) => viewer.clock.change(-1)],
  [["+", "="], "+", "zoom in", (viewer) => viewer.stage.move((camera) => camera.zoom(1.25))],
  [["-"], "−", "zoom out", (viewer) => viewer.stage.move((camera) => camera.zoom(0.8))],
  [["0"], "0", "the view of the scene", (viewer) => viewer.fit()],
  [["b"], "B", "all bodies", (viewer) => viewer.stage.fitBodies()],
  [["w"], "W", "move up", (viewer) => viewer.stage.move((camera) => camera.pan(0, 40))],
  [["s"], "S", "move down", (viewer) => viewer.stage.move((camera) => camera.pan(0, -40))],
  [["a"], "A", "move left", (viewer) => viewer.stage.move((camera) => camera.pan(40, 0))],
  [["d"], "D", "move right", (viewer) => viewer.stage.move((camera) => camera.pan(-40, 0))],
  [["f"], "F", "follow the chosen body", (viewer) => viewer.follow()],
  [["c"], "C", "next quantity of colours", (viewer) => viewer.legend.next()],
  [["n"], "N", "normal forces", (viewer) => viewer.toggle("normal")],
  [["r"], "R", "friction", (viewer) => viewer.toggle("friction")],
  [["u"], "U", "forces of supports", (viewer) => viewer.toggle("reactions")],
  [["p"], "P", "contact pairs", (viewer) => viewer.toggle("pairs")],
  [["o"], "O", "force network", (viewer) => viewer.toggle("network")],
  [["j"], "J", "joints, supports, loads", (viewer) => viewer.toggle("symbols")],
  [["m"], "M", "mesh", (viewer) => viewer.toggle("mesh")],
  [["h"], "H", "path of the selection", (viewer) => viewer.toggle("path")],
  [["g"], "G", "charts", (viewer) => viewer.toggleCharts()],
  [["l"], "L", "loop", (viewer) => viewer.toggleLoop()],
  [["k"], "K", "move all runs together", (viewer) => viewer.toggleLink()],
  [["t"], "T", "light or dark", (viewer) => viewer.colours.toggle()],
  [["?"], "?", "this list", (viewer) => viewer.toggleHelp()],
  [["Escape"], "Esc", "close, choose nothing", (viewer) => viewer.escape()],
];

/** Elements that use keys themselves. */
const OWN = "input:not([type=checkbox]):not([type=range]), select, textarea";

/** Listens to keys, and lists them in the dialog. */
export function listenToKeys(viewer) {
  const list = element("keys");
  for (const [, label, words] of KEYS) {
    const row = document.createElement("div");
    const key = document.createElement("kbd");
    key.textContent = label;
    row.append(key, document.createTextNode(words));
    list.append(row);
  }

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.(OWN)) return;
    const isButton = event.target.closest?.("button, summary, tr[tabindex], input[type=checkbox]");
    if (isButton && (event.key === " " || event.key === "Enter")) return;
    const found = KEYS.find(([keys]) => keys.includes(event.key) || keys.includes(event.key.toLowerCase()));
    if (!found) return;
    event.preventDefault();
    found[3](viewer);
  });
}
