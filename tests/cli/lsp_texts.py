#!/usr/bin/env python3
"""lsp_texts.py format SOURCE...: what mdpas --lsp makes of sources when it formats them:
formatting them again changes nothing, and they assemble to the same bytes.

lsp_texts.py edit SEED EDITS SOURCE...: edits sources at random through the server. After
each change its messages are those of mdpas for the text that the client has; at the end
a server that gets the whole text at once reports the same.

lsp_texts.py long: a document that grows beyond what the assembler takes.

lsp_texts.py nonsense SEED COUNT: requests and notifications with parameters of any kind.
Each request is answered, and the server ends well.

Prints a line that begins with FAILED: for each failure, and how much was done."""
import itertools
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "recorded"))
import lsp  # noqa: E402

MDPAS = os.path.abspath(os.environ.get("BUILD", "build") + "/mdpas")
ROOT = os.getcwd()
FOLDERS = [f"{ROOT}/kernel", os.path.abspath(os.environ.get("BUILD", "build") + "/gen")]
MESSAGE = re.compile(r"(.*?):(\d+):(\d+): (error|warning|note): (.*)")
LINE_END = re.compile(r"\r\n|\r|\n")


class Lines:
    """Where lines of a text begin, as the protocol counts."""

    def __init__(self, text):
        self.text = text
        self.starts = [0] + [end.end() for end in LINE_END.finditer(text)]

    def offset(self, position):
        line = min(position["line"], len(self.starts) - 1)
        at, units = self.starts[line], position["character"]
        while units > 0:
            units -= 2 if ord(self.text[at]) > 0xFFFF else 1
            at += 1
        return at

    def position(self, offset):
        line = max(i for i, start in enumerate(self.starts) if start <= offset)
        part = self.text[self.starts[line]:offset]
        return {"line": line, "character": len(part.encode("utf-16-le")) // 2}


def edited(text, edits):
    """A text after edits that do not overlap."""
    lines = Lines(text)
    for edit in sorted(edits, key=lambda edit: lines.offset(edit["range"]["start"]),
                       reverse=True):
        start, end = (lines.offset(edit["range"][key]) for key in ("start", "end"))
        text = text[:start] + edit["newText"] + text[end:]
    return text


def assembled(folder, text):
    """The bytes of the object of a text in a folder; None if there are errors."""
    with tempfile.NamedTemporaryFile() as out:
        ran = subprocess.run([MDPAS, *(f"-I{f}" for f in FOLDERS), "-o", out.name, "-"],
                             cwd=folder, input=text.encode(), capture_output=True)
        return out.read() if ran.returncode == 0 else None


def format_all(sources):
    client, failed, changed = lsp.Client([]), 0, 0
    client.initialize()
    for source in sources:
        text = pathlib.Path(source).read_text()
        client.open(source, text)
        parameters = {"textDocument": {"uri": lsp.uri(source)}, "options": {}}
        once = edited(text, client.request("textDocument/formatting", parameters))
        client.change(source, [{"text": once}])
        again = client.request("textDocument/formatting", parameters)
        changed += once != text
        if again:
            failed += 1
            print(f"FAILED: {source} formatted twice: {again[:2]}")
        folder = os.path.dirname(source)
        if assembled(folder, text) != assembled(folder, once):
            failed += 1
            print(f"FAILED: {source} does not assemble to the same after it is formatted")
        if text.split() != once.split() and "".join(text.split()) != "".join(once.split()):
            failed += 1
            print(f"FAILED: {source} has other words after it is formatted")
    print(f"{len(sources)} formatted, {changed} changed, {failed} failed")
    return client.end() != 0 or failed > 0


# ---- random edits ------------------------------------------------------------------

PIECES = ["\n", "\n", "\r\n", "\r", " ", "\t", ";", "\"", "'", "\\", "\\x", ",", "[", "]", ":",
          "^", "main", ".loop:", "1:", "1f", "r0", "a3", "0x", "7", "=", "add", "\u00e9",
          "\u20ac", "\U0001f600", "\ufeff", "\0", ".if 1\n", ".else\n", ".endif\n",
          ".macro m x, y=3\n", ".endm\n", "m 1, r0\n", ".rept 2\n", ".endr\n", "\\x,\\y",
          ".include \"kernel.inc\"\n", ".include \"none\"\n", ".include \"other.inc\"\n",
          ".global main\n", ".extern main\n", ".set a, 1\n", "a = a + 1\n", ".local a\n",
          "\\@", "loop\\@:", "suspend\n", ".word 1, a\n", ".warning \"w\"\n", ".data\n"]


def told(file, path, text):
    """What mdpas says of a file: (severity, line, units, text), a list for each message.
    Notes about other files count by their text."""
    path.write_bytes(text.encode())
    ran = subprocess.run([MDPAS, *(f"-I{f}" for f in FOLDERS), "-o", "/dev/null", str(path)],
                         capture_output=True)
    rows = text.encode().removeprefix("\ufeff".encode()).split(b"\n")
    messages = []
    for line in ran.stderr.decode(errors="replace").split("\n"):
        if line == f"{path}: error: too many errors":
            messages.append([("error", 0, 0, "too many errors")])
        match = MESSAGE.match(line)
        if not match or not match.group(1).endswith((".s", ".inc")):
            continue
        name, row, column, severity, said = match.groups()
        place = (severity, 0, 0, said)
        if name == str(path):
            row, column = int(row), int(column)
            before = b"\n".join(rows[:row - 1] + [rows[row - 1][:column - 1]])
            mark = "\ufeff" if text.startswith("\ufeff") else ""
            where = Lines(text).position(len(mark + before.decode(errors="replace")))
            place = (severity, where["line"], where["character"], said)
        if severity == "note":
            messages[-1].append(place)
        else:
            messages.append([place if name == str(path) else None])
    return [message for message in messages if message[0]]


def shown(file, diagnostics):
    """What the server has sent of a file, likewise, but for what is only its own."""
    messages = []
    for one in diagnostics:
        if one["message"].endswith("no part of the kernel defines it"):
            continue
        start = one["range"]["start"]
        message = [({1: "error", 2: "warning"}[one["severity"]], start["line"],
                    start["character"], one["message"])]
        for note in one["relatedInformation"]:
            where = note["location"]
            at = where["range"]["start"] if where["uri"] == lsp.uri(file) else \
                {"line": 0, "character": 0}
            message.append(("note", at["line"], at["character"], note["message"]))
        messages.append(message)
    return messages


def one_edit(client, file, text):
    """Makes one to three changes in a notification; returns the new text."""
    changes = []
    for _ in range(random.randint(1, 3)):
        lines = Lines(text)
        start = random.choice([random.randint(0, len(text)), random.choice(lines.starts)])
        end = min(len(text), start + random.choice([0, 0, 0, 1, 3, 20, 100]))
        # A position between CR and LF is none.
        start, end = (at - (text[at - 1:at + 1] == "\r\n") for at in (start, end))
        new = "".join(random.choices(PIECES, k=random.randint(0, 3)))
        changes.append({"range": {"start": lines.position(start), "end": lines.position(end)},
                        "text": new})
        text = text[:start] + new + text[end:]
    client.change(file, changes)
    return text


ASKED = [method for method in lsp.RESULTS if method.startswith("textDocument/")]


def ask_anything(client, file, text):
    """Any request at any place: the client looks at the type of the answer."""
    lines = Lines(text)
    start, end = sorted(random.randint(0, len(text)) for _ in range(2))
    client.request(random.choice(ASKED), {
        "textDocument": {"uri": lsp.uri(file)}, "position": lines.position(start),
        "range": {"start": lines.position(start), "end": lines.position(end)},
        "context": {"includeDeclaration": True, "diagnostics": []}, "options": {},
        "newName": random.choice(["name", ".name", "main", "0"])})


def tells(client, file):
    """Answers that depend on every byte of the text."""
    parameters = {"textDocument": {"uri": lsp.uri(file)}}
    return [client.request(f"textDocument/{method}", {**parameters, **more})
            for method, more in (("semanticTokens/full", {}), ("documentSymbol", {}),
                                 ("formatting", {"options": {}}), ("foldingRange", {}),
                                 ("inlayHint", {"range": {
                                     "start": lsp.position(0, 0),
                                     "end": lsp.position(10 ** 6, 0)}}))]


def edit_one(folder, source, count):
    file = str(folder / os.path.basename(source))
    text = pathlib.Path(source).read_text()
    client, last = lsp.Client([]), None
    client.initialize()
    client.open(file, text)
    for number in range(count):
        text = one_edit(client, file, text)
        sent = [params for params in client.diagnostics() if params["uri"] == lsp.uri(file)]
        last = sent[-1]["diagnostics"]
        ask_anything(client, file, text)
        expected = told(file, pathlib.Path(file), text)
        if shown(file, last) != expected:
            for got, wanted in itertools.zip_longest(shown(file, last), expected):
                if got != wanted:
                    print(f"FAILED: {source}, edit {number}: {got}, mdpas: {wanted}")
                    return True
    other = lsp.Client([])
    other.initialize()
    other.open(file, text)
    same = tells(client, file) == tells(other, file)
    if not same:
        print(f"FAILED: {source}: a server that is shown the text at once tells other things")
    return [client.end(), other.end(), same] != [0, 0, True]


# ---- nonsense ----------------------------------------------------------------------

KEYS = ["textDocument", "position", "range", "start", "end", "line", "character", "uri",
        "text", "version", "contentChanges", "context", "newName", "query", "options",
        "diagnostics", "id"]
NUMBERS = [0, 1, -1, 2 ** 31, 2 ** 63 - 1, -2 ** 63, 3.5, 1e308]
TEXTS = ["", "x", "\0", "file:///", "file://", "untitled:1", "\U0001f600", "a" * 3000]
NOTICES = ["textDocument/didOpen", "textDocument/didChange", "textDocument/didClose",
           "textDocument/didSave", "workspace/didChangeWatchedFiles", "$/cancelRequest"]


def nonsense(file, depth=0):
    """Any value of JSON."""
    kind = random.randrange(8)
    if kind < 2:
        return random.choice([NUMBERS, TEXTS + [lsp.uri(file)]][kind])
    if kind == 2 or depth == 4:
        return random.choice([None, True, False])
    if kind == 3:
        return [nonsense(file, depth + 1) for _ in range(random.randrange(4))]
    return {random.choice(KEYS): nonsense(file, depth + 1)
            for _ in range(random.randrange(6))}


def talk_nonsense(count):
    file, client = "nonsense.s", lsp.Client([])
    client.initialize()
    client.open(file, "main: move 1,r0\n.macro m a\n move \\a,r0\n.endm\n m r1\n br ^main\n")
    for _ in range(count):
        parameters = nonsense(file)
        if isinstance(parameters, dict) and random.random() < 0.6:
            parameters["textDocument"] = {"uri": lsp.uri(file)}
        if random.random() < 0.2:
            client.notify(random.choice(NOTICES), parameters)
        elif client.request(random.choice(list(lsp.RESULTS)[2:]), parameters) == {
                "error": "no answer"}:
            print(f"FAILED: no answer to {parameters}")
            return True
    status = client.end()
    print(f"{count} requests and notifications, then status {status}")
    return status != 0


def grow_too_long():
    """A document of more than 64 MiB has one message, and none when it is shorter again."""
    file, client, begin = "long.s", lsp.Client([]), {"line": 0, "character": 0}
    client.initialize()
    line = "; " + 1021 * "x" + "\n"
    client.open(file, 40 * 1024 * line + " suspend\n")
    client.diagnostics()
    told = []
    for end, text in ((0, 30 * 1024 * line), (40 * 1024, "")):
        client.change(file, [{"range": {"start": begin, "end": {**begin, "line": end}},
                              "text": text}])
        client.request("textDocument/hover", {"textDocument": {"uri": lsp.uri(file)},
                                              "position": begin})
        told += [one["message"] for params in client.diagnostics()
                 for one in params["diagnostics"] or [{"message": "none"}]]
    status = client.end()
    print(f"messages {told}, then status {status}")
    return told != [f"file is larger than {1 << 26} bytes", "none"] or status != 0


def main():
    if sys.argv[1] == "format":
        return format_all(sys.argv[2:])
    if sys.argv[1] == "long":
        return grow_too_long()
    random.seed(int(sys.argv[2]))
    if sys.argv[1] == "nonsense":
        return talk_nonsense(int(sys.argv[3]))
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "other.inc").write_text(" .equ OTHER, 1\n .warning \"other\"\n move r9,r0\n")
        for source in sys.argv[4:]:
            failed += edit_one(folder, source, int(sys.argv[3]))
    print(f"{len(sys.argv[4:])} edited, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
