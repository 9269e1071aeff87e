"""Reads the rows of a file of contracts/vocabulary, for the scripts that make tables of them."""
import re
import sys


def rows(path, pattern, what, name=lambda row: row[2]):
    """Yields the line number and the match of `pattern` for each row under `rows:`. The first group is the dialect.

    A line that is no row, or a row whose dialect and name stood before, ends the program with its file and line."""
    section, seen = "", set()
    with open(path, encoding="utf8") as file:
        lines = file.read().splitlines()
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        head = re.fullmatch(r"(\w+):( +#.*)?", line)
        if head:
            section = head[1]
            continue
        if section != "rows":
            continue
        row = pattern.fullmatch(line)
        if not row:
            sys.exit(f"{path}:{number}: no row of {what}; write {pattern.pattern}")
        if (row[1], name(row)) in seen:
            sys.exit(f"{path}:{number}: {name(row)} stands twice")
        seen.add((row[1], name(row)))
        yield number, row
