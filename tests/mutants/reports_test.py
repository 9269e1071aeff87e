#!/usr/bin/env python3
"""Reproduces each public report of docs/data/reports.tsv: in the case, the mutant violates the rule and the reference
conforms. A mutant `planted:NAME` is the proxy of tests/websocket with this bug, and its reference is the proxy without it.

usage: reports_test.py SPLITPROOF ROOT
"""
import concurrent.futures
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(sys.argv[2]).resolve()
sys.path.insert(0, str(ROOT / "tests" / "websocket"))
import planted_bugs

LEAST_ROWS = 25
WORKERS = 12  # the runs of planted bugs wait most of their time
OTHER_TABLES = ("incidents.tsv", "answer-incidents.tsv", "request-incidents.tsv")
LINK = re.compile(r"\[(\S+/\S+#\d+)\]\((https://\S+)\)")
PLANTED = {f"planted:{bug}": (transports, bug) for bug, _, transports, _ in planted_bugs.PLANTED}


def rows_of(table):
    lines = (ROOT / "docs" / "data" / table).read_text(encoding="utf-8").splitlines()
    return [line.split("\t") for line in lines if not line.startswith("#")][1:]


def runs_of(case, mutant):
    """The run of the mutant and the run of its reference, each with the case and the target."""
    if mutant.startswith("planted:"):
        transports, bug = PLANTED[mutant]
        return (case, (transports, bug)), (case, (transports, ""))
    upstream = case.split("/")[0]
    return (case, f"mutant:{mutant}"), (case, "reference" if upstream == "openai.chat" else f"reference:{upstream}")


def outcome_of(splitproof, folder, case, target):
    """The exit code, and the violated rules of level must."""
    if isinstance(target, tuple):
        transports, bug = target
        name = re.sub(r"\W+", "-", f"{bug or 'sound'}-{transports}-{case}")
        done, rules = planted_bugs.violated(splitproof, folder, name, transports,
                                            case.removeprefix(planted_bugs.RECORDING), bug)
        return done.returncode, rules
    done = subprocess.run([splitproof, "replay", case, "--target", target, "--json"],
                          capture_output=True, text=True, timeout=120)
    findings = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    return done.returncode, {finding["obligation"] for finding in findings if finding["level"] == "must"}


def faults_of_table(rows):
    links = [LINK.fullmatch(row[0]) for row in rows]
    if len(rows) < LEAST_ROWS:
        yield f"{len(rows)} rows, fewer than {LEAST_ROWS}"
    for (report, symptom, case, mutant, _), link in zip(rows, links):
        if not link or re.sub("/(issues|pull)/", "#", link[2]) != f"https://github.com/{link[1]}":
            yield f"not a report with its address: {report}"
        if len(symptom.split()) > 10:
            yield f"more than ten words: {symptom}"
        if "planted:" in mutant and not case.startswith(f"`{planted_bugs.RECORDING}?"):
            yield f"the recording of planted bugs is {planted_bugs.RECORDING}: {case}"
    reports = [link[1] for link in links if link]
    elsewhere = {link[1] for table in OTHER_TABLES for link in (LINK.match(row[0]) for row in rows_of(table)) if link}
    for report in sorted(set(reports)):
        if reports.count(report) > 1 or report in elsewhere:
            yield f"has another row: {report}"


def main(splitproof):
    rows = rows_of("reports.tsv")
    print(f"1..{len(rows) + 1}")
    failures = list(faults_of_table(rows))
    print("\n".join([f"{'not ok' if failures else 'ok'} 1 - the table", *("# " + failure for failure in failures)]))
    runs = [runs_of(case.strip("`"), mutant.strip("`")) for _, _, case, mutant, _ in rows]
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
        begun = {}
        for run in sorted({run for pair in runs for run in pair}, key=lambda run: isinstance(run[1], str)):
            begun[run] = pool.submit(outcome_of, splitproof, pathlib.Path(folder), *run)
        for number, ((report, _, _, mutant, rule), (wrong, right)) in enumerate(zip(rows, runs), 2):
            code, violated = begun[wrong].result()
            sound_code, sound_violated = begun[right].result()
            is_shown = code == 1 and rule in violated and sound_code == 0
            failures += [] if is_shown else [report]
            print(f"{'ok' if is_shown else 'not ok'} {number} - {LINK.match(report)[1]}: {mutant} ends with {code} "
                  f"{sorted(violated)}, expected {rule}; its reference ends with {sound_code} {sorted(sound_violated)}",
                  flush=True)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
