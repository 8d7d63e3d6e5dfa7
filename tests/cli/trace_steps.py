"""Runs the program of a trace of instructions again, from the trace alone:
trace_steps.py TRACE.txt STATS.json DUMP.txt. Every result of a plain instruction,
recomputed from the registers and words before it, must be what the trace says; words
that were written and read again must agree; at the end memory must be as DUMP has it,
and the instructions of each node as many as STATS has."""
import json
import re
import sys
from collections import Counter, defaultdict

trace, stats, dump = sys.argv[1:4]
stats = json.load(open(stats))
LINE = re.compile(r"(\d+) (\d+) ([01b]) (instruction|constant) ([0-9A-F]{5})(:low)? (\S+) "
                  r"(\S+) (.*?)(?: ; (.*))?$")
IDLE = re.compile(r"(\d+) (\d+) b idle ([0-9A-F]{5}) \S+ (\d+)$")
CONSTANTS = {"nil": "SYM:00000000", "false": "BOOL:00000000", "true": "BOOL:00000001"}
# The result of an instruction on INTs, and whether it is a BOOL.
ALU = {"add": lambda a, b: a + b, "sub": lambda a, b: a - b, "and": lambda a, b: a & b,
       "or": lambda a, b: a | b, "xor": lambda a, b: a ^ b, "lt": lambda a, b: a < b,
       "le": lambda a, b: a <= b, "ge": lambda a, b: a >= b, "gt": lambda a, b: a > b,
       "equal": lambda a, b: a == b, "nequal": lambda a, b: a != b}


def signed(word):
    data = int(word.split(":")[1], 16)
    return data - (data >> 31 << 32)


class Node:
    def __init__(self):
        self.register, self.memory = {}, {}
        self.lines = Counter()
        self.cycle = {}


nodes = defaultdict(Node)
checked = Counter()
last = -1


def value(text, node, context, reads):
    """The value of an operand before the instruction; None: not known."""
    if text in CONSTANTS:
        return CONSTANTS[text]
    if re.fullmatch(r"-?\d+", text):
        return f"INT:{int(text) & 0xFFFFFFFF:08X}"
    if text.startswith("["):
        return next(iter(reads.values()), None)
    # A dispatch writes A3.
    if re.fullmatch(r"[ra][0-3]", text) and (text != "a3" or context == "b"):
        return node.register.get((context, text))
    return None


def result(text, node, context, reads):
    """What a plain instruction writes to its last operand; None: not known."""
    name, _, operands = text.partition(" ")
    operands = re.findall(r"\[[^]]*\]|[^,]+", operands)
    values = [value(operand, node, context, reads) for operand in operands[:-1]]
    if None in values or not values:
        return None
    if name == "move":
        return values[0]
    if name not in ALU or not all(v.startswith("INT:") for v in values):
        return None
    number = ALU[name](*map(signed, values))
    if isinstance(number, bool):
        return f"BOOL:{int(number):08X}"
    return f"INT:{number & 0xFFFFFFFF:08X}"


def take(match):
    cycle, rank, context, kind, address, low, symbol, source, text, effects = match.groups()
    node = nodes[int(rank)]
    node.lines[kind] += 1
    written, words, reads = {}, {}, {}
    for effect in (effects or "").split():
        if ":" in effect and "=" not in effect:
            place, word = effect.split(":", 1)
            reads[place.strip("[]")] = word
        elif effect.startswith("["):
            place, word = effect.split("=")
            words[place.strip("[]")] = word
        else:
            register, word = effect.split("=")
            written[register] = word
    for place, word in reads.items():
        # The host and the network write too: the latter to queues, from 00800 on.
        if place in node.memory and not re.match("FFF|00[89A-F]", place):
            checked["reads"] += 1
            assert node.memory[place] == word, (match.group(0), node.memory[place])
    expected = result(text, node, context, reads) if kind == "instruction" else text
    plain = [word for name, word in written.items() if re.fullmatch("[ra][0-3]", name)]
    got = next(iter(plain or words.values()), None)
    if expected is not None and got is not None:
        checked["results"] += 1
        assert got == expected, (match.group(0), expected)
    for register, word in written.items():
        name, _, other = register.partition("'")
        assert other != context, match.group(0)
        node.register[other or context, name] = word
    node.memory.update(words)


for line in open(trace):
    match, idle = LINE.match(line), IDLE.match(line)
    assert match or idle, line
    cycle = int(line.split()[0])
    assert cycle >= last, (line, "time runs backwards")
    last = cycle
    if match:
        take(match)
    else:
        nodes[int(idle[2])].lines["idle"] += int(idle[4])

for rank, node in enumerate(stats["nodes"]):
    lines = nodes[rank].lines
    assert lines["instruction"] + lines["idle"] == node["instructions"], (rank, lines)
for row in open(dump):
    rank, address, word = row.split()
    if address in nodes[int(rank)].memory and not re.match("00[89A-F]", address):
        tag, data = nodes[int(rank)].memory[address].split(":")
        checked["dumped"] += 1
        assert int(data, 16) == int(word, 16) & 0xFFFFFFFF, (row, tag, data)
print(dict(checked))
