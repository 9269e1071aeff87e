#!/usr/bin/env python3
"""Runs splitproof with targets that never end, with `--for 5s`. Each run has to end in time, with the right exit
code, and with little memory.

usage: endless.py SPLITPROOF [NAME...]
       endless.py --serve MODE PORT UPSTREAM   (the target's command)
"""
import concurrent.futures
import itertools
import json
import os
import pathlib
import resource
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.parse

GIVEN = 5  # seconds of --for
IN_TIME = 10  # seconds of a run on an idle machine
NOISE = 60  # additional seconds on a busy machine; a run that does not end takes ten minutes
MEGABYTES = 250  # 200 are promised; the use of two threads varies
AT_ONCE = 8
LONG = 20_000_000
# As an unprivileged user, and as root if there are no user namespaces.
WITHOUT_PROC = [["unshare", *user, "--mount", "--pid", "--fork", "sh", "-c", 'umount -l /proc && exec "$@"', "sh"]
                for user in (["--user", "--map-root-user"], [])]
TIMEOUT = 1.0  # of the targets, in seconds

CHUNKED = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n"
PLAIN = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n"
WHOLE = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: 2\r\n\r\n\n\n"
CHUNK = b"a\r\ndata: {}\n\n\r\n"


# --- targets: each mode is a function that answers a POST.

def forever(begin, more):
    def answer(client, _request, _upstream):
        client.sendall(begin)
        while True:
            client.sendall(more)
    return answer


def drip(begin, more):
    def answer(client, _request, _upstream):
        client.sendall(begin)
        while True:
            client.sendall(more)
            time.sleep(TIMEOUT / 2)
    return answer


def silent(_client, _request, _upstream):
    time.sleep(600)


def connect(upstream):
    return socket.create_connection(upstream, 10)


def call(upstream, body):
    """Calls the upstream, and reads its answer to the end."""
    with connect(upstream) as to:
        to.sendall(b"POST /v1/chat/completions HTTP/1.1\r\nhost: u\r\nconnection: close\r\ncontent-type: application/json\r\n"
                   b"content-length: %d\r\n\r\n" % len(body) + body)
        while to.recv(65536):
            pass


def calls_of(count, size):
    """Calls the upstream again and again with the client's text and much more."""
    def answer(client, request, upstream):
        made = 0
        while count is None or made < count:
            made += 1
            try:
                call(upstream, request[:-1] + b',"more":"' + b"x" * size + b'"}')
            except OSError:
                time.sleep(0.001)  # it accepts no more
        client.sendall(WHOLE)
    return answer


def calls_at_once(client, request, upstream):
    """Begins many large requests, and ends none of them."""
    held = []
    for _ in range(100):
        try:
            held.append(connect(upstream))
            held[-1].sendall(b"POST /v1/chat/completions HTTP/1.1\r\nhost: u\r\ncontent-length: 6000000\r\n\r\n"
                             + request[:-1] + b"x" * 5_000_000)
        except OSError:
            pass
    time.sleep(600)


def connections(client, request, upstream):
    """Opens thousands of connections to the upstream, and sends nothing."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    held = []
    for _ in range(3000):
        try:
            held.append(connect(upstream))
        except OSError:
            time.sleep(0.001)
    call(upstream, request)
    client.sendall(WHOLE)


def slow_requests(client, request, upstream):
    held = [connect(upstream) for _ in range(50)]
    for one in held:
        one.sendall(b"POST /v1/chat/completions HTTP/1.1\r\nhost: u\r\ncontent-length: %d\r\n\r\n" % (len(request) + 900) + request)
    while True:
        for one in held:
            one.sendall(b" ")
        time.sleep(TIMEOUT / 2)


def slow_reader(client, request, upstream):
    to = socket.socket()
    to.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)
    to.connect(upstream)
    to.sendall(b"POST /v1/chat/completions HTTP/1.1\r\nhost: u\r\ncontent-length: %d\r\n\r\n" % len(request) + request)
    while to.recv(1):
        client.sendall(b"")
        time.sleep(TIMEOUT / 4)
    client.sendall(WHOLE)


def talks(client, request, upstream):
    def flood(out):
        while True:
            out.write("words that nobody reads\n" * 1000)
    for out in (sys.stdout, sys.stderr):
        threading.Thread(target=flood, args=(out,), daemon=True).start()
    call(upstream, request)
    client.sendall(WHOLE)


ANSWERS = {
    "trailer without an end": forever(CHUNKED + b"0\r\n", b"x: y\r\n" * 5000),
    "bytes without an end behind the answer": forever(WHOLE, b"x" * 50000),
    "final chunks without an end": forever(CHUNKED, b"0\r\n\r\n" * 5000),
    "head without an end": forever(b"HTTP/1.1 200 OK\r\n", b"x: y\r\n" * 5000),
    "interim answers without an end": forever(b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 1000),
    "extensions without an end": forever(CHUNKED + b"a", b";x=y" * 5000),
    "size of a chunk without an end": forever(CHUNKED, b"0" * 5000),
    "chunks without an end": forever(CHUNKED, CHUNK * 5000),
    "body without an end": forever(PLAIN, b"data: {}\n\n" * 5000),
    "line without an end": forever(PLAIN + b"data: {", b" " * 50000),
    "body that drips": drip(CHUNKED, b"1\r\n:\r\n"),
    "head that drips": drip(b"HTTP/1.1 200 OK\r\nx: ", b"y"),
    "interim answers that drip": drip(b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
    "trailer that drips": drip(CHUNKED + b"0\r\n", b"x: y\r\n"),
    "no answer": silent,
    "200 calls of 5 MB": calls_of(200, 5_000_000),
    "calls without an end": calls_of(None, 1000),
    "100 large requests at once": calls_at_once,
    "3000 connections": connections,
    "requests that drip": slow_requests,
    "a response that is read byte by byte": slow_reader,
    "output without an end": talks,
}


def read_request(client):
    data = b""
    while b"\r\n\r\n" not in data:
        more = client.recv(65536)
        if not more:
            return b"", b""
        data += more
    head, _, body = data.partition(b"\r\n\r\n")
    length = next((int(line.split(b":")[1]) for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")), 0)
    while len(body) < length:
        more = client.recv(65536)
        if not more:
            break
        body += more
    return head, body


def serve(mode, port, upstream):
    address = urllib.parse.urlsplit(upstream)
    listening = socket.create_server(("127.0.0.1", int(port)), backlog=128)

    def play(client):
        with client:
            try:
                head, body = read_request(client)
                if head.startswith(b"GET /drips"):
                    drip(b"HTTP/1.1", b" ")(client, b"", None)
                elif head.startswith(b"POST"):
                    ANSWERS[mode](client, body, (address.hostname, address.port))
                else:
                    client.sendall(WHOLE)
            except OSError:
                pass  # the other side has left

    while True:
        threading.Thread(target=play, args=(listening.accept()[0],), daemon=True).start()


# --- runs of splitproof with them

HTTP = """
target: endless
kind: http
client: anthropic.messages
upstream: openai.chat
command: {command}
listen: "http://127.0.0.1:{{port}}"
request: {{path: /v1/messages, model: any}}
max_concurrency: 4
timeout: 1s
{more}
"""
PIPE = """
target: endless
kind: pipe
client: anthropic.messages
upstream: openai.chat
command: {command}
timeout: 1s
"""
PROGRAMS = {
    "never answers": "import time; time.sleep(600)",
    "never reads and ignores SIGTERM": "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(600)",
    "a line without an end": "import sys\nwhile True: sys.stdout.write('x' * 100000)",
    "output without an end": """
import json, sys
for line in sys.stdin:
    while "feed" in line: sys.stdout.write('{"out": "data: {}\\\\n\\\\n"}\\n' * 1000)
    print('{"ack": true}', flush=True)""",
    "asks without an end": """
import json, sys
while True: sys.stdout.write('{"ask": {"body": {"more": "' + "x" * 100000 + '"}}}\\n')""",
    "answers as late as it may": """
import sys, time
for line in sys.stdin:
    time.sleep(0.8)
    print('{"ack": true}', flush=True)""",
}


def python(program, *arguments):
    return json.dumps([sys.executable, "-c", program, *arguments])


class Runs:
    def __init__(self, splitproof, chosen):
        self.splitproof = os.path.abspath(splitproof)  # each run has its own folder
        self.chosen = chosen
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="splitproof-endless-"))
        self.wrong = []
        self.planned = []

    def target(self, name, text):
        path = self.folder / (name.replace(" ", "-").replace(",", "") + ".yaml")
        path.write_text(text)
        return path

    def plan(self, name, codes, *arguments, before=(), megabytes=MEGABYTES, seconds=IN_TIME, said=""):
        if not self.chosen or any(word in name for word in self.chosen):
            self.planned.append((name, codes, arguments, before, megabytes, seconds, said))

    def plan_target(self, name, codes, text, **more):
        self.plan(name, codes, "run", "--target", self.target(name, text), "--for", f"{GIVEN}s", "--only", "openai.chat/t*", **more)

    def run(self, name, codes, arguments, before, megabytes, seconds, said):
        scratch = pathlib.Path(tempfile.mkdtemp(dir=self.folder))
        began = time.monotonic()
        with open(scratch / "said", "w+b") as out:
            child = subprocess.Popen([*before, self.splitproof, *map(str, arguments)], stdin=subprocess.DEVNULL, stdout=out, stderr=out,
                                     start_new_session=True, cwd=scratch,
                                     env={**os.environ, "TMPDIR": str(scratch), "XDG_CACHE_HOME": str(scratch)})
            late = threading.Timer(seconds + NOISE, lambda: os.killpg(child.pid, signal.SIGKILL))  # with its options
            late.start()
            _, status, used = os.wait4(child.pid, 0)
            late.cancel()
            child.returncode = os.waitstatus_to_exitcode(status)
            took = time.monotonic() - began
            out.seek(0)
            text = out.read().decode(errors="replace")
        held = used.ru_maxrss // 1024
        good = child.returncode in codes and took <= seconds + NOISE and held <= megabytes and said in text
        line = f"{name}: exit code {child.returncode}, {took:.1f} s of {seconds}, {held} MB of {megabytes}, {used.ru_utime + used.ru_stime:.1f} s CPU"
        print(("ok    " if good else "FAILED ") + line, flush=True)
        if not good:
            self.wrong.append(line + "\n" + text[-1500:])

    def run_all(self):
        with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
            for done in [pool.submit(self.run, *each) for each in self.planned]:
                done.result()
        shutil.rmtree(self.folder, ignore_errors=True)
        print(f"{len(self.planned)} attacks, {len(self.wrong)} went wrong", *self.wrong, sep="\n")
        return 1 if self.wrong or not self.planned else 0


def recording_of(size):
    """Returns the lines of a recording of Chat Completions with a body of about this size."""
    def event(delta, finish=None):
        return "data: " + json.dumps({"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "m",
                                      "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}) + "\n\n"
    text = event({"content": "some words of text " * 4})
    head = {"splitproof": 1, "protocol": "openai.chat", "title": "a long answer", "features": [],
            "response": {"status": 200, "headers": {"content-type": "text/event-stream"}},
            "provenance": {"source": "written for this test", "license": "Apache-2.0"}}
    words = ({"at": at, "text": text} for at in range(size // len(text)))
    end = [{"at": size, "text": event({}, "stop")}, {"at": size, "text": "data: [DONE]\n\n"}, {"at": size, "end": "complete"}]
    return (json.dumps(line) + "\n" for line in itertools.chain([head], words, end))


def plan_files(runs):
    """Plans unused pipes in place of files, a large recording, and runs that a signal has to end."""
    quick = ["--quick", "--only", "openai.chat/text-plain"]
    pipes = runs.folder / "pipes"
    pipes.mkdir()

    def pipe(name):
        os.mkfifo(pipes / name)
        return pipes / name

    at_most = 12  # seconds: splitproof waits 5 s for a pipe, and twice that for a target's
    for name, code, arguments in (
            ("--report", 2, ["run", *quick, "--report", f"md:{pipe('report')}"]),
            ("--write-expect", 2, ["run", *quick, "--write-expect", pipe("write-expect")]),
            ("--evidence", 2, ["run", *quick, "--evidence", pipe("evidence")]),
            ("--corpus", 2, ["run", *quick, "--corpus", pipe("corpus")]),
            ("--expect", 2, ["run", *quick, "--expect", pipe("expect")]),
            ("--profile", 2, ["run", *quick, "--profile", pipe("profile.yaml")]),
            ("--contracts", 2, ["run", *quick, "--contracts", pipe("contracts")]),
            ("--target", 2, ["run", *quick, "--target", pipe("target.yaml")]),
            ("check", 2, ["check", pipe("check"), "--as", "openai.chat"]),
            ("decode", 2, ["decode", pipe("decode")]),
            ("replay", 2, ["replay", pipe("replay.rec.jsonl")]),
            ("judge", 2, ["judge", pipe("judge")]),
            ("shrink", 2, ["shrink", pipe("shrink.rec.jsonl")]),
            ("diff", 2, ["diff", pipe("diff"), pipe("diff-2")]),
            ("import", 2, ["import", "sse", "--protocol", "openai.chat", "--out", runs.folder / "out", pipe("import")])):
        runs.plan(f"a pipe without another end: {name}", {code}, *arguments, seconds=at_most)

    long = runs.folder / "corpus" / "openai.chat" / "long.rec.jsonl"
    long.parent.mkdir(parents=True)
    with open(long, "w") as file:
        file.writelines(recording_of(LONG))
    megabytes = 10 * LONG // 1_000_000 + MEGABYTES
    large = ["run", "--corpus", long.parents[1]]
    runs.plan("a recording of 20 MB", {0, 5}, *large, "--for", f"{GIVEN}s", megabytes=megabytes)
    runs.plan("a recording of 20 MB, in one piece", {0}, *large, "--only", "openai.chat/long?*gen=whole", megabytes=megabytes, seconds=60)
    for seconds in (0.5, 2, 4):
        runs.plan(f"SIGTERM {seconds} s after a recording of 20 MB", {-15, 143}, *large, before=["timeout", "--foreground", "--preserve-status", str(seconds)],
                  megabytes=megabytes, seconds=seconds + 4)
    runs.plan("SIGTERM while a report goes into a pipe that nobody reads", {-15, 143}, "run", *quick, "--report", f"md:{pipe('unread')}",
              before=["timeout", "--foreground", "--preserve-status", "2"], seconds=6)
    for before in WITHOUT_PROC:
        if subprocess.run([*before, "true"], capture_output=True).returncode == 0:
            target = runs.target("without proc", PIPE.format(command=python("import time; time.sleep(600)")))
            return runs.plan("/proc is not mounted", {2}, "run", *quick, "--target", target, before=before, said="/proc is not mounted")
    print("not tried: a system without /proc, as none can be made here")


def main(splitproof, *chosen):
    runs = Runs(splitproof, chosen)
    for mode in ANSWERS:
        command = json.dumps([sys.executable, os.path.abspath(__file__), "--serve", mode, "{port}", "{upstream}"])
        runs.plan_target(mode, {1, 4, 5}, HTTP.format(command=command, more=""))

    quiet = json.dumps([sys.executable, os.path.abspath(__file__), "--serve", "no answer", "{port}", "{upstream}"])
    flood = "while :; do echo words; done"
    for step in ("install", "version"):
        runs.plan_target(f"{step} that never ends", {4}, HTTP.format(command=quiet, more=f"{step}: sleep 600"))
        runs.plan_target(f"{step} that floods", {4}, HTTP.format(command=quiet, more=f"{step}: {json.dumps(flood)}"))
    runs.plan_target("setup that never ends", {4}, HTTP.format(command=quiet, more="setup: [{run: sleep 600}]"))
    runs.plan_target("setup that floods", {4}, HTTP.format(command=quiet, more="setup: [{run: %s}]" % json.dumps(flood)))
    runs.plan_target("setup whose answer drips", {4}, HTTP.format(
        command=json.dumps([sys.executable, os.path.abspath(__file__), "--serve", "body that drips", "{port}", "{upstream}"]),
        more="setup: [{request: POST /x, body: x}]"))
    runs.plan_target("readiness that drips", {4}, HTTP.format(command=quiet, more="ready: {path: /drips, within: 60s}"))
    for name, program in PROGRAMS.items():
        runs.plan_target("pipe: " + name, {1, 4, 5}, PIPE.format(command=python(program)))
    plan_files(runs)
    return runs.run_all()


if __name__ == "__main__":
    sys.exit(serve(*sys.argv[2:]) if sys.argv[1] == "--serve" else main(*sys.argv[1:]))
