"""Functions for the scripts that make pages. Each script writes a whole page into a build folder, and a table into docs/data.
`SCRIPT PROGRAM FOLDER` writes both. `SCRIPT PROGRAM FOLDER --check` compares the table in docs/data instead, and ends with 1
if it is stale.

A table of docs/data is a file of tab-separated values. Comments at its head have the title, and then a text in Markdown."""

import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
DATA = ROOT / "docs" / "data"


def arguments():
    """The program, the folder for the whole page, and true to check the table instead of writing it."""
    if len(sys.argv) not in (3, 4) or sys.argv[3:] not in ([], ["--check"]):
        sys.exit(f"usage: {sys.argv[0]} PROGRAM FOLDER [--check]")
    return sys.argv[1], pathlib.Path(sys.argv[2]), len(sys.argv) == 4


def table(head, rows):
    """A table in Markdown."""
    lines = [f"| {' | '.join(map(str, row))} |" for row in [head, *rows]]
    return "\n".join([lines[0], "|---" * len(head) + "|", *lines[1:], ""])


def replaced(page, key, made):
    """The text of a page with `made` between the marks of `key`."""
    begin, end = f"<!-- begin: {key} -->\n", f"<!-- end: {key} -->\n"
    text = page.read_text(encoding="utf-8")
    if not 0 <= text.find(begin) < text.find(end):
        sys.exit(f"{page.name} lacks the marks: {begin}{end}")
    return text[:text.find(begin)] + f"{begin}\n{made}\n" + text[text.find(end):]


def read_data(path):
    """The title, the text, the names of the columns and the rows of a table of docs/data."""
    lines = path.read_text(encoding="utf-8").splitlines()
    comments = [line[2:] for line in lines if line.startswith("#")]
    head, *rows = [line.split("\t") for line in lines if not line.startswith("#")]
    for row in rows:
        if len(row) != len(head):
            sys.exit(f"{path}: a row has {len(row)} cells, and there are {len(head)} columns: {row[0]}")
    return comments[0], "\n".join(comments[1:]), head, rows


def with_rows(path, head, rows):
    """The text of a table of docs/data with the comments that it has, and these rows."""
    comments = [line for line in path.read_text(encoding="utf-8").splitlines() if line.startswith("#")]
    return "\n".join([*comments, *("\t".join(map(str, row)) for row in [head, *rows]), ""])


def write_data(name, head, rows):
    """Replaces the rows of docs/data/NAME.tsv."""
    path = DATA / f"{name}.tsv"
    path.write_text(with_rows(path, head, rows), encoding="utf-8")


def publish(name, whole, head, rows):
    """Writes the page `whole` into the folder. Writes the rows into docs/data/NAME.tsv, or compares them."""
    _, folder, check = arguments()
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.md").write_text(whole, encoding="utf-8")
    path = DATA / f"{name}.tsv"
    if not check:
        write_data(name, head, rows)
    elif with_rows(path, head, rows) != path.read_text(encoding="utf-8"):
        sys.exit(f"docs/data/{name}.tsv is stale: run `make docs`")
