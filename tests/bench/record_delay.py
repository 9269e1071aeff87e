#!/usr/bin/env python3
"""Measures the delay that `splitproof record` adds to each read, next to nginx, and the memory of both.

usage: record_delay.py SPLITPROOF

A provider writes its clock into each event, and the client compares it with its own. Without nginx its line is left out.
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

EVENTS = 2000
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


def measure(name, port, pids):
    found = delays(port)
    idle = memory(pids)
    responses = [post(port) for _ in range(STREAMS)]
    for response in responses:
        response.read1(100)
    busy = memory(pids)
    for response in responses:
        response.close()
    shown = f"{idle:8.1f} MB {busy:8.1f} MB" if pids else ""
    print(f"  {name:<20} {found[len(found) // 2]:8.0f} us {found[len(found) * 99 // 100]:8.0f} us {shown}".rstrip())


def children(pid):
    return [int(child) for child in pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def main():
    provider = serve()
    print(f"{EVENTS} events: median and 99th percentile of the delay; memory after one stream, and with {STREAMS} streams:")
    measure("no proxy", provider, [])
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.argv[1], "record", "--to", f"http://127.0.0.1:{provider}", "--protocol", "openai.chat", "--out", folder]
        recorder = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        port = int(re.search(r" at http://127\.0\.0\.1:(\d+), ", recorder.stdout.readline())[1])
        measure("splitproof record", port, [recorder.pid])
        recorder.kill()
        recorder.communicate()
        nginx = shutil.which("nginx", path=os.environ.get("PATH", "") + ":/usr/sbin")
        if nginx is None:
            return
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        pathlib.Path(folder, "nginx.conf").write_text(NGINX.format(port=port, provider=provider))
        server = subprocess.Popen([nginx, "-p", folder, "-c", "nginx.conf"], stderr=subprocess.DEVNULL)
        while socket.socket().connect_ex(("127.0.0.1", port)) != 0:
            time.sleep(0.05)
        measure("nginx", port, [server.pid, *children(server.pid)])
        server.terminate()
        server.wait()


if __name__ == "__main__":
    main()
