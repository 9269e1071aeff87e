#!/usr/bin/env python3
"""Checks the size of the documents, the form of the tables in docs/data, and that each task of a user is at most two clicks
from the README.

usage: limits_test.py ROOT"""

import pathlib
import re
import sys
import unittest

MOST_README_LINES = 140
MOST_PAGES = 22
MOST_WORDS = 45_000
MOST_CLICKS = 2

# A task, and the page that explains it.
TASKS = {
    "judge my proxy": "docs/quickstart.md",
    "add it to CI": "docs/ci.md",
    "shrink a bug": "docs/hunting-bugs.md",
    "check a captured stream": "docs/checking.md",
    "write a rule": "docs/own-rules.md",
    "test a client": "docs/clients.md",
    "use many machines": "docs/many-machines.md",
    "record traffic": "docs/record.md",
}
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)\s]*)?\)")


def linked_from(root, page):
    """The files that a page links to, relative to the root."""
    text = (root / page).read_text(encoding="utf-8")
    return {str((root / page).parent.joinpath(link).resolve().relative_to(root)) for link in LINK.findall(text)
            if "://" not in link and (root / page).parent.joinpath(link).resolve().is_relative_to(root)}


def clicks_from_readme(root):
    """Pages, and how many links are needed to reach each."""
    clicks, waiting = {"README.md": 0}, ["README.md"]
    for page in waiting:
        for linked in sorted(linked_from(root, page)):
            if linked.endswith(".md") and linked not in clicks and (root / linked).is_file():
                clicks[linked] = clicks[page] + 1
                waiting.append(linked)
    return clicks


class Documents(unittest.TestCase):
    root = pathlib.Path(".")

    def pages(self):
        return sorted((self.root / "docs").rglob("*.md"))

    def test_readme_is_short(self):
        lines = (self.root / "README.md").read_text(encoding="utf-8").count("\n")
        self.assertLessEqual(lines, MOST_README_LINES)

    def test_pages_are_few(self):
        self.assertLessEqual(len(self.pages()), MOST_PAGES, [page.name for page in self.pages()])

    def test_words_are_few(self):
        self.assertLessEqual(sum(len(page.read_text(encoding="utf-8").split()) for page in self.pages()), MOST_WORDS)

    def test_each_table_has_a_title_and_rows_of_equal_length(self):
        tables = sorted((self.root / "docs" / "data").glob("*.tsv"))
        self.assertGreaterEqual(len(tables), 20)
        for table in tables:
            with self.subTest(table=table.name):
                lines = table.read_text(encoding="utf-8").splitlines()
                rows = [line.split("\t") for line in lines if not line.startswith("#")]
                self.assertRegex(lines[0], "^# [A-Z]")
                self.assertGreater(len(rows), 1)
                self.assertEqual({len(row) for row in rows}, {len(rows[0])})

    def test_links_of_tables_lead_to_files(self):
        for table in (self.root / "docs" / "data").glob("*.tsv"):
            for linked in linked_from(self.root, f"docs/data/{table.name}"):
                with self.subTest(table=table.name, link=linked):
                    self.assertTrue((self.root / linked).exists())

    def test_each_page_is_linked_from_the_readme_within_three_clicks(self):
        clicks = clicks_from_readme(self.root)
        for page in self.pages():
            with self.subTest(page=page.name):
                self.assertLessEqual(clicks.get(str(page.relative_to(self.root)), 99), MOST_CLICKS + 1)

    def test_each_task_is_two_clicks_from_the_readme(self):
        clicks = clicks_from_readme(self.root)
        for task, page in TASKS.items():
            with self.subTest(task=task):
                self.assertLessEqual(clicks.get(page, 99), MOST_CLICKS, f"{page} is not linked")


if __name__ == "__main__":
    Documents.root = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main()
