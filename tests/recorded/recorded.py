#!/usr/bin/env python3
"""recorded.py CASES: runs the commands of CASES and compares the meaning of all that
they print with what was recorded in CASES' neighbour of the ending .meaning.

recorded.py --against OLD CASES...: runs them with the tools in OLD, another build folder,
and in BUILD, and prints every difference in what they print and in the files they leave,
byte by byte.

A command is a line of CASES and the indented lines that follow it (its here-document,
say, which must end there); a line that starts with # is a comment; a file that starts with
`# needs terminals` is skipped where there are none. All commands of a file run in one folder that is empty at
first, by sh, with these functions and variables: jm, mdpas, mdpld, mdpobjdump, and $top,
the top of the tree.

The meaning of a text is its numbers, its quoted words and its words with digits, capitals or
underscores in them, in order; wording is free. After `exact` in front of the command it is
every byte, for formats that programs read. What is long is recorded as its first tokens
and a digest of all. The exit status counts too. GOLDEN=renew records anew."""
import difflib
import hashlib
import os
import pathlib
import pty
import re
import subprocess
import sys
import tempfile

TOKEN = re.compile(r"'[^'\n]*'|-?\d[\w.:+@]*|[\w.$%*/]*[A-Z\d_][\w.$%*/]*|\S+[:/]\d\S*")
SHOWN = 40  # tokens that are recorded in the clear
COMMAND_SECONDS = 900
TOOLS = """
jm() { "$build/jm" "$@"; }
mdpas() { "$build/mdpas" "$@"; }
mdpld() { "$build/mdpld" "$@"; }
mdpobjdump() { "$build/mdpobjdump" "$@"; }
"""


def commands(cases):
    """The commands of a file, each with its number of the line."""
    found = []
    for number, line in enumerate(cases.read_text().splitlines(), 1):
        if line.startswith((" ", "\t")) and found:
            found[-1][1] += "\n" + line[1:]
        elif line and not line.startswith("#"):
            found.append([number, line])
    for number, command in found:  # the shell takes one that does not end up to the end
        first, *lines = command.split("\n")
        for end in re.findall(r"<<'?([A-Z]+)", first):
            if end not in lines:
                sys.exit(f"{cases}:{number}: error: the here-document has no end '{end}'")
    return found


def output(command, folder, environment):
    """What a command prints, and its exit status."""
    ended = subprocess.run(["sh", "-c", TOOLS + command], cwd=folder, env=environment,
                           stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                           stderr=subprocess.STDOUT, timeout=COMMAND_SECONDS)
    text = ended.stdout.decode(errors="backslashreplace")
    return ended.returncode, place_names(text, folder, environment["build"])


def place_names(text, folder, build):
    """The text with names for the folders that differ between hosts and builds: whole
    names, as one tree's may begin with another's."""
    places = [(folder, "DIR"), (build, "TOP/build"), (str(pathlib.Path.cwd()), "TOP")]
    if os.path.isdir(f"{build}/../kernel"):  # another tree's
        places.append((os.path.dirname(build), "TOP"))
    for path, name in places:
        text = re.sub(re.escape(path) + r"(?![\w-])", name, text)
    return text


def meaning(status, text, exact):
    tokens = text.splitlines() if exact else TOKEN.findall(text)
    digest = hashlib.sha256("\n".join(tokens).encode()).hexdigest()[:12]
    shown = tokens[:SHOWN]
    if exact:
        shown = [line[:200] for line in tokens[:3]]
    lines = [f"status {status}"] if status else []
    lines += ["  " + " ".join(shown)] if shown and not exact else ["  " + line for line in shown]
    if len(tokens) > len(shown) or exact:
        lines.append(f"  of {len(tokens)}: {digest}")
    return "\n".join(lines)


def run_all(cases, build, folder):
    """Runs each command in folder; yields its line, itself, its status and its text."""
    environment = dict(os.environ, top=str(pathlib.Path.cwd()),
                       build=str(pathlib.Path(build).resolve()), LC_ALL="C", HOME=folder)
    for number, command in commands(cases):
        yield number, command, *output(command.removeprefix("exact "), folder, environment)


def everything(cases, build, lister):
    """All that the commands of a file print, and all files they leave: texts by name. The
    digest of the sources, which differs between builds, becomes VERSION. With a `lister`,
    a mdpobjdump, objects count by what that says."""
    version = subprocess.run([f"{build}/jm", "--version"], capture_output=True, check=True)
    digest = version.stdout.split()[-1]
    with tempfile.TemporaryDirectory() as folder:
        texts = {f"{cases}:{number}: {command}": f"status {status}\n{text}".encode()
                 for number, command, status, text in run_all(cases, build, folder)}
        for path in sorted(pathlib.Path(folder).rglob("*")):
            if path.is_file() and not path.is_symlink():
                left = path.read_bytes().decode("latin-1")
                if left.startswith('{"key"'):  # a journal: runs in the order in which they ended
                    left = "\n".join(sorted(left.split("\n")))
                if left.startswith("\x7fELF") and lister:
                    listed = [lister, "--format", "json", path]
                    left = subprocess.run(listed, capture_output=True).stdout.decode("latin-1")
                left = place_names(left, folder, str(pathlib.Path(build).resolve()))
                texts[f"{cases}: {path.relative_to(folder)}"] = left.encode("latin-1")
    return {name: text.replace(digest, b"VERSION") for name, text in texts.items()}


def compare_builds(old, new, paths):
    """Prints how two builds differ; returns whether they do."""
    for build in old, new:
        for needed in "jm", "gen/mkweb", "docs/instructions.md":
            if not os.path.exists(f"{build}/{needed}"):
                sys.exit(f"recorded.py: error: no {needed} in '{build}'; "
                         "make test-programs T=recorded builds all that is compared")
    # Objects hold the names of sources: their bytes depend on how long those are.
    lengths = {len(str(pathlib.Path(build).resolve())) for build in (old, new)}
    lister = f"{new}/mdpobjdump" if len(lengths) > 1 else None
    compared, different = 0, 0
    for cases in map(pathlib.Path, paths):
        if not can_run(cases):
            continue
        before, after = everything(cases, old, lister), everything(cases, new, lister)
        for name in {**before, **after}:
            was, now = before.get(name, b"").splitlines(), after.get(name, b"").splitlines()
            compared += 1
            if was != now:
                different += 1
                print(f"DIFFERENT: {name}")
                for line in list(difflib.diff_bytes(difflib.unified_diff, was, now,
                                                    n=0, lineterm=b""))[2:22]:
                    print("  " + line[:200].decode(errors="backslashreplace"))
    print(f"{compared} outputs and files, {different} different")
    return different > 0


def recorded(path):
    """The recorded meanings, by the first line of the command and how often it has been."""
    entries, key = {}, None
    for line in path.read_text().splitlines() if path.exists() else []:
        if line.startswith("$ "):
            key = line[2:]
            entries.setdefault(key, []).append([])
        else:
            entries[key][-1].append(line)
    return {key: ["\n".join(lines) for lines in times] for key, times in entries.items()}


def can_run(cases):
    """Whether the host has what the file's first line says that it needs."""
    if not cases.read_text().startswith("# needs terminals"):
        return True
    try:
        for end in pty.openpty():
            os.close(end)
    except OSError as error:
        print(f"skipped: {cases}: no pseudo-terminal here: {error}")
        return False
    return True


def main():
    build = os.environ.get("BUILD", "build")
    if sys.argv[1] == "--against":
        return compare_builds(sys.argv[2], build, sys.argv[3:])
    cases = pathlib.Path(sys.argv[1])
    if not can_run(cases):
        return False
    golden = cases.with_suffix(".meaning")
    expected = recorded(golden)
    failures, checks, written = 0, 0, []
    with tempfile.TemporaryDirectory() as folder:
        ran = list(run_all(cases, build, folder))
    for number, command, status, text in ran:
        got = meaning(status, text, command.startswith("exact "))
        first = command.split("\n")[0]
        written.append(f"$ {first}\n{got}")
        times = expected.get(first, [])
        wanted = times.pop(0) if times else "nothing is recorded"
        checks += 1
        if wanted != got and os.environ.get("GOLDEN") != "renew":
            failures += 1
            print(f"FAILED: {cases}:{number}: {command}\n- {wanted}\n+ {got}\n{text[:2000]}")
    if os.environ.get("GOLDEN") == "renew":
        golden.write_text("\n".join(written) + "\n")
    print(f"{checks} checks, {failures} failed")
    return failures > 0


if __name__ == "__main__":
    sys.exit(main())
