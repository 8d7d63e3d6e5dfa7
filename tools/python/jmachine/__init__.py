"""The J-Machine from Python: machines, their nodes and events, and networks.

    >>> from jmachine import Machine
    >>> m = Machine("2x2x1", seed=1)
    >>> m.load("programs/greet/greet.s")
    >>> m.run()
    'exit'
    >>> m.now > 0, m.stats["overflows"]
    (True, 0)

Options of `jm run`, parameters of the machine and words of the program are given by
name; help(Machine) explains them. A word tagged INT is an integer, any other a Word.
Errors are JMachineError with the text that `jm` would print."""
from ._library import version as __version__
from .machine import Checkpoint, Event, JMachineError, Machine, Node, Word
from .network import Network

__all__ = ["Checkpoint", "Event", "JMachineError", "Machine", "Network", "Node", "Word",
           "__version__"]
