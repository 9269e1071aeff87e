#!/usr/bin/env python3
"""Puts text that controls a terminal or GitHub into every field of every input file, and searches for it in all
output.

usage: hostile_text.py SPLITPROOF
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

# Two commands to GitHub, one to a terminal, one of C1, a change of text direction, a line end.
HOSTILE = "H\n::error::H\n ::set-output name=H::H\n##[group]H \x1b[31mH \u009b2JH \u202eH \u2066H \rH \x7fH"
OBEYED = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]|^\s*::|##\[", re.MULTILINE)


def yaml(text):
    return json.dumps(text)  # YAML accepts all of it except surrogates


CONTRACT = f"""
contract: anthropic.messages.downstream
version: 1
events:
  words: {{/delta/type: text_delta}}
obligations:
  - id: MINE-01
    level: must
    says: {yaml("Says " + HOSTILE)}
    why: {yaml("Why " + HOSTILE)}
    message: {yaml("Tells " + HOSTILE)}
    each: words
    where: {{/delta/text: {{matches: '.{{0,5}}'}}}}
"""
TARGET = f"""
target: {{name}}
kind: pipe
client: anthropic.messages
upstream: openai.chat
install: {{install}}
version: {yaml("printf %s " + "'" + HOSTILE + "'")}
command: [{json.dumps(sys.executable)}, "-c", {yaml(f"import sys; sys.stderr.write({HOSTILE!r}); sys.exit({HOSTILE!r})")}]
"""


def main(splitproof):
    folder = pathlib.Path(tempfile.mkdtemp(prefix="splitproof-hostile-"))
    wrong = []
    tried = 0
    seen = 0

    def run(*arguments, **environment):
        nonlocal tried, seen
        done = subprocess.run([splitproof, *map(str, arguments)], capture_output=True, timeout=120,
                              env={**os.environ, "XDG_CACHE_HOME": str(folder / "cache"), **environment})
        tried += 1
        for what, said in (("stdout", done.stdout), ("stderr", done.stderr)):
            text = said.decode(errors="surrogateescape")
            seen += text.count("H")
            wrong.extend(f"{' '.join(map(str, arguments))!r}, {what}: {line!r}"
                         for line in text.split("\n") if OBEYED.search(line))
        return done.returncode

    def write(name, text):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def chunk(delta, finish=None):
        body = {"id": "chatcmpl-" + HOSTILE, "object": "chat.completion.chunk", "created": 1, "model": HOSTILE,
                "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}
        return {"at": 0.1, "text": f"data: {json.dumps(body)}\n\n"}

    head = {"splitproof": 1, "protocol": "openai.chat", "title": HOSTILE, "features": [HOSTILE],
            "response": {"status": 200, "headers": {"content-type": "text/event-stream", "x-id": "H\x1b[31mH"}},
            "provenance": {"source": HOSTILE, "license": HOSTILE}}
    lines = [head, chunk({"content": HOSTILE}),
             chunk({"tool_calls": [{"index": 0, "id": HOSTILE, "type": "function",
                                    "function": {"name": HOSTILE, "arguments": json.dumps({HOSTILE: HOSTILE})}}]}),
             chunk({}, HOSTILE), {"at": 0.2, "text": "data: [DONE]\n\n"}]
    recording = "".join(json.dumps(line) + "\n" for line in lines + [{"end": "complete"}])
    write("corpus/openai.chat/sound.rec.jsonl", recording)
    write(f"corpus/openai.chat/{HOSTILE.replace('/', '')}.rec.jsonl", recording)
    write("corpus/openai.chat/broken.rec.jsonl", recording + HOSTILE)
    write("corpus/openai.chat/odd-end.rec.jsonl", recording.replace('"complete"', json.dumps(HOSTILE)))
    write("contracts/mine.yaml", CONTRACT)
    write("contracts/profiles/mine.yaml", f"profile: {yaml(HOSTILE)}\nknobs: {{{yaml(HOSTILE)}: {yaml(HOSTILE)}}}\n")
    broken = write("broken/mine.yaml", CONTRACT.replace("level: must", f"level: {yaml(HOSTILE)}"))
    expect = write("expect", f"VIOLATES reference no-such MINE-01 # {HOSTILE.splitlines()[-1]}\n")
    stream = write("a\n::error::H.sse", f"event: {HOSTILE}\ndata: {HOSTILE}\n\n: {HOSTILE}\n\n")
    mine = ["--corpus", folder / "corpus", "--contracts", folder / "contracts"]

    run("run", *mine)
    run("run", *mine, "--all", "--expect", expect)
    run("run", *mine, "--report", "github:/dev/null", "--target", "mutant:second-message_delta")
    run("run", *mine, "--profile", HOSTILE)
    run("run", "--contracts", broken.parent)
    run("replay", "sound?gen=bytes", *mine)
    run("replay", "openai.chat/sound?client=anthropic.messages&gen=bytes", *mine)
    run("shrink", "openai.chat/sound?client=anthropic.messages&gen=whole", *mine, "--tries", "30")
    run("check", stream)
    run("check", stream, "--protocol", "anthropic.messages")
    run("decode", stream)
    run("explain", "MINE-01", "--contracts", folder / "contracts")
    for what in ("targets", "recordings", "obligations", "profiles", "mutants", "losses"):
        run("list", what)
    run("list", "recordings", "--corpus", folder / "corpus")
    run("list", "obligations", "--contracts", folder / "contracts")
    for name, install in (("sound", "'true'"), (yaml(HOSTILE), "'true'"),
                          ("fails", yaml("printf '%s' '" + HOSTILE + "'; false"))):
        target = write("target.yaml", TARGET.format(name=name, install=install))
        run("run", *mine, "--target", target)
        run("run", *mine, "--target", target, "--evidence", folder / "evidence")
    run("judge", folder / "evidence", *mine[2:])
    for option in ("--target", "--only", "--corpus", "--contracts", "--profile", "--expect", "--report", "--seed", "--" + HOSTILE):
        run("run", option, HOSTILE)
    for command in ("check", "decode", "replay", "explain", "judge", "list", HOSTILE):
        run(command, HOSTILE)
    shutil.rmtree(folder)
    print(f"{tried} commands, {seen} pieces of such text, {len(wrong)} lines that are obeyed", *wrong[:40], sep="\n")
    return 1 if wrong or seen < 200 else 0


sys.exit(main(*sys.argv[1:]))
