#!/usr/bin/env python3
"""Has curl trace streams that `splitproof upstream` serves, and imports the traces.

usage: curl_traces.py SPLITPROOF SOURCE_ROOT

A trace gives the recorded bytes with the recorded boundaries. A log of -v, a response of -i and an ASCII trace give the same
bytes, or one line of help. A trace that is cut gives a beginning of the stream, or such a line. With SPLITPROOF_ALL_TRACES every
recording of the corpus is traced, which takes some minutes."""
import base64
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

# Several calls, characters of several bytes, JSON lines, frames of an AWS event stream.
RECORDINGS = {"openai.chat": ("text-multibyte", "tool-parallel", "text-plain"), "anthropic.messages": ("tool-plain", "framing-byte-order-mark", "framing-cr"),
              "ollama.chat": None, "kiro.eventstream": None}


def chunks_of(path):
    lines = [json.loads(line) for line in path.read_text().rstrip("\n").split("\n")[1:]]
    chunks = [base64.b64decode(one["base64"]) if "base64" in one else one["text"].encode() for one in lines if "end" not in one]
    return chunks, lines[-1]["end"]


def recordings(root):
    """Yields the protocol and the path of some recordings, or of all that end."""
    if os.environ.get("SPLITPROOF_ALL_TRACES"):
        for path in sorted((root / "corpus").rglob("*.rec.jsonl")):
            with path.open() as lines:
                protocol = json.loads(lines.readline())["protocol"]
            if chunks_of(path)[1] != "stall":
                yield protocol, path
        return
    for protocol, names in RECORDINGS.items():
        folder = root / "corpus" / protocol
        for path in [folder / f"{name}.rec.jsonl" for name in names] if names else sorted(folder.glob("*.rec.jsonl"))[:1]:
            if path.exists():
                yield protocol, path


class Upstream:
    """Serves one recording to one client. `exact`: every write was one read."""
    exact = True

    def __init__(self, program, path, framing):
        self.errors = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen([program, "upstream", path, "--listen", "127.0.0.1:0", "--framing", framing, "--requests", "1"],
                                        stdout=subprocess.PIPE, stderr=self.errors, text=True)
        self.url = self.process.stdout.readline().strip()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
        self.errors.seek(0)
        Upstream.exact = Upstream.exact and "unproven" not in self.errors.read()


class Test:
    def __init__(self, program, work):
        self.program, self.work, self.wrong, self.count = os.path.abspath(program), work, 0, 0

    def check(self, what, holds, found=""):
        self.count += 1
        if not holds:
            self.wrong += 1
            print(f"{what}: {str(found)[:400]}")

    def curl(self, path, framing, *options):
        """Returns what curl prints on both streams."""
        with Upstream(self.program, path, framing) as upstream:
            return subprocess.run(["curl", "-sN", "--max-time", "20", *options, "-d", '{"model":"m"}', upstream.url + "/v1/messages?key=secret"],
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT).stdout

    def imported(self, file, protocol):
        """Returns the recording of a file, or None and the error."""
        out = tempfile.mkdtemp(dir=self.work)
        done = subprocess.run([self.program, "import", file, "--protocol", protocol, "--out", out], capture_output=True, text=True)
        made = list(pathlib.Path(out).iterdir())
        if done.returncode != 0:
            self.check(f"{file}: one line and exit code 2", done.returncode == 2 and done.stderr.count("\n") == 1, done.stderr)
        return (made[0] if made else None), done.stderr

    def trace(self, protocol, path, framing):
        file = f"{self.work}/{path.name.split('.')[0]}-{framing}.trace"
        self.curl(path, framing, "--trace-time", "--trace", file, "-o", os.devnull)
        made, error = self.imported(file, protocol)
        what = f"{protocol}/{path.name} with framing {framing}"
        chunks, end = chunks_of(path)
        if made is None:  # an answer in place of a stream
            is_stream = b"".join(chunks) and (protocol == "ollama.chat" or not b"".join(chunks).startswith(b"{"))
            return self.check(what, not is_stream and "without the body of an event stream" in error, error)
        got, got_end = chunks_of(made)
        self.check(what + ": bytes", b"".join(got) == b"".join(chunks), got)
        self.check(what + ": boundaries", got == chunks or not Upstream.exact, (list(map(len, got)), list(map(len, chunks))))
        self.check(what + ": end", got_end == end, (got_end, end))
        self.check(what + ": no secret", "secret" not in made.read_text())
        self.check(what + ": fidelity", '"segments":"exact"' in made.read_text())
        return file, b"".join(chunks)

    def cut(self, file, protocol, stream):
        whole = open(file, "rb").read()
        for size in range(200, len(whole), max(1, len(whole) // 12)):
            cut = f"{self.work}/cut.trace"
            open(cut, "wb").write(whole[:size])
            made, error = self.imported(cut, protocol)
            if made:
                got, end = chunks_of(made)
                self.check(f"a trace cut at {size}", stream.startswith(b"".join(got)) and end != "complete", (got, end))

    def others(self, protocol, path):
        stream = b"".join(chunks_of(path)[0])
        for options in (["-i"], ["-v"], ["-v", "--trace-time"]):
            file = f"{self.work}/log{len(options)}{options[0]}.txt"
            open(file, "wb").write(self.curl(path, "close", *options))
            made, error = self.imported(file, protocol)
            what = f"{path.name} with {' '.join(options)}"
            self.check(what, made is not None and b"".join(chunks_of(made)[0]) == stream, error)
        file = f"{self.work}/ascii.trace"
        self.curl(path, "chunked", "--trace-time", "--trace-ascii", file, "-o", os.devnull)
        made, error = self.imported(file, protocol)
        clear = not re.search(rb'[^\x00-\x7f]|\.\.', stream)
        self.check(f"{path.name} with --trace-ascii", bool(made) == clear and (not made or b"".join(chunks_of(made)[0]) == stream), error)


def main(program, root):
    with tempfile.TemporaryDirectory() as work:
        test, last = Test(program, work), None
        for protocol, path in recordings(pathlib.Path(root)):
            for framing in ("chunked", "close"):
                last = test.trace(protocol, path, framing) or last
                if last and protocol == "openai.chat" and framing == "chunked" and path.name.startswith("text-plain"):
                    test.cut(last[0], protocol, last[1])
            if path.name.startswith(("text-plain", "text-multibyte")):
                test.others(protocol, path)
    print(f"{test.count} checks, {test.wrong} wrong")
    return 1 if test.wrong or test.count < 40 else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
