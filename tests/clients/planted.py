#!/usr/bin/env python3
"""Tests clients that have planted bugs: readers of event streams, or with --answers small SDKs. The rule that names a bug
must be the only cause in the report, and the clients without a bug must conform.

usage: planted.py SPLITPROOF ROOT [--answers]
"""
import json
import pathlib
import subprocess
import sys
import tempfile

# Client, bug, the rule that names the bug, and the recordings. The recordings are those with the trap; a bug that any
# stream shows has a few without others.
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
# The same for clients that read a URL and report the answer.
SDK_BUGS = [
    ("chat.mjs", "decoder", "SDK-09", ["text-multibyte"]),
    ("chat.mjs", "buffer", "SDK-08", ["text-plain"]),
    ("chat.mjs", "choices", "SDK-07", ["text-plain"]),
    ("chat.mjs", "name", "SDK-03", ["tool-plain"]),
    ("chat.mjs", "index", "SDK-04", ["tool-parallel-interleaved"]),
    ("chat.mjs", "trim", "SDK-01", ["text-plain"]),
    ("chat.mjs", "cut", "SDK-11", ["text-plain"]),
    ("chat.mjs", "made", "SDK-11", ["end-without-signal"]),
    ("chat.mjs", "status", "SDK-12", ["text-plain"]),
    ("messages.mjs", "crlf", "SDK-08", ["framing-crlf"]),
    ("messages.mjs", "unknown", "SDK-13", ["ping-everywhere"]),
    ("messages.mjs", "thinking", "SDK-02", ["thinking-then-text"]),
    ("messages.mjs", "usage", "SDK-07", ["thinking-then-text"]),
    ("messages.mjs", "id", "SDK-05", ["thinking-then-tool"]),
    ("messages.mjs", "error", "SDK-12", ["error-after-text"]),
    ("messages.mjs", "held", "SDK-10", ["thinking-then-text"]),
    ("messages.mjs", "forgets", "REQ-43", ["tool-after-text"]),
    ("messages.mjs", "mixed", "RET-20", ["tool-parallel"]),
    ("lines.py", "read", "SDK-08", ["text-plain"]),
    ("lines.py", "latin", "SDK-01", ["text-multibyte"]),
    ("lines.py", "stop", "SDK-06", ["finish-length"]),
    ("lines.py", "arguments", "SDK-04", ["tool-plain"]),
]
PROTOCOLS = {"chat.mjs": "openai.chat", "messages.mjs": "anthropic.messages", "lines.py": "ollama.chat"}  # of SDKs
CONTINUING = {("messages.mjs", ""), ("messages.mjs", "forgets"), ("messages.mjs", "mixed")}  # these make the next request
INTERPRETERS = {".mjs": "node", ".py": "python3"}


def write_target(folder, source, reader, bug, protocol):
    """Returns the path of a target file, which runs the client with the bug, or without one."""
    name = reader.replace(".", "-") + ("-" + bug if bug else "")
    command = [INTERPRETERS[pathlib.Path(reader).suffix], str(source / reader)] + ([bug] if bug else [])
    kind = {"reads": "events", "client": "any"} if protocol == "sse" else {"reads": "answer", "client": protocol}
    if (reader, bug) in CONTINUING:
        kind["turns"] = 2
    path = folder / (name + ".yaml")
    path.write_text(json.dumps({"target": name, "tests": "client", "kind": "pipe", **kind, "command": command}))
    return path


def run(splitproof, targets, corpus, folder, options):
    """Returns the exit code, the rules that are causes by target, and the output."""
    report = folder / "report.jsonl"
    report.unlink(missing_ok=True)
    command = [splitproof, "run", "--corpus", str(corpus), "--splits", "0", "--recuts", "0", *options]
    command += ["--report", f"jsonl:{report}"]
    for target in targets:
        command += ["--target", str(target)]
    ended = subprocess.run(command, capture_output=True, text=True)
    causes = {}
    for line in report.read_text().split("\n")[:-1] if report.exists() else []:
        row = json.loads(line)
        if "cause" in row and "number" in row:
            causes.setdefault(row["target"], set()).add(row["cause"])
    return ended.returncode, causes, ended.stdout + ended.stderr


def copied(corpus, protocol, recordings, folder):
    """Returns a folder with these recordings alone."""
    chosen = folder / protocol / "-".join(recordings) / protocol
    chosen.mkdir(parents=True)
    for name in recordings:
        (chosen / f"{name}.rec.jsonl").write_bytes((corpus / protocol / f"{name}.rec.jsonl").read_bytes())
    return chosen.parent


def main(splitproof, root, answers):
    bugs, options = (SDK_BUGS, ["--faults"]) if answers else (BUGS, [])
    source = root / "tests" / "clients" / ("planted_sdks" if answers else "planted")
    corpus = root / "corpus"
    protocol_of = lambda reader: PROTOCOLS[reader] if answers else "sse"
    wrong = []
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        for protocol, recordings in sorted({(protocol_of(bug[0]), tuple(bug[3])) for bug in bugs}):
            chosen = copied(corpus, protocol, recordings, folder)
            here = [bug for bug in bugs if protocol_of(bug[0]) == protocol and bug[3] == list(recordings)]
            targets = [write_target(folder, source, reader, bug, protocol) for reader, bug, _, _ in here]
            code, causes, output = run(splitproof, targets, chosen, folder, options)
            for target, (reader, bug, rule, _) in zip(targets, here):
                found = causes.get(target.stem, set())
                if code != 1 or found != {rule}:
                    wrong.append(f"{reader} {bug}: expected {rule}, found {sorted(found)}, exit code {code}\n{output}")
        for protocol in sorted({protocol_of(bug[0]) for bug in bugs}):
            readers = sorted({bug[0] for bug in bugs if protocol_of(bug[0]) == protocol})
            named = sorted({name for bug in bugs if bug[0] in readers for name in bug[3]})
            whole = copied(corpus, protocol, named, folder / "all") if answers else corpus / protocol
            targets = [write_target(folder, source, reader, "", protocol) for reader in readers]
            code, causes, output = run(splitproof, targets, whole, folder, options)
            if code != 0:
                wrong.append(f"{protocol} without a bug: exit code {code}, found {causes}\n{output}")
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], pathlib.Path(sys.argv[2]), "--answers" in sys.argv[3:]))
