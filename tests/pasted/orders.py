#!/usr/bin/env python3
"""Checks the order of events in pasted tests with the streams of the rules: each violating stream has a problem,
and no control has one.

usage: orders.py ROOT FRAMEWORK     (vitest or pytest; TAP)
"""
import json
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(sys.argv[1])
PASTED = ROOT / "contracts" / "pasted"
FALSIFIER = re.compile(r"\{file: (falsifiers/[\w.-]+)[^}]*\}")
CONTROL = re.compile(r"control: (falsifiers/[\w.-]+)")


def parts(protocol, framework):
    """Returns the source of the reader of events and of the protocol's reader."""
    frame = (PASTED / ("vitest.mjs" if framework == "vitest" else "pytest.py")).read_text()
    begin = frame.index("function events(" if framework == "vitest" else "def events(")
    reader = (PASTED / (protocol + (".mjs" if framework == "vitest" else ".py"))).read_text()
    return frame[begin:frame.index("@READER@")] + reader


def problems(protocol, framework, streams):
    """Returns the number of problems of each stream."""
    texts = [(ROOT / "contracts" / stream).read_text(errors="replace") for stream in streams]
    if framework == "pytest":
        scope = {"json": json, "re": re}
        exec(parts(protocol, framework), scope)  # pylint: disable=exec-used
        return [len(scope["read"](scope["events"](text))[1]) for text in texts]
    script = (parts(protocol, framework) + "\nconst texts = JSON.parse(require('fs').readFileSync(0, 'utf8'));"
              "\nconsole.log(JSON.stringify(texts.map((text) => read(events(text)).problems.length)));")
    return json.loads(subprocess.run(["node", "-e", script], input=json.dumps(texts), capture_output=True, text=True,
                                     check=True).stdout)


def main(framework):
    if framework == "vitest" and not shutil.which("node"):
        print("1..0 # SKIP node is not installed")
        return 0
    results = []
    for covers in sorted(PASTED.glob("*.covers")):
        protocol = covers.stem
        rules = dict(part.split("\n", 1) for part in re.split(
            r"^  - id: ", (ROOT / "contracts" / f"{protocol}.downstream.yaml").read_text(), flags=re.M)[1:])
        rows = []  # rule, stream, true if it violates the rule
        for rule in covers.read_text().split():
            for found in FALSIFIER.finditer(rules[rule]):
                if "knobs" not in found[0]:
                    rows.append((rule, found[1], True))
                    rows += [(rule, control[1], False) for control in CONTROL.finditer(found[0])]
        counts = problems(protocol, framework, [row[1] for row in rows])
        results += [((count > 0) == breaks, rule, stream, count) for (rule, stream, breaks), count in zip(rows, counts)]
    print(f"1..{len(results)}")
    for number, (right, rule, stream, count) in enumerate(results, 1):
        print(f"{'ok' if right else 'not ok'} {number} - {rule}: {stream} has {count} problems")
    return 0 if len(results) > 30 and all(result[0] for result in results) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[2]))
