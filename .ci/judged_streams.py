"""What the pages about recorded and broken streams are made with: the streams of ../shared (or of SPLITPROOF_SHARED) judged,
and the way in which a page is printed, or held against the file that it is in."""

import collections
import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SKIPPED = 77  # what meson takes for a test that could not run


def arguments():
    """The program, and the file that is to be held against the page, if one is named."""
    program = sys.argv[1] if len(sys.argv) > 1 else str(ROOT / "build" / "splitproof")
    return program, pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else None


def shared(folder, *below):
    """A folder of ../shared; where there is none, nothing can be made or held."""
    path = pathlib.Path(os.environ.get("SPLITPROOF_SHARED", ROOT.parent / "shared")).joinpath(folder, *below)
    if not path.is_dir():
        print(f"{pathlib.Path(sys.argv[0]).name}: there is no {path}", file=sys.stderr)
        sys.exit(SKIPPED)
    return path


def findings(program, protocol, files, *options):
    """What `check` finds in each file: its JSON objects, by the file's path."""
    run = subprocess.run([program, "check", "--as", protocol, "--json", *options, *map(str, files)],
                         capture_output=True, encoding="utf-8")
    if run.returncode not in (0, 1):
        sys.exit(run.stderr)
    found = collections.defaultdict(list)
    for line in run.stdout.splitlines():
        finding = json.loads(line)
        found[finding["file"]].append(finding)
    return found


def tell(page, file, target):
    """Prints the page; or, where there is a file, ends in an error unless that is what it holds."""
    if file is None:
        print(page, end="")
    elif file.read_text(encoding="utf-8") != page:
        sys.exit(f"{file} is not what the streams and the contracts say any more: run `make {target}`")
