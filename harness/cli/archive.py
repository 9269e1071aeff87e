#!/usr/bin/env python3
"""Puts the files that are part of the program into an object file, in the form that harness/built_in.hpp tells.

usage: archive.py ROOT LINKER OBJECT DEPFILE

The object's symbols are `_binary_built_in_start` and `_binary_built_in_end`."""
import pathlib
import subprocess
import sys
import tempfile

FOLDERS = {"contracts": "contracts", "corpus": "corpus", "harness/targets": "targets"}  # and their names in the archive

root, linker, made, depfile = pathlib.Path(sys.argv[1]), *sys.argv[2:]
rows, contents, read = [], [], []
for folder, name in FOLDERS.items():
    paths = sorted((root / folder).rglob("*"))
    read += [root / folder, *paths]  # folders too: they change when a file comes or goes
    for path in paths:
        if path.is_file() and path.suffix != ".md":  # pages for people are no part of the program
            data = path.read_bytes()
            rows.append(f"{len(data)} {name}/{path.relative_to(root / folder).as_posix()}\n")
            contents.append(data)

object_file = pathlib.Path(made).resolve()
with tempfile.TemporaryDirectory() as work:
    # The symbols have the name of the file.
    pathlib.Path(work, "built_in").write_bytes("".join(rows).encode() + b"\n" + b"".join(contents))
    subprocess.run([linker, "-r", "-z", "noexecstack", "-b", "binary", "-o", object_file, "built_in"], cwd=work, check=True)
pathlib.Path(depfile).write_text(f"{made}: " + " ".join(str(path).replace(" ", "\\ ") for path in read) + "\n")
