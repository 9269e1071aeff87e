#!/usr/bin/env python3
"""prose_test.py ROOT: .ci/prose finds each of its patterns in each kind of text, and nothing in plain text."""
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

CI = pathlib.Path(sys.argv.pop(1)).resolve() / ".ci"
PLAIN = "The proxy sends the error to the client. It closes the stream after the last event."
# A sentence for each pattern, in the order of the file.
BAD = [
    "What a client sends in its request.", "It sends an error, where the upstream breaks off.",
    "It sends an error where there is an answer.", "The event comes behind the end.", "The text is beside the call.",
    "The name stands in the first chunk.", "The report tells the user more.", "The header says nothing about it.",
    "The tool mends the stream.", "It has the same form as that of the client.", "It is no event of the stream.",
    "The finding comes of a wrong index.", "The proxy is held to the contract.", "It ignores all else in the stream.",
]


def count(name, text):
    """The number of hits in a repository with one file, and the exit code with --limits."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        subprocess.run(["git", "init", "-q", folder], check=True)
        subprocess.run(["git", "-C", folder, "add", "."], check=True)
        done = subprocess.run([CI / "prose", "--limits"], cwd=folder, capture_output=True, text=True)
        return int(re.match(r"(\d+) hits", done.stdout.splitlines()[-1]).group(1)), done.returncode


class Prose(unittest.TestCase):
    def test_each_pattern_finds_its_sentence(self):
        self.assertEqual(len(BAD), sum(1 for line in (CI / "prose-patterns.txt").read_text().splitlines()
                                       if line and not line.startswith("#")))
        for sentence in BAD:
            self.assertGreaterEqual(count("a.md", sentence + "\n")[0], 1, sentence)

    def test_each_kind_of_text_is_read(self):
        for name, text in (("a.md", "{}\n"), ("a.md", "| x | {} |\n"), ("a.cpp", "// {}\n"), ("a.hpp", "int a;  ///< {}\n"),
                           ("harness/cli/a.cpp", 'const char* a = "{}";\n'), ("contracts/a.yaml", "  - says: {}\n"),
                           ("contracts/a.yaml", "  why: >-\n    {}\n")):
            for sentence, least in ((PLAIN, 0), (BAD[4], 1)):
                self.assertEqual(count(name, text.format(sentence))[0], least, f"{name}: {text.format(sentence)}")

    def test_long_sentences_and_names_are_hits(self):
        self.assertEqual(count("a.md", " ".join(["word"] * 29) + ".\n")[0], 1)
        self.assertEqual(count("a.md", " ".join(["word"] * 28) + ".\n")[0], 0)
        self.assertEqual(count("tests/a.cpp", f"TEST(A, {'N' * 56}) {{}}\n")[0], 1)
        self.assertEqual(count("tests/a.cpp", f"TEST(A, {'N' * 55}) {{}}\n")[0], 0)

    def test_code_in_documents_is_not_read(self):
        self.assertEqual(count("a.md", f"```\n{BAD[4]}\n```\n")[0], 0)

    def test_limits_decide_the_exit_code(self):
        self.assertEqual(count("a.md", (PLAIN + " ") * 20 + "\n")[1], 0)
        self.assertEqual(count("a.md", (BAD[4] + " ") * 3 + "\n")[1], 1)


unittest.main()
