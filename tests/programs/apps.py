"""What the applications of programs/ must find, reckoned apart from them.

    apps.py PROGRAM STATISTICS

reads the parameters of a run and its results from the words in its statistics, and says
which result is wrong; the exit status is then 1.
"""
import json
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


PROGRAMS = {"nqueens": nqueens, "radix": radix, "lcs": lcs}


def main():
    program, path = sys.argv[1:]
    with open(path, encoding="ascii") as file:
        statistics = json.load(file)
    words = statistics["words"]
    wrong = statistics["makespan"] != words["timed_cycles"]
    if wrong:
        print(f"{program}: the makespan is not the timed part")
    for name, value in PROGRAMS[program](words).items():
        if words[name] != value:
            wrong = True
            print(f"{program}: {name} is {words[name]}, not {value}")
    return wrong


sys.exit(main())
