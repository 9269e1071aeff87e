#!/usr/bin/env python3
"""Runs `splitproof record` as a user does, in front of small providers.

usage: record_test.py SPLITPROOF [NAME]     (TAP)
"""
import base64
import contextlib
import ctypes
import gzip
import http.client
import json
import os
import pathlib
import random
import re
import resource
import select
import shutil
import signal
import socket
import socketserver
import ssl
import string
import struct
import subprocess
import sys
import tempfile
import threading
import time

SPLITPROOF = os.path.abspath(sys.argv[1])
ONLY = sys.argv[2] if len(sys.argv) > 2 else ""
TIMEOUT = 60  # nothing is asserted about time; a failing test must not hang

number = 0
failed = 0


def check(name, holds, said=""):
    global number, failed
    number += 1
    print(f"{'ok' if holds else 'not ok'} {number} - {name}", flush=True)
    if not holds:
        failed += 1
        print("\n".join("# " + line for line in str(said).splitlines()[-40:]), flush=True)


def wait_for(condition):
    """Waits until the condition holds, or until the timeout."""
    end = time.monotonic() + TIMEOUT
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.01)
    return False


class Provider(socketserver.ThreadingTCPServer):
    """Answers each request with `answer(connection, head, body)`, which sends raw bytes."""
    daemon_threads = True
    allow_reuse_address = True

    def __init__(self, answer):
        provider = self

        class Handler(socketserver.BaseRequestHandler):
            def handle(self):
                data = b""
                while b"\r\n\r\n" not in data:
                    more = self.request.recv(65536)
                    if not more:
                        return
                    data += more
                head, _, body = data.partition(b"\r\n\r\n")
                length = re.search(rb"(?i)content-length: (\d+)", head)
                while length and len(body) < int(length[1]):
                    body += self.request.recv(65536)
                with contextlib.suppress(OSError):
                    answer(self.request, head, body)

        super().__init__(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server_address[1]}"
        threading.Thread(target=provider.serve_forever, args=(0.05,), daemon=True).start()


def chunk(data):
    return b"%x\r\n%s\r\n" % (len(data), data)


HEAD = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\nconnection: close\r\n"


def event(text, finish=None):
    choice = {"index": 0, "delta": {"role": "assistant", "content": text}, "finish_reason": finish}
    return b"data: " + json.dumps({"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]}).encode() + b"\n\n"


class Recorder:
    """`splitproof record` without a command."""

    def __init__(self, provider, folder, *options):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(exist_ok=True)
        # Files of any other purpose would be in the same folder.
        self.process = subprocess.Popen(
            [SPLITPROOF, "record", "--to", provider.url + "/v1", "--protocol", "openai.chat", "--out", folder, *options],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=folder, env={**os.environ, "TMPDIR": folder, "HOME": folder})
        for line in self.process.stdout:
            address = re.search(r" at http://127\.0\.0\.1:(\d+), ", line)
            if address:
                break
        self.port = int(address[1])

    def post(self, body=b"{}", headers=None, path="/v1/chat/completions"):
        """Sends a request; returns the connection."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=TIMEOUT)
        connection.request("POST", path, body, {"content-type": "application/json", **(headers or {})})
        return connection

    def files(self):
        return sorted(self.folder.glob("*.rec.jsonl"))

    def end(self, number=signal.SIGINT):
        """Returns the exit code and the rest of the output."""
        self.process.send_signal(number)
        rest = self.process.communicate(timeout=TIMEOUT)[0]
        return self.process.returncode, rest


class FolderWatch:
    """Keeps all bytes that are written to files of a folder, also to files that are removed. inotify(7) reports each write, and
    files stay readable because this opens them when they are created."""
    CREATE, MODIFY, MOVED_TO, IS_DIR, OVERFLOW = 0x100, 0x2, 0x80, 0x40000000, 0x4000

    def __init__(self, folder):
        self.folder, self.files, self.writes, self.odd = pathlib.Path(folder), {}, 0, []
        libc = ctypes.CDLL(None, use_errno=True)
        self.events = libc.inotify_init1(os.O_CLOEXEC)
        if libc.inotify_add_watch(self.events, os.fsencode(folder), self.CREATE | self.MODIFY | self.MOVED_TO) < 0:
            raise OSError(ctypes.get_errno(), "inotify_add_watch")
        self.over = os.pipe()
        self.thread = threading.Thread(target=self.follow)
        self.thread.start()

    def follow(self):
        while self.over[0] not in (ready := select.select([self.events, self.over[0]], [], [])[0]) or self.events in ready:
            self.take(os.read(self.events, 1 << 16))

    def take(self, events):
        while events:
            _, mask, _, size = struct.unpack_from("iIII", events)
            name = os.fsdecode(events[16:16 + size].rstrip(b"\0"))
            events = events[16 + size:]
            if mask & (self.IS_DIR | self.OVERFLOW | self.MOVED_TO):
                self.odd.append(f"{mask:x} {name}")
            elif mask & self.CREATE:
                self.files[name] = (open(self.folder / name, "rb"), bytearray())
            else:
                self.writes += 1
                file, seen = self.files[name]
                seen += file.read()

    def stop(self):
        """Ends watching. Returns the bytes written to each file. Files that were not only appended to are odd."""
        os.write(self.over[1], b"x")
        self.thread.join()
        for name, (file, seen) in self.files.items():
            seen += file.read()
            file.seek(0)
            if file.read() != seen:
                self.odd.append(f"{name} was changed")
            file.close()
        return {name: bytes(seen) for name, (_, seen) in self.files.items()}


def files_written_elsewhere(pid, folder):
    """Returns the regular files outside a folder that a process has open for writing."""
    found = []
    for fd in pathlib.Path(f"/proc/{pid}/fd").iterdir():
        with contextlib.suppress(OSError):  # closed meanwhile
            flags = int(re.search(r"flags:\s+(\d+)", pathlib.Path(f"/proc/{pid}/fdinfo/{fd.name}").read_text())[1], 8)
            target = os.readlink(fd)
            if flags & os.O_ACCMODE != os.O_RDONLY and os.path.isfile(target) and not target.startswith(f"{folder}/"):
                found.append(target)
    return found


@contextlib.contextmanager
def recording(answer, *options):
    with tempfile.TemporaryDirectory() as folder, Provider(answer) as provider:
        recorder = Recorder(provider, folder, *options)
        try:
            yield recorder
        finally:
            recorder.process.kill()
            recorder.process.communicate()
            provider.shutdown()


def run(*words, **options):
    done = subprocess.run([SPLITPROOF, *words], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=TIMEOUT, **options)
    return done.returncode, done.stdout + done.stderr


def load(path):
    lines = [json.loads(line) for line in path.read_text().rstrip("\n").split("\n")]
    body = b"".join(line["text"].encode() if "text" in line else base64.b64decode(line["base64"])
                    for line in lines[1:] if "end" not in line)
    return lines[0], lines[1:], body


def a_kill_leaves_a_readable_file():
    go_on = threading.Event()

    def answer(connection, head, body):
        connection.sendall(HEAD + b"\r\n" + chunk(event("one")) + chunk(event("two")))
        go_on.wait(TIMEOUT)

    with recording(answer) as recorder:
        connection = recorder.post()
        response = connection.getresponse()
        read = b""
        while read.count(b"\n\n") < 2:
            read += response.read1(65536)
        wait_for(lambda: recorder.files() and len(recorder.files()[0].read_text().splitlines()) == 3)
        recorder.process.kill()
        recorder.process.wait()
        go_on.set()
        code, said = run("list", "recordings", "--corpus", str(recorder.folder))
        check("kill -9: the file loads as reset", code == 0 and " reset " in said and f"{len(read)} bytes" in said, said)


def a_kill_of_many_calls_mixes_nothing():
    def stream_of(name):
        return [event(f"{name} {i}") for i in range(600)]

    def answer(connection, head, body):
        connection.sendall(HEAD + b"\r\n")
        for part in stream_of(json.loads(body)["user"]):
            for piece in (part[:40], part[40:]):
                connection.sendall(chunk(piece))
            time.sleep(0.005)
        connection.sendall(b"0\r\n\r\n")

    with recording(answer) as recorder:
        names = [f"caller{i}" for i in range(50)]
        # No client reads more than the beginning.
        responses = [recorder.post(json.dumps({"user": name, "stream": True}).encode()).getresponse() for name in names]
        begun = all(response.read1(10) for response in responses)
        wait_for(lambda: len(recorder.files()) == 50 and all(file.stat().st_size > 20_000 for file in recorder.files()))
        recorder.process.kill()
        recorder.process.wait()
        found, wrong = set(), []
        for file in recorder.files():
            head, lines, body = load(file)
            name = head["requests"]["openai.chat"]["user"]
            found.add(name)
            whole = b"".join(stream_of(name))
            if not 10_000 < len(body) < len(whole) or not whole.startswith(body) or any("end" in line for line in lines):
                wrong.append((file.name, name, len(body)))
        check("kill -9 of 50 calls: each file has the beginning of its own stream", begun and found == set(names) and not wrong, wrong)
        code, said = run("list", "recordings", "--corpus", str(recorder.folder))
        check("kill -9 of 50 calls: each file loads as reset", code == 0 and said.count(" reset ") == 50, said)


def a_slow_client_slows_the_provider():
    sent = [0]
    total = 64 << 20

    def answer(connection, head, body):
        connection.sendall(HEAD + b"\r\n")
        piece = chunk(b"data: " + b"x" * 65526 + b"\n\n")
        while sent[0] < total:
            connection.sendall(piece)
            sent[0] += len(piece)
        connection.sendall(b"0\r\n\r\n")

    with recording(answer) as recorder:
        connection = recorder.post()
        response = connection.getresponse()
        before = -1
        while before != sent[0]:  # until the provider cannot send any more
            before = sent[0]
            time.sleep(0.5)
        rss = int(re.search(r"VmRSS:\s+(\d+)", pathlib.Path(f"/proc/{recorder.process.pid}/status").read_text())[1])
        check("slow client: the provider waits", 0 < before < total / 2, before)
        check("slow client: memory is bounded", rss < 200_000, rss)
        size = 0
        while True:
            data = response.read(1 << 20)
            if not data:
                break
            size += len(data)
        check("slow client: gets all bytes in the end", size >= total * 0.99, size)


def the_command_gets_the_address_and_gives_the_code():
    seen = []

    def answer(connection, head, body):
        seen.append(head.split(b"\r\n")[0])
        connection.sendall(HEAD + b"\r\n" + chunk(event("Hi", "stop")) + chunk(b"data: [DONE]\n\n") + b"0\r\n\r\n")

    program = ("import os, sys, urllib.request as r\n"
               "for name, path in (('OPENAI_BASE_URL', '/chat/completions'), ('ANTHROPIC_BASE_URL', '/v1/chat/completions'),\n"
               "                   ('OLLAMA_HOST', '/v1/chat/completions')):\n"
               "    r.urlopen(r.Request(os.environ[name] + path, b'{}')).read()\n"
               "print('from the command'); sys.exit(7)\n")
    with tempfile.TemporaryDirectory() as folder, Provider(answer) as provider:
        done = subprocess.run([SPLITPROOF, "record", "--to", provider.url + "/v1", "--protocol", "openai.chat", "--out", folder, "--",
                               sys.executable, "-c", program], capture_output=True, text=True, timeout=TIMEOUT)
        check("command: its exit code", done.returncode == 7, done.stderr)
        check("command: only its own output on standard output", done.stdout == "from the command\n", done.stdout)
        check("command: all paths reach the provider", seen == [b"POST /v1/chat/completions HTTP/1.1"] * 3, seen)
        check("command: the calls are recorded", "recorded 3 of 3 calls, 3 sound" in done.stderr, done.stderr)
        code, said = run("record", "--to", provider.url, "--protocol", "openai.chat", "--out", folder, "--", "true")
        check("command: a command without calls gets help", code == 0 and "the command made no call here; let it use $OPENAI_BASE_URL" in said, said)
        code, said = run("record", "--to", provider.url, "--protocol", "ollama.chat", "--out", folder, "--", sys.executable, "-c", program)
        check("command: calls of another protocol are named", code == 7 and said.count(
            "its path does not end in /api/chat, it looks like openai.chat") == 3 and "recorded 0 of 3 calls" in said, said)
        code, said = run("record", "--to", provider.url, "--protocol", "openai.chat", "--out", folder, "--", "no-such-program-here")
        check("command: an unknown program is an error", code == 4 and "cannot start 'no-such-program-here'" in said, said)
        provider.shutdown()


def a_full_disk_is_reported():
    """A limit on the size of files plays the disk: the second answer and the head of the third recording do not fit."""
    def limit_files():
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))

    small, large = chat_stream(["Hi"]), chat_stream(["word "] * 200)

    def answer(connection, head, body):
        stream = large if b"large-answer" in body else small
        connection.sendall(HEAD + b"\r\n" + b"".join(chunk(piece) for piece in stream.splitlines(True)) + b"0\r\n\r\n")

    program = ("import os, sys, urllib.request as r\n"
               "for body in (b'{}', b'{\"a\": \"large-answer\"}', b'{\"a\": \"' + b'large request' * 1000 + b'\"}'):\n"
               "    print(len(r.urlopen(r.Request(os.environ['OPENAI_BASE_URL'] + '/chat/completions', body)).read()))\n"
               "sys.exit(int(sys.argv[1]))\n")
    for keep, command_code in (("all", 0), ("sound", 0), ("all", 7)):
        with tempfile.TemporaryDirectory() as folder, Provider(answer) as provider:
            done = subprocess.run([SPLITPROOF, "record", "--to", provider.url + "/v1", "--protocol", "openai.chat", "--out", folder, "--keep", keep,
                                   "--", sys.executable, "-c", program, str(command_code)],
                                  capture_output=True, text=True, timeout=TIMEOUT, preexec_fn=limit_files)
            name = f"full disk, --keep {keep}, command ends with {command_code}"
            check(f"{name}: the exit code", done.returncode == (command_code or 2), f"{done.returncode}\n{done.stderr}")
            check(f"{name}: the client gets whole answers", done.stdout.split() == [str(len(one)) for one in (small, large, small)], done.stdout)
            check(f"{name}: each failure has its reason", len(re.findall(
                r"^not recorded  200  .*could not be recorded: File too large.*--out", done.stderr, re.M)) == 2, done.stderr)
            check(f"{name}: the summary counts them", "recorded 1 of 3 calls, 1 sound, 2 not written" in done.stderr, done.stderr)
            left = sorted(os.listdir(folder))
            check(f"{name}: no torn file stays", left == ["call-0001.rec.jsonl"], left)
            provider.shutdown()


def a_full_disk_at_the_end():
    """A recording without a command ends with a signal. The code is 2 if a file is missing."""
    def answer(connection, head, body):
        connection.sendall(HEAD + b"\r\n" + chunk(chat_stream(["word "] * 200)) + b"0\r\n\r\n")

    with recording(answer) as recorder:
        resource.prlimit(recorder.process.pid, resource.RLIMIT_FSIZE, (4096, 4096))
        recorder.post().getresponse().read()
        code, said = recorder.end()
        check("full disk without a command: the exit code", code == 2 and "recorded 0 of 1 call, 0 sound, 1 not written" in said, f"{code}\n{said}")
        check("full disk without a command: no torn file stays", not recorder.files(), recorder.files())


def its_own_address_is_no_provider():
    """Each call would come back to the recorder. The port is taken while this runs, so an accepted address ends with an error too."""
    with tempfile.TemporaryDirectory() as folder, socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        for to, listen, own in (("127.0.0.1", "127.0.0.1", True), ("localhost", "127.0.0.1", True), ("127.0.0.1", "localhost", True),
                                ("[::1]", "[::1]", True), ("127.0.0.1", "0.0.0.0", True), ("127.0.0.2", "127.0.0.1", False),
                                ("example.invalid", "127.0.0.1", False)):
            out = os.path.join(folder, "out")
            code, said = run("record", "--to", f"http://{to}:{port}/v1", "--protocol", "openai.chat", "--out", out, "--listen", f"{listen}:{port}", "--", "true")
            refused = f"--to http://{to}:{port}/v1 is the address of --listen {listen}:{port}" in said and "another port with --listen" in said
            check(f"own address: --to {to}, --listen {listen}", refused == own and code == 2 and not (own and os.path.exists(out)), f"{code}\n{said}")


def a_signal_ends_it():
    def answer(connection, head, body):
        connection.sendall(HEAD + b"\r\n" + chunk(event("Hi")))
        connection.recv(1)

    for number, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
        with recording(answer) as recorder:
            response = recorder.post().getresponse()
            response.read1(65536)
            got, said = recorder.end(number)
            head, lines, body = load(recorder.files()[0])
            check(f"signal {number}: exit code and table", got == code and "recorded 1 of 1 call" in said, (got, said))
            check(f"signal {number}: the recorder ended the call", lines[-1]["by"] == "recorder", lines[-1])


def wrong_arguments_are_one_error():
    cases = [
        (("--to", "ftp://x", "--protocol", "openai.chat", "--out", "o"), "is not an http or https URL"),
        (("--to", "http://u:p@x", "--protocol", "openai.chat", "--out", "o"), "has a query or a user"),
        (("--to", "http://x", "--protocol", "openai.chatt", "--out", "o"), "the protocol 'openai.chatt' is unknown"),
        (("--to", "http://x", "--protocol", "openai.chat"), "--out is missing"),
        (("--to", "http://x", "--protocol", "openai.chat", "--out", "o", "--mask", "("), "is not a regular expression"),
        (("--to", "http://x", "--protocol", "openai.chat", "--out", "o", "--listen", "x"), "--listen x is not HOST:PORT"),
        (("--to", "http://x", "--protocol", "openai.chat", "--out", "o", "--name", "a/b"), "cannot be part of a case id"),
        (("--to", "http://x", "--protocol", "openai.chat", "--out", "/dev/null/x"), "cannot make the folder"),
        (("--check", "no-such-folder"), "cannot read the folder"),
        (("--to", "http://x", "--protocol", "openai.chat", "--out", "o", "--mask", "(\nx"), "is not a regular expression"),
        (("--to", "http://x", "--protocol", "openai.chat", "--out", "o", "--ca", "no-such-file"), "no-such-file"),
        (("--check", "x", "--distil", "y"), "--check does not use --distil"),
        (("--distil", "x", "--out", "o", "--to", "http://x"), "--distil does not use --to"),
    ]
    with tempfile.TemporaryDirectory() as folder:
        for words, message in cases:
            code, said = run("record", *words, cwd=folder)
            check(f"wrong: {message}", code == 2 and message in said and len(said.splitlines()) == 1, (code, said))
        code, said = run("record", "--check", folder)
        check("wrong: a folder without recordings", code == 5 and "no recording" in said, (code, said))


# Made-up secrets of 20 shapes, put together here, so that no scanner finds one in this file.
SHAPES = (("sk" "-", 48), ("sk" "-proj-", 64), ("sk" "-ant-api03-", 93), ("sk" "-or-v1-", 64), ("AI" "za", 35), ("A" "Q.", 44),
          ("ya" "29.", 60), ("GOC" "SPX-", 28), ("gh" "p_", 36), ("github" "_pat_", 60), ("gl" "pat-", 22), ("AK" "IA", -16),
          ("ey" "JhbGciOiJIUzI1NiJ9.ey" "JzdWIiOiIxMjM0In0.", 43), ("xo" "xb-", 40), ("h" "f_", 34), ("gs" "k_", 52), ("xa" "i-", 80),
          ("pp" "lx-", 48), ("np" "m_", 36), ("sk" "_live_", 24))


def planted(seed):
    chance = random.Random(seed)
    prefix, size = SHAPES[seed % len(SHAPES)]
    letters = string.ascii_uppercase + "234567" if size < 0 else string.ascii_letters + string.digits
    return prefix + "".join(chance.choice(letters) for _ in range(abs(size) - 1)) + "7"


def with_escapes(text):
    return "".join(f"\\u{ord(c):04x}" for c in text)


def chat_stream(words):
    stream = b"".join(event(word) for word in words)
    return stream + event("", "stop") + b"data: [DONE]\n\n"


class TlsFiles:
    """A certificate for localhost that only `--ca` makes valid."""

    def __init__(self, folder):
        self.certificate, self.key = os.path.join(folder, "cert.pem"), os.path.join(folder, "key.pem")
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", self.key, "-out", self.certificate,
                        "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"],
                       check=True, capture_output=True)


def call_over_tls(name, port, certificate, segments, stream, pieces):
    with tempfile.TemporaryDirectory() as folder:
        target = type("Target", (), {"url": f"https://localhost:{port}"})
        recorder = Recorder(target, folder, "--ca", certificate)
        try:
            response = recorder.post().getresponse()
            check(f"{name}: the client gets the stream", response.status == 200 and response.read() == stream)
            wait_for(lambda: '"end"' in recorder.files()[0].read_text())
            head, lines, body = load(recorder.files()[0])
            check(f"{name}: the recording has the stream", body == stream and lines[-1]["end"] == "complete", lines)
            check(f"{name}: its boundaries are {segments}", head["provenance"]["segments"] == segments, head)
            if pieces is not None:
                check(f"{name}: every chunk is exact", [line["text"].encode() for line in lines[:-1]] == pieces, lines)
        finally:
            recorder.process.kill()
            recorder.process.communicate()
        stranger = Recorder(target, folder + "/other")
        try:
            response = stranger.post().getresponse()
            check(f"{name}: an unknown certificate is refused", response.status == 502, response.status)
            check(f"{name}: the error has the reason", b"certificate" in response.read())
        finally:
            stranger.process.kill()
            stranger.process.communicate()


def tls_without_http2():
    pieces = [event("Hi"), event("", "stop")[:30], event("", "stop")[30:], b"data: [DONE]\n\n"]

    with tempfile.TemporaryDirectory() as folder:
        files = TlsFiles(folder)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(files.certificate, files.key)

        def answer(connection, head, body):
            connection.sendall(HEAD + b"\r\n" + b"".join(chunk(piece) for piece in pieces) + b"0\r\n\r\n")

        with Provider(answer) as provider:
            provider.socket = context.wrap_socket(provider.socket, server_side=True)
            provider.handle_error = lambda *_: None  # the client refuses the certificate
            call_over_tls("TLS", provider.server_address[1], files.certificate, "exact", b"".join(pieces), pieces)
            provider.shutdown()


NGINX = """
daemon off; pid nginx.pid; error_log error.log; worker_processes 1;
events {{}}
http {{
  access_log access.log; client_body_temp_path t1; proxy_temp_path t2; fastcgi_temp_path t3; uwsgi_temp_path t4; scgi_temp_path t5;
  server {{
    listen 127.0.0.1:{port} ssl http2; server_name localhost;
    ssl_certificate cert.pem; ssl_certificate_key key.pem;
    location / {{ proxy_pass {url}; proxy_http_version 1.1; proxy_buffering off; }}
  }}
}}
"""


def tls_with_http2():
    nginx = shutil.which("nginx", path=os.environ.get("PATH", "") + ":/usr/sbin:/usr/local/sbin")
    if nginx is None:
        check("HTTP/2 # SKIP nginx is not installed", True)
        return
    stream = chat_stream(["Hi", " there", " again"])

    def answer(connection, head, body):
        connection.sendall(HEAD + b"\r\n")
        for part in stream.split(b"\n\n")[:-1]:
            connection.sendall(chunk(part + b"\n\n"))
            time.sleep(0.02)  # so that nginx has a reason to send frames
        connection.sendall(b"0\r\n\r\n")

    with tempfile.TemporaryDirectory() as folder, Provider(answer) as provider:
        files = TlsFiles(folder)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        pathlib.Path(folder, "nginx.conf").write_text(NGINX.format(port=port, url=provider.url))
        server = subprocess.Popen([nginx, "-p", folder, "-c", "nginx.conf"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            wait_for(lambda: socket.socket().connect_ex(("127.0.0.1", port)) == 0)
            call_over_tls("HTTP/2", port, files.certificate, "frames", stream, None)
            log = pathlib.Path(folder, "access.log").read_text()
            check("HTTP/2: nginx served HTTP/2", "HTTP/2.0" in log, log)
        finally:
            server.terminate()
            server.wait()
            provider.shutdown()


def words_are_replaced_if_asked():
    stream = chat_stream(["High", " tide", " at 7"])

    def answer(connection, head, body):
        connection.sendall(HEAD + b"\r\n" + b"".join(chunk(stream[i:i + 50]) for i in range(0, len(stream), 50)) + b"0\r\n\r\n")

    with recording(answer, "--anonymise") as recorder:
        body = {"model": "m", "messages": [{"role": "user", "content": "When is high tide in Leith?"}],
                "tools": [{"type": "function", "function": {"name": "read_tide", "description": "Reads"}}]}
        response = recorder.post(json.dumps(body).encode()).getresponse()
        check("anonymise: the client gets the words", response.read() == stream)
        wait_for(lambda: '"end"' in recorder.files()[0].read_text())
        head, lines, recorded = load(recorder.files()[0])
        asked = head["requests"]["openai.chat"]
        check("anonymise: the user's words are replaced", asked["messages"][0]["content"] == "Xxxx xx xxxx xxxx xx Xxxxx?", asked)
        check("anonymise: names of tools stay", asked["tools"][0]["function"]["name"] == "read_tide", asked)
        check("anonymise: the model's words are replaced", recorded == chat_stream(["Xxxx", " xxxx", " xx 1"]), recorded)
        text = recorder.files()[0].read_text()
        check("anonymise: no word is in the file", not re.search("tide in|Leith|High", text), text)


def distil_keeps_what_differs():
    def answer(connection, head, body):
        stream = chat_stream(["Hi"]) if b"plain" in body else chat_stream(["H\u00ef", " there"]) if b"utf8" in body else event("cut")
        connection.sendall(HEAD + b"\r\n" + chunk(stream) + b"0\r\n\r\n")

    with recording(answer) as recorder:
        for word in ("plain", "plain", "utf8", "plain", "cut", "utf8"):
            recorder.post(json.dumps({"model": word}).encode()).getresponse().read()
        wait_for(lambda: len(recorder.files()) == 6 and all('"end"' in file.read_text() for file in recorder.files()))
        out = str(recorder.folder / "kept")
        code, said = run("record", "--distil", str(recorder.folder), "--out", out)
        kept = sorted(pathlib.Path(out).glob("*.rec.jsonl"))
        check("distil: keeps one of each kind", code == 0 and 2 <= len(kept) <= 3 and f"kept {len(kept)} of 6 recordings" in said, said)
        check("distil: copies files unchanged", all(file.read_bytes() == (recorder.folder / file.name).read_bytes() for file in kept))
        code, said = run("record", "--distil", str(recorder.folder), "--out", out)
        check("distil: replaces nothing", code == 2 and "cannot be written" in said, said)
        code, said = run("list", "recordings", "--corpus", out)
        check("distil: the list has what each covers", code == 0 and said.count(" covers ") == len(kept), said)


def recorded_times_come_back():
    pieces = [event("one"), event("two"), event("", "stop"), b"data: [DONE]\n\n"]

    def answer(connection, head, body):
        connection.sendall(HEAD + b"\r\n")
        for piece in pieces:
            time.sleep(0.08)
            connection.sendall(chunk(piece))
        time.sleep(0.08)
        connection.sendall(b"0\r\n\r\n")

    with recording(answer) as recorder:
        recorder.post().getresponse().read()
        wait_for(lambda: recorder.files() and '"end"' in recorder.files()[0].read_text())
        path = recorder.files()[0]
        times = [line["at"] for line in load(path)[1]]
        check("times: every read has one", len(times) == 5 and all(b - a > 0.02 for a, b in zip(times, times[1:])), times)
        words = (str(path), "--listen", "127.0.0.1:0", "--requests", "1")
        for speed in ("1", "2"):
            upstream = subprocess.Popen([SPLITPROOF, "upstream", *words, "--as-recorded", "--speed", speed],
                                        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            port = int(upstream.stdout.readline().rsplit(":", 1)[1])
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=TIMEOUT)
            begin = time.monotonic()
            connection.request("POST", "/", b"{}")
            response = connection.getresponse()
            got, early = b"", []
            for i, piece in enumerate(pieces):
                while len(got) < len(b"".join(pieces[:i + 1])):
                    got += response.read1(len(piece))
                if time.monotonic() - begin < times[i] / float(speed) - 1e-6:
                    early.append(i)
            rest = response.read()
            if time.monotonic() - begin < times[-1] / float(speed) - 1e-6:
                early.append("end")
            check(f"times: no chunk is early at speed {speed}", not early, early)
            check(f"times: the bytes are the recorded ones at speed {speed}", got == b"".join(pieces) and rest == b"", got)
            upstream.communicate(timeout=TIMEOUT)
        for options, message in ((("--speed", "2"), "--speed needs the recorded times"),
                                 (("--as-recorded", "--speed", "0"), "'0' is no speed"),
                                 (("--as-recorded", "--speed", ""), "'' is no speed")):
            code, said = run("upstream", *words, *options)
            check(f"times: {message}", code == 2 and message in said and said.count("\n") == 1, said)
        code, said = run("upstream", "openai.chat/text-plain?gen=bytes", "--listen", "127.0.0.1:0", "--as-recorded")
        check("times: other chunks have none", code == 2 and "the case has others: gen=bytes" in said, said)
        (recorder.folder / "body.sse").write_bytes(b"".join(pieces))
        run("import", str(recorder.folder / "body.sse"), "--protocol", "openai.chat", "--out", str(recorder.folder))
        code, said = run("upstream", str(recorder.folder / "body.rec.jsonl"), "--listen", "127.0.0.1:0", "--as-recorded")
        check("times: a body without times is refused", code == 2 and "it has none; use gen=recorded" in said, said)


def import_can_distil():
    streams = [chat_stream(["Hi"]), chat_stream(["Hi", " you"]), chat_stream(["H\u00ef"]), chat_stream(["Hi"]), event("cut")]
    entries = [{"request": {"method": "POST", "url": f"https://x.example/{i}"},
                "response": {"status": 200, "content": {"text": stream.decode()}}} for i, stream in enumerate(streams)]
    with tempfile.TemporaryDirectory() as folder:
        har = pathlib.Path(folder) / "day.har"
        har.write_text(json.dumps({"log": {"version": "1.2", "entries": entries}}))
        words = ("import", str(har), "--protocol", "openai.chat", "--out")
        code, said = run(*words, folder + "/few", "--distil")
        few = sorted(pathlib.Path(folder + "/few").glob("*.rec.jsonl"))
        check("import --distil: keeps what differs", code == 0 and 2 <= len(few) <= 3 and f"kept {len(few)} of 5" in said, said)
        code, refused = run("import", str(har), str(har), "--protocol", "openai.chat", "--out", folder + "/two")
        check("import: two files are refused", code == 2 and "import takes one file, not 2" in refused, refused)
        check("import --distil: names what each adds", said.count("  adds ") == len(few), said)
        run(*words, folder + "/all")
        code, said = run("record", "--distil", folder + "/all", "--out", folder + "/again")
        again = sorted(pathlib.Path(folder + "/again").glob("*.rec.jsonl"))
        check("import --distil: keeps the same as record --distil",
              [(file.name, file.read_bytes()) for file in few] == [(file.name, file.read_bytes()) for file in again], said)


def covered(folder):
    """Returns the kinds of content that `list recordings` names for a folder, such as ("shape", "tools")."""
    code, said = run("list", "recordings", "--corpus", folder)
    found = set()
    for row in said.splitlines():
        for group in row.partition(" covers ")[2].split("; ")[1:]:
            kind, _, names = group.partition(" ")
            found |= {(kind, name) for name in names.split(", ")}
    return found


def many_real_streams_become_few():
    root = pathlib.Path(__file__).resolve().parent.parent.parent
    shared = pathlib.Path(os.environ.get("SPLITPROOF_SHARED", root.parent / "shared"))
    streams = [path.read_bytes() for path in sorted((shared / "recordings/openai-chat").rglob("*.sse"))]
    if not streams:
        check("distil: real streams # SKIP ../shared is absent", True)
        return
    entries = [{"request": {"method": "POST", "url": f"https://x.example/{i}"},
                "response": {"status": 200, "content": {"encoding": "base64", "text": base64.b64encode(stream).decode()}}}
               for i, stream in enumerate(streams)]
    with tempfile.TemporaryDirectory() as folder:
        har = pathlib.Path(folder) / "month.har"
        har.write_text(json.dumps({"log": {"version": "1.2", "entries": entries}}))
        words = ("import", str(har), "--protocol", "openai.chat", "--out")
        code, said = run(*words, folder + "/few", "--distil")
        kept = len(list(pathlib.Path(folder + "/few").glob("*.rec.jsonl")))
        check("distil: 60 recordings have all that hundreds of real streams have",
              code == 0 and len(streams) > 500 and 10 < kept <= 60 and re.search(rf"kept {kept} of \d+ recordings, with all \d+ features", said), said)
        run(*words, folder + "/all")
        everything = covered(folder + "/all")
        check("distil: the list of the few names all kinds of content", len(everything) > 50 and covered(folder + "/few") == everything,
              everything - covered(folder + "/few"))


def secrets_never_reach_the_disk():
    secrets = [planted(seed) for seed in range(200)]

    def answer(connection, head, body):
        # The response repeats the secrets of the request, cut everywhere.
        names = json.loads(body)["messages"][0]["content"].split()
        stream = b"".join(event(f"key {name} ok") for name in names) + event("", "stop") + b"data: [DONE]\n\n"
        connection.sendall(HEAD + b"set-cookie: session=" + names[0].encode() + b"; Path=/\r\n\r\n")
        chance = random.Random(len(stream))
        while stream:
            size = chance.randint(1, 60)
            connection.sendall(chunk(stream[:size]))
            stream = stream[size:]
        connection.sendall(b"0\r\n\r\n")

    def send_all(recorder):
        """Returns the files outside the folder that were open for writing after some response."""
        elsewhere = set()
        for i in range(0, 200, 8):
            some = secrets[i:i + 8]
            body = {"model": "m", "messages": [{"role": "user", "content": " ".join(some)},
                                               {"role": "tool", "content": json.dumps({"key": some[0], "deep": json.dumps(some)})}],
                    "encoded": base64.b64encode(("token " + some[1]).encode()).decode()}
            raw = json.dumps(body).encode().replace(b'"model"', b'"note": "' + with_escapes(some[2]).encode() + b'", "model"')
            headers = {"authorization": "Bearer " + some[3], "x-api-key": some[4], "cookie": f"a=1; sid={some[5]}"}
            response = recorder.post(raw, headers, f"/v1/chat/completions?key={some[6]}&x=1").getresponse()
            text = response.read().decode()
            assert all(secret in text for secret in some), "the client gets the secrets"
            elsewhere.update(files_written_elsewhere(recorder.process.pid, recorder.folder))
        return elsewhere

    def leaks(written):
        """Returns the secrets in any file, plain, with escapes or in base64."""
        found = set()
        for data in written.values():
            text = data.decode(errors="replace")
            decoded = "".join(base64.b64decode(run + "=" * (-len(run) % 4)).decode(errors="replace")
                              for run in re.findall(r"[A-Za-z0-9+/]{24,}", text) if len(run) % 4 != 1)
            plain = re.sub(r"\\+u00([0-9a-f]{2})", lambda code: chr(int(code[1], 16)), text)
            found |= {secret for secret in secrets if secret in text or secret in plain or secret in decoded}
        return found

    def watched_calls(recorder):
        """Returns the watch over all calls, the bytes that were written, and files that were written elsewhere."""
        watch = FolderWatch(recorder.folder)
        elsewhere = send_all(recorder)
        wait_for(lambda: all('"end"' in file.read_text() for file in recorder.files()))
        return watch, watch.stop(), elsewhere

    with recording(answer) as recorder:
        watch, written, elsewhere = watched_calls(recorder)
        check("masking: 25 calls are recorded", len(recorder.files()) == 25, recorder.files())
        check("masking: the watch sees every file and every write", len(written) == 25 and watch.writes >= 25 and not watch.odd and
              all(written[file.name] == file.read_bytes() for file in recorder.files()), (len(written), watch.writes, watch.odd))
        check("masking: no file is written elsewhere", not elsewhere, elsewhere)
        seen = leaks(written)
        check("masking: no secret is on the disk at any time", not seen, seen)
        head, lines, body = load(recorder.files()[0])
        sizes = [len(part) for part in head["requests"]["openai.chat"]["messages"][0]["content"].split()]
        check("masking: lengths stay", sizes == [len(secret) for secret in secrets[:8]], sizes)
        expected = b"".join(event(f"key {name} ok") for name in secrets[:8]) + event("", "stop") + b"data: [DONE]\n\n"
        check("masking: the body keeps its size", len(body) == len(expected), (len(body), len(expected)))
        masks = head["requests"]["openai.chat"]["messages"][0]["content"].split()
        check("masking: equal secrets have equal masks", all(mask.encode() in body for mask in masks), (masks, body))
        code, said = run("record", "--check", str(recorder.folder))
        check("masking: the check finds nothing", code == 0 and "25 recordings, 0 secrets" in said, said)

    with recording(answer, "--no-mask") as recorder:
        _, written, _ = watched_calls(recorder)
        seen = leaks(written)
        check("no masking: the watch sees each of 200 secrets", seen == set(secrets), set(secrets) - seen)
        missing = []
        code, said = run("record", "--check", str(recorder.folder))
        for i, file in enumerate(recorder.files()):
            for secret in secrets[8 * i:8 * i + 8]:
                shown = secret[:4] + f"... ({len(secret)} bytes)"
                if not re.search(re.escape(f"{file}:") + r"\d+: looks like a secret: .*" + re.escape(shown), said):
                    missing.append(secret)
        check("no masking: the check finds each of 200 secrets", code == 1 and not missing, (missing, said))


def raw_exchange(port, request):
    with socket.create_connection(("127.0.0.1", port), TIMEOUT) as client:
        client.sendall(request)
        got = b""
        while data := client.recv(65536):
            got += data
    return got


def no_target_changes_the_host():
    strangers = []

    def strange(connection, head, body):
        strangers.append(head)
        connection.sendall(HEAD + b"\r\n0\r\n\r\n")

    with Provider(strange) as stranger, recording(strange) as recorder:
        for target in (f"@127.0.0.1:{stranger.server_address[1]}/chat/completions", "chat/completions", "*"):
            got = raw_exchange(recorder.port, f"POST {target} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer a\r\ncontent-length: 0\r\n\r\n".encode())
            check(f"target {target[:4]}: is refused", got.startswith(b"HTTP/1.1 400 ") and b"begins with /" in got, got)
        check("target: no provider is called", not strangers, strangers)
        stranger.shutdown()


def chunks_override_a_length():
    def answer(connection, head, body):
        connection.sendall(HEAD + b"content-length: 5\r\n\r\n" + chunk(chat_stream(["Hi"])) + b"0\r\n\r\n")

    with recording(answer) as recorder:
        response = recorder.post().getresponse()
        check("length and chunks: the client gets no length", response.getheader("content-length") is None, response.getheaders())
        check("length and chunks: the client gets the body", response.read() == chat_stream(["Hi"]))


def bodies_are_kept_as_sent_or_left_out():
    def answer(connection, head, body):
        status = b"999 Odd" if b"odd" in body else b"200 OK"
        connection.sendall(HEAD.replace(b"200 OK", status) + b"\r\n" + chunk(chat_stream(["Hi"])) + b"0\r\n\r\n")

    secret = planted(1)
    with recording(answer) as recorder:
        def send(body, headers=None):
            before = len(recorder.files())
            recorder.post(body, headers).getresponse().read()
            wait_for(lambda: len(recorder.files()) > before and '"end"' in recorder.files()[-1].read_text())
            return recorder.files()[-1]

        text = send(b'{"a": 1.50,\n "b": 12345678901234567890123, "k": "%s"}' % secret.encode()).read_text()
        check("body: numbers stay as they were sent", '{"a": 1.50,  "b": 12345678901234567890123, "k": "' in text, text)
        check("body: it is masked", secret not in text, text)
        head = load(send(gzip.compress(b'{"k": "%s"}' % secret.encode()), {"content-encoding": "gzip"}))[0]
        request = head["provenance"]["request"]
        check("body: a compressed one is left out", "body" not in request and "requests" not in head and "gzip" in request["body_omitted"], head)
        path = send(b'{"a":' + b"[" * 510 + b"]" * 510 + b"}")
        code, said = run("list", "recordings", "--corpus", str(recorder.folder))
        check("body: deep nesting loads", code == 0 and path.name[:9] in said and "cannot" not in said, said)
        recorder.post(b'{"model":"odd"}').getresponse().read()
        recorder.post(b'{"model":"last"}').getresponse().read()
        code, said = recorder.end()
        check("status 999: the file is not kept", "not kept: the file cannot be read" in said and len(recorder.files()) == 4, said)


def it_goes_on_without_a_reader_of_its_output():
    def answer(connection, head, body):
        connection.sendall(HEAD + b"\r\n" + chunk(chat_stream(["Hi"])) + b"0\r\n\r\n")

    with recording(answer) as recorder:
        recorder.process.stdout.close()
        recorder.process.stdout = None
        for i in range(3):
            recorder.post().getresponse().read()
            wait_for(lambda: len(recorder.files()) == i + 1 and '"end"' in recorder.files()[-1].read_text())
        check("output: recording goes on without a reader", len(recorder.files()) == 3 and recorder.process.poll() is None)


def a_known_key_in_pieces_is_not_kept():
    key = "tide-house-4711"

    def answer(connection, head, body):
        connection.sendall(HEAD + b"\r\n" + chunk(chat_stream(["my tide-", "house-4711"])) + b"0\r\n\r\n")

    with recording(answer) as recorder:
        recorder.post(b"{}", {"x-debug": key, "authorization": "Bearer " + key}, f"/v1/chat/completions?x={key}").getresponse().read()
        code, said = recorder.end()
        check("known key in pieces: the file is not kept", "not kept: several events together have a secret" in said and not recorder.files(), said)
        check("known key: the log does not have it", key not in said, said)


def main():
    for test in (no_target_changes_the_host, chunks_override_a_length, bodies_are_kept_as_sent_or_left_out,
                 it_goes_on_without_a_reader_of_its_output, a_known_key_in_pieces_is_not_kept,
                 a_kill_leaves_a_readable_file, a_kill_of_many_calls_mixes_nothing, a_slow_client_slows_the_provider, the_command_gets_the_address_and_gives_the_code,
                 a_full_disk_is_reported, a_full_disk_at_the_end,
                 its_own_address_is_no_provider, a_signal_ends_it, wrong_arguments_are_one_error, tls_without_http2, tls_with_http2, words_are_replaced_if_asked,
                 distil_keeps_what_differs, recorded_times_come_back, import_can_distil, many_real_streams_become_few,
                 secrets_never_reach_the_disk):
        if not ONLY or ONLY == test.__name__:
            test()
    print(f"1..{number}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
