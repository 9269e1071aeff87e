#!/usr/bin/env python3
"""Gives splitproof inputs without an end, and targets with too much output. Each command has to end in time, with
the right exit code, within its limits of memory and disk.

usage: bounds.py SPLITPROOF
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading
import time

MEGABYTE = 1 << 20
ANY_INPUT_MB = 300  # an input has at most 256 MB
TIMEOUT = 240

PIPE = """
target: {name}
kind: pipe
client: openai.chat
upstream: openai.chat
command: [{python}, "-c", {program}]
timeout: 2s
"""
# Answers its first input with endless lines, or with one endless line.
OUT_WITHOUT_END = """
import json, sys
sys.stdin.readline()
piece = json.dumps({"out": "data: {}\\n\\n" * 10000}) + "\\n"
while True: sys.stdout.write(piece)
"""
LINE_WITHOUT_END = """
import sys
sys.stdin.readline()
sys.stdout.write('{"out": "')
while True: sys.stdout.write("x" * 100000)
"""
FLOOD = """
import json, sys, threading
def flood():
    while True: sys.stderr.write("words that nobody reads\\n" * 1000)
threading.Thread(target=flood, daemon=True).start()
for line in sys.stdin:
    message = json.loads(line)
    if "feed" in message: print(json.dumps({"out": message["feed"]}))
    print('{"ack": true}', flush=True)
"""


def size_of(folder):
    total = 0
    for path in folder.rglob("*"):
        try:
            total += path.stat().st_blocks * 512
        except OSError:
            pass  # removed meanwhile
    return total


def recorded(events):
    """Returns a recording of Chat Completions with these pieces of text."""
    lines = [{"splitproof": 1, "protocol": "openai.chat", "title": "a long answer", "features": [],
              "response": {"status": 200, "headers": {"content-type": "text/event-stream"}},
              "provenance": {"source": "written for this test", "license": "Apache-2.0"}}]
    for piece in events:
        body = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m",
                "choices": [{"index": 0, "delta": {"content": piece}, "finish_reason": None}]}
        lines.append({"at": 0.1, "text": f"data: {json.dumps(body)}\n\n"})
    body["choices"] = [{"index": 0, "delta": {}, "finish_reason": "stop"}]
    lines += [{"at": 0.2, "text": f"data: {json.dumps(body)}\n\n"}, {"at": 0.3, "text": "data: [DONE]\n\n"}, {"at": 0.4, "end": "complete"}]
    return "".join(json.dumps(line) + "\n" for line in lines)


def main(splitproof):
    folder = pathlib.Path(tempfile.mkdtemp(prefix="splitproof-bounds-"))
    disk = folder / "disk"
    disk.mkdir()
    wrong = []

    def run(what, codes, megabytes, *arguments, said=""):
        """Checks the exit code, the output, the peak of memory and, while it runs, disk space."""
        began = time.monotonic()
        most_disk = 0
        with tempfile.TemporaryFile() as out:
            done = subprocess.Popen([splitproof, *map(str, arguments)], stdout=out, stderr=out, start_new_session=True,
                                    env={**os.environ, "TMPDIR": str(disk), "XDG_CACHE_HOME": str(disk)})
            late = threading.Timer(TIMEOUT, done.kill)
            late.start()
            ended = 0
            while not ended:
                ended, status, used = os.wait4(done.pid, os.WNOHANG)
                most_disk = max(most_disk, size_of(disk))
                time.sleep(0.02)
            late.cancel()
            done.returncode = os.waitstatus_to_exitcode(status)
            out.seek(0)
            text = out.read().decode(errors="replace")
        held = used.ru_maxrss // 1024
        good = (done.returncode in codes and held <= megabytes and most_disk <= 256 * MEGABYTE and said in text)
        line = (f"{what}: exit code {done.returncode}, {held} MB of {megabytes}, {most_disk // MEGABYTE} MB on the disk, "
                f"{time.monotonic() - began:.1f} s")
        print(("ok    " if good else "FAILED ") + line, flush=True)
        if not good:
            wrong.append(line + "\n" + text[-2000:])

    def write(name, text):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    plain = ["--only", "openai.chat/text-plain?*gen=whole", "--splits", "0", "--recuts", "0"]
    for name, program, code in (("out without an end", OUT_WITHOUT_END, 1), ("a line without an end", LINE_WITHOUT_END, 1),
                                ("standard error without an end", FLOOD, 0)):
        target = write("target.yaml", PIPE.format(name="talks", python=json.dumps(sys.executable), program=json.dumps(program)))
        run(name, {code}, 500, "run", "--target", target, *plain)

    sparse = folder / "sparse"
    sparse.touch()
    os.truncate(sparse, 1 << 30)
    by_every_reader = lambda name: {
        "check": ["check", name], "decode": ["decode", name],
        "import": ["import", "sse", "--protocol", "openai.chat", "--out", folder / "out", name],
        "--expect": ["run", *plain, "--expect", name], "judge": ["judge", name], "replay": ["replay", name],
        "shrink": ["shrink", name], "diff": ["diff", name, name], "--profile": ["run", *plain, "--profile", name],
        "--target": ["run", *plain, "--target", name]}
    for what, arguments in by_every_reader("/dev/zero").items():
        run(f"{what} of /dev/zero", {2}, ANY_INPUT_MB, *arguments)
    for what, arguments in list(by_every_reader(sparse).items())[:4]:  # the others read a file in the same way
        run(f"{what} of a file of 1 GB without any byte", {2}, ANY_INPUT_MB, *arguments)

    write("corpus/openai.chat/plain.rec.jsonl", recorded(["hello"]))
    contracts = folder / "contracts"
    contracts.mkdir()
    for pipe in (folder / "corpus/openai.chat/pipe.rec.jsonl", contracts / "pipe.yaml"):
        os.mkfifo(pipe)
    run("a pipe among recordings", {0}, 200, "run", "--corpus", folder / "corpus", "--only", "openai.chat/plain", "--splits", "2")
    run("a pipe among contracts", {2}, 200, "run", *plain, "--contracts", contracts, said="the folder has no contract files")
    shutil.rmtree(folder / "corpus")

    long = write("corpus/openai.chat/long.rec.jsonl", recorded(["word " * 20_000] * 4))
    run("recuts of a text of 400 kB", {0}, 500, "run", "--corpus", long.parents[1], "--only", "openai.chat/long", "--splits", "2", "--recuts", "3")

    run("a stream that is broken in 17,280 ways, each passed on and judged", {0}, 100, "run", "--jobs", "1", "--faults",
        "--upstream", "openai.responses", "--client", "openai.responses", "--only", "openai.responses/tool-parallel")

    lines = write("lines.sse", "data: x\n" * (20 * MEGABYTE // 8) + "\n")
    run("20 MB of lines of data", {1}, 400, "check", lines, "--as", "anthropic.messages")
    shutil.rmtree(folder)
    print(f"{len(wrong)} went wrong", *wrong, sep="\n")
    return 1 if wrong else 0


sys.exit(main(*sys.argv[1:]))
