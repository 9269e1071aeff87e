#!/usr/bin/env python3
"""Checks that only the dialects name protocols and use their words.

usage: protocol_words.py ROOT           fails if a file has such a word and is not on the list, or has fewer than
listed
       protocol_words.py ROOT --shorten removes outdated entries from the list; it never adds any

The list, protocol_words.txt, has one line for each file: the number of such words, and the path. It is exact, so it
only gets shorter. Sources, build files, comments and paths are read. Data (target files, the list of mutants, seeds
of the fuzzers) names protocols by its nature.
"""
import pathlib
import re
import sys

FOLDERS = ("harness", "proxy", "fuzz", "meson.build")
DIALECTS = ("harness/dialect/", "proxy/dialect/")
# Text of models, calls and product names, which belong to no protocol.
MARKUP = ("harness/observe/markup_words.hpp", "harness/observe/preamble_words.hpp", "harness/observe/identity_phrases.cpp",
          "proxy/text/markup_grammar.cpp", "proxy/text/call_places.cpp", "proxy/text/explanation.hpp", "proxy/text/call_json.cpp", "proxy/request/call_markup.hpp",
          "proxy/request/call_markup.cpp",
          "proxy/text/identity_phrases.cpp", "fuzz/leaked_markup.cpp")
INPUTS = ("fuzz/findings/", "fuzz/seeds/")  # of fuzzers: not sources
SUFFIXES = (".cpp", ".hpp", ".c", ".h", ".py", ".build", "")

WORDS = re.compile("|".join((
    # Names.
    r"[Aa]nthropic", r"[Oo]pen[Aa][Ii]", r"[Cc]hat(?![a-z])", r"Responses", r"responses_answer", r"\.responses\b",
    r"[Gg]emini", r"[Oo]llama", r"[Bb]edrock", r"[Kk]iro", r"/v1/\w+",
    # Anthropic Messages.
    r"content_block", r"message_(?:start|delta|stop)", r"(?:text|thinking|input_json|signature|citations)_delta",
    r"stop_reason", r"tool_(?:use|result)", r"redacted_thinking", r"[\"`/]stop_sequence",
    # Chat Completions.
    r"[\"`/](?:choices|delta|function)\b(?!\.[ch]pp)", r"finish_reason", r"tool_calls?\b", r"function_calls?\b", r"\[DONE\]",
    r"(?:prompt|completion)_tokens", r"reasoning_content",
    # Responses.
    r"response\.(?:created|in_progress|completed|incomplete|failed|queued|output|refusal|reasoning|content_part|"
    r"function_call|custom_tool|mcp)\w*", r"output_(?:text|item)", r"[\"`/]call_id", r"custom_tool_call",
    # Others.
    r"finishReason", r"functionCall", r"usageMetadata", r"done_reason", r"eval_count", r"assistantResponseEvent",
    r"contentBlock\w+", r"messageStop")))


def said(root):
    """Returns {path: [(line, word)]}; words of the path itself have line 0."""
    words = {}
    for folder in FOLDERS:
        for file in sorted((root / folder).rglob("*") if (root / folder).is_dir() else [root / folder]):
            path = file.relative_to(root).as_posix()
            if file.suffix in SUFFIXES and file.is_file() and not path.startswith((*DIALECTS, *MARKUP, *INPUTS)):
                lines = [path, *file.read_text(errors="replace").splitlines()]
                found = [(number, word) for number, line in enumerate(lines) for word in WORDS.findall(line)]
                if found:
                    words[path] = found
    return words


def main(root, shorten):
    list_file = root / "tests/docs/protocol_words.txt"
    lines = list_file.read_text().splitlines()
    words, left, wrong, listed = said(root), [], [], {}
    for line in lines:
        if not line or line.startswith("#"):
            left.append(line)
            continue
        count, path = line.split()
        listed[path] = int(count)
        now = min(len(words.get(path, [])), int(count))
        if now:
            left.append(f"{now} {path}")
        if now < int(count):
            wrong.append(f"{path}: {now} protocol words, {count} are on the list: shorten it (--shorten)")
    for path, found in words.items():
        if len(found) > listed.get(path, 0):
            wrong += [f"{path}:{number}: {word}" for number, word in found]
            wrong.append(f"{path}: {len(found)} protocol words, {listed.get(path, 0)} are on the list: "
                         "move what says them into the protocol's folder of harness/dialect or proxy/dialect")
    if shorten:
        list_file.write_text("\n".join(left) + "\n")
        return 0
    for line in wrong:
        print(line)
    print(f"{sum(map(len, words.values()))} protocol words outside the dialects, in {len(words)} files")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]), "--shorten" in sys.argv[2:]))
