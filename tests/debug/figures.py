"""Recomputes what the debugger prints from other data: figures.py STATS OUTPUT, the
statistics of `jm run` to the same cycle, and what the debugger said. Prints what
differs, and at the end what was compared."""
import json
import re
import sys

stats = json.load(open(sys.argv[1]))
text = open(sys.argv[2]).read()
nodes = stats["nodes"]
WORD = re.compile(r"^000[45].*? (NIL|[A-Z0-9]+:[0-9A-F]{8})", re.M)
kinds = ["counts", "classes", "faults", "vectors", "channels", "others"]
seen = dict.fromkeys(kinds, 0)


def check(kind, what, found, expected):
    seen[kind] += 1
    if found != expected:
        print(f"differs: {what}: {found}, not {expected}")


def check_statistics(name, block, of):
    """Compares the figures of a block with the sums over some nodes."""
    for priority, figures in re.findall(r"  priority (\d): (.*)", block):
        one = "" if priority == "0" else "1"
        sign = 0 if one else 1  # what is not of one priority counts both
        found = [int(n) for n in re.findall(r"\d+", figures)]
        expected = [
            sum(n[f"messages{one}_in"] - sign * n["messages1_in"] for n in of),
            sum(n[f"messages{one}_out"] - sign * n["messages1_out"] for n in of),
            None,
            max(n[f"queue{one}_max_words"] for n in of),
            sum(n["queue1_overflows" if one else "queue_overflows"] for n in of),
        ]
        expected[2] = found[2]
        check("counts", f"{name}, priority {priority}", found, expected)
    dispatched = sum(int(n) for n in re.findall(r"(\d+) dispatched", block))
    check("counts", f"{name}, dispatches", dispatched, sum(n["dispatches"] for n in of))
    instructions = int(re.search(r"  instructions (\d+)", block).group(1))
    expected = sum(n["instructions"] for n in of)
    check("counts", f"{name}, instructions", instructions, expected)
    for key, cycles, share in re.findall(r"  (\w+) +(\d+) cycles +([\d.]+) %", block):
        total = sum(n["cycles"][key] for n in of)
        check("classes", f"{name}, {key}", int(cycles), total)
        every = stats["cycles"] * len(of)
        check("classes", f"{name}, share of {key}", share, f"{100 * total / every:.1f}")


def check_faults(block, words):
    """Compares counts with the sums, vectors with words of the selected node."""
    rows = re.findall(r"  (\w+) +(\d+) taken  vector (NIL|\w+:\w+)", block)
    for (name, count, vector), word in zip(rows, words, strict=True):
        expected = sum(n["faults"].get(name, 0) for n in nodes)
        check("faults", name, int(count), expected)
        check("vectors", name, vector, word)


def check_channels(block):
    """Whether the next channel is held by another follows from its own row."""
    row = re.compile(r"(\S+ p\d \S+) +(\d+) flits(?:, held by message (\d+))?"
                     r"(?:, in front message (\d+))?(?: -> (.*))?$", re.M)
    rows = {m.group(1): m.groups() for m in row.finditer(block)}
    for name, flits, owner, front, after in rows.values():
        if not after or after.startswith("the queue") or "blocked" in after:
            continue
        target, _, held = after.partition(", ")
        holder = rows[target][2] if target in rows else None
        other = holder is not None and holder != (front or owner)
        check("channels", name, held == "held by another", other)
        seen["others"] += front is not None and front != owner and holder == front


parts = re.split(r"^# (.*)\n", text, flags=re.M)
blocks = dict(zip(parts[1::2], parts[2::2], strict=True))
for title, block in blocks.items():
    if title == "machine":
        check_statistics(title, block, nodes)
    elif title.startswith("node "):
        check_statistics(title, block, [nodes[int(title.split()[1])]])
    elif title == "faults":
        check_faults(block, WORD.findall(blocks["vectors"]))
    elif title.startswith("channels"):
        check_channels(block)
print(" ".join(f"{key}={count}" for key, count in seen.items()))
