#!/usr/bin/env python3
"""Writes copies of the translator's sources in which every mutant can be switched on.

usage: mutate.py PROXY OUT TABLE.toml... SOURCE...

PROXY is the folder of the translator, and each SOURCE a file in it. OUT gets one file for each SOURCE, named after its
path with '_' for '/', and `variants.cpp` with the mutants of all tables.

A table begins with the protocols of the stream by which its mutants are shown, `upstream` and `client`; a mutant may
name others. Either may name the `profile` under which they show, if it is not the default one. Each mutant is a bug
that a real proxy had, or could have, and names the `obligation` that exists to catch it, what it `says` of itself, and
the public report where it was `seen`. In each `edit`, `find` stands exactly once in `file` (under proxy/) and is
replaced by `put`, in which

  $MUTANT    says whether this mutant is the one that is switched on
  $MEMORY    is what it may remember of one stream (harness/mutants/mutation.hpp)
  $ORIGINAL  is what was found

Mutants that replace the same text are put around each other by $ORIGINAL. A text to replace that does not stand exactly
once in its file, or that two mutants claim in part, is an error: then the translator has changed, and the mutant has to
follow."""
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


PROTOCOLS = {"upstream", "client"}
PROFILE = {"profile"}


def load(tables):
    mutants = []
    names = set()
    for path in tables:
        table = tomllib.loads(path.read_text())
        check_keys(table, PROTOCOLS | {"mutant"}, PROTOCOLS | PROFILE | {"mutant"}, path.name)
        for number, mutant in enumerate(table["mutant"], start=1):
            name = mutant.get("name", f"mutant {number}")
            needed = {"name", "obligation", "says", "edit"}
            check_keys(mutant, needed, needed | PROTOCOLS | PROFILE | {"seen"}, name)
            if name in names:
                raise Mistake(f"{name}: the name is taken")
            names.add(name)
            for edit in mutant["edit"]:
                check_keys(edit, {"file", "find", "put"}, {"file", "find", "put"}, f"{name}: an edit")
            mutants.append({key: table[key] for key in (PROTOCOLS | PROFILE) & table.keys()} | mutant)
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
    def rows(*keys):
        return "".join("    {" + ", ".join(json.dumps(mutant.get(key, "")) for key in keys) + "},\n"
                       for mutant in mutants)

    profiles = "".join(f"    {json.dumps(mutant.get('profile', ''))},\n" for mutant in mutants)
    return ('#include "harness/testee/splitproof_testee.h"\n\n'
            'namespace splitproof::mutants {\n\n'
            'extern const splitproof_variant kVariants[];\n'
            'extern const splitproof_protocols kProtocols[];\n'
            'extern const char* const kProfiles[];\n\n'
            f'const splitproof_variant kVariants[] = {{\n{rows("name", "says", "obligation", "seen")}'
            '    {nullptr, nullptr, nullptr, nullptr},\n};\n\n'
            f'const splitproof_protocols kProtocols[] = {{\n{rows("upstream", "client")}}};\n\n'
            f'const char* const kProfiles[] = {{\n{profiles}}};\n\n'
            '}  // namespace splitproof::mutants\n')


def main(proxy, out, *inputs):
    mutants = load([Path(path) for path in inputs if path.endswith(".toml")])
    sources = [path for path in inputs if not path.endswith(".toml")]
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
        sys.exit(f"the tables of mutants: {mistake}")
