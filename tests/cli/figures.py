"""Recomputes the statistics of a run from its trace: figures.py STATS TRACE. Those of the
network's inside follow from others, or lie between them."""
import json
import sys
from collections import defaultdict

run = json.load(open(sys.argv[1]))
nodes, cycles, network = run["nodes"], run["cycles"], run["network"]
idle = run["stop"] == "idle"
params = run["parameters"]
sums = defaultdict(int)  # by key and node
firsts = {}
spans = []
opened, offered, arrived = [0, 0], [0, 0], [0, 0]
flying = {}  # by number: cycle of opening, words
brakes = {}


class Flight:
    def __init__(self, cycle):
        self.cycle, self.words = cycle, -1


def on_send(cycle, node, p, number, count, redirected):
    if number not in flying:
        flying[number] = Flight(cycle)
        opened[p] += 1
        offered[p] -= 1
        sums["words_out", node] -= 1
        sums["marked_out", node] += redirected.endswith("by mark")
        sums["escaped_out", node] += redirected.endswith("by escape")
    flying[number].words += count
    offered[p] += count
    sums["words_out", node] += count


def on_arrive(cycle, node, p, number):
    flight = flying.pop(number, None)
    if not flight: # it came back, and its unit sent it again
        return
    arrived[p] += 1
    spans.append(cycle - flight.cycle)
    sums["messages_in", node] += 1
    sums["messages1_in", node] += p
    sums["words_in", node] += flight.words


for line in open(sys.argv[2]):
    cycle, node, context, event, address, symbol, *rest = line.split()
    cycle, node = int(cycle), int(node)
    if event == "send":
        on_send(cycle, node, int(rest[0][1]), rest[1], int(rest[3]), " ".join(rest[4:]))
    elif event == "arrive":
        on_arrive(cycle, node, int(rest[0][1]), rest[1])
    elif event == "dispatch":
        sums["dispatches", node] += 1
    elif event == "fault":
        sums["faults", node, rest[0]] += 1
    elif event == "overflow":
        sums[["queue_overflows", "queue1_overflows"][int(rest[0][1])], node] += 1
        sums["overflows", node] += 1
        firsts.setdefault(node, cycle)
    elif event == "return":
        sums["returns_out", node] += 1
    elif event == "spill":
        sums["spilled", node] += 4
    elif event == "brake" and rest[0] == "on":
        brakes[node] = cycle
    elif event == "brake":
        sums["brake_cycles", node] += cycle - brakes.pop(node)


def check(what, found, expected):
    if found != expected:
        print(f"differs: {what}: {found}, not {expected}")


def total(key):
    return sum(node[key] for node in nodes)


def rank(count, share):
    """The share in percent of a distribution, as a place in the sorted spans."""
    return spans[-(-count * share // 100) - 1]


returns = total("returns_out") > 0
exact = ["dispatches", "queue_overflows", "queue1_overflows", "overflows",
         "returns_out", "spilled", "brake_cycles", "marked_out", "escaped_out"]
exact += [] if returns else ["words_out", "messages_in", "messages1_in"]
exact += ["words_in"] if idle and not returns else []
for node in nodes:
    for key in exact:
        check(f"{key} of {node['rank']}", node[key], sums[key, node["rank"]])
    check("faults", node["faults"], {
        key[2]: n for key, n in sums.items()
        if key[0] == "faults" and key[1] == node["rank"]} | {})
    check("first overflow", node["first_overflow"], firsts.get(node["rank"]))
if not returns:
    check("opened", network["messages_opened"], opened)
    check("offered", network["words_offered"], offered)
    check("delivered", network["messages_delivered"], arrived)
    spans.sort()
    late = network["latency"]
    check("latency", [late["count"], late["min"], late["max"]],
          [len(spans), spans[0], spans[-1]])
    for share in 50, 90, 99: # long ones are told to an eighth
        least = rank(len(spans), share)
        check(f"p{share}", least <= late[f"p{share}"] <= least * (1 + (least > 500) / 4),
              True)
    check("mean", f"{late['mean']:.6g}", f"{sum(spans) / len(spans):.6g}")
# On its way a message is not longer than from its opening on; some have waited.
late, way = network["latency"], network["transit"]
check("transit", [late["count"], True], [way["count"], way["mean"] < late["mean"]])
check("shares", [way[k] <= late[k] for k in ("min", "p50", "p90", "p99", "max")],
      [True] * 5)
# Wires: the flits that nodes have sent over them, over all wires and across the middle.
sizes = dict(zip("xyz", run["mesh"], strict=True))
for d, size in sizes.items():
    others = len(nodes) // size
    middle = sum(node["links"].get(d + "+", 0) for node in nodes
                 if node[d] == size // 2 - 1)
    middle += sum(node["links"].get(d + "-", 0) for node in nodes
                  if node[d] == size // 2)
    flits = network["flits"][d]
    check(f"bisection {d}", network["bisection_flits"][d], middle)
    for key, count, wires in (("wire_utilisation", flits, (size - 1) * others),
                              ("bisection", middle, others * (size > 1))):
        share = count / (wires * cycles) if wires else 0
        check(f"{key} {d}", f"{network[key][d]:.6g}", f"{share:.6g}")
# Flits are two a word, and the header's, which end on their way.
check("ejected", network["flits_ejected"], 2 * sum(network["words_delivered"]))
left = network["flits_injected"] - network["flits_ejected"] - network["flits_dropped"]
drained = network["words_delivered"] == network["words_offered"]
check("flits under way", left == 0, drained)
check("drained", drained or not idle, True)
if drained:
    if not returns:
        check("headers", network["flits_dropped"],
              params["header_flits"] * sum(network["messages_delivered"]))
# Cures: nothing is left over, and not all was there at once.
if idle and returns:
    check("returns", total("returns_in"), total("returns_out"))
    for node in nodes:
        check("acknowledged", node["acks_in"], node["messages_out"])
        check("came back", node["returns_in"], node["resent"])
        check("reserved", [node["rts_reserved"], node["rts_peak"] > 0], [0, True])
    check("acknowledgements", [n["acks_out"] for n in nodes],
          [n["messages_in"] for n in nodes])
for node in nodes:
    if node["spilled"] > 100:
        check("spilled", 0 < node["spill_peak"] < node["spilled"], True)
print(*(f"{key}={total(key)}" for key in exact if total(key)))
