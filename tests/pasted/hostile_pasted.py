#!/usr/bin/env python3
"""Makes pasted tests of recordings, rules and requests whose texts try to become code. Each test must equal the
test of a harmless recording, apart from the values of its strings. Some tests are run.

usage: hostile_pasted.py SPLITPROOF ROOT FRAMEWORK     (vitest, pytest or go; TAP)
"""
import ast
import difflib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import hostile
import pasted

RULE = "ANT-20"
# A comment, a string or a regular expression; and line ends.
TOKENS = {
    "vitest": re.compile(r"//[^\n\r\u2028\u2029]*|'(?:\\.|[^'\\\n\r])*'|\"(?:\\.|[^\"\\\n\r])*\"|`(?:\\.|[^`\\])*`", re.S),
    "go": re.compile(r"//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|`[^`]*`", re.S),
}
UNSEEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff]")


class Strings(ast.NodeTransformer):
    """Makes all strings equal, and all objects of strings alone."""

    def visit_Constant(self, node):
        return ast.Constant("" if isinstance(node.value, str) else node.value)


def program(test, framework):
    """Returns the source without its comments and the values of its strings."""
    if framework == "pytest":
        compile(test, "test_smallest.py", "exec")
        return ast.dump(Strings().visit(ast.parse(test.encode())), indent=1)
    return TOKENS[framework].sub(lambda found: "//" if found[0].startswith("//") else "''", test)


def write_data(root, folder, text):
    """Writes a data folder whose rules contain `text`."""
    contracts = folder / "contracts"
    contracts.mkdir(parents=True)
    for part in sorted((root / "contracts").iterdir()):
        (contracts / part.name).symlink_to(part)
    rules = contracts / "anthropic.messages.meaning.yaml"
    source = rules.read_text()
    head, found, rest = source.partition(f"- id: {RULE}\n")
    assert found, RULE
    rules.unlink()
    says = hostile.yaml(text)
    rules.write_text(head + found + re.sub(r"(\n +says:) [^\n]*", lambda key: f"{key[1]} {says}", rest, count=1))
    (folder / "corpus").mkdir()


def write_recording(folder, texts, begin="x"):
    """Writes a recording with these texts, in turn. Returns the name of its file, and a cut inside a character."""
    at = iter(range(10**6))

    def take():
        return texts[next(at) % len(texts)]

    def chunk(choice, **more):
        return "data: " + json.dumps({"id": take(), "object": "chat.completion.chunk", "created": 1, "model": take(),
                                      "choices": [{"index": 0, **choice}], **more}, ensure_ascii=False) + "\n\n"

    said = "".join(texts)
    call = {"index": 0, "id": "call_1", "type": "function",
            "function": {"name": "name" + take(), "arguments": json.dumps({"key" + text: text for text in texts})}}
    body = [chunk({"delta": {"role": "assistant", "content": "\u6f6e" + said}, "finish_reason": None}),
            chunk({"delta": {"tool_calls": [call]}, "finish_reason": None}, system_fingerprint=take()),
            chunk({"delta": {}, "finish_reason": "tool_calls"}), "data: [DONE]\n\n"]
    request = {"model": take(), "max_tokens": 9, "messages": [{"role": "user", "content": text} for text in texts],
               "metadata": {"__proto__": take(), "a" + take(): take()}}
    head = {"splitproof": 1, "protocol": "openai.chat", "title": take(),
            "response": {"status": 200, "headers": {"content-type": "text/event-stream; x=" + hostile.printable(take()),
                                                    "x-other": hostile.printable(take())}},
            "requests": {"anthropic.messages": request}, "features": texts,
            "provenance": {"source": take(), "license": take(), "case": take(), "target": take()}}
    # A file name cannot contain a slash or a zero byte, and a case id cannot contain these.
    name = begin + re.sub(r"[?*\[\]#& '\"/\\]|[^ -~]", "", take())[:100] + "\u00e9"
    lines = [head] + [{"at": n, "text": text} for n, text in enumerate(body)] + [{"at": 9, "end": "complete"}]
    (folder / "corpus" / f"{name}.rec.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    return name, "".join(body).encode().index('"content": "\u6f6e'.encode()) + len('"content": "') + 1


def paste(program_path, root, folder, framework, texts):
    """Returns the pasted test of a recording with these texts."""
    write_data(root, folder, texts[0])
    name, cut = write_recording(folder, texts)
    made = subprocess.run([program_path, "shrink", f"{name}?client=anthropic.messages&cuts={cut}", "--rule", RULE, "--as",
                           framework, "--tries", "1", "--target", "mutant:per-chunk-utf8"], capture_output=True, check=False,
                          env={**os.environ, "SPLITPROOF_DATA": str(folder)})
    if made.returncode != 0:
        return None, made.stderr.decode(errors="replace")
    return made.stdout.decode(), ""


def run(test, framework, bug, where):
    """True if the test runs, and fails only with the bug."""
    where.mkdir()
    command, file = pasted.command(framework, where)
    (where / file).write_text(pasted.filled(test, framework, bug))
    ran = subprocess.run(command, cwd=where, capture_output=True, text=True, errors="replace", check=False, timeout=120)
    right = (ran.returncode != 0) == bool(bug) and (not bug or re.search(pasted.BY_WHAT_IT_FOUND, ran.stdout + ran.stderr))
    return "" if right else ran.stdout + ran.stderr


def main(program_path, root, framework):
    needed = {"vitest": "node", "go": "go"}.get(framework)
    can_run = not needed or shutil.which(needed) is not None
    if not can_run:
        print(f"# there is no {needed}, so nothing is run: the sources are read")
    results = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        canary = folder / "ran"
        texts = hostile.INERT + hostile.running(canary)
        harmless, why = paste(program_path, root, folder / "harmless", framework, ["harmless"])
        results.append((why, "a harmless recording has a test"))
        for number, text in enumerate(texts):
            test, why = paste(program_path, root, folder / str(number), framework, [text])
            try:
                if test and program(test, framework) != program(harmless, framework):
                    why = "it is another program:\n" + "\n".join(difflib.unified_diff(
                        program(harmless, framework).splitlines(), program(test, framework).splitlines(), n=1))
                if test and UNSEEN.search(test):
                    why = f"it has characters that nobody sees:\n{test!r}"
            except (SyntaxError, ValueError) as wrong:
                why = f"{wrong}:\n{test}"
            results.append((why, f"{text!r} stays text"))
        whole, why = paste(program_path, root, folder / "whole", framework, texts)
        results.append((why, "a recording of all of them has a test"))
        for bug in ("decodes-each-chunk", "") if whole and can_run else ():
            results.append((run(whole, framework, bug, folder / f"run{bug}"), f"it {'fails' if bug else 'passes'}"))
        results.append(("something ran" if canary.exists() else "", "nothing of them ran"))
    print(f"1..{len(results)}")
    for number, (why, what) in enumerate(results, 1):
        print(f"{'not ok' if why else 'ok'} {number} - {what.encode('ascii', 'backslashreplace').decode().replace('#', chr(92) + '#')}")
        print("".join(f"# {line[:2000]}\n" for line in why.encode("ascii", "backslashreplace").decode().splitlines()[:60]), end="")
    return 1 if any(why for why, _ in results) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3]))
