#!/usr/bin/env python3
"""Stops splitproof while its target makes it wait, in every possible way.

usage: stops.py SPLITPROOF

It has to end at once, with the signal's exit code, and to leave no process and no folder.
"""
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

AT_ONCE = 3  # seconds, on a busy machine
HTTP = """
target: slow
kind: http
client: anthropic.messages
upstream: openai.chat
command: {command}
listen: "http://127.0.0.1:{{port}}"
request: {{path: /v1/messages, model: any}}
timeout: 60s
{more}
"""
PIPE = """
target: slow
kind: pipe
client: anthropic.messages
upstream: openai.chat
command: {command}
timeout: 60s
{more}
"""
# Answers this many requests at once, and the next one slowly.
SERVER = """
import http.server, sys, time, urllib.request
class Slow(http.server.BaseHTTPRequestHandler):
    left = {answers}
    def do_POST(self):
        self.rfile.read(int(self.headers["content-length"]))
        self.send_response(200)
        self.end_headers()
        Slow.left -= 1
        if Slow.left >= 0:
            return
        open({begun!r}, "w")
        while True:
            self.wfile.write(b": x\\n\\n")
            time.sleep(0.05)
    def do_GET(self):
        self.send_response(204)
        self.end_headers()
    def log_message(self, *_):
        pass
http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Slow).serve_forever()
"""


def main(splitproof):
    wrong = []
    tried = 0
    for number, name in ((signal.SIGTERM, "SIGTERM"), (signal.SIGINT, "SIGINT"), (signal.SIGHUP, "SIGHUP")):
        folder = pathlib.Path(tempfile.mkdtemp(prefix="splitproof-stops-"))
        begun = folder / "begun"

        def python(program, *arguments):
            return json.dumps([sys.executable, "-c", program, *arguments])

        def shell(then):
            return json.dumps(f"touch {begun}; {then}")

        never = python("import time; time.sleep(600)")
        waits = {
            "install": HTTP.format(command=never, more=f"install: {shell('sleep 600')}"),
            "version": HTTP.format(command=never, more=f"version: {shell('sleep 600')}"),
            "ready": HTTP.format(command=python(f"import time; open({str(begun)!r}, 'w'); time.sleep(600)"), more=""),
            "setup": HTTP.format(command=python(SERVER.format(answers=0, begun=str(begun) + "-not"), "{port}"),
                                 more=f"ready: {{path: /}}\nsetup: [{{run: {shell('sleep 600')}}}]"),
            "trial": HTTP.format(command=python(SERVER.format(answers=0, begun=str(begun)), "{port}"), more=""),
            "exchange": HTTP.format(command=python(SERVER.format(answers=3, begun=str(begun)), "{port}"), more=""),
            "pipe": PIPE.format(command=python(f"import time; open({str(begun)!r}, 'w'); time.sleep(600)"), more=""),
        }
        for what, text in waits.items():
            (folder / "slow.yaml").write_text(text)
            begun.unlink(missing_ok=True)
            home = folder / "tmp"
            home.mkdir()
            run = subprocess.Popen(
                [splitproof, "run", "--target", str(folder / "slow.yaml"), "--only", "openai.chat/text-plain"],
                stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                env={**os.environ, "XDG_CACHE_HOME": str(folder / "cache"), "TMPDIR": str(home)},
                preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_DFL))  # nohup ignores it
            deadline = time.monotonic() + 30
            while not begun.exists() and time.monotonic() < deadline and run.poll() is None:
                time.sleep(0.01)
            time.sleep(0.1)
            asked = time.monotonic()
            run.send_signal(number)
            try:
                _, said = run.communicate(timeout=30)
            except subprocess.TimeoutExpired:
                run.kill()
                _, said = run.communicate()
            took = time.monotonic() - asked
            tried += 1
            if not begun.exists() or took > AT_ONCE or run.returncode != 128 + number:
                wrong.append(f"{what}, {name}: {took:.1f} s, exit code {run.returncode}: {said.decode()}")
            if left := list(home.iterdir()):
                wrong.append(f"{what}, {name}: leaves {left}")
            shutil.rmtree(home)
        shutil.rmtree(folder)
    print(f"{tried} stops, {len(wrong)} went wrong", *wrong, sep="\n")
    return 1 if wrong else 0


sys.exit(main(*sys.argv[1:]))
