#!/usr/bin/env python3
"""Judges targets that try to reach other hosts than their upstream, with and without `network: none`.

usage: elsewhere.py SPLITPROOF
"""
import json
import os
import pathlib
import socket
import subprocess
import sys
import tempfile

# Tries the machine's network, an unused address, and a name, and then becomes the given program.
CALLER = """
import json, os, socket, sys
host, port, said = sys.argv[1], int(sys.argv[2]), sys.argv[3]
tried = {}
for name, family, place in [("host", socket.AF_INET, (host, port)), ("nobody", socket.AF_INET, ("192.0.2.1", 9)),
                            ("nobody6", socket.AF_INET6, ("2001:db8::1", 9))]:
    try:
        with socket.socket(family, socket.SOCK_STREAM) as calling:
            calling.settimeout(2)
            calling.connect(place)
        tried[name] = "reached"
    except OSError as failed:
        tried[name] = type(failed).__name__
open(said, "w").write(json.dumps(tried))
os.execvp(sys.argv[4], sys.argv[4:])
"""
HTTP = """
target: calling
kind: http
client: anthropic.messages
upstream: openai.chat
command: {command}
listen: "http://127.0.0.1:{{port}}"
request: {{path: /v1/messages, model: any}}
ready: {{path: /health, within: 20s}}
{network}
"""
PIPE = """
target: calling
kind: pipe
client: openai.chat
upstream: openai.chat
command: {command}
{network}
"""
PROXY = ["splitproof-proxy", "--listen", "127.0.0.1:{port}", "--upstream", "{upstream}/v1"]
PASSER = [sys.executable, "-c", """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if "feed" in message: print(json.dumps({"out": message["feed"]}))
    print('{"ack": true}', flush=True)
"""]
NO_NAMESPACES = 'echo 0 > /proc/sys/user/max_user_namespaces && exec "$@"'


def main(splitproof):
    if subprocess.run(["unshare", "--user", "--net", "true"], capture_output=True).returncode != 0:
        print("this system gives nobody a network of its own")
        return 77
    folder = pathlib.Path(tempfile.mkdtemp(prefix="splitproof-elsewhere-"))
    listener = socket.create_server(("127.0.0.1", 0))
    caller = folder / "caller.py"
    caller.write_text(CALLER)
    said = folder / "said.json"
    wrong = []

    def run(form, program, network, calls=True, before=()):
        said.unlink(missing_ok=True)
        host, port = listener.getsockname()
        calling = [sys.executable, str(caller), host, str(port), str(said)] if calls else []
        target = folder / "calling.yaml"
        target.write_text(form.format(command=json.dumps(calling + program), network=network))
        done = subprocess.run([*before, splitproof, "run", "--target", str(target), "--only", "openai.chat/text-plain",
                               "--quick"], capture_output=True, timeout=300,
                              env={**os.environ, "XDG_CACHE_HOME": str(folder / "cache")})
        return done.returncode, done.stdout.decode() + done.stderr.decode(), json.loads(said.read_text()) if calls and said.exists() else {}

    def expect(what, held, *seen):
        if not held:
            wrong.append(f"{what}: {seen}")

    for name, form, program in (("http", HTTP, PROXY), ("pipe", PIPE, PASSER)):
        code, text, tried = run(form, program, "")
        expect(f"{name} on the machine's network", code == 0 and tried.get("host") == "reached" and "connect elsewhere" not in text,
               code, tried, text)
        code, text, tried = run(form, program, "network: none")
        expect(f"{name} without a network", code == 0 and set(tried) == {"host", "nobody", "nobody6"} and "reached" not in tried.values(),
               code, tried, text)
        expect(f"{name} that calls elsewhere is told of", "the target has no network, and tried " in text, text)
        expect(f"{name} has exact boundaries", "unproven" not in text, text)
        code, text, tried = run(form, program, "network: none", calls=False)
        expect(f"{name} that calls nobody", code == 0 and "connect elsewhere" not in text, code, text)
    without = ["unshare", "--user", "--map-root-user", "sh", "-c", NO_NAMESPACES, "sh"]
    if subprocess.run([*without, "true"], capture_output=True).returncode == 0:  # a container may forbid even this
        code, text, tried = run(HTTP, PROXY, "network: none", before=without)
        expect("where there are no namespaces",
               code == 4 and not tried and "does not allow programs to have their own network" in text and "'network: none'" in text, code, tried, text)
    code, text, tried = run(HTTP, PROXY, "network: some")
    expect("another word", code == 2 and "calling.yaml:" in text and "write none" in text, code, text)
    print(f"{len(wrong)} went wrong", *wrong, sep="\n")
    return 1 if wrong else 0


sys.exit(main(*sys.argv[1:]))
