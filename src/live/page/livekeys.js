// Keys of the live page, and the list of them that `?` shows.

import { element } from "./page.js";

/** What keys do: keys, words, and the call. */
const LIVE_KEYS = [
  [[" "], "Space", "play or stop", (page) => page.play()],
  [["ArrowRight"], "→", "one step", (page) => page.one()],
  [["ArrowLeft"], "←", "one step back", (page) => page.back(page.run.frame.step - 1)],
  [["PageUp"], "Page up", "twenty steps back", (page) => page.back(page.run.frame.step - 20)],
  [["Home"], "Home", "begin anew", (page) => page.begin()],
  [["]"], "]", "faster", (page) => page.changeSpeed(1)],
  [["["], "[", "slower", (page) => page.changeSpeed(-1)],
  [["1"], "1", "drag", (page) => page.use("hand")],
  [["2"], "2", "pin", (page) => page.use("pin")],
  [["3"], "3", "draw an outline", (page) => page.use("pen")],
  [["4"], "4", "box", (page) => page.use("box")],
  [["5"], "5", "disk", (page) => page.use("disk")],
  [["6"], "6", "take a body out", (page) => page.use("delete")],
  [["7"], "7", "copy", (page) => page.use("copy")],
  [["8"], "8", "hinge", (page) => page.use("hinge")],
  [["9"], "9", "rope", (page) => page.use("rope")],
  [["l"], "L", "spring", (page) => page.use("spring")],
  [["f"], "F", "rigid finger", (page) => page.use("finger")],
  [["b"], "B", "shoot a ball", (page) => page.use("shoot")],
  [["z"], "Z", "undo", (page) => page.edit("undo")],
  [["+", "="], "+", "zoom in", (page) => page.stage.move((camera) => camera.zoom(1.25))],
  [["-"], "−", "zoom out", (page) => page.stage.move((camera) => camera.zoom(0.8))],
  [["0"], "0", "show all", (page) => page.stage.fit()],
  [["w"], "W", "move up", (page) => page.stage.move((camera) => camera.pan(0, 40))],
  [["s"], "S", "move down", (page) => page.stage.move((camera) => camera.pan(0, -40))],
  [["a"], "A", "move left", (page) => page.stage.move((camera) => camera.pan(40, 0))],
  [["d"], "D", "move right", (page) => page.stage.move((camera) => camera.pan(-40, 0))],
  [["c"], "C", "next colours", (page) => page.colourBy({ body: "speed", speed: "stress", stress: "body" }[page.quantity])],
  [["n"], "N", "normal forces", () => element("show-normal").click()],
  [["r"], "R", "friction", () => element("show-friction").click()],
  [["p"], "P", "pressure", () => element("show-pressure").click()],
  [["h"], "H", "ghost of the last run", () => element("show-ghost").click()],
  [["v"], "V", "moving picture of the last seconds", (page) => page.saveFilm()],
  [["j"], "J", "joints", () => element("show-joints").click()],
  [["m"], "M", "mesh", () => element("show-mesh").click()],
  [["g"], "G", "panel", (page) => page.togglePanel()],
  [["t"], "T", "light or dark", (page) => page.colours.toggle()],
  [["?"], "?", "this list", (page) => page.help()],
];

/** Elements that use keys themselves. */
const TYPED = "input:not([type=checkbox]):not([type=range]), select, textarea";

/** Listens to keys, and lists them in the dialog. */
export function listenToLiveKeys(page) {
  for (const [, label, words] of LIVE_KEYS) {
    const row = document.createElement("div");
    const key = document.createElement("kbd");
    key.textContent = label;
    row.append(key, document.createTextNode(words));
    element("keys").append(row);
  }

  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.target.closest?.(TYPED) || !page.run) return;
    const isUndo = event.key === "z" && (event.ctrlKey || event.metaKey);
    if ((event.ctrlKey || event.metaKey) && !isUndo) return;
    const isButton = event.target.closest?.("button, summary, input");
    if (isButton && [" ", "Enter", "ArrowLeft", "ArrowRight", "Home", "PageUp"].includes(event.key)) return;
    const found = LIVE_KEYS.find(([keys]) => keys.includes(event.key) || keys.includes(event.key.toLowerCase()));
    if (!found) return;
    event.preventDefault();
    found[3](page);
  });
}
