#!/usr/bin/env python3
"""Simulates a campaign on many machines: prints a table of its time and cost.

usage: simulate_shards.py [--write|--check]

--write puts the table into docs/many-machines.md, and --check fails if the page has another one. The machines take shards from a
queue, and differ in speed. The times of a shard and of the merge were measured on a machine with other work, in seconds of its
processor: a shard of the whole corpus, a shard of a campaign of 11,700,000 cases, and the merge of 1,000 reports of 0.4 MB.
"""
import heapq
import pathlib
import random
import sys

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / ".ci"))
import made_page

CASES = [10**6, 10**7, 10**8, 10**9]
MACHINES = [1, 10, 100, 1000]
RATES = [40, 4000]  # cases a second of a machine: an HTTP proxy that waits, and a translator in the process
SHARDS_OF_MACHINE = [1, 4]  # the faster of these; with several, a slow machine gets fewer
SPEEDS = (0.9, 1.1)  # slowest and fastest machine
SHARD_SECONDS = 0.6  # start, besides the start of the proxy
COUNT_SECONDS_OF_CASE = 0.15e-6  # each shard counts the cases of the whole campaign
MERGE_SECONDS = 0.3  # besides the shards
MERGE_SECONDS_OF_SHARD = 0.005
PRICE = 0.05  # US dollars for an hour of a machine with two processors
SEED = 1


def simulate(cases, machines, rate):
    """Returns the seconds until the merged verdict, and the dollars for the machines."""
    if machines == 1:
        return simulate_shards(cases, 1, rate, 1)
    return min(simulate_shards(cases, machines, rate, machines * shards) for shards in SHARDS_OF_MACHINE)


def simulate_shards(cases, machines, rate, shards):
    rng = random.Random(SEED)
    speeds = [rng.uniform(*SPEEDS) if machines > 1 else 1 for _ in range(machines)]
    free = [(0.0, machine) for machine in range(machines)]
    for _ in range(shards):
        time, machine = heapq.heappop(free)
        overhead = SHARD_SECONDS + COUNT_SECONDS_OF_CASE * cases
        heapq.heappush(free, (time + (overhead + cases / shards / rate) / speeds[machine], machine))
    merge = MERGE_SECONDS + MERGE_SECONDS_OF_SHARD * shards if shards > 1 else 0
    busy = sum(time for time, _ in free) + merge
    return max(free)[0] + merge, busy / 3600 * PRICE


def in_words(seconds):
    for unit, size, most in ("s", 1, 120), ("min", 60, 120), ("h", 3600, 48), ("days", 86400, 1e9):
        if seconds < most * size:
            return f"{seconds / size:.{0 if seconds >= 10 * size else 1}f} {unit}"
    raise AssertionError(seconds)


def in_dollars(dollars):
    return f"${dollars:,.2f}" if dollars < 10 else f"${dollars:,.0f}"


def table():
    head = ["cases", "machines", *(f"{what} at {rate:,} cases a second" for rate in RATES for what in ("time", "cost"))]
    rows = []
    for cases in CASES:
        for machines in MACHINES:
            row = [f"{cases:,}", f"{machines:,}"]
            for rate in RATES:
                seconds, dollars = simulate(cases, machines, rate)
                row += [in_words(seconds), in_dollars(dollars)]
            rows.append(row)
    return made_page.table(head, rows)


def main(mode=""):
    page = ROOT / "docs" / "many-machines.md"
    if not mode:
        print(table(), end="")
    elif (text := made_page.replaced(page, "simulation", table())) != page.read_text(encoding="utf-8"):
        if mode == "--check":
            sys.exit("the table in docs/many-machines.md is stale: run `make docs`")
        page.write_text(text, encoding="utf-8")


main(*sys.argv[1:])
