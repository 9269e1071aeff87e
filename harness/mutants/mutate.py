#!/usr/bin/env python3
"""Writes copies of the translator's sources in which every mutant can be switched on.

usage: mutate.py TABLE PROXY OUT SOURCE...

TABLE is mutants.toml, PROXY the folder of the translator, and each SOURCE a file in it. OUT gets one file for each
SOURCE, named after its path with '_' for '/', and `variants.cpp` with the table. A text to replace that does not stand
exactly once in its file, or that two mutants claim in part, is an error: then the translator has changed, and the
mutant has to follow."""
import json
import sys
import tomllib
from pathlib import Path


class Mistake(Exception):
    pass


def check_keys(entry, needed, allowed, what):
    missing = needed - entry.keys()
    unknown = entry.keys() - allowed
    if missing or unknown:
        raise Mistake(f"{what}: " + ", ".join([f"lacks '{key}'" for key in sorted(missing)] +
                                              [f"'{key}' means nothing" for key in sorted(unknown)]))


def load(table):
    mutants = tomllib.loads(table).get("mutant", [])
    names = set()
    for number, mutant in enumerate(mutants, start=1):
        name = mutant.get("name", f"mutant {number}")
        needed = {"name", "obligation", "says", "edit"}
        check_keys(mutant, needed, needed | {"seen"}, name)
        if name in names:
            raise Mistake(f"{name}: the name is taken")
        names.add(name)
        for edit in mutant["edit"]:
            check_keys(edit, {"file", "find", "put"}, {"file", "find", "put"}, f"{name}: an edit")
    return mutants


def replacement(edit, number, original):
    text = edit["put"].replace("$MUTANT", f"splitproof::mutants::on({number})")
    text = text.replace("$MEMORY", "splitproof::mutants::memory()")
    return text.replace("$ORIGINAL", original)


def mutated(file, text, mutants):
    """`text` with the edits of all mutants that mean this file."""
    edits = {}  # (begin, end) in the text -> the text that stands there, and the mutants that changed it
    for number, mutant in enumerate(mutants, start=1):
        for edit in mutant["edit"]:
            if edit["file"] != file:
                continue
            name, find = mutant["name"], edit["find"]
            count = text.count(find)
            if count != 1:
                raise Mistake(f"{name}: proxy/{file} has {count} times, not once:\n{find}")
            place = (text.index(find), text.index(find) + len(find))
            for other, (_, others) in edits.items():
                if other != place and other[0] < place[1] and place[0] < other[1]:
                    raise Mistake(f"{name}: {others[-1]} replaces a part of the same text in proxy/{file}:\n{find}")
            if place in edits and "$ORIGINAL" not in edit["put"]:
                raise Mistake(f"{name}: {edits[place][1][-1]} replaces the same text in proxy/{file}, "
                              f"so put has to keep $ORIGINAL:\n{find}")
            original, others = edits.get(place, (find, []))
            edits[place] = (replacement(edit, number, original), others + [name])
    for (begin, end), (put, _) in sorted(edits.items(), reverse=True):
        text = text[:begin] + put + text[end:]
    return text


def variants(mutants):
    """The table as C++. A JSON string of ASCII is a C++ string."""
    rows = "".join("    {" + ", ".join(json.dumps(mutant.get(key, ""))
                                       for key in ("name", "says", "obligation", "seen")) + "},\n"
                   for mutant in mutants)
    return ('#include "harness/testee/splitproof_testee.h"\n\n'
            'namespace splitproof::mutants {\n\n'
            'extern const splitproof_variant kVariants[];\n\n'
            f'const splitproof_variant kVariants[] = {{\n{rows}    {{nullptr, nullptr, nullptr, nullptr}},\n}};\n\n'
            '}  // namespace splitproof::mutants\n')


def main(table, proxy, out, *sources):
    mutants = load(Path(table).read_text())
    files = [str(Path(source).resolve().relative_to(Path(proxy).resolve())) for source in sources]
    for mutant in mutants:
        for edit in mutant["edit"]:
            if edit["file"] not in files:
                raise Mistake(f"{mutant['name']}: proxy/{edit['file']} is none of the translator's sources")
    out = Path(out)
    for file, source in zip(files, sources):
        text = mutated(file, Path(source).read_text(), mutants)
        (out / file.replace("/", "_")).write_text('#include "harness/mutants/mutation.hpp"\n' + text)
    (out / "variants.cpp").write_text(variants(mutants))


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except Mistake as mistake:
        sys.exit(f"{sys.argv[1]}: {mistake}")
