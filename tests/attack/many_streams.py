#!/usr/bin/env python3
"""Many concurrent streams through the proxy: a fifth of the clients read slowly, a fifth leave, and the upstream
resets some. Every remaining stream has every byte, memory is bounded, and a second later nothing is left open.
With --compare, the proxy's costs next to nginx, in one run.

usage: many_streams.py PROXY [STREAMS] | many_streams.py PROXY --compare"""

import os
import random
import resource
import select
import socket
import statistics
import sys
import time

from attacked import ASK, EVENT, FINISH, STREAM_HEAD, Nginx, Proxy, Report, chunk, nginx_program

PIECES = 40
TEXT = b"x" * 1500
IDLE = 72  # connections to the upstream that may wait for the next request
BASE_KB = 40  # KiB for each stream


class Loop:
    """Sockets and their handlers."""

    def __init__(self):
        self.epoll = select.epoll()
        self.known = {}
        self.times = []

    def watch(self, sock, events, ready):
        sock.setblocking(False)
        self.known[sock.fileno()] = ready
        self.epoll.register(sock, events)

    def drop(self, sock):
        if sock.fileno() >= 0:
            self.known.pop(sock.fileno(), None)
            self.epoll.unregister(sock)
            sock.close()

    def step(self, at_most):
        for number, events in self.epoll.poll(at_most):
            ready = self.known.get(number)
            if ready:
                ready(events)


class Upstreams:
    """Sends a stream of PIECES pieces on each connection, `gap` seconds apart, and resets the share `resets` of
    them."""

    def __init__(self, loop, gap=0.05, resets=0.0, pieces=PIECES, text=TEXT, whole=False):
        self.loop, self.gap, self.resets, self.pieces, self.text, self.whole = loop, gap, resets, pieces, text, whole
        self.listening = socket.create_server(("127.0.0.1", 0), backlog=4096)
        self.port = self.listening.getsockname()[1]
        self.playing = {}
        self.sent = {}  # time of each piece of a measured stream
        self.accepted = 0
        loop.watch(self.listening, select.EPOLLIN, self.accept)

    def accept(self, _):
        try:
            connection, _ = self.listening.accept()
        except BlockingIOError:
            return
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.accepted += 1
        state = {"sock": connection, "next": -1, "due": 0.0, "out": b"", "in": b"",
                 "reset": random.randrange(self.pieces) if random.random() < self.resets else -1}
        self.loop.watch(connection, select.EPOLLIN, lambda events: self.ready(state, events))

    def ready(self, state, events):
        sock = state["sock"]
        try:
            if events & select.EPOLLIN:
                data = sock.recv(65536)
                if not data:
                    return self.end(state)
                state["in"] += data
                if b"\r\n\r\n" in state["in"] and state["in"].rstrip().endswith(b"}"):
                    state["in"] = b""
                    if self.whole:
                        sock.sendall(STREAM_HEAD + chunk(b"".join(EVENT % b"w" for _ in range(self.pieces)) + FINISH) +
                                     b"0\r\n\r\n")
                        return
                    sock.sendall(STREAM_HEAD)
                    state["next"], state["due"] = 0, time.monotonic() + random.random() * self.gap
                    self.playing[sock.fileno()] = state
            if events & select.EPOLLOUT:
                self.flush(state)
            if events & (select.EPOLLHUP | select.EPOLLERR):
                self.end(state)
        except OSError:
            self.end(state)

    def end(self, state):
        self.playing.pop(state["sock"].fileno(), None)
        self.loop.drop(state["sock"])

    def flush(self, state):
        sock = state["sock"]
        try:
            if state["out"]:
                state["out"] = state["out"][sock.send(state["out"]):]
        except BlockingIOError:
            pass
        except OSError:
            return self.end(state)
        if not state["out"] and state["next"] > self.pieces:
            return self.end(state)
        self.loop.epoll.modify(sock, select.EPOLLIN | (select.EPOLLOUT if state["out"] else 0))

    def play(self):
        now = time.monotonic()
        for state in list(self.playing.values()):
            if state["due"] > now or state["out"] or state["next"] > self.pieces:
                continue
            piece = state["next"]
            state["next"] += 1
            state["due"] = now + self.gap
            if piece == state["reset"]:
                state["sock"].setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
                self.end(state)
                continue
            if piece == self.pieces:
                state["out"] = chunk(FINISH) + b"0\r\n\r\n"
            else:
                state["out"] = chunk(EVENT % (b"<%d|%f>" % (piece, time.monotonic()) + self.text))
            self.flush(state)


class Client:
    def __init__(self, loop, port, kind, ask):
        self.loop, self.kind, self.data, self.done, self.delays = loop, kind, b"", False, []
        self.leaves = random.randrange(1, PIECES)
        self.sock = socket.socket()
        if kind == "slow":
            self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        self.sock.setblocking(False)
        try:
            self.sock.connect(("127.0.0.1", port))
        except BlockingIOError:
            pass
        self.ask = ask
        loop.watch(self.sock, select.EPOLLOUT, self.ready)

    def ready(self, events):
        try:
            if self.ask:
                self.sock.sendall(self.ask)
                self.ask = b""
                self.loop.epoll.modify(self.sock, 0 if self.kind == "slow" else select.EPOLLIN)
                return
            self.read(65536)
        except OSError:
            self.end()

    def read(self, most):
        try:
            data = self.sock.recv(most)
        except BlockingIOError:
            return
        except OSError:
            return self.end()
        if not data:
            return self.end()
        if self.kind == "measured":
            now = time.monotonic()
            for part in data.split(b"<")[1:]:
                stamp = part.split(b">")[0].split(b"|")
                if len(stamp) == 2:
                    self.delays.append(now - float(stamp[1]))
        self.data += data
        if self.kind == "leaves" and self.data.count(b"<") >= self.leaves:
            return self.end()
        if b"\r\n0\r\n\r\n" in data[-16:] or self.data.endswith(b"\r\n0\r\n\r\n"):
            self.end()

    def end(self):
        self.done = True
        self.loop.drop(self.sock)

    def whole(self, pieces):
        return self.data.endswith(b"\r\n0\r\n\r\n") and all(b"<%d|" % i in self.data for i in range(pieces))


def asked(path=b"/v1/messages"):
    return (b"POST " + path + b" HTTP/1.1\r\nHost: p\r\nContent-Type: application/json\r\nConnection: close\r\n"
            b"Content-Length: %d\r\n\r\n" % len(ASK) + ASK)


def many(program, count, report):
    loop = Loop()
    upstreams = Upstreams(loop, gap=0.1 if count < 2000 else 0.3, resets=0.05)
    proxy = Proxy(program, upstreams.port, f"limits: {{streams: {count + 8}}}\n")
    time.sleep(0.2)
    idle, descriptors = proxy.status("VmRSS"), proxy.descriptors()
    random.seed(1)
    clients = []
    most = slow_at = 0
    kinds = ["slow", "leaves", "stays", "stays", "stays"]
    began = time.monotonic()
    while time.monotonic() - began < 120:
        for _ in range(50):
            if len(clients) < count:
                clients.append(Client(loop, proxy.port, kinds[len(clients) % 5], asked()))
        upstreams.play()
        loop.step(0.002)
        now = time.monotonic()
        if now - slow_at > 0.1:
            slow_at = now
            most = max(most, proxy.status("VmRSS"))
            for client in clients:
                if client.kind == "slow" and not client.done and not client.ask:
                    client.read(4096)
        if len(clients) == count and all(client.done for client in clients):
            break
    took = time.monotonic() - began
    stay = [client for client in clients if client.kind != "leaves"]
    broken = [client for client in stay if b"event: error" in client.data or b'"type":"error"' in client.data]
    lost = [client for client in stay if client not in broken and not client.whole(PIECES)]
    report.check(all(client.done for client in clients), f"{count} streams end, in {took:.0f} s")
    report.check(not lost, f"{len(stay) - len(broken)} streams that stay have every byte; {len(lost)} do not")
    report.check(0 < len(broken) < count / 5, f"{len(broken)} that the upstream reset end in an error")
    each = (most - idle) / count
    report.check(each <= BASE_KB, f"resident: {idle} kB idle, {most} kB at most: {each:.1f} KiB a stream")
    until = time.monotonic() + 1
    while time.monotonic() < until and proxy.descriptors() > descriptors + IDLE:
        loop.step(0.01)
    report.check(proxy.descriptors() <= descriptors + IDLE, f"a second after {proxy.descriptors()} descriptors are open, {descriptors} before")
    return most


def ticks(pid):
    fields = open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def measured(loop, upstreams, port, count):
    """Returns the delays of all pieces of this many concurrent streams."""
    clients = [Client(loop, port, "measured", asked()) for _ in range(count)]
    until = time.monotonic() + 60
    while not all(client.done for client in clients) and time.monotonic() < until:
        upstreams.play()
        loop.step(0.001)
    return [delay for client in clients for delay in client.delays]


def burst(loop, port, requests, at_once):
    """Returns requests per second."""
    clients, ended = [], 0
    began = time.monotonic()
    left = requests
    while ended < requests and time.monotonic() - began < 60:
        while left and len(clients) < at_once:
            clients.append(Client(loop, port, "stays", asked()))
            left -= 1
        loop.step(0.01)
        ended += sum(client.done for client in clients)
        clients = [client for client in clients if not client.done]
    return requests / (time.monotonic() - began)


ROUNDS = 7


def compare(program, report):
    """Asks all three in turn in each round, so that other load affects them equally, and takes medians of rounds.
    `alone`: delays of a single stream. `delay`: of 40 concurrent ones, whose events also wait for each other."""
    loop = Loop()
    single = Upstreams(loop, gap=0.001, pieces=200)
    paced = Upstreams(loop, gap=0.02)
    bursts = Upstreams(loop, pieces=5, whole=True)
    rows = {name: {"alone": [], "delay": [], "rate": [], "cpu": []} for name in ("direct", "nginx", "proxy")}
    for upstreams in (single, paced, bursts):
        servers = {"direct": None, "nginx": Nginx(upstreams.port), "proxy": Proxy(program, upstreams.port)}
        for number in range(ROUNDS + 1):
            for name, server in servers.items():
                port = server.port if server else upstreams.port
                pid = server.process.pid if server else os.getpid()
                before = ticks(pid)
                if upstreams is bursts:
                    said = {"rate": burst(loop, port, 1000, 32)}
                elif upstreams is single:
                    said = {"alone": statistics.median(measured(loop, single, port, 1)) * 1e6}
                else:
                    delays = measured(loop, paced, port, 40)
                    said = {"delay": statistics.median(delays) * 1e6, "cpu": (ticks(pid) - before) / 40 * 1e3}
                for what, value in said.items():
                    if number > 0:  # the first is a warm-up
                        rows[name][what].append(value)
        for server in servers.values():
            if server:
                server.end()
    for values in rows.values():
        values["cpu"] = [statistics.mean(values["cpu"])]  # the system's ticks are coarse
    of = {name: {what: statistics.median(seen) for what, seen in values.items()} for name, values in rows.items()}
    for name, values in of.items():
        print("{:8} median delay {alone:5.0f} us alone, {delay:5.0f} us of 40   {rate:7.0f} requests a second   {cpu:6.2f} ms of processor "
              "a stream".format(name, **values), flush=True)
    for what, streams in (("alone", "one stream"), ("delay", "40 streams")):
        proxy, nginx = (of[name][what] - of["direct"][what] for name in ("proxy", "nginx"))
        report.check(proxy <= 1.3 * nginx, f"{streams}: added delay {proxy / nginx:.2f} times nginx's ({proxy:.0f} and {nginx:.0f} us)")
    report.check(of["proxy"]["rate"] >= 0.6 * of["nginx"]["rate"], f"bursts {of['proxy']['rate'] / of['nginx']['rate']:.2f} times")
    report.check(of["proxy"]["cpu"] <= 5 * of["nginx"]["cpu"], f"processor {of['proxy']['cpu'] / of['nginx']['cpu']:.1f} times")


def main():
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    report = Report()
    if sys.argv[2:] == ["--compare"]:
        if not nginx_program():
            print("nginx is not installed")
            return 77
        compare(sys.argv[1], report)
    else:
        count = int(sys.argv[2]) if len(sys.argv) > 2 else 200
        most = many(sys.argv[1], count, report)
        if count == 3000:
            report.check(most <= 120 * 1024, f"3000 streams: {most} kB")
    return report.end()


sys.exit(main())
