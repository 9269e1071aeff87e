"""The rules of the program, as `splitproof explain ID` prints them, in Markdown."""

import concurrent.futures
import os
import re
import subprocess
from dataclasses import dataclass


@dataclass
class Rule:
    id: str
    level: str
    contract: str
    title: str
    text: str  # Markdown without a heading

    @property
    def family(self):
        return self.id.rpartition("-")[0]


def output(program, *arguments):
    return subprocess.run([program, *arguments], check=True, capture_output=True, encoding="utf-8", errors="replace").stdout


def explained(program, rule):
    """One rule. Lists stay as printed, in fences."""
    head, *blocks = output(program, "explain", rule).rstrip("\n").split("\n\n")
    name, level, contract = re.match(r"(\S+) +(\S+) +\((.*)\)", head).groups()
    says, *rest = blocks
    lines = [f"*{level}* · {says}"]
    sample = None
    for block in rest:
        if sample is not None:
            sample.append(block)
        elif block.endswith("that violates it:"):
            sample = []
            lines += ["", block]
        elif block.startswith("Public incidents:"):
            seen = [line.split() for line in block.splitlines()[1:]]
            lines += ["", "Seen: " + ", ".join(f"[{what}]({where})" for what, where in seen)]
        elif block.startswith("Sources:"):
            title, *sources = block.splitlines()
            lines += ["", title, "", *(f"- {source.strip()}" for source in sources)]
        elif block.startswith(("What clients do with it:", "Findings in the stream below:",
                               "Findings in the request below:", "Changes that make it conform,")):
            title, *told = block.splitlines()
            lines += ["", title, "", "```", *told, "```"]
        else:
            lines += ["", block]
    if sample is not None:
        lines += ["", "```", "\n\n".join(sample), "```"]
    return Rule(name, level, contract, says, "\n".join(lines))


def listed_rules(program):
    """The rules as `splitproof list obligations` prints them, without a text."""
    rules = [line.split(None, 4) for line in output(program, "list", "obligations").splitlines()]
    return [Rule(name, level, contract, title, "") for name, level, _, contract, title in rules]


def all_rules(program):
    """The same rules with their texts."""
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as threads:
        return list(threads.map(lambda rule: explained(program, rule.id), listed_rules(program)))
