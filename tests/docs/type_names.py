#!/usr/bin/env python3
"""type_names.py ROOT: one name, one thing. Asks ctags for the types of the harness and of the proxy, which are two programs.

Fails if two files of a program define a type of the same name outside a class or function. An alias is the type it names: many
files may have `using Kind = ...`, if each alias names a type that is called so. Skipped (77) if there is no Universal Ctags."""
import collections
import json
import re
import shutil
import subprocess
import sys

# Names that may stand for two things, each with the reason. The list may only shrink.
EXCEPTIONS = {
    "Names": "a template with a specialisation for each enumeration",
    "Fields": "a template with a specialisation for each struct",
    "Json": "nlohmann::json and nlohmann::ordered_json, as the files need them",
    "Harm": "the same thing in a contract and in the results of a run",
}
PROGRAMS = {"harness": ["harness"], "proxy": ["proxy"]}


def types_of(root, folders):
    """Pairs of a name and what defines it: a file and line, or the target of an alias."""
    out = subprocess.run(["ctags", "-R", "--languages=C++", "--c++-kinds=cgsut", "--fields=+KsStn", "--output-format=json",
                          "-f", "-", *folders], cwd=root, capture_output=True, text=True, check=True).stdout
    for line in out.splitlines():
        tag = json.loads(line)
        if tag.get("scopeKind") in ("class", "struct", "union", "function", "enum"):
            continue
        place = f"{tag['path']}:{tag['line']}"
        if tag["kind"] != "typedef":
            yield tag["name"], tag["path"], place
            continue
        target = re.sub(r"\s+", "", tag["pattern"].split("=", 1)[-1].split(";")[0])
        if "=" in tag["pattern"] and target.split("::")[-1] != tag["name"]:
            yield tag["name"], target, place


def main():
    if shutil.which("ctags") is None or "Universal" not in subprocess.run(["ctags", "--version"], capture_output=True,
                                                                           text=True).stdout:
        print("universal-ctags is missing")
        return 77
    unused, wrong = set(EXCEPTIONS), []
    for program, folders in PROGRAMS.items():
        defined = collections.defaultdict(dict)
        for name, definition, place in types_of(sys.argv[1], folders):
            defined[name].setdefault(definition, place)
        for name, definitions in sorted(defined.items()):
            if len(definitions) < 2:
                continue
            if name in EXCEPTIONS:
                unused.discard(name)
            else:
                wrong.append(f"{program}: {name} is defined in {', '.join(definitions.values())}")
    wrong += [f"{name} is an exception and names one thing: remove it from the list" for name in sorted(unused)]
    for line in wrong:
        print(line)
    return 1 if wrong else 0


sys.exit(main())
