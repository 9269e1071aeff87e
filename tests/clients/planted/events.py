"""Yields events from a coroutine. Bugs: twice, id."""
import codecs
import sys

from pipe import serve

BUG = sys.argv[1] if len(sys.argv) > 1 else ""


def events(report):
    """Receives characters, and reports each event."""
    line, data, kind, last, after_cr = "", [], "", None, False
    while True:
        character = yield
        second_half, after_cr = after_cr and character == "\n", character == "\r"
        if second_half:
            continue
        if character not in "\r\n":
            line += character
            continue
        name, _, value = line.partition(":")
        value = value[1:] if value[:1] == " " else value
        if line == "":
            if data:
                for _ in range(2 if BUG == "twice" and kind else 1):
                    report(kind or "message", "\n".join(data), None if BUG == "id" else last)
            data, kind = [], ""
        elif name == "data":
            data.append(value)
        elif name == "event":
            kind = value
        elif name == "id" and "\0" not in value:
            last = value
        line = ""


class Reader:
    def __init__(self):
        self.decoder = codecs.getincrementaldecoder("utf-8-sig")("replace")
        self.events = None

    def feed(self, chunk, report):
        if self.events is None:
            self.events = events(report)
            next(self.events)
        for character in self.decoder.decode(chunk):
            self.events.send(character)

    def end(self, report):
        pass


serve(Reader)
