#!/usr/bin/env python3
"""Lets every single write of every file that splitproof writes fail: the disk is full, it breaks, the program is killed.

usage: failing_writes.py SPLITPROOF PRELOADED

What a file said before, or all that it was to say, must stand there afterwards, and an error must be told.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

RUN = ["run", "--only", "openai.chat/tool-plain", "--splits", "0", "--recuts", "0", "--target", "mutant:second-message_delta", "--jobs", "1"]
FORMATS = ["jsonl", "junit", "md", "html", "sarif", "github-summary", "badge"]
EXPECTATION = "VIOLATES * nothing/* ANT-01 # a reason that somebody wrote\n"


def writers(folder):
    """What is written, and the command that writes it."""
    for form in FORMATS:
        yield f"report.{form}", RUN + ["--report", f"{form}:{folder}/report.{form}"]
    yield "expect", RUN + ["--write-expect", f"{folder}/expect"]
    yield "evidence", RUN + ["--evidence", f"{folder}/evidence"]
    stream = pathlib.Path(folder) / "captured.sse"
    stream.write_text('data: {"choices":[{"delta":{"content":"Hello"}}]}\n\n')
    yield "imported", ["import", "sse", "--replace", "--protocol", "openai.chat", "--out", f"{folder}/imported", str(stream)]
    yield "smallest", ["shrink", "--target", "mutant:second-message_delta", "--tries", "20", "--out", f"{folder}/smallest",
                       "openai.chat/tool-plain"]


def contents(path):
    """Each file's text; only what can be told from a rest of a write that was broken off."""
    files = [path] if path.is_file() else sorted(p for p in path.rglob("*") if p.is_file())
    return {p.name: p.read_text() for p in files if p.suffix != ".new"}


def is_json_lines(text):
    """But for what stands behind the last line feed."""
    try:
        return all(json.loads(line) for line in text.split("\n")[:-1])
    except ValueError:
        return False


def main(splitproof, preloaded):
    tried = 0
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        for name, command in writers(folder):
            path = pathlib.Path(folder) / name
            counted = pathlib.Path(folder) / "count"

            def run(**environment):
                done = subprocess.run([splitproof, *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60,
                                      env={**os.environ, "LD_PRELOAD": preloaded, **environment})
                return done.returncode, done.stderr.decode(errors="replace")

            def before():
                for rest in pathlib.Path(folder).glob("*.new"):
                    rest.unlink()
                if name == "expect":
                    path.write_text(EXPECTATION)
                elif "." in name:
                    path.write_text("an old report\n")
                return contents(path) if path.exists() else {}

            before()
            code, said = run(COUNT_TO=str(counted))
            if code not in (0, 1) or not contents(path):
                wrong.append(f"{name}: cannot be written at all ({code}): {said}")
                continue
            whole = contents(path)
            for at in range(1, int(counted.read_text()) + 1):
                for how in ("full", "io", "kill"):
                    old = before()
                    code, said = run(FAIL_AT=str(at), FAIL_WITH=how)
                    now = contents(path) if path.exists() else {}
                    tried += 1
                    for file, text in now.items():
                        if text not in (old.get(file), whole.get(file)):
                            wrong.append(f"{name}: call {at}, {how}: {file} says neither the old nor the new:\n{text[:200]}")
                    lines = pathlib.Path(f"{path}.part")
                    if lines.exists() and not is_json_lines(lines.read_text()):
                        wrong.append(f"{name}: call {at}, {how}: what grew is no JSON Lines")
                    # A run takes the manifest away first: files that are half its own have none.
                    gone = set(old) - set(now) - {"manifest.evidence.json"}
                    if gone:
                        wrong.append(f"{name}: call {at}, {how}: {gone} is gone")
                    if how != "kill" and (code in (0, 1) or "cannot be written" not in said) and now != whole:
                        wrong.append(f"{name}: call {at}, {how}: exit code {code}, and said only: {said}")
    print(f"{tried} failures tried, {len(wrong)} went wrong")
    print("\n".join(wrong))
    return 1 if wrong or tried < 100 else 0


sys.exit(main(*sys.argv[1:]))
