#!/usr/bin/env python3
"""Lets every single write of every output file fail: the disk is full, it breaks, or the program is killed.

usage: failing_writes.py SPLITPROOF PRELOADED

Afterwards a file must have its old content or all of its new content, and splitproof must report an error.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

CASE = ["--only", "openai.chat/tool-plain", "--splits", "0", "--recuts", "0", "--jobs", "1"]
MUTANT = ["--target", "mutant:second-message_delta"]
RUN = ["run", *CASE, *MUTANT]
EXPECTATION = "VIOLATES * nothing/* ANT-01 # a reason that somebody wrote\n"
TARGET = """
target: passes
kind: pipe
client: openai.chat
upstream: openai.chat
install: "true"
version: echo 1
files: {"{dir}/folder/settings": "what it is told\\n"}
command: [%s, -c, "import json, sys\\nfor line in sys.stdin:\\n  message = json.loads(line)\\n  if 'feed' in message: print(json.dumps({'out': message['feed']}))\\n  print('{\\"ack\\": true}', flush=True)"]
"""
FAILURES = ["full", "io", "kill"]
TOLD = re.compile("cannot be (written|locked|run): |cannot (lock|write) ")
WHOLE = re.compile(r"\.(new|part)$")
# When a run began and how long it took. It differs between runs.
TIME = re.compile(r'\d{4}-\d\d-\d\d[T ][\d:\\]+(Z| UTC)|"(milli)?seconds":[\d.]+|\b[\d.,\\]+ m?s\b')
# Files that nobody keeps: a lock, and logs that grow as a program writes them.
NOT_KEPT = re.compile(r"/\.splitproof/lock$|/(install|version|setup|stderr|errors)[^/]*(\.log)?$|^/dev/null$")


def formats(splitproof, command):
    """Returns all report formats in the program's help."""
    told = subprocess.run([splitproof, command, "--help"], capture_output=True, text=True, check=True).stdout
    return re.findall(r"\b([a-z][a-z-]*):PATH", told)


def writers(folder, splitproof):
    """Returns each output, and the command that writes it."""
    for form in formats(splitproof, "run"):
        yield f"report.{form}", RUN + ["--report", f"{form}:{folder}/report.{form}"]
    yield "expect", RUN + ["--write-expect", f"{folder}/expect"]
    yield "evidence", RUN + ["--evidence", f"{folder}/evidence"]
    subprocess.run([splitproof, *RUN, "--evidence", f"{folder}/seen"], capture_output=True, timeout=60)
    for form in formats(splitproof, "judge"):
        yield f"judged.{form}", ["judge", f"{folder}/seen", "--report", f"{form}:{folder}/judged.{form}"]
    stream = pathlib.Path(folder) / "captured.sse"
    stream.write_text('data: {"choices":[{"delta":{"content":"Hello"}}]}\n\n')
    yield "imported", ["import", "sse", "--replace", "--protocol", "openai.chat", "--out", f"{folder}/imported", str(stream)]
    yield "smallest", ["shrink", *MUTANT, "--tries", "20", "--out", f"{folder}/smallest", "openai.chat/tool-plain"]
    target = pathlib.Path(folder) / "target.yaml"
    target.write_text(TARGET % json.dumps(sys.executable))
    yield "targets", ["run", *CASE, "--target", str(target)]


def contents(path):
    """Returns each file's text, except unfinished temporary files."""
    files = [path] if path.is_file() else sorted(p for p in path.rglob("*") if p.is_file())
    return {p.name: timeless(p) for p in files if p.suffix != ".new"}


def timeless(path):
    return TIME.sub("TIME", path.read_text())


def is_json_lines(text):
    """Ignores the text after the last line feed."""
    try:
        return all(json.loads(line) for line in text.split("\n")[:-1])
    except ValueError:
        return False


def main(splitproof, preloaded):
    tried = 0
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        for name, command in writers(folder, splitproof):
            path = pathlib.Path(folder) / name
            counted = pathlib.Path(folder) / "count"

            def run(**environment):
                done = subprocess.run([splitproof, *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60,
                                      env={**os.environ, "LD_PRELOAD": preloaded, "SPLITPROOF_TARGETS": f"{folder}/targets",
                                           **environment})
                return done.returncode, done.stderr.decode(errors="replace")

            def before():
                if name == "expect":
                    path.write_text(EXPECTATION)
                elif name == "targets":
                    for file in ("folder/settings", ".splitproof/installed"):
                        old = path / "passes" / file
                        old.parent.mkdir(parents=True, exist_ok=True)
                        old.write_text("what another target file said")
                elif "." in name:
                    path.write_text("an old report\n")
                return contents(path) if path.exists() else {}

            before()
            code, said = run(COUNT_TO=str(counted))
            if code not in (0, 1) or not contents(path):
                wrong.append(f"{name}: cannot be written at all ({code}): {said}")
                continue
            whole = contents(path)
            opened = pathlib.Path(f"{counted}.opened")
            wrong += [f"{name}: {file} is written in another way than files are that people keep"
                      for file in (opened.read_text() if opened.exists() else "").splitlines() if not WHOLE.search(file) and not NOT_KEPT.search(file)]
            opened.unlink(missing_ok=True)
            for at in range(1, int(counted.read_text()) + 1):
                # All reports are written the same way: if they do not grow, each write fails in one way.
                for how in FAILURES if "." not in name or name.endswith(".jsonl") else [FAILURES[at % 3]]:
                    old = before()
                    code, said = run(FAIL_AT=str(at), FAIL_WITH=how)
                    now = contents(path) if path.exists() else {}
                    tried += 1
                    for file, text in now.items():
                        if text not in (old.get(file), whole.get(file)):
                            wrong.append(f"{name}: call {at}, {how}: {file} says neither the old nor the new:\n{text[:200]}")
                    for rest in pathlib.Path(folder).rglob("*.new"):
                        grows = ".part." in rest.name and is_json_lines(rest.read_text())
                        if not grows and timeless(rest) not in whole.values():
                            wrong.append(f"{name}: call {at}, {how}: {rest.name} is left, and is not whole")
                    lines = pathlib.Path(f"{path}.part")
                    if lines.exists() and not is_json_lines(lines.read_text()):
                        wrong.append(f"{name}: call {at}, {how}: what grew is no JSON Lines")
                    # A run removes the manifest first: incomplete evidence has none. The same for the note that a
                    # target is installed.
                    gone = set(old) - set(now) - {"manifest.evidence.json", "installed"}
                    if gone:
                        wrong.append(f"{name}: call {at}, {how}: {gone} is gone")
                    if how != "kill" and (code in (0, 1) or not TOLD.search(said)) and now != whole:
                        wrong.append(f"{name}: call {at}, {how}: exit code {code}, and said only: {said}")
            run()
            wrong += [f"{name}: {rest.name} is left, though it was written again" for rest in pathlib.Path(folder).rglob("*.new")]
    print(f"{tried} failures tried, {len(wrong)} went wrong")
    print("\n".join(wrong))
    return 1 if wrong or tried < 100 else 0


sys.exit(main(*sys.argv[1:]))
