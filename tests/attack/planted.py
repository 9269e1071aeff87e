#!/usr/bin/env python3
"""Judges relays that mishandle connections to their upstream, with one fault each. Each fault is found under its
own rule and no other. Correct relays conform.

usage: planted.py SPLITPROOF [FAULT...]
       planted.py SPLITPROOF nginx
"""
import concurrent.futures
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import planted_proxy

AT_ONCE = 8
SKIPPED = 77  # meson's code for a skipped test
TARGET = """
target: {fault}
kind: http
client: openai.chat
upstream: openai.chat
command: [{python}, {proxy}, {fault}, "{{port}}", "{{upstream}}"]
listen: "http://127.0.0.1:{{port}}"
request: {{path: /v1/chat/completions, model: any}}
ready: {{path: /, within: 60s}}
timeout: 10s
max_concurrency: 4
"""
NGINX = r"""
target: nginx
kind: http
client: openai.chat
upstream: openai.chat
command: [sh, -c, "PATH=$PATH:/usr/sbin; exec nginx -p '{home}' -e stderr -c '{home}/nginx.conf'"]
files:
  "{home}/nginx.conf": |
    daemon off;
    worker_processes 1;
    pid {home}/nginx.pid;
    error_log stderr;
    events {}
    http {
      access_log off;
      client_body_temp_path {home}/client;
      proxy_temp_path {home}/proxy;
      fastcgi_temp_path {home}/fastcgi;
      uwsgi_temp_path {home}/uwsgi;
      scgi_temp_path {home}/scgi;
      upstream pool { server 127.0.0.1:{upstream_port}; keepalive 8; }
      server {
        listen 127.0.0.1:{port};
        location = /ready { return 204; }
        location / {
          proxy_pass http://pool;
          proxy_http_version 1.1;
          proxy_set_header Connection "";
          proxy_buffering off;
          proxy_request_buffering off;
        }
      }
    }
listen: "http://127.0.0.1:{port}"
request: {path: /v1/chat/completions, model: any}
ready: {path: /ready, within: 60s}
timeout: 10s
max_concurrency: 8
"""


def judged(splitproof, folder, fault):
    """Returns the verdict on each rule, the exit code and the output."""
    target = folder / f"{fault}.yaml"
    proxy = json.dumps(str(pathlib.Path(planted_proxy.__file__).resolve()))
    target.write_text(NGINX if fault == "nginx" else
                      TARGET.format(fault=fault, python=json.dumps(sys.executable), proxy=proxy))
    report = folder / f"{fault}.jsonl"
    run = subprocess.run([splitproof, "run", "--target", target, "--only", "*act=*", "--report", f"jsonl:{report}"],
                         capture_output=True, text=True, timeout=280)
    rows = [json.loads(line) for line in report.read_text().splitlines()] if report.exists() else []
    verdicts = {row["obligation"]: row for row in rows if row.get("obligation", "").startswith("CONN-") and "verdict" in row}
    return verdicts, run.returncode, run.stdout + run.stderr, replayed(splitproof, target, verdicts)


def shows(splitproof, target, case, rule):
    """Returns empty if `replay` shows the finding again. The output of an endless upstream depends on the machine,
    so a growth of memory may need several attempts."""
    for _ in range(3):
        again = subprocess.run([splitproof, "replay", case, "--target", target], capture_output=True, text=True, timeout=120)
        if again.returncode == 1 and f"{rule} must: " in again.stdout:
            return ""
    return f"{rule} is not shown again by {case}\n{again.stdout}{again.stderr}"


def replayed(splitproof, target, verdicts):
    """Returns the findings that their own commands do not reproduce."""
    lost = (shows(splitproof, target, row["first"]["case"], rule) for rule, row in verdicts.items() if row["verdict"] == "violated")
    return [text for text in lost if text]


def complaints(fault, verdicts, code, said, lost):
    wanted = planted_proxy.FAULTS.get(fault, "")
    violated = sorted(id for id, row in verdicts.items() if row["verdict"] == "violated")
    if violated != [wanted] * bool(wanted) or code != bool(wanted):
        return [f"{fault}: violates {violated}, not {wanted or 'nothing'}; exit code {code}\n{said}"]
    if lost:
        return [f"{fault}: {text}" for text in lost]
    unused = {"CONN-01", "CONN-02"} if fault == "no-pool" else set()
    wrong = [id for id, row in verdicts.items() if id not in violated and
             row["verdict"] != ("not exercised" if id in unused else "met")]
    return [f"{fault}: {wrong} not as expected\n{said}"] if wrong or len(verdicts) != 4 else []


def main(splitproof, *faults):
    faults = faults or list(planted_proxy.FAULTS)
    if "nginx" in faults and shutil.which("nginx", path="/usr/sbin:" + os.environ["PATH"]) is None:
        print("nginx is not installed")
        return SKIPPED
    wrong = []
    with tempfile.TemporaryDirectory(prefix="splitproof-planted-") as name, \
            concurrent.futures.ThreadPoolExecutor(AT_ONCE) as threads:
        runs = {fault: threads.submit(judged, splitproof, pathlib.Path(name), fault) for fault in faults}
        for fault, run in runs.items():
            verdicts, *rest = run.result()
            first = next((row for row in verdicts.values() if row["verdict"] == "violated"), None)
            print(f"{fault}: {first['obligation']} {json.dumps(first)[:400]}" if first else f"{fault}: conforms", flush=True)
            wrong += complaints(fault, verdicts, *rest)
    print(f"{len(faults)} relays, {len(wrong)} judged wrongly", *wrong, sep="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.dont_write_bytecode = True
    sys.exit(main(*sys.argv[1:]))
