"""Random expressions, whose values are computed here too: expressions.py JM. The debugger
prints each in every format, and has each as the condition of a breakpoint, where it is
compiled, on a machine of 3x2x5 nodes with words of all kinds. Prints what differs."""
import random
import subprocess
import sys

SIZE = X, Y, Z = 3, 2, 5
NODES = X * Y * Z
TAGS = "SYM INT BOOL ADDR IP MSG CFUT FUT TAG8 TAG9 TAGA TAGB".split()
SOURCE = """        .rom
        .org    0x1000
boot:   nop
        nop
turn:   nop
        nop
        br      ^turn
"""
BASE, WORDS = 0x200, 12
OPS = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "&": lambda a, b: a & b,
    "|": lambda a, b: a | b,
    "^": lambda a, b: a ^ b,
    "<<": lambda a, b: a << b if 0 <= b < 64 else 0,
    ">>": lambda a, b: a >> (b if 0 <= b < 64 else 63),
    "/": lambda a, b: abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1),
    "%": lambda a, b: abs(a) % abs(b) * (-1 if a < 0 else 1),
}
COMPARED = {
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
}
rng = random.Random(1)


def wrapped(n):
    return (n + 2**63) % 2**64 - 2**63


class Word:
    def __init__(self, tag, data):
        self.tag, self.data = tag, data
        self.base, self.length = data >> 10 & 0xFFFFF, data & 1023

    def number(self):
        negative = TAGS[self.tag] == "INT" and self.data >> 31
        return self.data - (negative << 32)

    def address(self):
        return self.base if TAGS[self.tag] in ("ADDR", "IP", "MSG") else self.number()

    def text(self):
        return f"{TAGS[self.tag]}:{self.data:08X}"


def some_word(tag):
    data = rng.choice([rng.getrandbits(32), rng.getrandbits(9), 2**32 - 1, 2**31, 0])
    return Word(tag, data if TAGS[tag] != "BOOL" else data & 1)


memory = [[some_word(i % len(TAGS)) for i in range(WORDS)] for _ in range(NODES)]
registers = [[some_word(rng.choice([0, 1, 1, 3, 4, 5, 7])) for _ in range(4)]
             for _ in range(NODES)]


def constant():
    n = rng.choice([rng.getrandbits(4), rng.getrandbits(20), rng.getrandbits(31)])
    return rng.choice([str(n), hex(n), bin(n)]), n


def word(own):
    """A word of memory or a register, of the own node or of another that is named."""
    node = rng.choice([own, rng.randrange(NODES), NODES - 1])
    place = f"{node % X},{node // X % Y},{node // X // Y}"
    at = "" if node == own else rng.choice([f"@{node}", f"@({place})"])
    i = rng.randrange(WORDS)
    if rng.random() < 0.3:
        return f"$r{i % 4}.b{at}", registers[node][i % 4]
    return f"[{BASE} + {i}]{at}", memory[node][i]


def called(own, depth):
    text, w = word(own)
    inner, n = number(own, depth + 1)
    x, y, z = (rng.randrange(size) for size in SIZE)
    return rng.choice([
        (f"tag({text})", w.tag), (f"data({text})", w.data),
        (f"base({text})", w.base), (f"handler({text})", w.base),
        (f"length({text})", w.length), (f"abs({inner})", wrapped(abs(n))),
        (f"rank({x},{y},{z})", x + X * (y + Y * z)),
        (f"data(route({x + X * (y + Y * z)}))", x | y << 5 | z << 10),
        (f"data(word(7, {inner}))", n % 2**32),
        (f"base(MSG({n % 2**20}, {n % 1024}))", n % 2**20),
        (f"length(ADDR({n % 2**20}, {n % 1024}))", n % 1024),
        ("$node", own), ("$nodes", NODES), ("$running", 2), ("$context", 2),
    ])


def number(own, depth=0):
    """An expression that is a number, as text, and its value."""
    kind = rng.random()
    if depth > 4 or kind < 0.15:
        return constant()
    if kind < 0.35:
        text, w = word(own)
        return f"({text} + 0)", w.address()
    if kind < 0.55:
        return called(own, depth)
    a, left = number(own, depth + 1)
    b, right = number(own, depth + 1)
    if kind < 0.62:
        return rng.choice([(f"-({a})", wrapped(-left)), (f"~({a})", ~left),
                           (f"!({a})", int(left == 0))])
    if kind < 0.7:
        return rng.choice([
            (f"(({a}) && ({b}))", int(left != 0 and right != 0)),
            (f"(({a}) || ({b}))", int(left != 0 or right != 0))])
    if kind < 0.73: # only one side is evaluated
        c, test = number(own, depth + 1)
        return rng.choice([
            (f"(({c}) ? ({a}) : ({b}))", left if test else right),
            (f"({c}) - ({c}) ? 1 / 0 : {a} ? ({b}) : 0", right if left else 0),
            (f"1 ? ({b}) : [-1]", right)])
    if kind < 0.79: # a word's zero: a constant has rules of its own there
        op = rng.choice(list(COMPARED))
        zero = f"({a}) + [{BASE + WORDS}]"
        near = rng.choice([left, left + 1, left - 1, right])
        if not -2**62 < near < 2**62:
            near = 0
        return f"({zero} {op} 0 + ({near}))", int(COMPARED[op](left, near))
    op = rng.choice(list(OPS))
    if op in ("<<", ">>"):
        b, right = rng.choice([constant(), ("31", 31), ("32", 32), ("63", 63),
                               ("64", 64), ("-1", -1)])
    if op in ("/", "%") and (right == 0 or left == -2**63):
        op = "|"
    return f"(({a}) {op} ({b}))", wrapped(OPS[op](left, right))


def grouped(bits, count):
    digits = f"{bits:0{count}b}"
    return "_".join(digits[i:i + 4] for i in range(0, count, 4))


def formats(n, bits, count):
    c = chr(n) if 32 <= n < 127 else None
    return {"dec": str(n), "hex": f"0x{bits:X}", "bin": grouped(bits, count),
            "char": f"'{c}'" if c else f"\\x{n & 255:02X}"}


def described(w):
    """A word as it is printed without symbols: what its tag makes of it."""
    d, tag = w.data, TAGS[w.tag]
    flags = ((" low", 0x200), (" U", 1 << 31), (" F", 1 << 30))
    meaning = {
        "INT": f"{w.number()}",
        "BOOL": "true" if d & 1 else "false",
        "ADDR": f"{w.base:05X} length {w.length}{' invalid' * (d >> 30 & 1)}",
        "MSG": f"no symbol, {w.length} word{'s' * (w.length != 1)}",
        "IP": ("" if d & 0x100 else "A0+") + f"{w.base:05X}"
              + "".join(name * bool(d & bit) for name, bit in flags),
    }.get(tag)
    nil = w.tag == 0 and d == 0
    return "NIL" if nil else w.text() + (f"  {meaning}" if meaning else "")


def printed():
    """Lines to print, with what they print."""
    for _ in range(400):
        node = rng.randrange(NODES)
        text, n = number(node)
        yield f"node {node}", None
        also = f"  0x{n:X}" if n >= 10 else ""
        yield f"print {text}", f"{n}{also}"
        yield "print $_ + 0 dec", str(n)
        for name, shown in formats(n, n % 2**64, 64).items():
            yield f"print {text} {name}", shown
            yield f"print/{dict(dec='d', hex='x', bin='t', char='c')[name]} {text}", shown
    for n in (sign * (1 << bits) + near for bits in (0, 8, 20, 31, 32, 40, 62)
              for sign in (-1, 1) for near in (-1, 0, 1)):
        yield f"print abs({n}) dec", str(abs(n))
        yield f"print ~({n}) dec", str(~n)
        for made in ("FUT(%d)", "TAGB(%d)", "INT(%d)", "word(8, %d)", "CFUT(%d + 0)"):
            yield f"print data({made % n}) dec", str(n % 2**32)
    for node in range(NODES):
        for i, w in enumerate(memory[node]):
            yield f"print [{BASE + i}]@{node}", described(w)
            for name, shown in formats(w.number(), w.tag << 32 | w.data, 36).items():
                yield f"print [{BASE + i}]@{node} {name}", shown
            if TAGS[w.tag] in ("ADDR", "IP", "MSG"):
                yield f"print [{BASE + i}]@{node} addr", f"{w.base:05X}"


def conditions():
    """Breakpoints that are hit, and others that are not: each is counted."""
    for _ in range(300):
        node = rng.randrange(NODES)
        text, n = number(node)
        op = rng.choice(["==", "!="])
        zero = f"[{BASE + WORDS}]"
        yield (f"break 0x1001 on {node} if ({text}) + {zero} {op} {zero} + ({n}) after 99",
               op == "==")


def image(jm, folder):
    """The program without its symbols, as a text image."""
    name = f"{folder}/turn"
    with open(f"{name}.s", "w") as file:
        file.write(SOURCE)
    done = subprocess.run([jm, "run", "--bare", "--quiet", "--cycles", "0", "--dump",
                           "0:1000:4", f"{name}.s"], text=True, capture_output=True)
    with open(f"{name}.txt", "w") as file:
        file.write("".join(f"*{row[1:]}\n" for row in done.stdout.splitlines()))
    return f"{name}.txt"


def session(jm, program, lines):
    """What the debugger says to lines, behind a row of its own each."""
    script = "".join(f"echo # {i}\n{line}\n" for i, line in enumerate(lines))
    command = [jm, "debug", "--quiet", "--no-init", "--mesh", f"{X}x{Y}x{Z}", program]
    done = subprocess.run(command, input=script, text=True, capture_output=True)
    parts = ("\n" + done.stdout).split("\n# ")[1:]
    assert len(parts) == len(lines), done.stdout[-500:] + done.stderr
    return ["\n".join(part.rstrip("\n").split("\n")[1:]) for part in parts]


def set_up():
    for node in range(NODES):
        for i, w in enumerate(memory[node]):
            yield f"set [{BASE + i}]@{node} = {w.text()}"
        yield f"set [{BASE + WORDS}]@{node} = 0"
        for i, w in enumerate(registers[node]):
            yield f"set $r{i}.b@{node} = {w.text()}"


def main():
    jm, folder = sys.argv[1:]
    program = image(jm, folder)
    first = list(set_up())
    wanted = list(printed())
    lines = first + [line for line, _ in wanted]
    said = session(jm, program, lines)[len(first):]
    for (line, text), found in zip(wanted, said, strict=True):
        if text is not None and found != text:
            print(f"differs: {line}: '{found}', not '{text}'")
    breaks = list(conditions())
    lines = first + ["cycle 2"] + [line for line, _ in breaks] + ["run 20", "info stops"]
    rows = session(jm, program, lines)[-1].split("\n")
    for (line, hit), row in zip(breaks, rows, strict=True):
        if (", 0 hits" not in row) != hit:
            print(f"differs: {line}: {row}")
    print(f"compared {len(wanted)} lines and {len(breaks)} conditions")


main()
