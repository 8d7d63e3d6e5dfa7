"""Completes lines in `jm debug` on a pseudo-terminal: completed.py JM [OPTION]... PROGRAM
<LINES. Prints for each line what may follow, and in quotes what a tab makes of it; a
line that begins with ! is done instead."""
import os
import re
import sys

from terminal import Person

KEYS = """set bell-style none
set completion-display-width 0
set completion-query-items -1
set page-completions off
set enable-bracketed-paste off
"\\C-o": possible-completions
"\\C-t": redraw-current-line
"""
REDRAWN = re.compile(r"\r {50,}\r\(jm [^)]*\) ([^\r\x08]*)")


def complete(person, line, mark):
    """Returns the list of completions, and the line after a tab."""
    person.type(b"\x15" + line.encode() + b"\x0f\t\x14\x15echo " + mark + b"\r")
    text = person.expect(b"\r\n" + mark).decode()
    person.expect(b"(jm")
    offered = text.split("\r\n")[1:]
    return [word for word in offered if "(jm" not in word], REDRAWN.findall(text)[-1]


def main():
    jm, *options, program = sys.argv[1:]
    with open("inputrc", "w") as file:
        file.write(KEYS)
    person = Person(jm, os.getcwd(), program, "--no-init", *options, term="dumb",
                    inputrc="inputrc")
    person.resize(50, 200)
    person.expect(b"(jm")
    for number, line in enumerate(sys.stdin.read().splitlines()):
        if line.startswith("!"):
            person.say(line[1:].encode(), b"(jm")
        else:
            offered, whole = complete(person, line, b"mark%d" % number)
            print("%s: %s '%s'" % (line, " ".join(offered), whole))
    person.end()


main()
