"""Machines and their nodes, events and checkpoints."""
import contextlib
import ctypes
import json
import operator
import threading
import time
import weakref
from ctypes import byref, c_bool, c_char_p, c_double, c_uint, c_uint32, c_uint64, c_void_p

from . import _tables
from ._library import OBSERVER, OUTPUT, EventStruct, library
from ._library import Word as _CWord

_SLICE_SECONDS = 0.05  # between looks at signals
_INT = _tables.TAGS.index("INT")
_BOOL = _tables.TAGS.index("BOOL")
_EVENT_TEXT = 1024  # JM_EVENT_TEXT_MAX
_CONTEXTS = ("0", "1", "b")


class JMachineError(Exception):
    """The error that `jm` would have printed."""


def _number(what, name, names):
    """The number of a name, or a number that has one."""
    number = names.index(name) if name in names else name
    if number not in range(len(names)) or names[number] is None:
        raise ValueError(f"there is no {what} {name!r}")
    return number


class Word(int):
    """A word of 36 bits: an integer with a tag.

    >>> Word.make("MSG", 0x800AB004)
    MSG:800AB004
    >>> Word.make("MSG", 0x800AB004).tag
    'MSG'
    """

    @classmethod
    def make(cls, tag, data):
        """Makes a word of a tag, by name or number, and 32 bits."""
        number = _number("tag", tag, _tables.TAGS)
        if not -1 << 31 <= data < 1 << 32:
            raise ValueError(f"{data} does not fit 32 bits")
        return cls(number << 32 | data & 0xFFFFFFFF)

    @property
    def tag(self):
        return _tables.TAGS[int(self) >> 32 & 0xF]

    @property
    def data(self):
        """The 32 bits, without a sign."""
        return int(self) & 0xFFFFFFFF

    def __repr__(self):
        return f"{self.tag}:{self.data:08X}"

    __str__ = __repr__


def _value(bits):
    """A word as Python has it: INT is an int, BOOL a bool, all others a Word."""
    tag, data = bits >> 32, bits & 0xFFFFFFFF
    if tag == _INT:
        return data - (data >> 31 << 32)
    return bool(data) if tag == _BOOL and data < 2 else Word(bits)


def _bits(value):
    """The word of a value: what _value() gives, and any int that fits an INT."""
    if isinstance(value, Word):
        return int(value)
    if isinstance(value, bool):
        return _BOOL << 32 | value
    if not -1 << 31 <= value < 1 << 32:
        raise ValueError(f"{value} does not fit 32 bits")
    return _INT << 32 | value & 0xFFFFFFFF


def _take(text):
    """Returns a text of the library, and frees it."""
    value = ctypes.string_at(text).decode(errors="replace") if text else "no memory"
    library.jm_front_free(text)
    return value


def _checked(function, *arguments):
    """Calls a function whose last argument receives an error's text."""
    error = c_void_p()
    result = function(*arguments, byref(error))
    if not result:
        raise JMachineError(_take(error))
    return result


def _walk(function, *arguments):
    index = 0
    while (found := function(*arguments, index)) is not None:
        yield found
        index += 1


def _options():
    """Names of options, with whether they take an argument."""
    argument = c_bool()
    names = _walk(lambda i: library.jm_front_option(i, byref(argument)))
    return {name.decode(): argument.value for name in names}


def _parameters():
    """Names of parameters: the first field of each JmParameter."""
    return {ctypes.cast(row, ctypes.POINTER(c_char_p))[0].decode()
            for row in _walk(library.jm_parameter)}


OPTIONS, PARAMETERS = _options(), _parameters()


def option_words(options):
    """Options of a command by name, as words: True is an option without argument."""
    words = []
    for name, value in options.items():
        words.append("--" + name.replace("_", "-"))
        if value is not True:
            words.append(str(value))
    return words


def _option(name, value):
    """The same for one option of `jm run`; False: not given."""
    if OPTIONS[name] == isinstance(value, bool):
        expected = "a value" if OPTIONS[name] else "True or False"
        raise ValueError(f"{name.replace('-', '_')}={value!r}: {expected} expected")
    return option_words({name: value}) if value is not False else []


def _setting(value):
    """A value of --set."""
    if isinstance(value, bool):
        value = Word.make("BOOL", value)
    return str(value)


def _words(options):
    """Splits keywords into words for the machine and words for its program. Names other
    than options and parameters are words of the program."""
    machine, program = [], []
    for key, value in options.items():
        name = key.replace("_", "-")
        if key in PARAMETERS:
            machine += ["--param", f"{key}={operator.index(value)}"]
        elif name in ("queue", "queue1", "bare"):
            program += _option(name, value)
        elif name in OPTIONS and name not in ("set", "param"):
            machine += _option(name, value)
        else:
            program += ["--set", f"{key}={_setting(value)}"]
    return machine, program


def _array(words):
    return (c_char_p * len(words))(*(word.encode() for word in words))


class Event:
    """An event of a run: kind, cycle, node, context ("0", "1" or "b"), and the
    fields of its kind: address, word, old, where, priority, fault, destination, count, message. str()
    gives its line in a trace."""

    def __init__(self, struct, text):
        self.kind = _tables.EVENTS[struct.kind]
        self.cycle, self.node = struct.cycle, struct.node
        self.context = _CONTEXTS[struct.context]
        self.address, self.where = struct.address, struct.where
        self.word, self.old = _value(struct.word), _value(struct.old)
        self.priority, self.count = struct.priority, struct.count
        self.opens, self.by_network = struct.opens, struct.by_network
        self.destination = struct.destination if struct.opens else None
        self.fault = _tables.FAULTS[struct.fault] if self.kind == "fault" else None
        self.message = struct.message
        self._text = text

    def __str__(self):
        return self._text

    def __repr__(self):
        return f"<{self._text}>"


class _Registers:
    """Registers by number."""

    def __init__(self, node, first, count):
        self._node, self._first, self._count = node, first, count

    def __len__(self):
        return self._count

    def _number(self, index):
        if not 0 <= index < self._count:
            raise IndexError(f"there are {self._count} of them, from 0")
        return self._first + index

    def __getitem__(self, index):
        return self._node.register(self._number(index))

    def __setitem__(self, index, value):
        self._node.set_register(self._number(index), value)


class Node:
    """A node: registers r[0..3], a[0..3], id[0..3] of the running context, memory by
    address or slice. A slice gives the words as they are, 64 bits each: the tag from bit
    32 on."""

    def __init__(self, machine, rank):
        self._machine, self.rank = machine, rank
        self.r = _Registers(self, 0, 4)
        self.a = _Registers(self, 4, 4)
        self.id = _Registers(self, 8, 4)

    @property
    def position(self):
        """(x, y, z)."""
        x, y, z = c_uint(), c_uint(), c_uint()
        library.jm_node_position(self._machine._handle(), self.rank, byref(x), byref(y),
                                 byref(z))
        return x.value, y.value, z.value

    @property
    def context(self):
        """The running context: "0", "1" or "b"."""
        return _CONTEXTS[library.jm_running(self._machine._handle(), self.rank)]

    @staticmethod
    def _register(name):
        return _number("register", name.upper() if isinstance(name, str) else name,
                       _tables.REGISTERS)

    def _context(self, context):
        return _number("context", self.context if context is None else context, _CONTEXTS)

    def register(self, name, context=None):
        """A register by name or number, of a context ("0", "1", "b"; None: the running
        one)."""
        return _value(library.jm_register(
            self._machine._handle(), self.rank, self._context(context),
            self._register(name)).bits)

    def set_register(self, name, value, context=None):
        with self._machine._alone() as handle:
            library.jm_set_register(handle, self.rank, self._context(context),
                                    self._register(name), _CWord(_bits(value)))

    def queue_words(self, priority=0):
        """Number of words in a queue now."""
        if priority not in (0, 1):
            raise ValueError("a priority is 0 or 1")
        return library.jm_queue_words(self._machine._handle(), self.rank, priority)

    def _range(self, place):
        start, stop, step = place.indices(1 << 20)
        if step != 1 or start > stop:
            raise IndexError("a slice of memory goes up by one")
        return start, stop - start

    def __getitem__(self, place):
        if isinstance(place, slice):
            start, count = self._range(place)
            words = (c_uint64 * count)()
            library.jm_front_words(self._machine._handle(), self.rank, start, count, words)
            return memoryview(words).cast("B").cast("Q")
        return _value(library.jm_read(self._machine._handle(), self.rank,
                                      self._address(place)).bits)

    def _address(self, place):
        if isinstance(place, str):
            return self._machine.address(place)
        if not 0 <= place < 1 << 20:
            raise IndexError(f"address {place} is not in memory")
        return place

    def __setitem__(self, place, value):
        with self._machine._alone() as handle:
            library.jm_write(handle, self.rank, self._address(place),
                             _CWord(_bits(value)))


class Checkpoint:
    """A machine's state, to which Machine.rewind() goes back."""

    def __init__(self, machine, handle):
        self._machine, self._handle = weakref.ref(machine), handle

    @property
    def cycle(self):
        return library.jm_checkpoint_cycle(self._handle)

    def __del__(self):
        library.jm_checkpoint_free(self._handle)


class Machine:
    """A machine, by its mesh and by keywords: options of `jm run` (seed, queue, queue1,
    router, threads, topology, keep_going, ...), parameters (dispatch=8, fair=1, ...), and
    words of the program that load() sets on every node (snakes_h=45).

    >>> m = Machine("4x1x1", queue=64, factorial_n=5)
    >>> m.load("programs/factorial/factorial.s")
    >>> m.run(), m.status
    ('exit', 0)
    >>> m.node(3).position
    (3, 0, 0)
    """

    def __init__(self, mesh="1x1x1", **options):
        if "topology" not in options:
            options = {"mesh": mesh, **options}
        self._machine_words, self._program_words = _words(options)
        self._kept = _array(self._machine_words)  # the library keeps these texts
        self._start(_checked(library.jm_front_create, len(self._kept), self._kept))

    def _start(self, handle):
        self._machine, self._stop, self._observed = handle, None, False
        self._lock = threading.Lock()  # held while the machine runs or is changed
        self._slice = 1000
        output = self._output = bytearray()

        # It must not refer to the machine, which would then live until a collection.
        def write(_, text, count):
            output.extend(ctypes.string_at(text, count))

        self._writer = OUTPUT(write)
        library.jm_set_output(handle, self._writer, None)

    @classmethod
    def restore(cls, path):
        """Returns a machine restored from a file of save()."""
        machine = cls.__new__(cls)
        machine._machine_words = machine._program_words = []
        machine._start(_checked(library.jm_front_restore, str(path).encode()))
        return machine

    def close(self):
        """Frees the machine's memory, as happens when the object goes."""
        if getattr(self, "_machine", None):
            with self._alone() as handle:
                library.jm_destroy(handle)
                self._machine = None

    __del__ = close

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def _handle(self):
        if self._machine is None:
            raise JMachineError("the machine is closed")
        return self._machine

    @contextlib.contextmanager
    def _alone(self):
        """Keeps other threads and callbacks from changing the machine meanwhile."""
        if not self._lock.acquire(blocking=False):
            raise JMachineError("a machine that runs cannot be changed or run")
        try:
            yield self._handle()
        finally:
            self._lock.release()

    # ---- programs ----

    def load(self, path):
        """Loads a program on all nodes, as `jm run` does: a source is assembled and linked
        with the kernel."""
        words = _array(self._machine_words + self._program_words)
        with self._alone() as handle:
            _checked(library.jm_front_load, handle, str(path).encode(), len(words), words)

    def address(self, name):
        """The address of a word of the program, by name or FILE:NAME."""
        address = c_uint32()
        if not library.jm_symbol_word(self._handle(), name.encode(), byref(address)):
            raise KeyError(name)
        return address.value

    @property
    def symbols(self):
        """Names of the words of the program."""
        return [name.decode() for name in _walk(library.jm_symbol_name, self._handle())]

    def __getitem__(self, place):
        """A word, by name or address, or a slice of words, on node 0."""
        return self.node(0)[place]

    def __setitem__(self, place, value):
        """Sets a word, by name or address, on every node."""
        with self._alone() as handle:
            library.jm_write_all(handle, self.node(0)._address(place),
                                 _CWord(_bits(value)))

    # ---- running ----

    def run(self, until=None):
        """Runs until the machine stops, or until a cycle. Returns why it stopped: "exit",
        "idle", "stopped", "deadlock", "memory", or "limit". Other threads run meanwhile,
        and Ctrl-C interrupts it."""
        with self._alone() as handle:
            return self._run(handle, (1 << 64) - 1 if until is None else until)

    def _run(self, handle, limit, found=()):
        """Runs to a stop, a cycle, or the first events found."""
        stop = "none"
        while stop in ("none", "break") and self.now < limit and not found:
            stop = self._run_slice(handle, limit)
        self._stop = "limit" if stop in ("none", "break") else stop
        return self._stop

    def _run_slice(self, handle, limit):
        """Runs for about the time between looks at signals."""
        start, now = time.monotonic(), self.now
        stop = library.jm_run(handle, min(limit, now + self._slice))
        taken = time.monotonic() - start
        if taken < _SLICE_SECONDS / 2:
            self._slice = min(self._slice * 2, 1 << 40)
        elif taken > _SLICE_SECONDS * 2:
            self._slice = max(self._slice // 2, 1)
        return _tables.STOPS[stop]

    def events(self, *kinds, until=None):
        """Runs the machine and yields its events of these kinds ("send", "arrive",
        "dispatch", "suspend", "fault", "overflow", ...), those of a cycle before the next
        begins, to the end of the run or until a cycle."""
        mask = 0
        for kind in kinds:
            if kind not in _tables.EVENTS:
                known = ", ".join(name for name in _tables.EVENTS if name)
                raise ValueError(f"no events are called {kind!r}; there are {known}")
            mask |= 1 << _tables.EVENTS.index(kind)
        if not kinds:
            raise ValueError("which events? Name their kinds")
        return self._events(mask, (1 << 64) - 1 if until is None else until)

    def _events(self, mask, limit):
        found, text = [], ctypes.create_string_buffer(_EVENT_TEXT)

        def observe(_, event):
            struct = EventStruct.from_buffer_copy(
                ctypes.string_at(event, ctypes.sizeof(EventStruct)))
            library.jm_event_text(self._machine, event, text)
            found.append(Event(struct, text.value.decode(errors="replace")))
            return True

        with self._observer(mask, OBSERVER(observe)):
            stop = "limit"
            while stop == "limit" and self.now < limit:
                with self._alone() as handle:
                    stop = self._run(handle, limit, found)
                yield from found
                found.clear()

    @contextlib.contextmanager
    def _observer(self, mask, observer):
        """Passes events of the machine to a function."""
        with self._alone() as handle:
            if self._observed:
                raise JMachineError("another loop over events of this machine has not "
                                    "ended: close() its generator")
            library.jm_observe(handle, mask, observer, None)
            self._observed = True
        try:
            yield
        finally:
            self._observed = False
            if self._machine is not None:
                library.jm_observe(self._machine, 0, OBSERVER(), None)

    # ---- state ----

    @property
    def now(self):
        """Cycles done."""
        return library.jm_now(self._handle())

    @property
    def stop(self):
        """Why the last run stopped; None: there was none."""
        return self._stop

    @property
    def status(self):
        """The program's exit status; None if it has not exited."""
        return library.jm_exit_value(self._handle()) if self._stop == "exit" else None

    @property
    def output(self):
        """What the program has written."""
        return self._output.decode(errors="replace")

    @property
    def explanation(self):
        """Why the machine stopped, in lines."""
        return _take(_checked(library.jm_front_explain, self._handle()))

    @property
    def stats(self):
        """The statistics, as `jm run --stats` writes them."""
        stop = _tables.STOPS.index(self._stop or "limit")
        return json.loads(_take(_checked(library.jm_front_statistics, self._handle(),
                                         stop)))

    def __len__(self):
        return library.jm_node_count(self._handle())

    def node(self, rank):
        """A node by rank or by (x, y, z)."""
        if isinstance(rank, tuple):
            found = [node for node in self.nodes() if node.position == rank]
            if not found:
                raise IndexError(f"there is no node at {rank}")
            return found[0]
        if not 0 <= rank < len(self):
            raise IndexError(f"there is no node {rank}; ranks go from 0 to {len(self) - 1}")
        return Node(self, rank)

    def nodes(self):
        return (Node(self, rank) for rank in range(len(self)))

    def by_node(self, key):
        """A figure of every node, by rank, as a memoryview of doubles: a key of "nodes" in
        the statistics, such as "queue_max_words"; NaN where it is not a number."""
        values = (c_double * len(self))()
        if not library.jm_front_nodes(self._handle(), key.encode(), values):
            raise KeyError(key)
        return memoryview(values).cast("B").cast("d")

    # ---- checkpoints ----

    def save(self, path):
        """Saves the machine in a file."""
        with self._alone() as handle:
            _checked(library.jm_front_save, handle, str(path).encode())

    def checkpoint(self):
        """The state, in memory."""
        with self._alone() as handle:
            kept = library.jm_checkpoint(handle)
        if not kept:
            raise JMachineError("no memory")
        return Checkpoint(self, kept)

    def rewind(self, checkpoint):
        """Goes back, or forward, to a checkpoint of this machine."""
        if checkpoint._machine() is not self:
            raise ValueError("the checkpoint is of another machine")
        with self._alone() as handle:
            if not library.jm_restore(handle, checkpoint._handle):
                raise JMachineError("no memory")
            self._stop = None

    def set_seed(self, seed):
        """Sets the seed that the program reads from now on."""
        with self._alone() as handle:
            library.jm_set_seed(handle, seed)
