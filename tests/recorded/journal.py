#!/usr/bin/env python3
"""journal.py FOLDER [EVERY] <settings: makes up a result of each run that
FOLDER's tables list, and writes them as its journal. `settings` is what `jm exp settings`
prints: the order of names in a key. The numbers follow from the run's key alone. With
EVERY one run in so many fails, or is a point without a solution."""
import csv
import json
import pathlib
import random
import sys

MAIN = ["mesh", "m", "L", "p", "h", "Q", "return"]
SHARES = {"p_no_overflow", "p_full", "share1", "brake_share"}
FLAGS = {"deadlock", "converged"}
COUNTS = {"longest", "longest1", "spilled", "spill_peak", "returns"}
# Columns of programs, which models do not have.
OF_PROGRAMS = {"node_count", "timed_overflows", "timed_longest", "task_instructions",
               "task_cycles", "message_words", "message_rate", "time_running",
               "time_sending", "time_overflow", "time_dispatch", "time_idle"}
FAILED = {True: (("stopped", -1), ("exit", 7), ("exit", 3)),
          False: (("clipped", 0), ("saturated", 0), ("not converged", 0))}


def read_orders(text):
    """Names of settings in their order, by model; the machine is ''."""
    orders, model = {"": []}, ""
    for line in text.splitlines():
        if line.startswith("model="):
            model = line[len("model="):line.index(",")]
            orders[model] = ["model"]
        elif line.startswith("  ") and not line.startswith("   "):
            orders[model].append(line.split()[0])
    return orders


def key_of(row, orders):
    found = {name: row[name] for name in MAIN if row[name]}
    found.update(word.split("=") for word in row["other"].split())
    order = orders[found.get("model", "")]
    names = sorted(found, key=lambda n: (order.index(n) if n in order else len(order), n))
    return " ".join(f"{n}={found[n]}" for n in names) + f" seed={row['seed']}", found


class Maker:
    """The numbers of a run."""

    def __init__(self, key):
        self.random = random.Random(key)

    def whole(self, low, high):
        return low + int(self.random.random() * (high - low + 1))

    def real(self, high):
        return round(self.random.random() * high, 3)

    def list_of(self, count, high):
        return [self.whole(0, high) for _ in range(count)]


def probed(make, nodes):
    heads = ("preamble", "subroutine", "word_to_buffer", "token", "message_to_queue",
             "word_to_queue")
    wires = ("z_column", "y_plane", "x_towards", "others")
    windows = [{"time": 97 * i - 500, "cycles": 97, "messages": make.whole(0, 30)} |
               {name: make.whole(0, 99) for name in wires} for i in range(12)]
    kinds = {"costs": {name: {"cycles": make.whole(50, 900), "units": make.whole(1, 9)}
                      for name in heads},
            "jam": {"node": make.whole(0, nodes - 1), "cycle": make.whole(1, 9999),
                    "windows": windows},
            "frames": [[5000 * i, [[n, make.whole(1, 500), make.whole(0, 40)]
                                   for n in range(i, nodes, 7)]] for i in range(3)]}
    for window in windows:
        window |= {name: make.whole(0, 99) for name in ("sent_ends", "sent_near")}
    kinds["handling"] = [make.whole(3000, 9000) for _ in range(nodes)]
    return kinds


def timed(make, cycles):
    """What a named program does between its marks."""
    parts = ("sending", "dispatch", "idle", "faults", "overflow")
    tasks = make.whole(900, 90000)
    return {"cycles": cycles, "tasks": tasks, "messages": make.whole(900, tasks),
            "words": make.whole(tasks, 7 * tasks), "instructions": make.whole(1, cycles),
            "overflows": max(make.whole(-3, 9), 0), "flits": make.whole(0, 99999),
            "longest": make.whole(8, 512)} | {
                part: make.whole(0, cycles // len(parts)) for part in parts}


def machine(make, settings):
    sides = [int(side) for side in settings["mesh"].split("x")]
    nodes = sides[0] * sides[1] * sides[2]
    h, hops = int(settings.get("h", 90)), int(settings.get("L", 1000))
    messages = int(settings.get("m", 5))
    makespan = int(messages * hops * h * (1 + make.real(4)))
    places = [[n, make.whole(1, 2), make.whole(-50, makespan)]
              for n in sorted({make.whole(0, nodes - 1) for _ in range(make.whole(0, 3))})]
    end = "exit"
    if "cut" in settings and make.real(1) > 0.7:
        end = "deadlock" if make.real(1) > 0.5 else "limit"
    series = [[5000 * i + make.whole(0, 400), make.whole(8, 511), make.whole(500, 60000),
               make.whole(-3, 5)] for i in range(1, 40)]
    record = {
        "stop": end, "status": 0, "cycles": makespan + make.whole(500, 90000),
        "T": makespan if end == "exit" else None,
        "hops": nodes * messages * hops,
        "h_got": h + make.whole(-1, 1), "h_min": make.whole(24, 36),
        "deadlock": int(end == "deadlock"), "instructions": make.whole(10**6, 10**10),
        "overflows": sum(place[1] for place in places), "overflows1": make.whole(0, 2),
        "longest": make.whole(40, 512), "longest1": make.whole(4, 128),
        "first_overflow": min((place[2] for place in places), default=None),
        "faults": {"send": make.whole(0, 9999), "early": make.whole(0, 9999),
                   "queue": make.whole(0, 99)},
        "places": places, "send": make.list_of(nodes, 9), "depth": make.list_of(nodes, 99),
        "deepest": make.list_of(nodes, 511), "share1": make.real(1),
        "brake_share": make.real(1), "spilled": make.whole(0, 9999),
        "spill_peak": make.whole(0, 2000), "returns": make.whole(0, 2000),
        "wire_x": make.real(1),
        "transit": {"min": make.whole(4, 9), "mean": make.real(99) + 9,
                    "max": make.whole(120, 9999)},
        "cuts": [make.real(0.5) for _ in range(sides[0] - 1)],
        "links": [make.list_of(2, 99999) for _ in range(sides[0] - 1)],
        "series": [[abs(n) if i < 3 else max(n, 0) for i, n in enumerate(row)]
                   for row in series]}
    if "probe" in settings:
        kind = ("costs", "frames", "jam", "handling")[int(settings["probe"]) - 1]
        record[kind] = probed(make, nodes)[kind]
    if "program" in settings:
        record |= {"hops": None, "h_got": None, "h_min": None}
        record["timed"] = timed(make, nodes * makespan)
        if settings.get("probe") != "1":
            del record["timed"]["overflow"]
    if "overflow_above" in settings:
        record |= {"p_no_overflow": make.real(1), "overflow_rate": make.real(1)}
    return record


def solved(make, settings, figures):
    record = {"stop": "solved", "status": 0}
    for name in figures:
        record[name] = (make.real(1) if name in SHARES else
                        make.whole(0, 1) if name in FLAGS else
                        make.whole(0, 999) if name in COUNTS else make.whole(0, 9999) / 8)
    sides = [int(side) for side in settings.get("mesh", "0x0x0").split("x")]
    nodes = sides[0] * sides[1] * sides[2]
    record |= {"T": make.whole(9000, 10**6), "overflows": make.whole(0, 2),
               "overflows1": make.whole(0, 1), "first_overflow": make.whole(1, 9000)}
    if "m" in settings:
        record["per_node"] = float(settings["m"])
    if settings["model"] in ("amva", "network"):
        record["node_queue"] = [make.whole(0, 99) / 8 for _ in range(nodes)]
    if settings["model"] == "amva":
        record["processor_queue"] = [make.whole(0, 9) / 8 for _ in range(nodes)]
    if settings["model"] == "confluence":
        record["accepted"] = [make.whole(1, 99) / 64 for _ in range(nodes)]
    if settings["model"] in ("memory", "shared"):
        record["by_processor"] = [make.whole(100, 999) / 10
                                  for _ in range(int(settings["k"]) ** 2)]
    if settings["model"] in ("memory", "poisson"):
        record["state"] = "settled" if make.real(1) > 0.2 else "not settled"
    return record


def fail(make, record, of_machine):
    record["stop"], record["status"] = FAILED[of_machine][make.whole(0, 2)]
    if of_machine:
        record["deadlock"] = 0
        record["why"] = ["made up"]
    else:  # such a point has no figures
        for name in set(record) - {"stop", "status"}:
            del record[name]


def main():
    folder = pathlib.Path(sys.argv[1])
    every = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    orders = read_orders(sys.stdin.read())
    records = {}
    about = json.loads((folder / "experiments.json").read_text())
    for name in sorted(e["name"] for e in about["experiments"]):
        for row in csv.DictReader((folder / f"{name}.csv").open()):
            key, settings = key_of(row, orders)
            if key in records:
                continue
            names = list(row)
            figures = [name for name in names[names.index("status") + 1:] + ["P_1"]
                       if name not in OF_PROGRAMS]
            make = Maker(key)
            of_machine = "model" not in settings
            record = (machine(make, settings) if of_machine else
                      solved(make, settings, figures))
            if every and make.whole(1, every) == 1:
                fail(make, record, of_machine)
            records[key] = {"key": key, "version": row["version"]} | record
    with (folder / "runs.jsonl").open("w") as file:
        for record in records.values():
            file.write(json.dumps(record, separators=(",", ":")) + "\n")
    print(len(records))


if __name__ == "__main__":
    main()
