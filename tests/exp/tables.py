#!/usr/bin/env python3
"""tables.py DIR EXPERIMENT...: recomputes the tables of experiments from the journal.

Every cell is compared, except text that is not in the journal. The formulas are
those of the thesis and of tools/exp/results.md, written apart from tools/exp. A message
has two flits for each of its p payload words and its header, and three header flits.
Prints a line for each table that differs, and ends with status 1 then.
"""

import csv
import functools
import json
import math
import os
import sys

NAN = math.nan
T_975 = {1: 12.7062047, 2: 4.30265273, 3: 3.18244631, 4: 2.77644511}
MAIN = ["mesh", "m", "L", "p", "h", "Q", "return"]


# ---- samples -----------------------------------------------------------------------
def mean(values):
    known = [v for v in values if not math.isnan(v)]
    return sum(known) / len(known) if known else NAN


def deviation(values):
    known = [v for v in values if not math.isnan(v)]
    if len(known) < 2:
        return NAN
    return math.sqrt(sum((v - mean(known)) ** 2 for v in known) / (len(known) - 1))


def interval(values):
    count = sum(not math.isnan(v) for v in values)
    return T_975[count - 1] * deviation(values) / math.sqrt(count) if count > 1 else NAN


def quantile(values, share):
    known = sorted(v for v in values if not math.isnan(v))
    if not known:
        return NAN
    place = share * (len(known) - 1)
    low = min(int(place), max(len(known) - 2, 0))
    high = min(low + 1, len(known) - 1)
    return known[low] + (place - low) * (known[high] - known[low])


# ---- a run -------------------------------------------------------------------------
class Run:
    """A record of the journal and the settings in its key."""

    def __init__(self, record):
        self.record = record
        words = [word.split("=") for word in record["key"].split()]
        self.seed = int(words.pop()[1])
        self.settings = dict(words)
        self.is_machine = "model" not in self.settings
        if "mesh" in self.settings:
            self.size = [int(side) for side in self.settings["mesh"].split("x")]

    def setting(self, name):
        return float(self.settings.get(name, NAN))

    def key(self, name):
        value = self.record.get(name)
        return NAN if value is None or isinstance(value, (list, dict, str)) else value

    def place(self, node):
        x, y, _ = self.size
        return node % x, node // x % y, node // x // y

    def is_inner(self, node):
        """In the inner half of every side."""
        return all(at >= side / 4 and at + 1 <= 3 * side / 4
                   for at, side in zip(self.place(node), self.size))

    def is_outer(self, node):
        return any(at in (0, side - 1) for at, side in zip(self.place(node), self.size))

    def is_middle(self, node, side):
        at, length = self.place(node)[side], self.size[side]
        return at in ((length - 1) // 2, length // 2)

    def is_end(self, node, side):
        return self.place(node)[side] in (0, self.size[side] - 1)

    def queues(self):
        """Messages in each node's queue."""
        if "node_queue" in self.record:
            return self.record["node_queue"]
        words = self.setting("p") + 1
        return [hundredths / 100 / words for hundredths in self.record.get("depth", [])]

    def all_queues(self):
        """The same with those that wait for the processor."""
        more = self.record.get("processor_queue") or [0] * len(self.queues())
        return [a + b for a, b in zip(self.queues(), more)]


def share_of(run, is_there):
    """The share of overflows in a part of the machine."""
    places = run.record.get("places", [])
    number = sum(place[1] for place in places)
    return (sum(p[1] for p in places if is_there(p[0])) / number) if number else NAN


@functools.cache
def machine_columns(run):
    """The figures of a run of the machine (MACHINE in results.def)."""
    r, t = run.record, run.key("T")
    # A draw of 0 to the next power of two of each side is repeated unless it is a node.
    chance = math.prod(side / (1 << (int(side) - 1).bit_length()) for side in run.size)
    again = (22 if run.settings.get("generator") == "1" else 18) * (1 / chance - 1)
    work = run.setting("m") * run.setting("L") * (run.setting("h") + again)
    words = run.setting("p") + 1
    headers = float(run.settings.get("header_flits", 3))
    first = min((place[2] for place in r["places"]), default=NAN)
    after = [s[3] > 0 for s in r["series"] if s[0] > first]
    send = r["send"]
    inner = [send[n] for n in range(len(send)) if run.is_inner(n)]
    outer = [send[n] for n in range(len(send)) if run.is_outer(n)]
    late = [s[1] for s in r["series"] if s[0] >= 10000]
    same = ["cycles", "hops", "h_got", "h_min", "overflows", "wire_x", "instructions",
            "status"]
    return {name: run.key(name) for name in same} | {
        "T_cycles": t, "T_ms": t / 1e4,
        "T_scaled_ms": t / 10 / run.setting("L"),
        "u_bisection": words * run.setting("m") * run.setting("L") * run.size[0] / t,
        "u_processor": work / t, "stretch": t / work,
        "overflow_nodes": len(r["places"]),
        "centre_share": share_of(run, run.is_inner),
        "surface_share": share_of(run, run.is_outer),
        "first_overflow_ms": first / 1e4, "overflowed_share": mean(after),
        "sends_faulted": r["faults"].get("send", 0),
        "send_centre": mean(inner) / mean(outer) if mean(outer) else NAN,
        "queue_faults": r["faults"].get("queue", 0),
        "early_faults": r["faults"].get("early", 0),
        "queue_max": max(r["deepest"]), "queue_1ms": late[0] if late else NAN,
        "wire_data_x": run.key("wire_x") * 2 * words / (2 * words + headers),
        "clean": r["overflows"] == 0, "single": r["overflows"] == 1,
        "several": r["overflows"] > 1,
        "transit_min": r["transit"]["min"], "transit_mean": r["transit"]["mean"],
        "transit_max": r["transit"]["max"]}


def parts(run):
    """Queues by part of the machine; corners and ends are those of the middle plane,
    the lower of two."""
    names = ["node_mean", "node_peak", "plane_peak", "node_middle", "all_middle",
             "node_corner", "node_ends_x", "node_ends_y", "peak_x"]
    queues = run.queues()
    if not queues:
        return dict.fromkeys(names, NAN)
    nodes = range(len(queues))
    plane = [n for n in nodes if run.place(n)[2] == (run.size[2] - 1) // 2]
    middle = [n for n in nodes if all(run.is_middle(n, side) for side in range(3))]
    corners = [n for n in plane if run.is_end(n, 0) and run.is_end(n, 1)]
    ends_x = [n for n in plane if run.is_end(n, 0) and run.is_middle(n, 1)]
    ends_y = [n for n in plane if run.is_middle(n, 0) and run.is_end(n, 1)]
    x = run.place(queues.index(max(queues)))[0]
    of = lambda places: mean([queues[n] for n in places])
    return dict(zip(names, [
        mean(queues), max(queues), max(queues[n] for n in plane), of(middle),
        mean([run.all_queues()[n] for n in middle]), of(corners), of(ends_x),
        of(ends_y), min(x, run.size[0] - 1 - x)]))


def line_columns(run):
    """What is accepted along a line of nodes."""
    accepted = run.record.get("accepted", [])
    ratios = [a / b for a, b in zip(accepted[1:-2], accepted[2:-1]) if b]
    return {"upstream": max(ratios, default=NAN),
            "entering": 1 - accepted[0] / sum(accepted) if accepted else NAN}


def timed_columns(run):
    """What a named program does between its marks."""
    timed = run.record.get("timed", {})
    of = lambda name: timed.get(name, NAN)
    part = lambda name: 100 * of(name) / of("cycles")
    handlers = part("overflow") if of("overflows") else 0
    overflow = part("faults") + handlers
    quiet = part("idle") < 1
    return {"timed_overflows": of("overflows"), "timed_longest": of("longest"),
            "task_instructions": of("instructions") / of("tasks") if quiet else NAN,
            "task_cycles": (of("cycles") - of("idle")) / of("tasks"),
            "message_words": of("words") / of("messages"),
            "message_rate": of("messages") / of("cycles") * 1e7,
            "time_running": 100 - part("sending") - overflow - part("dispatch") -
            part("idle"),
            "time_sending": part("sending"), "time_overflow": overflow,
            "time_dispatch": part("dispatch"), "time_idle": part("idle")}


@functools.cache
def model_columns(run):
    """The COLUMNs of results.def that are not as in the record."""
    r = run.record
    nodes = math.prod(run.size) if "mesh" in run.settings else NAN
    service = run.setting("h" if run.is_machine else "tau")
    held = run.key("per_node")
    held = run.setting("m") if math.isnan(held) else held
    filled = run.key("overflows") + (r.get("overflows1") or 0)
    full = run.key("p_full")
    return parts(run) | line_columns(run) | timed_columns(run) | {
        "node_count": nodes,
        "per_node": held, "fill": held / run.setting("overflow_above"),
        "product_more": run.key("p_product") - run.key("p_no_overflow"),
        "odds": 1 / full - 1 if full else math.inf, "service": service,
        "rate": run.key("hops") / run.key("T") / nodes if run.is_machine
        else run.key("rate"),
        "bisection": run.key("wire_x" if run.is_machine else "bisection"),
        "makespan": run.key("T"), "filled": filled,
        "unfilled": float(filled == 0), "ended": float(not math.isnan(run.key("T"))),
        "first_filled_ms": run.key("first_overflow") / 1e4,
        "share1": 100 * run.key("share1"), "brake_share": 100 * run.key("brake_share"),
        "request_rate": 1 / run.setting("tau")}


MACHINE = set("""cycles T_cycles T_ms T_scaled_ms u_bisection u_processor stretch hops
    h_got h_min overflows overflow_nodes centre_share surface_share first_overflow_ms
    overflowed_share sends_faulted send_centre queue_faults early_faults queue_max
    queue_1ms wire_x wire_data_x instructions clean single several transit_min
    transit_mean transit_max status""".split())

# Columns that need settings of other models than those of the thesis, or that have
# tests of their own.
ELSEWHERE = {"centres_z", "efficiency_middle", "efficiency_edge", "efficiency_corners",
             "efficiency_centre", "map_off", "read_share", "write_share", "near_share",
             "hot_share", "high_off", "path_wires", "offered_bits", "accepted",
             "per_wire", "per_pin", "pipe_wire"}


def column(run, name):
    """The figure of a run in any column; None if it is tested elsewhere."""
    if name in ELSEWHERE:
        return None
    if name in run.settings:
        try:
            return float(run.settings[name])
        except ValueError:
            return None
    if name in MACHINE and not run.is_machine:
        return NAN
    found = machine_columns(run) if name in MACHINE else model_columns(run)
    return found.get(name, run.key(name))


# ---- tables ------------------------------------------------------------------------
class Checker:
    """Compares the tables of an experiment."""

    def __init__(self, folder, name, about):
        self.folder, self.name, self.about, self.faults = folder, name, about, {}
        with open(os.path.join(folder, "runs.jsonl"), encoding="utf-8") as file:
            runs = [Run(json.loads(line)) for line in file]
        by_key = {run.record["key"]: run for run in runs}
        self.rows = self.read(".csv")
        self.runs = [by_key[self.key_of(row, by_key)] for row in self.rows]
        self.points = {}
        for row, run in zip(self.rows, self.runs):
            self.points.setdefault(row["point"], []).append(run)
        for point, runs in self.points.items():
            self.same(".csv", f"seeds of point {point}", [r.seed for r in runs],
                      list(range(1, len(runs) + 1)))

    def swept(self, run):
        """What ends the rows of tables without a column for each setting."""
        return [float(run.settings[name]) for name in self.about["swept"]]

    def families(self):
        """The runs by what is swept."""
        found = {}
        for runs in self.points.values():
            found.setdefault(tuple(self.swept(runs[0])), []).extend(runs)
        return found

    def read(self, suffix):
        path = os.path.join(self.folder, self.name + suffix)
        with open(path, encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))

    @staticmethod
    def key_of(row, by_key):
        """The journal's key of a run's row: the only one with its settings and seed."""
        wanted = {name: row[name] for name in MAIN if row[name]}
        wanted |= dict(word.split("=") for word in row["other"].split())
        found = [key for key, run in by_key.items()
                 if run.settings == wanted and run.seed == int(row["seed"])]
        return found[0]

    def fault(self, table, text):
        self.faults.setdefault(table, text)

    def same(self, table, what, got, wanted):
        if got != wanted:
            self.fault(table, f"{what}: {got} instead of {wanted}")

    def near(self, table, what, got, wanted, digits=9):
        """Compares a number as it is printed; nothing stands for none."""
        if wanted is None:
            return
        if not math.isfinite(wanted):
            self.same(table, what, got, "")
        elif got == "" or abs(float(got) - wanted) > max(1, abs(wanted)) / 10 ** digits:
            self.fault(table, f"{what}: '{got}' instead of {wanted}")

    def check_runs(self):
        for place, (row, run) in enumerate(zip(self.rows, self.runs)):
            self.same(".csv", "experiment", row["experiment"], self.name)
            self.same(".csv", "run", row["run"], str(run.seed - 1))
            self.same(".csv", "stop", row["stop"], run.record["stop"])
            self.same(".csv", "version", row["version"], run.record["version"])
            program = run.settings.get("program", run.settings.get("model", "snakes"))
            self.same(".csv", "program", row["program"], program)
            names = list(row)
            for name in names[names.index("cycles"):]:
                self.near(".csv", f"{name} of row {place}", row[name],
                          column(run, name))

    def check_points(self):
        of = lambda runs, name: [machine_columns(run)[name] for run in runs]
        rows = self.read(".points.csv")
        self.same(".points.csv", "rows", len(rows), len(self.points))
        for row, (point, runs) in zip(rows, self.points.items()):
            t, scaled = of(runs, "T_ms"), of(runs, "T_scaled_ms")
            u, full = of(runs, "u_bisection"), of(runs, "overflows")
            queue = of(runs, "queue_max")
            wanted = {
                "n": len(t), "T_ms_mean": mean(t), "T_ms_sd": deviation(t),
                "T_ms_ci95": interval(t), "T_ms_min": min(t), "T_ms_max": max(t),
                "T_ms_p10": quantile(t, 0.1), "T_ms_p50": quantile(t, 0.5),
                "T_ms_p90": quantile(t, 0.9), "T_scaled_ms_mean": mean(scaled),
                "T_scaled_ms_sd": deviation(scaled),
                "T_scaled_ms_ci95": interval(scaled), "u_mean": mean(u),
                "u_sd": deviation(u), "u_ci95": interval(u),
                "overflows_mean": mean(full), "overflows_sd": deviation(full),
                "overflows_max": max(full), "runs_without_overflow": full.count(0),
                "sends_faulted_mean": mean(of(runs, "sends_faulted")),
                "queue_max_mean": mean(queue), "queue_max_sd": deviation(queue)}
            more = [name for name in self.about["swept"] if name not in MAIN]
            for name in more:
                self.same(".points.csv", name, row.pop(name), runs[0].settings[name])
            self.same(".points.csv", "columns", sorted(list(row)[-len(wanted):]),
                      sorted(wanted))
            self.same(".points.csv", "point", row["point"], point)
            for name in MAIN:
                self.same(".points.csv", name, row[name], runs[0].settings[name])
            for name, value in wanted.items():
                self.near(".points.csv", f"{name} of {point}", row[name], value, 8)

    def check_rows(self, table, wanted, digits=8):
        """Compares all rows of a table with lists of numbers."""
        rows = [list(row.values()) for row in self.read(table)]
        self.same(table, "rows", len(rows), len(wanted))
        for place, (row, numbers) in enumerate(zip(rows, wanted)):
            self.same(table, "columns", len(row), len(numbers))
            for got, number in zip(row, numbers):
                self.near(table, f"row {place}", got, number, digits)

    def check_cdf(self):
        wanted = []
        for point, runs in self.points.items():
            times = sorted((run.key("T") / 1e4, run.setting("L")) for run in runs)
            for place, (t, hops) in enumerate(times):
                wanted.append([int(point), t, t * 1000 / hops,
                               100 * (place + 1) / len(runs), *self.swept(runs[0])])
        self.check_rows(".cdf.csv", wanted)

    def check_histogram(self):
        """A makespan between two bins may be in either."""
        wanted = []
        for point, runs in self.points.items():
            times = [run.key("T") for run in runs]
            low, length = min(times), max(times) - min(times)
            edge = any(0 < t - low < length and (t - low) * 20 % length == 0
                       for t in times)
            bins = [min((t - low) * 20 // length, 19) for t in times]
            for i in range(20):
                wanted.append([int(point), (low + i * length / 20) / 1e4,
                               (low + (i + 1) * length / 20) / 1e4,
                               None if edge else bins.count(i),
                               *self.swept(runs[0])])
        self.check_rows(".histogram.csv", wanted)

    def check_times(self):
        wanted = []
        for point, runs in self.points.items():
            for samples in zip(*(run.record["series"] for run in runs)):
                most = [sample[1] for sample in samples]
                wanted.append([int(point), quantile([s[0] for s in samples], .5) / 1e4,
                               len(runs), mean(most), deviation(most), max(most),
                               mean([s[2] for s in samples]),
                               mean([s[3] for s in samples]), *self.swept(runs[0])])
        self.check_rows(".times.csv", wanted)

    def check_map(self):
        wanted = []
        for swept, runs in self.families().items():
            for node in range(math.prod(runs[0].size)):
                overflows = first = 0
                for run in runs:
                    places = run.record["places"]
                    overflows += sum(p[1] for p in places if p[0] == node)
                    first += bool(places) and min(places, key=lambda p: p[2])[0] == node
                of = lambda key: [run.record[key][node] for run in runs]
                wanted.append([*runs[0].place(node), node, len(runs), overflows, first,
                               sum(of("send")), mean(of("depth")) / 100,
                               max(of("deepest")), *swept])
        self.check_rows(".map.csv", wanted, 5)

    def check_jam(self):
        wanted = []
        for runs in self.points.values():
            for place, run in enumerate(runs):
                jam = run.record["jam"] or {"node": 0, "windows": []}
                for w in jam["windows"]:
                    wanted.append([place, jam["node"], w["time"] / 10, w["cycles"],
                                   w["messages"], w["z_column"], w["y_plane"],
                                   w["x_towards"], w["others"], *self.swept(run)])
        self.check_rows(".jam.csv", wanted)

    def check_frames(self):
        """Of the first run of each point."""
        self.check_rows(".frames.csv", [
            [time / 1e4, *node, *self.swept(runs[0])] for runs in self.points.values()
            for time, nodes in runs[0].record["frames"] for node in nodes])

    def check_costs(self):
        # Headings and cycles of the thesis's table 2.1.
        table = [("preamble", 150), ("subroutine", 50), ("word_to_buffer", 22),
                 ("token", 52), ("message_to_queue", 23), ("word_to_queue", 26)]
        wanted = []
        for key, thesis in table:
            for runs in self.points.values():
                costs = [run.record["costs"][key] for run in runs]
                units = sum(cost["units"] for cost in costs)
                cycles = sum(cost["cycles"] for cost in costs)
                words = runs[0].setting("p") + 1
                wanted.append([None, thesis, words - 1, words,
                               cycles / units if units else NAN, units,
                               *self.swept(runs[0])])
        self.check_rows(".costs.csv", wanted)

    # ---- models ---------------------------------------------------------------------
    def read_curves(self):
        """The rows and their figures. A setting and a figure can have one name."""
        rows = self.read(".curves.csv")
        path = os.path.join(self.folder, self.name + ".curves.csv")
        with open(path, encoding="utf-8", newline="") as file:
            head, *lines = list(csv.reader(file))
        first = head.index("T_cycles") - 1
        for row, line in zip(rows, lines):
            row |= dict(zip(head[:first], line))
            row["figures"] = list(zip(head[first:], line[first:]))
        return rows

    def check_curves(self, x):
        rows = self.read_curves()
        self.same(".curves.csv", "points", sorted(row["point"] for row in rows),
                  sorted(self.points))
        curves = [row["line"] + row["mark"] for row in rows]
        firsts = [min(int(row["point"]) for row in rows
                      if row["line"] + row["mark"] == curve) for curve in curves]
        places = [mean([column(run, x) for run in self.points[row["point"]]])
                  for row in rows]
        order = [(first, place, int(row["point"]))
                 for first, place, row in zip(firsts, places, rows)]
        self.same(".curves.csv", "order", order, sorted(order))
        for row in rows:
            self.check_curve_row(row, self.points[row["point"]])

    def check_curve_row(self, row, runs):
        table, run = ".curves.csv", runs[0]
        stops = [r.record["stop"] for r in runs]
        self.same(table, "n", row["n"], str(len(runs)))
        self.same(table, "state", row["state"],
                  next((stop for stop in stops if stop != "solved"), "solved"))
        for name, value in run.settings.items():
            if name != "model":
                self.same(table, name, row[name], value)
        for name, got in row["figures"]:
            base = name.removesuffix("_ci95").removesuffix("_sd")
            values = [column(r, base) for r in runs]
            if None in values:
                continue
            how = (interval if name.endswith("_ci95") else
                   deviation if name.endswith("_sd") else mean)
            self.near(table, f"{name} of {row['point']}", got, how(values), 7)

    def check_nodes(self):
        for row in self.read(".nodes.csv"):
            runs, node = self.points[row["point"]], int(row["rank"])
            self.same(".nodes.csv", "place", [row["x"], row["y"], row["z"]],
                      [str(at) for at in runs[0].place(node)])
            of = lambda lists: mean([l[node] for l in lists]) if all(lists) else NAN
            everything = of([run.all_queues() for run in runs])
            # Two flits a word, unless a model's messages have a length of their own.
            flits = (2 * (runs[0].setting("p") + 1) if runs[0].is_machine
                     else runs[0].setting("flits"))
            accepted = of([run.record.get("accepted", []) for run in runs])
            for name, value in (("queue", of([run.queues() for run in runs])),
                                ("queue_all", everything), ("accepted", accepted),
                                ("queue_all_flits", everything * flits)):
                self.near(".nodes.csv", f"{name} of {node}", row[name], value, 8)
        meshes = [math.prod(r[0].size) for r in self.points.values() if r[0].size]
        self.same(".nodes.csv", "rows", len(self.read(".nodes.csv")), sum(meshes))

    def check_scaling(self):
        """Beside the point of the same problem on the fewest nodes."""
        nodes = lambda runs: math.prod(runs[0].size)
        time = lambda runs: mean([run.key("T") for run in runs])
        problem = lambda runs: {**runs[0].settings, "mesh": None}
        for row in self.read(".scaling.csv"):
            runs = self.points[row["point"]]
            base = min((other for other in self.points.values()
                        if problem(other) == problem(runs)), key=nodes)
            speedup = nodes(base) * time(base) / time(runs)
            for name, value in (("node_count", nodes(runs)), ("base_count", nodes(base)),
                                ("makespan", time(runs)), ("speedup", speedup),
                                ("efficiency", speedup / nodes(runs))):
                self.near(".scaling.csv", f"{name} of {row['point']}", row[name], value)
        self.same(".scaling.csv", "rows", len(self.read(".scaling.csv")),
                  len(self.points))

    def check(self, x):
        """x: what curves of models are drawn over; None for those of the machine."""
        own = {".jam.csv": self.check_jam, ".frames.csv": self.check_frames,
               ".costs.csv": self.check_costs, ".nodes.csv": self.check_nodes,
               ".scaling.csv": self.check_scaling}
        self.check_runs()
        if x:
            self.check_curves(x)
        else:
            self.check_points()
            self.check_cdf()
            self.check_histogram()
            self.check_times()
            self.check_map()
        for suffix, check in own.items():
            if os.path.exists(os.path.join(self.folder, self.name + suffix)):
                check()


def main():
    folder, *names = sys.argv[1:]
    with open(os.path.join(folder, "experiments.json"), encoding="utf-8") as file:
        about = {e["name"]: e for e in json.load(file)["experiments"]}
    bad = False
    for name in names:
        checker = Checker(folder, name, about[name])
        is_models = os.path.exists(os.path.join(folder, name + ".curves.csv"))
        checker.check(about[name]["x"]["column"] if is_models else None)
        for table, text in checker.faults.items():
            print(f"{name}{table}: {text}")
        bad |= bool(checker.faults)
    return bad


if __name__ == "__main__":
    sys.exit(main())
