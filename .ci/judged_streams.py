"""Judges the streams of ../shared (or of SPLITPROOF_SHARED), for the pages about recorded and broken streams."""

import collections
import json
import os
import pathlib
import subprocess
import sys

from made_page import ROOT

SKIPPED = 77  # meson's exit code for a test that could not run


def shared(folder, *below):
    """A folder of ../shared. Skips the test if it does not exist."""
    path = pathlib.Path(os.environ.get("SPLITPROOF_SHARED", ROOT.parent / "shared")).joinpath(folder, *below)
    if not path.is_dir():
        print(f"../shared is absent: there is no {path}", file=sys.stderr)
        sys.exit(SKIPPED)
    return path


def findings(program, protocol, files, *options):
    """The findings of `check` in each file: its JSON objects, by the file's path."""
    run = subprocess.run([program, "check", "--as", protocol, "--json", *options, *map(str, files)],
                         capture_output=True, encoding="utf-8")
    if run.returncode not in (0, 1):
        sys.exit(run.stderr)
    found = collections.defaultdict(list)
    for line in run.stdout.splitlines():
        finding = json.loads(line)
        found[finding["file"]].append(finding)
    return found
