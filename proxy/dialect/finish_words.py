#!/usr/bin/env python3
"""Writes the meanings of upstreams' finish words as C++: a function of proxy/dialect/finish_word.hpp.

usage: finish_words.py FINISH.yaml OUT.cpp

Reads the list `rows` of the file, one `- {key: value, ...}` in each line."""
import sys

import vocabulary

MEANS = {"stop": "Finish::stop", "calls": "Finish::calls", "length": "Finish::length",
         "filtered": "Finish::content_filter", "refused": "Finish::content_filter", "paused": "Finish::stop",
         "failed": "std::nullopt"}


def main():
    source, target = sys.argv[1:]
    rows = []
    for number, line in vocabulary.rows(source):
        try:
            dialect, word, means = (vocabulary.value_of(line, key) for key in ("dialect", "word", "means"))
            rows.append(f'      {{"{dialect}", "{word.lower()}", {MEANS[means]}}},\n')
        except (IndexError, KeyError) as error:
            raise SystemExit(f"{source}:{number}: this is no row of a finish word: {error}")
    with open(target, "w", encoding="utf8") as out:
        out.write('#include "proxy/dialect/finish_word.hpp"\n\nnamespace splitproof::proxy::dialect {\n\n'
                  "std::span<const FinishWord> finish_words() {\n  using turn::Finish;\n"
                  "  static constexpr FinishWord kWords[] = {\n" + "".join(rows) +
                  "  };\n  return kWords;\n}\n\n}  // namespace splitproof::proxy::dialect\n")


main()
