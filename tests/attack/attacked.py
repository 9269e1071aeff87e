"""Helpers of all attacks: the attacked proxy, an upstream for it, nginx next to it, and raw connections. All listen
on a loopback port that the kernel chooses, and end with the program."""

import atexit
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

TIMEOUT = 20.0
FOLDER = pathlib.Path(tempfile.mkdtemp(prefix="splitproof-attack-"))
atexit.register(shutil.rmtree, FOLDER, ignore_errors=True)

EVENT = b'data: {"model":"m","choices":[{"index":0,"delta":{"content":"%s"}}]}\n\n'
FINISH = b'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'
ASK = b'{"stream":true,"model":"m","max_tokens":9,"messages":[{"role":"user","content":"x"}]}'
STREAM_HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"


def post(body=ASK, headers=b""):
    return (b"POST /v1/messages HTTP/1.1\r\nHost: p\r\nContent-Type: application/json\r\n" + headers
            + b"Content-Length: %d\r\n\r\n" % len(body) + body)


def chunk(data):
    return b"%x\r\n" % len(data) + data + b"\r\n"


class Program:
    """A program of this attack, ended with it."""

    def __init__(self, arguments, **more):
        self.process = subprocess.Popen(arguments, **more)
        atexit.register(self.end, signal.SIGKILL)

    def end(self, number=signal.SIGTERM):
        """Returns its exit code, and how many seconds it took."""
        began = time.monotonic()
        if self.process.poll() is None:
            self.process.send_signal(number)
        return self.process.wait(TIMEOUT), time.monotonic() - began

    def status(self, key):
        """Returns a number of /proc/PID/status, in kB for memory."""
        for line in open(f"/proc/{self.process.pid}/status"):
            if line.startswith(key + ":"):
                return int(line.split()[1])
        raise KeyError(key)

    def processor_time(self):
        """Returns its processor time in seconds."""
        ticks = open(f"/proc/{self.process.pid}/stat").read().rpartition(")")[2].split()[11:13]
        return sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK")

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))


class Proxy(Program):
    def __init__(self, program, upstream, config="", more=(), environment=None, url=""):
        arguments = [program, "--upstream", url or f"http://127.0.0.1:{upstream}/v1", *more]
        if config:
            file = FOLDER / f"config-{len(os.listdir(FOLDER))}.yaml"
            file.write_text(config)
            arguments += ["--config", file]
        self.log = open(FOLDER / f"log-{len(os.listdir(FOLDER))}", "w+")
        super().__init__(arguments, stdout=subprocess.PIPE, stderr=self.log, text=True,
                         env={**os.environ, **(environment or {})})
        line = self.process.stdout.readline()
        if not line.startswith("splitproof-proxy: listening on "):
            self.log.seek(0)
            sys.exit(f"{program} does not listen: {line}{self.log.read()}")
        self.port = int(line.rsplit(":", 1)[1])


def nginx_program():
    """Returns the path of nginx, or None."""
    return shutil.which(os.environ.get("SPLITPROOF_NGINX", "nginx"),
                        path=os.environ.get("PATH", "") + ":/usr/sbin:/usr/local/sbin")


def certified(program):
    """Returns a certificate for 127.0.0.1, its key, and a program that runs `program` where that certificate is
    trusted: its mount namespace has its own list of authorities. Returns None if the system does not allow it."""
    certificate, key, runner = FOLDER / "certificate.pem", FOLDER / "key.pem", FOLDER / "trusting"
    authorities = "/etc/ssl/certs/ca-certificates.crt"
    runner.write_text(f"#!/bin/sh\nexec unshare --mount sh -c 'mount --bind {certificate} {authorities} && exec {program} \"$@\"' "
                      'sh "$@"\n')
    runner.chmod(0o700)
    try:
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
                        "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", certificate],
                       check=True, capture_output=True)
        subprocess.run([runner, "--version"], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return certificate, key, runner


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return taken.getsockname()[1]


class Nginx(Program):
    """`pooled`: it keeps connections to the upstream for the next request."""

    def __init__(self, upstream, pooled=False):
        self.port = free_port()
        file = FOLDER / "nginx.conf"
        file.write_text(f"""daemon off; master_process off; pid {FOLDER}/nginx.pid; error_log {FOLDER}/nginx.error crit;
events {{ worker_connections 4096; }}
http {{ access_log off; client_body_temp_path {FOLDER}/body; proxy_temp_path {FOLDER}/proxy;
  fastcgi_temp_path {FOLDER}/fastcgi; uwsgi_temp_path {FOLDER}/uwsgi; scgi_temp_path {FOLDER}/scgi;
  upstream provider {{ server 127.0.0.1:{upstream}; {"keepalive 64;" if pooled else ""} }}
  server {{ listen 127.0.0.1:{self.port} backlog=4096; proxy_buffering off; proxy_http_version 1.1; proxy_set_header Connection "";
    location / {{ proxy_pass http://provider; }} location /health {{ return 200 "ok"; }} }} }}
""")
        super().__init__([nginx_program(), "-p", FOLDER, "-c", file], stdout=subprocess.DEVNULL,
                         stderr=subprocess.DEVNULL)
        until = time.monotonic() + TIMEOUT
        while time.monotonic() < until:
            try:
                socket.create_connection(("127.0.0.1", self.port)).close()
                return
            except ConnectionRefusedError:
                time.sleep(0.01)
        sys.exit("nginx does not listen")


class Upstream:
    """Accepts connections and calls `serve(connection)` for each on its own thread, after reading the request
    unless `reads` is false."""

    def __init__(self, serve, reads=True):
        self.listening = socket.create_server(("127.0.0.1", 0), backlog=1024)
        self.port = self.listening.getsockname()[1]
        self.serve, self.reads = serve, reads
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            connection, _ = self.listening.accept()
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            threading.Thread(target=self.play, args=(connection,), daemon=True).start()

    def play(self, connection):
        with connection:
            try:
                if not self.reads or read_request(connection) is not None:
                    self.serve(connection)
            except OSError:
                pass  # the proxy has left


def read_request(connection):
    """Returns head and body, or None if the other side closes first."""
    data = b""
    while b"\r\n\r\n" not in data:
        more = connection.recv(65536)
        if not more:
            return None
        data += more
    head, _, body = data.partition(b"\r\n\r\n")
    length = 0
    for line in head.split(b"\r\n")[1:]:
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            length = int(value)
    while len(body) < length:
        more = connection.recv(65536)
        if not more:
            return None
        body += more
    return head, body


def play_stream(connection):
    """Sends a short stream with a good end."""
    connection.sendall(STREAM_HEAD + chunk(EVENT % b"hi" + FINISH) + b"0\r\n\r\n")


def connect(port, receive_buffer=0):
    client = socket.socket()
    if receive_buffer:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
    client.settimeout(TIMEOUT)
    client.connect(("127.0.0.1", port))
    return client


def read_all(client, until=None, timeout=TIMEOUT):
    """Reads until the other side closes, or `until` has come, or nothing more comes. Also returns whether it
    closed."""
    client.settimeout(timeout)
    data = b""
    try:
        while until is None or until not in data:
            more = client.recv(65536)
            if not more:
                return data, True
            data += more
    except ConnectionError:
        return data, True
    except TimeoutError:
        pass
    return data, False


def status_of(answer):
    return int(answer.split(b" ", 2)[1]) if answer.startswith(b"HTTP/1.") else 0


class Report:
    """Collects passed and failed checks; `end` is the exit code."""

    def __init__(self):
        self.failed = 0

    def check(self, holds, what):
        print(("ok    " if holds else "FAILED ") + what, flush=True)
        self.failed += not holds

    def end(self):
        print(f"{self.failed} failed" if self.failed else "all held", flush=True)
        return 1 if self.failed else 0
