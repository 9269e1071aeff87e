#!/usr/bin/env python3
"""Measures what a campaign on many machines costs besides its cases.

usage: shards.py SPLITPROOF PLAN_SPEED

PLAN_SPEED is the program that counts the cases of a large plan. Times are those of processors, if the line does not say otherwise.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SHARDS = 1000
REPORTS_MADE = 20  # the others are copies with other numbers of shards
SLEEP = 0.1

# Answers one request at a time after a sleep, and dies of a second one.
RELAY = """
import http.client, os, sys, threading, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
alone = threading.Lock()
class Relay(BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass
    def do_GET(self):
        self.send_response(204)
        self.end_headers()
    def do_POST(self):
        if not alone.acquire(blocking=False):
            os._exit(7)
        try:
            time.sleep(float(sys.argv[3]))
            call = http.client.HTTPConnection("127.0.0.1", int(sys.argv[2]))
            call.request("POST", self.path, self.rfile.read(int(self.headers["content-length"])))
            answer = call.getresponse()
            body = answer.read()
        finally:
            alone.release()
        self.send_response(answer.status)
        self.send_header("content-type", answer.headers.get("content-type", "text/event-stream"))
        self.send_header("connection", "close")
        self.end_headers()
        self.wfile.write(body)
ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Relay).serve_forever()
"""
TARGET = """
target: sleeper
kind: http
client: openai.chat
upstream: openai.chat
command: [{python}, {relay}, "{{port}}", "{{upstream_port}}", "{sleep}"]
listen: "http://127.0.0.1:{{port}}"
request: {{path: /v1/chat/completions, model: m}}
ready: {{path: /}}
instances: {instances}
"""


def measured(command, codes=(0, 1)):
    """Returns the seconds on processors, the seconds that passed, the peak of memory in MB, and the output."""
    began = time.monotonic()
    with tempfile.TemporaryFile() as out:
        run = subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT, cwd=ROOT)
        _, status, used = os.wait4(run.pid, 0)
        run.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        text = out.read().decode()
    assert run.returncode in codes, f"{command}: exit code {run.returncode}\n{text}"
    return used.ru_utime + used.ru_stime, time.monotonic() - began, used.ru_maxrss / 1024, text


def small_shard(program, folder):
    command = [program, "run", "--report", f"jsonl:{folder}/small.jsonl"]
    seconds, passed, memory, _ = measured([*command, "--shard", "1000000/1000000"])
    alone, _, _, _ = measured([*command, "--only", "openai.chat/text-plain", "--splits", "0", "--no-shard"])
    print(f"a shard of the whole corpus with hardly a case   {seconds:6.2f} s   {passed:6.2f} s passed {memory:6.0f} MB")
    print(f"a run of one recording                           {alone:6.2f} s")


def large_plan(plan_speed):
    print(measured([plan_speed, "corpus"])[3], end="")


def merge_of_many(program, folder):
    """Merges the reports of all shards but one, because most are copies with another number, and so lack cases."""
    reports = folder / "reports"
    reports.mkdir()
    for number in range(1, REPORTS_MADE + 1):
        measured([program, "run", "--shard", f"{number}/{SHARDS + 1}", "--report", f"jsonl:{reports}/{number}.jsonl"])
    for number in range(REPORTS_MADE + 1, SHARDS + 1):
        text = (reports / f"{1 + number % REPORTS_MADE}.jsonl").read_text()
        first, rest = text.split("\n", 1)
        line = json.loads(first)
        line["run"]["shards"] = [number]
        (reports / f"{number}.jsonl").write_text(json.dumps(line) + "\n" + rest)
    size = sum(path.stat().st_size for path in reports.iterdir()) / SHARDS / 1e6
    seconds, passed, memory, text = measured([program, "merge", str(reports), "--partial"])
    assert "1 of 1,001 shards missing" in text.splitlines()[-1] or "1 of 1001 shards missing" in text.splitlines()[-1], text
    print(f"the merge of {SHARDS:,} reports of {size:.1f} MB            {seconds:6.2f} s   {passed:6.2f} s passed "
          f"{memory:6.0f} MB")


def instances(program, folder):
    relay = folder / "relay.py"
    relay.write_text(RELAY)
    rates, verdicts = {}, set()
    for count in (1, 8):
        target = folder / f"{count}.yaml"
        target.write_text(TARGET.format(python=json.dumps(sys.executable), relay=json.dumps(str(relay)), sleep=SLEEP,
                                        instances=count))
        _, _, _, text = measured([program, "run", "--target", str(target), "--only", "openai.chat/text-[a-m]*", "--cases", "120",
                                  "--jobs", "8"])
        rates[count] = float(re.search(r"sleeper: ([\d.]+) cases a second", text)[1])
        verdicts.add(text.splitlines()[-1])
    assert len(verdicts) == 1, verdicts
    print(f"cases a second of a target that sleeps {1000 * SLEEP:.0f} ms for each request, one at a time: {rates[1]:.1f}; "
          f"with instances: 8 {rates[8]:.1f}, {rates[8] / rates[1]:.1f} times as many")


def main(program, plan_speed):
    program, plan_speed = (str(pathlib.Path(path).resolve()) for path in (program, plan_speed))
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        small_shard(program, folder)
        large_plan(plan_speed)
        merge_of_many(program, folder)
        instances(program, folder)


if __name__ == "__main__":
    main(*sys.argv[1:])
