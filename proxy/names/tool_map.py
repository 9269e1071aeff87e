#!/usr/bin/env python3
"""Writes a map of tools as C++: a function in the namespace of proxy/names/tool_map.hpp that returns it.

usage: tool_map.py MAP.yaml FUNCTION OUT.cpp

Reads only the YAML that such maps need, so that the build needs only Python: lists of maps and maps by indentation,
and `[a, b]` and `{a: b}` on one line. Anything more is an error with its line."""
import json
import re
import sys

TOP = {"tools"}
TOOL = {"client", "upstream", "also", "arguments", "values", "strip-for-client", "strip-for-upstream",
        "defaults-for-client", "defaults-for-upstream"}


class Mistake(Exception):
    pass


TOKEN = re.compile(r"""\s*("(?:[^"\\]|\\.)*"|[\[\]{},]|:(?=\s|$)|(?:[^\s\[\]{},:"#]|:(?=\S)|(?<=\S)#)"""
                   r"""(?:[^\[\]{},:#]|:(?=\S)|(?<=\S)#)*)""")


def tokens_of(text, line):
    """Returns the tokens of one line, without its comment."""
    tokens, at = [], 0
    while at < len(text):
        if re.match(r"\s*(#|$)", text[at:]):
            break
        match = TOKEN.match(text, at)
        if not match:
            raise Mistake(f"line {line}: {text[at:].strip()!r} cannot be read")
        tokens.append(match[1].strip())
        at = match.end()
    return tokens


def scalar(token):
    return json.loads(token) if token.startswith('"') else token


def flow(tokens, line):
    """Returns the value at the beginning of the tokens, and the rest."""
    if not tokens:
        raise Mistake(f"line {line}: a value is missing")
    first, rest = tokens[0], tokens[1:]
    if first in ("[", "{"):
        close, value = ("]", []) if first == "[" else ("}", {})
        while rest and rest[0] != close:
            item, rest = flow(rest, line)
            if first == "{":
                if rest[:1] != [":"]:
                    raise Mistake(f"line {line}: ':' is missing behind {item!r}")
                member, rest = flow(rest[1:], line)
                if item in value:
                    raise Mistake(f"line {line}: {item!r} stands here twice")
                value[item] = member
            else:
                value.append(item)
            if rest[:1] == [","]:
                rest = rest[1:]
        if not rest:
            raise Mistake(f"line {line}: '{close}' is missing")
        return value, rest[1:]
    if first in ("]", "}", ",", ":"):
        raise Mistake(f"line {line}: {first!r} does not belong here")
    return scalar(first), rest


def lines_of(text):
    """Yields (number, indentation, true for a list item, tokens) of each line with content."""
    for number, line in enumerate(text.splitlines(), 1):
        indent = len(line) - len(line.lstrip(" "))
        item = line[indent:].startswith("- ")
        if item:
            indent += 2
        tokens = tokens_of(line[indent:], number)
        if tokens:
            yield number, indent, item, tokens


def block(lines, at, indent):
    """Returns the map at this indentation from line `at` on, and its end."""
    value = {}
    while at < len(lines):
        number, deep, item, tokens = lines[at]
        if deep < indent or (item and value):
            break
        if deep > indent or len(tokens) < 2 or tokens[1] != ":":
            raise Mistake(f"line {number}: 'KEY: VALUE' at column {indent + 1} was expected")
        key = scalar(tokens[0])
        if key in value:
            raise Mistake(f"line {number}: {key!r} stands here twice")
        at += 1
        if len(tokens) > 2:
            value[key], rest = flow(tokens[2:], number)
            if rest:
                raise Mistake(f"line {number}: {rest[0]!r} does not belong here")
        elif at < len(lines) and lines[at][1] > indent and lines[at][2]:
            value[key] = []
            inner = lines[at][1]
            while at < len(lines) and lines[at][1] == inner and lines[at][2]:
                element, at = block(lines, at, inner)
                value[key].append(element)
        elif at < len(lines) and lines[at][1] > indent:
            value[key], at = block(lines, at, lines[at][1])
        else:
            raise Mistake(f"line {number}: {key!r} has no value")
    return value, at


def known(value, keys, what):
    for key in value:
        if key not in keys:
            raise Mistake(f"{what}: there is no key {key!r} here; there are: {', '.join(sorted(keys))}")


def text(value):
    return json.dumps(value, ensure_ascii=False)


def texts(values):
    return "{" + ", ".join(map(text, values)) + "}"


def place(key):
    """Returns the list of `list[].key`, and the key."""
    return key.split("[].", 1) if "[]." in key else ["", key]


def check_keys(tool):
    """Checks that keys are KEY or LIST[].KEY, and that a side does not lose a key that is renamed for it."""
    for key in [*tool.get("arguments", {}), *tool.get("values", {})]:
        if not re.fullmatch(r"(?:(?!.*\[\].*\[\]).+\[\]\.)?(?:(?!\[\]).)+", key):
            raise Mistake(f"{key!r} of {tool['client']!r} is no KEY and no LIST[].KEY")
    renamed = {key: other for key, other in tool.get("arguments", {}).items() if "[]." not in key}
    for side, keys in (("client", renamed.values()), ("upstream", renamed)):
        for key in keys:
            if key in tool.get(f"strip-for-{side}", []):
                raise Mistake(f"{key!r} of {tool['client']!r} is renamed, and left out")


def tool_of(tool):
    known(tool, TOOL, f"the tool {tool.get('client')!r}")
    if "client" not in tool or "upstream" not in tool:
        raise Mistake(f"the tool {tool!r} lacks 'client' or 'upstream'")
    check_keys(tool)
    keys = [texts([*place(own), other]) for own, other in tool.get("arguments", {}).items()]
    values = [texts([*place(key), own, other])
              for key, names in tool.get("values", {}).items() for own, other in names.items()]
    sides = []
    for side in ("client", "upstream"):
        members = [texts(member) for member in tool.get(f"defaults-for-{side}", {}).items()]
        sides.append(f"{{{texts(tool.get(f'strip-for-{side}', []))}, {{{', '.join(members)}}}}}")
    return (f"      {{{text(tool['client'])}, {text(tool['upstream'])}, {texts(tool.get('also', []))},\n"
            f"       {{{', '.join(keys)}}},\n       {{{', '.join(values)}}},\n"
            f"       {sides[0]},\n       {sides[1]}}},\n")


def main(source, function, out):
    with open(source, encoding="utf-8") as file:
        lines = list(lines_of(file.read()))
    top, end = block(lines, 0, 0)
    if end != len(lines):
        raise Mistake(f"line {lines[end][0]}: this does not belong here")
    known(top, TOP, "the map")
    tools = top.get("tools", [])
    if not tools:
        raise Mistake("there is no tool in it")
    names = [name for tool in tools for name in (tool.get("client"), tool.get("upstream"), *tool.get("also", []))]
    for name in names:
        if names.count(name) > 1:
            raise Mistake(f"{name!r} is the name of two tools")
    with open(out, "w", encoding="utf-8") as file:
        file.write('#include "proxy/names/tool_map.hpp"\n\nnamespace splitproof::names {\n\n'
                   f"ToolMap {function}() {{\n  return {{\n" + "".join(map(tool_of, tools)) + "  };\n}\n\n"
                   "}  // namespace splitproof::names\n")


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except Mistake as mistake:
        sys.exit(f"{sys.argv[1]}: {mistake}")
