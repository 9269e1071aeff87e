#!/usr/bin/env python3
"""Imports files that real tools wrote, and compares the recordings with the streams that they captured.

usage: real_files.py SPLITPROOF SOURCE_ROOT

Each file in tests/import/files captured answers of `splitproof upstream`, or of a server with the same recordings. They were
written by curl 7.88, mitmproxy 8.1, tshark 4.0, vcrpy 4.2, Polly 6.0, nock 13.5, the network panel of Chromium 156, and
Playwright 1 with Chromium."""
import base64
import json
import pathlib
import subprocess
import sys
import tempfile

ONE, CALLS = "text-multibyte", "tool-parallel"
# The file, the kind that has to be recognised, and each stream with its fidelity.
FILES = (("curl.trace", "a trace of curl", [(ONE, "exact")]),
         ("tshark.tsv", "TCP segments of tshark", [(ONE, "exact")]),
         ("mitmproxy.flows", "a file of mitmproxy flows", [(ONE, "body"), (ONE, "body")]),
         ("mitmproxy-several.flows", "a file of mitmproxy flows", [(ONE, "body"), (CALLS, "body")]),
         ("vcrpy.yaml", "a cassette of recorded HTTP", [(ONE, "body")]),
         ("nock.json", "a cassette of recorded HTTP", [(ONE, "body"), (CALLS, "body")]),
         ("polly.har", "a HAR file", [(ONE, "body"), (CALLS, "body")]),
         # Of fetch, and of an EventSource.
         ("devtools.har", "a HAR file", [(ONE, "frames"), (ONE, "frames")]),
         ("playwright.har", "a HAR file", [(ONE, "body")]),
         ("playwright-several.har", "a HAR file", [(ONE, "body"), (CALLS, "body")]),
         ("playwright-attached.har", "a HAR file", [(ONE, "body")]))


def chunks_of(path):
    lines = [json.loads(line) for line in path.read_text().rstrip("\n").split("\n")]
    return lines[0], [base64.b64decode(one["base64"]) if "base64" in one else one["text"].encode() for one in lines[1:-1]]


def main(program, root):
    files = pathlib.Path(root) / "tests/import/files"
    sent = {name: chunks_of(pathlib.Path(root) / f"corpus/openai.chat/{name}.rec.jsonl")[1] for name in (ONE, CALLS)}
    wrong = []
    with tempfile.TemporaryDirectory() as work:
        def run(*args):
            return subprocess.run([program, *map(str, args)], capture_output=True, text=True, timeout=120)

        for name, wrapper, streams in FILES:
            out = pathlib.Path(work) / name.replace(".", "-")
            done = run("import", files / name, "--protocol", "openai.chat", "--out", out)
            made = sorted(out.iterdir()) if out.exists() else []
            if done.returncode != 0 or wrapper not in done.stderr or len(made) != len(streams):
                wrong.append(f"{name}: {done.returncode} {done.stderr} {made}")
                continue
            for path, (stream, segments) in zip(made, streams):
                head, chunks = chunks_of(path)
                expected = sent[stream]
                # Every event of a browser is a chunk.
                frames = [part + b"\n\n" for part in b"".join(expected).split(b"\n\n")[:-1]]
                if b"".join(chunks) != b"".join(expected) or chunks != {"exact": expected, "frames": frames, "body": chunks[:1]}[segments]:
                    wrong.append(f"{name}: other bytes or chunks: {list(map(len, chunks))}")
                is_asked = name.endswith((".har", ".json")) and (segments == "body" or path == made[0])
                if head["provenance"]["segments"] != segments or is_asked and "requests" not in head or "secret" in path.read_text():
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
