"""Checks each field before it is used. Bugs: unknown, retry."""
import sys

from pipe import serve

BUG = sys.argv[1] if len(sys.argv) > 1 else ""


class Reader:
    def __init__(self):
        self.text, self.event, self.id, self.retry, self.mark = b"", {}, None, None, "\ufeff"

    def feed(self, chunk, report):
        self.text += chunk
        ready = self.text[:-1] if self.text.endswith(b"\r") else self.text
        ready = ready.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        *lines, rest = ready.split(b"\n")
        self.text = rest + (b"\r" if self.text.endswith(b"\r") else b"")
        for line in lines:
            mark, self.mark = self.mark, ""
            self.line(line.decode("utf-8", "replace").removeprefix(mark), report)

    def end(self, report):
        if self.text.endswith(b"\r"):
            self.line(self.text[:-1].decode("utf-8", "replace"), report)

    def line(self, line, report):
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if not line:
            if "data" in self.event:
                report(self.event.get("event") or "message", "\n".join(self.event["data"]), self.id)
            self.event = {}
        elif name == "data":
            self.event.setdefault("data", []).append(value)
        elif name == "event":
            self.event["event"] = value
        elif name == "id":
            self.id = self.id if "\0" in value else value
        elif name == "retry":
            self.retry = int(value) if value.isdecimal() or BUG == "retry" else self.retry
        elif name and BUG == "unknown":
            raise ValueError("unknown field " + name)


serve(Reader)
