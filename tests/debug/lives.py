"""Recomputes messages, queues, tasks, lives, wires and latencies from a trace of the
same run: lives.py TRACE OUTPUT, of programs/corners.s on 3x2x2 nodes. Prints what
differs, and at the end what was compared."""
import re
import sys

X, Y = 3, 2
CORNER = 11
# words of a message by its priority and destination
WORDS = {(0, 0): 3, (1, 0): 7, (0, CORNER): 9, (1, CORNER): 2}
TURNS = 3
seen = {}


def check(kind, what, found, expected):
    seen[kind] = seen.get(kind, 0) + 1
    if found != expected:
        print(f"differs: {kind} {what}: {found}, not {expected}")


def position(rank):
    return rank % X, rank // X % Y, rank // X // Y


def rank(text):
    x, y, z = (int(n) for n in text.split(","))
    return x + X * (y + Y * z)


def routing_word(node):
    x, y, z = position(node)
    return x | y << 5 | z << 10


def route(source, destination):
    """The nodes from one to the other: X first, then Y, then Z."""
    at, to, way = list(position(source)), position(destination), [source]
    for d in range(3):
        while at[d] != to[d]:
            at[d] += 1 if at[d] < to[d] else -1
            way.append(at[0] + X * (at[1] + Y * at[2]))
    return way


class Message:
    def __init__(self, number, cycle, node, priority, destination):
        self.number, self.opened, self.source = number, cycle, node
        self.priority, self.destination = priority, destination
        self.key = priority, destination
        self.sends, self.arrive, self.begin, self.end = [], None, None, None

    def offered(self, now):
        return sum(n for c, n in self.sends if c < now) - 1

    def payload(self):
        pair = f"INT:{routing_word(self.source):08X} INT:{self.turn:08X}".split()
        return pair[1:] if self.key == (1, CORNER) else pair * (WORDS[self.key] // 2)


def read_trace(name):
    flying, queues, messages, counts, tasks = {}, {}, [], {}, {}
    for line in open(name):
        cycle, node, context, kind, *rest = line.split()
        cycle, node = int(cycle), int(node)
        if kind == "fault":
            continue
        if kind in ("send", "arrive"):
            priority, number = int(rest[2][1:]), int(rest[3][1:])
        if kind == "send":
            if number not in flying:
                to = 0 if rest[4] == "INT:00000000" else CORNER
                m = flying[number] = Message(number, cycle, node, priority, to)
                messages.append(m)
                same = node, m.key
                counts[same] = counts.get(same, 0) + 1
                m.turn = TURNS + 1 - counts[same]
            flying[number].sends.append((cycle, int(rest[5])))
        elif kind == "arrive":
            m = flying.pop(number)
            m.arrive = cycle
            queues.setdefault((node, priority), []).append(m)
        else:
            tasks.setdefault((node, int(context), kind), []).append(cycle)
    for place, queue in queues.items():
        for m, begin, end in zip(queue, tasks[*place, "dispatch"],
                                 tasks[*place, "suspend"], strict=True):
            m.begin, m.end = begin, end
    return messages, queues


messages, queues = read_trace(sys.argv[1])


def before(cycle, now):
    return cycle is not None and cycle < now


def rows(words):
    return (words + 3) // 4 * 4


def check_messages(now, block):
    """Returns how many words of each have been delivered, by number."""
    row = re.compile(
        r"^(\d+): p(\d) (\S+) -> (\S+), sent in cycle (\d+), (\d+) ago; (\d+)(\+?) "
        r"words?, (\d+) delivered\n((?:    .*\n)*)", re.M)
    found, holds, waits, delivered = {}, {}, [], {}
    for n, p, a, b, cycle, ago, words, more, done, rest in row.findall(block):
        number = int(n)
        found[number] = (int(p), rank(a), rank(b), int(cycle), int(ago), int(words),
                         not more)
        delivered[number] = int(done)
        where = re.search(r"    in (?!the )([\s\S]*)", rest)
        if not where:
            continue
        path, _, ahead = where.group(1).partition(" -> ")
        path, *why = path.strip().split(", ")
        places = [re.match(r"\s*(\d,\d,\d) (.*)", s) for s in path.split(";")]
        for place in places:
            for channel in place.group(2).split():
                last = f"{place.group(1)} p{p} {channel}"
                holds.setdefault(last, set()).add(number)
        if why and why[0].startswith("behind message "):
            waits.append((last, int(why[0].split()[2])))
        way, on = route(rank(a), rank(b)), [rank(s.group(1)) for s in places]
        start = way.index(on[0])
        check("paths", f"of {n} in {now}", on, way[start:start + len(on)])
        held = re.match(r"(.*), held by message (\d+)", ahead)
        if held:
            waits.append((held.group(1), int(held.group(2))))
    expected = {
        m.number: (m.priority, m.source, m.destination, m.opened, now - m.opened,
                   m.offered(now), m.offered(now) == WORDS[m.key])
        for m in messages if m.opened < now and not before(m.arrive, now)}
    for number in set(found) | set(expected):
        check("messages", f"{number} in {now}", found.get(number), expected.get(number))
    for channel, by in waits:
        check("holders", f"{channel} of {by} in {now}", by in holds.get(channel, ()),
              True)
    return delivered


def check_queue(now, node, priority, block, delivered):
    queue = [m for m in queues.get((node, priority), []) if not before(m.end, now)]
    whole = [m for m in queue if m.arrive < now]
    coming = [m for m in queue if m.opened < now <= m.arrive
              and delivered.get(m.number)]
    part = delivered[coming[0].number] if coming else 0
    head = re.search(r"  queue \d: (\d+) of (\d+) words.*", block)
    words = sum(rows(WORDS[m.key]) for m in whole) + part // 4 * 4
    check("lengths", f"{node} p{priority} in {now}", int(head.group(1)), words)
    check("active", f"{node} p{priority} in {now}", "a task is active" in head.group(0),
          any(before(m.begin, now) for m in queue))
    row = re.search(r"    (\d+) words? of the next row", block)
    check("rows", f"{node} p{priority} in {now}", int(row.group(1)) if row else 0,
          part % 4)
    items = re.findall(r"    \w{5} MSG:\w+  (\w+), (\d+) words(, runs)?(, arriving)?"
                       r"(?:;|\n)\s*age (\d+), sent (\d+) ago by node (\d+)\n"
                       r"((?:          ?INT.*\n)*)", block)
    listed = whole + [m for m in coming if part >= 4]
    check("listed", f"{node} p{priority} in {now}", len(items), len(listed))
    last = 0
    for m, item in zip(listed, items):
        name, length, runs, arriving, age, ago, source, text = item
        what = f"{m.number} at {node} p{priority} in {now}"
        payload = m.payload()
        if arriving:
            payload = payload[:part // 4 * 4 - 1]
        check("items", what,
              (name, int(length), bool(runs), bool(arriving), int(ago), int(source),
               text.split()),
              ("quick" if priority else "slow", WORDS[m.key], before(m.begin, now),
               m in coming, now - m.opened, m.source, payload))
        placed = now - int(age)
        if WORDS[m.key] <= 4:
            check("ages", what, placed, m.arrive)
        else:  # its first row comes before its last
            check("ages", what, max(last, m.opened) < placed < m.arrive, True)
        last = m.arrive


def check_backtrace(now, node, block):
    """Frames of tasks, the most urgent first, then the background."""
    expected = []
    for priority in (1, 0):
        expected += [(m.begin, m.arrive, m.opened, m.source)
                     for m in queues.get((node, priority), [])
                     if before(m.begin, now) and not before(m.end, now)]
    found = re.findall(
        r"the task began in cycle (\d+) with .*\n  which had arrived whole in cycle "
        r"(\d+)\n  and was sent in cycle (\d+) by node (\d+) ", block)
    check("frames", f"{node} in {now}", [tuple(map(int, f)) for f in found], expected)
    names = re.findall(r"^#\d+  (?:the |.* )?(task of priority \d|background)", block,
                       re.M)
    tasks = [p for p in (1, 0)
             if any(before(m.begin, now) and not before(m.end, now)
                    for m in queues.get((node, p), []))]
    if tasks:
        check("orders", f"{node} in {now}", names,
              [f"task of priority {p}" for p in tasks] + ["background"])


def check_life(now, m, block):
    what = f"{m.number} from {m.opened} in {now}"

    def cycles(text):
        return [int(c) for c in re.findall(rf"^ *(\d+)  {text}", block, re.M)]

    check("opens", what, re.findall(r"(\d+)  node (\d+) .* opens it", block),
          [(str(m.opened), str(m.source))])
    short = WORDS[m.key] <= 4
    placed = cycles(rf"(?:arrives whole|begins to arrive) in queue {m.priority} of node "
                    rf"{m.destination} ")
    whole = re.findall(r"(\d+)  has arrived whole, (\d+) cycles", block)
    if before(m.arrive, now):
        if short:
            check("arrivals", what, placed, [m.arrive])
        else:
            check("arrivals", what, whole, [(str(m.arrive), str(m.arrive - m.opened))])
        queue = queues[m.destination, m.priority]
        ahead = [o for o in queue if o.arrive < m.arrive
                 and not before(o.end, placed[0] + 1)]
        told = re.search(r", behind (\d+) message", block)
        check("ahead", what, int(told.group(1)) if told else 0, len(ahead))
    begin = m.begin if before(m.begin, now) else None
    dispatched = re.findall(r"(\d+)  node (\d+) .* dispatches it after (\d+) cycle",
                            block)
    check("begins", what, dispatched,
          [] if begin is None else
          [(str(begin), str(m.destination), str(begin - placed[0]))])
    ends = re.findall(r"(\d+)  node (\d+) .* suspends, (\d+) cycles after", block)
    check("ends", what, ends,
          [(str(m.end), str(m.destination), str(m.end - m.begin))]
          if before(m.end, now) else [])
    path = []
    for heads in re.findall(r"  head: (.*)", block):
        path += [rank(s) for s in re.findall(r"\d,\d,\d", heads)]
    way = route(m.source, m.destination)
    once = [n for i, n in enumerate(path) if not i or n != path[i - 1]]
    check("ways", what, once, way if before(m.arrive, now) else way[:len(once)])
    after = cycles("waits") + cycles("head:")
    for start, wait, there in re.findall(r"^ *(\d+)  waits (\d+) cycles? in (.*)", block,
                                         re.M):
        end = int(start) + int(wait)
        check("waits", what, end in after or end + 1 in after, True)
        held = re.search(r": (\S+) p(\d) \S+ is held by message (\d+)", there)
        if held:
            other = next(o for o in messages if o.number == int(held.group(3))
                         and o.opened < end <= o.arrive)
            check("others", f"{other.number} before {what}",
                  (other.priority, rank(held.group(1)) in
                   route(other.source, other.destination)),
                  (int(held.group(2)), True))


def check_wires(now, block):
    """Of a network at rest: each wire carries two flits a word and those of the
    dimensions that are left."""
    flits = {}
    for m in messages:
        way = route(m.source, m.destination)
        for a, b in zip(way, way[1:]):
            d = next(i for i in range(3) if position(a)[i] != position(b)[i])
            sign = "+" if b > a else "-"
            key = a, sign + "XYZ"[d]
            flits[key] = flits.get(key, 0) + 2 * WORDS[m.key] + 3 - d
    for node, row in re.findall(r"^node (\d+) \(.*\):(.*)", block, re.M):
        for name, count in re.findall(r"  (\S\S) (\d+)", row):
            check("wires", f"{node} {name}", int(count), flits.get((int(node), name), 0))


def check_latency(now, block):
    spans = sorted(m.arrive - m.opened for m in messages if before(m.arrive, now))
    found = re.search(r"latency: mean (\S+), median (\d+), 99 % below (\d+), at most "
                      r"(\d+)", block)
    mean, median, most, longest = found.groups()
    count = len(spans)
    check("latencies", now, (mean, int(median), int(most), int(longest)),
          (f"{sum(spans) / count:.1f}", spans[(count + 1) // 2 - 1],
           spans[-(-99 * count // 100) - 1], spans[-1]))
    opened = sum(m.opened < now for m in messages)
    check("totals", now, re.search(r"(\d+) of (\d+) messages", block).groups(),
          (str(count), str(opened)))


parts = re.split(r"^# (.*)\n", open(sys.argv[2]).read(), flags=re.M)
delivered = {}
for title, block in zip(parts[1::2], parts[2::2]):
    kind, now, *rest = title.split()
    now, rest = int(now), [int(n) for n in rest]
    if kind == "messages":
        delivered = check_messages(now, block)
    elif kind == "queue":
        for p, text in enumerate(re.split(r"^(?=  queue 1)", block, flags=re.M)):
            check_queue(now, rest[0], p, text, delivered)
    elif kind == "backtrace":
        check_backtrace(now, rest[0], block)
    elif kind == "life":
        number, opened = rest
        m = next(m for m in messages if m.number == number and m.opened == opened)
        check_life(now, m, block)
    elif kind == "wires":
        check_wires(now, block)
    elif kind == "latency":
        check_latency(now, block)
print(" ".join(f"{key}={count}" for key, count in sorted(seen.items())))
