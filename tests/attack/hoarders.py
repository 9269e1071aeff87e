#!/usr/bin/env python3
"""Clients that occupy connections: idle, with an endless head, with a slow body, with more streams than allowed,
with large requests and long answers. Active clients are served meanwhile.

usage: hoarders.py PROXY"""

import resource
import sys
import threading
import time

from attacked import ASK, STREAM_HEAD, EVENT, FINISH, Proxy, Report, Upstream, chunk, connect, post, read_all, status_of

STREAMS = 4
HOARDED = 1400  # more than the connections that may wait
ASKED = 40  # streams with a large request
REQUEST = 2 << 20
BODIES = 64
BODY = 32 << 20


def large_requests(port, report):
    """A request is kept until it is sent, however long its answer takes."""
    proxy = Proxy(sys.argv[1], port, "limits: {streams: %d}\n" % (ASKED + 1))
    body = ASK.replace(b'"x"', b'"' + b"x" * REQUEST + b'"')
    clients = []

    def ask():
        clients.append(connect(proxy.port))
        clients[-1].sendall(post(body))
        return b"first" in read_all(clients[-1], b"first")[0]

    begun = ask()
    before = proxy.status("VmRSS")
    begun = all([ask() for _ in range(ASKED)]) and begun
    grown = proxy.status("VmRSS") - before
    # The process keeps the memory of few requests: as many as its threads read at a time.
    report.check(begun and grown <= 8 * (REQUEST >> 10), f"{ASKED} streams whose requests were of {REQUEST >> 20} MiB cost {grown} kB in all")
    for client in clients:
        client.close()


def unfinished_bodies(port, report):
    """Bodies without their last byte take little memory, with the default limits."""
    proxy = Proxy(sys.argv[1], port)
    head = b"POST /v1/messages HTTP/1.1\r\nHost: p\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % BODY
    piece = b" " * 65536
    clients = [connect(proxy.port) for _ in range(BODIES)]
    for client in clients:
        client.sendall(head)
    most = 0
    for _ in range(BODY // len(piece)):
        for client in clients:
            try:
                client.sendall(piece)
            except OSError:
                pass  # it has given way
        most = max(most, proxy.status("VmRSS"))
    report.check(most < 300 * 1024, f"{BODIES} bodies of {BODY >> 20} MiB that do not end cost {most >> 10} MiB")
    with connect(proxy.port) as client:
        client.sendall(post(ASK + b" " * (8 << 20)))
        report.check(b"first" in read_all(client, b"first")[0], "another one of 8 MiB is served")
    for client in clients:
        client.close()


def main():
    report = Report()
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 8192), hard))
    release = threading.Event()

    def serve(connection):
        connection.sendall(STREAM_HEAD + chunk(EVENT % b"first"))
        release.wait(120)
        connection.sendall(chunk(EVENT % b"last" + FINISH) + b"0\r\n\r\n")

    upstream = Upstream(serve)
    proxy = Proxy(sys.argv[1], upstream.port, "limits: {streams: %d}\ntimeouts: {client: 1s}\n" % STREAMS)

    def health():
        with connect(proxy.port) as client:
            client.sendall(b"GET /health HTTP/1.1\r\nHost: p\r\n\r\n")
            return status_of(read_all(client, b"ok", timeout=2)[0])

    streams = []
    for _ in range(STREAMS):
        client = connect(proxy.port)
        client.sendall(post())
        report.check(b"first" in read_all(client, b"first")[0], "a stream begins")
        streams.append(client)
    with connect(proxy.port) as client:
        client.sendall(post())
        report.check(status_of(read_all(client, b"room")[0]) == 529, "one stream too many is answered 529")

    before = proxy.status("VmRSS")
    for what, begin in (("idle connections", b""), ("connections with a part of a head", b"GET /hea")):
        hoard = []
        for _ in range(HOARDED):
            client = connect(proxy.port)
            try:
                client.sendall(begin)
            except ConnectionError:
                pass  # it has given way
            hoard.append(client)
        report.check(health() == 200, f"{HOARDED} {what}: others are answered")
        report.check(proxy.descriptors() < 1200, f"{proxy.descriptors()} descriptors are open")
        for client in hoard:
            client.close()
    grown = proxy.status("VmRSS") - before
    report.check(grown < 8 * 1024, f"they cost {grown} kB")

    for what, begin, drip in (("head", b"GET /health HTTP/1.1\r\nX: ", b"y"),
                              ("body", b"POST /v1/chat/completions HTTP/1.1\r\nHost: p\r\nContent-Length: 9999\r\n\r\n", b" ")):
        if what == "body":  # it takes the place of a stream
            streams.pop().close()
            time.sleep(0.2)
        with connect(proxy.port) as client:
            client.sendall(begin)
            began = time.monotonic()
            status = 0
            while not status and time.monotonic() - began < 8:
                try:
                    client.sendall(drip)
                except ConnectionError:
                    pass
                answer, closed = read_all(client, timeout=0.3)
                status = status_of(answer)
                if closed and not answer:
                    break
            took = time.monotonic() - began
            report.check(status == 408 and took < 5, f"a {what} that drips is answered {status} after {took:.1f} s")

    large_requests(upstream.port, report)
    unfinished_bodies(upstream.port, report)
    release.set()
    for client in streams:
        report.check(b"message_stop" in read_all(client, b"message_stop")[0], "a stream that was there is whole")
    return report.end()


sys.exit(main())
