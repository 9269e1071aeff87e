#!/usr/bin/env python3
"""Finds each planted bug of proxy.py under the rule that is named here beforehand. Its repaired twin conforms.

usage: planted_bugs.py SPLITPROOF
"""
import json
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
RECORDING = "openai.responses/text-multibyte"
PLAIN, FRAMES, CLOSED = "?*gen=whole", "?*frames=*", "?*fault=close*"  # cases of the recording
TARGET = """target: {name}
kind: http
client: openai.responses
upstream: openai.responses
transport: {{client: {client}, upstream: {upstream}}}
command: [{python}, {proxy}, "{{port}}", "{{upstream_port}}", --client, {client}, --upstream, {upstream}{bug}]
listen: "http://127.0.0.1:{{port}}"
request: {{path: /v1/responses, model: any}}
max_concurrency: 8
timeout: 5s
"""

# Bug, the rule that must find it, the transports of client and upstream, and the cases.
BOTH = ("websocket", "websocket")
PLANTED = [
    ("close-as-success", "WS-09", BOTH, CLOSED),
    ("ping-resets-watchdog", "WS-12", BOTH, PLAIN),
    ("mixed", "WS-11", BOTH, PLAIN),
    ("fragment-lost", "WS-06", BOTH, FRAMES),
    ("mask-kept", "WS-10", BOTH, PLAIN),
    ("compression", "WS-02", BOTH, PLAIN),
    ("data-after-close", "WS-07", BOTH, PLAIN),
    ("refusal-404", "TRN-13", ("http", "websocket"), PLAIN),
    ("wrong-accept", "WS-01", BOTH, PLAIN),
    ("binary-event", "WS-06", BOTH, PLAIN),
    ("unmasked", "WS-05", BOTH, PLAIN),
    ("no-pong", "WS-08", BOTH, FRAMES),
    ("reserved-bit", "WS-04", BOTH, PLAIN),
    ("long-length", "WS-04", BOTH, PLAIN),
    ("nothing-after-first", "WS-11", BOTH, PLAIN),
    ("header-in-one-read", "META-04", BOTH, "?*gen=bytes*"),
    ("short-length", "META-04", BOTH, "?*frames=65536*"),
]
TWINS = [BOTH, ("websocket", "http"), ("http", "websocket")]


def violated(splitproof, folder, name, transports, cases, bug=""):
    client, upstream = transports
    target = folder / f"{name}.yaml"
    target.write_text(TARGET.format(name=name, client=client, upstream=upstream, python=sys.executable,
                                    proxy=HERE / "proxy.py", bug=f", --bug, {bug}" if bug else ""))
    report = folder / f"{name}.jsonl"
    done = subprocess.run([splitproof, "run", "--target", target, "--only", RECORDING + cases, "--faults", "--no-shard",
                           "--report", f"jsonl:{report}"], capture_output=True, text=True, timeout=600)
    lines = [json.loads(line) for line in report.read_text().splitlines()] if report.exists() else []
    rules = {line["obligation"] for line in lines if line.get("verdict") == "violated" and line["level"] == "must"}
    return done, rules


def main(splitproof):
    failures = 0
    print(f"1..{len(PLANTED) + len(TWINS)}")

    def tell(number, name, ok, done, rules):
        nonlocal failures
        print(f"{'ok' if ok else 'not ok'} {number} - {name}: {', '.join(sorted(rules)) or 'nothing'}", flush=True)
        if not ok:
            failures += 1
            print("\n".join("# " + line for line in (done.stdout + done.stderr).splitlines()[-40:]))

    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for number, (bug, rule, transports, cases) in enumerate(PLANTED, 1):
            done, rules = violated(splitproof, folder, bug, transports, cases, bug)
            tell(number, f"{bug} under {rule}", done.returncode == 1 and rule in rules, done, rules)
        for number, transports in enumerate(TWINS, len(PLANTED) + 1):
            done, rules = violated(splitproof, folder, "-to-".join(transports), transports, "*")
            tell(number, f"twin {' to '.join(transports)} conforms", done.returncode == 0, done, rules)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
