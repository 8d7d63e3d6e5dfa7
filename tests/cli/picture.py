"""Redraws the pictures of `jm report` from the statistics: picture.py STATS OUTPUT
QUEUES, where QUEUES is what --queues prints."""
import json
import math
import sys

run = json.load(open(sys.argv[1]))
out = open(sys.argv[2]).read()
nodes, (X, Y, Z) = run["nodes"], run["mesh"]
SHADES = " .:-=+*#%@"
GAP, COLUMNS = 3, 80


def wire(rank, axis, stride):
    """Flits both ways over the wire from a node up, 0 at the edge of the mesh."""
    up = nodes[rank]["links"].get(axis + "+")
    return 0 if up is None else up + nodes[rank + stride]["links"][axis + "-"]


wires = {(rank, axis): wire(rank, axis, stride) for rank in range(X * Y * Z)
         for axis, stride in (("x", 1), ("y", X), ("z", X * Y))}
most = max(wires.values())


def shade(rank, axis):
    n = wires[rank, axis]
    return SHADES[math.ceil(n * 9 / most)] if n else " "


def digits(rank):
    n = nodes[rank]["messages_in"].bit_length()
    return "o" if not n else "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"[n]


def plane(z):
    rows = []
    for y in reversed(range(Y)):
        first = X * (y + Y * z)
        row = "".join(digits(first + x) + shade(first + x, "x") for x in range(X))
        rows.append(row[:-1])
        if y:
            rows.append(" ".join(shade(first - X + x, "y") for x in range(X)))
    return [f"plane z={z}"] + rows


def rise(z):
    return [f"up from z={z}"] + ["".join(
        shade(X * (y + Y * z) + x, "z") for x in range(X)) for y in reversed(range(Y))]


def ranges(title, numbers):
    """Consecutive numbers as first..last, each range with the title."""
    starts = [n for n in numbers if n - 1 not in numbers]
    ends = [n for n in numbers if n + 1 not in numbers]
    return ", ".join(f"{title}{a}" + f"..{b}" * (a != b)
                     for a, b in zip(starts, ends, strict=True))


def beside(grids, width):
    """Grids side by side; those with nothing in them are named after the others."""
    title = grids[0][0].rstrip("0123456789")
    empty = [z for z, grid in enumerate(grids) if not set("".join(grid[1:])) - set(" o")]
    grids = [grid for z, grid in enumerate(grids) if z not in empty]
    fit = (COLUMNS + GAP) // (width + GAP)
    text = ""
    for i in range(0, len(grids), fit):
        for row in zip(*grids[i:i + fit], strict=True):
            text += "".join(part.ljust(width + GAP) for part in row).rstrip() + "\n"
        text += "\n"
    return text + (f"Empty: {ranges(title, empty)}\n\n" if empty else "")


def check(text):
    assert text in out, f"there is no\n{text}in\n{out}"


check(beside([plane(z) for z in range(Z)], max(2 * X - 1, len("plane z=") + 2)))
if Z > 1:
    check(beside([rise(z) for z in range(Z - 1)], max(X, len("up from z=") + 2)))
for axis in "xyz":
    used = run["network"]["wire_utilisation"][axis]
    bar = "#" * int(used * 50 + 0.5)
    check(f"{axis} wires used {used * 100:6.2f}%{'  ' * bool(bar)}{bar}\n")
rank, axis = next(key for key, n in wires.items() if n == most)
check(f"\nBusiest wire: from {rank} up in {axis}, {most} flits\n")
busiest = sorted(nodes, key=lambda n: (n["cycles"]["idle"], -n["messages_in"], n["rank"]))
rows = out[out.index("Busiest nodes"):].splitlines()[1:]
for node, row in zip(busiest[:5], rows):
    busy = 100 * (run["cycles"] - node["cycles"]["idle"]) / run["cycles"]
    place = f"{node['rank']} ({node['x']},{node['y']},{node['z']})"
    expected = [*place.split(), f"{busy:.1f}%", str(node["instructions"]),
                str(node["messages_in"]), str(node["queue_max_words"])]
    assert row.split() == expected, f"{row} is not {expected}"
assert rows[min(5, len(nodes))].startswith("Busiest wire"), rows
check(f"{X}x{Y}x{Z} nodes: {run['stop']} after {run['cycles']} cycles "
      f"({run['seconds'] * 1000:.6g} ms)\n")

out = open(sys.argv[3]).read()
longest = max(node["queue_max_words"] for node in nodes)


def queues(z):
    rows = [f"plane z={z}"]
    for y in reversed(range(Y)):
        words = [nodes[X * (y + Y * z) + x]["queue_max_words"] for x in range(X)]
        rows.append(" ".join(SHADES[math.ceil(n * 9 / longest)] for n in words))
    return rows


check(beside([queues(z) for z in range(Z)], max(2 * X - 1, len("plane z=") + 2)))
check(f" of {longest} words: ")
