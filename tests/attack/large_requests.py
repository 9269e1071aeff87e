#!/usr/bin/env python3
"""Many clients send at once requests that take long to translate, and nobody reads the log. Others are served
meanwhile, and the proxy ends on request.

usage: large_requests.py PROXY"""

import os
import signal
import subprocess
import sys
import threading
import time

from attacked import ASK, EVENT, FINISH, STREAM_HEAD, TIMEOUT, Program, Proxy, Report, Upstream, chunk, connect, post, read_all, read_request, status_of

LARGE = 24  # large requests
VALUES = 300_000  # JSON values in each, a third of the limit: reading them takes long
AHEAD = 4  # large requests that may be translated while another client waits: one for each thread


def large_request():
    """Returns tool calls and their results."""
    turn = (b'{"role":"assistant","content":[{"type":"tool_use","id":"t%d","name":"f","input":{"a":[1,2,{"b":"c"}]}}]},'
            b'{"role":"user","content":[{"type":"tool_result","tool_use_id":"t%d","content":"y"}]}')
    turns = b",".join(turn % (i, i) for i in range(VALUES // 34))
    return post(ASK.replace(b'"x"}]', b'"x"},' + turns + b"]"))


def others_are_served(report):
    translated = []  # times of the upstream calls

    def serve(connection):
        _, body = read_request(connection)
        if len(body) > 10_000:
            translated.append(time.monotonic())
            connection.sendall(STREAM_HEAD + chunk(EVENT % b"large" + FINISH) + b"0\r\n\r\n")
            return
        connection.sendall(STREAM_HEAD)
        while True:
            connection.sendall(chunk(EVENT % b"on"))
            time.sleep(0.01)

    upstream = Upstream(serve, reads=False)
    proxy = Proxy(sys.argv[1], upstream.port, "limits: {bodies-bytes: 1000000000}\n")
    waits = []  # begin and end of each wait of another client
    over = threading.Event()

    def ask_for_health():
        while not over.is_set():
            began = time.monotonic()
            with connect(proxy.port) as client:
                client.sendall(b"GET /health HTTP/1.1\r\nHost: p\r\n\r\n")
                if status_of(read_all(client, b"ok")[0]) == 200:
                    waits.append(("/health", began, time.monotonic()))

    def read_stream():
        with connect(proxy.port) as client:
            client.sendall(post())
            came = time.monotonic()
            while not over.is_set() and client.recv(65536):
                waits.append(("an event", came, came := time.monotonic()))

    threads = [threading.Thread(target=read_stream) for _ in range(4)] + [threading.Thread(target=ask_for_health)]
    for thread in threads:
        thread.start()
    request = large_request()
    clients = [connect(proxy.port) for _ in range(LARGE)]

    # All arrive except for their last bytes, so that all become complete at once.
    for client in clients:
        client.sendall(request[:-2])
    for client in clients:
        client.sendall(request[-2:])
    answers = [read_all(client, b"message_stop", timeout=120)[0] for client in clients]
    over.set()
    for thread in threads:
        thread.join()
    report.check(all(b"message_stop" in answer for answer in answers), f"{LARGE} requests of {len(request) / 1e6:.1f} MB are served")
    for what in ("/health", "an event"):
        seen = [(end - begin, sum(begin < at < end for at in translated)) for of, begin, end in waits if of == what]
        ahead = max(count for _, count in seen)
        report.check(ahead <= AHEAD, f"{len(seen)} times {what} came: behind {ahead} large requests at most, and after {max(seen)[0]:.2f} s")


def wait_until_read(port):
    """Waits until the program has read all bytes that its connections at the port received."""
    end = time.monotonic() + TIMEOUT
    while time.monotonic() < end:
        with open("/proc/net/tcp") as lines:
            rows = [line.split() for line in lines][1:]
        if not any(int(row[1].split(":")[1], 16) == port and int(row[4].split(":")[1], 16) > 0 for row in rows):
            return
        time.sleep(0.01)


def ends(report):
    """Two signals end it although many requests wait for translation, and one is in progress."""
    called = threading.Event()

    def never_answers(_):
        called.set()
        time.sleep(TIMEOUT)

    upstream = Upstream(never_answers)
    proxy = Proxy(sys.argv[1], upstream.port, "limits: {bodies-bytes: 1000000000}\n")
    request = large_request()
    clients = [connect(proxy.port) for _ in range(LARGE)]
    # As above. When the first calls the upstream, the others wait.
    for client in clients:
        client.sendall(request[:-2])
    wait_until_read(proxy.port)
    for client in clients:
        client.sendall(request[-2:])
    called.wait(TIMEOUT)
    proxy.process.send_signal(signal.SIGTERM)
    idle = connect(proxy.port)
    read_all(idle)  # the proxy has seen it
    code, took = proxy.end(signal.SIGTERM)
    report.check(code == 0 and took < 5, f"with {LARGE} requests that wait it ends in {took:.1f} s with code {code}")
    statuses = [status_of(read_all(client, b"}}")[0]) for client in clients]
    told = statuses.count(503)
    report.check(told > LARGE / 2, f"{told} of {LARGE} are told that it ends")


def ends_without_a_reader(report):
    """All threads wait for a reader of the log, so they cannot end: the process ends by force."""
    upstream = Upstream(lambda _: None)
    read, write = os.pipe()
    proxy = Program([sys.argv[1], "--upstream", f"http://127.0.0.1:{upstream.port}/v1"], stdout=subprocess.PIPE, stderr=write, text=True)
    os.close(write)
    port = int(proxy.process.stdout.readline().rsplit(":", 1)[1])

    def asks():
        try:
            with connect(port) as client:
                client.sendall(b"GET /%s HTTP/1.1\r\nHost: p\r\n\r\n" % (b"x" * 180))
                return b"404" in read_all(client, b"}}", timeout=0.5)[0]
        except OSError:
            return False

    asked = 0
    while asked < 5000 and (asks() or asks() or asks() or asks()):
        asked += 1
    report.check(asked < 5000, f"a log that nobody reads stops it, after {asked} requests")
    proxy.process.send_signal(signal.SIGTERM)
    time.sleep(0.2)
    code, took = proxy.end(signal.SIGTERM)
    report.check(code == 3 and took < 10, f"two signals end it in {took:.1f} s with code {code}")
    os.close(read)


def main():
    report = Report()
    others_are_served(report)
    ends(report)
    ends_without_a_reader(report)
    return report.end()


sys.exit(main())
