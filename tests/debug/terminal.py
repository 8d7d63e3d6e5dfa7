"""Drives `jm debug` through a pseudo-terminal as a person would: terminal.py JM FOLDER.
Prompts, completion, history, Ctrl-C, a resize, a pager; exits with 1 and a message if
something unexpected comes."""
import fcntl
import os
import pty
import select
import signal
import struct
import sys
import termios
import time

PROMPT = b"(jm "


class Person:
    def __init__(self, jm, folder, program, *options, **variables):
        self.text = b""
        environment = dict(os.environ, HOME=folder, TERM="xterm", PAGER="cat",
                           INPUTRC="/dev/null")
        for name in ("XDG_STATE_HOME", "XDG_CONFIG_HOME", "NO_COLOR"):
            environment.pop(name, None)
        environment.update(variables)
        self.child, self.terminal = pty.fork()
        if self.child == 0:
            os.execve(jm, [jm, "debug", "--quiet", *options, program], environment)
        self.resize(24, 80)

    def resize(self, rows, columns):
        size = struct.pack("HHHH", rows, columns, 0, 0)
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, size)

    def type(self, text):
        os.write(self.terminal, text)

    def expect(self, wanted, seconds=120):
        """Reads up to `wanted`; what came before it is returned and forgotten."""
        end = time.monotonic() + seconds
        while wanted not in self.text:
            left = end - time.monotonic()
            if left <= 0 or not select.select([self.terminal], [], [], left)[0]:
                sys.exit("expected %r, got %r" % (wanted, self.text[-2000:]))
            try:
                piece = os.read(self.terminal, 65536)
            except OSError:
                piece = b""
            if not piece:
                sys.exit("the end, expected %r, got %r" % (wanted, self.text[-2000:]))
            self.text += piece
        before, self.text = self.text.split(wanted, 1)
        return before

    def say(self, line, wanted):
        self.type(line + b"\r")
        self.expect(wanted)

    def interrupt(self):
        """Ctrl-C, until the run ends that a line which was typed begins at some time."""
        for _ in range(120):
            time.sleep(0.2)
            self.type(b"\x03")
            while select.select([self.terminal], [], [], 0.8)[0]:
                self.text += os.read(self.terminal, 65536)
                if b": interrupted" in self.text:
                    self.expect(b": interrupted")
                    return
        sys.exit("Ctrl-C does not end a run")

    def end(self, number=0):
        """Ends the session by `quit`, or by a signal."""
        if number:
            os.kill(self.child, number)
        else:
            self.type(b"quit\r")
        wanted = 128 + number if number else 0
        end = time.monotonic() + 60
        while time.monotonic() < end:
            if select.select([self.terminal], [], [], 0.05)[0]:
                try:
                    os.read(self.terminal, 65536)
                except OSError:
                    pass
            done, status = os.waitpid(self.child, os.WNOHANG)
            if done:
                if not os.WIFEXITED(status) or os.WEXITSTATUS(status) != wanted:
                    sys.exit("status %d" % status)
                return
        os.kill(self.child, signal.SIGKILL)
        sys.exit("quit does not end it")


def main():
    jm, folder = sys.argv[1:]
    with open(os.path.join(folder, "endless.s"), "w") as source:
        source.write("        .include \"kernel.inc\"\n        .global main, loop\n"
                     "main:   move    0,r1\nloop:   add     r1,1,r1\n"
                     "        and     r1,7,r1\n        br      ^loop\n")
    program = os.path.join(folder, "endless.s")

    person = Person(jm, folder, program, "--mesh", "2x1x1")
    person.expect(PROMPT)
    person.type(b"regi\t")                  # completion of a command
    person.expect(b"registers")
    person.say(b"", b"background, runs")
    person.expect(PROMPT)
    person.type(b"break mai\t\r")           # of a symbol
    person.expect(b"stop 1: break at")
    person.expect(PROMPT)
    person.type(b"where \t\t")               # of nodes
    person.expect(b"0    1    all")
    person.type(b"\x15source tests/debug/ter\t")    # of files
    person.expect(b"terminal.py")
    person.type(b"\x15")
    person.say(b"continue", b"stop 1")
    person.expect(PROMPT)
    person.say(b"delete", PROMPT)
    person.say(b"picture", b"\x1b[")        # colours on a terminal
    person.expect(PROMPT)
    person.type(b"continue\r")
    person.expect(b"continue\r\n")
    person.interrupt()                      # Ctrl-C stops the machine
    person.expect(PROMPT)
    person.type(b"print 1 + \x03")          # and drops a line
    person.say(b"print 6 * 7", b"42")
    person.expect(PROMPT)
    for rows, columns in ((5, 20), (1, 1), (100, 300), (24, 80)):
        person.resize(rows, columns)
        person.say(b"where all", b"node 1 (1,0,0)")
        person.expect(b"(jm")
    person.say(b"help", b"quit")            # longer than the terminal: the pager
    person.expect(PROMPT)
    person.say(b"!echo re''ady; read a; echo got $a", b"ready")  # it has the terminal
    person.say(b"four words of text", b"got four words of text")
    person.expect(PROMPT)
    person.type(b"!echo s''leeping; sleep 60\r")      # and Ctrl-C
    person.expect(b"sleeping")
    person.type(b"\x03")
    person.expect(b"the shell ended with status 130")
    person.expect(PROMPT)
    person.say(b"source /nowhere", b"No such file")
    person.expect(PROMPT)
    person.end()

    person = Person(jm, folder, program)    # another day: the history is there
    person.expect(PROMPT)
    person.type(b"\x12")                    # search it backwards
    person.type(b"6 * 7")
    person.say(b"", b"42")
    person.expect(PROMPT)
    person.type(b"\x04")                    # the end of input
    person.end()

    trace = os.path.join(folder, "trace")
    for number in (signal.SIGHUP, signal.SIGTERM, signal.SIGQUIT):
        person = Person(jm, folder, program)   # a signal ends it in order
        person.expect(PROMPT)
        person.say(b"trace " + trace.encode(), PROMPT)
        person.say(b"run 2000", PROMPT)
        person.type(b"print 1 + ")          # a line begun
        person.end(number)
        if not os.path.exists(trace):
            sys.exit("signal %d: no trace" % number)
        os.remove(trace)
    print("a person's session")


if __name__ == "__main__":
    main()
