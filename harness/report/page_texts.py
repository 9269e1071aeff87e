#!/usr/bin/env python3
"""Writes files of a page, such as its style and its script, as constants of a C++ header.

usage: page_texts.py HEADER OUT.cpp NAME=FILE...    (HEADER is harness/ROOM/NAME.hpp)"""
import pathlib
import sys

LONGEST = 15000  # bytes of a literal, which compilers limit
CLOSING = {".css": "</style", ".js": "</script"}  # would end the element of the page


def literals(path):
    """The text of a file as raw literals."""
    with open(path, encoding="ascii") as file:
        text = file.read()
    for word in (CLOSING.get(pathlib.Path(path).suffix), ')page"'):
        if word and word in text:
            sys.exit(f"{path}: the file cannot contain {word}")
    return "\n".join(f'R"page({text[at:at + LONGEST]})page"' for at in range(0, len(text), LONGEST))


def main():
    header, out, *texts = sys.argv[1:]
    room = pathlib.PurePath(header).parts[1]
    with open(out, "w", encoding="ascii") as made:
        made.write(f'#include "{header}"\n\nnamespace splitproof::{room} {{\n\n')
        for text in texts:
            name, path = text.split("=", 1)
            made.write(f"const char* const {name} = {literals(path)};\n\n")
        made.write(f"}}  // namespace splitproof::{room}\n")


main()
