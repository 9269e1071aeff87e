#!/usr/bin/env python3
"""Writes the profiles of a folder as the C++ source that proxy/server/built_in_profiles.hpp promises, so that the
program needs no files beside it.

usage: built_in_profiles.py FOLDER SOURCE DEPFILE"""
import json
import pathlib
import sys

folder, source, depfile = (pathlib.Path(argument) for argument in sys.argv[1:])
files = sorted(folder.glob("*.yaml"))
# A JSON string of ASCII is a C++ string, and the compiler refuses any other.
rows = "".join(f"    {{{json.dumps(file.stem)}, {json.dumps(file.read_text(encoding='ascii'))}}},\n" for file in files)
source.write_text('#include "proxy/server/built_in_profiles.hpp"\n\n'
                  'namespace splitproof::server {\n\n'
                  'std::span<const BuiltInProfile> built_in_profiles() {\n'
                  f'  static constexpr BuiltInProfile kAll[] = {{\n{rows}  }};\n'
                  '  return kAll;\n}\n\n'
                  '}  // namespace splitproof::server\n')
# The folder too: it changes when a file comes or goes.
depfile.write_text(f"{source}: " + " ".join(str(path).replace(" ", "\\ ") for path in [folder, *files]) + "\n")
