#!/usr/bin/env python3
"""Compares the harness's and the proxy's meaning of finish words: of contracts/vocabulary/finish.yaml, and of lists
with invented rows.

usage: finish_words.py SOURCE-ROOT"""
import pathlib
import random
import re
import subprocess
import sys
import tempfile

# A word's meaning in the harness, and in the proxy.
ALIKE = {"FinishKind::stop": "Finish::stop", "FinishKind::calls": "Finish::calls", "FinishKind::length": "Finish::length",
         "FinishKind::filter": "Finish::content_filter", "FinishKind::paused": "Finish::stop",
         "FinishKind::breakdown": "std::nullopt"}
MEANS = ["stop", "calls", "length", "filtered", "refused", "paused", "failed"]
LISTS = 20
ROWS = 40


def read(root, reader, vocabulary, folder):
    made = folder / "made.cpp"
    subprocess.run([sys.executable, root / reader, vocabulary, made], check=True)
    return re.findall(r'\{"([^"]+)", "([^"]+)", ([\w:]+)\}', made.read_text(encoding="utf8"))


def compare(root, vocabulary, folder):
    harness = read(root, "harness/observe/finish_words.py", vocabulary, folder)
    proxy = read(root, "proxy/dialect/finish_words.py", vocabulary, folder)
    rows = len([line for line in vocabulary.read_text(encoding="utf8").splitlines() if ", means: " in line])
    faults = [] if len(harness) == rows else [f"{vocabulary} has {rows} rows, and the harness reads {len(harness)}"]
    faults += [f"{mine} to the harness, {other} to the proxy" for mine, other in zip(harness, proxy)
               if mine[:2] != other[:2] or ALIKE[mine[2]] != other[2]]
    if len(harness) != len(proxy):
        faults.append(f"the harness reads {len(harness)} rows, the proxy {len(proxy)}")
    return faults, rows


def made_up(rnd):
    rows = set()
    while len(rows) < ROWS:
        word = "".join(rnd.choice("abcXYZ_.0") for _ in range(rnd.randint(1, 12))).lower()
        word = rnd.choice([word, word.upper(), f'"{word}:*"', f'"{word} {word}"'])
        rows.add(("d" + str(rnd.randint(0, 3)), word))
    keys = set()
    text = "# A list.\nrows:\n"
    for dialect, word in sorted(rows):
        key = (dialect, word.lower().strip('"'))
        if key not in keys:
            text += f'  - {{dialect: {dialect}, word: {word}, means: {rnd.choice(MEANS)}, provider: P, source: "a: b, c"}}\n'
        keys.add(key)
    return text + 'left_out:\n  - {dialect: d, word: w, why: "means: nothing"}\n'


def main():
    root = pathlib.Path(sys.argv[1])
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        faults, rows = compare(root, root / "contracts/vocabulary/finish.yaml", folder)
        made = folder / "made.yaml"
        for seed in range(LISTS):
            made.write_text(made_up(random.Random(seed)), encoding="utf8")
            faults += [f"seed {seed}: {fault}" for fault in compare(root, made, folder)[0]]
    print(*faults, f"{rows} words of the project's, {LISTS} lists of others", sep="\n")
    sys.exit(1 if faults else 0)


main()
