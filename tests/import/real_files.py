#!/usr/bin/env python3
"""Imports files that real tools wrote, and compares the recordings with the stream that they captured.

usage: real_files.py SPLITPROOF SOURCE_ROOT

Each file in tests/import/files captured the answer of `splitproof upstream openai.chat/text-multibyte`. They were written by
curl 7.88, mitmproxy 8.1, tshark 4.0, vcrpy 4.2, and Playwright 1 with Chromium."""
import base64
import json
import pathlib
import subprocess
import sys
import tempfile

# The file, its fidelity, and the kind that has to be recognised.
FILES = (("curl.trace", "exact", "a trace of curl"), ("tshark.tsv", "exact", "TCP segments of tshark"),
         ("mitmproxy.flows", "body", "a file of mitmproxy flows"), ("vcrpy.yaml", "body", "a cassette of recorded HTTP"),
         ("playwright.har", "body", "a HAR file"), ("playwright-attached.har", "body", "a HAR file"))


def chunks_of(path):
    lines = [json.loads(line) for line in path.read_text().rstrip("\n").split("\n")]
    return lines[0], [base64.b64decode(one["base64"]) if "base64" in one else one["text"].encode() for one in lines[1:-1]]


def main(program, root):
    files = pathlib.Path(root) / "tests/import/files"
    expected = chunks_of(pathlib.Path(root) / "corpus/openai.chat/text-multibyte.rec.jsonl")[1]
    wrong = []
    with tempfile.TemporaryDirectory() as work:
        def run(*args):
            return subprocess.run([program, *map(str, args)], capture_output=True, text=True, timeout=120)

        for name, segments, wrapper in FILES:
            out = pathlib.Path(work) / name.replace(".", "-")
            done = run("import", files / name, "--protocol", "openai.chat", "--out", out)
            made = sorted(out.iterdir()) if out.exists() else []
            if done.returncode != 0 or wrapper not in done.stderr or not made:
                wrong.append(f"{name}: {done.returncode} {done.stderr}")
                continue
            for path in made:
                head, chunks = chunks_of(path)
                if b"".join(chunks) != b"".join(expected) or (segments == "exact" and chunks != expected):
                    wrong.append(f"{name}: other bytes or chunks: {list(map(len, chunks))}")
                if head["provenance"]["segments"] != segments or name.endswith(".har") and "requests" not in head or "secret" in path.read_text():
                    wrong.append(f"{name}: {head}")
            judged = run("check", files / name)
            if judged.returncode != 0 or "CONFORMS" not in judged.stdout:
                wrong.append(f"{name}: check: {judged.returncode} {judged.stdout} {judged.stderr}")
        for kind in ("decode", "check"):
            refused = run(kind, files / "packets.pcap")
            if refused.returncode != 2 or refused.stderr.count("\n") != 1 or "tshark -r" not in refused.stderr:
                wrong.append(f"packets.pcap: {refused.returncode} {refused.stderr}")
    for line in wrong:
        print(line)
    print(f"{len(FILES) + 1} files, {len(wrong)} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
