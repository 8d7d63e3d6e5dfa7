"""Types lines in `jm debug` on a pseudo-terminal, with some variables of the environment:
typed.py JM [NAME=VALUE]... [OPTION]... PROGRAM <LINES. Prints for each line what may
follow, and in quotes what a tab makes of it. A line that begins with ! is done instead;
one that begins with = is done, and what comes up to the next prompt is printed; @ROWS
COLUMNS is another size of the terminal."""
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


def show(person, line):
    """Does a line, prints what the terminal gets, the next prompt last."""
    person.type(line.encode() + b"\r")
    person.expect(line.encode() + b"\r\n")
    text = person.expect(b"(jm") + b"(jm" + person.expect(b")") + b")"
    print("== " + line)
    for row in text.decode().split("\r\n"):
        print("".join(c if " " <= c else "\\x%02x" % ord(c) for c in row))


def resize(person, rows, columns):
    """Gives the terminal a size, and waits until the session has drawn all that follows
    from it: a prompt of its own is not to be taken for that of a line."""
    person.resize(rows, columns)
    for mark in (b"size1", b"size2"):
        person.type(b"echo " + mark + b"\r")
        person.expect(b"\r\n" + mark + b"\r\n")
        person.expect(b"(jm")


def do(person, line, number):
    if line.startswith("!"):
        person.say(line[1:].encode(), b"(jm")
    elif line.startswith("="):
        show(person, line[1:])
    elif line.startswith("@"):
        resize(person, *map(int, line[1:].split()))
    else:
        offered, whole = complete(person, line, b"mark%d" % number)
        print("%s: %s '%s'" % (line, " ".join(offered), whole))


def main():
    jm, *options, program = sys.argv[1:]
    variables = {"TERM": "dumb", "INPUTRC": "inputrc"}
    while options and re.match("[A-Z_]+=", options[0]):
        name, value = options.pop(0).split("=", 1)
        variables[name] = value
    with open("inputrc", "w") as file:
        file.write(KEYS)
    person = Person(jm, os.getcwd(), program, "--no-init", *options, **variables)
    person.expect(b"(jm")
    resize(person, 50, 200)
    for number, line in enumerate(sys.stdin.read().splitlines()):
        do(person, line, number)
    person.end()


main()
