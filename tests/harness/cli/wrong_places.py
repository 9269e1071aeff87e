#!/usr/bin/env python3
"""The first bug of a run shows wrong output. Each target is the reference with one known bug (a mutant).

usage: wrong_places.py SPLITPROOF     (TAP)

For each mutant, the first card of the console report has the bytes of the answer with a mark, and the command that
runs the case. The test repeats the case with the mutant and with the reference, which conforms:

- The bytes are in the mutant's answer.
- The reference's answer to the same case has other bytes there. If a call is missing, only the reference's answer has it.
- If the report shows no bytes, it shows two values that differ.
- The mutant violates the rule of the title in this case, and the reference does not.
"""
import json
import os
import re
import subprocess
import sys
import unicodedata

SPLITPROOF = os.path.abspath(sys.argv[1])
# The mutant, and recordings that show it.
MUTANTS = (
    ("per-chunk-utf8", "openai.chat/text-multibyte"),
    ("equal-chunk-dedup", "openai.chat/text-*"),
    ("halves-per-piece", "openai.chat/text-*"),
    ("start-per-name", "openai.chat/tool-name-*"),
    ("gate-in-function-block", "openai.chat/tool-id-late-alone"),
    ("length-as-end_turn", "openai.chat/finish-*"),
    ("usage-zero", "openai.chat/usage-*"),
    ("thinking-field-text", "openai.chat/thinking-*"),
    ("overlap-blocks", "openai.chat/tool-parallel*"),
    ("fake-end_turn-on-EOF", "openai.chat/end-*"),
    ("second-message_delta", "openai.chat/usage-*"),
    ("map-order", "openai.chat/tool-index-*"),
)
ESCAPES = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}

number = failed = 0


def check(name, holds, said=""):
    global number, failed
    number += 1
    failed += 0 if holds else 1
    print(f"{'ok' if holds else 'not ok'} {number} - {name}", flush=True)
    if not holds:
        print("\n".join("# " + line for line in said.splitlines()[-60:]), flush=True)


def splitproof(*words):
    done = subprocess.run([SPLITPROOF, *words], stdin=subprocess.DEVNULL, capture_output=True, timeout=120)
    return done.returncode, done.stdout, done.stderr.decode(errors="replace")


def visible(data):
    """The form in which reports show bytes, as far as these streams need it."""
    text = data.decode("utf-8", errors="surrogateescape")
    return "".join(ESCAPES.get(c, f"\\x{ord(c) - 0xDC00:02x}" if 0xDC80 <= ord(c) <= 0xDCFF else c) for c in text)


def first_card(report):
    """The title's rule, the lines of the wrong place and the command, of the first bug."""
    card = report.split("\n1. ", 1)[1].split("\n\n", 1)[0].splitlines()
    rule = re.search(r"\[([A-Z]+-\d+)", card[0])[1]
    command = next(line for line in card if line.startswith("  reproduce "))
    case = re.search(r"replay '?([^' ]*)'?", command)
    wrong = [i for i, line in enumerate(card) if line.startswith("  wrong ")]
    lines = [line[12:] for line in card[wrong[0] + 1:wrong[0] + 3]] if wrong else None
    values = [next((line[12:] for line in card if line.startswith(f"  {name} ")), "") for name in ("expected", "actual")]
    at = re.search(r"bytes (\d+)-(\d+)", card[wrong[0]]) if wrong else None
    return rule, case[1] if case else None, lines, values, (int(at[1]), int(at[2])) if at else (0, 0)


def lost_elements(values):
    """The elements of the expected list that the actual list lacks, if both are lists."""
    try:
        expected, actual = (json.loads(value) for value in values)
    except ValueError:
        return []
    return [one for one in expected if one not in actual] if isinstance(expected, list) else []


def columns(c):
    if unicodedata.category(c) in ("Mn", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(c) in "WF" else 1


def marked(place):
    """The shown bytes, the marked ones, and true if something is missing there."""
    shown, mark = place
    begin, end = mark.index("^"), mark.rindex("^") + 1
    chosen, at = "", 0
    for c in shown:
        chosen += c if begin <= at < end else ""
        at += columns(c)
    return shown.removesuffix("..."), chosen, mark.endswith("here")


def judges(mutant, target, rule, case):
    for name, of, violates in ((mutant, target, True), ("the reference", "reference", False)):
        _, out, err = splitproof("replay", case, "--target", of, "--json")
        rules = {json.loads(line)["obligation"] for line in out.decode().splitlines()}
        check(f"{mutant}: in this case {name} {'violates' if violates else 'meets'} {rule}", (rule in rules) == violates,
              out.decode() + err)


def proves(mutant, recordings):
    target = "mutant:" + mutant
    code, out, err = splitproof("run", "--target", target, "--only", recordings, "--splits", "4", "--recuts", "2",
                                "--for", "20s")
    report = out.decode(errors="replace")
    check(f"{mutant}: fails, as its first line says", code == 1 and report.startswith("FAIL: "), report + err)
    if code != 1:
        return
    rule, case, place, values, (at, end) = first_card(report)
    check(f"{mutant}: shows a case, and a wrong place or values", case is not None and (place is not None or all(values)), report)
    if case is None:
        return
    judges(mutant, target, rule, case)
    if place is None:
        check(f"{mutant}: the values differ", values[0] != values[1], report)
        return
    _, body, _ = splitproof("replay", case, "--target", target, "--downstream")
    _, right, _ = splitproof("replay", case, "--downstream")
    shown, wrong, missing = marked(place)
    shown = shown.removeprefix("...")
    check(f"{mutant}: the shown bytes are in its answer", shown in visible(body), f"{shown}\n{visible(body)}")
    if missing and lost_elements(values):
        check(f"{mutant}: only the right answer has what is missing",
              all(str(one) in visible(right) and str(one) not in visible(body) for one in lost_elements(values)), report)
    elif missing:
        check(f"{mutant}: the right answer goes on otherwise there", right[:at] == body[:at] and right[at:] != body[at:],
              f"{report}\n{visible(right)}")
    else:
        check(f"{mutant}: the marked bytes are wrong", wrong != "" and right[at:end] != body[at:end],
              f"{report}\n{visible(right)}")


for one in MUTANTS:
    proves(*one)
print(f"1..{number}")
sys.exit(1 if failed else 0)
