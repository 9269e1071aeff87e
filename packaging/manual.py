#!/usr/bin/env python3
"""Prints the manual page of a program, made from the --help of the program and of each of its commands.

usage: manual.py PROGRAM VERSION"""
import pathlib
import re
import subprocess
import sys

program, version = pathlib.Path(sys.argv[1]), sys.argv[2]


def help_of(*command):
    said = subprocess.run([program, *command, "--help"], check=True, capture_output=True, encoding="utf-8").stdout
    what, _, rest = said.partition("\n")
    return what, rest.strip("\n")


def plain(text):
    escaped = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"^(?=[.'])", "\\\\&", escaped, flags=re.MULTILINE)


def as_printed(text):
    return f".nf\n{plain(text)}\n.fi"


what, rest = help_of()
print(f'.TH {program.name.upper()} 1 "" "splitproof {version}"')
print(f".SH NAME\n{program.name} \\- {plain(what)}\n.SH USAGE\n{as_printed(rest)}")
commands = rest.partition("Subcommands:\n")[2].partition("\n\n")[0]
for command in re.findall(r"^  ([a-z-]+) ", commands, flags=re.MULTILINE):
    what, rest = help_of(command)
    print(f".SH {command.upper()}\n{plain(what)}\n.PP\n{as_printed(rest)}")
