#!/usr/bin/env python3
"""Tests readers of event streams that have planted bugs. The rule that names a bug must be the only cause in the report,
and the readers without a bug must conform.

usage: planted.py SPLITPROOF ROOT
"""
import json
import pathlib
import subprocess
import sys
import tempfile

# Reader, bug, the rule that names the bug, and the recordings of corpus/sse. The recordings are those with the trap; a
# bug that any stream shows has a few without others.
PLAIN = ["single-lf-between-fields", "several-in-one-read"]
BUGS = [
    ("lines.mjs", "decoder", "LIB-01", ["multibyte"]),
    ("lines.mjs", "separators", "LIB-06", ["separators-in-text", "separators-in-arguments"]),
    ("characters.mjs", "crlf", "LIB-02", ["cr-at-end-of-read"]),
    ("characters.mjs", "type", "LIB-05", PLAIN),
    ("blocks.mjs", "last", "LIB-13", PLAIN),
    ("blocks.mjs", "unfinished", "LIB-14", ["no-final-blank-line", "ends-inside-line"]),
    ("bytes.mjs", "buffer", "LIB-17", ["several-data-lines"]),
    ("bytes.mjs", "space", "LIB-10", ["colon-and-spaces"]),
    ("queue.mjs", "one", "LIB-04", PLAIN),
    ("queue.mjs", "held", "LIB-21", PLAIN),
    ("lines.py", "line", "LIB-03", PLAIN),
    ("lines.py", "splitlines", "LIB-06", ["separators-in-text", "separators-in-arguments"]),
    ("fields.py", "data", "LIB-11", ["several-data-lines"]),
    ("fields.py", "comment", "LIB-09", ["comments-everywhere"]),
    ("marks.py", "mark", "LIB-08", ["byte-order-mark"]),
    ("marks.py", "nul", "LIB-12", ["ids"]),
    ("strict.py", "unknown", "LIB-20", ["retry-and-unknown-fields"]),
    ("strict.py", "retry", "LIB-20", ["retry-and-unknown-fields"]),
    ("events.py", "twice", "LIB-16", PLAIN),
    ("events.py", "id", "LIB-19", ["ids"]),
]
INTERPRETERS = {".mjs": "node", ".py": "python3"}


def write_target(folder, source, reader, bug):
    """Returns the path of a target file, which runs the reader with the bug, or without one."""
    name = reader.replace(".", "-") + ("-" + bug if bug else "")
    command = [INTERPRETERS[pathlib.Path(reader).suffix], str(source / reader)] + ([bug] if bug else [])
    target = {"target": name, "tests": "client", "kind": "pipe", "reads": "events", "client": "any", "command": command}
    path = folder / (name + ".yaml")
    path.write_text(json.dumps(target))
    return path


def run(splitproof, targets, corpus, folder):
    """Returns the exit code, the rules that are causes by target, and the output."""
    report = folder / "report.jsonl"
    command = [splitproof, "run", "--corpus", str(corpus), "--splits", "0", "--recuts", "0", "--report", f"jsonl:{report}"]
    for target in targets:
        command += ["--target", str(target)]
    ended = subprocess.run(command, capture_output=True, text=True)
    causes = {}
    for line in report.read_text().split("\n")[:-1] if report.exists() else []:
        row = json.loads(line)
        if "cause" in row and "number" in row:
            causes.setdefault(row["target"], set()).add(row["cause"])
    return ended.returncode, causes, ended.stdout + ended.stderr


def main(splitproof, root):
    source, corpus = root / "tests" / "clients" / "planted", root / "corpus" / "sse"
    wrong = []
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        for recordings in sorted({tuple(bug[3]) for bug in BUGS}):
            chosen = folder / "-".join(recordings) / "sse"
            chosen.mkdir(parents=True)
            for name in recordings:
                (chosen / f"{name}.rec.jsonl").write_bytes((corpus / f"{name}.rec.jsonl").read_bytes())
            bugs = [bug for bug in BUGS if bug[3] == list(recordings)]
            targets = [write_target(folder, source, reader, bug) for reader, bug, _, _ in bugs]
            code, causes, output = run(splitproof, targets, chosen.parent, folder)
            for target, (reader, bug, rule, _) in zip(targets, bugs):
                found = causes.get(target.stem, set())
                if code != 1 or found != {rule}:
                    wrong.append(f"{reader} {bug}: expected {rule}, found {sorted(found)}, exit code {code}\n{output}")
        targets = [write_target(folder, source, reader, "") for reader in sorted({bug[0] for bug in BUGS})]
        code, causes, output = run(splitproof, targets, corpus.parent / "sse", folder)
        if code != 0:
            wrong.append(f"readers without a bug: exit code {code}, found {causes}\n{output}")
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], pathlib.Path(sys.argv[2])))
