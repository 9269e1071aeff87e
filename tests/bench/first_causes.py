#!/usr/bin/env python3
"""Compares how two versions of splitproof name the cause of each mutant. Each mutant has one fault, and its table names
the rule that the fault breaks. The old version runs the corpus with each mutant. Both versions then read these results
and list their causes, so only the naming of causes differs.

A first cause is better if it is the mutant's rule, and second best if it names that rule as a consequence. Prints each
mutant whose first cause changed, and exits with 1 if one got worse.

usage: first_causes.py OLD NEW [EVERY]    two programs; EVERY: try every so many mutants (default 1, all)
"""
import json
import pathlib
import subprocess
import sys
import tempfile

BATCH = 6  # mutants in one run; a report of more is too large to read back


def mutants(program):
    """Returns (name, rule) of each mutant."""
    listed = subprocess.run([program, "list", "mutants"], capture_output=True, text=True, check=True).stdout
    return [tuple(line.split()[:2]) for line in listed.splitlines()]


def run(program, names, report):
    subprocess.run([program, "run", "--quick", "--report", f"jsonl:{report}",
                    *(word for name in names for word in ("--target", f"mutant:{name}"))],
                   capture_output=True, check=False, timeout=3600)


def causes(program, report, again):
    """Returns the causes of each mutant as (rule, rules that follow), the first one first."""
    subprocess.run([program, "merge", str(report), "--report", f"jsonl:{again}"],
                   capture_output=True, check=False, timeout=3600)
    found = {}
    with again.open(encoding="utf-8") as lines:
        for line in lines:
            if line.startswith('{"cause"'):
                cause = json.loads(line)
                listed = found.setdefault(cause["target"].removeprefix("mutant:"), [])
                listed.append((cause["number"], cause["cause"].split(":")[0], cause["follows"]))
    return {name: [(rule, also) for _, rule, also in sorted(listed)] for name, listed in found.items()}


def quality(listed, rule):
    """Returns 2 if the first cause is the rule, 1 if it names the rule, otherwise 0."""
    if not listed:
        return 0
    return 2 if listed[0][0] == rule else 1 if rule in listed[0][1] else 0


def main(old, new, every=1):
    tried = mutants(old)[::every]
    worse = better = same = 0
    counts = [0, 0]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for begin in range(0, len(tried), BATCH):
            batch = tried[begin:begin + BATCH]
            run(old, [mutant for mutant, _ in batch], folder / "run.jsonl")
            before = causes(old, folder / "run.jsonl", folder / "old.jsonl")
            after = causes(new, folder / "run.jsonl", folder / "new.jsonl")
            for mutant, rule in batch:
                a, b = before.get(mutant, []), after.get(mutant, [])
                counts[0] += len(a)
                counts[1] += len(b)
                change = quality(b, rule) - quality(a, rule)
                worse += change < 0
                better += change > 0
                same += change == 0
                if change:
                    print(f"{mutant} ({rule}): {'better' if change > 0 else 'WORSE'}, "
                          f"first {a[0][0] if a else 'none'} before and {b[0][0] if b else 'none'} now", flush=True)
    print(f"{len(tried)} mutants: {worse} worse, {better} better, {same} equal; {counts[0]} causes before, {counts[1]} now")
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else 1))
