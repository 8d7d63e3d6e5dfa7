"""The Python package against the commands of jm: statistics, traces, saved machines,
networks, errors, memory. Needs JM, the program, and PYTHONPATH."""
import doctest
import gc
import json
import math
import multiprocessing
import os
import pathlib
import resource
import signal
import subprocess
import tempfile
import threading
import time
import unittest

import jmachine
import jmachine.machine
import jmachine.network
from jmachine import JMachineError, Machine, Network, Word

JM = os.environ["JM"]
SNAKES = "programs/snakes/snakes.s"


def jm(*words, status=(0,)):
    done = subprocess.run([JM, *map(str, words)], capture_output=True, text=True, check=False)
    assert done.returncode in status, done.stderr
    return done.stdout


def snakes(**options):
    machine = Machine("4x4x2", seed=3, queue=64, snakes_h=50, snakes_l=40, **options)
    machine.load(SNAKES)
    return machine


def snakes_words(*more):
    return ("--quiet", "--mesh", "4x4x2", "--seed", 3, "--queue", 64, "--set",
            "snakes_h=50", "--set", "snakes_l=40", *more, SNAKES)


def run_one(seed):
    """For a pool of processes."""
    machine = Machine("2x2x2", seed=seed, snakes_l=20)
    machine.load(SNAKES)
    return machine.run(), machine.now


class Results(unittest.TestCase):
    def setUp(self):
        self.wanted = json.loads(self.statistics())

    @staticmethod
    def statistics(*more):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "s.json"
            jm("run", "--stats", path, *snakes_words(*more))
            return path.read_text()

    def test_statistics(self):
        machine = snakes()
        self.assertIsNone(machine.stop)
        self.assertEqual(machine.run(), "exit")
        self.assertEqual(machine.stats, self.wanted)
        self.assertEqual((machine.now, machine.status), (self.wanted["cycles"], 0))
        self.assertGreater(self.wanted["overflows"], 0)
        self.assertEqual(machine.output, jm("run", *snakes_words()))

    def test_watched_in_slices_with_threads(self):
        machine = snakes(threads=2)
        for until in range(0, 3000, 7):
            self.assertEqual(machine.run(until), "limit")
            self.assertEqual(machine.now, until)
        faults = sum(1 for event in machine.events("fault", "arrive") if event.kind == "fault")
        self.assertGreater(faults, 0)
        self.assertEqual(machine.stop, "exit")
        self.assertEqual(machine.stats, self.wanted)

    def test_parameters(self):
        machine = snakes(dispatch=9, router="fair", keep_going=True, no_host=False, queue1=64)
        machine.run()
        wanted = json.loads(self.statistics("--param", "dispatch=9", "--router", "fair",
                                            "--keep-going", "--queue1", 64))
        self.assertEqual(machine["kernel_queue1"], 64)
        self.assertEqual(machine.stats, wanted)
        self.assertNotEqual(wanted["cycles"], self.wanted["cycles"])

    def test_events_are_the_trace(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "t"
            jm("run", "--trace", path, "--trace-kinds", "send,arrive,fault,overflow",
               *snakes_words())
            lines = path.read_text().splitlines()
        events = list(snakes().events("send", "arrive", "fault", "overflow"))
        self.assertEqual([str(event) for event in events], lines)
        for event, line in zip(events, lines):
            cycle, node, context, kind = line.split()[:4]
            self.assertEqual((event.cycle, event.node, event.kind),
                             (int(cycle), int(node), kind))
            self.assertEqual(event.context, context)
        sends = [event for event in events if event.opens]
        self.assertEqual({event.destination for event in sends}, set(range(32)))
        faults = {event.fault for event in events if event.kind == "fault"}
        self.assertIn("QUEUE", faults)
        self.assertEqual({event.fault for event in events if event.kind != "fault"}, {None})

    def test_events_end_early(self):
        machine = snakes()
        for event in machine.events("arrive"):
            break
        self.assertEqual(machine.now, event.cycle + 1)
        for event in machine.events("send", until=2000):
            self.assertLess(event.cycle, 2000)
        self.assertEqual((machine.stop, machine.now), ("limit", 2000))
        self.assertEqual(machine.run(), "exit")
        self.assertEqual(machine.stats, self.wanted)

    def test_states(self):
        machine = snakes()
        machine.run(4000)
        kept = machine.checkpoint()
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "m.jms"
            machine.save(path)
            other = Machine.restore(path)
        machine.run()
        self.assertEqual(machine.stats, self.wanted)
        self.assertEqual(kept.cycle, 4000)
        machine.rewind(kept)
        self.assertEqual((machine.now, machine.stop, machine.status), (4000, None, None))
        machine.run()
        self.assertEqual(machine.stats, self.wanted)
        self.assertEqual(other.now, 4000)
        other.run()
        self.assertEqual(other.stats, self.wanted)

    def test_network(self):
        words = ("net", "run", "--json", "--topology", "torus=8x8,lanes=2", "--param",
                 "buffer_words=16", "--workload", "poisson,rate=0.02", "--cycles", 30000,
                 "--seed", 5)
        network = Network("torus=8x8,lanes=2", buffer_words=16)
        self.assertEqual(network.run("poisson,rate=0.02", cycles=30000, seed=5),
                         json.loads(jm(*words, status=(0, 3))))
        # Beyond saturation: results, which say so.
        self.assertEqual(network.run("poisson,rate=0.9", cycles=5000)["state"], "saturated")


class State(unittest.TestCase):
    def test_words_and_registers(self):
        machine = snakes()
        self.assertEqual(machine["snakes_h"], 50)
        machine["snakes_h"] = -5
        self.assertEqual([node[machine.address("snakes_h")] for node in machine.nodes()],
                         [-5] * 32)
        node = machine.node(5)
        node[0x400] = Word.make("MSG", 0x800AB004)
        node["snakes_h"] = 7
        node[0x401] = True
        self.assertEqual(node[0x400], Word.make("MSG", 0x800AB004))
        machine[0x402] = 9
        self.assertEqual((machine[0x402], machine.node(31)[0x402]), (9, 9))
        self.assertEqual(machine[0x402:0x404][0], 1 << 32 | 9)
        self.assertEqual((node[0x400].tag, node[0x400].data), ("MSG", 0x800AB004))
        self.assertEqual((machine.node(5)["snakes_h"], machine.node(6)["snakes_h"]), (7, -5))
        self.assertEqual((repr(node[0x400]), node[0x401]), ("MSG:800AB004", True))
        words = node[0x400:0x403]
        self.assertEqual((words.format, words.nbytes), ("Q", 24))
        self.assertEqual(words.tolist(), [0x5800AB004, 0x200000001, node[0x402:0x403][0]])
        self.assertEqual(words[0] >> 32, 5)
        node.r[2] = 12
        node.set_register("A3", Word.make("ADDR", 0x1234), context="1")
        self.assertEqual((node.r[2], node.register("R2"), len(node.r)), (12, 12, 4))
        self.assertEqual(node.register("a3", "1"), Word.make("ADDR", 0x1234))
        self.assertNotEqual(node.register("a3", "0"), Word.make("ADDR", 0x1234))
        self.assertNotEqual(node.register("a3", "b"), Word.make("ADDR", 0x1234))
        self.assertEqual(node.context, "b")
        self.assertEqual(machine.node((1, 2, 1)).rank, 1 + 4 * (2 + 4 * 1))
        self.assertEqual(machine.node(25).position, (1, 2, 1))
        self.assertEqual(len(machine), 32)

    def test_by_node(self):
        machine = snakes()
        machine.run()
        nodes = machine.stats["nodes"]
        for key in "queue_max_words", "overflows", "queue_mean_words", "rank":
            wanted = [node[key] for node in nodes]
            for got, want in zip(machine.by_node(key), wanted):
                self.assertAlmostEqual(got, want, delta=1e-7 * abs(want))
        self.assertTrue(any(map(math.isnan, machine.by_node("first_overflow"))))
        self.assertEqual(max(node.queue_words(1) for node in machine.nodes()), 0)
        self.assertEqual(machine.by_node("overflows").format, "d")

    def test_output_of_several(self):
        machines = [Machine("2x2x1"), Machine("2x1x1")]
        for machine in machines:
            machine.load("programs/greet/greet.s")
        for until in range(0, 4000, 50):
            for machine in machines:
                machine.run(until)
        self.assertEqual([machine.output.split()[0] for machine in machines], ["4", "2"])


class Errors(unittest.TestCase):
    def refused(self, text, act, kind=JMachineError):
        with self.assertRaises(kind) as caught:
            act()
        self.assertIn(text, str(caught.exception))

    def test_texts(self):
        self.refused("--mesh 2x2: expected XxYxZ", lambda: Machine("2x2"))
        self.refused("--param fair=7: expected a whole number from 0 to 1", lambda: Machine(fair=7))
        self.refused("no word named 'foo'",
                     lambda: Machine(foo=1).load("programs/hello/hello.s"))
        self.refused("cannot open 'none.s'", lambda: Machine().load("none.s"))
        self.refused("not a saved machine", lambda: Machine.restore(SNAKES))
        self.refused("there is no node 1;", lambda: Machine().node(1), IndexError)
        self.refused("nope", lambda: snakes()["nope"], KeyError)
        self.refused("no events are called 'x'", lambda: snakes().events("x"), ValueError)
        self.refused("no workload 'foo'; expected one of memory", lambda: Network("torus=4x4").run("foo"))
        self.refused("does not fit 32 bits", lambda: snakes().__setitem__("snakes_h", 1 << 40),
                     ValueError)
        self.refused("not in memory", lambda: Machine().node(0)[1 << 20], IndexError)
        self.refused("goes up by one", lambda: Machine().node(0)[0:8:2], IndexError)
        self.refused("/none/m: error: ", lambda: Machine().save("/none/m"))

    def test_values(self):
        node = Machine("2x1x1").node(1)
        for text, act in {
                "no register 'R9'": lambda: node.register("R9"),
                "no register 99": lambda: node.set_register(99, 1),
                "no context '01'": lambda: node.register("R0", context="01"),
                "no context ''": lambda: node.set_register("R0", 1, context=""),
                "no tag 'XX'": lambda: Word.make("XX", 1),
                "no tag 16": lambda: Word.make(16, 1),
                "1099511627776 does not": lambda: Word.make("MSG", 1 << 40),
                "queue=True: a value": lambda: Machine(queue=True),
                "keep_going=1: True or": lambda: Machine(keep_going=1),
                "which events": lambda: Machine().events()}.items():
            self.refused(text, act, ValueError)
        self.refused("--queue 0: expected a whole number", lambda: snakes(queue1=64) and
                     Machine(queue=0).load(SNAKES))
        self.refused("as an integer", lambda: Machine(dispatch=8.7), TypeError)
        self.refused("no node at (2, 0, 0)", lambda: Machine("2x1x1").node((2, 0, 0)),
                     IndexError)
        self.assertEqual(Word.make(1, -1), Word.make("INT", 0xFFFFFFFF))

    def test_two_loops_over_events(self):
        machine = snakes()
        first = machine.events("send")
        next(first)
        self.refused("another loop", lambda: next(machine.events("arrive")))
        first.close()
        wanted = [str(event) for event in snakes().events("arrive", until=3000)]
        got = []
        for event in machine.events("arrive", until=3000):
            got.append(str(event))
            self.assertEqual(machine.run(machine.now + 9), "limit")
        self.assertEqual(got, wanted)
        self.assertGreater(len(got), 5)

    def test_checkpoint_of_another(self):
        machine = snakes()
        kept = machine.checkpoint()
        self.refused("another machine", lambda: snakes().rewind(kept), ValueError)
        machine.close()
        self.refused("closed", lambda: machine.rewind(kept))

    def test_messages_of_the_assembler(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "a.s"
            path.write_text("main: mvoe 1,r0\n suspnd\n")
            self.refused("a.s:1:7: error: ", lambda: Machine().load(path))
            self.refused("a.s:2:2: error: ", lambda: Machine().load(path))
            self.refused("did you mean 'suspend'?", lambda: Machine().load(path))
            path.write_text("start:\n .section x\n call none\n")
            self.refused("none", lambda: Machine().load(path))

    def test_changes_while_it_runs(self):
        machine = snakes()
        seen = []
        def change(*_):
            try:
                machine.run(1)
            except JMachineError as error:
                seen.append(str(error))
        from jmachine._library import OUTPUT, library
        writer = OUTPUT(change)
        library.jm_set_output(machine._handle(), writer, None)
        machine.run()
        self.assertIn("cannot be changed or run", seen[0])

    def test_closed_while_it_runs(self):
        machine = snakes()
        running, tried = threading.Event(), threading.Event()
        def wait(*_):
            running.set()
            tried.wait(60)
        from jmachine._library import OUTPUT, library
        writer = OUTPUT(wait)
        library.jm_set_output(machine._handle(), writer, None)
        thread = threading.Thread(target=machine.run)
        thread.start()
        self.assertTrue(running.wait(60))
        with self.assertRaises(JMachineError):
            machine.close()
        tried.set()
        thread.join()
        self.assertGreater(machine.now, 0)
        machine.close()

    def test_closed(self):
        machine = snakes()
        machine.close()
        machine.close()
        self.refused("closed", lambda: machine.now)
        with snakes() as other:
            pass
        self.refused("closed", lambda: other.run())


class Process(unittest.TestCase):
    def test_many_machines(self):
        """400 machines, made and dropped, with a program, events and errors."""
        def some(count):
            for i in range(count):
                machine = Machine("2x2x1", seed=i)
                machine.load("programs/greet/greet.s")
                machine.run(300)
                machine.checkpoint()
                machine.stats
                for _ in machine.events("send"):
                    break
                try:
                    Machine("2x2x1", fair=7)
                except JMachineError:
                    pass
            gc.collect()
            return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        before = some(100)
        self.assertLess(some(400) - before, 1600)  # KB

    def test_interrupt(self):
        """Other threads go on beside a run of hours, and Ctrl-C ends it."""
        machine = Machine("4x4x4", snakes_l=1000000)
        machine.load(SNAKES)
        machine.run(20000)
        ticks = []
        def tick():
            while len(ticks) < 20:
                time.sleep(0.005)
                ticks.append(machine is not None)
            os.kill(os.getpid(), signal.SIGINT)
        thread = threading.Thread(target=tick)
        signal.alarm(600)  # ends a process that hangs
        with self.assertRaises(KeyboardInterrupt):
            thread.start()
            machine.run()
        signal.alarm(0)
        thread.join()
        now = machine.now
        self.assertEqual(machine.run(now + 10), "limit")
        self.assertEqual(machine.now, now + 10)

    def test_processes(self):
        with multiprocessing.get_context("spawn").Pool(2) as pool:
            got = pool.map(run_one, range(1, 5))
        self.assertEqual(got, [run_one(seed) for seed in range(1, 5)])
        self.assertGreater(len(set(got)), 1)

    def test_version(self):
        self.assertIn(jmachine.__version__, jm("--version"))


def load_tests(_, tests, __):
    for module in jmachine, jmachine.machine, jmachine.network:
        tests.addTests(doctest.DocTestSuite(module))
    return tests


if __name__ == "__main__":
    unittest.main()
