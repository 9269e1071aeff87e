#!/usr/bin/env python3
"""Upstreams that send too much, too fast, compressed, their client's key, or nothing, and proxy variables in the
environment. The proxy's memory is bounded, its errors are clear, and it continues to serve.

usage: hostile_upstreams.py PROXY"""

import gzip
import itertools
import signal
import socket
import sys
import threading
import time
import zlib

from attacked import (ASK, EVENT, FINISH, STREAM_HEAD, Proxy, Report, Upstream, chunk, connect, play_stream, post, read_all,
                      status_of)

KEY = b"sk-attack-0123456789/abcdef"
MEGABYTE = 1 << 20
SLOW_READERS = 40
MAY_HOLD = 256 * 1024  # bytes for a slow reader, besides kernel buffers: 64 kB wait, and a piece is being translated


def bomb(megabytes):
    """Returns this many MB of comments and events, compressed a thousandfold."""
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    block = b": nothing\n" * (MEGABYTE // 10)
    return b"".join([packer.compress(EVENT % b"hi"), *(packer.compress(block) for _ in range(megabytes)), packer.flush()])


BOMB = bomb(256)


def play_bomb(connection):
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Encoding: gzip\r\n"
                       b"Content-Length: %d\r\n\r\n" % len(BOMB) + BOMB)


def play_packed(connection):
    """Sends what a real upstream might compress."""
    body = gzip.compress(b"".join(EVENT % b"word %d of many" % i for i in range(5000)) + FINISH)
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Encoding: gzip\r\n"
                       b"Content-Length: %d\r\n\r\n" % len(body) + body)


def play_flood(connection):
    connection.sendall(STREAM_HEAD)
    piece = chunk((EVENT % (b"x" * 200)) * 200)
    while True:
        connection.sendall(piece)


def play_key_within(connection):
    error = b'data: {"error":{"message":"bad key %s","type":"t","code":"c"}}\n\n' % KEY.replace(b"/", b"\\/")
    connection.sendall(STREAM_HEAD + chunk(EVENT % b"hi") + chunk(error) + b"0\r\n\r\n")


def play_folded(connection):
    connection.sendall(b"HTTP/1.1 429 Too Many\r\nRetry-After: 7\r\n 8\r\nContent-Length: 2\r\n\r\n{}")


def play_folded_first(connection):
    connection.sendall(b"HTTP/1.1 200 OK\r\n folded\r\nContent-Length: 2\r\n\r\n{}")


def play_odd_status(connection):
    body = b'{"error":{"message":"no","type":"t","code":"c"}}'
    connection.sendall(b"HTTP/1.1 999 Odd\r\nContent-Length: %d\r\n\r\n" % len(body) + body)


def play_endless_head(connection):
    connection.sendall(b"HTTP/1.1 200 OK\r\n")
    for i in itertools.count():
        connection.sendall(b"X-%d: " % i + b"y" * 1000 + b"\r\n")


def play_interim(connection):
    while True:
        connection.sendall(b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" * 100)


def play_nothing(connection):
    connection.recv(1)


def play_half(connection):
    connection.sendall(STREAM_HEAD + chunk(EVENT % b"hi"))
    connection.recv(1)


def asked(proxy, headers=b"", **how):
    with connect(proxy.port) as client:
        client.sendall(post(headers=headers + b"Connection: close\r\n", **how))
        return read_all(client, timeout=10)[0]


def chat(proxy):
    """Uses the protocol of the upstream, which is relayed."""
    with connect(proxy.port) as client:
        client.sendall(b"POST /v1/chat/completions HTTP/1.1\r\nHost: p\r\nConnection: close\r\nAuthorization: Bearer " + KEY +
                       b"\r\nContent-Length: %d\r\n\r\n" % len(ASK) + ASK)
        return read_all(client, timeout=10)[0]


def unread(report):
    """An upstream accepts the connection and reads nothing of a large request. The proxy waits without using the
    processor, and notices that its client leaves."""
    silent = socket.create_server(("127.0.0.1", 0))
    proxy = Proxy(sys.argv[1], silent.getsockname()[1])
    before = proxy.descriptors()
    client = connect(proxy.port)
    client.sendall(post(body=ASK.replace(b'"x"', b'"%s"' % (b"x" * 12 * MEGABYTE))))
    until = time.monotonic() + 30
    while proxy.descriptors() < before + 2 and time.monotonic() < until:
        time.sleep(0.1)
    report.check(proxy.descriptors() >= before + 2, "a large request is on its way to an upstream that reads nothing")
    # On a slow machine the proxy still reads and converts the request. A proxy that waits badly uses the processor every second.
    used = 1
    while used >= 0.3 and time.monotonic() < until:
        used = -proxy.processor_time()
        time.sleep(1)
        used += proxy.processor_time()
    report.check(used < 0.3, f"waiting for it takes {used:.2f} s of the processor in a second")
    client.close()
    until = time.monotonic() + 5
    while proxy.descriptors() > before and time.monotonic() < until:
        time.sleep(0.02)
    report.check(proxy.descriptors() <= before, "the client's leaving ends the request to the upstream")
    code, took = proxy.end()
    report.check(code == 0 and took < 5, f"it ends in {took:.1f} s with code {code}")


def main():
    report = Report()
    unread(report)
    playing = [play_stream]
    begun = []

    def serve(connection):
        play = playing[0]
        begun.append(play)
        play(connection)

    upstream = Upstream(serve)
    proxy = Proxy(sys.argv[1], upstream.port, "timeouts: {shutdown: 100ms}\n",
                  environment={"http_proxy": "http://127.0.0.1:9", "HTTP_PROXY": "http://127.0.0.1:9",
                               "all_proxy": "http://127.0.0.1:9"})
    report.check(b"event: message_stop" in asked(proxy), "what the environment says of a proxy is not used")
    before = proxy.status("VmHWM")

    playing[0] = play_packed
    answer = asked(proxy)
    report.check(answer.count(b"word ") == 5000 and b"event: message_stop" in answer, "an honest compressed stream is read")

    playing[0] = play_bomb
    answer = asked(proxy)
    grown = proxy.status("VmHWM") - before
    report.check(b"unpacks to too much" in answer, "a bomb of 256 MB ends in an error that says so")
    report.check(grown < 16 * 1024, f"it takes {grown} kB")

    playing[0] = play_key_within
    answer = asked(proxy, b"x-api-key: " + KEY + b"\r\n")
    report.check(b"bad key [key]" in answer and KEY not in answer, "a key in an error within a stream is masked")
    answer = chat(proxy)
    report.check(b"bad key [key]" in answer and b"sk-attack" not in answer, "and in one that is relayed")

    playing[0] = play_folded
    answer = asked(proxy)
    report.check(status_of(answer) == 429 and b"retry-after" not in answer, "a folded retry-after is not passed on")

    playing[0] = play_folded_first
    report.check(all(status_of(asked(proxy)) == 502 for _ in range(20)), "a head that begins with a folded line is none")

    playing[0] = play_odd_status
    report.check(status_of(chat(proxy)) == 502, "a status that HTTP has not is not passed on")

    for play in (play_endless_head, play_interim):
        playing[0] = play
        report.check(status_of(asked(proxy)) == 502, f"{play.__name__} ends in 502")
    grown = proxy.status("VmHWM") - before
    report.check(grown < 24 * 1024, f"all of that takes {grown} kB")

    playing[0] = play_flood
    resident = proxy.status("VmRSS")
    slow = []
    for _ in range(SLOW_READERS):
        client = connect(proxy.port, receive_buffer=4096)
        client.sendall(post())
        slow.append(client)
    time.sleep(1.5)
    held = (proxy.status("VmRSS") - resident) * 1024 // SLOW_READERS
    report.check(held <= MAY_HOLD, f"a slow reader of a fast upstream costs {held // 1024} kB")
    playing[0] = play_stream
    report.check(b"event: message_stop" in asked(proxy), "others are served meanwhile")
    for client in slow:
        client.close()
    until = time.monotonic() + 1
    while proxy.descriptors() > 40 and time.monotonic() < until:
        time.sleep(0.02)
    report.check(proxy.descriptors() <= 40, f"a second after they left {proxy.descriptors()} descriptors are open")

    # Ends while all of them are in progress.
    waiting = []
    for play in (play_bomb, play_flood, play_nothing, play_half):
        playing[0] = play
        begun.clear()
        client = connect(proxy.port, receive_buffer=4096)
        client.sendall(post())
        waiting.append((play, client))
        until = time.monotonic() + 10
        while play not in begun and time.monotonic() < until:
            time.sleep(0.01)
    answers = {}

    def drain(play, client):
        answers[play] = read_all(client)[0]

    readers = [threading.Thread(target=drain, args=pair) for pair in waiting if pair[0] in (play_nothing, play_half)]
    for reader in readers:
        reader.start()
    code, took = proxy.end(signal.SIGTERM)
    report.check(code == 0 and took < 2, f"it ends in {took:.1f} s with code {code}")
    for reader in readers:
        reader.join()
    report.check(status_of(answers[play_nothing]) == 503, "who waits for a head is told 503")
    report.check(b"shutting down" in answers[play_half], "whose stream is under way is told why it ends")
    return report.end()


sys.exit(main())
