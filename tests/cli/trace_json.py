"""Checks what viewers rely on in traces in JSON: trace_json.py JSON...
Every event has its members; time never runs backwards on a thread; slices nest and end;
a flow begins once, inside a slice, and ends at most once, later, inside a task or where
its message is taken out of a queue, on the node that its beginning names. Prints the
number of events of each phase, and of unfinished flows.

trace_json.py --same TEXT XxYxZ END JSON: TEXT is the trace of the same run as lines of
text, which ended in cycle END; every event of the lines is there, with all its fields."""
import json
import sys
from collections import Counter, defaultdict


def once(pairs):
    assert len(dict(pairs)) == len(pairs), ("a key twice", pairs)
    return dict(pairs)


def names_of(events):
    return {(e["pid"], e["tid"], e["name"]): e["args"]["name"] for e in events
            if e["ph"] == "M"}


class Thread:
    """A context of a node, which is a process."""

    def __init__(self):
        self.last, self.slices, self.complete = 0, [], None

    def is_in(self, event, category):
        """Whether the last complete slice is of a category and covers the event."""
        return (self.complete is not None and self.complete["cat"] == category
                and self.complete["ts"] == event["ts"])

    def put_slice(self, event):
        if event["ph"] == "B":
            assert not self.slices or event["cat"] == "stall", "a task in a task"
            assert len(self.slices) < 2, "too deep"
            self.slices.append(event)
        else:
            assert self.slices, "an end without a beginning"
            begun = self.slices.pop()
            assert [begun["name"], begun["cat"]] == [event["name"], event["cat"]]

    def put_complete(self, event):
        if event["tid"] < 3:
            assert event["dur"] == 1, "a duration"
        else:  # a thread of instructions has nothing but slices one after the other
            last = self.complete
            assert not last or last["ts"] + last["dur"] <= event["ts"], "two at a time"
            assert not self.slices, "an instruction in a slice"
        self.complete = event


class Flows:
    def __init__(self, names):
        self.names, self.begun = names, {}  # begun: None where it has ended

    def put(self, thread, event):
        flow = event["id"]
        if event["ph"] == "s":
            assert flow not in self.begun, "a flow begins twice"
            assert thread.is_in(event, "send"), "a flow from no slice"
            self.begun[flow] = event["ts"], thread.complete["args"]["to"]
            return
        since, to = self.begun[flow]
        self.begun[flow] = None
        node = event["pid"]
        assert since <= event["ts"], "a flow ends before it begins"
        assert self.names[node, 0, "process_name"] == f"node {node} ({to})", "elsewhere"
        assert (thread.slices and thread.slices[0]["cat"] == "task"
                or thread.is_in(event, "taken")), "a flow to no task"
        assert event["bp"] == "e", "a flow that ends at the next slice"


def check_rules(events):
    threads, count, flows = defaultdict(Thread), Counter(), Flows(names_of(events))
    for event in events:
        phase, thread = event["ph"], threads[event["pid"], event["tid"]]
        count[phase] += 1
        assert event["name"] and event["cat"] and event["tid"] in range(6), event
        if phase == "M":
            continue
        assert event["ts"] >= thread.last, (event, "time runs backwards")
        thread.last = event["ts"]
        if phase in "BE":
            thread.put_slice(event)
        elif phase == "X":
            thread.put_complete(event)
        elif phase in "sf":
            flows.put(thread, event)
        else:
            assert phase == "i" and event["s"] == "t", event
    assert not any(thread.slices for thread in threads.values()), "a slice has no end"
    print(*(f"{phase}={n}" for phase, n in sorted(count.items())),
          f"unended={sum(flow is not None for flow in flows.begun.values())}")


def to(word):
    data = int(word.split(":")[1], 16)
    return "%d,%d,%d" % (data & 31, data >> 5 & 31, data >> 10 & 63)


def of_lines(lines, end):
    """What the lines say, as (phase, category, node, thread, cycle, what)."""
    tasks, stalled, opened = {}, set(), set()
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
            tasks[key] = symbol
            yield "B", "task", node, thread, cycle, symbol
        elif event == "suspend" and key in tasks:
            yield "E", "task", node, thread, cycle, tasks.pop(key)
        elif event in ("arrive", "overflow", "return", "spill"):
            opened.discard(rest[1] if event in ("arrive", "return") else None)
            yield "i", event, node, int(rest[0][1]), cycle, None
        elif event == "brake":
            said = "brake on" if rest[-1] == "on" else "input open"
            yield "i", event, node, 0, cycle, said
    for node, thread in stalled:
        yield "E", "stall", node, thread, end, "SEND waits"
    for (node, thread), symbol in tasks.items():
        yield "E", "task", node, thread, end, symbol


def of_json(events):
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


def compare(events, text, mesh, end):
    lines = [line.split() for line in open(text)]
    expected, found = Counter(of_lines(lines, int(end))), Counter(of_json(events))
    assert expected == found, (list((expected - found).items())[:3],
                               list((found - expected).items())[:3])
    assert len({key[:2] for key in found}) >= 5, found
    x, y, z = map(int, mesh.split("x"))
    wanted = {}
    for node in range(x * y * z):
        place = f"({node % x},{node // x % y},{node // x // y})"
        wanted[node, 0, "process_name"] = f"node {node} {place}"
        for thread, text in enumerate(("priority 0", "priority 1", "background")):
            wanted[node, thread, "thread_name"] = text
    assert names_of(events) == wanted


def main():
    same = sys.argv[2:5] if sys.argv[1] == "--same" else []
    for path in sys.argv[5:] if same else sys.argv[1:]:
        try:
            trace = json.load(open(path), object_pairs_hook=once)
            check_rules(trace["traceEvents"])
            if same:
                compare(trace["traceEvents"], *same)
        except (AssertionError, KeyError, TypeError) as error:
            sys.exit(f"{path}: {error!r}")


main()
