#!/usr/bin/env python3
"""Judges a proxy that leaks every key it knows, and searches for these keys in all output and files of splitproof.

usage: secrets.py SPLITPROOF
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

SECRETS = ["sk-of-the-client-0123", "sk-of-the-provider-4567", "token-of-the-session-89", "sk-of-the-setup-abcd"]
FORMATS = ["jsonl", "junit", "md", "html", "sarif", "github", "github-summary", "badge"]
TARGET = """
target: leaking
kind: http
client: anthropic.messages
upstream: openai.chat
install: {install}
version: echo 1.0 of $PROVIDER_API_KEY
command: [{python}, {proxy}, "{{port}}", "{{upstream}}"]
env: {{PROVIDER_API_KEY: sk-of-the-provider-4567, SESSION_TOKEN: token-of-the-session-89}}
listen: "http://127.0.0.1:{{port}}"
request: {{path: /v1/messages, model: any, headers: {{x-api-key: sk-of-the-client-0123}}}}
setup: [{{request: POST /login, headers: {{authorization: Bearer sk-of-the-setup-abcd}}, body: "{{}}"}}]
ready: {{path: /, within: 20s}}
"""


def main(splitproof):
    folder = pathlib.Path(tempfile.mkdtemp(prefix="splitproof-secrets-"))
    target = folder / "leaking.yaml"
    wrong = []
    said = {}

    def run(what, *arguments):
        done = subprocess.run([splitproof, *arguments], capture_output=True, timeout=120,
                              env={**os.environ, "XDG_CACHE_HOME": str(folder / "cache")})
        said[what] = (done.stdout + done.stderr).decode(errors="replace")
        return done.returncode

    def write_target(install):
        target.write_text(TARGET.format(install=install, python=json.dumps(sys.executable),
                                        proxy=json.dumps(str(pathlib.Path(__file__).with_name("leaking_proxy.py")))))

    only = ["--only", "openai.chat/tool-plain*", "--splits", "2", "--recuts", "0"]
    write_target("'true'")
    reports = [word for form in FORMATS for word in ("--report", f"{form}:{folder}/report.{form}")]
    code = run("run", "run", "--target", str(target), *only, "--evidence", str(folder / "evidence"), *reports,
               "--write-expect", str(folder / "expect"))
    if code != 1:
        wrong.append(f"run ended with {code}:\n{said['run']}")
    run("judge", "judge", str(folder / "evidence"), "--all")
    run("replay", "replay", "openai.chat/tool-plain?client=anthropic.messages&gen=bytes", "--target", str(target))
    write_target("echo cannot log in with sk-of-the-client-0123 and $PROVIDER_API_KEY; false")
    if run("install", "run", "--target", str(target), *only) != 4:
        wrong.append("a target that cannot be installed was tested")
    for path in folder.rglob("*"):
        if path.is_file() and path != target and folder / "cache" not in path.parents:  # the proxy's own logs
            said[str(path.relative_to(folder))] = path.read_text(errors="replace")
    for what, text in said.items():
        wrong += [f"{what} has {secret}" for secret in SECRETS if secret in text]
    shutil.rmtree(folder)
    leaks = said["run"].count("(secret)")
    print(f"{len(said)} outputs, {leaks} masks in the first, {len(wrong)} went wrong", *wrong, sep="\n")
    return 1 if wrong or leaks == 0 else 0


sys.exit(main(*sys.argv[1:]))
