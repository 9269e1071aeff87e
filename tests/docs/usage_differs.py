#!/usr/bin/env python3
"""Compares the findings of `check` about counts in the streams of ../shared/recordings with the rows under
`differs` in contracts/vocabulary/usage.yaml: each finding needs a row of its provider, and each row a finding."""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / ".ci"))
from judged_streams import findings, shared  # noqa: E402

RULES = {"USE-10": "anthropic.messages", "USE-11": "openai.chat", "USE-12": "openai.responses"}
ROW = re.compile(r'  - \{rule: (USE-\d+), provider: ([\w-]+), why: "[^"]+"\}')


def rows():
    lines = (ROOT / "contracts/vocabulary/usage.yaml").read_text(encoding="utf8").splitlines()
    for number, line in enumerate(lines[lines.index("differs:") + 1:], lines.index("differs:") + 2):
        row = ROW.fullmatch(line)
        if not row:
            sys.exit(f"contracts/vocabulary/usage.yaml:{number}: no row of a provider; write {ROW.pattern}")
        yield row[1], row[2]


def main(program):
    found, streams = {}, 0
    for rule, protocol in RULES.items():
        files = sorted(shared("recordings", protocol.replace(".", "-")).glob("*.sse"))
        streams += len(files)
        for file, list_of_findings in findings(program, protocol, files).items():
            for finding in list_of_findings:
                if finding["obligation"] in RULES or "more than any" in finding["message"]:
                    provider = pathlib.Path(file).name.split("__")[0]
                    found.setdefault((finding["obligation"], provider), []).append((file, finding["message"]))
    explained = set(rows())
    for rule, provider in sorted(found.keys() - explained):
        file, message = found[rule, provider][0]
        print(f"{rule} blames a stream of {provider}, and no row says why: {file}: {message}")
    for rule, provider in sorted(explained - found.keys()):
        print(f"{rule} blames no stream of {provider}: remove its row")
    blamed = sum(len({file for file, _ in those}) for those in found.values())
    print(f"{streams} streams, {blamed} blamed by a rule on counts, {len(explained)} rows")
    sys.exit(found.keys() != explained)


main(sys.argv[1])
