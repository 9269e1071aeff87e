"""Inserts reported bugs of translators to Responses into a conforming one, one at a time: each is found under the
id next to it.

usage: responses_bugs.py SPLITPROOF FOLDER
"""
import json
import pathlib
import subprocess
import sys
import tempfile

EXPECTED = {  # bug: the recording that shows it, the obligation
    "name-empty-in-done": ("tool-plain", "RSP-19"),
    "call-id-emptied": ("tool-plain", "RSP-13"),
    "delta-without-item": ("text-plain", "RSP-04"),
    "piece-ends-missing": ("text-plain", "RSP-06"),
    "error-as-completed": ("error-first", "RSP-11"),
    "custom-as-function": ("tool-custom", "RSP-14"),
    "arguments-only-in-done": ("tool-plain", "RSP-07"),
    "done-twice": ("tool-plain", "RSP-38"),
    "holds-everything": ("text-plain", "SSE-15"),
    "last-delta-dropped": ("text-plain", "RSP-31"),
}


def violated(splitproof, folder, bug, recordings, options):
    """Returns the violated ids of a run, and its exit code."""
    with tempfile.TemporaryDirectory() as temporary:
        target = pathlib.Path(temporary, "target.yaml")
        program = json.dumps(str(pathlib.Path(folder, "chat_to_responses.py").resolve()))
        target.write_text(f"target: chat-to-responses\nkind: pipe\nclient: openai.responses\nupstream: openai.chat\n"
                          "cannot: [content_parts, thinking_again, arguments_placeholder]\n"
                          f"command: [python3, {program}{', ' + bug if bug else ''}]\n")
        report = pathlib.Path(temporary, "report.jsonl")
        run = subprocess.run([splitproof, "run", "--target", target, "--only", "openai.chat/" + recordings, *options,
                              "--report", f"jsonl:{report}"], capture_output=True, text=True)
        rows = [json.loads(line) for line in report.read_text().splitlines()] if report.exists() else []
        ids = {row["obligation"] for row in rows if row.get("verdict") == "violated" and row.get("level") == "must"}
        return ids, run.returncode, run.stdout[-2000:] + run.stderr


def main():
    splitproof, folder = sys.argv[1:]
    sys.path.insert(0, folder)
    sys.dont_write_bytecode = True
    import chat_to_responses
    wrong = 0 if list(EXPECTED) == chat_to_responses.BUGS else print("the bugs are not those of the translator") or 1
    ids, code, said = violated(splitproof, folder, "", "[et]*gen=[rw]*", ["--splits", "0", "--recuts", "0"])
    if ids or code != 0:
        print(f"without a bug: {sorted(ids)}, exit code {code}\n{said}")
        wrong += 1
    for bug, (recording, wanted) in EXPECTED.items():
        ids, code, said = violated(splitproof, folder, bug, recording, ["--splits", "1", "--recuts", "0"])
        print(f"{bug}: {' '.join(sorted(ids))}")
        if wanted not in ids or code != 1:
            print(f"  wanted {wanted}, exit code {code}\n{said}")
            wrong += 1
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
