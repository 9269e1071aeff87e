#!/usr/bin/env python3
"""A run that is killed again and again ends with the report of one run, and repeats no finished recording.

usage: killed.py SPLITPROOF ROOT [KILLS]

Kills a run KILLS times, 3 without it, each time after some more recordings. Then it fills a small disk, if it may mount one.
"""
import collections
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time

OPTIONS = ["run", "--no-shard", "--only", "openai.chat/text-[a-i]*", "--splits", "0", "--recuts", "0", "--jobs", "1"]
SEED = 20261129


def part_of(report):
    return pathlib.Path(f"{report}.part")


def saved_in(part):
    """Returns the saved parts of results in an unfinished report, as (recording, begin, end)."""
    if not part.exists():
        return []
    results, saved = [], []
    for line in part.read_bytes().split(b"\n")[:-1]:
        value = json.loads(line)
        if "result" in value:
            results.append(value["result"])
        if "saved" in value:
            saved = list(results)
    # A result without a part is from a finished report, and whole.
    ranges = [(one["recording"]["id"], one.get("part", {"end": 1})) for one in saved]
    return [(recording, part.get("begin", 0), part["end"]) for recording, part in ranges]


def check_saved(part):
    """Checks that no position ran twice. Returns the number of saved recordings."""
    reached = collections.defaultdict(int)
    for recording, begin, end in saved_in(part):
        assert begin == reached[recording], f"{recording} is saved up to {reached[recording]}, then from {begin}"
        reached[recording] = end
    return len(reached)


def lines_of(report):
    lines = [json.loads(line) for line in report.read_text().split("\n")[:-1]]
    lines[0].pop("context")
    for member in ("details", "throughput"):
        lines[0]["run"].pop(member, None)
    return [json.dumps(line) for line in lines]


def verdict_of(done):
    return done.returncode, done.stdout.splitlines()[-1:]


class Runs:
    def __init__(self, program):
        self.program = program

    def command(self, report, *more):
        return [self.program, *OPTIONS, *more, "--report", f"jsonl:{report}"]

    def run(self, report, *more):
        return subprocess.run(self.command(report, *more), capture_output=True, text=True)

    def run_shard(self, report, shard, *more):
        command = [shard if word == "--no-shard" else word for word in self.command(report, *more)]
        return subprocess.run(command, capture_output=True, text=True)

    def kill_after(self, report, recordings, *more):
        """Kills a run when so many recordings are saved. Returns false if it ended before."""
        run = subprocess.Popen(self.command(report, *more), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        part = part_of(report)
        while run.poll() is None and not (part.exists() and part.read_bytes().count(b'\n{"saved":') >= recordings):
            time.sleep(0.01)
        run.kill()
        return run.wait() < 0


def check_kills(runs, folder, whole, kills):
    rng = random.Random(SEED)
    report, killed = folder / "killed.jsonl", 0
    wanted = runs.run(whole)
    assert wanted.returncode == 0, wanted.stderr
    while killed < kills:
        report.unlink(missing_ok=True)
        saved = 0
        while killed < kills and runs.kill_after(report, saved + rng.randint(0, 4), "--resume"):
            killed += 1
            saved = check_saved(part_of(report))
        done = runs.run(report, "--resume")
        assert verdict_of(done) == verdict_of(wanted), done.stdout + done.stderr
        assert lines_of(report) == lines_of(whole), "the report differs after kills"
        assert not part_of(report).exists()
    print(f"seed {SEED}: {killed} kills; the last unfinished report had {saved} recordings")
    # The report is complete, so nothing runs again.
    again = runs.run(report, "--resume")
    assert verdict_of(again) == verdict_of(wanted), again.stderr
    assert lines_of(report) == lines_of(whole)


def check_other_plan(runs, folder):
    report = folder / "other.jsonl"
    assert runs.kill_after(report, 1), "the run ended before it was killed"
    refused = runs.run(report, "--seed", "8", "--resume")
    assert refused.returncode == 2 and re.search(r"seed: '\d+' and '8'", refused.stderr), refused.stderr


def check_finished_report_of_other_plan(runs, folder, whole):
    """A complete report of another run is neither continued nor overwritten."""
    report = folder / "finished.jsonl"
    report.write_bytes(whole.read_bytes())
    for refused, names in ((runs.run(report, "--seed", "8", "--resume"), r"finished\.jsonl.*seed: '\d+' and '8'"),
                           (runs.run_shard(report, "--shard=1/2", "--resume"), r"finished\.jsonl.*shards: '1' and '2'")):
        assert refused.returncode == 2 and re.search(names, refused.stderr), refused.stderr
        assert "remove this file, or omit --resume" in refused.stderr, refused.stderr
        assert report.read_bytes() == whole.read_bytes() and not part_of(report).exists()
    replaced = runs.run_shard(report, "--shard=1/2")
    assert replaced.returncode == 0 and report.read_bytes() != whole.read_bytes(), replaced.stderr
    refused = runs.run_shard(report, "--shard=2/2", "--resume")
    assert refused.returncode == 2 and "the file is of another shard" in refused.stderr, refused.stderr


def check_damaged_part(runs, folder):
    """The message names the file and says to remove it. Then the run begins again."""
    report = folder / "damaged.jsonl"
    assert runs.kill_after(report, 1), "the run ended before it was killed"
    part = part_of(report)
    first, _, rest = part.read_bytes().partition(b"\n")
    part.write_bytes(first[:-9] + b"\n" + rest)
    refused = runs.run(report, "--resume")
    assert refused.returncode == 2 and "remove it to begin again" in refused.stderr and part.name in refused.stderr, refused.stderr
    part.unlink()
    again = runs.run(report, "--resume")
    assert again.returncode == 0, again.stderr


def check_full_disk(runs, folder, whole):
    """Lets a run fill a disk, makes room, and continues."""
    disk = folder / "disk"
    disk.mkdir()
    if os.geteuid() != 0 or subprocess.run(["mount", "-t", "tmpfs", "-o", "size=600k", "none", disk],
                                           stderr=subprocess.DEVNULL).returncode != 0:
        print("not tried with a full disk, because this system lets nobody mount one")
        return
    try:
        report = disk / "report.jsonl"
        full = runs.run(report)
        assert full.returncode == 2 and "No space left on device" in full.stderr, full.stderr
        saved = check_saved(part_of(report))
        assert saved > 0 and not report.exists()
        subprocess.run(["mount", "-o", "remount,size=64m", disk], check=True)
        resumed = runs.run(report, "--resume")
        assert resumed.returncode == 0 and lines_of(report) == lines_of(whole), resumed.stderr
        print(f"a full disk kept {saved} recordings, and the run continued")
    finally:
        subprocess.run(["umount", disk], check=True)


def main(program, kills):
    runs = Runs(program)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        whole = folder / "whole.jsonl"
        check_kills(runs, folder, whole, kills)
        check_other_plan(runs, folder)
        check_finished_report_of_other_plan(runs, folder, whole)
        check_damaged_part(runs, folder)
        check_full_disk(runs, folder, whole)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[3]) if len(sys.argv) > 3 else 3)
