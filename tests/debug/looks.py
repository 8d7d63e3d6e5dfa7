"""Recomputes the output of commands that show a machine from its statistics, from
expressions, and from each other: looks.py JM FOLDER, on a jam of both priorities on
4x3x3 nodes. Prints what differs, and at the end how much was compared."""
import json
import re
import subprocess
import sys

JM, FOLDER = sys.argv[1:]
PROGRAM = "tests/debug/programs/corners.s"
X, Y, Z = 4, 3, 3
NODES = X * Y * Z
CORNER = 18 # gets messages of both priorities
OPTIONS = ["--mesh", f"{X}x{Y}x{Z}", "--queue", "32", "--queue1", "16"]
WIRES = ["x+", "x-", "y+", "y-", "z+", "z-"]
LETTERS = {"stopped": "X", "not started": "-", "idle": ".", "in fault mode": "!",
           "waiting to send": "w", "sending": "s", "in background": "b",
           "task of priority 0": "0", "task of priority 1": "1"}
compared = 0


def check(what, found, expected):
    global compared
    compared += 1
    if found != expected:
        print(f"differs: {what}: {found!r}, not {expected!r}")


def statistics(cycle):
    name = f"{FOLDER}/stats"
    subprocess.run([JM, "run", "--quiet", *OPTIONS, "--cycles", str(cycle), "--stats",
                    name, PROGRAM], capture_output=True)
    return json.load(open(name))


def session(lines):
    """What the debugger says to each line; "[N] " before one is not for it."""
    plain = (re.sub(r"^\[\d+\] ", "", line) for line in lines)
    script = "".join(f"echo # {i}\n{line}\n" for i, line in enumerate(plain))
    done = subprocess.run([JM, "debug", "--quiet", "--no-init", *OPTIONS, PROGRAM],
                          input=script, text=True, capture_output=True)
    parts = ("\n" + done.stdout).split("\n# ")[1:]
    assert len(parts) == len(lines), done.stdout[-500:] + done.stderr
    texts = (part.rstrip("\n").split("\n", 1) for part in parts)
    return {line: text[1] if len(text) > 1 else ""
            for line, text in zip(lines, texts, strict=True)}


def place(node):
    return node % X, node // X % Y, node // X // Y


def tenths(part, whole):
    return "." if not part or not whole else "#" if part >= whole else \
        str(part * 10 // whole)


def count(n):
    return "." if n == 0 else str(n) if n < 10 else "+"


def picture(text):
    """The characters of a picture by node, of one of all nodes."""
    rows = text[text.index("z=0"):].split("\n")[1:]
    assert len(rows) == Y, text
    planes = [row.split(" ") for row in rows]
    return [planes[Y - 1 - y][z][x] for x, y, z in map(place, range(NODES))]


def queues(text):
    """Length, size and whether it is disabled and has a task, of both queues."""
    row = r"  queue \d: (\d+) of (\d+) words at \w+(, disabled)?.*?(, a task is active)?$"
    found = re.findall(row, text, re.M)
    return [(int(n), int(size), bool(shut), bool(task)) for n, size, shut, task in found]


def check_pictures(said, stats):
    nodes = stats["nodes"]
    for name, dimensions in (("", "xyz"), (" X", "x"), (" Y", "y"), (" Z", "z")):
        flits = [sum(n for key, n in node["links"].items() if key[0] in dimensions)
                 for node in nodes]
        check("wires" + name, picture(said["picture wires" + name]),
              [tenths(n, max(flits)) for n in flits])
    check("faults", picture(said["picture faults"]),
          [count(sum(node["faults"].values())) for node in nodes])
    activities = [re.match(r"node \d+ \(.*?\) ([^:]*): ", row).group(1)
                  for row in said["where all"].split("\n")]
    check("what", picture(said["picture what"]), [LETTERS[a] for a in activities])
    check("what, without saying so", said["picture"], said["picture what"])
    all_queues = [queues(said[f"queue {node}"]) for node in range(NODES)]
    for p in 0, 1:
        check(f"queue {p}", picture(said[f"picture queue {p}"]),
              ["x" if q[p][2] else tenths(q[p][0], q[p][1]) for q in all_queues])
        over = ["queue_overflows", "queue1_overflows"][p]
        check(f"overflow {p}", picture(said[f"picture overflow {p}"]),
              ["#" if q[p][0] >= q[p][1] else count(node[over])
               for q, node in zip(all_queues, nodes, strict=True)])
    # A range in each dimension, one of them whole: its nodes, by rank.
    where = said["where all"].split("\n")
    check("a set of nodes", said["where 1-3,*,2"].split("\n"), [
        row for row, (x, _, z) in zip(where, map(place, range(NODES)), strict=True)
        if x >= 1 and z == 2])
    # A box: its own rows and planes, of the same characters.
    whole = picture(said["picture what"])
    lines = said["picture what 1-3,1,1-2"].split("\n")
    check("a box", lines[-2:], ["1   2  ", " ".join(
        "".join(whole[x + X * (1 + Y * z)] for x in (1, 2, 3)) for z in (1, 2))])


def check_nodes(said, stats):
    for rank, node in enumerate(stats["nodes"]):
        flits = [node["links"].get(key, 0) for key in WIRES]
        row = said[f"wires {rank}"]
        check("wires", [int(n) for n in re.findall(r"[+-][XYZ] (\d+)", row)], flits)
        check("flits()", [said[f"[{rank}] print flits({i}) dec"] for i in range(6)],
              [str(n) for n in flits])
        for p, (length, _, _, task) in enumerate(queues(said[f"queue {rank}"])):
            check(f"queue({p})", said[f"[{rank}] print queue({p}) dec"], str(length))
            check(f"active({p})", said[f"[{rank}] print active({p})"], str(int(task)))
        check("idle()", said[f"[{rank}] print idle()"],
              str(int(" idle: " in said[f"where {rank}"])))


def check_registers(said):
    shown = said[f"registers {CORNER}"]
    names = [f"r{i}" for i in range(4)] + [f"a{i}" for i in range(4)]
    for c, title in enumerate(("priority 0", "priority 1", "background")):
        mine = names + [f"id{i}" for i in range(4)] * (c < 2) + ["ip", "fip"]
        block = shown.split(f"\n{title}")[1].split("\npriority")[0]
        block = block.split("\nbackground")[0]
        for name in mine:
            value = said[f"print ${name}.{'01b'[c]}@{CORNER}"]
            row = rf"(?:^|\s){name.upper()} +{re.escape(value)}(?:\s|$)"
            check(f"{title} {name} {value}", bool(re.search(row, block)), True)
        fault = re.search(r"last fault: (.*?)   FOP0 (.*?)   FOP1 (.*)", block)
        check(f"{title} fault", bool(fault), c == 0)
        for i in (2, 3) if fault else ():
            check(f"{title} FOP", fault.group(i), said[f"print $fop{i - 2}.0@{CORNER}"])
    flags = re.search(r"  P (\d)  B (\d)  I (\d)  NNR (\d+)  MAR (\w+)",
                      shown).groups()
    for name, flag in zip(("p", "b", "i", "nnr", "mar"), flags, strict=True):
        data = said[f"print data(${name}@{CORNER}) hex"]
        check(name, int(flag, 16 if name == "mar" else 10), int(data, 16))


def check_network(said, stats, jammed):
    n = stats["network"]
    row = re.findall(r"  network: (.*)\n  latency: (.*)", said["statistics"])[0]
    used = [f"{100 * n['wire_utilisation'][d]:.1f}" for d in "xyz"]
    check("network", row[0],
          f"{sum(n['messages_delivered'])} of {sum(n['messages_opened'])} messages "
          f"delivered; wires busy X {used[0]} Y {used[1]} Z {used[2]} %")
    late = n["latency"]
    check("latency", row[1], f"mean {late['mean']:.1f}, median {late['p50']}, 99 % below "
          f"{late['p99']}, at most {late['max']} cycles")
    # Messages from or to a node are those of all messages that name it.
    every = re.split(r"\n(?=\d+: p)", said["messages"])
    for node in range(NODES):
        at = "%d,%d,%d" % place(node)
        mine = [m for m in every if at in re.match(r"\d+: p\d (\S+) -> (\S+),", m).groups()]
        check(f"messages {node}", said[f"messages {node}"],
              "\n".join(mine) or "no messages are in flight")
        open_now = any(re.match(rf"\d+: p\d {at} -> .*\d\+ words?, ", m) for m in mine)
        check(f"open {node}", "in the middle of a message" in said[f"registers {node}"],
              open_now)
        # A node whose output buffer has no room for two words more waits to send them.
        taken = re.search(r"p0: (\d+) of (\d+) places taken", said[f"sending {node}"])
        if jammed and taken and "waiting to send" in said[f"where {node}"]:
            fits = any(m.count(f" p0 {at} -> ") and "not ended it" in m for m in mine)
            check(f"sending {node}", not fits or
                  int(taken.group(2)) - int(taken.group(1)) < 2, True)


def looks(cycle):
    lines = [f"goto {cycle}", "where all", "picture", "messages", "statistics",
             "picture what 1-3,1,1-2", "where 1-3,*,2"]
    lines += [f"picture {kind}" for kind in (
        "wires", "wires X", "wires Y", "wires Z", "queue 0", "queue 1", "overflow 0",
        "overflow 1", "faults", "what")]
    values = [f"queue({p}) dec" for p in (0, 1)] + ["active(0)", "active(1)", "idle()"]
    values += [f"flits({i}) dec" for i in range(6)]
    for node in range(NODES):
        lines += [f"{word} {node}" for word in (
            "where", "queue", "wires", "messages", "sending", "node", "registers")]
        lines += [f"[{node}] print {value}" for value in values]
    for context in "01b":
        lines += [f"print ${name}.{context}@{CORNER}" for name in (
            "r0 r1 r2 r3 a0 a1 a2 a3 ip fip".split()
            + "id0 id1 id2 id3".split() * (context != "b"))]
    lines += [f"print $fop{i}.0@{CORNER}" for i in (0, 1)]
    lines += [f"print data(${name}@{CORNER}) hex" for name in "p b i nnr mar".split()]
    return lines


def main():
    for cycle in 345, 700, 3000:
        stats = statistics(cycle)
        said = session(looks(cycle))
        check_pictures(said, stats)
        check_nodes(said, stats)
        check_network(said, stats, cycle == 700)
        if cycle == 700:
            check_registers(said)
    print(f"compared {compared}")


main()
