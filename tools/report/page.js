"use strict";
// The page is readable without this: it adds the theme's switch, the filter of the claims, the
// buttons that copy commands, and the machine in space.
(() => {
  const $ = (id) => document.getElementById(id);

  // ---- theme ----
  const themes = ["", "light", "dark"];
  const names = { "": "as the system", light: "light", dark: "dark" };
  const remembered = () => {
    try { return localStorage.getItem("theme") || ""; } catch { return ""; }
  };
  const setTheme = (theme) => {
    if (theme) document.documentElement.dataset.theme = theme;
    else delete document.documentElement.dataset.theme;
    $("theme").querySelector("span").textContent = names[theme];
    try { localStorage.setItem("theme", theme); } catch { /* not kept, then */ }
    document.dispatchEvent(new Event("themechange"));
  };
  $("theme").hidden = false;
  $("theme").addEventListener("click", () => {
    const now = document.documentElement.dataset.theme || "";
    setTheme(themes[(themes.indexOf(now) + 1) % themes.length]);
  });
  setTheme(themes.includes(remembered()) ? remembered() : "");

  // ---- claims by verdict, claims and figures by words ----
  const filter = document.querySelector(".filter"), search = $("search");
  let verdict = "";
  const words = () => search.value.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = (element, wanted) => {
    const text = (element.textContent || "").toLowerCase();
    return wanted.every((word) => text.includes(word));
  };
  const sift = () => {
    const wanted = words();
    let rows = 0, figures = 0;
    for (const row of document.querySelectorAll(".claims tbody tr")) {
      row.hidden = (verdict !== "" && row.dataset.verdict !== verdict) || !matches(row, wanted);
      rows += !row.hidden;
    }
    for (const chapter of document.querySelectorAll("details.chapter")) {
      let found = 0;
      for (const figure of chapter.querySelectorAll("article.figure")) {
        figure.hidden = !matches(figure, wanted);
        found += !figure.hidden;
      }
      chapter.hidden = !found && wanted.length > 0;
      if (found && wanted.length) chapter.open = true;
      figures += found;
    }
    $("matches").textContent = wanted.length ? rows + " claims, " + figures + " figures" : "";
  };
  filter.hidden = search.hidden = false;
  filter.addEventListener("click", (event) => {
    if (event.target.dataset.verdict === undefined) return;
    verdict = event.target.dataset.verdict;
    for (const button of filter.children)
      button.setAttribute("aria-pressed", String(button === event.target));
    sift();
  });
  search.addEventListener("input", sift);

  // ---- chapters fold ----
  const chapters = () => document.querySelectorAll("details.chapter");
  const open = () => {
    const target = location.hash && $(decodeURIComponent(location.hash.slice(1)));
    const chapter = target && target.closest("details.chapter");
    if (!chapter || chapter.open) return;
    chapter.open = true;
    target.scrollIntoView();
  };
  if (matchMedia("(max-width: 44rem)").matches)
    for (const chapter of chapters()) chapter.open = false;
  addEventListener("hashchange", open);
  addEventListener("beforeprint", () => {
    for (const chapter of chapters()) chapter.open = true;
  });
  open();

  // ---- commands to copy ----
  if (navigator.clipboard)
    for (const command of document.querySelectorAll(".command")) {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = "copy";
      button.setAttribute("aria-label", "copy: " + command.textContent);
      button.addEventListener("click", async () => {
        try {
          await navigator.clipboard.writeText(command.textContent);
          button.textContent = "copied";
        } catch { button.textContent = "not allowed"; }
        setTimeout(() => { button.textContent = "copy"; }, 1500);
      });
      command.after(button);
    }

  // ---- space ----
  const data = JSON.parse($("data").textContent);
  if (!$("space")) return;
  const [sx, sy, sz] = data.mesh;
  const nodes = sx * sy * sz;
  const place = (rank) => [rank % sx, Math.floor(rank / sx) % sy, Math.floor(rank / sx / sy)];
  const title = (rank) => "(" + place(rank).map((c) => c + 1).join(", ") + ")";

  const overTime = (field) => data.frames.map(([, list]) => {
    const values = new Array(nodes).fill(0);
    for (let i = 0; i < list.length; i += 3)
      if (list[i] in values) values[list[i]] = list[i + field];
    return values;
  });
  const highest = (lists) => lists.reduce((most, list) => Math.max(most, ...list), 0);
  const quantities = data.maps.filter((map) => map.values.length === nodes)
    .map((map) => ({ label: map.label, unit: map.unit, frames: [map.values] }));
  if (data.frames.length) {
    const queue = overTime(1), buffer = overTime(2);
    const over = " over time, one run" + data.frames_of;
    quantities.push({ label: "Queue" + over, unit: "words", frames: queue },
      { label: "Overflow buffer" + over, unit: "words", frames: buffer },
      { label: "Queue and buffer" + over, unit: "words",
        frames: queue.map((list, f) => list.map((words, n) => words + buffer[f][n])) });
  }
  if (!quantities.length) return;
  quantities.forEach((quantity, i) => {
    quantity.peak = highest(quantity.frames);
    $("quantity").add(new Option(quantity.label, String(i)));
  });

  const start = { turn: -0.6, tilt: 0.42, zoom: 1 };
  const view = { ...start, frame: 0, quantity: 0, playing: 0 };
  $("quantity").value = "0";
  const current = () => quantities[view.quantity];
  const values = () => current().frames[Math.min(view.frame, current().frames.length - 1)];

  // From pale to dark, or in the dark theme from dim to bright: more is more contrast.
  const ramps = {
    light: [[246, 222, 176], [232, 132, 60], [150, 20, 50]],
    dark: [[92, 52, 40], [226, 112, 50], [255, 232, 150]],
  };
  const isDark = () => {
    const theme = document.documentElement.dataset.theme;
    return theme ? theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  };
  const colour = (share) => {
    const ramp = ramps[isDark() ? "dark" : "light"];
    const at = Math.min(Math.max(share, 0), 1) * 2, i = Math.min(Math.floor(at), 1);
    const mix = ramp[i].map((c, k) => Math.round(c + (ramp[i + 1][k] - c) * (at - i)));
    return "rgb(" + mix.join() + ")";
  };
  const inkOf = (name) => {
    const probe = document.createElement("span");
    probe.style.color = "var(" + name + ")";
    document.body.append(probe);
    const found = getComputedStyle(probe).color;
    probe.remove();
    return found;
  };

  const context = (canvas) => {
    const box = canvas.getBoundingClientRect(), scale = devicePixelRatio || 1;
    const side = Math.max(1, Math.round(box.width * scale));
    if (canvas.width !== side || canvas.height !== side) canvas.width = canvas.height = side;
    const c = canvas.getContext("2d");
    c.setTransform(scale, 0, 0, scale, 0, 0);
    c.clearRect(0, 0, box.width, box.width);
    return [c, box.width];
  };

  // A turn about the vertical (Z), then a tilt towards the eye; far things are smaller.
  const project = ([x, y, z], side) => {
    const longest = Math.max(sx, sy, sz) - 1 || 1;
    const [u, v, w] = [x - (sx - 1) / 2, y - (sy - 1) / 2, z - (sz - 1) / 2]
      .map((c) => c / longest * 2);
    const c = Math.cos(view.turn), s = Math.sin(view.turn);
    const ct = Math.cos(view.tilt), st = Math.sin(view.tilt);
    const depth = (u * s + v * c) * ct - w * st;
    const far = 5 / (5 + depth);
    return { x: side / 2 + (u * c - v * s) * far * side * 0.25 * view.zoom,
      y: side / 2 - ((u * s + v * c) * st + w * ct) * far * side * 0.25 * view.zoom,
      depth, far };
  };

  const drawEdges = (c, side, soft) => {
    const [x, y, z] = [sx - 1, sy - 1, sz - 1];
    const corner = (i) => [i & 1 ? x : 0, i & 2 ? y : 0, i & 4 ? z : 0];
    c.strokeStyle = soft;
    c.lineWidth = 0.7;
    c.beginPath();
    for (let i = 0; i < 8; i++)
      for (const bit of [1, 2, 4])
        if (!(i & bit)) {
          const a = project(corner(i), side), b = project(corner(i | bit), side);
          c.moveTo(a.x, a.y);
          c.lineTo(b.x, b.y);
        }
    c.stroke();
    c.fillStyle = soft;
    c.font = "13px system-ui, sans-serif";
    c.textAlign = "center";
    [["X", [x + 0.9, 0, 0]], ["Y", [0, y + 0.9, 0]], ["Z", [0, 0, z + 0.9]]]
      .forEach(([name, at]) => {
        const p = project(at, side);
        c.fillText(name, p.x, p.y + 4);
      });
  };

  const drawCube = (list, peak) => {
    const [c, side] = context($("cube"));
    const soft = inkOf("--soft");
    drawEdges(c, side, soft);
    const points = list.map((value, rank) => ({ value, ...project(place(rank), side) }));
    points.sort((a, b) => b.depth - a.depth);
    const radius = side * 0.25 * view.zoom / Math.max(sx, sy, sz, 2);
    for (const p of points) {
      const share = peak ? p.value / peak : 0;
      c.beginPath();
      c.arc(p.x, p.y, p.far * (p.value ? radius * (0.2 + 0.8 * Math.sqrt(share)) : 1),
        0, 2 * Math.PI);
      c.globalAlpha = p.value ? 0.4 + 0.6 * Math.min(1, 2 * share) : 0.45;
      c.fillStyle = p.value ? colour(share) : soft;
      c.fill();
    }
    c.globalAlpha = 1;
  };

  const drawPlanes = (list, peak) => {
    const [c, side] = context($("planes"));
    const across = Math.ceil(Math.sqrt(sz)), down = Math.ceil(sz / across);
    const size = side / Math.max(across, down), cell = (size - 26) / Math.max(sx, sy);
    const soft = inkOf("--soft"), empty = inkOf("--line");
    const top = (side - size * down) / 2;
    c.font = "12px system-ui, sans-serif";
    c.textAlign = "left";
    for (let rank = 0; rank < nodes; rank++) {
      const [x, y, z] = place(rank);
      const left = (z % across) * size + 10, under = top + Math.floor(z / across) * size + 18;
      if (x === 0 && y === 0) {
        c.globalAlpha = 1;
        c.fillStyle = soft;
        c.fillText("Z = " + (z + 1), left, under - 4);
      }
      c.globalAlpha = list[rank] ? 1 : 0.45;
      c.fillStyle = list[rank] ? colour(peak ? list[rank] / peak : 0) : empty;
      c.fillRect(left + x * cell, under + (sy - 1 - y) * cell, cell - 1, cell - 1);
    }
    c.globalAlpha = 1;
  };

  const drawRamp = (peak, unit) => {
    const c = $("ramp").getContext("2d");
    for (let i = 0; i < 256; i++) {
      c.fillStyle = colour(i / 255);
      c.fillRect(i, 0, 1, 1);
    }
    $("peak").textContent = Number(peak.toPrecision(4)) + " " + unit;
  };

  const tell = (list, unit) => {
    const order = list.map((value, rank) => [value, rank]).filter(([value]) => value > 0)
      .sort((a, b) => b[0] - a[0]);
    const most = order.slice(0, 5)
      .map(([value, rank]) => title(rank) + " " + Number(value.toPrecision(4)));
    $("most").textContent = order.length
      ? "Most, in " + unit + ", at (X, Y, Z) counted from 1: " + most.join("; ") + ". " +
        order.length + " of " + nodes + " nodes have some."
      : "No node has any.";
  };

  let wanted = false;
  const draw = () => {
    if (wanted) return;
    wanted = true;
    requestAnimationFrame(() => {
      wanted = false;
      drawCube(values(), current().peak);
      drawPlanes(values(), current().peak);
    });
  };

  const show = () => {
    const { frames, unit, peak } = current();
    $("time").max = String(frames.length - 1);
    $("time").disabled = $("play").disabled = frames.length < 2;
    view.frame = Math.min(view.frame, frames.length - 1);
    $("time").value = String(view.frame);
    $("now").textContent = frames.length > 1
      ? Number(data.frames[view.frame][0]).toFixed(1) + " ms" : "all runs";
    drawRamp(peak, unit);
    tell(values(), unit);
    draw();
  };

  const stop = () => {
    clearInterval(view.playing);
    view.playing = 0;
    $("play").textContent = "Play";
  };
  $("play").addEventListener("click", () => {
    if (view.playing) return stop();
    if (view.frame >= current().frames.length - 1) view.frame = 0;
    $("play").textContent = "Stop";
    view.playing = setInterval(() => {
      view.frame++;
      show();
      if (view.frame >= current().frames.length - 1) stop();
    }, 120);
  });
  $("time").addEventListener("input", () => {
    stop();
    view.frame = Number($("time").value);
    show();
  });
  $("quantity").addEventListener("change", () => {
    stop();
    view.quantity = Number($("quantity").value);
    if (current().frames.length > 1 && !view.frame)
      view.frame = current().frames.length >> 1;
    show();
  });

  // ---- turning ----
  const cube = $("cube"), held = new Map();
  const turn = (dx, dy) => {
    view.turn += dx;
    view.tilt = Math.min(Math.max(view.tilt + dy, -1.5), 1.5);
    draw();
  };
  const zoom = (by) => {
    view.zoom = Math.min(Math.max(view.zoom * by, 0.5), 3);
    draw();
  };
  const spread = () => {
    const [a, b] = [...held.values()];
    return b ? Math.hypot(a.x - b.x, a.y - b.y) : 0;
  };
  cube.addEventListener("pointerdown", (event) => {
    held.set(event.pointerId, { x: event.clientX, y: event.clientY });
    cube.setPointerCapture(event.pointerId);
  });
  cube.addEventListener("pointermove", (event) => {
    const before = held.get(event.pointerId);
    if (!before) return;
    const wide = spread();
    held.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (held.size > 1 && wide) zoom(spread() / wide);
    else turn((event.clientX - before.x) * 0.01, (event.clientY - before.y) * 0.01);
  });
  for (const end of ["pointerup", "pointercancel"])
    cube.addEventListener(end, (event) => held.delete(event.pointerId));
  const keys = {
    ArrowLeft: () => turn(-0.12, 0), ArrowRight: () => turn(0.12, 0),
    ArrowUp: () => turn(0, -0.12), ArrowDown: () => turn(0, 0.12),
    "+": () => zoom(1.15), "=": () => zoom(1.15), "-": () => zoom(1 / 1.15),
    0: () => { Object.assign(view, start); draw(); },
  };
  cube.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || !keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  });

  addEventListener("resize", draw);
  document.addEventListener("themechange", show);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", show);
  show();
})();
