#!/usr/bin/env python3
"""Runs several instances of a target that takes one request at a time.

usage: instances.py SPLITPROOF

The verdict must be that of one instance. No request may reach another instance. All instances must end: after the run, when one
dies, when one cannot start, and on Ctrl-C.
"""
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

COUNT = 4
TARGET = """
target: single
kind: http
client: openai.chat
upstream: openai.chat
command: [{python}, "{folder}/server.py", "{{port}}", "{{upstream_port}}", "{{home}}", "{folder}"]
env: {{HOME: "{{home}}"}}
files: {{"{{home}}/port": "{{port}}"}}
listen: "http://127.0.0.1:{{port}}"
request: {{path: /v1/chat/completions, model: m}}
ready: {{path: /}}
{more}
"""
# Relays one request at a time, and dies of a second one. The file `die` makes it die of its request with this number.
SERVER = """
import http.client, os, sys, threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
port, upstream, home, folder = sys.argv[1:]
if home != os.environ["HOME"] or open(home + "/port").read() != port:
    sys.exit("the home is not its own")
alone, count = threading.Lock(), 0
class Relay(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    def log_message(self, *_):
        pass
    def do_GET(self):
        self.send_response(204)
        self.end_headers()
    def do_POST(self):
        global count
        if not alone.acquire(blocking=False):
            os._exit(7)
        self.close_connection = True
        body = self.rfile.read(int(self.headers["content-length"]))
        count += 1
        with open(folder + "/log", "a") as log:
            log.write(f"{port} {upstream} {home}\\n")
        if os.path.exists(folder + "/die") and count == int(open(folder + "/die").read()):
            os._exit(3)
        call = http.client.HTTPConnection("127.0.0.1", int(upstream))
        call.request("POST", self.path, body)
        answer = call.getresponse()
        self.send_response(answer.status)
        self.send_header("content-type", answer.headers["content-type"])
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        for piece in iter(lambda: answer.read1(65536), b""):
            self.wfile.write(b"%x\\r\\n%s\\r\\n" % (len(piece), piece))
        alone.release()  # before the client sees the end
        self.wfile.write(b"0\\r\\n\\r\\n")
ThreadingHTTPServer(("127.0.0.1", int(port)), Relay).serve_forever()
"""
OPTIONS = ["--only", "openai.chat/text-[a-c]*", "--splits", "0", "--recuts", "0", "--jobs", str(COUNT)]


class Runs:
    def __init__(self, program, folder):
        self.program, self.folder = program, folder
        self.homes = folder / "tmp"
        self.homes.mkdir()
        (folder / "server.py").write_text(SERVER)

    def start(self, instances, more=""):
        (self.folder / "log").unlink(missing_ok=True)
        if instances:
            more += f"\ninstances: {instances}"
        (self.folder / "single.yaml").write_text(
            TARGET.format(python=sys.executable, folder=self.folder, more=more))
        return subprocess.Popen(
            [self.program, "run", "--no-shard", "--target", str(self.folder / "single.yaml"), *OPTIONS],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env=os.environ | {"TMPDIR": str(self.homes), "OWNER": str(self.folder)})

    def end(self, run):
        """Returns exit code, output and errors, when nothing of the run is left."""
        out, err = run.communicate(timeout=200)
        assert self.left() == [], f"processes are left: {self.left()}"
        assert not list(self.homes.iterdir()), f"folders are left: {list(self.homes.iterdir())}"
        return run.returncode, out, err

    def left(self):
        """Returns the running processes that the runs started."""
        mark, found = f"OWNER={self.folder}".encode(), []
        for process in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                if mark in (process / "environ").read_bytes().split(b"\0"):
                    found.append(process.name)
            except OSError:
                pass
        return found

    def served(self):
        """Returns the requests of each instance by its port, and checks that ports, homes and upstreams are never mixed."""
        lines = [line.split() for line in (self.folder / "log").read_text().splitlines()]
        for mine in range(3):
            for other in range(3):
                pairs = {(line[mine], line[other]) for line in lines}
                assert len(pairs) == len({line[mine] for line in lines}), f"mixed: {sorted(pairs)}"
        return {port: sum(line[0] == port for line in lines) for port in {line[0] for line in lines}}


def verdict(out):
    return out.splitlines()[-1]


def check_equal(runs):
    code, alone, err = runs.end(runs.start(None))
    assert code == 0, alone + err
    assert len(runs.served()) == 1
    code, out, err = runs.end(runs.start(COUNT))
    assert code == 0 and verdict(out) == verdict(alone), out + err
    assert f"note " in out and f"{COUNT} instances" in out, out
    served = runs.served()
    assert len(served) == COUNT and min(served.values()) > 3, served
    print(f"{verdict(out)}\nthe same as with one instance; requests: {sorted(served.values())}")
    return verdict(out)


def check_death(runs, whole):
    """Each instance dies once, and only it starts again."""
    (runs.folder / "die").write_text("9")
    code, out, err = runs.end(runs.start(COUNT))
    (runs.folder / "die").unlink()
    cases = re.search(r"[\d,]+ cases", whole).group()
    assert code == 1 and "[RUN-01, must]" in out and cases in verdict(out), out + err
    assert "restarted" in out, out
    print(f"deaths: {verdict(out)}")


def check_failed_start(runs):
    lock = runs.folder / "lock"
    code, out, err = runs.end(runs.start(COUNT, f"setup: [{{run: mkdir {lock}}}]"))
    assert code == 4 and re.search(rf"instance [2-{COUNT}] of {COUNT}: ", err), out + err
    print(err.splitlines()[0])


def check_stop(runs):
    run = runs.start(COUNT)
    while not (runs.folder / "log").exists() or len(runs.served()) < COUNT:
        assert run.poll() is None, run.communicate()
        time.sleep(0.01)
    run.send_signal(signal.SIGINT)
    code, out, err = runs.end(run)
    assert code == 130, out + err
    print(f"Ctrl-C: exit code {code}")


def main(program):
    with tempfile.TemporaryDirectory(prefix="splitproof-instances-") as folder:
        runs = Runs(program, pathlib.Path(folder))
        whole = check_equal(runs)
        check_death(runs, whole)
        check_failed_start(runs)
        check_stop(runs)


main(sys.argv[1])
