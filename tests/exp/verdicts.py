#!/usr/bin/env python3
"""verdicts.py DIR: judges the claims of a folder of `jm exp run` again, from their rows in
claims.json and the journal: what is measured and what not, figures that simple
statistics give, verdicts, totals; what experiments.json says was run; and how far each
setting of `readings` lies from the thesis. Prints each fault, and ends with status 1 if
there is one; else prints how many figures it has recomputed.
"""

import collections
import json
import math
import os
import re
import sys

from tables import NAN, Checker, column, deviation, mean, quantile

EXP = os.path.join(os.path.dirname(__file__), "../../tools/exp")
NUMBER = r"-?[0-9.]+(?:e-?[0-9]+)?"


def rows_of(path, name):
    """The rows NAME(...) of a table: their texts."""
    with open(os.path.join(EXP, path), encoding="utf-8") as file:
        return re.findall(rf"^{name}\((.*)\)$", file.read(), re.MULTILINE)


WORDS = {name.strip(): len(words.strip(" \"").split()) for name, words in
         (row.split(",")[:2] for row in rows_of("measure/measure.def", "STATISTIC"))}
SIMPLE = {"mean": mean, "sd": deviation, "cv": lambda v: deviation(v) / mean(v),
          "median": lambda v: quantile(v, 0.5),
          "min": lambda v: min((x for x in v if x == x), default=NAN),
          "max": lambda v: max((x for x in v if x == x), default=NAN)}


def numeric(text):
    try:
        return float(text)
    except (TypeError, ValueError):
        return NAN


class Unknown(Exception):
    """A figure that needs a statistic or column that is recomputed elsewhere."""


# ---- measures ----------------------------------------------------------------------
def holds(condition, run):
    """Whether a run meets NAME=VALUE, NAME<VALUE, ...; NAME= means not set."""
    name, relation, value = re.fullmatch(r"(\w+)(<=|>=|[=<>])(.*)", condition).groups()
    text = run.settings.get(name)
    if relation == "=" and not value:
        return text is None
    if relation == "=" and text == value:
        return True
    own = numeric(text) if text is not None else column(run, name)
    if own is None:
        raise Unknown
    other = numeric(value)
    return {"=": own == other and name != "mesh", "<": own < other, ">": own > other,
            "<=": own <= other, ">=": own >= other}[relation]


def is_good(run):
    """Whether a run has figures: it ended well, and a model has a solution."""
    return run.record["status"] == 0 and (run.is_machine or
                                          run.record["stop"] == "solved")


class Measures:
    """Figures of the runs of a folder."""

    def __init__(self, runs):
        self.runs = runs  # by experiment

    def term(self, statistic, words, experiment, conditions):
        """The figure of a term, and whether it is measured."""
        if experiment not in self.runs:
            return NAN, False
        runs = self.runs[experiment]
        wanted = [run for run in runs
                  if all(c.partition(re.search("[=<>]", c)[0])[0] not in run.settings or
                         holds(c, run) for c in conditions)]
        if not wanted or not all(is_good(run) for run in wanted):
            return NAN, False
        chosen = [run for run in wanted if all(holds(c, run) for c in conditions)]
        if statistic == "count":
            return len(chosen), True
        if statistic not in SIMPLE:
            raise Unknown
        values = [column(run, words[0]) for run in chosen]
        if None in values:
            raise Unknown
        value = SIMPLE[statistic](values)
        return value, not (chosen and math.isnan(value))

    def figure(self, text):
        """The value of a measure and whether it is measured."""
        tokens, parts, measured = text.split(), [], True
        while tokens:
            token = tokens.pop(0)
            if token in "+-*/()" or re.fullmatch(NUMBER, token):
                parts.append(token)
                continue
            words = [tokens.pop(0) for _ in range(WORDS[token])]
            if not tokens or tokens[0] != "of":
                raise Unknown  # of the configuration
            experiment, conditions = tokens[1], []
            del tokens[:2]
            if tokens and tokens[0] == "where":
                del tokens[0]
                while tokens and tokens[0] not in "+-*/)":
                    conditions.append(tokens.pop(0))
            value, there = self.term(token, words, experiment, conditions)
            measured &= there
            parts.append(f"({value!r})")
        try:
            value = eval(" ".join(parts), {"nan": NAN, "inf": math.inf})
        except ZeroDivisionError:
            raise Unknown from None
        return (value if measured else NAN), measured


# ---- claims ------------------------------------------------------------------------
def verdict_of(value, measured, claim, changed):
    """What the ranges make of a figure; None has no bound."""
    def within(low, high):
        return (low is None or value >= low) and (high is None or value <= high)
    if not measured:
        return "not measured"
    if changed:
        return "not judged"
    if math.isnan(value):
        return "not"
    if within(*claim["reproduced_if"]):
        return "reproduced"
    return "in part" if within(*claim["in_part_if"]) else "not"


def check_claim(claim, measures, changed, faults):
    """Compares one claim; returns whether its figure could be recomputed."""
    shown = NAN if claim["measured"] is None else claim["measured"]
    told = claim["reason"] == "" and claim["measure"] != ""
    wanted = verdict_of(shown, told, claim, changed)
    if claim["verdict"] != wanted:
        faults.append(f"{claim['id']}: {claim['verdict']} instead of {wanted}")
    if not claim["measure"]:
        return False
    try:
        value, measured = measures.figure(claim["measure"])
    except Unknown:
        return False
    if measured != told:
        faults.append(f"{claim['id']}: measured or not: '{claim['reason']}'")
    same = shown == value or abs(shown - value) <= 1e-5 * abs(value)
    if math.isnan(shown) != math.isnan(value) or not (math.isnan(value) or same):
        faults.append(f"{claim['id']}: {shown} instead of {value}")
    return True


def check_totals(root, faults):
    """The counts of verdicts, of claims, checks and bars."""
    kind = lambda c: ("checks" if c["check"] else
                      "beyond" if c["where"].startswith("beyond") else "")
    counts = collections.Counter((kind(c), c["verdict"]) for c in root["claims"])
    totals = root["totals"]
    for part in ("", "checks", "beyond"):
        told = totals[part] if part else totals
        for verdict in ("reproduced", "in part", "not", "not measured", "not judged"):
            if told[verdict] != counts[part, verdict]:
                faults.append(f"totals of {part or 'claims'}: {verdict}")
    explained = sum(not kind(c) and c["verdict"] in ("in part", "not") and
                    any(e["outcome"] == "holds" for e in c["explained_by"])
                    for c in root["claims"])
    if totals["explained"] != explained:
        faults.append(f"{totals['explained']} explained, not {explained}")


def check_commands(root, about, faults):
    """The command of a claim and of what explains it runs its experiment in the same
    form, with the same settings."""
    options = about["command"][about["command"].index(f" --{root['mode']}"):]
    def check(name, item):
        wanted = (f"jm exp run {item['experiment']}{options}" if item["experiment"] else
                  "jm run --help")
        if item["command"] != wanted:
            faults.append(f"{name}: '{item['command']}' instead of '{wanted}'")
    for experiment in about["experiments"]:
        check(experiment["name"], experiment | {"experiment": experiment["name"]})
    for claim in root["claims"]:
        check(claim["id"], claim)
        for explanation in claim["explained_by"]:
            check(claim["id"], explanation)


def check_explanations(root, faults):
    """What is told of an explanation stands in its row, under an id of the claim."""
    path = os.path.join(EXP, "judge/explanations.def")
    with open(path, encoding="utf-8") as file:
        rows = file.read().split("\nEXPLANATION(")[1:]
    for claim in root["claims"]:
        for told in claim["explained_by"]:
            texts = (told["experiment"], told["statement"], told["unit"])
            if not any(claim["id"] in row.partition(",")[0] and
                       all(f'"{text}"' in row.partition(",")[2] for text in texts)
                       for row in rows):
                faults.append(f"{claim['id']}: no row says {texts}")


# ---- what was run ------------------------------------------------------------------
def check_parameters(experiment, runs, faults):
    """The values of every setting, in the order of the runs."""
    values = {}
    for run in runs:
        for name, value in run.settings.items():
            values.setdefault(name, {})[value] = True
    wanted = {name: ",".join(seen) for name, seen in values.items()}
    if experiment["parameters"] != wanted:
        faults.append(f"parameters of {experiment['name']}: "
                      f"{experiment['parameters']} instead of {wanted}")


# ---- readings ----------------------------------------------------------------------
def check_readings(checker, faults):
    """How many criteria each setting meets, by the ranges of the claims, and how far it
    lies from the thesis's own figures."""
    criteria = {}
    for row in rows_of("judge/criteria.def", "CRITERION"):
        name = row.split(",")[0]
        numbers = [float(n) for n in re.findall(rf"(?<=, ){NUMBER}(?=,)", row)]
        criteria[name] = numbers[-6:]  # factor, low, high, thesis_low, thesis_high, scale
    for row in checker.read("-criteria.csv")[1:]:
        met, squares = 0, 0
        for name, (low, high, own_low, own_high, scale) in (
                (n, c[1:]) for n, c in criteria.items()):
            value = numeric(row[name])
            met += low <= value <= high
            away = max(own_low - value, value - own_high, 0) / scale
            squares += (3 if math.isnan(value) else min(away, 3)) ** 2
        distance = math.sqrt(squares / len(criteria))
        if int(row["met"]) != met or int(row["of"]) != len(criteria):
            faults.append(f"reading {row['reading']}: meets {row['met']}, not {met}")
        if abs(float(row["distance"]) - distance) > 2e-3:
            faults.append(f"reading {row['reading']}: {row['distance']} away, "
                          f"not {distance:.3f}")


def main():
    folder, faults = sys.argv[1], []
    with open(os.path.join(folder, "experiments.json"), encoding="utf-8") as file:
        about = json.load(file)
    with open(os.path.join(folder, "claims.json"), encoding="utf-8") as file:
        root = json.load(file)
    runs = {}
    for experiment in about["experiments"]:
        checker = Checker(folder, experiment["name"], experiment)
        runs[experiment["name"]] = checker.runs
        check_parameters(experiment, checker.runs, faults)
        if experiment["name"] == "readings":
            check_readings(checker, faults)
    measures = Measures(runs)
    recomputed = sum(check_claim(claim, measures, about["changed_settings"], faults)
                   for claim in root["claims"])
    check_totals(root, faults)
    check_commands(root, about, faults)
    check_explanations(root, faults)
    print("\n".join(faults) if faults else f"{recomputed} figures")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
