"""Networks alone, under abstract loads: what `jm net run` does."""
import json
import os
import pathlib
import shutil
import subprocess

from .machine import JMachineError, option_words

_UNSETTLED = 3  # exit status of a run that has not settled


def _program():
    """The program `jm`: JMACHINE_JM, beside an installed package, in a build folder, or
    on the path."""
    given = os.environ.get("JMACHINE_JM")
    here = pathlib.Path(__file__).resolve().parent
    places = [folder / "bin" / "jm" for folder in here.parents]
    places += [folder / "jm" for folder in here.parents]
    found = [str(place) for place in places
             if place.is_file() and os.access(place, os.X_OK)]
    return given or (found[0] if found else shutil.which("jm") or "jm")


class Network:
    """A network of `jm net`, such as Network("torus=8x8,lanes=2"); parameters of the
    network by name.

    >>> n = Network("torus=4x4,lanes=2")
    >>> r = n.run("pattern=uniform,rate=0.01,length=12", cycles=20000)
    >>> r["state"], r["cycles"]
    ('settled', 20000)
    """

    def __init__(self, topology, **parameters):
        self.topology = topology
        self.parameters = parameters

    def run(self, workload, **options):
        """Loads the network (cycles, warm_up, seed, batches, backlog as options) and
        returns what `jm net run --json` prints. Its "state" says whether the run has
        settled."""
        words = [_program(), "net", "run", "--json", "--quiet", "--topology",
                 self.topology, "--workload", workload]
        for name, value in self.parameters.items():
            words += ["--param", f"{name}={value}"]
        words += option_words(options)
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        if done.returncode not in (0, _UNSETTLED):
            raise JMachineError(done.stderr.strip())
        return json.loads(done.stdout)
