#!/usr/bin/env python3
"""usage: mutate_test.py MUTATE: mutated copies match the table, and a table that does not fit is refused."""
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

MUTATE = sys.argv.pop(1)

HEAD = """
upstream = "a.up"
client = "a.down"
"""
MUTANT = """
[[mutant]]
name = "{name}"
obligation = "ANT-05"
says = "Says \\"it\\" twice."
"""
EDIT = """
[[mutant.edit]]
file = "{file}"
find = "{find}"
put = "{put}"
"""


def mutant(name, *edits):
    fields = ("find", "put", "file")
    return MUTANT.format(name=name) + "".join(
        EDIT.format(**dict(zip(fields, edit + ("turn/a.cpp",)[len(edit) - 2:]))) for edit in edits)


class Mutate(unittest.TestCase):
    def run_on(self, *tables, source="int a = one + two;\n", head=HEAD):
        with tempfile.TemporaryDirectory() as folder:
            folder = Path(folder)
            (folder / "proxy" / "turn").mkdir(parents=True)
            (folder / "out").mkdir()
            (folder / "proxy" / "turn" / "a.cpp").write_text(source)
            for number, table in enumerate(tables):
                (folder / f"{number}.toml").write_text(head + table)
            done = subprocess.run([sys.executable, MUTATE, folder / "proxy", folder / "out", *sorted(folder.glob("*.toml")),
                                   folder / "proxy" / "turn" / "a.cpp"], capture_output=True, text=True)
            text = lambda name: (folder / "out" / name).read_text() if done.returncode == 0 else None
            return text("turn_a.cpp"), text("variants.cpp"), done.stderr

    def refused(self, table, *words, head=HEAD):
        _, _, complaint = self.run_on(table, head=head)
        for word in words:
            self.assertIn(word, complaint)
        self.assertNotIn("Traceback", complaint)

    def test_edits_stand_where_their_text_stood(self):
        text, variants, _ = self.run_on(mutant("m", ("two", "($MUTANT ? 3 : $ORIGINAL)")))
        self.assertEqual(text.splitlines()[1:], ["int a = one + (splitproof::mutants::on(1) ? 3 : two);"])
        self.assertIn('{"m", "Says \\"it\\" twice.", "ANT-05", ""},', variants)

    def test_mutants_have_the_protocols_of_their_table_or_their_own(self):
        other = mutant("n", ("one", "1")).replace("says", 'client = "b.down"\nsays')
        text, variants, _ = self.run_on(mutant("m", ("two", "2 * $MUTANT")) + other, mutant("o", ("=", "= $MUTANT +")))
        self.assertIn('    {"a.up", "a.down"},\n    {"a.up", "b.down"},\n    {"a.up", "a.down"},\n', variants)
        self.assertIn("splitproof::mutants::on(3) + 1 + 2 * splitproof::mutants::on(1);", text)

    def test_mutants_of_one_text_are_put_around_each_other(self):
        text, _, _ = self.run_on(mutant("m", ("two", "f($ORIGINAL)")) + mutant("n", ("two", "g($MUTANT, $ORIGINAL)")))
        self.assertIn("one + g(splitproof::mutants::on(2), f(two));", text)

    def test_places_that_moved_do_not_matter(self):
        text, _, _ = self.run_on(mutant("m", ("one", "uno, uno"), ("two", "due")))
        self.assertIn("int a = uno, uno + due;", text)

    def test_text_that_is_not_there_once_is_refused(self):
        self.refused(mutant("gone", ("three", "3")), "gone", "proxy/turn/a.cpp has 0 times, not once", "three")
        self.refused(mutant("often", ("o", "3")), "often", "proxy/turn/a.cpp has 2 times, not once")

    def test_texts_that_overlap_are_refused(self):
        self.refused(mutant("m", ("one +", "1")) + mutant("n", ("+ two", "2")), "n: m replaces a part of the same text")
        self.refused(mutant("m", ("two", "1")) + mutant("n", ("two", "2")), "n: m replaces the same text", "$ORIGINAL")

    def test_tables_that_say_something_else_are_refused(self):
        self.refused(mutant("m", ("two", "2")) + mutant("m", ("one", "1")), "m: the name is taken")
        self.refused(mutant("m", ("two", "2", "turn/b.cpp")), "m: proxy/turn/b.cpp is none of the translator's sources")
        self.refused(mutant("m", ("two", "2")).replace("says", "tells"), "m: lacks 'says', 'tells' means nothing")
        self.refused(mutant("m", ("two", "2")).replace("put", "set"), "m: an edit: lacks 'put', 'set' means nothing")
        self.refused(MUTANT.format(name="m"), "m: lacks 'edit'")
        self.refused(mutant("m", ("two", "2")), "0.toml: lacks 'client'", head='upstream = "a.up"\n')


unittest.main()
