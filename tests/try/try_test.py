#!/usr/bin/env python3
"""Runs `splitproof try` and `splitproof doctor` on small proxies, with nothing but the command that starts each of them.

usage: try_test.py SPLITPROOF [NAME]     (TAP)
"""
import json
import os
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time

SPLITPROOF = os.path.abspath(sys.argv[1])
ONLY = sys.argv[2] if len(sys.argv) > 2 else ""
PROXIES = pathlib.Path(__file__).resolve().parent / "proxies"
CHAT, ANTHROPIC, RESPONSES = "openai.chat", "anthropic.messages", "openai.responses"
TARGET, KNOWN, WORKFLOW = "splitproof/target.yaml", "splitproof/known.txt", ".github/workflows/splitproof.yml"
# A plain answer shows each planted bug. The limit is for a machine that is busy.
SHORT = ("--only", "*/text-plain", "--for", "60s")

number = 0
failed = 0


def check(name, holds, said=""):
    global number, failed
    number += 1
    print(f"{'ok' if holds else 'not ok'} {number} - {name}", flush=True)
    if not holds:
        failed += 1
        print("\n".join("# " + line for line in said.splitlines()[-60:]), flush=True)


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


def run(folder, *words):
    env = {name: value for name, value in os.environ.items() if not name.endswith(("_API_KEY", "_BASE_URL"))}
    done = subprocess.run([SPLITPROOF, *words], cwd=folder, env=env, stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, timeout=120)
    return done.returncode, done.stdout + done.stderr


def finds(name, command, client, path, upstream, rule, *options):
    """The proxy is guessed: its direction is right, and the rule of its planted bug is among the causes; None: it has no bug."""
    if ONLY and ONLY != name:
        return
    with tempfile.TemporaryDirectory() as folder:
        if name == "configured_relay":
            pathlib.Path(folder, "config.json").write_text(json.dumps({"port": free_port()}))
        code, said = run(folder, "try", command, *SHORT, *options)
        check(f"{name}: direction", re.search(rf"^direction +{client} client at {path} -> {upstream} upstream", said, re.M),
              said)
        check(f"{name}: one question", all(re.search(rf"^{word} ", said, re.M) for word in ("sent", "upstream", "returned")),
              said)
        if rule is None:
            check(f"{name}: conforms", code == 0 and "CONFORMS" in said, f"exit {code}\n{said}")
        else:
            causes = re.findall(r"^\d+\. .*\[.*|^  also +.*(?:\n {12}.*)*", said, re.M)
            check(f"{name}: violates {rule}", code == 1 and any(rule in line for line in causes), f"exit {code}\n{said}")
        check(f"{name}: writes nothing unasked", not pathlib.Path(folder, "splitproof").exists())


def ends_in_time(fault):
    """A proxy that crashes or hangs again and again: a quick run still ends in time, and finds the other bug too."""
    if ONLY and ONLY != fault:
        return
    with tempfile.TemporaryDirectory() as folder:
        command = ["node", str(PROXIES / "unsteady.js"), fault, "--port", "{port}", "--upstream", "{upstream}/v1"]
        pathlib.Path(folder, "target.yaml").write_text(json.dumps({
            "target": "unsteady", "kind": "http", "client": ANTHROPIC, "upstream": CHAT, "command": command,
            "listen": "http://127.0.0.1:{port}", "request": {"path": "/v1/messages", "model": "m"}}))
        began = time.monotonic()
        code, said = run(folder, "run", "--target", "target.yaml", "--quick")
        took = time.monotonic() - began
        check(f"{fault}: ends in time", took < 90, f"{took:.0f} s\n{said}")
        check(f"{fault}: both bugs", code == 1 and "RUN-0" in said and "ANT-02" in said, f"exit {code}\n{said}")


def lacks(name, command, line, reason=""):
    """The proxy cannot be guessed: the last line says what to change, and a line before it why."""
    if ONLY and ONLY != name:
        return
    with tempfile.TemporaryDirectory() as folder:
        code, said = run(folder, "try", command)
        last = said.splitlines()[-1] if said else ""
        check(f"{name}: the missing line", code == 4 and line in last and reason in said, f"exit {code}\n{said}")


def writes():
    """--write leaves a target file, known failures and a workflow. It overwrites nothing."""
    if ONLY and ONLY != "write":
        return
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(PROXIES / "chat_to_anthropic.js", folder)
        command = "node chat_to_anthropic.js --port {port} --upstream {upstream}/v1"
        code, said = run(folder, "try", command, *SHORT, "--write")
        check("write: exit code", code == 1, said)
        check("write: files", all(pathlib.Path(folder, file).is_file() for file in (TARGET, KNOWN, WORKFLOW)), said)
        case = re.search(r"splitproof replay '([^']*)' --target (\S+)", said)
        check("write: a command that can be repeated", case is not None and case[2] == TARGET, said)
        if case:
            code, said = run(folder, "replay", case[1], "--target", case[2])
            check("write: the command shows the bug", code == 1 and "VIOLATES" in said, f"exit {code}\n{said}")
        code, said = run(folder, "doctor", TARGET)
        check("write: doctor finds the target connected", code == 0 and "CONNECTED" in said, f"exit {code}\n{said}")
        command_of_ci = pathlib.Path(folder, WORKFLOW).read_text().splitlines()[-1].partition("run: splitproof ")[2]
        code, said = run(folder, *command_of_ci.split(), "--only", f"{CHAT}/text-plain")
        check("write: what is known passes", code == 0 and "--cases" in command_of_ci, f"exit {code}\n{command_of_ci}\n{said}")
        before = pathlib.Path(folder, TARGET).read_text()
        code, said = run(folder, "try", command, "--write")
        check("write: never over a file",
              code == 2 and TARGET in said and pathlib.Path(folder, TARGET).read_text() == before, f"exit {code}\n{said}")


def runs_already():
    """--url for a proxy that runs already."""
    if ONLY and ONLY != "url":
        return
    upstream, port = free_port(), free_port()
    proxy = subprocess.Popen(["node", PROXIES / "chat_to_anthropic.js", "--port", str(port), "--upstream",
                              f"http://127.0.0.1:{upstream}/v1"])
    try:
        with tempfile.TemporaryDirectory() as folder:
            code, said = run(folder, "try", "--url", f"http://127.0.0.1:{port}", "--upstream-listen",
                             f"127.0.0.1:{upstream}", *SHORT)
            check("url: direction", code == 1 and f"{ANTHROPIC} client at /v1/messages -> {CHAT}" in said,
                  f"exit {code}\n{said}")
    finally:
        proxy.terminate()
        proxy.wait()


def prints_json():
    """--json prints JSON lines, for each step that fails too."""
    if ONLY and ONLY != "json":
        return
    with tempfile.TemporaryDirectory() as folder:
        command = f"node {PROXIES}/relay.js"
        code, said = run(folder, "try", command, *SHORT, "--json")
        lines = [json.loads(line) for line in said.splitlines() if line.startswith("{")]
        events = [line.get("event") for line in lines]
        check("json: events", code == 1 and {"step", "direction", "sent", "upstream", "returned"} <= set(events), said)
        check("json: the report", any("event" not in line for line in lines), said)
        code, said = run(folder, "doctor", f"python3 {PROXIES}/crash.py", "--json")
        steps = [json.loads(line) for line in said.splitlines() if line.startswith("{")]
        check("json: doctor", code == 4 and steps[-1]["step"] == "start" and steps[-1]["change"], said)


def examines():
    """doctor says for a target file what to change."""
    if ONLY and ONLY != "doctor":
        return
    file = """target: mine
kind: http
client: {client}
upstream: {upstream}
command: [node, "{proxy}", --port, "{port}", --upstream, "{url}"]
listen: "http://127.0.0.1:{listen}"
request: {request}
ready: {within}
"""
    good = {"{client}": ANTHROPIC, "{upstream}": CHAT, "{proxy}": str(PROXIES / "chat_to_anthropic.js"),
            "{url}": "{upstream}/v1", "{listen}": "{port}", "{request}": "{path: /v1/messages, model: m}",
            "{within}": "{within: 3s}"}
    code, said = run(".", "doctor", "target.yaml", "--path", "/a")
    check("doctor: an option without effect", code == 2 and "--path has no effect" in said, said)
    for name, change, step, line in (
            ("sound", {}, "answer", None),
            ("wrong path", {"{request}": "{path: /messages, model: m}"}, "request", "path: /v1/messages"),
            ("wrong client", {"{client}": CHAT, "{request}": "{path: /v1/chat/completions, model: m}"}, "request",
             f"client: {ANTHROPIC}"),
            ("wrong upstream", {"{upstream}": RESPONSES}, "upstream", f"upstream: {CHAT}"),
            ("no upstream", {"{url}": "http://127.0.0.1:9"}, "upstream", "upstream_listen: 127.0.0.1:9"),
            ("wrong command", {"{proxy}": "/nowhere.js"}, "start", "correct `command`")):
        text = file
        for key, value in (good | change).items():
            text = text.replace(key, value, 1)
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "target.yaml").write_text(text)
            code, said = run(folder, "doctor", "target.yaml")
            if line is None:
                check(f"doctor: {name}", code == 0 and "CONNECTED" in said, f"exit {code}\n{said}")
            else:
                check(f"doctor: {name}", code == 4 and re.search(rf"^FAILED +{step}$", said, re.M) and
                      line in said.splitlines()[-1], f"exit {code}\n{said}")


finds("chat_to_anthropic", f"node {PROXIES}/chat_to_anthropic.js --port {{port}} --upstream {{upstream}}/v1",
      ANTHROPIC, "/v1/messages", CHAT, "ANT-02")
finds("anthropic_to_chat", f"python3 {PROXIES}/anthropic_to_chat.py", CHAT, "/v1/chat/completions", ANTHROPIC, "SSE-08")
finds("prefix", f"node {PROXIES}/chat_to_anthropic.js --prefix /anthropic --port {{port}} --upstream {{upstream}}/v1",
      ANTHROPIC, "/anthropic/v1/messages", CHAT, "ANT-02")
finds("chat_to_responses", f"node {PROXIES}/chat_to_responses.js", RESPONSES, "/responses", CHAT, "RSP-39")
finds("configured_relay", f"python3 {PROXIES}/configured_relay.py {{upstream}}", CHAT, "/v1/chat/completions", CHAT, "SSE-08")
finds("relay", f"{PROXIES}/relay.sh", CHAT, "/v1/chat/completions", CHAT, "TRN-01")
finds("needs_key", f"node {PROXIES}/needs_key.js", CHAT, "/v1/chat/completions", CHAT, None, "--header",
      "authorization: Bearer letmein")
finds("needs_variable", f"UPSTREAM_URL={{upstream}}/v1 PORT={{port}} python3 {PROXIES}/needs_variable.py", CHAT,
      "/chat/completions", CHAT, "SSE-15")
finds("own_port", f"node {PROXIES}/own_port.js", CHAT, "/v1/chat/completions", CHAT, "TRN-01")
lacks("needs_key", f"node {PROXIES}/needs_key.js", "--header 'authorization: Bearer KEY'")
lacks("needs_variable", f"python3 {PROXIES}/needs_variable.py", "'UPSTREAM_URL={upstream} COMMAND'")
lacks("crash", f"python3 {PROXIES}/crash.py", "correct the command",
      "exit code 1: ModuleNotFoundError: No module named 'a_module_that_nobody_has'")
lacks("no_flags", f"node {PROXIES}/chat_to_anthropic.js", "correct the command", "exit code 1: TypeError: Invalid URL")
lacks("canned", f"node {PROXIES}/canned.js", "put {upstream} into the command")
hard_wired = free_port()
lacks("hard_wired", f"python3 {PROXIES}/hard_wired.py {hard_wired}", f"--upstream-listen 127.0.0.1:{hard_wired}")
finds("hard_wired", f"python3 {PROXIES}/hard_wired.py {hard_wired}", ANTHROPIC, "/v1/messages", ANTHROPIC, "SSE-15",
      "--upstream-listen", f"127.0.0.1:{hard_wired}")
ends_in_time("crash")
ends_in_time("hang")
writes()
runs_already()
prints_json()
examines()
print(f"1..{number}")
sys.exit(failed > 0)
