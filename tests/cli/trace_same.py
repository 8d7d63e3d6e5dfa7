"""Compares a trace in JSON with the trace of the same run as lines of text:
trace_same.py TEXT JSON XxYxZ END. Every event of the lines is there, with all its
fields; END is the cycle in which the run ended."""
import json
import sys
from collections import Counter

text, name, mesh, end = sys.argv[1:]
x, y, z = (int(n) for n in mesh.split("x"))
end = int(end)
events = json.load(open(name))["traceEvents"]
lines = [line.split() for line in open(text)]


def place(node):
    return "%d,%d,%d" % (node % x, node // x % y, node // x // y)


def to(word):
    data = int(word.split(":")[1], 16)
    return "%d,%d,%d" % (data & 31, data >> 5 & 31, data >> 10 & 63)


def of_lines():
    """What the lines say, as (phase, category, node, thread, cycle, what)."""
    begun, stalled, opened = {}, set(), set()
    for cycle, node, context, event, address, symbol, *rest in lines:
        cycle, node, thread = int(cycle), int(node), "01b".index(context)
        key = node, thread
        if event == "send":
            if key in stalled:
                stalled.remove(key)
                yield "E", "stall", node, thread, cycle, "SEND waits"
            if rest[1] not in opened:
                yield "X", "send", node, thread, cycle, (to(rest[2]), rest[0])
            opened.add(rest[1])
        elif event == "fault":
            yield "i", "fault", node, thread, cycle, (rest[-1], address)
            if rest[-1] == "SEND" and key not in stalled:
                stalled.add(key)
                yield "B", "stall", node, thread, cycle, "SEND waits"
        elif event == "dispatch":
            begun[key] = symbol
            yield "B", "task", node, thread, cycle, symbol
        elif event == "suspend" and key in begun:
            yield "E", "task", node, thread, cycle, begun.pop(key)
        elif event in ("arrive", "overflow", "return", "spill"):
            opened.discard(rest[1] if event in ("arrive", "return") else None)
            yield "i", event, node, int(rest[0][1]), cycle, None
        elif event == "brake":
            said = "brake on" if rest[-1] == "on" else "input open"
            yield "i", event, node, 0, cycle, said
    for node, thread in stalled:
        yield "E", "stall", node, thread, end, "SEND waits"
    for (node, thread), symbol in begun.items():
        yield "E", "task", node, thread, end, symbol


def of_json():
    for e in events:
        category, phase, what = e["cat"], e["ph"], e["name"]
        if phase in "Msf" or category == "taken":
            continue
        if category == "send":
            what = e["args"]["to"], f"p{e['args']['priority']}"
        elif category == "fault":
            what = e["name"], e["args"]["address"]
        elif phase == "i" and category != "brake":
            what = None
        yield phase, category, e["pid"], e["tid"], e["ts"], what


expected, found = Counter(of_lines()), Counter(of_json())
assert expected == found, (list((expected - found).items())[:3],
                           list((found - expected).items())[:3])
assert len({key[:2] for key in found}) >= 5, found
threads = {0: "priority 0", 1: "priority 1", 2: "background"}
names = {(e["pid"], e["tid"], e["name"]): e["args"]["name"] for e in events
         if e["ph"] == "M"}
nodes = x * y * z
assert names == {(node, t, "thread_name"): text for node in range(nodes)
                 for t, text in threads.items()} | {
    (node, 0, "process_name"): f"node {node} ({place(node)})" for node in range(nodes)}
