// node space.js page.js: runs the page's script with a canvas that notes what is drawn on
// it, for a machine of 4 x 5 x 6 nodes of which a few have something. Every node must
// be told and drawn where it is: x to the right, y up, a plane for each z, in the text and
// beside the planes counted from 1. Then the page's buttons: themes, claims by verdict,
// commands to copy, the film. Prints what is wrong; the status is 1 then.
"use strict";
const fs = require("fs"), vm = require("vm");
const script = fs.readFileSync(process.argv[2], "utf8");
const SIZE = [4, 5, 6], SIDE = 600;
const faults = [];
const check = (text, good) => { if (!good) faults.push(text); };
const rank = ([x, y, z]) => x + SIZE[0] * (y + SIZE[1] * z);

// ---- a page that notes -------------------------------------------------------------
class Canvas {
  constructor() { this.clear(); }
  clear() { this.dots = []; this.boxes = []; this.texts = []; this.style = {}; }
  context() {
    const canvas = this;
    return new Proxy({}, {
      set: (_, name, value) => { canvas.style[name] = value; return true; },
      get: (_, name) => (...a) => {
        const look = { ...canvas.style };
        if (name === "clearRect") canvas.clear();
        if (name === "arc") canvas.dot = { x: a[0], y: a[1], radius: a[2] };
        if (name === "fill" && canvas.dot) canvas.dots.push({ ...canvas.dot, ...look });
        if (name === "fillRect") canvas.boxes.push({ x: a[0], y: a[1], w: a[2], h: a[3], ...look });
        if (name === "fillText") canvas.texts.push({ text: a[0], x: a[1], y: a[2] });
      },
    });
  }
}
class Element {
  constructor(id) {
    Object.assign(this, { id, style: {}, dataset: {}, children: [], options: [], on: {}, hidden: false, value: "" });
    this.canvas = new Canvas();
  }
  addEventListener(kind, act) { this.on[kind] = act; }
  getContext() { return this.canvas.context(); }
  getBoundingClientRect() { return { width: SIDE }; }
  querySelector(what) { return this[what] ??= new Element(what); }
  add(option) { this.options.push(option); }
  append() {}
  remove() {}
  after(button) { this.button = button; }
  setAttribute(name, value) { this[name] = value; }
  setPointerCapture() {}
  querySelectorAll(what) { return what === "article.figure" ? this.figures ?? [] : []; }
}

// Runs the script with this data; returns elements by id. `world` notes what happens
// beside them: what is stored, sent, copied and waits for its time.
function show(data, world = {}) {
  world = Object.assign(world, { stored: world.stored ?? "light", events: [], timers: new Map(), on: {}, dark: {} });
  const elements = { root: new Element(), filter: new Element(), rows: world.rows ?? [], commands: world.commands ?? [] };
  const $ = (id) => elements[id] ??= new Element(id);
  $("data").textContent = JSON.stringify(data);
  $("theme").hidden = elements.filter.hidden = true;
  elements.filter.children = (world.buttons ?? []).map((verdict) => {
    const button = new Element();
    if (verdict !== undefined) button.dataset.verdict = verdict;
    return button;
  });
  const document = {
    getElementById: (id) => (data.hidden === id ? null : $(id)), documentElement: elements.root, body: new Element(),
    querySelector: (what) => (what === ".filter" ? elements.filter : new Element()),
    querySelectorAll: (what) => (what === ".command" ? elements.commands : what === ".claims tbody tr" ? elements.rows : what === "details.chapter" ? world.chapters ?? [] : []),
    createElement: () => new Element(), dispatchEvent: (event) => { world.events.push(event.name); document.on[event.name]?.(); },
    addEventListener: (kind, act) => { document.on[kind] = act; }, on: {},
  };
  vm.runInNewContext(script, {
    document, navigator: world.copy ? { clipboard: { writeText: world.copy } } : {},
    location: { hash: "" }, decodeURIComponent, localStorage: { getItem: () => world.stored, setItem: (name, value) => { world.stored = value; world.kept = name; } },
    devicePixelRatio: world.ratio ?? 1, addEventListener: (kind, act) => { world.on[kind] = act; },
    Event: class { constructor(name) { this.name = name; } },
    Option: class { constructor(text, value) { this.text = text; this.value = value; } },
    requestAnimationFrame: (draw) => draw(), clearInterval: (n) => world.timers.delete(n),
    setInterval: (act, time) => { world.timers.set(7, act); world.every = time; return 7; },
    setTimeout: (act) => { world.later = act; },
    matchMedia: () => ({ matches: world.isDark ?? false, addEventListener: (_, act) => { world.dark = act; } }),
    getComputedStyle: (e) => ({ color: e.style.color }), Math, Number, String, JSON, Array, Object, Map,
  });
  return elements;
}

const valuesAt = (places) => {
  const values = new Array(SIZE[0] * SIZE[1] * SIZE[2]).fill(0);
  for (const [place, value] of places) values[rank(place)] = value;
  return values;
};
const mapOf = (places) => ({
  mesh: SIZE, frames: [], frames_of: "",
  maps: [{ name: "n", label: "Mean queue; m = 2", unit: "words", values: valuesAt(places) }],
});

// ---- where a node is ---------------------------------------------------------------
const filled = (canvas) => canvas.boxes.filter((box) => String(box.fillStyle).startsWith("rgb"));
for (const place of [[1, 2, 3], [0, 0, 0], [3, 4, 5], [3, 0, 1], [0, 4, 2]]) {
  const [x, y, z] = place, name = `node (${place})`;
  const page = show(mapOf([[place, 7]]));
  check(`${name} is told as ${page.most.textContent}`,
    page.most.textContent.includes(`(${x + 1}, ${y + 1}, ${z + 1}) 7.`) &&
    page.most.textContent.includes("1 of 120 nodes"));
  const { boxes, texts } = page.planes.canvas;
  const title = texts.find((t) => t.text === `Z = ${z + 1}`);
  check(`${texts.length} planes`, texts.length === 6 && boxes.length === 120);
  const [box] = filled(page.planes.canvas);
  check(`${name} is not one box`, filled(page.planes.canvas).length === 1);
  // Boxes of its plane: those below its title, at the same column of planes.
  const nearest = (b) => texts.filter((t) => t.y < b.y && t.x <= b.x + 1)
    .sort((s, t) => (b.y - s.y + b.x - s.x) - (b.y - t.y + b.x - t.x))[0];
  check(`${name} is in the plane of ${nearest(box)?.text}`, nearest(box) === title);
  const plane = boxes.filter((b) => nearest(b) === title);
  check(`${name}: ${plane.length} boxes in its plane`, plane.length === 20);
  const columns = [...new Set(plane.map((b) => b.x))].sort((a, b) => a - b);
  const rows = [...new Set(plane.map((b) => b.y))].sort((a, b) => b - a); // from below
  check(`${name} is drawn at x ${columns.indexOf(box.x)}, y ${rows.indexOf(box.y)}`,
    columns.indexOf(box.x) === x && rows.indexOf(box.y) === y);
}

// ---- in space ----------------------------------------------------------------------
// Where the dot of a node is, seen after some keys; the largest is the one with a value.
const dotAt = (place, keys = []) => {
  const page = show(mapOf([[place, 1]]));
  for (const key of keys) page.cube.on.keydown({ key, preventDefault: () => {} });
  const dots = page.cube.canvas.dots;
  check(`${dots.length} dots`, dots.length === 120);
  return dots.reduce((a, b) => (b.radius > a.radius ? b : a));
};
// From the front and nearly level: -0.6 + 5 * 0.12 = 0, 0.42 - 3 * 0.12 = 0.06.
const front = [...Array(5).fill("ArrowRight"), ...Array(3).fill("ArrowUp")];
const origin = dotAt([0, 0, 0], front);
const right = dotAt([3, 0, 0], front), back = dotAt([0, 4, 0], front), up = dotAt([0, 0, 5], front);
check("x is not to the right", right.x > origin.x + 100 && Math.abs(right.y - origin.y) < 20);
check("z is not up", up.y < origin.y - 100 && Math.abs(up.x - origin.x) < 20);
check("y is not away", back.radius < origin.radius && Math.abs(back.x - origin.x) < 60);
const names = show(mapOf([[[0, 0, 0], 1]])).cube.canvas.texts.map((t) => t.text);
check("axes are not named", names.join() === "X,Y,Z");
const turned = dotAt([3, 0, 0], ["ArrowLeft"]), kept = dotAt([3, 0, 0], ["ArrowLeft", "0"]);
const start = dotAt([3, 0, 0]);
check("an arrow does not turn it, or 0 not back", turned.x !== start.x && kept.x === start.x);
check("+ does not zoom", dotAt([3, 0, 0], ["+"]).radius > start.radius);

// ---- over time ---------------------------------------------------------------------
const film = show({ mesh: SIZE, maps: [], frames_of: "; m = 2", frames: [
  [0.5, [rank([1, 2, 3]), 8, 2]], [1, [rank([1, 2, 3]), 4, 0, rank([2, 0, 0]), 9, 1]]] });
check(`quantities: ${film.quantity.options.map((o) => o.text)}`,
  film.quantity.options.length === 3 && film.quantity.options.every((o) => o.text.endsWith("; m = 2")));
check(`first: ${film.most.textContent}`, film.most.textContent.includes("(2, 3, 4) 8."));
film.time.value = "1";
film.time.on.input();
check(`then: ${film.most.textContent}`, film.now.textContent === "1.0 ms" &&
  film.most.textContent.includes("(3, 1, 1) 9; (2, 3, 4) 4."));
film.quantity.value = "2";
film.quantity.on.change();
check(`both: ${film.most.textContent}`, film.most.textContent.includes("(3, 1, 1) 10; (2, 3, 4) 4."));
check(`peak ${film.peak.textContent}`, film.peak.textContent === "10 words");

// ---- how much a node has -----------------------------------------------------------
// Colours from the least to the most of the map; nothing is neither small nor coloured.
const some = show(mapOf([[[0, 0, 0], 50], [[3, 4, 5], 100], [[1, 0, 0], 1], [[2, 0, 0], 0.123456], [[3, 0, 0], 30]]));
const shades = filled(some.planes.canvas).map((b) => b.fillStyle);
check(`shades ${shades}`, shades.join(" ") ===
  "rgb(232,132,60) rgb(246,220,174) rgb(246,222,176) rgb(238,168,106) rgb(150,20,50)");
check(`told as ${some.most.textContent}`, some.most.textContent.includes("in words") &&
  some.most.textContent.includes("(4, 5, 6) 100; (1, 1, 1) 50; (4, 1, 1) 30; (2, 1, 1) 1; (3, 1, 1) 0.1235. 5 of 120"));
check(`scale to ${some.peak.textContent}`, some.peak.textContent === "100 words" && some.now.textContent === "all runs");
const ramp = some.ramp.canvas.boxes;
check(`a ramp of ${ramp.length}`, ramp.length === 256 && ramp[0].fillStyle === "rgb(246,222,176)" &&
  ramp[255].fillStyle === "rgb(150,20,50)" && ramp[255].x === 255);
const sizes = [...new Set(some.cube.canvas.dots.map((d) => d.fillStyle))];
check(`dots of ${sizes}`, sizes.length === 6 && sizes.includes("var(--soft)"));
check("faint boxes are the empty ones", some.planes.canvas.boxes.every((b) =>
  (b.globalAlpha === 0.45) === (b.fillStyle === "var(--line)")));
const none = show(mapOf([]));
check(`nothing: ${none.most.textContent}`, none.most.textContent === "No node has any." && none.peak.textContent === "0 words");
const six = show(mapOf([0, 1, 2, 3, 4, 5].map((z) => [[1, 1, z], z + 1])));
check(`five of six: ${six.most.textContent}`, six.most.textContent.includes("(2, 2, 2) 2. 6 of"));
check("one film or map has no time", some.time.disabled && some.play.disabled && some.time.max === "0");
const alphas = [...new Set(some.cube.canvas.dots.map((d) => d.globalAlpha.toFixed(3)))].sort();
check(`dots of ${alphas}`, alphas.join() === "0.401,0.412,0.450,0.760,1.000");
const titles = some.planes.canvas.texts;
check("three planes side by side", new Set(titles.map((t) => t.x)).size === 3 && new Set(titles.map((t) => t.y)).size === 2);
check("boxes fill their plane", some.planes.canvas.boxes.every((b) => Math.abs(b.w - 33.8) < 0.01 && b.h === b.w));
const scale = (value) => show(mapOf([[[0, 0, 0], value], [[3, 4, 5], 123.456]]));
const small = scale(123.456 / 4), large = scale(123.456), sizeOf = (shown) =>
  shown.cube.canvas.dots.filter((d) => d.radius > 1).map((d) => d.radius).sort((a, b) => a - b);
check(`scale to ${large.peak.textContent}`, large.peak.textContent === "123.5 words");
check("a quarter has half of the size above the least", sizeOf(small).some((r) => sizeOf(large).some((s) => Math.abs(r / s - 0.6) < 1e-9)));
const all = show({ ...mapOf([]), maps: [{ name: "n", label: "", unit: "words", values: Array(120).fill(3) }] });
check("near dots hide far ones", all.cube.canvas.dots.every((d, i, dots) => !i || d.radius >= dots[i - 1].radius));
const tower = show({ mesh: [1, 1, 40], frames: [], maps: [{ name: "n", label: "", unit: "", values: Array(40).fill(3) }] });
check("a tower fits", tower.cube.canvas.dots.length === 40 && tower.cube.canvas.dots.every((d) => d.y > 0 && d.y < SIDE && d.radius < 7));
const system = { stored: "", isDark: true };
const dark = show(mapOf([[[0, 0, 0], 1]]), system);
check("the dark theme has its own colours", filled(dark.planes.canvas)[0].fillStyle === "rgb(255,232,150)");
const inks = () => dark.ramp.canvas.boxes.at(-256).fillStyle;
const dims = [inks()];
system.isDark = false;
system.dark();
dims.push(inks());
for (let i = 0; i < 2; i++) dark.theme.on.click();
dims.push(inks());
check(`a theme changes the ramp: ${dims}`, dims.join(" ") === "rgb(92,52,40) rgb(246,222,176) rgb(92,52,40)");
dark.cube.canvas.clear();
system.on.resize();
check("it is drawn again in another size", dark.cube.canvas.dots.length === 120);
const dense = show(mapOf([[[0, 0, 0], 1]]), { ratio: 2 });
check(`a canvas of ${dense.cube.width}`, dense.cube.width === 2 * SIDE && dense.cube.height === 2 * SIDE);
const other = show({ ...mapOf([[[0, 0, 0], 1]]), mesh: [4, 5, 7] });
check("maps of another size are left out", !other.quantity);

// ---- turning by hand ---------------------------------------------------------------
const hand = show(mapOf([[[3, 0, 0], 1]]));
const biggest = () => hand.cube.canvas.dots.reduce((a, b) => (b.radius > a.radius ? b : a));
const press = (kind, pointerId, clientX, clientY) => hand.cube.on[kind]({ pointerId, clientX, clientY });
const before = biggest();
press("pointermove", 1, 90, 0);
check("it turns without being held", biggest().x === before.x);
press("pointerdown", 1, 0, 0);
press("pointermove", 1, 12, 0);
const dragged = biggest();
const byKey = dotAt([3, 0, 0], ["ArrowRight"]);
check("a drag of 12 points is an arrow key", Math.abs(dragged.x - byKey.x) < 0.001);
press("pointermove", 1, 12, 12);
check("or down", Math.abs(biggest().y - dotAt([3, 0, 0], ["ArrowRight", "ArrowDown"]).y) < 0.001);
press("pointermove", 1, 0, 0);
press("pointerdown", 2, 0, 100);
press("pointermove", 2, 0, 115);
check("two fingers zoom", Math.abs(biggest().radius / before.radius - dotAt([3, 0, 0], ["+"]).radius / before.radius) < 0.001);
press("pointerup", 2);
press("pointercancel", 1);
const left = biggest();
press("pointermove", 1, 50, 50);
check("it turns after it was let go", biggest().x === left.x);
const zoomed = (key, times) => dotAt([3, 0, 0], Array(times).fill(key)).radius / start.radius;
check(`zoom ${zoomed("+", 30)}, ${zoomed("-", 30)}`, Math.abs(zoomed("=", 30) - 3) < 0.01 && Math.abs(zoomed("-", 30) - 0.5) < 0.01);
const tilted = (key, times) => dotAt([3, 0, 0], Array(times).fill(key)).y;
check("it tilts no further than 1.5", Math.abs(tilted("ArrowDown", 40) - tilted("ArrowDown", 9)) < 1e-9 &&
  Math.abs(tilted("ArrowUp", 40) - tilted("ArrowUp", 16)) < 1e-9 && tilted("ArrowUp", 16) !== tilted("ArrowUp", 15));
check("= is +", zoomed("=", 1) === zoomed("+", 1) && Math.abs(zoomed("+", 1) * zoomed("-", 1) - 1) < 1e-9);
let prevented = 0;
for (const how of [{ ctrlKey: true }, { altKey: true }, { metaKey: true }, { key: "x" }, {}])
  hand.cube.on.keydown({ key: "ArrowUp", preventDefault: () => { prevented++; }, ...how });
check(`${prevented} keys are the cube's`, prevented === 1);

// ---- the film ----------------------------------------------------------------------
const world = {};
const reel = show({ ...mapOf([[[0, 0, 0], 1]]), frames_of: "", frames: [1, 2, 3, 4, 5].map((n) => [n / 4, [rank([n % 4, 0, 0]), n, 0, 999, 9, 9]]) }, world);
check(`first the map: ${reel.now.textContent}`, reel.now.textContent === "all runs" && reel.quantity.options.length === 4);
const choose = (n) => { reel.quantity.value = String(n); reel.quantity.on.change(); };
choose(1);
check(`the film opens in its middle: ${reel.now.textContent}`, reel.now.textContent === "0.8 ms" && reel.time.value === "2" && reel.time.max === "4" && !reel.time.disabled);
check(`of one peak: ${reel.peak.textContent}`, reel.peak.textContent === "5 words");
reel.play.on.click();
check("it plays", reel.play.textContent === "Stop" && world.timers.size === 1);
world.timers.get(7)();
check(`on: ${reel.now.textContent}`, reel.time.value === "3" && reel.most.textContent.includes("(1, 1, 1) 4."));
world.timers.get(7)();
check("and ends at its end", reel.time.value === "4" && reel.play.textContent === "Play" && world.timers.size === 0);
reel.play.on.click();
world.timers.get(7)();
check(`again from its start: ${reel.time.value}`, reel.time.value === "1");
reel.play.on.click();
check("stopped", reel.play.textContent === "Play" && world.timers.size === 0 && reel.time.value === "1");
choose(2);
check("another quantity at the same time", reel.time.value === "1" && reel.most.textContent === "No node has any.");
reel.play.on.click();
reel.time.value = "3";
reel.time.on.input();
check("the slider stops it", world.timers.size === 0 && reel.now.textContent === "1.0 ms");
choose(0);
check("a map has one picture", reel.time.value === "0" && reel.now.textContent === "all runs");

// ---- themes, claims, commands ------------------------------------------------------
const room = { stored: "purple", buttons: ["", "yes", undefined, "no"], rows: ["yes", "no", "yes"].map((verdict) => {
  const row = new Element();
  row.dataset.verdict = verdict;
  return row;
}), chapters: [["alpha queue", "beta"], ["gamma"]].map((texts) => Object.assign(new Element(),
  { open: false, figures: texts.map((text) => Object.assign(new Element(), { textContent: text })) })), commands: ["jm exp run all", "jm exp report"].map((text) => Object.assign(new Element(), { textContent: text })) };
const copied = [];
room.copy = async (text) => { if (copied.push(text) > 1) throw new Error("no"); };
const page = show({ hidden: "space", mesh: [0, 0, 0], maps: [], frames: [] }, room);
const theme = () => `${page.root.dataset.theme} ${page.theme.span.textContent} ${room.stored}`;
const themes = [theme()];
for (let i = 0; i < 3; i++) {
  page.theme.on.click();
  themes.push(theme());
}
check(`themes: ${themes}`, themes.join() === "undefined as the system ,light light light,dark dark dark,undefined as the system " &&
  !page.theme.hidden && room.kept === "theme" && room.events.length === 4 && room.events[0] === "themechange");
const press3 = (n) => page.filter.on.click({ target: page.filter.children[n] });
const state = () => page.rows.map((r) => +r.hidden).join("") + " " + page.filter.children.map((b) => b["aria-pressed"]).join();
press3(1);
check(`reproduced: ${state()}`, state() === "010 false,true,false,false");
press3(2);
check(`no button of a verdict: ${state()}`, state() === "010 false,true,false,false");
press3(3);
check(`not: ${state()}`, state() === "101 false,false,false,true");
press3(0);
check(`all: ${state()}`, state() === "000 true,false,false,false" && !page.filter.hidden);
const find = (text) => {
  page.search.value = text;
  page.search.on.input();
  return room.chapters.map((c) => +c.hidden + ":" + c.figures.map((f) => +f.hidden).join("")).join(" ") + " " + page.matches.textContent;
};
check(`found: ${find("QUEUE alpha")}`, find("QUEUE alpha") === "0:01 1:1 0 claims, 1 figures" && room.chapters[0].open && !room.chapters[1].open);
check(`all found: ${find(" ")}`, find(" ") === "0:00 0:0 " && !page.search.hidden);
const [first, second] = room.commands.map((c) => c.button);
check("buttons to copy", first.textContent === "copy" && first["aria-label"] === "copy: jm exp run all" && first.type === "button");

async function finish() {
  await first.on.click();
  check(`copied ${copied}: ${first.textContent}`, copied[0] === "jm exp run all" && first.textContent === "copied");
  room.later();
  check("and again", first.textContent === "copy");
  await second.on.click();
  check(`refused: ${second.textContent}`, copied[1] === "jm exp report" && second.textContent === "not allowed");
  if (faults.length) console.log(faults.join("\n"));
  process.exit(faults.length ? 1 : 0);
}
finish();
