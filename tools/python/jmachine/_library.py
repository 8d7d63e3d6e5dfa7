"""The shared library, loaded by ctypes: where it is, and its functions' types."""
import ctypes
import os
import pathlib
from ctypes import (CFUNCTYPE, POINTER, c_bool, c_char_p, c_double, c_int, c_int32,
                    c_size_t, c_uint, c_uint32, c_uint64, c_void_p)

from . import _tables

_NAME = "libjm.so.1"


def _places():
    """Where to look for the library, in order: JMACHINE_LIBRARY, beside an installed
    package, in a build folder, where the system looks."""
    given = os.environ.get("JMACHINE_LIBRARY")
    if given:
        return [given]
    here = pathlib.Path(__file__).resolve().parent
    folders = [folder / "lib" for folder in here.parents] + list(here.parents)
    return [str(folder / _NAME) for folder in folders
            if (folder / _NAME).is_file()] + [_NAME]


class Word(ctypes.Structure):
    """JmWord, as C returns it."""
    _fields_ = [("bits", c_uint64)]


def _event_fields():
    """The fields of JmEvent, with the padding between them."""
    at = 0
    for name, place, size in _tables.EVENT_FIELDS + ((None, _tables.EVENT_SIZE, 0),):
        if place > at:
            yield f"_{at}", ctypes.c_char * (place - at)
        if name:
            yield name, {1: c_bool, 4: c_uint32, 8: c_uint64}[size]
        at = place + size


class EventStruct(ctypes.Structure):
    """JmEvent."""
    _pack_ = 1
    _fields_ = list(_event_fields())


assert ctypes.sizeof(EventStruct) == _tables.EVENT_SIZE

OBSERVER = CFUNCTYPE(c_bool, c_void_p, c_void_p)
OUTPUT = CFUNCTYPE(None, c_void_p, c_void_p, c_size_t)
_TEXT = POINTER(c_void_p)  # a text that the caller frees

_FUNCTIONS = {
    "jm_version": (c_char_p,),
    "jm_front_option": (c_char_p, c_uint, POINTER(c_bool)),
    "jm_front_create": (c_void_p, c_int, POINTER(c_char_p), _TEXT),
    "jm_front_load": (c_bool, c_void_p, c_char_p, c_int, POINTER(c_char_p), _TEXT),
    "jm_front_restore": (c_void_p, c_char_p, _TEXT),
    "jm_front_save": (c_bool, c_void_p, c_char_p, _TEXT),
    "jm_front_statistics": (c_void_p, c_void_p, c_int, _TEXT),
    "jm_front_explain": (c_void_p, c_void_p, _TEXT),
    "jm_front_words": (c_bool, c_void_p, c_uint, c_uint32, c_uint32, POINTER(c_uint64)),
    "jm_front_nodes": (c_bool, c_void_p, c_char_p, POINTER(c_double)),
    "jm_front_free": (None, c_void_p),
    "jm_parameter": (c_void_p, c_uint),
    "jm_destroy": (None, c_void_p),
    "jm_run": (c_int, c_void_p, c_uint64),
    "jm_now": (c_uint64, c_void_p),
    "jm_exit_value": (c_int, c_void_p),
    "jm_node_count": (c_uint, c_void_p),
    "jm_node_position": (None, c_void_p, c_uint, POINTER(c_uint), POINTER(c_uint),
                         POINTER(c_uint)),
    "jm_set_seed": (None, c_void_p, c_uint64),
    "jm_set_threads": (None, c_void_p, c_uint),
    "jm_set_output": (None, c_void_p, OUTPUT, c_void_p),
    "jm_register": (Word, c_void_p, c_uint, c_int, c_int),
    "jm_set_register": (None, c_void_p, c_uint, c_int, c_int, Word),
    "jm_running": (c_int, c_void_p, c_uint),
    "jm_read": (Word, c_void_p, c_uint, c_uint32),
    "jm_write": (None, c_void_p, c_uint, c_uint32, Word),
    "jm_write_all": (None, c_void_p, c_uint32, Word),
    "jm_is_rom": (c_bool, c_uint32),
    "jm_symbol_word": (c_bool, c_void_p, c_char_p, POINTER(c_uint32)),
    "jm_symbol_name": (c_char_p, c_void_p, c_uint),
    "jm_queue_words": (c_uint32, c_void_p, c_uint, c_uint),
    "jm_observe": (c_bool, c_void_p, c_uint32, OBSERVER, c_void_p),
    "jm_event_text": (c_char_p, c_void_p, c_void_p, c_char_p),
    "jm_checkpoint": (c_void_p, c_void_p),
    "jm_checkpoint_cycle": (c_uint64, c_void_p),
    "jm_checkpoint_free": (None, c_void_p),
    "jm_restore": (c_bool, c_void_p, c_void_p),
}


def _open():
    tried = []
    for place in _places():
        try:
            library = ctypes.CDLL(place)
        except OSError as error:
            tried.append(str(error))
            continue
        for name, (result, *arguments) in _FUNCTIONS.items():
            function = getattr(library, name)
            function.restype, function.argtypes = result, arguments
        return library
    raise ImportError(f"{_NAME} is nowhere: " + "; ".join(tried))


library = _open()
version = library.jm_version().decode()
if version.split(".")[0] != _tables.VERSION.split(".")[0]:
    raise ImportError(f"jmachine {_tables.VERSION} does not go with {_NAME} {version}")
