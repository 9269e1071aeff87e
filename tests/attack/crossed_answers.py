#!/usr/bin/env python3
"""An upstream that misbehaves between its answers. On connections that the proxy keeps for the next client, it
sends unrequested bytes, closes, or breaks an answer's framing. Every client gets its own answer or an error. An
idle connection that closes causes no error. No request reaches the upstream more often than allowed. nginx, if
installed, runs the same as a control.

usage: crossed_answers.py PROXY"""

import asyncio
import collections
import random
import re
import ssl
import sys

from attacked import EVENT, FINISH, STREAM_HEAD, Nginx, Proxy, Report, certified, chunk, nginx_program

CLIENTS = 50
ROUNDS = 200  # of all acts; nginx leaves some clients of some acts without an answer, so it gets fewer
PATIENCE = 20.0  # seconds that a client waits for an answer
REST = 0.03  # longer than the pause of a connection before reuse


def events(text):
    return EVENT % text + FINISH


def head(*fields, status=b"200 OK"):
    return b"HTTP/1.1 " + status + b"\r\n" + b"".join(field + b"\r\n" for field in fields) + b"\r\n"


EVENTS = b"Content-Type: text/event-stream"
CHUNKED = b"Transfer-Encoding: chunked"


def answer(text):
    return STREAM_HEAD + chunk(events(text)) + b"0\r\n\r\n"


def sized(text, more=()):
    body = events(text)
    return head(EVENTS, b"Content-Length: %d" % len(body), *more) + body


def of_4_kb(text):
    """An answer whose end coincides with a pause of the proxy's reading: with TLS the next bytes are decrypted
    already."""
    padding = 4096 - len(sized(text, [b"X: "]))
    return sized(text, [b"X: " + b"x" * padding])


STRAY = answer(b"stray")
HALF = STRAY[:len(STRAY) // 2]
INTERIM = b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
TIMED_OUT = head(b"Connection: close", b"Content-Length: 0", status=b"408 Request Timeout")

# Bytes around an answer: pieces, and pauses in seconds between them. None: the connection closes there. The second
# value: true if the client may get an error.
AROUND = {
    "nothing else": (lambda text: [answer(text)], False),
    "an answer more, at once": (lambda text: [answer(text) + STRAY], False),
    "an answer more after 4 kB": (lambda text: [of_4_kb(text) + STRAY], False),
    "an answer more, soon": (lambda text: [answer(text), 0.002, STRAY], False),
    "half an answer more, soon": (lambda text: [answer(text), 0.002, HALF], False),
    "more than its length": (lambda text: [sized(text) + STRAY], False),
    "more than its length, soon": (lambda text: [sized(text), 0.002, STRAY], False),
    "a late last chunk": (lambda text: [STREAM_HEAD + chunk(events(text)), 0.005, b"0\r\n\r\n"], False),
    "a late last chunk and an answer": (lambda text: [STREAM_HEAD + chunk(events(text)), 0.005, b"0\r\n\r\n" + STRAY], False),
    "an answer in its trailer": (lambda text: [STREAM_HEAD + chunk(events(text)) + b"0\r\n" + STRAY], False),
    "an empty line": (lambda text: [answer(text) + b"\r\n"], False),
    "an empty line, soon": (lambda text: [answer(text), 0.002, b"\r\n"], False),
    "interim answers before": (lambda text: [INTERIM * 20 + answer(text)], False),
    "interim answers after": (lambda text: [answer(text) + INTERIM * 20], False),
    "close": (lambda text: [answer(text), None], False),
    "408 and close": (lambda text: [answer(text), 0.002, TIMED_OUT, None], False),
    "two equal lengths": (lambda text: [sized(text, [b"Content-Length: %d" % len(events(text))]) + STRAY], True),
    "two lengths": (lambda text: [sized(text, [b"Content-Length: 9"]) + STRAY], True),
    "a length and chunks": (lambda text: [head(EVENTS, CHUNKED, b"Content-Length: 9") + chunk(events(text)) + b"0\r\n\r\n"
                                          + STRAY], True),
    "204 with a body": (lambda text: [head(status=b"204 No Content") + STRAY], True),
    "204 with a length": (lambda text: [head(b"Content-Length: 9", status=b"204 No Content"), 0.002, STRAY], True),
    "304 with a body": (lambda text: [head(status=b"304 Not Modified") + STRAY], True),
    "101": (lambda text: [head(b"Upgrade: x", b"Connection: Upgrade", status=b"101 Switching Protocols") + STRAY], True),
    "a bare LF in a chunk": (lambda text: [STREAM_HEAD + chunk(events(text)) + b"0\n\n" + STRAY], False),
    "an error and an answer": (lambda text: [head(b"Content-Length: 2", status=b"500 Oops") + b"{}" + STRAY], True),
}

# Acts that stay unambiguous with concurrent requests: bytes just after the next request look like its answer.
AT_ONCE = [act for act in AROUND if not act.endswith(", soon")]

# Bytes on a connection that has been idle for a while.
IDLE = {
    "nothing": [],
    "an answer": [STRAY],
    "half an answer": [HALF],
    "an interim answer": [INTERIM],
    "an empty line": [b"\r\n"],
    "408 and close": [TIMED_OUT, None],
    "408": [TIMED_OUT],
    "an empty line, 408 and close": [b"\r\n" + TIMED_OUT, None],
    "a letter": [b"x"],
    "close": [None],
}


async def read_message(reader):
    """Returns head and body of a request or an answer, or None if the other side has closed."""
    first = await reader.readuntil(b"\r\n\r\n")
    while first.startswith(b"HTTP/1.1 1") and not first.startswith(b"HTTP/1.1 101"):
        first = await reader.readuntil(b"\r\n\r\n")
    lower = first.lower()
    if b"transfer-encoding: chunked" in lower:
        body = b""
        while True:
            size = int(await reader.readuntil(b"\r\n"), 16)
            if size == 0:
                await reader.readuntil(b"\r\n")
                return first, body
            body += (await reader.readexactly(size + 2))[:-2]
    length = re.search(rb"content-length: (\d+)", lower)
    if length:
        return first, await reader.readexactly(int(length[1]))
    if re.match(rb"HTTP/1.1 (204|304)", first) or not first.startswith(b"HTTP/"):
        return first, b""
    return first, await reader.read()


class Upstream:
    """Reads the client's name from each request, and plays the given acts around its answer."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.acts = ["nothing else"]
        self.idle = {}  # writers of idle connections
        self.sent = collections.Counter()
        self.served = 0
        self.drop = 0  # share of requests on used connections that are read and closed without a byte
        self.work = 0  # seconds before it does so
        self.played = {}

    async def start(self, tls=None):
        self.server = await asyncio.start_server(self.serve, "127.0.0.1", 0, backlog=1024, ssl=tls)
        self.port = self.server.sockets[0].getsockname()[1]

    async def serve(self, reader, writer):
        used = False
        try:
            while True:
                _, body = await read_message(reader)
                self.idle.pop(writer, None)
                text = re.search(rb"own-\d+", body)[0]
                self.sent[text] += 1
                if used and self.random.random() < self.drop:
                    await asyncio.sleep(self.work)
                    break
                act = self.random.choice(self.acts)
                self.played[text] = act
                self.served += 1
                for piece in AROUND[act][0](text):
                    if piece is None:
                        return
                    if isinstance(piece, float):
                        await asyncio.sleep(piece)
                    else:
                        writer.write(piece)
                        await writer.drain()
                used = True
                self.idle[writer] = True
        except (OSError, EOFError, asyncio.LimitOverrunError, asyncio.CancelledError):
            pass
        finally:
            self.idle.pop(writer, None)
            writer.close()

    def disturb(self, acts):
        """Lets each idle connection send or do something. Returns their number."""
        idle = list(self.idle)
        for writer in idle:
            act = self.random.choice(acts)
            for piece in IDLE[act]:
                if piece is None:
                    self.random.choice([writer.close, writer.transport.abort])()
                else:
                    writer.write(piece)
        return len(idle)


class Tally:
    def __init__(self):
        self.own = self.errors = 0
        self.crossed = []
        self.undue = []


class Client:
    """Sends its own text in each request, over a connection that it keeps."""

    number = 0

    def __init__(self, port, path, patience):
        self.port = port
        self.path = path
        self.patience = patience
        self.connection = None

    async def ask(self, upstream, tally, may_fail, leaves=False):
        Client.number += 1
        own = b"own-%d" % Client.number
        body = (b'{"stream":true,"model":"m","max_tokens":9,"messages":[{"role":"user","content":"%s"}]}' % own)
        try:
            if self.connection is None:
                self.connection = await asyncio.open_connection("127.0.0.1", self.port)
            reader, writer = self.connection
            writer.write(b"POST %s HTTP/1.1\r\nHost: p\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n"
                         % (self.path, len(body)) + body)
            if leaves:
                await asyncio.sleep(random.random() * 0.004)
                writer.transport.abort()
                self.connection = None
                return own
            first, said = await asyncio.wait_for(read_message(reader), self.patience)
        except (OSError, EOFError, asyncio.LimitOverrunError, asyncio.TimeoutError):
            first, said = b"", b""
            self.connection = None
        if b"connection: close" in first.lower() or not first.startswith(b"HTTP/1.1 2"):
            if self.connection is not None:
                self.connection[1].close()
            self.connection = None
        texts = set(re.findall(rb"own-\d+|stray", said))
        if texts - {own}:
            tally.crossed.append((upstream.played.get(own), own, sorted(texts)))
        elif own in texts and (b"message_stop" in said or b"[DONE]" in said):
            tally.own += 1
        else:
            tally.errors += 1
            if not may_fail and not AROUND[upstream.played.get(own, "nothing else")][1]:
                tally.undue.append((upstream.played.get(own), own, first.split(b"\r\n")[0], said[:200]))
        return own


async def play(report, name, port, upstream, path, rounds=ROUNDS, patience=PATIENCE, errors_are_told=True):
    """Runs everything through one proxy. `errors_are_told`: also checks for unnecessary errors."""
    tally = Tally()
    clients = [Client(port, path, patience) for _ in range(CLIENTS)]
    upstream.sent.clear()

    # One after another: each act between the answers of different clients.
    for act in AROUND:
        for idle in ("nothing", "close", "408 and close"):
            upstream.acts = [act]
            await clients[0].ask(upstream, tally, False)
            upstream.acts = ["nothing else"]
            await asyncio.sleep(REST)
            upstream.disturb([idle])
            await asyncio.sleep(REST)
            for client in clients[1:4]:
                await client.ask(upstream, tally, False)
    for idle in IDLE:
        for client in clients[:4]:
            await client.ask(upstream, tally, False)
        await asyncio.sleep(REST)
        upstream.disturb([idle])
        await asyncio.sleep(REST)
        for client in clients[:4]:
            await client.ask(upstream, tally, False)
    report.check(not tally.crossed, f"{name}: one after the other, each gets its own answer: {tally.own} did, "
                 f"{tally.errors} got an error {tally.crossed[:3]}")
    if errors_are_told:
        report.check(not tally.undue, f"{name}: no error without need {tally.undue[:3]}")
        report.check(max(upstream.sent.values()) == 1, f"{name}: each request is sent once")

    # All at once, while clients leave, with all acts on idle connections in between.
    tally = Tally()
    upstream.sent.clear()
    upstream.served = 0
    idle_seen = 0
    for number in range(rounds):
        upstream.acts = AT_ONCE
        upstream.drop = 0.1 if number % 2 else 0
        await asyncio.gather(*(client.ask(upstream, tally, not errors_are_told, leaves=upstream.random.random() < 0.05)
                               for client in clients))
        if number % 4 == 0:
            await asyncio.sleep(REST)
            idle_seen += upstream.disturb(list(IDLE))
            await asyncio.sleep(REST / 3)
    upstream.drop = 0
    report.check(upstream.served >= CLIENTS * rounds * 0.9 and idle_seen > 0,
                 f"{name}: {upstream.served} answers were asked for, and {idle_seen} idle connections disturbed")
    at_once = (f"{name}: {CLIENTS} at once, {tally.own} got their own answer, {tally.errors} an error, {len(tally.crossed)} what "
               f"answers nobody {tally.crossed[:3]}")
    if not errors_are_told:
        print("note  " + at_once)
        return
    report.check(not tally.crossed, at_once)
    report.check(not tally.undue, f"{name}: no error without need {tally.undue[:3]}")
    report.check(max(upstream.sent.values()) <= 2, f"{name}: a request is sent {max(upstream.sent.values())} times at most")

    # Used connections on which a request is read, and which then close without a byte: at once, or after some work.
    for work, most, may_fail in ((0, 2, False), (1.5, 1, True)):
        upstream.acts = ["nothing else"]
        upstream.drop, upstream.work = 0, 0
        await asyncio.gather(*(client.ask(upstream, Tally(), False) for client in clients[:8]))
        await asyncio.sleep(REST)
        tally = Tally()
        upstream.sent.clear()
        upstream.drop, upstream.work = 1, work
        await asyncio.gather(*(client.ask(upstream, tally, may_fail) for client in clients[:8]))
        upstream.drop, upstream.work = 0, 0
        times = max(upstream.sent.values())
        report.check(times <= most, f"{name}: closed after {work} s without a byte, a request is sent {times} times")
        report.check(not tally.undue and not tally.crossed,
                     f"{name}: {tally.own} of 8 get an answer, {tally.errors} an error {tally.undue[:3]}")


async def main():
    report = Report()
    upstreams = [upstream := Upstream(1)]
    await upstream.start()
    proxy = Proxy(sys.argv[1], upstream.port)
    await play(report, "splitproof-proxy", proxy.port, upstream, b"/v1/messages")
    if trusted := certified(sys.argv[1]):
        certificate, key, runner = trusted
        tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        tls.load_cert_chain(certificate, key)
        upstreams.append(secure := Upstream(2))
        await secure.start(tls)
        proxy = Proxy(runner, secure.port, url=f"https://127.0.0.1:{secure.port}/v1")
        await play(report, "splitproof-proxy over TLS", proxy.port, secure, b"/v1/messages", rounds=20)
    if nginx_program():
        upstreams.append(other := Upstream(1))
        await other.start()
        await play(report, "nginx", Nginx(other.port, pooled=True).port, other, b"/v1/chat/completions", rounds=8,
                   patience=0.5, errors_are_told=False)
    for upstream in upstreams:
        upstream.server.close()
    return report.end()


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
