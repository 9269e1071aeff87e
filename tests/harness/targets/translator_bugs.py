"""Inserts bugs into a conforming translator, one at a time: each is found under the id next to it.

usage: translator_bugs.py SPLITPROOF FOLDER TRANSLATOR
"""
import importlib
import json
import pathlib
import subprocess
import sys
import tempfile

# For each translator: its head in a target file, the recordings on which it conforms, and for each bug the recording that
# shows it, and the obligation. The bugs of the translator to Responses are reported ones.
TRANSLATORS = {
    "chat_to_responses": (
        "client: openai.responses\nupstream: openai.chat\n"
        "cannot: [content_parts, thinking_again, arguments_placeholder]\n",
        "openai.chat", "[et]*gen=[rw]*", {
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
        }),
    "cohere_to_chat": (
        "client: openai.chat\nupstream: cohere.chat\n",
        "cohere.chat", "*", {
            "plan-dropped": ("plan-one-call", "CHT-14"),
            "calls-share-an-index": ("tool-parallel", "CHT-08"),
            "limit-as-stop": ("finish-max-tokens", "CHT-16"),
            "billed-units-as-tokens": ("text-plain", "CHT-17"),
            "error-as-stop": ("finish-error", "CHT-16"),
            "decodes-each-read": ("text-multibyte", "META-04"),
            "cut-as-stop": ("end-inside-text", "CHT-16"),
            "last-piece-held": ("text-plain", "SSE-15"),
        }),
}


def violated(splitproof, folder, translator, bug, recordings, options):
    """Returns the violated ids of a run, its exit code, and the end of its output."""
    head, protocol = TRANSLATORS[translator][:2]
    with tempfile.TemporaryDirectory() as temporary:
        target = pathlib.Path(temporary, "target.yaml")
        program = json.dumps(str(pathlib.Path(folder, translator + ".py").resolve()))
        target.write_text(f"target: {translator}\nkind: pipe\n{head}"
                          f"command: [python3, {program}{', ' + bug if bug else ''}]\n")
        report = pathlib.Path(temporary, "report.jsonl")
        run = subprocess.run([splitproof, "run", "--target", target, "--only", f"{protocol}/{recordings}", *options,
                              "--report", f"jsonl:{report}"], capture_output=True, text=True)
        rows = [json.loads(line) for line in report.read_text().splitlines()] if report.exists() else []
        ids = {row["obligation"] for row in rows if row.get("verdict") == "violated" and row.get("level") == "must"}
        return ids, run.returncode, run.stdout[-2000:] + run.stderr


def main():
    splitproof, folder, translator = sys.argv[1:]
    sys.path.insert(0, folder)
    sys.dont_write_bytecode = True
    module = importlib.import_module(translator)
    conforms, bugs = TRANSLATORS[translator][2:]
    wrong = 0 if list(bugs) == module.BUGS else print("the bugs are not those of the translator") or 1
    ids, code, said = violated(splitproof, folder, translator, "", conforms, ["--splits", "0", "--recuts", "0"])
    if ids or code != 0:
        print(f"without a bug: {sorted(ids)}, exit code {code}\n{said}")
        wrong += 1
    for bug, (recording, wanted) in bugs.items():
        ids, code, said = violated(splitproof, folder, translator, bug, recording, ["--splits", "1", "--recuts", "0"])
        print(f"{bug}: {' '.join(sorted(ids))}")
        if wanted not in ids or code != 1:
            print(f"  wanted {wanted}, exit code {code}\n{said}")
            wrong += 1
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
