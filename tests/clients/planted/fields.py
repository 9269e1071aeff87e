"""Keeps the fields of an event in a table. Bugs: data, comment."""
import sys

from pipe import serve

BUG = sys.argv[1] if len(sys.argv) > 1 else ""


class Reader:
    def __init__(self):
        self.bytes, self.fields, self.id, self.first = b"", {}, None, True

    def feed(self, chunk, report):
        self.bytes += chunk
        while True:
            ends = [at for at in (self.bytes.find(b"\n"), self.bytes.find(b"\r")) if at >= 0]
            if not ends or self.bytes[min(ends):] == b"\r":
                return
            end = min(ends)
            self.take(self.bytes[:end], report)
            self.bytes = self.bytes[end + (2 if self.bytes[end:end + 2] == b"\r\n" else 1):]

    def end(self, report):
        if self.bytes.endswith(b"\r"):
            self.take(self.bytes[:-1], report)

    def take(self, line, report):
        text = line.decode("utf-8", "replace")
        text = text[1:] if self.first and text.startswith("\ufeff") else text
        self.first = False
        if not text:
            return self.dispatch(report)
        if text.startswith(":") and BUG == "comment":
            text = "data" + text
        name, _, value = text.partition(":")
        value = value[1:] if value.startswith(" ") else value
        if name == "data" and "data" in self.fields and BUG != "data":
            value = self.fields["data"] + "\n" + value
        if name != "id" or "\0" not in value:
            self.fields[name] = value

    def dispatch(self, report):
        self.id = self.fields.get("id", self.id)
        if "data" in self.fields:
            report(self.fields.get("event") or "message", self.fields["data"], self.id)
        self.fields = {}


serve(Reader)
