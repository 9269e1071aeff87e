"""Reads the rows of a file of contracts/vocabulary, for the scripts that make tables of them."""


def rows(path):
    """Yields the number and the text of each line under `rows:` that is a row."""
    in_rows = False
    with open(path, encoding="utf8") as lines:
        for number, line in enumerate(lines, 1):
            if line[0].isalpha():
                in_rows = line.startswith("rows:")
            if in_rows and line.startswith("  - {"):
                yield number, line


def value_of(line, key):
    """Returns the value of a key, without its quotes. Raises IndexError if there is none."""
    rest = line.split(key + ": ", 1)[1]
    return rest[1:].split('"', 1)[0] if rest[0] == '"' else rest.split(",", 1)[0]
