"""Functions for the scripts that make pages. Each script writes a whole page into a build folder, and its summary into the
page of the same name in docs/, between two marks. `SCRIPT PROGRAM FOLDER` writes both. `SCRIPT PROGRAM FOLDER --check`
compares the summary in docs/ instead, and ends with 1 if it is stale."""

import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent


def arguments():
    """The program, the folder for the whole page, and true to check the summary instead of writing it."""
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


def publish(name, whole, summary):
    """Writes the page `whole` into the folder, and `summary` into docs/NAME or compares the two."""
    _, folder, check = arguments()
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(whole, encoding="utf-8")
    page = ROOT / "docs" / name
    fresh = replaced(page, "made by make docs", summary)
    if not check:
        page.write_text(fresh, encoding="utf-8")
    elif fresh != page.read_text(encoding="utf-8"):
        sys.exit(f"the summary in docs/{name} is stale: run `make docs`")
