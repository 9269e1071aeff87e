"""Decodes step by step, and takes lines from the text. Bugs: splitlines, line."""
import codecs
import re
import sys

from pipe import serve

BUG = sys.argv[1] if len(sys.argv) > 1 else ""


class Reader:
    def __init__(self):
        self.decoder = codecs.getincrementaldecoder("utf-8-sig")("replace")
        self.text, self.data, self.type, self.id = "", [], "", None

    def feed(self, chunk, report):
        self.text += self.decoder.decode(chunk)
        if BUG == "line":  # no part of a line waits for the next read
            lines, self.text = re.split(r"\r\n|\r|\n", self.text), ""
            lines = lines[:-1] if lines[-1] == "" else lines
        elif BUG == "splitlines":
            lines, self.text = self.text.splitlines(True), ""
            if lines and (lines[-1].endswith("\r") or not lines[-1].endswith("\n")):
                self.text = lines.pop()
            lines = [line.splitlines()[0] for line in lines]
        else:
            *lines, self.text = re.split(r"\r\n|\n|\r(?!\Z)", self.text)
        for line in lines:
            self.line(line, report)

    def end(self, report):
        if self.text.endswith("\r"):
            self.line(self.text[:-1], report)

    def line(self, line, report):
        name, _, value = line.partition(":")
        value = value[1:] if value.startswith(" ") else value
        if not line:
            if self.data:
                report(self.type or "message", "\n".join(self.data), self.id)
            self.data, self.type = [], ""
        elif name == "data":
            self.data.append(value)
        elif name == "event":
            self.type = value
        elif name == "id" and "\0" not in value:
            self.id = value


serve(Reader)
