#!/usr/bin/env python3
"""Writes the profiles of a folder, and the maps of tools in `names` next to it, as the C++ source for
proxy/server/built_in_profiles.hpp, so that the program needs no such files.

usage: built_in_profiles.py FOLDER SOURCE DEPFILE"""
import json
import pathlib
import sys

folder, source, depfile = (pathlib.Path(argument) for argument in sys.argv[1:])
read = []


def function(name, files):
    # A JSON string of ASCII is a C++ string. The compiler refuses other strings.
    rows = "".join(f"    {{{json.dumps(file.stem)}, {json.dumps(file.read_text(encoding='ascii'))}}},\n"
                   for file in files)
    # The folder too: it changes when a file is added or removed.
    read.extend([files[0].parent, *files])
    return (f'std::span<const BuiltInProfile> {name}() {{\n'
            f'  static constexpr BuiltInProfile kAll[] = {{\n{rows}  }};\n'
            '  return kAll;\n}\n\n')


source.write_text('#include "proxy/server/built_in_profiles.hpp"\n\n'
                  'namespace splitproof::server {\n\n' +
                  function("built_in_profiles", sorted(folder.glob("*.yaml"))) +
                  function("built_in_maps", sorted((folder.parent / "names").glob("*.yaml"))) +
                  '}  // namespace splitproof::server\n')
depfile.write_text(f"{source}: " + " ".join(str(path).replace(" ", "\\ ") for path in read) + "\n")
