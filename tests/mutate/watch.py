"""Runs a command with all that it starts within a limit of processor time.

How long a command takes on the clock depends on what else the machine does, its time
on the processors hardly does. So the limit is one of processor time. A command that
waits for what never comes uses none, and is known by that. The clock alone ends a
command only long after, and says nothing about it.
"""

import glob
import os
import select
import signal
import subprocess
import tempfile
import time

IDLE_SECONDS = 60    # without processor time to speak of: it waits for ever
IDLE_SHARE = 0.005   # of a processor: a loop that polls. What computes gets more of it
PATIENCE = 10        # times the limit, on the clock: the machine is too busy to say

# How a command ended that did not end by itself.
OVERRUN, IDLE, UNDECIDED = "overrun", "idle", "undecided"


def children(pid):
    """The processes that a process has started and not yet collected."""
    found = []
    for name in glob.glob(f"/proc/{pid}/task/*/children"):
        try:
            with open(name, encoding="ascii") as file:
                found += [int(child) for child in file.read().split()]
        except (FileNotFoundError, ProcessLookupError):
            pass  # the thread has ended
    return found


def processor_seconds(pid):
    """Processor time of a process and all that it started, also what has ended."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
            fields = file.read().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return 0
    # Behind the name: utime, stime, cutime, cstime are fields 11 to 14.
    own = sum(int(field) for field in fields[11:15]) / os.sysconf("SC_CLK_TCK")
    return own + sum(processor_seconds(child) for child in children(pid))


def end_family(pid):
    """Kills a process and all that it started. A test of Criterion runs in a session of
    its own, so no process group holds them all."""
    try:
        os.kill(pid, signal.SIGSTOP)  # starts nothing new meanwhile
        for child in children(pid):
            end_family(child)
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        pass  # it has ended


def watch(pid, limit):
    """Waits for the end of a process; why it has to be ended, or None if it ended."""
    begun = marked = time.monotonic()
    used_then = 0
    ended = os.pidfd_open(pid)
    try:
        while not select.select([ended], [], [], 1)[0]:
            now, used = time.monotonic(), processor_seconds(pid)
            if used > limit:
                return OVERRUN
            if abs(used - used_then) > IDLE_SHARE * IDLE_SECONDS:
                marked, used_then = now, used
            if now - marked > IDLE_SECONDS:
                return IDLE
            if now - begun > PATIENCE * limit:
                return UNDECIDED
        return None
    finally:
        os.close(ended)


def run(command, limit, **options):
    """(status, or why it was ended; output; seconds of processor time) of a command."""
    with tempfile.TemporaryFile("w+", errors="replace") as output:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output,
                                   stderr=subprocess.STDOUT, start_new_session=True,
                                   **options)
        why = watch(process.pid, limit)
        if why:
            end_family(process.pid)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        return why or process.returncode, output.read(), usage.ru_utime + usage.ru_stime
