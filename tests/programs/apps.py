"""What the applications of programs/ must find, reckoned apart from them.

    apps.py PROGRAM STATISTICS

reads the parameters of a run and its results from the words in its statistics, and says
which result is wrong; the exit status is then 1.
"""
import json
import sys


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


PROGRAMS = {"nqueens": nqueens}


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
