"""Compares mdpobjdump --format json with its text and with what a run executes:
objdump_json.py JSON FOLDER, where FOLDER has symbols, relocs, words and lines as printed
by -t, -r, -s and -l, and for an image perhaps trace, of instructions."""
import json
import pathlib
import re
import sys

(top,) = json.load(open(sys.argv[1]))
folder = pathlib.Path(sys.argv[2])
image = top["kind"] == "image"
start = {s["name"]: s["address"] or 0 for s in top["sections"]}


def rows(part, columns):
    for line in (folder / part).read_text().splitlines():
        match = re.match(columns, line)
        if match:
            yield match.groups()


# Symbols: value, scope, section, name, place.
shown = set()
for value, scope, section, name, place in rows(
        "symbols", r"(\S+) +(local|global) +(\S+) +(\S+)(?:  ; (\S+))?$"):
    number = None
    if section == "*absolute*":
        number = int(value)
    elif section != "*undefined*":
        number = int(value, 16)
    shown.add((name, number, scope == "global", place))
own = set()
for s in top["symbols"]:
    number = None if s["kind"] == "undefined" else s["value"]
    own.add((s["name"], number, s["global"],
             f"{s['file']}:{s['line']}" if "file" in s else None))
assert shown == own and own, shown ^ own

# Relocations and assertions.
shown = [(int(offset, 16), kind, section, symbol, int(addend or 0), place)
         for offset, kind, section, symbol, addend, place in rows(
             "relocs", r"([0-9A-F]{5}) +([A-Z]\S+) +(\S+), (\S+?)([+-]\d+)?(?:  ; (\S+))?$")]
own = [(r["offset"], r["type"], r["section"], r["symbol"], r["addend"],
        f"{r['file']}:{r['line']}" if "file" in r else None) for r in top["relocations"]]
assert shown == own, list(zip(shown, own))[:3]
shown = [tuple(row) for row in rows("relocs", r"(.*) (<|<=|==|!=|>=|>) (-?\d+), (.*)  ; (\S+)$")]
own = [(a["compare"], str(a["number"]), a["text"], f"{a['file']}:{a['line']}",
        sorted(a["plus"]), sorted(a["minus"])) for a in top["assertions"]]
terms = [re.findall(r"(- |\+ |-|^)([\w.]+)", row[0]) for row in shown]
assert [(*row[1:], sorted(n for sign, n in found if "-" not in sign),
         sorted(n for sign, n in found if "-" in sign))
        for row, found in zip(shown, terms)] == own, (shown, own)

# Words, in the order of sections and addresses.
words = [w for s in top["disassembly"] for w in s["words"]]
shown = []
for line in (folder / "words").read_text().splitlines():
    match = re.match(r"([0-9A-F]{5}) ((?: [0-9A-F]{9})+)$", line)
    for i, word in enumerate(match[2].split() if match else ()):
        shown.append((int(match[1], 16) + i, word))
assert shown == [(w["address"], w["word"]) for w in words], "words"
for w in words:
    code = int(w["word"], 16) >> 34 == 3
    assert code == ("instructions" in w) == ("value" not in w), w
    if not code:
        assert int(w["value"].split(":")[1], 16) == int(w["word"], 16) & 0xFFFFFFFF, w

# Labels: every symbol that is at a word.
labels = {(w["address"], name) for s in top["disassembly"] for w in s["words"]
          for name in w["labels"]}
for s in top["symbols"]:
    if s["kind"] == "word":
        at = s["value"] + (0 if image else start[s["section"]])
        ends = not any(w["address"] == at for d in top["disassembly"]
                       if d["section"] == s["section"] for w in d["words"])
        assert ends or (at, s["name"]) in labels, s

# The instructions that a run executes.
executed = 0
if (folder / "trace").exists():
    at = {w["address"]: w for w in words}
    for line in (folder / "trace").read_text().splitlines():
        fields = line.split(" ; ")[0].split(" ", 7)
        if fields[3] not in ("instruction", "constant"):
            continue
        address, _, low = fields[4].partition(":")
        place, _, text = " ".join(fields[6:]).partition(" ")
        w = at[int(address, 16)]
        row = w["instructions"][low == "low"] if "instructions" in w else w
        assert row.get("text", row.get("value")) == text, (line, w)
        assert f"{row['file']}:{row['line']}" == place, (line, w)
        executed += 1
    assert executed > 100, executed
