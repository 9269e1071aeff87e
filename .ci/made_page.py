"""What the scripts that make pages share. Each writes a whole page into a build folder and prints its summary into the page
of the same name in docs/, between two marks. `SCRIPT PROGRAM FOLDER` writes both; with `--check` behind it the summary in
docs/ is compared instead, and the script ends with 1 where it is stale."""

import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
BEGIN, END = "<!-- begin: made by make docs -->\n", "<!-- end: made by make docs -->\n"


def arguments():
    """The program to ask, the folder for the whole page, and whether to check the summary instead of writing it."""
    if len(sys.argv) not in (3, 4) or sys.argv[3:] not in ([], ["--check"]):
        sys.exit(f"usage: {sys.argv[0]} PROGRAM FOLDER [--check]")
    return sys.argv[1], pathlib.Path(sys.argv[2]), len(sys.argv) == 4


def table(head, rows):
    """A table in Markdown."""
    lines = [f"| {' | '.join(map(str, row))} |" for row in [head, *rows]]
    return "\n".join([lines[0], "|---" * len(head) + "|", *lines[1:], ""])


def publish(name, whole, summary):
    """Writes the page `whole` into the folder, and `summary` into docs/NAME or compares the two."""
    _, folder, check = arguments()
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(whole, encoding="utf-8")
    page = ROOT / "docs" / name
    text = page.read_text(encoding="utf-8")
    head, begin, rest = text.partition(BEGIN)
    _, end, tail = rest.partition(END)
    if not begin or not end:
        sys.exit(f"docs/{name} lacks the marks between which the summary belongs")
    fresh = "".join([head, begin, "\n", summary, "\n", end, tail])
    if not check:
        page.write_text(fresh, encoding="utf-8")
    elif fresh != text:
        sys.exit(f"the summary in docs/{name} is stale: run `make docs`")
