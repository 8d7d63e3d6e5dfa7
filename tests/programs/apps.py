"""What the applications of programs/ must find, computed independently.

    apps.py <RUNS

reads lines of a program, the file with a run's statistics, and its options. It takes the
parameters of the run and its results from the words in the statistics, and says which
result is wrong; the exit status is then 1.
"""
import cmath
import json
import math
import sys


def signed(number):
    """The 32 low bits of a number as the machine has them."""
    return (number + 2 ** 31) % 2 ** 32 - 2 ** 31


def inputs(words, count, first=0):
    """Words of the input: input_word of programs/lib/app.inc, without sign."""
    for number in range(first, first + count):
        word = (number + words["input_seed"] * 0x9E3779B1) % 2 ** 32
        word = (word ^ word >> 16) * 0x85EBCA6B % 2 ** 32
        word = (word ^ word >> 13) * 0xC2B2AE35 % 2 ** 32
        yield word ^ word >> 16


def nqueens(words):
    def ways(columns, left, right):
        if columns == board:
            return 1
        total = 0
        free = board & ~(columns | left | right)
        while free:
            place = free & -free
            free -= place
            total += ways(columns | place, (left | place) << 1, (right | place) >> 1)
        return total

    board = (1 << words["nqueens_n"]) - 1
    return {"nqueens_ways": ways(0, 0, 0)}


def radix(words):
    keys = sorted(w >> 4 for w in inputs(words, words["radix_keys"]))
    return {"radix_sum": signed(sum(keys)),
            "radix_weighted": signed(sum(i * key for i, key in enumerate(keys, 1)))}


def lcs(words):
    row = [0] * (words["lcs_n"] + 1)
    first = [word % 16 for word in inputs(words, words["lcs_n"])]
    for letter in (word % 16 for word in inputs(words, words["lcs_m"], 65536)):
        above = row
        row = [0]
        for column, other in enumerate(first):
            row.append(above[column] + 1 if letter == other
                       else max(above[column + 1], row[column]))
    return {"lcs_length": row[-1]}


def half_product(x, w):
    """x w / 4 of complex numbers, w in units of 2^-30, as two times two MULH give it."""
    return ((x[0] * w[0] >> 32) - (x[1] * w[1] >> 32),
            (x[0] * w[1] >> 32) + (x[1] * w[0] >> 32))


def product(x, w):
    part = half_product(x, w)
    return part[0] << 2, part[1] << 2


def powers(order, count):
    """The first powers of the first root of unity of that order, clockwise."""
    root = cmath.exp(-2j * cmath.pi / order)
    root = round(root.real * 2 ** 30), round(root.imag * 2 ** 30)
    power = 2 ** 30, 0
    for _ in range(count):
        yield power
        power = product(power, root)


def transform(points, roots):
    """A row, divided by its length: halves of even and odd points, recursively."""
    if len(points) == 1:
        return points
    even = transform(points[::2], roots[::2])
    odd = transform(points[1::2], roots[::2])
    parts = [half_product(x, w) for x, w in zip(odd, roots)]
    return [((a[0] >> 1) + sign * 2 * b[0], (a[1] >> 1) + sign * 2 * b[1])
            for sign in (1, -1) for a, b in zip(even, parts)]


def exact(points):
    """The transform in floating point, divided by the number of points."""
    if len(points) == 1:
        return points
    even, odd = exact(points[::2]), exact(points[1::2])
    turned = [value * cmath.exp(-2j * cmath.pi * k / len(points))
              for k, value in enumerate(odd)]
    return ([(a + b) / 2 for a, b in zip(even, turned)] +
            [(a - b) / 2 for a, b in zip(even, turned)])


def fft(words):
    count = words["fft_points"]
    side = round(count ** 0.5)
    parts = [signed(word) >> 2 for word in inputs(words, 2 * count)]
    points = list(zip(parts[::2], parts[1::2]))
    roots = list(powers(side, side // 2))
    rows = []
    for column, first in enumerate(powers(count, side)):
        row = transform(points[column::side], roots)
        power = 2 ** 30, 0
        for k, value in enumerate(row):
            row[k] = product(value, power)
            power = product(power, first)
        rows.append(row)
    rows = [transform(list(column), roots) for column in zip(*rows)]
    results = [value for column in zip(*rows) for value in column]
    for value, wanted in zip(results, exact([complex(*point) for point in points])):
        assert abs(complex(*value) - wanted) < 20 + 4 * side, "far from the transform"
    flat = [part for value in results for part in value]
    return {"fft_sum": signed(sum(flat[::2])),
            "fft_weighted": signed(sum(i * part for i, part in enumerate(flat, 1)))}


def graph(words):
    scale, labels = words["graph_scale"], words["graph_labels"]
    count = 2 ** scale
    near = [[] for _ in range(count)]
    start = None
    for edge in range(count * words["graph_degree"]):
        tail = head = 0
        for word in reversed(list(inputs(words, scale, 32 * edge))):
            part = sum(word >> 1 >= limit for limit in
                       (1224065679, 1632087572, 2040109466))
            tail, head = 2 * tail + part // 2, 2 * head + part % 2
        tail, head = (end * 0x9E3779B1 % count for end in (tail, head))
        near[tail].append(head)
        near[head].append(tail)
        start = tail if start is None else start
    values = [None] * count
    for first in range(count) if labels else [start]:
        rows, distance = [first], 0
        while rows:
            rows = {vertex for vertex in rows if values[vertex] is None}
            for vertex in rows:
                values[vertex] = first if labels else distance
            rows = [other for vertex in rows for other in near[vertex]]
            distance += 1
    found = {vertex: value for vertex, value in enumerate(values) if value is not None}
    wanted = {"graph_sum": signed(sum((vertex + 1) * value
                                      for vertex, value in found.items()))}
    if labels:
        wanted["graph_found"] = len(set(values))
    else:
        wanted["graph_found"] = len(found)
        wanted["graph_visits"] = 1 + sum(len(near[vertex]) for vertex in found)
        wanted["graph_rounds"] = max(found.values()) + 1
    return wanted


def tsp(words):
    """By dynamic programming: ways[mask, last] is the shortest from city 0 to the last
    one, through the cities of the mask."""
    count = words["tsp_n"]
    parts = [word >> 18 for word in inputs(words, 2 * count)]
    places = list(zip(parts[::2], parts[1::2]))

    def distance(a, b):
        return math.isqrt((places[a][0] - places[b][0]) ** 2 +
                          (places[a][1] - places[b][1]) ** 2)

    far = [[distance(a, b) for b in range(count)] for a in range(count)]
    ways = {(1 << last, last): far[0][last] for last in range(1, count)}
    for _ in range(count - 2):
        longer = {}
        for (mask, last), length in ways.items():
            for city in range(1, count):
                if not mask >> city & 1:
                    key = mask | 1 << city, city
                    way = length + far[last][city]
                    longer[key] = min(way, longer.get(key, way))
        ways = longer
    return {"tsp_length": min(length + far[last][0]
                              for (_, last), length in ways.items())}


def tour(words):
    return {"tour_visits": words["kernel_nodes"] * words["tour_m"] * words["tour_hops"]}


PROGRAMS = {"tour": tour, "nqueens": nqueens, "radix": radix, "lcs": lcs, "fft": fft,
            "graph": graph, "tsp": tsp}


def faults(program, path):
    """What is wrong in the results of a run."""
    with open(path, encoding="ascii") as file:
        statistics = json.load(file)
    words = statistics["words"]
    if statistics["makespan"] != words["timed_cycles"]:
        yield "the makespan is not the timed part"
    for name, value in PROGRAMS[program](words).items():
        if words[name] != value:
            yield f"{name} is {words[name]}, not {value}"


def main():
    wrong = 0
    for run in sys.stdin:
        program, path, options = run.rstrip().split(" ", 2)
        for fault in faults(program, path):
            wrong += 1
            print(f"{program} {options}: {fault}")
    return wrong > 0


sys.exit(main())
