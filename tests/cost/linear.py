#!/usr/bin/env python3
"""Counts, with valgrind, the proxy's instructions for inputs of growing size. Twice the size may cost at most 2.4
times as much: cost(2n) <= 2 * cost(n) * 1.2, without the cost of size 1. 25,000 instructions are allowed on top,
because the cost of an allocation depends on earlier ones. Each dimension defines n (requests.cpp, streams.cpp).
A case that is refused or ends early in one protocol has to run to the end in another, unless COST_SHARE=K/N chooses
one of N shares of the cases.

usage: linear.py COSTS requests|streams [FILTER]
"""
import collections
import os
import shutil
import subprocess
import sys
import tempfile

MOST = 2 * 1.2
ALLOCATOR = 25_000  # instructions: the cost of one case differed by up to 22,547 after other cases
NO_VALGRIND = 77  # meson's code for a skipped test
LABEL = "desc: Trigger: Client Request: "


def dumps(lines):
    """Returns the case, size, outcome and instructions of each dump of callgrind."""
    label = None
    for line in lines:
        if line.startswith(LABEL):
            label = line.removeprefix(LABEL).rstrip("\n").split("\t")
        elif line.startswith("totals: ") and label is not None:
            case, size, outcome = label
            yield case, int(size), outcome, int(line.split()[1])
            label = None


def counted(costs, words):
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "counts")
        # Copies of 2 kB and more would count each byte, smaller ones each 32. With the same instruction for all, sizes
        # are comparable.
        environment = {**os.environ, "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-ERMS,-FSRM", "LD_BIND_NOW": "1", "MALLOC_PERTURB_": "0"}
        subprocess.run(["valgrind", "--tool=callgrind", "--quiet", "--combine-dumps=yes", "--dump-line=no",
                        f"--callgrind-out-file={out}", costs, *words], check=True, env=environment)
        with open(out, encoding="utf-8", errors="replace") as lines:
            return list(dumps(lines))


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    if shutil.which("valgrind") is None:
        print("valgrind is not installed")
        return NO_VALGRIND
    cases = collections.defaultdict(list)
    outcomes = collections.defaultdict(set)
    for case, _, outcome, instructions in counted(sys.argv[1], sys.argv[2:]):
        cases[case].append(instructions)
        outcomes[case].add(outcome)
    failed = []
    whole = collections.defaultdict(bool)
    ratios = []
    for case, (small, once, twice) in cases.items():
        dimension = case.rpartition("/")[2]
        whole[dimension] |= outcomes[case] == {"whole"}
        if outcomes[case] != {"whole"}:
            continue
        ratio = (twice - small) / max(once - small, 1)
        ratios.append((ratio, case, small, once, twice))
        if twice - small > MOST * max(once - small, 1) + ALLOCATOR:
            failed.append(f"{case}: {ratio:.2f} times ({small}, {once} and {twice} instructions)")
    if "COST_SHARE" not in os.environ:
        failed += [f"{dimension}: no case of it is done to the end" for dimension, is_whole in whole.items() if not is_whole]
    print(f"{len(ratios)} of {len(cases)} cases were done to the end")
    for ratio, case, small, once, twice in sorted(ratios, reverse=True)[:5]:
        print(f"  {ratio:.2f} {case}: {small}, {once}, {twice}")
    for line in failed:
        print("FAIL:", line)
    return 1 if failed or not cases else 0


if __name__ == "__main__":
    sys.exit(main())
