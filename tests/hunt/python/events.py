"""Reads server-sent events, and finds the place in an event at which a chunk ends."""
import json
import re


def split(text):
    """Returns the whole events in `text`, each with its blank line, and the rest."""
    whole = []
    start = line = 0
    while (end := text.find(b"\n", line)) >= 0:
        if text[line:end] in (b"", b"\r"):
            whole.append(text[start:end + 1])
            start = end + 1
        line = end + 1
    return whole, text[start:]


class Event:
    """The parts of an event that bugs look at."""

    def __init__(self, text, before):
        self.text = text
        self.is_again = before is not None and before.text == text
        self.is_broken = False
        self.content = None
        self.calls = []  # (index, name, arguments) of each call in it
        self.finish = None
        self.has_usage = False
        self.is_done = False
        lines = [line[5:].strip() for line in text.split(b"\n") if line.startswith(b"data:")]
        self.is_comment = not lines
        self.is_done = lines == [b"[DONE]"]
        if self.is_comment or self.is_done:
            return
        try:
            chunk = json.loads(b"\n".join(lines))
            self.has_usage = chunk.get("usage") is not None
            for choice in chunk.get("choices") or []:
                delta = choice.get("delta") or {}
                self.content = delta.get("content")
                self.finish = choice.get("finish_reason")
                for call in delta.get("tool_calls") or []:
                    function = call.get("function") or {}
                    self.calls.append((call.get("index"), function.get("name"), function.get("arguments")))
        except (ValueError, AttributeError, TypeError):
            self.is_broken = True


class Cut:
    """The end of a chunk.

    `where` is between, field, blank, json, number, key, string, escape or character; `key` is the last member's name; `size`
    is the number of bytes since the string began.
    """

    def __init__(self, rest, length, whole):
        self.length = length
        self.events = whole
        self.where, self.key, self.size = place_of(rest)


def place_of(rest):
    """Returns the place in an unfinished event after its bytes so far."""
    if not rest:
        return "between", "", 0
    line = rest[rest.rfind(b"\n") + 1:]
    if not line:
        return "blank", "", 0
    if not line.startswith(b"data:"):
        return "field", "", 0
    key = word = ""
    begin = -1  # of the string around
    escape = more = 0  # bytes that an escape or a character lacks
    where = "json"
    for at in range(5, len(line)):
        byte = line[at]
        if begin < 0:
            where = "number" if chr(byte) in "-0123456789" else "json"
            if byte == 0x22:
                begin = at
            elif byte == 0x3A:
                key = word
        elif escape > 0:
            escape += 3 if byte == 0x75 and escape == 1 else -1
        elif byte == 0x5C:
            escape = 1
        elif byte == 0x22:
            word = line[begin + 1:at].decode("utf-8", "replace")
            begin = -1
        elif byte >= 0xC0:
            more = 3 if byte >= 0xF0 else 2 if byte >= 0xE0 else 1
        elif byte >= 0x80:
            more -= 1
    if begin < 0:
        return where, key, 0
    where = "string" if re.search(rb":\s*$", line[:begin]) else "key"
    if more > 0:
        where = "character"
    if escape > 0:
        where = "escape"
    return where, key, len(line) - begin - 1
