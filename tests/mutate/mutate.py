#!/usr/bin/env python3
"""Plants one small fault at a time and asks whether the tests notice.

A mutant is one line of one source file changed by one operator. It is built in a copy
of the tree, and the tests of its room (rooms.tsv) run until one fails. A mutant that
does not compile, or whose objects equal the original's, is no mutant and is replaced by
another. Survivors that change nothing anyone could see are listed, with the reason, in
equivalent.tsv. README.md says more.
"""

import argparse
import collections
import filecmp
import glob
import hashlib
import multiprocessing
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import threading

import watch

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(os.path.dirname(HERE))
OPTIMISE = "-O2 -DJM_TAIL_CALLS"

# Operators: (name, what is found, what stands there instead: text, a function of the
# groups that were found, or "+1" for the next number). A line can match an operator in
# several places; each place is a candidate of its own.
C_OPERATORS = [
    ("bound", r"(?<![<>=\-])<(?![<=])(?= ?[\w(*&-])", "<="),
    ("bound", r"(?<![<>=\-])>(?![>=])(?= ?[\w(*&-])", ">="),
    ("bound", r"<=(?!=)", "<"),
    ("bound", r"(?<!>)>=(?!=)", ">"),
    ("equal", r"==", "!="),
    ("equal", r"!=", "=="),
    ("logic", r"&&", "||"),
    ("logic", r"\|\|", "&&"),
    ("logic", r"\bif \((.*)\)( \{)?$", lambda group: f"if (!({group(1)})){group(2)}"),
    ("not", r"(?<=[ (])!(?=[\w(])", ""),
    ("sign", r"(?<=[\w)\]]) \+ (?=[\w(])", " - "),
    ("sign", r"(?<=[\w)\]]) - (?=[\w(])", " + "),
    ("sign", r"\+=", "-="),
    ("sign", r"-=", "+="),
    ("step", r"\+\+", "--"),
    ("shift", r"(?<=[\w)\]]) << (?=[\w(])", " >> "),
    ("shift", r"(?<=[\w)\]]) >> (?=[\w(])", " << "),
    ("bits", r"(?<=[\w)\]]) & (?=[\w(~])", " | "),
    ("bits", r"(?<=[\w)\]]) \| (?=[\w(])", " & "),
    ("bits", r"\|=", "="),
    ("bits", r"&= ~", "|= "),
    ("factor", r"(?<=[\w)\]]) \* (?=[\w(])", " / "),
    ("factor", r"(?<=[\w)\]]) % (?=[\w(])", " / "),
    ("constant", r"(?<![\w.\"'])0(?![\w.])", "1"),
    ("constant", r"(?<![\w.\"'])1u?(?![\w.])", "2"),
    ("constant", r"(?<![\w.\"'])([2-9]|[1-9]\d+)(?=u?l?l?\b)(?!\.)", "+1"),
    ("truth", r"\btrue\b", "false"),
    ("truth", r"\bfalse\b", "true"),
    ("drop", r"^\s+[a-z_]\w*(->\w+|\.\w+|\[\w+\])* [-+|&^]?= [^;]*;$", "; // "),
    ("drop", r"^\s+(?!va_end\(|(\w+_)?(free|decref)\()[a-z_]\w*\([^;]*\);$", "; // "),
    ("drop", r"^\s+(break|continue|return);$", "; // "),
]
ASM_OPERATORS = [
    ("branch", r"\bbz\b", "bnz"),
    ("branch", r"\bbnz\b", "bz"),
    ("branch", r"\bbt\b", "bf"),
    ("branch", r"\bbf\b", "bt"),
    ("branch", r"\bbnil\b", "bnnil"),
    ("branch", r"\bbnnil\b", "bnil"),
    ("bound", r"\blt\b", "le"),
    ("bound", r"\ble\b", "lt"),
    ("bound", r"\bgt\b", "ge"),
    ("bound", r"\bge\b", "gt"),
    ("equal", r"\bequal\b", "nequal"),
    ("equal", r"\beq\b", "neq"),
    ("sign", r"\badd\b", "sub"),
    ("sign", r"\bsub\b", "add"),
    ("bits", r"\band\b", "or"),
    ("bits", r"\bor\b", "and"),
    ("constant", r"(?<=[\s,\[])([0-9]+)(?=[\s,\]]|$)", "+1"),
    ("drop", r"^\s+(move|store|load|add|sub|and|or|send|enter)\b[^;]*", "nop ; "),
]

# Code of C in which a change is no fault: (operators, code). Outside the sanitizers
# nobody notices a few bytes more or less; the elements of an array have one size; to a
# sort every positive number is the same.
HARMLESS = [
    ({"constant", "sign"}, r".*alloc\(.*"),
    ({"constant"}, r"\bchar \w+\[\d+\](, \w+\[\d+\])*"),
    ({"constant"}, r"\bsizeof \w+\[\d+\]"),
    ({"constant"}, r"\? -1 : 1\b"),
]


def is_harmless(name, code, place):
    """Whether an operator at a place of a line of C makes no fault."""
    return any(name in names and any(m.start() <= place < m.end()
                                     for m in re.finditer(pattern, code))
               for names, pattern in HARMLESS)


def code_of(line):
    """The part of a line that is code: strings blanked, comments cut off."""
    line = re.sub(r'"(\\.|[^"\\])*"', lambda m: '"' + "_" * (len(m[0]) - 2) + '"', line)
    line = re.sub(r"'(\\.|[^'\\])+'", lambda m: "_" * len(m[0]), line)
    line = re.sub(r"/\*.*?\*/", lambda m: " " * len(m[0]), line)
    return re.sub(r"(//|/\*).*", "", line)


def c_lines(text):
    """(index, code) of lines of C that can hold a fault: bodies, no declarations."""
    in_comment = in_body = in_macro = False
    for index, line in enumerate(text):
        if in_comment:
            in_comment = "*/" not in line
            continue
        code = code_of(line)
        if "/*" in line and "*/" not in line:
            in_comment = True
        if in_macro or line.startswith("#"):
            in_macro = line.endswith("\\")
            continue
        if line.startswith("}"):
            in_body = False
        if in_body and not re.search(r"\bassert|_Static_assert|^\s*case\b", code):
            yield index, code
        if re.match(r"^(?!struct|union|enum|typedef).*\) ?\{$", line):
            in_body = True
        elif re.match(r"^\s+.*\) \{$", line) and not in_body:
            in_body = True


def asm_lines(text):
    """(index, code) of lines of MDP assembly."""
    for index, line in enumerate(text):
        code = line.split(";")[0]
        if code.strip() and not code.lstrip().startswith("."):
            yield index, code


def candidates(path):
    """Every mutant of a file: (path, line number, operator, new line)."""
    with open(os.path.join(TOP, path), encoding="utf-8") as file:
        text = file.read().split("\n")
    assembly = path.endswith((".s", ".inc"))
    lines = asm_lines if assembly else c_lines
    operators = ASM_OPERATORS if assembly else C_OPERATORS
    for index, code in lines(text):
        line = text[index]
        for name, pattern, instead in operators:
            for match in re.finditer(pattern, code.rstrip()):
                if not assembly and is_harmless(name, code, match.start()):
                    continue
                # What was found has its strings blanked, the line has them.
                new = (instead(lambda n: line[slice(*match.span(n))])
                       if callable(instead) else instead)
                if instead == "+1":
                    new = str(int(match[0]) + 1)
                if name == "drop":  # what is dropped stays readable, as a comment
                    dropped = line[match.start():match.end()].strip()
                    new = re.match(r"\s*", line)[0] + new.lstrip() + dropped
                changed = line[: match.start()] + new + line[match.end():]
                if changed != line:
                    yield path, index + 1, name, changed


def choose(paths, seed):
    """Candidates in random order, each file as likely as any other."""
    rng = random.Random(seed)
    by_file = {path: list(candidates(path)) for path in paths}
    for mutants in by_file.values():
        rng.shuffle(mutants)
    while any(by_file.values()):
        yield by_file[rng.choice([p for p in sorted(by_file) if by_file[p]])].pop()


class Tree:
    """A copy of the project, built, in which one line at a time is changed."""

    def __init__(self, folder, tests):
        self.folder = folder
        self.tests = tests
        self.noticed = collections.Counter()  # (source, test): mutants it noticed
        names = subprocess.run(
            ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
            cwd=TOP, check=True, capture_output=True, text=True).stdout.split("\n")
        self.copy({name for name in names if os.path.isfile(os.path.join(TOP, name))})

    def copy(self, names):
        """Makes the sources of the tree those of the project. What was built stays, for
        most of it is up to date; a copy is new, so that make sees what has changed."""
        for name in names:
            source, target = os.path.join(TOP, name), os.path.join(self.folder, name)
            if not os.path.exists(target) or not filecmp.cmp(source, target, False):
                os.makedirs(os.path.dirname(target), exist_ok=True)
                shutil.copy(source, target)
        for place, folders, files in os.walk(self.folder):
            if place == self.folder:
                folders[:] = [name for name in folders if name != "build"]
            for file in (os.path.join(place, file) for file in files):
                if os.path.relpath(file, self.folder) not in names:
                    os.remove(file)

    def run(self, command, limit):
        """How a command ended, its output, and its seconds of processor time."""
        return watch.run(command, limit, cwd=self.folder,
                         env=dict(os.environ, BUILD="build", CRITERION_FAIL_FAST="1",
                                  CHECK_FAIL_FAST="1"))

    def build(self, target="test-programs"):
        """Builds a program, or all that the tests need."""
        command = ["make", target, f"OPT={OPTIMISE}",
                   "T=" + " ".join(self.tests)]
        command.append("CC=" + os.environ.get("CC", "gcc"))
        return self.run(command, 900)[:2]

    def objects(self):
        """A fingerprint of all objects, the kernel's and programs' included."""
        found = hashlib.sha256()
        for pattern in ("obj/**/*.o", "kernel/*.o", "programs/**/*.o"):
            path = os.path.join(self.folder, "build", pattern)
            names = glob.glob(path, recursive=True)
            for name in sorted(names):
                with open(name, "rb") as file:
                    found.update(hashlib.sha256(file.read()).digest())
        return found.hexdigest()

    def measure(self, tests):
        """Builds the tree as it is and runs some tests: the time that each takes."""
        status, output = self.build()
        if status != 0:
            sys.exit(f"mutate: the tree does not build:\n{output[-2000:]}")
        self.original = self.objects()
        seconds = {}
        for test in tests:
            status, output, used = self.run(["tools/runtests.sh", test], 1800)
            if status != 0:
                sys.exit(f"mutate: {test} fails without a fault:\n{output[-2000:]}")
            seconds[test] = used
        return seconds

    def order(self, seconds):
        """Takes over the time that each test takes; the quick scripts come first."""
        self.seconds = seconds
        scripts = [test for test in self.tests if test.endswith(".sh")]
        self.tests = ([test for test in self.tests if test not in scripts] +
                      sorted(scripts, key=self.seconds.get))

    def judge(self, mutant):
        """What became of a mutant: (verdict, test), verdict None if it is none."""
        path, number, _, changed = mutant
        full = os.path.join(self.folder, path)
        with open(full, encoding="utf-8") as file:
            original = file.read()
        text = original.split("\n")
        text[number - 1] = changed
        with open(full, "w", encoding="utf-8") as file:
            file.write("\n".join(text))
        try:
            verdict, test = self.verdict(path)
            self.noticed[path, test] += 1
            return verdict, os.path.basename(test)
        finally:
            with open(full, "w", encoding="utf-8") as file:
                file.write(original)

    def verdict(self, path):
        """Tests with the fault planted; those that noticed others in the same source
        come first. Programs of tests are built when it is their turn, everything before
        the first script. Those whose objects are the original's need not run."""
        differs = everything = undecided = False
        for test in sorted(self.tests, key=lambda test: -self.noticed[path, test]):
            if not everything:
                everything = test.endswith(".sh")
                status, output = self.build(
                    "test-programs" if everything else f"build/test-{test}")
                if re.search(r"\.(c|h|def):\d+:\d+: (fatal )?error", output):
                    return None, ""
                if status == watch.UNDECIDED:
                    return "undecided", ""
                if status != 0:
                    return "caught", "build"
                differs = differs or self.objects() != self.original
            if differs:
                fails = self.fails(test)
                if fails:
                    return "caught", test
                undecided = undecided or fails is None
        if not differs:
            return None, ""
        return "undecided" if undecided else "survived", ""

    def fails(self, test):
        """Whether a test fails, waits for ever or takes much more processor time than
        it should; None if the machine was too busy to say."""
        limit = 20 + 3 * self.seconds[test]
        for _ in range(3):
            end = self.run(["tools/runtests.sh", test], limit)[0]
            if end != watch.UNDECIDED:
                return end != 0
        return None


def rooms():
    """The table of rooms: name -> (paths, tests)."""
    table = {}
    with open(os.path.join(HERE, "rooms.tsv"), encoding="utf-8") as file:
        for line in file:
            if line.strip() and not line.startswith("#"):
                name, sources, tests = line.rstrip("\n").split("\t")
                table[name] = (expand(sources.split()), expand(tests.split()))
    return table


def expand(patterns):
    """Names for patterns, sorted within each; a word without a wildcard is itself."""
    names = []
    for pattern in patterns:
        found = glob.glob(pattern, root_dir=TOP, recursive=True)
        names += sorted(found) if "*" in pattern else [pattern]
    return names


def equivalents():
    """Mutants known to change nothing: {(path, new line without blanks)}."""
    known = set()
    with open(os.path.join(HERE, "equivalent.tsv"), encoding="utf-8") as file:
        for line in file:
            if line.strip() and not line.startswith("#"):
                path, changed, _ = line.rstrip("\n").split("\t")
                known.add((path, changed.strip()))
    return known


def work(number, options, tests, shared, queue, answers):
    """One worker: measures its share of the tests, waits for what the others measured,
    and judges mutants from the queue until it gets None."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    seconds, measured = shared
    tree = Tree(os.path.join(options.work, str(number)), tests)
    try:
        seconds.update(tree.measure(tests[number::options.jobs]))
        measured.wait()
    except threading.BrokenBarrierError:
        return  # another has said why
    except BaseException:
        measured.abort()
        raise
    tree.order(dict(seconds))
    for mutant in iter(queue.get, None):
        answers.put((mutant, tree.judge(mutant)))


def arguments():
    parser = argparse.ArgumentParser(
        description="Plants faults, one at a time, and runs the tests of their room.")
    parser.add_argument("rooms", nargs="*", help="rooms to mutate (all without a name)")
    parser.add_argument("--file", action="append", default=[],
                        help="mutate this file only, with the tests of the rooms named")
    parser.add_argument("--count", type=int, default=20, help="mutants a room (20)")
    parser.add_argument("--seed", type=int, default=1, help="choice of mutants (1)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(),
                        help="trees at once")
    parser.add_argument("--list", action="store_true", help="list rooms and candidates")
    parser.add_argument("--work", default=os.path.join(TOP, "build", "mutate"),
                        help="folder for the trees (build/mutate)")
    return parser.parse_args()


def report(room, mutant, verdict, test):
    path, number, operator, changed = mutant
    print("\t".join([room, verdict, test or "-", f"{path}:{number}", operator,
                     changed.strip()]), flush=True)


def mutate_room(name, paths, tests, options):
    """Judges a room's mutants; (caught, survived)."""
    known = equivalents()
    chosen = (m for m in choose(paths, f"{options.seed} {name}")
              if (m[0], m[3].strip()) not in known)
    queue, answers = multiprocessing.Queue(), multiprocessing.Queue()
    shared = multiprocessing.Manager().dict(), multiprocessing.Barrier(options.jobs)
    workers = [multiprocessing.Process(
        target=work, args=(n, options, tests, shared, queue, answers))
        for n in range(options.jobs)]
    for worker in workers:
        worker.start()
    counts = {"caught": 0, "survived": 0}
    waiting = 0
    while True:
        while waiting < options.jobs and sum(counts.values()) + waiting < options.count:
            mutant = next(chosen, None)
            if mutant is None:
                break
            queue.put(mutant)
            waiting += 1
        if waiting == 0:
            break
        try:
            mutant, (verdict, test) = answers.get(timeout=5)
        except Exception:
            if not any(worker.is_alive() for worker in workers):
                sys.exit(1)
            continue
        waiting -= 1
        if verdict:
            report(name, mutant, verdict, test)
        if verdict in counts:
            counts[verdict] += 1
    for worker in workers:
        queue.put(None)
    for worker in workers:
        worker.join()
    return counts["caught"], counts["survived"]


def main():
    options = arguments()
    table = rooms()
    unknown = [name for name in options.rooms if name not in table]
    if unknown:
        sys.exit(f"mutate: no room {unknown[0]}; rooms: {' '.join(table)}")
    sleepy = 0
    for name in options.rooms or table:
        paths, tests = table[name]
        paths = options.file or paths
        if options.list:
            print(f"{name}\t{len(paths)} files\t"
                  f"{sum(len(list(candidates(p))) for p in paths)} candidates")
            continue
        caught, survived = mutate_room(name, paths, tests, options)
        print(f"{name}: {caught} of {caught + survived} caught", flush=True)
        sleepy += caught < 9 * survived
    return 1 if sleepy else 0


if __name__ == "__main__":
    sys.exit(main())
