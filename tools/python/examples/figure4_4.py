# %% [markdown]
# # Figure 4-4 of Lethin's thesis, from Python
#
# 512 nodes, each with five messages that wander L hops; every hop takes a handler of h
# cycles. With shorter handlers the machine gets faster until queues overflow. Eight
# handler times, five seeds each, on two processes. A cell begins at each `# %%`: editors
# run it as a notebook, `python3 figure4_4.py [L]` as a program.

# %%
import multiprocessing
import statistics
import sys

from jmachine import Machine

TIMES = 45, 60, 70, 80, 90, 100, 120, 140
SEEDS = range(1, 6)
CLOCK = 10e6  # cycles a second


def makespan(point):
    """Cycles between the first and the last mark of a run of the Snakes, and its hops."""
    h, seed, hops = point
    with Machine("8x8x8", seed=seed, snakes_h=h, snakes_l=hops, snakes_m=5) as machine:
        machine.load("programs/snakes/snakes.s")
        if machine.run() != "exit" or machine.status:
            raise SystemExit(f"h={h} seed={seed}: {machine.stop}\n{machine.output}")
        return machine.stats["makespan"]


# %% Forty runs.
def main(hops=300):
    points = [(h, seed, hops) for h in TIMES for seed in SEEDS]
    with multiprocessing.Pool(2) as pool:
        spans = pool.map(makespan, points, chunksize=1)
    print("h    mean, ms for L = 1000    standard deviation")
    for i, h in enumerate(TIMES):
        some = [span / CLOCK * 1e3 * 1000 / hops for span in spans[i * 5:i * 5 + 5]]
        mean = statistics.mean(some)
        print(f"{h:<4} {mean:6.1f} {'#' * round(mean / 4):<50} {statistics.stdev(some):.1f}")
    return spans


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
