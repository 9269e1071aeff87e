#!/usr/bin/env python3
"""The example of a relay in docs/without-http.md: it conforms, and each bug in its requests is found under the id next to
it.

usage: relay_example.py SPLITPROOF FOLDER-OF-EXAMPLES
"""
import json
import pathlib
import subprocess
import sys
import tempfile

BUGS = [  # change of the client's request, the request that shows it, the obligation
    ("declares custom tools as functions", "custom-tool", "REQ-49",
     '{**request, "tools": [{**tool, "type": "function"} if tool["type"] == "custom" else tool '
     'for tool in request.get("tools", [])]}'),
    ("drops encrypted reasoning", "reasoning-sealed", "RET-22",
     '{**request, "input": [item for item in request["input"] if not isinstance(item, dict) or item.get("type") != "reasoning"]}'),
]


def run(splitproof, folder, only):
    """Returns the ids of violated `must` rules, the exit code, and the output."""
    report = pathlib.Path(folder, "report.jsonl")
    done = subprocess.run([splitproof, "run", "--target", pathlib.Path(folder, "relay.yaml"), "--only", only, "--splits", "2",
                           "--recuts", "2", "--report", f"jsonl:{report}"], capture_output=True, text=True)
    rows = [json.loads(line) for line in report.read_text().splitlines()] if report.exists() else []
    ids = {row["obligation"] for row in rows if row.get("verdict") == "violated" and row.get("level") == "must"}
    return ids, done.returncode, done.stdout[-2000:] + done.stderr


def main():
    splitproof, examples = sys.argv[1], pathlib.Path(sys.argv[2])
    program = (examples / "relay.py").read_text()
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "relay.yaml").write_text((examples / "relay.yaml").read_text())

        def expect(what, change, only, wanted):
            pathlib.Path(folder, "relay.py").write_text(program.replace("return request\n", f"return {change}\n"))
            ids, code, said = run(splitproof, folder, only)
            print(f"{what}: {' '.join(sorted(ids)) or 'conforms'}")
            if wanted - ids or (not wanted and ids) or code != (1 if wanted else 0):
                print(f"  wanted {wanted or 'nothing'}, exit code {code}\n{said}")
                return 1
            return 0

        wrong += expect("on requests", "request", "requests/openai.responses/openai.responses/*", set())
        wrong += expect("on streams and second turns", "request", "openai.responses/reasoning-*", set())
        for what, request, wanted, change in BUGS:
            wrong += expect(what, change, f"requests/openai.responses/openai.responses/{request}", {wanted})
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
