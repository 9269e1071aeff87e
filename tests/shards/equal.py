#!/usr/bin/env python3
"""The merged reports of shards equal the report of one run: on the console, as JSON Lines and as a page.

usage: equal.py SPLITPROOF ROOT [--full]

Times and command lines differ, so they are not compared. --full runs each campaign in 1, 3, 16 and 64 shards. This takes some
minutes.
"""
import concurrent.futures
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

# Name, recordings, options of `run`, and numbers of shards without --full.
CAMPAIGNS = [
    ("reference", "text-plain", ["--recuts", "2", "--faults", "--target", "reference"], [1, 64]),
    ("mutant", "t*-multibyte", ["--recuts", "1", "--target", "reference", "--target", "mutant:start-per-name"], [3]),
    ("pipe", "text-plain", ["--recuts", "1", "--target", "ROOT/docs/examples/python.yaml"], [3]),
    ("http", "text-plain", ["--recuts", "1", "--faults", "--target", "reference-http"], [16]),
]
FULL = [1, 3, 16, 64]


class Shards:
    def __init__(self, program, folder, options):
        self.program, self.folder, self.options = program, folder, options

    def call(self, *words, expect=(0, 1)):
        done = subprocess.run([self.program, *words], capture_output=True, text=True)
        assert done.returncode in expect, f"{words}: exit code {done.returncode}\n{done.stdout}{done.stderr}"
        return done

    def run(self, name, *more):
        report = str(self.folder / f"{name}.jsonl")
        done = self.call("run", *self.options, *more, "--report", f"jsonl:{report}", "--report", f"html:{report}.html")
        return done.stdout, report


def without_times(console):
    console = re.sub(r"(?m)^(commands?|began|took|throughput|note) .*\n", "", console)
    return re.sub(r"(?m)\A(.* in [\d,]+ cases?), [\d.]+ (?:s|min \d+ s)", r"\1", console).split("\n")


def report_without_times(path):
    lines = [json.loads(line) for line in pathlib.Path(path).read_text().split("\n")[:-1]]
    for line in lines:
        for member in ("notes", "context"):
            line.pop(member, None)
        for member in ("throughput", "notes", "trials", "details"):
            if isinstance(line.get("run"), dict):
                line["run"].pop(member, None)
    return [json.dumps(line) for line in lines]


def page_without_times(path):
    page = pathlib.Path(path).read_text()
    page = re.sub(r"<div[^>]*><dt>(commands?|began|took)</dt>.*?</div>\n", "", page)
    return re.sub(r"(?s)<[^<>]*>[^<]*(?:cases/s|throughput|version:)[^<]*<", "<", page).split("\n")


def check_equal(what, got, want):
    if got == want:
        return
    for number, (one, other) in enumerate(zip(got, want), 1):
        if one != other:
            at = next((i for i, (a, b) in enumerate(zip(one, other)) if a != b), min(len(one), len(other)))
            raise AssertionError(f"{what}, line {number}:\n  merged: {one[max(0, at - 100):at + 200]}\n"
                                 f"  whole:  {other[max(0, at - 100):at + 200]}")
    raise AssertionError(f"{what}: {len(got)} lines, wanted {len(want)}")


def compare(shards, name, count):
    """Compares the merged shards with one run. Returns the reports of the shards."""
    console, report = shards.run("whole", "--no-shard")
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        runs = pool.map(lambda number: shards.run(f"shard-{number}", "--shard", f"{number}/{count}"), range(1, count + 1))
        parts = [report for _, report in runs]
    shuffled = random.Random(count).sample(parts, count)
    merged = str(shards.folder / "merged")
    done = shards.call("merge", *shuffled, parts[0], "--report", f"jsonl:{merged}", "--report", f"html:{merged}.html")
    check_equal(f"{name}, console", without_times(done.stdout), without_times(console))
    check_equal(f"{name}, JSON Lines", report_without_times(merged), report_without_times(report))
    check_equal(f"{name}, page", page_without_times(f"{merged}.html"), page_without_times(f"{report}.html"))
    lines = len(console.split("\n"))
    print(f"{name} in {count} shards: {lines} lines on the console are equal, and both reports", flush=True)
    return parts


def check_refused(shards, parts):
    """Checks `merge` with a missing shard, and with a shard of another campaign."""
    count = len(parts)
    missing = shards.call("merge", *parts[:-1], expect=[4])
    assert f"1 of {count} shards is missing: {count};" in missing.stderr and missing.stdout == "", missing
    again = shards.call("merge", *parts[:-1], "--missing", "--as", "list")
    assert again.stdout == f"{count}/{count}\n", again
    partial = shards.call("merge", *parts[:-1], "--partial")
    assert f"1 of {count} shards missing" in partial.stdout.splitlines()[-1], partial.stdout
    for change, field in (["--seed", "7"], "seed: '7' and '1'"), (["--strict"], "options: "):
        _, other = shards.run("other", *change, "--shard", f"{count}/{count}")
        refused = shards.call("merge", *parts[:-1], other, expect=[2])
        assert f"the reports have different plans ({field}" in refused.stderr, refused.stderr
    print("a missing shard and a shard of another plan are refused", flush=True)


def main(program, root, full):
    failed = 0
    for name, recordings, options, counts in CAMPAIGNS:
        options = ["--only", f"openai.chat/{recordings}", "--splits", "1",
                   *(option.replace("ROOT", root) for option in options)]
        for shards in FULL if full else counts:
            with tempfile.TemporaryDirectory() as folder:
                try:
                    campaign = Shards(program, pathlib.Path(folder), options)
                    parts = compare(campaign, name, shards)
                    if shards > 1:
                        check_refused(campaign, parts)
                except AssertionError as error:
                    failed += 1
                    print(error, file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], "--full" in sys.argv[3:]))
