"""Recomputes what `jm report A B` prints: compare.py A B OUTPUT."""
import json
import math
import sys

runs = [json.load(open(path)) for path in sys.argv[1:3]]
SETUP = ("version", "program", "mesh", "topology", "seed", "clock_hz", "parameters")


def leaves(value, path):
    if isinstance(value, dict):
        for key, member in value.items():
            yield from leaves(member, f"{path}.{key}")
    elif isinstance(value, list):
        for i, member in enumerate(value):
            yield from leaves(member, f"{path}[{i}]")
    else:
        yield path[1:], value


def quantities(run):
    found = dict(leaves({key: run[key] for key in run if key != "nodes"}, ""))
    lists = {}
    for node in run["nodes"]:
        for path, value in leaves(node, ""):
            if value is not None and path not in ("rank", "x", "y", "z"):
                lists.setdefault(path, []).append(value)
    for path, values in lists.items():
        kind = (max if "_max_" in path or path.endswith("_peak") else
                min if path.startswith("first_") else sum)
        found["nodes." + path] = kind(values)
        if "_mean_" in path:
            found["nodes." + path] = sum(values) / len(run["nodes"])
    return found


a, b = map(quantities, runs)
expected = {path: (a.get(path), b.get(path)) for path in {*a, *b}
            if path not in a or path not in b or a[path] != b[path]}
rows = [row.split() for row in open(sys.argv[3]) if row.startswith("  ")]
assert {row[0] for row in rows} == set(expected), {row[0] for row in rows} ^ set(expected)


def number(text):
    return {"none": None, "null": None}.get(text) if text in ("none", "null") else float(text)


shares = []
for path, *shown in rows:
    one, two = expected[path]
    if isinstance(one or two, str):
        assert shown[:2] == [one, two], shown
        continue
    for value, text in ((one, shown[0]), (two, shown[1])):
        assert value is number(text) or math.isclose(value, number(text), rel_tol=1e-8), path
    share = math.inf
    if one is None or two is None:
        assert len(shown) == 2, shown
    else:
        assert math.isclose(two - one, float(shown[2]), rel_tol=1e-5), (path, shown)
        if one:
            share = (two - one) / abs(one)
            assert shown[3] == f"{100 * share:+.2f}%", (path, shown, share)
        else:
            assert len(shown) == 3, shown
    if not path.split(".")[0].split("[")[0] in SETUP:
        shares.append(abs(share))
assert all(x >= y * (1 - 1e-9) for x, y in zip(shares, shares[1:])), "the order of rows"
titles = [row for row in open(sys.argv[3]) if not row.startswith("  ")]
assert [path for path, *_ in rows if path.split(".")[0].split("[")[0] in SETUP] == \
    sorted(path for path in expected if path.split(".")[0].split("[")[0] in SETUP)
assert len(titles) >= 4, titles
