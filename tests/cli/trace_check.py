"""Reads trace events and checks what viewers rely on: time never runs backwards on a
thread, slices nest and end, flows begin once and end within a task.

Usage: trace_check.py TRACE.json; prints how many events of each phase there are."""
import json
import sys


class Tracks:
    def __init__(self):
        self.last = {}
        self.open = {}
        self.flows = {}

    def check(self, event):
        track = (event["pid"], event["tid"])
        assert event["ts"] >= self.last.get(track, 0), ("time runs backwards", event)
        self.last[track] = event["ts"]
        stack = self.open.setdefault(track, [])
        getattr(self, "on_" + event["ph"])(event, stack)

    def on_B(self, event, stack):
        assert event["name"], event
        assert not stack or event["cat"] == "stall", ("a task in a task", event)
        stack.append(event)

    def on_E(self, event, stack):
        assert stack, ("an end without a beginning", event)
        stack.pop()

    def on_X(self, event, stack):
        assert event["dur"] == 1, event

    def on_i(self, event, stack):
        assert event["cat"] in ("fault", "arrive"), event

    def on_s(self, event, stack):
        assert event["id"] not in self.flows, ("a flow begins twice", event)
        self.flows[event["id"]] = event["ts"]

    def on_f(self, event, stack):
        began = self.flows.get(event["id"])
        assert began is not None, ("a flow that did not begin, or has ended", event)
        assert began <= event["ts"], ("a flow back in time", event)
        assert stack and stack[0]["cat"] == "task", ("a flow to no task", event)
        self.flows[event["id"]] = None


tracks = Tracks()
count = {}
with open(sys.argv[1], encoding="utf-8") as file:
    events = json.load(file)["traceEvents"]
for event in events:
    count[event["ph"]] = count.get(event["ph"], 0) + 1
    if event["ph"] != "M":
        tracks.check(event)
assert not any(tracks.open.values()), "a slice has no end"
print(*(f"{phase}={count[phase]}" for phase in sorted(count)))
