#!/usr/bin/env python3
"""Measures how well `run` names causes. Each mutant has one fault, and its table names the rule that the fault breaks. For each mutant, a quick
run of the whole corpus lists causes. Prints how often that rule is the first cause, how often it is among them, and how
many causes a run lists.

usage: causes.py SPLITPROOF
"""
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

BATCH = 16  # mutants in one run


def mutants(program):
    """Returns (name, rule) of each mutant."""
    listed = subprocess.run([program, "list", "mutants"], capture_output=True, text=True, check=True).stdout
    return [tuple(line.split()[:2]) for line in listed.splitlines()]


def causes(program, names, folder):
    """Returns the rules of each mutant's causes, in order. A mutant without causes has an empty list."""
    report = folder / "report.jsonl"
    subprocess.run([program, "run", "--quick", "--for", "10m", "--report", f"jsonl:{report}",
                    *(word for name in names for word in ("--target", f"mutant:{name}"))],
                   capture_output=True, text=True, check=False, timeout=1200)
    found = {name: [] for name in names}
    with report.open(encoding="utf-8") as lines:
        for line in lines:
            if line.startswith('{"cause"'):
                cause = json.loads(line)
                rule = cause["cause"].partition(":")[0]  # without the kind
                found[cause["target"].removeprefix("mutant:")].append((cause["number"], rule, cause["follows"]))
    return {name: [(rule, also) for _, rule, also in sorted(listed)] for name, listed in found.items()}


def share(count, of):
    return f"{count:4} of {of}  {100 * count / of:5.1f} %" if of else "none"


def main(program):
    all_mutants = mutants(program)
    found = {}
    with tempfile.TemporaryDirectory() as name:
        for begin in range(0, len(all_mutants), BATCH):
            found.update(causes(program, [mutant for mutant, _ in all_mutants[begin:begin + BATCH]], pathlib.Path(name)))
    shown = [(mutant, rule, found[mutant]) for mutant, rule in all_mutants if found[mutant]]
    first = [mutant for mutant, rule, listed in shown if listed[0][0] == rule]
    among = [mutant for mutant, rule, listed in shown if rule in (cause for cause, _ in listed)]
    under = [mutant for mutant, rule, listed in shown if any(rule == cause or rule in also for cause, also in listed)]
    total = sum(len(listed) for _, _, listed in shown)
    print(f"""mutants with a cause         {share(len(shown), len(all_mutants))}
the first cause is the rule  {share(len(first), len(shown))}
a cause is the rule          {share(len(among), len(shown))}
a cause names the rule       {share(len(under), len(shown))}
causes that are the rule     {share(len(among), total)}
causes of a run              {statistics.mean(len(listed) for _, _, listed in shown):.2f} on average""")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
