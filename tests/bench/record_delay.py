#!/usr/bin/env python3
"""Measures the delay that `splitproof record` adds to each read, next to nginx and splitproof-proxy, and the memory of each.

usage: record_delay.py SPLITPROOF     (splitproof-proxy is in the same folder)

A provider writes its clock into each event, and the client compares it with its own. The best of several rounds counts. Without
nginx its line is left out.
"""
import contextlib
import http.client
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time

EVENTS = 1000
ROUNDS = 3
STREAMS = 50
HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n"
NGINX = """
daemon off; pid nginx.pid; error_log error.log; worker_processes 1;
events {{}}
http {{
  access_log off; client_body_temp_path t1; proxy_temp_path t2; fastcgi_temp_path t3; uwsgi_temp_path t4; scgi_temp_path t5;
  server {{
    listen 127.0.0.1:{port};
    location / {{ proxy_pass http://127.0.0.1:{provider}; proxy_http_version 1.1; proxy_buffering off; }}
  }}
}}
"""


def answer(connection):
    with contextlib.suppress(OSError):  # a client has seen enough
        send_events(connection)


def send_events(connection):
    data = b""
    while b"\r\n\r\n" not in data:
        data += connection.recv(65536)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    connection.sendall(HEAD)
    for _ in range(EVENTS):
        event = b'data: {"choices":[{"index":0,"delta":{"content":"%020d"}}]}\n\n' % time.monotonic_ns()
        connection.sendall(b"%x\r\n%s\r\n" % (len(event), event))
        time.sleep(0.001)
    connection.sendall(b"0\r\n\r\n")
    connection.close()


def serve():
    server = socket.create_server(("127.0.0.1", 0), backlog=256)

    def accept():
        while True:
            threading.Thread(target=answer, args=(server.accept()[0],), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    return server.getsockname()[1]


def post(port):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request("POST", "/v1/chat/completions", b'{"model":"m","stream":true}', {"content-type": "application/json"})
    return connection.getresponse()


def delays(port):
    response = post(port)
    found = []
    while True:
        data = response.read1(65536)
        now = time.monotonic_ns()
        if not data:
            return sorted(found)
        found += [(now - int(sent)) / 1000 for sent in re.findall(rb'"content":"(\d{20})"', data)]


def memory(pids):
    total = 0
    for pid in pids:
        status = pathlib.Path(f"/proc/{pid}/status").read_text()
        total += int(re.search(r"VmRSS:\s+(\d+)", status)[1])
    return total / 1024


class Measured:
    """A server on the way to the provider: its delays in the best round, and its memory."""

    def __init__(self, name, port, pid=None):
        self.name, self.port, self.pid = name, port, pid
        self.middle, self.late, self.idle = float("inf"), float("inf"), 0

    def pids(self):
        return [self.pid, *children(self.pid)] if self.pid else []

    def take_round(self):
        found = delays(self.port)
        self.middle = min(self.middle, found[len(found) // 2])
        self.late = min(self.late, found[len(found) * 99 // 100])
        self.idle = memory(self.pids())

    def line(self, direct):
        """Returns its row. `direct` is the delay without a server."""
        shown = f"  {self.name:<20} {self.middle:6.0f} us {self.late:9.0f} us"
        if not self.pid:
            return shown
        responses = [post(self.port) for _ in range(STREAMS)]
        for response in responses:
            response.read1(100)
        busy = memory(self.pids())
        for response in responses:
            response.close()
        return f"{shown} {self.middle - direct:6.0f} us {self.idle:8.1f} MB {busy:8.1f} MB"


def children(pid):
    return [int(child) for child in pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def started(command, address):
    """Starts a server that prints its address. Returns it and its port."""
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return server, int(re.search(address, server.stdout.readline())[1])


def started_nginx(nginx, folder, provider):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    pathlib.Path(folder, "nginx.conf").write_text(NGINX.format(port=port, provider=provider))
    server = subprocess.Popen([nginx, "-p", folder, "-c", "nginx.conf"], stderr=subprocess.DEVNULL)
    while socket.socket().connect_ex(("127.0.0.1", port)) != 0:
        time.sleep(0.05)
    return server, port


def main():
    provider = serve()
    url = f"http://127.0.0.1:{provider}"
    splitproof = pathlib.Path(sys.argv[1]).resolve()
    nginx = shutil.which("nginx", path=os.environ.get("PATH", "") + ":/usr/sbin")
    with tempfile.TemporaryDirectory() as folder:
        record = [splitproof, "record", "--to", url, "--protocol", "openai.chat", "--out", folder]
        relay = [splitproof.with_name("splitproof-proxy"), "--upstream", f"{url}/v1"]
        servers = {"splitproof record": started(record, r" at http://127\.0\.0\.1:(\d+), "),
                   "splitproof-proxy": started(relay, r"listening on http://127\.0\.0\.1:(\d+)")}
        if nginx:
            servers["nginx"] = started_nginx(nginx, folder, provider)
        all_of_them = [Measured("no server", provider)]
        all_of_them += [Measured(name, port, server.pid) for name, (server, port) in servers.items()]
        for _ in range(ROUNDS):
            for one in all_of_them:
                one.take_round()
        print(f"{EVENTS} events, best of {ROUNDS} rounds; memory after one stream, and with {STREAMS} streams")
        print(f"  {'':<20} {'median':>9} {'99 percent':>12} {'added':>9} {'1 stream':>11} {f'{STREAMS} streams':>11}")
        for one in all_of_them:
            print(one.line(all_of_them[0].middle))
        for server, _ in servers.values():
            server.terminate()
            server.wait()


if __name__ == "__main__":
    main()
