#!/usr/bin/env python3
"""dap_checks.py FOLDER: properties of `jm dap` that a recorded session cannot show. A line
for each that does not hold. FOLDER is for files."""
import base64
import os
import pathlib
import random
import re
import sys
import time

import dap

PROGRAMS = pathlib.Path("tests/debug/programs")
FOREVER = """        .include "kernel.inc"
        .global main, ticks
main:   load    ticks,r1
        add     r1,1,r1
        store   r1,ticks
        br      ^main
        .data
ticks:  .word   INT:0
"""
checks = 0


def check(what, good):
    global checks
    checks += 1
    if not good:
        print("FAILED:", what)


def same(what, found, expected):
    check(f"{what}: {found}, not {expected}"[:400], found == expected)


def open_at_entry(program, mesh, initialize=None, environment=None, **attributes):
    client = dap.Client(**(environment or {}))
    client.begin(initialize, program=str(program), mesh=mesh, **attributes)
    return client


def cycle(client):
    return int(client.get("evaluate", expression="$cycle")["result"])


def variables(client, frame, name):
    """The variables of a scope, as pairs."""
    scopes = client.get("scopes", frameId=frame)["scopes"]
    reference = next(s["variablesReference"] for s in scopes if s["name"] == name)
    found = client.get("variables", variablesReference=reference)["variables"]
    return [(v["name"], v["value"]) for v in found]


def state(client, thread):
    """All that is shown of a thread."""
    frames = client.get("stackTrace", threadId=thread)["stackFrames"]
    scopes = client.get("scopes", frameId=frames[0]["id"])["scopes"]
    return (cycle(client), [(f["name"], f["line"]) for f in frames],
            [variables(client, frames[0]["id"], s["name"]) for s in scopes])


def stand(client, thread):
    """Where a node stands, and what its instructions alone can change. Steps forward end
    behind an instruction, steps back before one, which may be cycles later."""
    frames = client.get("stackTrace", threadId=thread)["stackFrames"]
    registers = variables(client, frames[0]["id"], "Registers")
    return (frames[0]["name"], frames[0]["line"],
            [(name, value) for name, value in registers if name != "QHL"])


def reverse_steps():
    """Steps back meet what the steps forward have met."""
    for granularity, thread, steps in (("instruction", 1, 60), ("line", 4, 40)):
        client = open_at_entry(PROGRAMS / "prog.s", "4x1x1")
        client.get("setFunctionBreakpoints", breakpoints=[{"name": f"arrive on {thread - 1}"}])
        client.move("continue", threadId=1)
        client.get("setFunctionBreakpoints", breakpoints=[])
        met = []
        for _ in range(steps):
            met.append(stand(client, thread))
            same("a step's reason", client.move("stepIn", threadId=thread,
                                                granularity=granularity)["reason"], "step")
        check("steps move the node", all(a != b for a, b in zip(met, met[1:])))
        for i, expected in enumerate(reversed(met)):
            client.move("stepBack", threadId=thread, granularity=granularity)
            same(f"{granularity} {i + 1} back", stand(client, thread), expected)
        same("status", client.end(), 0)


def stops(client, command, most=1000):
    """Where the machine stops again and again, up to its end or the beginning."""
    found = []
    while len(found) < most:
        body = client.move(command, threadId=1)
        if body is None or body["reason"] in ("entry", "exception"):
            return found
        found.append((cycle(client), body["threadId"]))
    return found


def reverse_stops():
    """Going back from stop to stop meets those met before; so does what counts hits."""
    client = open_at_entry(PROGRAMS / "prog.s", "4x1x1")
    client.get("setExceptionBreakpoints", filters=["ended"])
    client.get("setFunctionBreakpoints", breakpoints=[{"name": "arrive on 0"}])
    forward = stops(client, "continue")
    check("many stops", len(forward) > 20)
    same("stops back", stops(client, "reverseContinue"), forward[::-1])
    for text, wanted in (("7", forward[6:]), (">= 7", forward[6:]), ("> 7", forward[7:]),
                         ("== 7", forward[6:7]), ("% 7", forward[6::7])):
        client.get("setFunctionBreakpoints",
                   breakpoints=[{"name": "arrive on 0", "hitCondition": text}])
        same(f"hits {text}", stops(client, "continue"), wanted)
        client.get("setFunctionBreakpoints", breakpoints=[])
        stops(client, "reverseContinue")
        same("the beginning", cycle(client), 0)
    client.get("setFunctionBreakpoints", breakpoints=[
        {"name": "arrive on 0", "logMessage": "{$cycle}", "condition": "$cycle > 0"}])
    same("no stop for a message", stops(client, "continue"), [])
    printed = [m["body"]["output"] for m in client.told if m.get("event") == "output"]
    same("messages", printed[:-1], [f"{c}\n" for c, _ in forward])
    check("then why the machine has ended", "ended: idle" in printed[-1])
    client.end()


def while_running(folder):
    """Requests are answered while the machine runs; pause and disconnect are obeyed."""
    program = folder / "forever.s"
    program.write_text(FOREVER)
    client = open_at_entry(program, "8x8x1")
    client.told.clear()
    client.get("continue", threadId=1)
    same("threads", len(client.get("threads")["threads"]), 64)
    first = cycle(client)
    check("a frame while it runs", client.get("stackTrace", threadId=1)["stackFrames"])
    for command in ("next", "continue", "stepBack", "reverseContinue", "goto"):
        answer = client.ask(command, threadId=1, targetId=1)
        same(f"{command} while it runs", answer.get("message"), "the machine runs")
    end = time.monotonic() + 60
    while (now := cycle(client)) <= first and time.monotonic() < end:
        pass
    check("it goes on meanwhile", now > first)
    check("and does not stop", not any(m.get("event") == "stopped" for m in client.told))
    for _ in range(5):
        client.get("pause", threadId=1)
        same("the reason of a pause", client.event("stopped")["reason"], "pause")
        client.told.clear()
        client.get("continue", threadId=1)
    client.told.clear()
    client.get("setFunctionBreakpoints", breakpoints=[{"name": "main on 7"}])
    body = client.event("stopped")
    same("a stop set while it runs", (body["reason"], body["threadId"]),
         ("function breakpoint", 8))
    client.get("setFunctionBreakpoints", breakpoints=[])
    client.get("continue", threadId=1)
    client.post("step over and over")
    same("status", client.end(), 0)


def journeys(folder):
    """Long journeys show their progress if the editor knows it, and can be cancelled."""
    program = folder / "forever.s"
    for shows in (True, False):
        client = open_at_entry(program, "16x16x1", {"supportsProgressReporting": shows})
        client.get("evaluate", expression="goto 1500000", context="repl")
        client.get("setFunctionBreakpoints", breakpoints=[{"name": "main"}])
        client.move("continue", threadId=1)
        client.get("setFunctionBreakpoints", breakpoints=[])
        there = state(client, 1)
        client.told.clear()
        # at each of its many times this takes long
        client.get("setFunctionBreakpoints",
                   breakpoints=[{"name": "main", "condition": " + ".join(["$cycle"] * 50) + " < 0"}])
        if shows:
            client.post("reverseContinue", {"threadId": 1})
            body = client.event("progressStart")
            same("what is shown", body["title"], "Going back")
            check("it can be cancelled", body["cancellable"])
            client.get("cancel", progressId=body["progressId"])
        else:
            number = client.post("reverseContinue", {"threadId": 1})
            while not any(m.get("event") == "stopped" for m in client.told):
                client.get("cancel", requestId=number)
        same("cancelled", client.event("stopped")["reason"], "pause")
        same("where it was", state(client, 1), there)
        client.told.clear()
        client.post_together(("reverseContinue", {"threadId": 1}),
                             ("cancel", {"requestId": client.sequence + 1}))
        same("cancelled before it began", client.event("stopped")["reason"], "pause")
        same("where it was all the time", state(client, 1), there)
        number = client.sequence + 1
        last = client.post_together(
            ("evaluate", {"expression": "reverse-continue", "context": "repl"}),
            ("cancel", {"requestId": number}))
        client.until(lambda m: m.get("request_seq") == last)
        answer = next(m for m in client.told if m.get("request_seq") == number)
        same("a cancelled command", (answer["success"], answer["message"]), (False, "cancelled"))
        same("where it was, again", state(client, 1), there)
        names = {m.get("event") for m in client.told}
        check("progress only for who knows it", shows or not any(
            name and name.startswith("progress") for name in names))
        client.end()


def memory():
    """Bytes are those of the words; disassembly is one sequence, wherever it begins."""
    client = open_at_entry("programs/greet/greet.s", "2x2x1")
    chance = random.Random(5)
    client.get("evaluate", expression="goto 500", context="repl")
    for _ in range(40):
        node, address = chance.randrange(4), chance.choice((0x100, 0x1000)) + chance.randrange(64)
        count, skip = chance.randrange(1, 30), chance.randrange(8)
        words = b"".join(
            (int(client.get("evaluate", expression=f"tag([{a}]@{node})")["result"]) << 32 |
             int(client.get("evaluate", expression=f"data([{a}]@{node})")["result"]))
            .to_bytes(8, "little") for a in range(address, address + 5))
        body = client.get("readMemory", memoryReference=hex(node << 23 | address * 8),
                          offset=skip, count=count)
        same(f"bytes at {address:x}", base64.b64decode(body["data"]),
             words[skip:skip + count])
    whole = client.get("disassemble", memoryReference="0x800", instructionOffset=-40,
                       instructionCount=200)["instructions"]
    for i in range(0, 200, 7):
        for skip in (-30, -1, 0, 5):
            if i + skip < 0:
                continue
            part = client.get("disassemble", memoryReference=whole[i]["address"],
                              instructionOffset=skip, instructionCount=20)
            wanted = whole[i + skip:i + skip + 20]
            same(f"instructions around {i}", part["instructions"][:len(wanted)], wanted)
    client.end()


RING = """        .include "kernel.inc"
        .global main, pass, turns
main:   move    nnr,r1
        bnz     r1,^.rests
        .msg    pass,2
        move    1,r2
        send2   r2,r0,0
        move    0,r1
        sende   r1,0
.rests: goto    kernel_idle
pass:   load    turns,r1
.wait:  sub     r1,1,r1
        bnz     r1,^.wait
        load    kernel_rank,r2
        add     r2,1,r2
        and     r2,3,r2
        .msg    pass,2
        send2   r2,r0,0
        sende   [1,a3],0
        suspend
        .data
turns:  .word   INT:700
"""


def senders(folder):
    """Those who sent the messages are found one after the other as all at once, and are
    those who did: a message goes round and round over four nodes."""
    program = folder / "ring.s"
    program.write_text(RING)
    client = open_at_entry(program, "4x1x1")
    client.get("setFunctionBreakpoints", breakpoints=[{"name": "pass", "hitCondition": "14"}])
    client.move("continue", threadId=1)
    client.told.clear()
    thread = client.get("evaluate", expression="$node")["result"]
    same("node of the 14th", int(thread), 14 % 4)
    thread = int(thread) + 1
    tasks = len(client.get("stackTrace", threadId=thread)["stackFrames"])
    found = []
    while True:
        body = client.get("stackTrace", threadId=thread, startFrame=tasks + len(found), levels=1)
        if not body["stackFrames"]:
            break
        found += body["stackFrames"]
        check("more can be asked for",
              body["totalFrames"] > tasks + len(found) or len(found) == 14)
    same("senders", [int(f["name"].split()[1]) for f in found],
         [(13 - i) % 4 for i in range(13)] + [0])
    all_at_once = client.get("stackTrace", threadId=thread, startFrame=tasks + 13, levels=20)
    same("the last", all_at_once["stackFrames"], found[13:])
    part = client.get("stackTrace", threadId=thread, startFrame=tasks, levels=3)["stackFrames"]
    same("the first", part, found[:len(part)])
    client.end()


def senders_in_the_background():
    """Other requests do not wait until senders are found, and senders do not wait forever.
    The adapter's clock makes it look for requests as often as it can."""
    client = open_at_entry("programs/snakes/snakes.s", "4x4x4", queue=64,
                           environment={"TICK": "1000", "LD_PRELOAD": os.environ["PRELOAD"]},
                           set={"snakes_h": 45, "snakes_l": 100})
    client.get("setExceptionBreakpoints", filters=["QUEUE"])
    client.move("continue", threadId=1)
    thread = int(client.get("evaluate", expression="$node")["result"]) + 1
    frames = {"threadId": thread, "startFrame": 0, "levels": 20}
    wanted = client.get("stackTrace", **frames)
    check("several senders", len(wanted["stackFrames"]) > 4)

    last = client.post_together(("stackTrace", frames), ("scopes", {"frameId": 1}),
                                ("threads", None))
    client.until(lambda m: m.get("request_seq") == last - 2)
    answers = [m for m in client.told if last - 2 <= m.get("request_seq", 0) <= last]
    same("the others before", [m["request_seq"] for m in answers], [last - 1, last, last - 2])
    same("the senders", answers[-1].get("body"), wanted)
    client.told.clear()
    number = client.post("stackTrace", frames)
    asked = 0
    while not any(m.get("request_seq") == number for m in client.told) and asked < 20:
        client.get("threads")
        asked += 1
    same("the senders while others ask",
         [m["body"] for m in client.told if m.get("request_seq") == number], [wanted])
    client.end()


def queues():
    """The messages of a queue are those of the debugger's `queue`, with their words."""
    client = open_at_entry(PROGRAMS / "prog.s", "4x1x1")
    client.get("evaluate", expression="goto 500", context="repl")
    frame = client.get("stackTrace", threadId=1)["stackFrames"][0]["id"]
    scopes = client.get("scopes", frameId=frame)["scopes"]
    queue = next(s["variablesReference"] for s in scopes if s["name"] == "Queue 0")
    messages = client.get("variables", variablesReference=queue)["variables"]
    check("several messages", len(messages) > 3)
    said = client.get("evaluate", expression="queue 0", context="repl")["result"]
    same("addresses", len({m["variablesReference"] for m in messages}), len(messages))
    for i, message in enumerate(messages):
        words = client.get("variables",
                           variablesReference=message["variablesReference"])["variables"]
        same(f"words of message {i}", len(words), 3)
        address = int(words[0]["memoryReference"], 16) // 8
        check(f"message {i} in the text", f"    {address:05X} {message['value']}"
              .replace(", runs", "") in said)
        row = " ".join(w["value"].split()[0] for w in words[1:])
        check(f"its words in the text", row in said)
    client.end()


def large():
    """512 nodes are all threads; of more, those that do something."""
    for mesh, threads in (("8x8x8", 512), ("9x8x8", 1)):
        client = open_at_entry(PROGRAMS / "rests.s", mesh)
        client.get("evaluate", expression="goto 5000", context="repl")
        names = client.get("threads")["threads"]
        check(f"{len(names)} threads of {mesh}", threads <= len(names) <= threads + 1)
        client.end()


NAMES = """threadId frameId variablesReference startFrame levels start count name value
    expression context text column source breakpoints filters filterOptions line endLine
    memoryReference offset instructionOffset instructionCount data granularity targetId requestId
    progressId dataId bytes asAddress arguments condition hitCondition logMessage
    instructionReference accessType path filterId""".split()
TEXTS = ["", "main", "total", "arrive", "0x800", "$r0", "[total]", "[total]@1", "x" * 5000,
         "\u20ac\U0001F600", "a\nb", "% 3", "== 2", "{[total]} {", "AAAA", "repl", "hover",
         "0xFFFFFFFFFFFFFFFF", "stopped", "TYPE", "$r1 > 2", "goto 100", "queue all",
         "causes task 0", "instruction", "0x0010D 1 on 0", "%s%n", "\x00", "set $r1 = 3",
         str(PROGRAMS / "tag.s"), "inject 0 0 MSG(arrive,2) 1", "commands", "end", "step"]
NUMBERS = [0, 1, 2, 3, 4, -1, 100, 2**31 - 1, 2**31, 2**53, 2**63 - 1, -2**63]


def outputs(folder):
    """A line has the node that wrote it if the machine says so, not if its text looks like
    a node."""
    program = folder / "lines.s"
    program.write_text('''        .include "kernel.inc"
        .global main
main:   load    kernel_rank,r1
        bnz     r1,^.late
        print   own
        goto    kernel_idle
.late:  constant 2000,r2
.wait:  sub     r2,1,r2
        bnz     r2,^.wait
        print   other
        goto    kernel_idle
        .ext
own:    .asciz  "node 7: not here\\nnode x: neither\\n"
other:  .asciz  "late\\n"
''')
    client = open_at_entry(program, "2x1x1")
    client.get("setExceptionBreakpoints", filters=["ended"])
    client.move("continue", threadId=1)
    told = [m["body"] for m in client.told if m.get("event") == "output"
            and m["body"]["category"] == "stdout"]
    same("lines", "".join(body["output"] for body in told),
         "node 7: not here\nnode x: neither\nnode 1: late\n")
    same("their nodes", [body.get("data") for body in told],
         [None, None, {"node": 1}, {"node": 1}])
    client.end()


def anything(chance, depth=0):
    """A value of JSON."""
    kind = chance.randrange(9)
    if kind < 3:
        return chance.choice(NUMBERS)
    if kind < 6 or depth == 3:
        return chance.choice(TEXTS)
    if kind == 6:
        return chance.choice([True, False, None, 0.5, 1e300])
    if kind == 7:
        return [anything(chance, depth + 1) for _ in range(chance.randrange(4))]
    return {chance.choice(NAMES): anything(chance, depth + 1) for _ in range(chance.randrange(7))}


def hostile():
    """Any arguments are answered; the adapter goes on."""
    table = pathlib.Path("tools/jm/dap/requests.def").read_text()
    requests = [r for r in re.findall(r"^REQUEST\((\w+),", table, re.M)
                if r not in ("launch", "restart", "terminate", "disconnect")]
    check("requests", len(requests) > 30)
    for seed in range(4):
        chance = random.Random(seed)
        client = open_at_entry(PROGRAMS / "tag.s", "4x1x1")
        for _ in range(150):
            arguments = anything(chance, 0) if chance.random() < 0.1 else {
                chance.choice(NAMES): anything(chance) for _ in range(chance.randrange(7))}
            if isinstance(arguments, dict):
                arguments |= {"threadId": chance.randrange(1, 5),
                              "frameId": chance.randrange(0, 3)}
            client.post(chance.choice(requests), arguments)
        client.get("pause")
        check(f"it goes on after seed {seed}", client.ask("threads")["success"])
        same("status", client.end(), 0)


def main():
    folder = pathlib.Path(sys.argv[1])
    reverse_steps()
    reverse_stops()
    while_running(folder)
    journeys(folder)
    memory()
    senders(folder)
    if "PRELOAD" in os.environ:
        senders_in_the_background()
    queues()
    large()
    outputs(folder)
    hostile()
    print(checks, "checks")


main()
