"""hostile.py JM FOLDER: `jm exp report` on folders of results from strangers. Whatever
their texts and numbers are, no command runs, the page keeps its elements, and what
cannot be shown is refused with one message.

A command in one of the strings that is executed leaves a file PWNED."""
import json
import pathlib
import random
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from html.parser import HTMLParser

STRINGS = [
    "h\n!touch PWNED\n# `touch PWNED` $(touch PWNED)",
    "h'\n!touch PWNED\nsystem('touch PWNED')\n#",
    "\"; system(\"touch PWNED\"); print \"",
    "'.system('touch PWNED').'",
    "''.system(\"touch PWNED\").''\\",
    "'''.system(\"touch PWNED\").'''",
    "< touch PWNED",
    "@extra @place @thin {/Symbol=99 a}_b^c %s%n%999999d {{{css}}}{{#claims}}{{ \\",
    "</script><script>pwned()</script>]]></text></svg><script>pwned()</script><!-- ",
    "\"'><img src=x onerror=pwned()>&amp;&#10;",
    "\x1b[31mred\x07\r\n\x7f\ufffe\uffff\x85 x",
    "../../PWNED",
    "9223372036854775807",
    "nan",
]
SEEDS = 6
# Without these nothing would be drawn or shown.
STRUCTURE = set("name kind verdict outcome column series error experiment figure mesh "
                "swept".split())

jm, folder = sys.argv[1], pathlib.Path(sys.argv[2])
base, copy = folder / "base", folder / "copy"
checks = failures = 0


def check(what, good):
    global checks, failures
    checks += 1
    if not good:
        failures += 1
        print("FAILED:", what)


# ---- changed data --------------------------------------------------------------------

class All:
    """Every text of the data becomes the same string."""

    def __init__(self, text):
        self.text = text

    def value(self, key, value):
        return self.text if isinstance(value, str) and key not in STRUCTURE else value

    def field(self, field, is_head):
        is_kept = is_head or not field or field[0] == '"' or is_number(field)
        return field if is_kept else quoted(self.text)


class Some:
    """Some values of any kind, names of columns too, become others of any kind."""

    def __init__(self, seed):
        self.draw = random.Random(seed)

    def value(self, key, value):
        share = 200 if isinstance(value, (dict, list)) else 12
        if self.draw.randrange(share):
            return value
        return self.draw.choice([2**63 - 1, -2**63, 1e308, None, True, [], {},
                                 *self.draw.choices(STRINGS, k=2)])

    def field(self, field, is_head):
        if self.draw.randrange(2000 if is_head else 40):
            return field
        text = self.draw.choice(STRINGS)
        # One in 5,000 may not even be a table.
        return quoted(text) if self.draw.randrange(5000) else text


def is_number(field):
    try:
        return float(field) is not None
    except ValueError:
        return False


def quoted(text):
    """A field on one line: others are refused."""
    return '"' + text.replace('"', '""').replace("\n", " ") + '"'


def changed(choice, key, value):
    other = choice.value(key, value)
    if other is not value:
        return other
    if isinstance(value, dict):
        return {name: changed(choice, name, item) for name, item in value.items()}
    if isinstance(value, list):
        return [changed(choice, key, item) for item in value]
    return value


def changed_table(choice, text):
    rows = []
    for line in text.splitlines():
        fields = re.findall(r'(?:^|,)("[^"]*"|[^,]*)', line)
        rows.append(",".join(choice.field(field, not rows) for field in fields))
    return "\n".join(rows) + "\n"


def make_copy(choice):
    shutil.rmtree(copy, ignore_errors=True)
    copy.mkdir()
    for path in sorted(base.iterdir()):
        if path.suffix == ".json":
            root = changed(choice, "", json.loads(path.read_text()))
            (copy / path.name).write_text(json.dumps(root, indent=1, ensure_ascii=False))
        elif path.suffix == ".csv":
            (copy / path.name).write_text(changed_table(choice, path.read_text()))


# ---- pages ---------------------------------------------------------------------------

class Skeleton(HTMLParser):
    """The elements of a page and the names of their attributes; a drawing is one."""

    def __init__(self, text):
        super().__init__()
        self.rows, self.open, self.fault = [], [], None
        self.feed(text)
        self.close()
        if self.open:
            self.fault = self.fault or f"{self.open[-1]} is not closed"

    def handle_startendtag(self, tag, attributes):
        if "svg" not in self.open:
            self.rows.append((len(self.open), tag, [name for name, _ in attributes]))

    def handle_starttag(self, tag, attributes):
        self.handle_startendtag(tag, attributes)
        if tag not in ("meta", "link", "input", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.fault = self.fault or f"</{tag}> at {self.getpos()}"


def page_of(where):
    if not (where / "report.html").exists():
        return None
    page = Skeleton((where / "report.html").read_text())
    check(f"the page is well-formed: {page.fault}", not page.fault)
    return page.rows


def report(where, what, *options):
    done = subprocess.run([jm, "exp", "report", "--out", ".", *options], cwd=where,
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    check(f"{what}: a command was run", not list(folder.rglob("*PWNED*")))
    return done


# ---- the tests -----------------------------------------------------------------------

subprocess.run([jm, "exp", "run", "fig3-6", "fig4-6", "fig4-11", "fig4-14", "jam", "view",
                "calibration", "--set", "mesh=2x2x2", "--set", "L=20", "--set",
                "header_flits=0,2", "--set", "servers=8", "--set", "time=20", "--set",
                "warm_up=0", "--runs", "1", "--quiet", "--out", str(base)], check=True)
report(base, "a link", "--site", '../web"><b>')
check("links to the machine in a browser",
      'href="../web&quot;&gt;&lt;b&gt;/index.html#story=2"' in
      (base / "report.html").read_text())
page_of(base)
check("a page that is not well-formed is seen", Skeleton("<p><b></p></b>").fault)

make_copy(All("harmless"))
done = report(copy, "harmless")
check(f"harmless texts: {done}", done.returncode == 0)
harmless = page_of(copy)
for name in "report.html", "fig4-14.svg":
    check(f"texts are in {name}", "harmless" in (copy / name).read_text())
for text in STRINGS:
    make_copy(All(text))
    done = report(copy, repr(text))
    check(f"{text!r}: {done}", done.returncode == 0)
    check(f"{text!r} changes the page", page_of(copy) == harmless)
    for path in copy.glob("*.svg"):
        try:
            ElementTree.parse(path)
        except ElementTree.ParseError as error:
            check(f"{text!r} breaks {path.name}: {error}", False)

# A swept value stands in the page's data, a script on one line.
make_copy(All("harmless"))
swept = copy / "fig4-11.map.csv"
swept.write_text(re.sub(r",2$", ",2</script>", swept.read_text(), flags=re.MULTILINE))
report(copy, "a swept value")
check("a swept value changes the page", page_of(copy) == harmless)
data = re.search('<script[^<]* id="data">.*', (copy / "report.html").read_text())[0]
check("a swept value ends a script", "2" in data and data.count("<") == 2)

shown = 0
for seed in range(SEEDS):
    make_copy(Some(seed))
    done = report(copy, f"seed {seed}")
    lines = done.stderr.count("\n")
    check(f"seed {seed}: {done}", done.returncode <= 1 and lines == done.returncode)
    if done.returncode == 0:
        shown += 1
        page_of(copy)
check(f"only {shown} of {SEEDS} changed folders could be shown", shown >= 2)

# Files that are not text, or not a table as gnuplot reads it.
table = base / "fig4-14.points.csv"
kept = table.read_bytes()
for line, what, text in ((2, "this is not UTF-8 text", b"a,b\n1,\xff\n"),
                         (3, "this is not UTF-8 text", b"a,b\n1,2\n1,\x003\n"),
                         (2, "a quote is not closed", b'a,b\n1,"2\n3"\n')):
    table.write_bytes(text)
    done = report(base, what)
    check(f"{text}: {done}", done.returncode == 1 and
          f"fig4-14.points.csv:{line}: error: {what}" in done.stderr)
table.write_bytes(kept)

# Counts that add up to more than there are numbers.
claims = base / "claims.json"
claims.write_text(re.sub(r'"(in part|not|hold)": \d+', r'"\1": 9223372036854775807',
                         claims.read_text()))
check("counts that nothing adds up to", report(base, "counts").returncode == 0)
check("they are not shown",
      "922337203685477580" not in (base / "report.html").read_text())
print(f"{checks} checks, {failures} failed")
sys.exit(failures > 0)
