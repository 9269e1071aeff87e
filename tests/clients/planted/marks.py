"""Reads bytes with a table of line ends. Bugs: mark, nul."""
import sys

from pipe import serve

BUG = sys.argv[1] if len(sys.argv) > 1 else ""


class Reader:
    def __init__(self):
        self.line, self.after_cr, self.number = bytearray(), False, 0
        self.data, self.type, self.id = [], "", None

    def feed(self, chunk, report):
        for byte in chunk:
            second_half, self.after_cr = self.after_cr and byte == 10, byte == 13
            if second_half:
                continue
            if byte not in (10, 13):
                self.line.append(byte)
                continue
            line, self.line = bytes(self.line), bytearray()
            self.number += 1
            if self.number == 1 and BUG != "mark":
                line = line.removeprefix(b"\xef\xbb\xbf")
            self.take(line.decode("utf-8", "replace"), report)

    def end(self, report):
        pass

    def take(self, line, report):
        name, _, value = line.partition(":")
        value = value[value.startswith(" "):]
        if not line:
            if self.data:
                report(self.type or "message", "\n".join(self.data), self.id)
            self.data, self.type = [], ""
        elif name == "data":
            self.data.append(value)
        elif name == "event":
            self.type = value
        elif name == "id" and (BUG == "nul" or "\0" not in value):
            self.id = value


serve(Reader)
