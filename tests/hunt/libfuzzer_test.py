#!/usr/bin/env python3
"""Runs splitproof-fuzz as its users do: on the seeded bugs of the relay in C and on its repaired twin, with libFuzzer's options
for several processes, for merging and for minimising, and with wrong arguments.

usage: libfuzzer_test.py SPLITPROOF SPLITPROOF_FUZZ"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from measure import HERE, RECORDINGS, PROTOCOLS, ROOT

SPLITPROOF, FUZZ = (pathlib.Path(word).resolve() for word in sys.argv[1:3])
PROTOCOL = PROTOCOLS["c"]
BUG = 38  # the one that needs the fewest cases
FOLDER = pathlib.Path(tempfile.mkdtemp(prefix="splitproof-"))


def setUpModule():
    subprocess.run(["clang", "-std=c99", "-O0", "-shared", "-fPIC",
                    "-fsanitize=fuzzer-no-link", "-I", str(ROOT), "-o", FOLDER / "relay.so",
                    *(HERE / "c" / name for name in ("relay.c", "events.c", "bugs.c"))], check=True)
    for name in RECORDINGS["c"]:
        path = pathlib.Path(PROTOCOL) / f"{name}.rec.jsonl"
        (FOLDER / "corpus" / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / "corpus" / path, FOLDER / "corpus" / path)
    for variant in ("none", f"bug-{BUG}"):
        (FOLDER / f"{variant}.yaml").write_text(f"target: {variant}\nkind: in-process\nclient: {PROTOCOL}\n"
                                                f"upstream: {PROTOCOL}\nlibrary: relay.so\nvariant: {variant}\n"
                                                "coverage: sancov\n")


def tearDownModule():
    shutil.rmtree(FOLDER)


class LibFuzzer(unittest.TestCase):
    def setUp(self):
        self.found = FOLDER / self.id()
        self.found.mkdir()

    def fuzz(self, *words, target="none.yaml"):
        done = subprocess.run([FUZZ, f"--target={FOLDER / target}", f"--corpus={FOLDER / 'corpus'}",
                               f"-artifact_prefix={self.found}/crash-", *map(str, words)],
                              capture_output=True, text=True, cwd=FOLDER)
        return done.returncode, done.stdout + done.stderr

    def folder(self, name):
        path = self.found / name
        path.mkdir()
        return path

    def crashes(self):
        return sorted(self.found.glob("crash-*"))

    def case_of_a_crash(self):
        code, said = self.fuzz("-seed=1", "-runs=50000", target=f"bug-{BUG}.yaml")
        self.assertEqual(code, 77, said[-2000:])  # libFuzzer's exit code for a crash
        self.assertEqual(len(self.crashes()), 1, said[-2000:])
        return self.crashes()[0], said

    def test_the_twin_conforms_and_its_coverage_guides(self):
        kept = self.folder("kept")
        code, said = self.fuzz("-seed=1", "-runs=3000", kept)
        self.assertEqual(code, 0, said[-2000:])
        cases = [path.read_text() for path in kept.iterdir()]
        self.assertGreater(len(cases), 20)
        for case in cases:
            self.assertRegex(case, rf"^{PROTOCOL}/[a-z-]+\?client={PROTOCOL}&|^\s*$")
        listed = FOLDER / "cases.txt"
        listed.write_text("".join(case.strip() + "\n" for case in cases))
        done = subprocess.run([SPLITPROOF, "run", "--target", FOLDER / "none.yaml", "--corpus", FOLDER / "corpus", "--cases", listed],
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_a_bug_is_found_and_replays(self):
        crash, said = self.case_of_a_crash()
        self.assertRegex(said, r"splitproof: .* violates [A-Z]+-\d+")
        done = subprocess.run([SPLITPROOF, "replay", crash.read_text(), "--target", FOLDER / f"bug-{BUG}.yaml", "--corpus",
                               FOLDER / "corpus"], capture_output=True, text=True)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        violated = re.search(r"violates ([A-Z0-9 -]+);", said)[1].split()
        self.assertIn(violated[0], done.stdout)
        # Without these rules it goes on.
        code, said = self.fuzz("-runs=1", f"--except={','.join(violated)}", crash, target=f"bug-{BUG}.yaml")
        self.assertEqual(code, 0, said[-2000:])

    def test_a_crash_is_minimised(self):
        crash, _ = self.case_of_a_crash()
        small = self.found / "small"
        code, said = self.fuzz("-minimize_crash=1", "-runs=3000", f"-exact_artifact_path={small}", crash, target=f"bug-{BUG}.yaml")
        self.assertTrue(small.exists() or "failed to minimize" in said, said[-2000:])
        if small.exists():
            self.assertLess(small.stat().st_size, crash.stat().st_size)
            self.assertEqual(self.fuzz("-runs=1", small, target=f"bug-{BUG}.yaml")[0], 77)

    def test_merges(self):
        kept, merged = self.folder("kept"), self.folder("merged")
        self.assertEqual(self.fuzz("-seed=1", "-runs=1000", kept)[0], 0)
        code, said = self.fuzz("-merge=1", merged, kept)
        self.assertEqual(code, 0, said[-2000:])
        self.assertLessEqual(len(list(merged.iterdir())), len(list(kept.iterdir())))
        self.assertTrue(list(merged.iterdir()))

    def test_several_processes(self):
        for words in (["-jobs=2", "-workers=2", "-runs=200"], ["-fork=1", "-max_total_time=3"]):
            code, said = self.fuzz(*words, self.folder(words[0][1:]))
            self.assertEqual(code, 0, said[-2000:])
            self.assertNotIn("ERROR", said)

    def test_words_of_a_dictionary_come_into_events(self):
        words = FOLDER / "words.dict"
        words.write_text('"lighthouse-keeper"\n')
        kept = self.folder("kept")
        code, said = self.fuzz("-seed=1", "-runs=3000", f"-dict={words}", kept)
        self.assertEqual(code, 0, said[-2000:])
        self.assertIn("Dictionary: 1 entries", said)
        self.assertTrue(any("cross:" in path.read_text() for path in kept.iterdir()))

    def test_the_reference_conforms(self):
        done = subprocess.run([FUZZ, "-seed=1", "-runs=300"], capture_output=True, text=True, cwd=self.found)
        self.assertEqual(done.returncode, 0, done.stderr[-2000:])

    def test_a_violated_rule_of_level_should_is_no_crash(self):
        case = self.found / "case"
        case.write_text("openai.chat/tool-arguments-surrogate-half-alone?client=anthropic.messages&edit=flip:1045:08&cuts=1,203,232")
        done = subprocess.run([SPLITPROOF, "replay", case.read_text()], capture_output=True, text=True)
        self.assertIn("USE-10", done.stdout + done.stderr)
        done = subprocess.run([FUZZ, "-runs=1", case], capture_output=True, text=True, cwd=self.found)
        self.assertEqual(done.returncode, 0, done.stderr[-2000:])

    def test_wrong_arguments(self):
        for words, says in ((["--target=missing.so", f"--client={PROTOCOL}", f"--upstream={PROTOCOL}"], "missing.so"),
                            (["-target=" + str(FOLDER / "relay.so")], "add --client and --upstream"),
                            (["--target=copilot-api"], "use splitproof fuzz"),
                            (["--target=reference", "--except=ANT-999"], "ANT-999"),
                            (["--tarjet=reference"], "--target")):
            done = subprocess.run([FUZZ, *words, "-runs=1"], capture_output=True, text=True, cwd=self.found)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(says, done.stderr)
        done = subprocess.run([FUZZ, "--help"], capture_output=True, text=True, cwd=self.found)
        self.assertEqual(done.returncode, 0)
        self.assertIn("--except", done.stdout)


if __name__ == "__main__":
    os.environ["HUNT_LOG"] = str(FOLDER / "acted")
    unittest.main(argv=sys.argv[:1])
