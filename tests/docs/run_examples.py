#!/usr/bin/env python3
"""Runs the examples of the documents, so that they stay correct. Prints TAP, one result for each block.

usage: run_examples.py SPLITPROOF ROOT [DOCUMENT...]

Without a document, it runs the project's: those of DOCUMENTS below.

Each document has its own temporary directory, in which its blocks run in order. The project's documents, with their
examples, are there as `docs`:

- A block whose fence names a file after the language (```yaml house/billing.yaml) is that file's content.
- In a ```console block, lines that begin with `$ ` are commands, run by sh with SPLITPROOF on the PATH. The lines
  below one are all that it prints, on either stream. A line `...` matches any number of lines, `...` inside a line
  any text. A command without lines below it may print anything. Its exit code is 0, unless it has the comment
  `# exit N`.
- A YAML file is loaded by the program: a target file, a contract, a profile, or a configuration of splitproof-proxy. If it
  is wrong on purpose, a later command names it, or its folder, and ends with 2.
- Other blocks are not run, but a `make TARGET` in them must name a target of the Makefile.

Besides the blocks, every relative link has to lead to a file, and to a heading if it names one. Every
`path/to/file` in backticks that begins with a folder of the project has to exist, or to be named in .gitignore.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass

SECONDS_A_COMMAND = 300
WRONG_INPUT, NOTHING_SELECTED = 2, 5  # exit codes of splitproof
DOCUMENTS = ["*.md", "docs/*.md", "contracts/*/*.md", "fuzz/*.md", "harness/*.md", "harness/*/*.md", "proxy/*.md", "tests/*/*.md"]
FENCE = re.compile(r"^(`{3,})([^`]*)$")
EXIT = re.compile(r"\s#\s*exit (\d+)\s*$")
LINK = re.compile(r"\]\(([^)#\s]*)(?:#([^)\s]*))?\)")
PATH = re.compile(r"`((?:\.ci|proxy|harness|contracts|corpus|fuzz|tests|docs)/[\w./*-]+)`")


class Lie(Exception):
    """A false claim of a document, with the truth; `line` is the document's."""

    def __init__(self, line, message):
        super().__init__(message)
        self.line = line


@dataclass
class Block:
    line: int  # of the fence
    language: str
    file: str  # file with this content, or empty
    lines: list


def read_document(text):
    """Returns its fenced blocks, and its other lines with their numbers."""
    blocks, prose, block, ticks = [], [], None, ""
    for number, line in enumerate(text.split("\n"), 1):
        fence = FENCE.match(line)
        if block is None and fence:
            language, _, file = fence[2].strip().partition(" ")
            block, ticks = Block(number, language, file.strip(), []), fence[1]
        elif block is None:
            prose.append((number, line))
        elif fence and fence[1] == ticks and not fence[2].strip():
            blocks.append(block)
            block = None
        else:
            block.lines.append(line)
    if block is not None:
        raise Lie(block.line, "the block is never closed")
    return blocks, prose


def matches(shown, printed):
    """True if `printed` matches `shown`. Both are lists of lines. On a busy machine, a quick run tries fewer cases, so the words
    SO FAR may be missing or not."""
    reachable = {0}  # possible numbers of printed lines for the shown ones so far
    shown, printed = ([line.replace(" SO FAR", "") for line in lines] for lines in (shown, printed))
    for line in shown:
        if line.strip() == "...":
            reachable = set(range(min(reachable), len(printed) + 1)) if reachable else set()
            continue
        pattern = re.compile(".*".join(re.escape(part) for part in line.rstrip().split("...")))
        reachable = {i + 1 for i in reachable if i < len(printed) and pattern.fullmatch(printed[i].rstrip())}
    return len(printed) in reachable


def commands_of(block):
    """Returns (line, command, exit code, shown lines) of each command."""
    commands = []
    for number, line in enumerate(block.lines, block.line + 1):
        if line.startswith("$ "):
            code = EXIT.search(line)
            commands.append((number, line[2:], int(code[1]) if code else 0, []))
        elif commands:
            commands[-1][3].append(line)
        elif line.strip():
            raise Lie(number, "output stands before the first `$ ` line")
    if not commands:
        raise Lie(block.line, "a console block without a `$ ` line")
    return commands


def run_console(block, folder, environment):
    for line, command, code, shown in commands_of(block):
        try:
            done = subprocess.run(["sh", "-c", command], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=SECONDS_A_COMMAND)
        except subprocess.TimeoutExpired:
            raise Lie(line, f"`{command}` did not end within {SECONDS_A_COMMAND} s") from None
        printed = done.stdout.decode(errors="replace").rstrip("\n").split("\n")
        said = "\n".join("  " + text for text in printed)
        if done.returncode != code:
            raise Lie(line, f"`{command}` ended with {done.returncode}, not with {code}, and printed\n{said}")
        while shown and not shown[-1].strip():
            shown.pop()
        if shown and not matches(shown, printed):
            raise Lie(line, f"`{command}` does not print what is shown; it printed\n{said}")


def load(command, expected, folder, environment):
    """Returns what a command printed if it did not end with the expected exit code, or None."""
    done = subprocess.run(command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, timeout=SECONDS_A_COMMAND)
    return None if done.returncode == expected else done.stdout.decode(errors="replace")


def start_proxy(file, folder, environment):
    """Returns the error of splitproof-proxy with a configuration, or None if it listens."""
    command = ["splitproof-proxy", "--listen", "127.0.0.1:0", "--upstream", "http://127.0.0.1:9", "--config", file]
    with subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as proxy:
        first = proxy.stdout.readline()
        proxy.terminate()
        return None if first.startswith(b"splitproof-proxy: listening") else proxy.stderr.read().decode(errors="replace")


def check_yaml(block, blocks, folder, environment):
    """Raises Lie if the program does not load the file of a block, and no later example shows that."""
    parent = str(pathlib.Path(block.file).parent)
    text = "\n".join(block.lines)
    complaint = None
    if re.search(r"^target:", text, re.M):
        # The target is not started, because it has no client of this protocol.
        other = "openai.responses" if re.search(r"^client: openai.chat\b", text, re.M) else "openai.chat"
        complaint = load(["splitproof", "run", "--target", block.file, "--client", other], NOTHING_SELECTED, folder,
                         environment)
        if complaint and complaint.rstrip().endswith("the library does not exist"):  # the reader builds it
            complaint = None
    elif re.search(r"^profile:", text, re.M):
        complaint = load(["splitproof", "run", "--profile", f"./{block.file}", "--only", "no-such-recording"],
                         NOTHING_SELECTED, folder, environment)
    elif re.search(r"^contract:", text, re.M):
        complaint = load(["splitproof", "list", "obligations", "--contracts", parent], 0, folder, environment)
    elif re.search(r"^limits:", text, re.M):
        complaint = start_proxy(block.file, folder, environment)
    later = [command for other in blocks if other.line > block.line and other.language == "console"
             for _, command, code, _ in commands_of(other) if code == WRONG_INPUT]
    if complaint is not None and not any(block.file in command or f" {parent}" in command for command in later):
        raise Lie(block.line, f"the program does not load {block.file}: {complaint}")


def run_block(block, blocks, folder, environment, make_targets):
    if block.language == "console":
        run_console(block, folder, environment)
    elif block.file:
        path = (folder / block.file).resolve()
        if folder.resolve() not in path.parents:
            raise Lie(block.line, f"{block.file} is not below the example's folder")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(block.lines) + "\n")
        if block.language == "yaml":
            check_yaml(block, blocks, folder, environment)
    else:
        for number, line in enumerate(block.lines, block.line + 1):
            for target in re.findall(r"(?:^|&& )make ([a-z-]+)", line):
                if target not in make_targets:
                    raise Lie(number, f"the Makefile has no target {target}")


def anchors_of(path):
    """Returns possible link targets after `#`: the document's headings, in the form of forges."""
    anchors = set()
    for _, line in read_document(path.read_text())[1]:
        if heading := re.match(r"#+ (.*)", line):
            words = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading[1]).strip().lower()
            anchors.add(re.sub(r"[^\w\- ]", "", words).replace(" ", "-"))
    return anchors


def check_link(link, anchor, document):
    """Returns the complaint about a relative link, or None."""
    path = document.parent / link if link else document
    if not path.exists():
        return f"the link {link} leads nowhere"
    if anchor and path.suffix == ".md" and anchor not in anchors_of(path):
        return f"{path.name} has no heading #{anchor}"
    return None


def check_prose(prose, document, root):
    made = [line.strip().strip("/") for line in (root / ".gitignore").read_text().splitlines()]  # by builds and tests
    for number, line in prose:
        for link, anchor in LINK.findall(line):
            if "://" not in link and (complaint := check_link(link, anchor, document)):
                raise Lie(number, complaint)
        for path in PATH.findall(line):
            if path.rstrip("/") not in made and not any(root.glob(path.rstrip("/"))):
                raise Lie(number, f"there is no {path}")


def main():
    splitproof, root = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
    documents = [pathlib.Path(name).resolve() for name in sys.argv[3:]] or sorted({path for pattern in DOCUMENTS for path in root.glob(pattern)})
    environment = dict(os.environ, PATH=f"{splitproof.parent}:{os.environ['PATH']}", NO_COLOR="1", LC_ALL="C.UTF-8")
    make_targets = re.findall(r"^([a-z-]+):(?!=)", (root / "Makefile").read_text(), re.MULTILINE)
    results = 0
    failed = False

    def report(document, line, what, attempt):
        nonlocal results, failed
        results += 1
        name = f"{document.relative_to(root)}:{line} {what}"
        try:
            attempt()
        except Lie as lie:
            failed = True
            print(f"not ok {results} - {name}")
            for text in f"{document.relative_to(root)}:{lie.line}: {lie}".split("\n"):
                print(f"# {text}")
        else:
            print(f"ok {results} - {name}")

    for document in documents:
        blocks, prose = [], []

        def read():
            blocks[:], prose[:] = read_document(document.read_text())
            check_prose(prose, document, root)

        report(document, 1, "prose", read)
        with tempfile.TemporaryDirectory() as folder:
            (pathlib.Path(folder) / "docs").symlink_to(root / "docs")
            for block in blocks:
                what = " ".join(filter(None, [block.language, block.file])) or "block"
                report(document, block.line, what,
                       lambda: run_block(block, blocks, pathlib.Path(folder), environment, make_targets))
    print(f"1..{results}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
