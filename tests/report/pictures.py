#!/usr/bin/env python3
"""pictures.py DIR: compares every picture of a report with its table, by position.

The marks, lines, bars and cells of DIR/NAME.svg are carried back through the axes' tics
to numbers, and these must be those of the table, curve by curve; each curve has its name
in the key. What is drawn, and how, is written here independently of the scripts.
Prints what is wrong, and ends with status 1 then.
"""

import csv
import glob
import json
import math
import os
import re
import sys
import xml.etree.ElementTree as ET

NEAR = 0.7  # points; positions are printed with two digits
SVG = "{http://www.w3.org/2000/svg}"
GREY = (122, 127, 135)  # of formulas
PALETTE = [(247, 217, 168), (232, 132, 60), (158, 27, 50)]
PLANES = {f"fig5-{n}" for n in [5, 6, *range(15, 21), *range(22, 28)]}
# Drawings over other columns than those of experiments.json: table, x, y, bars.
OTHERS = {"fig4-6b": (".cdf.csv", "T_scaled_ms", "percent", None),
          "fig5-8": (".nodes.csv", "rank", "accepted", None),
          "fig5-10": (".nodes.csv", "rank", "queue", None),
          "fig5-11": (".nodes.csv", "rank", "queue", None),
          "fig5-12": (".nodes.csv", "rank", "queue", None),
          "model-load-use": (".curves.csv", "service", "bisection", None)}
# Of the kind `models`, but drawn as curves; rows side by side in groups, as marks or as
# bars of several columns: table, x or columns of a group, y.
CURVES = {"apps-speedup": (".scaling.csv", "node_count", "speedup"),
          "apps-speedup-use": (".scaling.csv", "node_count", "efficiency"),
          "apps-grain": (".curves.csv", "task_cycles", "message_rate"),
          "apps-queues": (".bars.csv", "Q", "ratio")}
PROBLEM = ["program", "mesh", "set.graph_scale"]
GROUPS = {"apps-cures": (".bars.csv", PROBLEM, "ratio"),
          "apps-router": (".curves.csv", PROBLEM, "makespan")}
BARS = {"apps-time": (".curves.csv", ["program", "mesh"],
                      ["time_running", "time_sending", "time_overflow", "time_dispatch",
                       "time_idle"])}
TABLES = {"curve": ".points.csv", "times": ".times.csv", "scatter": ".csv",
          "models": ".curves.csv"}


# ---- formulas ----------------------------------------------------------------------
def busy(about):
    """Equation 4.4, in ms for 1000 hops at 10 MHz."""
    return [lambda h, m=m: m * h / 10 for m in numbers(about, "m")]


def share(most):
    """Equation 4.7 for cubes, while it is below `most`."""
    def of(about):
        sides = [mesh.split("x") for mesh in about["parameters"]["mesh"].split(",")]
        return [lambda h, p=p, side=int(s[0]): (1 + p) * side / h
                if (1 + p) * side / h < most + 1e-9 else math.nan
                for p in numbers(about, "p") for s in sides if len(set(s)) == 1]
    return of


def queue_size(about):
    return [lambda t, q=q: q for q in numbers(about, "Q")]


def work(about):
    return [lambda h, m=m, hops=hops: m * hops * h
            for m in numbers(about, "m") for hops in numbers(about, "L")]


def equilibrium(about):
    """What n servers, B times as slow one of them, hold beyond 1/(B-1) each."""
    return [lambda t, m=m, n=n, b=b: m * n - (n - 1) / (b - 1)
            for m in numbers(about, "m") for n in numbers(about, "servers")
            for b in numbers(about, "slow") if m > 1 / (b - 1)]


def bound(about):
    return [lambda most: most]


FORMULAS = {"eq. 4.4": (busy, ["fig1-7", "fig4-4", "fig4-10", "network-limit",
                               "before-overflow"]),
            "eq. 4.7": (share(0.8), ["fig4-13", "fig4-15a", "fig4-15b"]),
            "eq. 4.7 below saturation": (share(8 / 15), ["fig4-5", "fig4-14"]),
            "queue size": (queue_size, ["fig4-7", "yielding-queue"]),
            "m L h": (work, ["fig6-1", "fig6-2", "fig6-4", "fig6-5"]),
            "equilibrium": (equilibrium, ["slow-growth"]),
            "the bound": (bound, ["patterns", "patterns-mesh-limits"]),
            "ideal": (lambda about: [lambda nodes: nodes], ["apps-speedup"])}


def numbers(about, name):
    return [float(value) for value in about["parameters"][name].split(",")]


# ---- pictures ----------------------------------------------------------------------
def points_of(text):
    """The polylines of a path: a list of lists of places."""
    lines = []
    for letter, x, y in re.findall(r"([ML])(-?[\d.]+),(-?[\d.]+)", text):
        if letter == "M":
            lines.append([])
        lines[-1].append((float(x), float(y)))
    return [line for line in lines if len(line) > 1]


def place_of(element):
    match = re.match(r"translate\((-?[\d.]+),(-?[\d.]+)\)", element.get("transform", ""))
    return float(match[1]), float(match[2])


def colour_of(text):
    return tuple(int(part) for part in re.findall(r"\d+", text or ""))[:3]


class Text:
    def __init__(self, element):
        parts = ["".join(part.itertext()) for part in element.iter(SVG + "text")]
        self.text = "".join(parts).strip()
        spans = list(element.iter(SVG + "tspan"))
        raised = [s for s in spans if s.get("dy", "").startswith("-")]
        *times, base = spans[0].text.split("\u00d7") if raised else [None]
        self.factor = float(times[0]) if times else 1  # of "1x10" to a power
        self.power = (float(base), float(raised[0].text)) if raised else None
        self.size = float(element.get("font-size"))
        self.anchor = element.get("text-anchor")
        x, y = place_of(element)
        self.x, self.y = x, y - 0.325 * self.size  # the middle of its height
        width = 0.55 * self.size * len(self.text)
        self.left = x - {"start": 0, "middle": width / 2, "end": width}[self.anchor]
        self.right = self.left + width

    def value(self):
        try:
            return (self.factor * self.power[0] ** self.power[1] if self.power
                    else float(self.text))
        except ValueError:
            return None


class Group:
    """A part of the plot: its title, and what is drawn."""

    def __init__(self, element):
        self.title = element.find(SVG + "title").text
        self.texts = [Text(g) for g in element.iter(SVG + "g") if g.get("text-anchor")]
        self.marks = [(place_of(use), colour_of(use.get("color")))
                      for use in element.iter(SVG + "use")
                      if use.get("color") != "white"]
        self.paths = [(points_of(path.get("d")), colour_of(path.get("stroke")))
                      for path in element.iter(SVG + "path")]
        self.is_dashed = any(path.get("stroke-dasharray")
                             for path in element.iter(SVG + "path"))
        self.cells = [(self.corners(p), colour_of(p.get("fill")))
                      for p in element.iter(SVG + "polygon")]

    @staticmethod
    def corners(polygon):
        places = [tuple(map(float, p.split(","))) for p in polygon.get("points").split()]
        xs, ys = zip(*places)
        return min(xs), min(ys), max(xs), max(ys)


class Axis:
    """From places to numbers, by two tics."""

    def __init__(self, tics):
        self.tics = sorted(tics)
        self.is_log = False
        self.fit()
        if not self.is_even() and self.tics[0][1] > 0 and self.tics[-1][1] > 0:
            self.is_log = True
            self.fit()

    def fit(self):
        (self.at, first), (end, last) = self.tics[0], self.tics[-1]
        self.first = self.to(first)
        self.step = (self.to(last) - self.first) / (end - self.at)

    def to(self, value):
        return math.log10(value) if self.is_log else value

    def place(self, value):
        if self.is_log and value <= 0:
            return math.nan
        return self.at + (self.to(value) - self.first) / self.step

    def value(self, place):
        level = self.first + (place - self.at) * self.step
        return 10 ** level if self.is_log else level

    def is_even(self):
        return all(abs(self.place(value) - at) < NEAR for at, value in self.tics)


class Picture:
    def __init__(self, path):
        root = ET.parse(path).getroot()
        self.width, self.height = map(float, root.get("viewBox").split()[2:])
        parents = {child: parent for parent in root.iter() for child in parent}
        self.groups = [Group(g) for g in root.iter(SVG + "g")
                       if re.search(r"_plot_\d+$", g.get("id", ""))]
        inside = {e for g in root.iter(SVG + "g")
                  if re.search(r"_plot_\d+$", g.get("id", "")) for e in g.iter()}
        self.texts = [Text(g) for g in parents
                      if g.get("text-anchor") and g not in inside]
        tics = [t for t in self.texts if t.size == 13 and t.value() is not None]
        self.tics_x = [t for t in tics if t.anchor == "middle"]
        self.tics_y = [t for t in tics if t.anchor == "end"]
        frames = [line for path in root.iter(SVG + "path") if path not in inside
                  for line in points_of(path.get("d", ""))
                  if len(line) == 3 and not path.get("id")]
        self.box = None
        if frames:
            (left, top), (_, bottom), (right, _) = frames[-1]
            self.box = left, top, right, bottom

    def axes(self):
        return (Axis([(t.x, t.value()) for t in self.tics_x]),
                Axis([(t.y, t.value()) for t in self.tics_y]))

    def is_in_box(self, place):
        left, top, right, bottom = self.box
        return (left - NEAR <= place[0] <= right + NEAR
                and top - NEAR <= place[1] <= bottom + NEAR)

    def is_on_edge(self, place):
        left, top, right, bottom = self.box
        return (min(abs(place[0] - left), abs(place[0] - right)) < NEAR
                or min(abs(place[1] - top), abs(place[1] - bottom)) < NEAR)


def is_near(a, b):
    return abs(a[0] - b[0]) < NEAR and abs(a[1] - b[1]) < NEAR


# ---- comparing ---------------------------------------------------------------------
class Checker:
    def __init__(self, folder, name, about):
        self.folder, self.name, self.about = folder, name, about
        self.picture = Picture(os.path.join(folder, name + ".svg"))
        self.faults = []

    def fault(self, text):
        self.faults.append(f"{self.name}: {text}")

    def rows(self, suffix):
        path = os.path.join(self.folder, self.about["name"] + suffix)
        with open(path, encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))

    def curve_name(self, row, columns):
        """What a curve is called: its settings, "other" with their names."""
        words = [row[c] if c == "other" else f"{c} = {row[c]}"
                 for c in columns if row[c]]
        return ", ".join(words) or ("as built" if columns else None)

    def families(self, rows, columns):
        found = {}
        for row in rows:
            found.setdefault(self.curve_name(row, columns), []).append(row)
        return found

    def check_same(self, what, drawn, wanted, known=None):
        """Every wanted place is drawn, and every drawn one is known."""
        for place in wanted:
            if not any(is_near(place, other) for other in drawn):
                self.fault(f"{what}: nothing at {self.numbers(place)}")
                return
        for place in drawn:
            if not any(is_near(place, other) for other in known or wanted):
                self.fault(f"{what}: what is at {self.numbers(place)}?")
                return

    def numbers(self, place):
        x, y = self.picture.axes()
        return f"{x.value(place[0]):.4g}, {y.value(place[1]):.4g}"

    # ---- points over axes ----
    def places(self, rows, x, y, dy=None, sign=0):
        across, up = self.picture.axes()
        places = []
        for row in rows:
            if row[x] == "" or row[y] == "" or (dy and row[dy] == ""):
                continue
            value = float(row[y]) + (sign * float(row[dy]) if dy else 0)
            if math.isfinite(value):
                places.append((across.place(float(row[x])), up.place(value)))
        return places

    def find(self, name, has):
        """The parts of the drawing with this name, or without one."""
        named = [g for g in self.picture.groups
                 if (g.title == name if name else not g.texts)]
        return [g for g in named if has(g)]

    def check_marks(self, name, rows, x, y):
        inside = self.picture.is_in_box
        wanted = [p for p in self.places(rows, x, y) if inside(p)]
        groups = self.find(name, lambda g: g.marks)
        if not groups and not wanted:
            return None
        # One kind of marks: those of other curves lie elsewhere or look different.
        drawn = [p for g in groups[:1] for p, _ in g.marks if inside(p)]
        self.check_same(f"marks of {name or 'the curve'}", drawn, wanted)
        return groups[0].marks[0][1] if groups else None

    def check_line(self, name, rows, x, y, colour=None):
        """One line through all points, which may end at the edge of the drawing."""
        places = self.places(rows, x, y)
        wanted = [p for p in places if self.picture.is_in_box(p)]
        if len(wanted) < 2:
            return
        paths = [lines for g in self.picture.groups for lines, c in g.paths
                 if (c == colour if colour else g.title == name)]
        if len(wanted) < len(places):  # what leaves the drawing is in pieces
            paths = [[[p for line in lines for p in line]] for lines in paths]
        lines = [line for lines in paths for line in lines
                 if all(any(is_near(p, other) for other in line) for p in wanted)]
        if not lines:
            self.fault(f"no line through the points of {name or 'the curve'}")
            return
        steps = [(b[0], a[1]) for a, b in zip(wanted, wanted[1:])]  # of a staircase
        drawn = [p for p in lines[0] if self.picture.is_in_box(p)
                 and not self.picture.is_on_edge(p)]
        self.check_same(f"line of {name or 'the curve'}", drawn, [],
                        wanted + (steps if y == "percent" else []))

    def check_bars(self, name, rows, x, y, error, colour):
        inside = self.picture.is_in_box
        ends = zip(self.places(rows, x, y, error, -1), self.places(rows, x, y, error, 1))
        drawn = [line for g in self.picture.groups for lines, c in g.paths
                 if c == colour for line in lines if len(line) == 2]
        for low, high in ends:
            if not inside(low) or not inside(high) or is_near(low, high):
                continue
            if not any(is_near(line[0], low) and is_near(line[1], high)
                       or is_near(line[0], high) and is_near(line[1], low)
                       for line in drawn):
                self.fault(f"{name or 'the curve'}: no bar from {self.numbers(low)} to "
                           f"{self.numbers(high)}")
                return

    def check_curves(self, suffix, x, y, error, has_lines):
        """A curve, with marks and bars, for each value of the series and of what was
        swept."""
        columns = (self.about["series"] or "").split()
        columns = columns if self.about["kind"] == "curve" or self.name in CURVES else []
        columns += [c for c in self.about["swept"] if c not in columns]
        for name, rows in self.families(self.rows(suffix), columns).items():
            hidden = [p for p in self.places(rows, x, y)
                      if not self.picture.is_in_box(p)]
            if hidden:
                self.fault(f"{self.numbers(hidden[0])} lies outside the drawing")
            colour = self.check_marks(name, rows, x, y)
            if colour and has_lines:
                self.check_line(name, rows, x, y, colour)
            if colour and error:
                self.check_bars(name, rows, x, y, error, colour)
            if colour and name:
                self.check_key(name)

    def check_models(self, suffix, x, y, error):
        """What is solved as lines, what ran as marks, each curve with its name."""
        rows = self.rows(suffix)
        for side in ("line", "mark"):
            for name, those in self.families(rows, [side]).items():
                name = (name or "").removeprefix(side + " = ")
                if name in ("", "as built") or not self.places(those, x, y):
                    continue
                self.check_key(name)
                if side == "line":
                    self.check_line(name, those, x, y)
                    continue
                colour = self.check_marks(name, those, x, y)
                if colour and error:
                    self.check_bars(name, those, x, y, error, colour)

    def check_formulas(self):
        """Each formula is one thin line, for every value of its settings."""
        across, up = self.picture.axes()
        wanted = [f for of, names in FORMULAS.values() if self.name in names
                  for f in of(self.about)]
        if not any(self.name in names for _, names in FORMULAS.values()):
            return
        drawn = []
        for group in self.picture.groups:
            for lines, colour in group.paths:
                places = [p for line in lines for p in line if self.picture.is_in_box(p)]
                if colour == GREY and group.is_dashed and places:
                    drawn.append(places)
        left, top, right, bottom = self.picture.box
        for number, formula in enumerate(wanted):
            ys = [formula(across.value(at)) for at in (left + 2, (left + right) / 2, right - 2)]
            is_seen = any(top < up.place(v) < bottom for v in ys if v == v)
            fits = [places for places in drawn
                    if all(abs(up.place(formula(across.value(px))) - py) < 2 * NEAR
                           for px, py in places if not self.picture.is_on_edge((px, py)))]
            if is_seen and not fits:
                self.fault(f"formula {number} is not drawn")
            drawn = [places for places in drawn if places not in fits]
        if drawn:
            self.fault(f"{len(drawn)} lines of formulas too many")

    # ---- groups side by side ----
    def beside(self, rows, columns):
        """The middle of each row's group along x, the width of a group, and the axis up.
        Each group has its values below it."""
        left, _, right, _ = self.picture.box
        columns = columns + [c for c in self.about["swept"] if c not in columns]
        names = [tuple(row[c] for c in columns) for row in rows]
        groups = list(dict.fromkeys(names))
        width = (right - left) / len(groups)
        texts = [t.text for t in self.picture.texts]
        for group in groups:
            if texts.count(" ".join(value for value in group if value)) != 1:
                self.fault(f"no group is called {group}")
        middles = [left + (groups.index(name) + 0.5) * width for name in names]
        return middles, width, Axis([(t.y, t.value()) for t in self.picture.tics_y])

    def check_groups(self, suffix, columns, y):
        """A mark for each row, those of a curve beside those of others."""
        rows = self.rows(suffix)
        middles, width, up = self.beside(rows, columns)
        series = self.about["series"].split()
        series += [c for c in self.about["swept"] if c not in series]
        families = self.families(rows, series)
        for number, (name, those) in enumerate(families.items()):
            shift = 0.7 * (number - (len(families) - 1) / 2) / len(families) * width
            wanted = [(middle + shift, up.place(float(row[y])))
                      for middle, row in zip(middles, rows) if row in those and row[y]]
            drawn = [place for group in self.find(name, lambda g: g.marks)
                     for place, _ in group.marks][:-1]  # the last one is the key's
            if len(drawn) != len(wanted) or not all(map(is_near, drawn, wanted)):
                self.fault(f"{name}: marks at {drawn} instead of {wanted}")
            self.check_key(name)

    def check_stacked(self, suffix, columns, parts):
        """A bar for each row, from 0 up, part upon part."""
        rows = self.rows(suffix)
        middles, _, up = self.beside(rows, columns)
        for number, part in enumerate(parts):
            tops = [(middle, up.place(sum(float(row[p]) for p in parts[:number + 1])))
                    for middle, row in zip(middles, rows)]
            drawn = [((x0 + x1) / 2, y0) for group in self.find(part, lambda g: g.cells)
                     for (x0, y0, x1, _), _ in group.cells]
            for top in tops:
                if not any(is_near(top, other) for other in drawn):
                    self.fault(f"{part}: no bar up to {top}")
                    break
            self.check_key(part)

    # ---- maps ----
    def check_cell(self, where, groups, value, most, text, is_shaded):
        """A number in the middle of its cell, which is shaded by it."""
        labels = [t for g in groups for t in g.texts if is_near((t.x, t.y), where)]
        if [t.text for t in labels] != [text]:
            self.fault(f"{[t.text for t in labels]} instead of {text} at {where}")
        cells = [colour for g in groups for (x0, y0, x1, y1), colour in g.cells
                 if x0 < where[0] < x1 and y0 < where[1] < y1]
        level = 2 * min(value / most, 1) if most else 0
        low = min(int(level), 1)
        wanted = [a + (b - a) * (level - low) for a, b in zip(PALETTE[low], PALETTE[low + 1])]
        if len(cells) != is_shaded or (cells and max(
                abs(a - b) for a, b in zip(cells[0], wanted)) > 8):
            self.fault(f"the cell of {text} is shaded {cells} instead of {wanted}")

    def tic(self, tics, value):
        return [t for t in tics if t.value() == value]

    @staticmethod
    def place_on(tics, at_of, panel, value):
        """Where a number lies on one of several equal axes that follow each other; not
        every number has its tic."""
        runs = []
        for tic in sorted(tics, key=at_of):
            if not runs or tic.value() <= runs[-1][-1][1]:
                runs.append([])
            runs[-1].append((at_of(tic), tic.value()))
        if panel >= len(runs):
            return math.nan
        (at, first), (end, last) = runs[panel][0], runs[panel][-1]
        return at + (value - first) * ((end - at) / (last - first) if end != at else math.nan) \
            if value != first else at

    def check_map(self, y):
        """A map for each swept value; nodes are counted from 1, y upwards."""
        plane, columns = self.about["z"], self.about["swept"]
        rows = [row for row in self.rows(".map.csv") if int(row["z"]) == plane]
        most = max((float(row[y]) for row in rows), default=0)
        families = self.families(rows, columns)
        down = -(-len(families) // 3)
        for number, (name, those) in enumerate(families.items()):
            if name:
                self.check_title(name)
            for row in those:
                value = float(row[y])
                text = f"{value:.0f}" if value == 0 or value >= 10 else f"{value:.3g}"
                at = (self.place_on(self.picture.tics_x, lambda t: t.x, number % 3,
                                    int(row["x"]) + 1),
                      -self.place_on(self.picture.tics_y, lambda t: -t.y,
                                     down - 1 - number // 3, int(row["y"]) + 1))
                self.check_cell(at, self.picture.groups, value, most, text,
                                value > 0)

    def check_planes(self):
        """The middle plane of each model twice, of what ran once; counted from 0. X has
        no tics: cells stand in order."""
        rows = self.rows(".nodes.csv")
        middle = max(int(row["z"]) for row in rows) // 2
        rows = [row for row in rows if int(row["z"]) == middle]
        most = max(float(row["queue_all"]) for row in rows)
        panels = [(name, column, those)
                  for side, columns in (("line", ["queue", "queue_all"]),
                                        ("mark", ["queue_all"]))
                  for name, those in self.families(rows, [side]).items()
                  if name != "as built" for column in columns]
        for number, (name, column, those) in enumerate(panels):
            titles = [t for t in self.picture.texts if t.text == name.split(" = ")[1]]
            kinds = [t for t in self.picture.texts
                     if t.text == ("node queue" if column == "queue" else "all at the node")]
            heads = [(a.x, a.y) for a in titles for b in kinds
                     if abs(a.x - b.x) < NEAR and 0 < b.y - a.y < 60]
            if len(heads) != 1:
                self.fault(f"{len(heads)} panels are called {name}, {column}")
                return
            cells = sorted((x0, y0, x1, y1) for g in self.picture.groups
                           for (x0, y0, x1, y1), _ in g.cells)
            side = cells[0][2] - cells[0][0]
            step = side / 0.96
            for row in those:
                up = sorted(t.y for t in self.tic(self.picture.tics_y, int(row["y"])))
                at = (heads[0][0] + (int(row["x"]) + 0.5) * step, up[number // 3])
                value = float(row[column])
                text = f"{value:.0f}" if value >= 9.95 else f"{value:.2g}"
                self.check_cell(at, self.picture.groups, value, most, text, True)

    # ---- the jam ----
    def check_jam(self):
        """Means over the runs at each time, over the mean before the overflow."""
        across, up = self.picture.axes()
        kinds = {"messages": "messages delivered", "z_column": "Z column of the node",
                 "y_plane": "its Y-Z plane", "x_towards": "X wires towards it",
                 "others": "other wires"}
        families = self.families(self.rows(".jam.csv"), self.about["swept"])
        for number, rows in enumerate(families.values()):
            for place, (column, title) in enumerate(kinds.items()):
                before = [float(r[column]) for r in rows if float(r["time_us"]) < 0]
                unit = (sum(before) / len(before) if before else 0) or 1
                times = {}
                for row in rows:
                    time = 10 * math.floor(float(row["time_us"]) / 10 + 0.5)
                    times.setdefault(time, []).append(float(row[column]) / unit)
                wanted = [(across.place(t), up.place(sum(v) / len(v)))
                          for t, v in sorted(times.items())]
                group = self.picture.groups[5 * number + place]
                if number == 0 and group.title != title:
                    self.fault(f"{group.title} instead of {title}")
                places = [p for p in wanted if self.picture.is_in_box(p)]
                drawn = [line for lines, _ in group.paths for line in lines]
                if len(places) > 1 and not any(
                        all(any(is_near(p, q) for q in line) for p in places)
                        for line in drawn):
                    self.fault(f"{title}: no line from {self.numbers(places[0])}")

    # ---- texts ----
    def check_key(self, name):
        """A curve's name is told once, in the picture."""
        found = [t for g in self.picture.groups for t in g.texts if t.text == name]
        if len(found) != 1:
            self.fault(f"'{name}' stands {len(found)} times in the key")
        elif found[0].left < 0 or found[0].right > self.picture.width:
            self.fault(f"'{name}' is cut off in the key")

    def check_title(self, name):
        if [t.text for t in self.picture.texts].count(name) != 1:
            self.fault(f"no map is called '{name}'")

    def check_tics(self):
        """Tics are even, and their labels do not touch."""
        for tics, low, high in ((self.picture.tics_x, "left", "right"),):
            row = sorted(tics, key=lambda t: t.x)
            for a, b in zip(row, row[1:]):
                if getattr(a, high) > getattr(b, low):
                    self.fault(f"the tics {a.text} and {b.text} touch")
        if self.picture.box and self.name not in GROUPS | BARS:
            for axis in self.picture.axes():
                if not axis.is_even():
                    self.fault("tics are uneven")

    def check_names(self):
        """Labels of the axes are those of experiments.json, unless a drawing has its own."""
        texts = [t.text for t in self.picture.texts]
        own = self.name in OTHERS | GROUPS | BARS
        if not own and self.about["kind"] != "table" and self.picture.box:
            if self.about["x"]["label"] not in texts:
                self.fault(f"no label '{self.about['x']['label']}'")

    def check(self):
        kind, error = self.about["kind"], self.about["y"]["error"]
        x, y = self.about["x"]["column"], self.about["y"]["column"]
        suffix = TABLES.get(kind)
        if self.name in OTHERS:
            suffix, x, y, error = OTHERS[self.name]
        self.check_tics()
        self.check_names()
        if self.name in CURVES:
            self.check_curves(*CURVES[self.name], None, True)
        elif self.name in GROUPS:
            self.check_groups(*GROUPS[self.name])
        elif self.name in BARS:
            self.check_stacked(*BARS[self.name])
        elif self.name in PLANES:
            self.check_planes()
        elif kind == "map":
            self.check_map(y)
        elif self.name == "jam":
            self.check_jam()
        elif kind == "models":
            self.check_models(suffix, x, y, error)
        else:
            self.check_curves(suffix, x, y, error if kind != "scatter" else None,
                              kind != "scatter" or suffix == ".cdf.csv")
        if self.picture.box and self.name not in GROUPS | BARS:
            self.check_formulas()


def main():
    folder = sys.argv[1]
    with open(os.path.join(folder, "experiments.json"), encoding="utf-8") as file:
        experiments = {e["name"]: e for e in json.load(file)["experiments"]}
    pictures = sorted(glob.glob(os.path.join(folder, "*.svg")))
    faults = []
    for path in pictures:
        name = os.path.basename(path)[:-len(".svg")]
        about = next(experiments[n] for n in (name, name[:-1], name.rsplit("-", 1)[0])
                     if n in experiments)
        checker = Checker(folder, name, about)
        checker.check()
        faults += checker.faults[:3]
    print("\n".join(faults), end="\n" if faults else "")
    print(f"{len(pictures)} pictures", file=sys.stderr)
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
