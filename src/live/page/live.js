// The live page: an engine, the scene that it runs, and the controls.

import { Colours, cssColour } from "./colours.js";
import { PageEngine, SocketEngine, WorkerEngine } from "./engine.js";
import { Film } from "./film.js";
import { listenToLiveKeys } from "./livekeys.js";
import { LIVE_FIELDS, LiveRun } from "./liverun.js";
import { LiveStage } from "./livestage.js";
import { fragmentOf, saveFile, sceneOf } from "./link.js";
import { short, timeText, withUnit } from "./numbers.js";
import { Pace } from "./pace.js";
import { dataOf, element } from "./page.js";
import { ballOf, bodyOf } from "./pen.js";
import { richText } from "./story.js";
import { Trace } from "./trace.js";

/** Speeds that one can choose. */
const SPEEDS = [0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 4];
/** Stiffness of a hand for each kg of the body (N/m), and the largest distance it is strengthened (powers of 10). */
const STIFFNESS = 600;
/** Quantities of a body, with their place among its numbers and their units. */
const MOTIONS = [["x", 0, "m"], ["y", 1, "m"], ["angle", 2, "rad"], ["velocity x", 3, "m/s"], ["velocity y", 4, "m/s"], ["spin", 5, "rad/s"]];
/** Number of frames whose times are kept. */
const KEPT_FRAMES = 2000;

/** Everything of the page. */
class LivePage {
  constructor(engine, settings, scenes) {
    this.engine = engine;
    this.settings = settings;
    this.scenes = scenes;
    this.colours = new Colours(settings);
    this.pace = new Pace();
    this.hands = new Map();
    this.moving = new Set();
    this.shifts = {};
    this.pins = 0;
    this.strength = 0;
    this.tool = "hand";
    this.material = "rubber";
    this.quantity = "body";
    this.top = 1;
    this.tops = {};
    this.shown = { normal: false, friction: false, pressure: false, mesh: true, joints: true, ghost: true, proofs: true };
    this.film = new Film();
    this.chosen = new Map();
    this.frameTimes = [];
    this.stage = new LiveStage(this);
    this.energies = new Trace(element("trace-energies"), this.colours);
    this.motion = new Trace(element("trace-body"), this.colours);
    this.addControls();
    listenToLiveKeys(this);
    this.colours.listeners.push(() => this.stage.due());
    requestAnimationFrame((now) => this.frame(now));
  }

  /** A frame of the browser: it paints, and asks for the steps that are due. How long the script takes is kept (ms). */
  frame(now) {
    const start = performance.now();
    this.pump(now);
    if (this.latest) this.take(this.latest);
    if (this.stage.paint()) {
      this.frameTimes.push(performance.now() - start);
      if (this.frameTimes.length > KEPT_FRAMES) this.frameTimes.shift();
    }
    requestAnimationFrame((next) => this.frame(next));
  }

  /** Asks for the steps that are due, unless the engine is at work: between two pictures too, if these are slow. */
  pump(now) {
    const due = !this.isBusy && this.run && this.pace.tick(now);
    if (due) this.advance(due.steps, due.budget);
  }

  /** Makes steps, after what hands have done since the last ones. The next picture shows them. */
  async advance(steps, budget) {
    this.isBusy = true;
    this.sendHands();
    if (this.moving.size) {
      steps = Math.min(steps, 2);
      this.moveSliders(steps);
    }
    const reply = await this.engine.request("advance", { steps, budget });
    this.isBusy = false;
    if (this.isLost(reply)) return;
    this.pace.done(reply.done, performance.now());
    this.took = reply.took / Math.max(1, reply.done);
    this.latest = reply;
    if (this.pace.isPlaying && !reply.failure) this.pump(performance.now());
    if (reply.failure) {
      this.pace.toggle(false);
      this.notice(`This step cannot be made:\n${reply.failure}\nStep back, or begin anew.`);
    }
  }

  /** Sets what hands hold, if that has changed. */
  sendHands() {
    const parameters = [];
    for (const [name, hand] of this.hands) {
      if (hand.isSent) continue;
      hand.isSent = true;
      if (hand.body) {
        const stiffness = STIFFNESS * hand.mass * 10 ** this.strength;
        parameters.push({ hand: { name, body: hand.body, at: hand.at, to: hand.to, stiffness } });
      } else {
        parameters.push({ hand: { name } });
        this.hands.delete(name);
      }
    }
    if (parameters.length) this.set(parameters);
  }

  /** Moves what has a largest speed towards where its sliders are, before some steps. */
  moveSliders(steps) {
    for (const own of this.moving) {
      const most = own.rate * steps * this.run.head.h;
      own.now += Math.max(-most, Math.min(most, own.wanted - own.now));
      if (own.now === own.wanted) this.moving.delete(own);
      // Both axes of a target are one parameter.
      const parameters = own.set.map((each) => withNumber(each, own.at, own.now));
      for (const parameter of parameters) {
        const by = (this.shifts[parameter.target.body] ??= [0, 0]);
        by[Number(own.at.at(-1))] = own.now;
        parameter.target.by = [...by];
      }
      this.set(parameters);
    }
  }

  /** Sets parameters. */
  async set(parameters) {
    const reply = await this.engine.request("set", { parameters });
    if (reply.error && !this.isLost(reply)) this.notice(reply.error);
  }

  /** True if a reply says that the engine has lost the scene, which then begins anew. */
  isLost(reply) {
    if (!reply.lost) return Boolean(reply.error && this.notice(reply.error));
    if (reply.over) fail(new Error(reply.error));
    else this.openText(this.text).then(() => this.notice(`The engine has failed, and the scene begins anew:\n${reply.error}`));
    return true;
  }

  /** Shows the state of a reply. */
  take(reply) {
    const { run } = this;
    this.latest = undefined;
    run.update(reply);
    this.film.add(reply);
    const values = reply.arrays.field;
    if (values && this.quantity !== "body") {
      // The range grows at once, and shrinks slowly.
      let most = 0;
      for (const value of values) if (value > most) most = value;
      const before = this.tops[this.quantity] ?? 0;
      this.top = Math.max(most, before * 0.995) || 1;
      this.tops[this.quantity] = this.top;
      run.colour(this.quantity, values, this.top);
    }
    this.energies.add(reply.time, this.isLedger && reply.work ? reply.work : reply.energies);
    this.addMotion(reply);
    this.stage.due();
    this.tell();
  }

  /** Adds the quantity of the chosen body to its curve. */
  addMotion(reply) {
    if (this.selected === undefined) return;
    const [name, place] = MOTIONS[element("quantity").selectedIndex] ?? MOTIONS[0];
    this.motion.add(reply.time, { [name]: reply.arrays.motions[6 * this.selected + place] });
  }

  /** Shows numbers: time, proofs, energies. */
  tell() {
    const { frame } = this.run;
    const slider = element("time");
    slider.min = frame.first;
    slider.max = Math.max(frame.step, this.last);
    this.last = Math.max(this.last, frame.step);
    slider.value = frame.step;
    element("clock").textContent = `${timeText(frame.time, this.run.head.h)} s`;
    element("late").textContent = this.pace.lateness;
    const { proofs } = frame;
    element("proof-breaches").textContent = proofs.breaches.length;
    element("proof").classList.toggle("broken", proofs.breaches.length > 0);
    element("proof-pairs").textContent = this.shown.proofs ? `${counted(proofs.pairs)} pairs proved in ${counted(proofs.steps)} steps` : "steps are not proved";

    // Charts and the panel need fewer frames than the picture.
    const now = performance.now();
    if (now - (this.told ?? 0) < 120) return;
    this.told = now;
    this.energies.draw("J");
    this.motion.draw(MOTIONS[element("quantity").selectedIndex]?.[2] ?? "");
    const shown = this.isLedger && frame.work ? frame.work : frame.energies;
    element("legend-energies").replaceChildren(...Object.keys(shown).map((name, k) => {
      const entry = document.createElement("li");
      const mark = document.createElement("i");
      mark.style.background = this.colours.ofCurve(k);
      entry.append(mark, `${name} ${withUnit(shown[name], "J")}`);
      return entry;
    }));
    const rows = [
      ["step", String(frame.step)],
      ["time of a step", this.took === undefined ? "–" : `${short(1000 * this.took, 3)} ms`],
      ["contacts", String(frame.contacts)],
      ["smallest gap", frame.gap === null ? "–" : withUnit(frame.gap, "m")],
      ["Newton iterations", String(frame.iterations)],
      ["hash", frame.hash],
    ];
    if (this.shown.pressure && this.pressure) rows.splice(3, 0, ["largest pressure", withUnit(this.pressure, "Pa")]);
    this.list("state", rows);
    this.list("measures", (frame.measures ?? []).map(({ name, unit, value }) => [name, value === null ? "–" : unit === "1" ? short(value, 4) : withUnit(value, unit)]));
    element("measures-box").hidden = !frame.measures?.length;
    const pairs = (frame.pairs ?? []).map(({ bodies, force, friction }) => {
      const rub = Math.hypot(...friction);
      return [bodies.join(" – "), `${withUnit(Math.hypot(...force), "N")}${rub > 0 ? ` (friction ${withUnit(rub, "N")})` : ""}`];
    });
    this.list("pairs", pairs);
    element("pairs-box").hidden = !pairs.length;
    this.legend();
  }

  /** Fills a list with names and values. */
  list(id, rows) {
    element(id).replaceChildren(...rows.flatMap(([name, value]) => {
      const [term, text] = [document.createElement("dt"), document.createElement("dd")];
      term.textContent = name;
      text.textContent = value;
      return [term, text];
    }));
  }

  /** The bar of colours with its range. */
  legend() {
    const field = LIVE_FIELDS[this.quantity];
    element("legend-values").hidden = !field;
    if (!field) return;
    element("legend-name").textContent = `${field.label}, 0 to ${withUnit(this.top, field.unit)}`;
    const stops = this.settings.scale.map((colour) => cssColour(colour)).join(",");
    element("legend-bar").style.background = `linear-gradient(to right, ${stops})`;
  }

  /** Opens a scene by its text. Resolves to true if that is done. */
  async openText(text, { title, lesson } = {}) {
    this.hands.clear();
    this.moving.clear();
    const reply = await this.engine.request("open", { scene: text });
    element("loading").hidden = true;
    if (reply.error) {
      this.notice(`This scene cannot be opened:\n${reply.error}`);
      return false;
    }
    this.text = text;
    this.title = title ?? "ipcsim live";
    this.lesson = lesson;
    this.pace.restart(reply.h);
    this.pace.toggle(true);
    this.tops = {};
    this.selected = undefined;
    this.hands.clear();
    this.last = 0;
    this.energies.clear();
    this.film.clear();
    this.chosen.clear();
    this.show(reply);
    this.choose();
    document.body.classList.add("ready");
    return true;
  }

  /** Shows a scene from the reply that has all of it. */
  show(reply, keeps = false) {
    this.run = new LiveRun(reply);
    this.stage.show(this.run, keeps);
    element("notice").hidden = true;
    const story = this.lesson ?? reply.description ?? "";
    element("story").hidden = !story;
    element("description").replaceChildren(...richText(story));
    element("name").textContent = reply.name ?? this.title;
    document.title = `${reply.name ?? this.title} · ipcsim live`;
    this.showSliders(reply.sliders);
    this.take(reply);
    element("ledger-row").hidden = !reply.work;
    this.button();
  }

  /** Begins the scene anew. */
  async begin() {
    const reply = await this.engine.request("restart");
    if (this.isLost(reply)) return;
    this.hands.clear();
    this.last = 0;
    this.energies.clear();
    this.motion.clear();
    this.film.haunt();
    this.chosen.clear();
    this.pace.restart(reply.h);
    this.show(reply, true);
  }

  /** Stops, and goes to the end of an earlier step. */
  async back(step) {
    this.play(false);
    this.latest = undefined;
    if (this.isBack) {
      this.wanted = step;
      return;
    }
    this.isBack = true;
    const reply = await this.engine.request("back", { step });
    this.isBack = false;
    if (this.isLost(reply)) return;
    for (const hand of this.hands.values()) hand.isSent = false;
    element("notice").hidden = true;
    this.take(reply);
    if (this.wanted !== undefined) {
      const next = this.wanted;
      this.wanted = undefined;
      this.back(next);
    }
  }

  /** Stops, and makes one step. */
  one() {
    this.play(false);
    if (!this.isBusy) this.advance(1, 10);
  }

  /** Plays or stops. */
  play(on = !this.pace.isPlaying) {
    this.pace.toggle(on);
    if (on) element("notice").hidden = true;
    this.button();
    this.stage.due();
  }

  /** The button that plays or stops. */
  button() {
    const play = element("play");
    play.dataset.icon = this.pace.isPlaying ? "stop" : "play";
    play.setAttribute("aria-label", this.pace.isPlaying ? "Stop" : "Play");
  }

  /** What the engine finds at a place: a hand, or nothing. The tool says what becomes of it. */
  async grab(at, within, tool) {
    const pin = [...this.hands].find(([, hand]) => hand.isPin && Math.hypot(hand.to[0] - at[0], hand.to[1] - at[1]) < within);
    if (pin && tool !== "delete") {
      this.change(pin[0], { body: undefined });
      return undefined;
    }
    const found = await this.engine.request("grab", { at, within });
    if (!found.body) return undefined;
    if (tool === "delete") {
      await this.edit("remove", { body: found.body });
      return {};
    }

    this.select(found.number);
    if (tool === "copy") return { copies: found.body };
    const name = `hand ${++this.pins}`;
    this.hands.set(name, { body: found.body, at: found.at, mass: found.mass, to: found.point, isSent: true });
    document.body.dataset.held = "1";
    return {
      pull: (to) => this.change(name, { to, isSent: false }),
      free: () => {
        delete document.body.dataset.held;
        this.change(name, tool === "pin" ? { isPin: true } : { body: undefined });
      },
    };
  }

  /** Changes a hand; the next steps feel it. */
  change(name, values) {
    const hand = this.hands.get(name);
    if (hand) Object.assign(hand, values, { isSent: false });
    this.stage.due();
  }

  /** Adds a body of an outline (m) or a circle; resolves to true if there is room for it. */
  addBody(form) {
    const { head } = this.run;
    const scene = { names: head.bodies.map(({ name }) => name), size: this.run.size, gravity: Math.hypot(...head.gravity) };
    return this.edit("add", bodyOf(form, this.material, scene));
  }

  /** Speed of the next ball (m/s). */
  get shotSpeed() {
    return Number((10 ** Number(element("shot-speed").value)).toPrecision(2));
  }

  /** Shoots a ball of a radius (m) from a place towards another one (m); resolves to true if it had room. */
  shoot(from, to, radius) {
    const names = this.run.head.bodies.map(({ name }) => name);
    return this.edit("add", ballOf(from, to, radius, this.shotSpeed, names));
  }

  /** Joins the bodies at two places (m), or a body and the ground; resolves to true if that is done. */
  join(tie, from, to, within) {
    return this.edit("join", { tie, from, to, within });
  }

  /** A rigid finger at a place, with a radius (m): a disk that a hand holds. Nothing, if there is no room. */
  async finger(place, radius) {
    const masses = this.run.head.bodies.map(({ mass }) => mass).filter((mass) => mass > 0);
    const mass = masses.reduce((sum, each) => sum + each, 0) / Math.max(1, masses.length) || 1;
    const name = `finger ${++this.pins}`;
    const body = { name, kind: "rigid", fixed: ["angle"], shape: { circle: { radius } }, mass, material: "finger", position: place };
    const isThere = await this.edit("add", { body, material: { density: 1000 }, passing: true });
    if (!isThere) return undefined;
    this.hands.set(name, { body: name, at: place, mass: 4 * mass, to: place, isSent: false });
    return {
      pull: (to) => this.change(name, { to, isSent: false }),
      free: () => {
        this.hands.delete(name);
        this.edit("remove", { body: name, passing: true });
      },
    };
  }

  /** Changes the bodies of the scene; resolves to true if that is done. */
  async edit(name, values) {
    const reply = await this.engine.request(name, values);
    if (reply.lost) return !this.isLost(reply);
    if (reply.error) {
      this.notice(reply.error.split("\n").slice(0, 4).join("\n"));
      return false;
    }
    for (const [key, hand] of this.hands) {
      hand.isSent = false;
      if (!reply.bodies.some((body) => body.name === hand.body)) this.hands.delete(key);
    }
    if (!values?.passing) this.select(undefined);
    this.film.clear();
    this.show(reply, true);
    return true;
  }

  /** Chooses a body by its number, for the chart. */
  select(body) {
    if (body === this.selected) return;
    this.selected = body;
    this.motion.clear();
    const isChosen = body !== undefined;
    element("chosen").textContent = isChosen ? this.run.head.bodies[body].name : "Body";
    element("body-hint").hidden = isChosen;
    this.stage.due();
  }

  /** Asks the engine for what is shown with each state. */
  async choose() {
    const { quantity, shown } = this;
    const field = quantity === "body" ? null : quantity;
    for (const name of ["body", "speed", "stress"]) element(`by-${name}`).setAttribute("aria-pressed", String(name === quantity));
    const reply = await this.engine.request("show", { field, forces: shown.normal || shown.friction, pressure: shown.pressure, proofs: shown.proofs });
    if (reply.error) return;
    this.take(reply);
    this.legend();
  }

  /** Sliders of the scene, and that of the hand's strength. */
  showSliders(list) {
    this.moving = new Set();
    if (!this.chosen.size) this.shifts = {};
    const strength = { label: "strength of the hand", unit: "×", least: -1, most: 5, value: this.strength, isPower: true };
    const rows = [strength, ...list].map((own) => {
      const row = document.createElement("label");
      row.className = "slide";
      const [name, value, input] = [document.createElement("span"), document.createElement("output"), document.createElement("input")];
      name.textContent = own.label;
      Object.assign(input, { type: "range", min: own.least, max: own.most, step: "any", value: this.chosen.get(own.label) ?? own.value ?? 0 });
      let isMoved = this.chosen.has(own.label);
      if (own.rate && isMoved) own.now = this.chosen.get(own.label);
      const show = () => {
        const number = Number(input.value);
        const isKnown = own.value !== null || isMoved;
        value.textContent = own.isPower ? `${short(10 ** number, 2)}×` : isKnown ? `${short(number, 3)} ${own.unit}` : "as in the scene";
      };
      input.addEventListener("input", () => {
        isMoved = true;
        show();
        const number = Number(input.value);
        if (!own.isPower) this.chosen.set(own.label, number);
        if (own.isPower) {
          this.strength = number;
          for (const hand of this.hands.values()) hand.isSent = false;
        } else if (own.rate) {
          own.wanted = number;
          own.now ??= own.value ?? 0;
          this.moving.add(own);
        } else {
          this.set(own.set.map((each) => withNumber(each, own.at, number)));
        }
      });
      show();
      row.append(name, value, input);
      return row;
    });
    element("sliders").replaceChildren(...rows);
  }

  /** Buttons, lists and boxes. */
  addControls() {
    const on = (id, listener, kind = "click") => element(id).addEventListener(kind, listener);
    on("play", () => this.play());
    on("on", () => this.one());
    on("back", () => this.back(this.run.frame.step - 1));
    on("restart", () => this.begin());
    on("fit", () => this.stage.fit());
    on("time", ({ target }) => this.back(Number(target.value)), "input");
    on("theme", () => this.colours.toggle());
    on("help", () => this.help());
    on("help-close", () => this.help());
    on("panel-button", () => this.togglePanel());
    on("undo", () => this.edit("undo"));
    on("keep", () => this.edit("keep"));
    on("film", () => this.saveFilm());
    on("show-ledger", ({ target }) => {
      this.isLedger = target.checked;
      this.energies.clear();
    }, "change");
    on("share", () => this.share());
    on("save", () => this.save());
    on("open", () => element("file").click());
    on("file", async ({ target }) => {
      const [file] = target.files;
      if (file) this.openText(await file.text());
      target.value = "";
    }, "change");
    document.addEventListener("dragover", (event) => event.preventDefault());
    document.addEventListener("drop", async (event) => {
      event.preventDefault();
      const [file] = event.dataTransfer.files;
      if (file) this.openText(await file.text());
    });
    for (const button of document.querySelectorAll("[data-tool]")) button.addEventListener("click", () => this.use(button.dataset.tool));
    for (const button of document.querySelectorAll("[data-material]")) button.addEventListener("click", () => this.useMaterial(button.dataset.material));
    for (const name of ["body", "speed", "stress"]) on(`by-${name}`, () => this.colourBy(name));
    for (const name of Object.keys(this.shown)) {
      on(`show-${name}`, ({ target }) => {
        this.shown[name] = target.checked;
        this.choose();
      }, "change");
    }
    element("quantity").append(...MOTIONS.map(([name]) => new Option(name, name)));
    element("quantity").selectedIndex = 1;
    on("quantity", () => this.motion.clear(), "change");
    const showSpeed = () => (element("shot-value").textContent = `${this.shotSpeed.toLocaleString("en")} m/s`);
    on("shot-speed", showSpeed, "input");
    showSpeed();
    const speed = element("speed");
    SPEEDS.forEach((each) => speed.add(new Option(`${each}×`, String(each))));
    speed.value = "1";
    on("speed", () => {
      this.pace.speed = Number(speed.value);
    }, "change");
    this.listScenes();

    // After a click with a pointer, keys belong to the page again, and not to the button.
    document.addEventListener("click", ({ detail, target }) => {
      if (detail > 0) target.closest("button, summary, input[type=checkbox]")?.blur();
    });
  }

  /** The list of scenes, in groups. */
  listScenes() {
    const list = element("scenes");
    const groups = new Map();
    this.scenes.forEach(({ group, title }, k) => {
      if (!groups.has(group)) groups.set(group, document.createElement("optgroup"));
      groups.get(group).label = group;
      groups.get(group).append(new Option(title, String(k)));
    });
    list.append(...groups.values());
    list.hidden = this.scenes.length < 2;
    list.addEventListener("change", () => {
      history.replaceState(null, "", location.pathname + location.search);
      const scene = this.scenes[Number(list.value)];
      this.openText(scene.text, scene);
      list.blur();
    });
  }

  /** Takes a tool. */
  use(tool) {
    this.tool = tool;
    document.body.dataset.tool = tool;
    for (const button of document.querySelectorAll("[data-tool]")) button.setAttribute("aria-pressed", String(button.dataset.tool === tool));
    element("materials").hidden = !["pen", "box", "disk"].includes(tool);
    element("shot").hidden = tool !== "shoot";
  }

  /** Takes a material for new bodies. */
  useMaterial(material) {
    this.material = material;
    for (const button of document.querySelectorAll("[data-material]")) button.setAttribute("aria-checked", String(button.dataset.material === material));
  }

  /** Colours by a quantity. */
  colourBy(quantity) {
    this.quantity = quantity;
    this.choose();
  }

  /** Plays faster (1) or slower (-1). */
  changeSpeed(direction) {
    const speed = element("speed");
    speed.selectedIndex = Math.max(0, Math.min(SPEEDS.length - 1, speed.selectedIndex + direction));
    this.pace.speed = Number(speed.value);
  }

  /** Shows or hides the panel. */
  togglePanel() {
    const isHidden = document.body.classList.toggle("no-panel");
    element("panel-button").setAttribute("aria-pressed", String(!isHidden));
  }

  /** Shows or hides the list of keys. */
  help() {
    const dialog = element("help-box");
    if (dialog.open) dialog.close();
    else dialog.showModal();
  }

  /** The scene as it was recorded, as text. */
  async recorded() {
    const reply = await this.engine.request("scene");
    if (this.isLost(reply)) return undefined;
    const isExact = reply.recorded;
    return { text: JSON.stringify(reply.scene, null, 1), isExact };
  }

  /** Saves the scene with all that was done. */
  async save() {
    const scene = await this.recorded();
    if (!scene) return;
    saveFile("live.json", scene.text);
    this.notice(scene.isExact ? "Saved with all that was done since the start, or since bodies were last drawn or taken out: ipcsim run live.json repeats it bit for bit." : "Saved as it begins: its state was set by hand.");
  }

  /** Saves a moving picture of the last seconds. */
  async saveFilm() {
    this.play(false);
    this.notice("Drawing the last seconds…");
    await new Promise((resolve) => setTimeout(resolve, 30));
    const frames = this.film.save(this.stage);
    this.notice(frames ? `Saved as live.gif: the last ${frames / 20} s.` : "There is nothing to show yet: let the scene run first.");
  }

  /** Puts the scene into the address, and copies that. */
  async share() {
    const fragment = await fragmentOf(this.text);
    history.replaceState(null, "", fragment);
    try {
      await navigator.clipboard.writeText(location.href);
      this.notice("The link is copied: it has the scene in it.");
    } catch {
      this.notice("The address of this page now has the scene in it.");
    }
  }

  /** Says something over the picture. */
  notice(text) {
    const box = element("notice");
    box.textContent = text;
    box.hidden = false;
    clearTimeout(this.noticed);
    this.noticed = setTimeout(() => (box.hidden = true), 2500 + 60 * text.length);
    return true;
  }
}

/** A number with a prefix where it is large. */
function counted(number) {
  if (number < 1e4) return String(number);
  return number < 1e6 ? `${(number / 1e3).toPrecision(3)} thousand` : `${(number / 1e6).toPrecision(3)} million`;
}

/** A parameter with a number at a place in it (a JSON pointer). */
function withNumber(parameter, at, number) {
  const copy = structuredClone(parameter);
  const keys = at.split("/").slice(1);
  let inner = copy;
  keys.slice(0, -1).forEach((key) => (inner = inner[key]));
  inner[keys.at(-1)] = number;
  return copy;
}

/** Says what went wrong in place of the picture. */
function fail(error) {
  element("loading").hidden = true;
  const box = element("failure");
  box.hidden = false;
  box.textContent = error.message;
}

/** The engine of this page: the native program if it has served the page, or else WebAssembly. */
async function engineOf(settings) {
  if (settings.socket) {
    const address = new URL(settings.socket, location.href);
    address.protocol = "ws:";
    return SocketEngine.start(address.href);
  }
  const program = element("worker").textContent;
  const module = element("module").textContent.trim();
  try {
    return await WorkerEngine.start(program, module);
  } catch {
    return PageEngine.start(program, module);
  }
}

/** Opens the scene of the address, or the first one. */
async function startLive() {
  const settings = dataOf("settings");
  const scenes = dataOf("scenes-data");
  const engine = await engineOf(settings);
  window.live = new LivePage(engine, settings, scenes);

  // Within another page there is little room.
  if (window.self !== window.top) window.live.togglePanel();
  let text;
  try {
    text = await sceneOf(location.hash);
  } catch (error) {
    window.live.notice(error.message);
  }
  if (!(text && (await window.live.openText(text)))) await window.live.openText(scenes[0].text, scenes[0]);
}

startLive().catch(fail);
