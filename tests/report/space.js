// node space.js page.js: runs the page's script with a canvas that notes what is drawn on
// it, for a machine of 4 x 5 x 6 nodes of which a few have something. Every node must
// be told and drawn where it is: x to the right, y up, a plane for each z, in the text and
// beside the planes counted from 1. Prints what is wrong; the status is 1 then.
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
  querySelector() { return new Element(); }
  add(option) { this.options.push(option); }
  append() {}
  remove() {}
  setAttribute() {}
}

// Runs the script with this data; returns elements by id.
function show(data) {
  const elements = {};
  const $ = (id) => elements[id] ??= new Element(id);
  $("data").textContent = JSON.stringify(data);
  const document = {
    getElementById: $, documentElement: new Element(), body: new Element(),
    querySelector: () => new Element(), querySelectorAll: () => [],
    createElement: () => new Element(), dispatchEvent: () => {}, addEventListener: () => {},
  };
  vm.runInNewContext(script, {
    document, navigator: {}, localStorage: { getItem: () => "light", setItem: () => {} },
    devicePixelRatio: 1, addEventListener: () => {}, Event: class {},
    Option: class { constructor(text, value) { this.text = text; this.value = value; } },
    requestAnimationFrame: (draw) => draw(), clearInterval: () => {}, setInterval: () => 1,
    matchMedia: () => ({ matches: false, addEventListener: () => {} }),
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

if (faults.length) console.log(faults.join("\n"));
process.exit(faults.length ? 1 : 0);
