#!/usr/bin/env python3
"""Measures how many seeded bugs of the three proxies (bugs.json) a search finds, guided and unguided, and that the repaired
twins give no finding.

usage: measure.py SPLITPROOF OUT [--for TIME | --cases N] [--seed S] [--shards N] [--proxy NAME]... [--mode guided|unguided|twin|planned]...

The proxies have all their bugs at once. They write the number of each bug that acts to a file (HUNT_LOG). A bug counts as
found if a case that the search reports as a finding makes it act again when that case is replayed. With --shards, that many
searches that differ share the cases. OUT is a folder for the target files, the logs of the searches and result.json."""
import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
RECORDINGS = {
    "node": ["text-plain", "text-multibyte", "text-escapes", "tool-plain", "tool-after-text", "tool-parallel",
             "thinking-then-tool", "ping-everywhere"],
    "python": ["text-plain", "text-multibyte", "text-surrogate-escapes", "tool-plain", "tool-after-text", "tool-parallel",
               "thinking-then-tool"],
    "c": ["text-plain", "text-multibyte", "text-escapes", "tool-plain", "tool-after-text", "tool-parallel",
          "reasoning-then-tool"],
}
NEEDS = {"node": "node", "python": "python3", "c": "clang"}
PROTOCOLS = {"node": "anthropic.messages", "python": "openai.chat", "c": "openai.responses"}


def bugs_of(proxy):
    return [bug["bug"] for bug in json.loads((HERE / "bugs.json").read_text()) if bug["proxy"] == proxy]


def target_of(proxy, bugs, folder, log):
    """Writes a target file of a proxy with these bugs ("all" or "none"), and returns its path."""
    protocol = PROTOCOLS[proxy]
    head = f"target: hunt-{proxy}-{bugs}\nclient: {protocol}\nupstream: {protocol}\n"
    env = f'HUNT_BUGS: "{bugs}", HUNT_LOG: "{log}"'
    if proxy == "node":
        text = head + f"""kind: http
command: [node, {HERE}/node/relay.mjs]
env: {{PORT: "{{port}}", UPSTREAM: "{{upstream}}", {env}}}
listen: "http://127.0.0.1:{{port}}"
request: {{path: /v1/messages, model: any-model, headers: {{x-api-key: sk-test-12345678}}}}
coverage: node
instances: 2
"""
    elif proxy == "python":
        text = head + f"""kind: pipe
command: [{sys.executable}, {HERE}/python/relay.py]
env: {{PYTHONDONTWRITEBYTECODE: "1", {env}}}
coverage: {{by: python, files: [{HERE}/python]}}
instances: 2
"""
    else:
        text = head + f"kind: in-process\nlibrary: {folder}/relay.so\nvariant: {bugs}\ncoverage: sancov\n"
    path = folder / f"{proxy}-{bugs}.yaml"
    path.write_text(text)
    return path


def compile_library(folder):
    subprocess.run(["clang", "-std=c99", "-O0", "-shared", "-fPIC", "-fsanitize-coverage=inline-8bit-counters,pc-table",
                    "-I", str(ROOT), "-o", str(folder / "relay.so"),
                    *(str(HERE / "c" / name) for name in ("relay.c", "events.c", "bugs.c"))], check=True)


def selection(proxy, folder):
    """Copies the recordings of a proxy to a corpus of their own, and returns the options that select it."""
    corpus = folder / f"corpus-{proxy}"
    for name in RECORDINGS[proxy]:
        path = pathlib.Path(PROTOCOLS[proxy]) / f"{name}.rec.jsonl"
        (corpus / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / "corpus" / path, corpus / path)
    return ["--corpus", corpus]


def acted(log):
    return {int(line) for line in log.read_text().split()} if log.exists() else set()


def run(words, log, **options):
    """Runs splitproof, and returns its result and the bugs that acted meanwhile."""
    log.unlink(missing_ok=True)
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True,
                          env={**os.environ, "HUNT_LOG": str(log)}, **options)
    return done, acted(log)


def cases_with_findings(log):
    """The cases of a search's log that violated a rule, with the number of the case."""
    found = []
    for line in log.read_text().splitlines():
        row = json.loads(line)
        if row.get("violations"):
            found.append((row["number"], row["case"]))
    return found


def search(args, proxy, mode):
    """Runs one search, and returns its row."""
    folder = args.out
    bug_log = folder / f"{proxy}-{mode}.acted"
    target = target_of(proxy, "none" if mode == "twin" else "all", folder, bug_log)
    shutil.rmtree(folder / f"{proxy}-{mode}", ignore_errors=True)
    row = {"proxy": proxy, "mode": mode, "seconds": 0, "cases": 0}
    findings = []
    for shard in range(1, args.shards + 1):
        search_log = folder / f"{proxy}-{mode}" / str(shard) / "log.jsonl"
        search_log.parent.mkdir(parents=True)
        words = [args.splitproof, "fuzz", "--target", target, "--seed", str(args.seed), "--shard", f"{shard}/{args.shards}",
                 "--corpus-out", search_log.parent, *selection(proxy, args.out)]
        words += ["--cases", str(args.cases // args.shards)] if args.cases else ["--for", args.time]
        if mode == "unguided":
            words.append("--unguided")
        began = time.monotonic()
        done, _ = run(words, bug_log)
        row["seconds"] += round(time.monotonic() - began)
        row["exit"] = done.returncode
        row["said"] = (done.stdout or done.stderr).strip().splitlines()[-1:]
        rows = [json.loads(line) for line in search_log.read_text().splitlines()]
        row["cases"] += max([0] + [one.get("number", one.get("reached", 0)) for one in rows])
        findings += cases_with_findings(search_log)
    found = {}
    for number, case in sorted(findings):
        if len(found) == len(bugs_of(proxy)):
            break
        _, bugs = run([args.splitproof, "replay", case, "--target", target, *selection(proxy, folder)], bug_log)
        for bug in bugs:
            found.setdefault(bug, {"case": number, "id": case})
    row["found"] = {str(bug): found[bug] for bug in sorted(found)}
    row["findings"] = len(findings)
    return row


def planned(args, proxy):
    """Runs the planned campaign, which must find nothing, with all bugs and with the twin."""
    rows = []
    for bugs in ("none", "all"):
        log = args.out / f"{proxy}-planned-{bugs}.acted"
        target = target_of(proxy, bugs, args.out, log)
        for options in ([], ["--quick"]):
            done, numbers = run([args.splitproof, "run", "--target", target, *options, *selection(proxy, args.out)], log)
            rows.append({"proxy": proxy, "mode": "planned", "bugs": bugs, "options": " ".join(options),
                         "exit": done.returncode, "acted": sorted(numbers),
                         "said": (done.stdout or done.stderr).strip().splitlines()[-1:]})
    return rows


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("splitproof", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--for", dest="time", default="10m")
    parser.add_argument("--cases", type=int, help="number of cases, instead of a time")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--shards", type=int, default=1)
    parser.add_argument("--proxy", action="append", choices=list(PROTOCOLS))
    parser.add_argument("--mode", action="append", choices=["guided", "unguided", "twin", "planned"])
    args = parser.parse_args()
    args.out = args.out.resolve()
    args.out.mkdir(parents=True, exist_ok=True)
    args.splitproof = args.splitproof.resolve()
    rows = []
    for proxy in args.proxy or list(PROTOCOLS):
        if shutil.which(NEEDS[proxy]) is None:
            print(f"{proxy}: {NEEDS[proxy]} is not installed", flush=True)
            continue
        if proxy == "c":
            compile_library(args.out)
        for mode in args.mode or ["planned", "guided", "unguided", "twin"]:
            rows += planned(args, proxy) if mode == "planned" else [search(args, proxy, mode)]
            print(json.dumps(rows[-1]), flush=True)
    (args.out / "result.json").write_text(json.dumps(rows, indent=1) + "\n")
    print_table(rows)
    return 1 if any(row["mode"] == "planned" and (row["exit"] or row["acted"]) or
                    row["mode"] == "twin" and row["findings"] for row in rows) else 0


def print_table(rows):
    """Prints the bugs, and the case in which each search found them."""
    searches = {(row["proxy"], row["mode"]): row for row in rows if row["mode"] != "planned"}
    bugs = [bug for bug in json.loads((HERE / "bugs.json").read_text())
            if any((bug["proxy"], mode) in searches for mode in ("guided", "unguided"))]
    if bugs:
        print("| bug | proxy | needs | guided: case | unguided: case |\n|---|---|---|---|---|")
    for bug in bugs:
        at = []
        for mode in ("guided", "unguided"):
            row = searches.get((bug["proxy"], mode))
            at.append("-" if row is None else str(row["found"].get(str(bug["bug"]), {}).get("case", "not found")))
        print(f"| {bug['bug']} | {bug['proxy']} | {bug['trigger']} | {at[0]} | {at[1]} |")
    for row in rows:
        if row["mode"] != "planned":
            print(f"{row['proxy']} {row['mode']}: {len(row['found'])} of {len(bugs_of(row['proxy']))} bugs, "
                  f"{row['findings']} findings, {row['cases']} cases in {row['seconds']} s")
        else:
            print(f"{row['proxy']} planned {row['options']}, bugs {row['bugs']}: exit {row['exit']}, "
                  f"acted {row['acted']}, {row['said']}")


if __name__ == "__main__":
    sys.exit(main())
