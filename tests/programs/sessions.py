"""sessions.py MANUAL FOLDER: does what a chapter of the manual says, in order, in FOLDER.

A block of assembly is written to ring.s. A line "    $ COMMAND" is run by the shell, with
the lines "    (jm) COMMAND" behind it as its input; the other lines up to the next blank
one are what it must answer, output and messages together, byte for byte but for blanks at
the ends of lines. Status 1 if an answer differs; then both are printed. With --renew the
answers of the file are replaced by those that came.
"""

import subprocess
import sys


def answer(command, inputs, folder):
    done = subprocess.run(command, shell=True, cwd=folder, text=True, timeout=900,
                          input="".join(line + "\n" for line in inputs),
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return [line.rstrip() for line in done.stdout.split("\n") if line.strip()]


def debugged(command, inputs, folder):
    """The answers to the commands of a session, each behind its command: what the first
    n commands answer begins what the first n + 1 do."""
    rows, known = [], answer(command, [], folder)
    for count, line in enumerate(inputs, 1):
        more = answer(command, inputs[:count], folder)
        assert more[:len(known)] == known, "a session does not begin as it did"
        rows += ["(jm) " + line] + more[len(known):]
        known = more
    return rows


def main():
    renew = "--renew" in sys.argv
    manual, folder = [word for word in sys.argv[1:] if word != "--renew"]
    with open(manual, encoding="utf-8") as file:
        lines = file.read().split("\n")
    out, at, sessions, wrong = [], 0, 0, 0
    while at < len(lines):
        line = lines[at]
        at += 1
        out.append(line)
        if line == "```asm":
            end = lines.index("```", at)
            with open(folder + "/ring.s", "w", encoding="utf-8") as file:
                file.write("\n".join(lines[at:end]) + "\n")
        if not line.startswith("    $ "):
            continue
        end = lines.index("", at)
        wanted = [row[4:].rstrip() for row in lines[at:end]]
        at = end
        command = line[6:]
        inputs = [row[5:] for row in wanted if row.startswith("(jm) ")]
        came = debugged(command, inputs, folder) if inputs else answer(command, [], folder)
        sessions += 1
        out += ["    " + row for row in (came if renew else wanted)]
        if came != wanted and not renew:
            wrong += 1
            print("FAIL", command, "answers", *came, "instead of", *wanted, sep="\n    ")
    if renew:
        with open(manual, "w", encoding="utf-8") as file:
            file.write("\n".join(out))
    print(f"{sessions} sessions of {manual}, {wrong} failed")
    sys.exit(wrong > 0 or sessions == 0)


main()
