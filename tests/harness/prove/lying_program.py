"""A program that passes on whole lines. Its variants break a promise of the pipe protocol, or depend on the split: those of
lying_library.c, and

    dies        ends at a chunk of three bytes
    no-digest   cannot compare its states
    no-fork     cannot copy them either
"""
import base64
import copy
import json
import sys

VARIANT = sys.argv[1]


class Exchange:
    opened = 0

    def __init__(self):
        Exchange.opened += 1
        self.number = Exchange.opened % 10 if VARIANT == "changes" else 0
        self.line = bytearray()
        self.waits = False  # the line is finished and not sent yet
        self.chunks = 0
        self.ends_with_a = False

    def send_line(self):
        sent = bytes(self.line)
        self.line.clear()
        self.waits = False
        return sent

    def feed(self, chunk):
        if VARIANT == "dies" and len(chunk) == 3:
            sys.exit("three bytes")
        sent = b""
        if self.waits or VARIANT == "tick" and not chunk:
            sent += self.send_line()
        for byte in chunk:
            if self.waits:
                sent += self.send_line()
            self.line.append(byte)
            if byte == ord("\n"):
                self.waits = True
                if VARIANT != "late":
                    sent += self.send_line()
        self.chunks += bool(chunk)
        self.ends_with_a |= chunk.endswith(b"a")
        return sent + (b"|" if VARIANT == "chunks" else b"")

    def finish(self):
        return (self.send_line() + (b"3" if VARIANT == "third" and self.chunks == 3 else b"") +
                (b"!" if VARIANT == "hidden" and self.ends_with_a else b"") +
                (b"%d" % self.number if VARIANT == "changes" else b"") + b"}")

    def copied(self):
        other = copy.deepcopy(self)
        if VARIANT == "shares":
            other.line = self.line
        return other

    def digest(self):
        if VARIANT == "hidden":
            return "digest"
        return f"{self.line.hex()} {self.waits}{self.chunks if VARIANT == 'counts' else ''}"


def say(**word):
    print(json.dumps(word), flush=True)


kept = {}
for told in map(json.loads, sys.stdin):
    (word, value), = told.items()
    out = b""
    if word == "open":
        exchange, out = Exchange(), b"{"
    elif word == "feed":
        chunk = base64.b64decode(value)
        if VARIANT == "fails" and b"#" in chunk:
            say(error="a number sign")
            continue
        out = exchange.feed(chunk)
    elif word == "end":
        out = exchange.finish()
    elif word == "fork" and VARIANT != "no-fork":
        kept[value] = exchange.copied()
    elif word == "use" and VARIANT != "no-fork":
        exchange = kept[value].copied()
    elif word == "digest" and VARIANT not in ("no-digest", "no-fork"):
        say(digest=exchange.digest())
        continue
    else:
        sys.exit(f"unknown line: {word}")
    if out:
        say(out=base64.b64encode(out).decode())
    say(ack=True)
