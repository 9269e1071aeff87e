#!/usr/bin/env python3
"""Runs a program whose rules, clients, profile, recordings, folders, targets and known failures all contain texts
that try to become markup or a command. Strict readers read its output and reports. A shell runs its suggested
commands, with a program that notes its arguments.

usage: hostile_reports.py SPLITPROOF ROOT     (TAP)
"""
import html.parser
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

import hostile
import hostile_pasted

FORMATS = ["jsonl", "junit", "md", "html", "sarif", "github", "github-summary", "badge"]
CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff]")
TAGS = set("html head meta title style body header h1 h2 h3 span p main div table thead tbody tr th td form label select "
           "option input output details summary ul ol li b i pre code button section script a dl dt dd h4 small strong figure "
           "figcaption".split())
SHELL_PROGRAM = '#!/bin/sh\nfor word in "$@"; do printf "%s\\0" "$word"; done >> "$ARGV"; printf "\\0" >> "$ARGV"\n'
ANSWER = """import http.server
class Proxy(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    def do_POST(self):
        self.rfile.read(int(self.headers["content-length"]))
        body = b"event: " + TEXT + b"\\ndata: " + TEXT + b"\\n\\n"
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
    def log_message(self, *ignored):
        pass
http.server.ThreadingHTTPServer(("127.0.0.1", int(PORT)), Proxy).serve_forever()
"""


class Problems:
    def __init__(self):
        self.tests = []

    def check(self, what, problems):
        problems = [str(problem)[:400] for problem in problems]
        print(f"{'not ok' if problems else 'ok'} {len(self.tests) + 1} - {what}")
        print("".join("# " + line.encode("ascii", "backslashreplace").decode().replace("\n", "\n# ") + "\n"
                      for line in problems[:10]), end="")
        self.tests.append(not problems)


def write_contracts(root, folder, texts):
    """Writes the project's contracts with such a text in every field of a rule or client."""
    shutil.copytree(root / "contracts", folder / "contracts")
    at = iter(range(10**6))
    for path in [*(folder / "contracts").glob("*.yaml"), *(folder / "contracts" / "clients").glob("*.yaml")]:
        said = re.sub(r"^    (says|why|name|version|run): .*\n(?:     .*\n)*",
                      lambda key: f"    {key[1]}: {hostile.yaml(texts[next(at) % len(texts)])}\n", path.read_text(), flags=re.M)
        path.write_text(said)


def write_targets(folder, texts):
    """Writes a target that answers with such texts and reports a version of them, and one that prints them and
    ends."""
    said = "".join(texts).encode()
    (folder / "said").write_bytes(said)
    head = "kind: http\nclient: anthropic.messages\nupstream: openai.chat\nlisten: 'http://127.0.0.1:{port}'\n"
    head += "request: {path: /v1/messages, model: any}\n"
    program = f"TEXT = {said!r}\n" + ANSWER
    (folder / "proxy.py").write_text("import sys\nPORT = sys.argv[1]\n" + program)
    (folder / "answers.yaml").write_text(f"target: answers\n{head}version: 'tr \"\\n\" \" \" < {folder}/said'\n"
                                         f"command: [python3, '{folder}/proxy.py', '{{port}}']\n")
    (folder / "ends.yaml").write_text(f"target: ends\n{head}command: [sh, -c, 'cat {folder}/said >&2; exit 7']\n")
    return ["--target", folder / "answers.yaml", "--target", folder / "ends.yaml"]


def write_expectations(path, texts):
    one_line = [re.sub(r"[\r\n\0]", " ", text) for text in texts]
    path.write_text("".join(f"VIOLATES mutant:start-per-name x{n}-* ANT-05 # {text}\nVIOLATES mutant:* none{n} ANT-05 # {text}\n"
                            for n, text in enumerate(one_line)), newline="")


class Page(html.parser.HTMLParser):
    """Elements of a page that a report never writes."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.wrong = []
        self.scripts = []
        self.in_script = False

    def handle_starttag(self, tag, attrs):
        self.in_script = tag == "script"
        self.scripts += [""] if self.in_script else []
        names = {"class", "id", "lang", "charset", "name", "content", "http-equiv", "tabindex", "role", "scope", "title", "type",
                 "hidden", "open", "value", "placeholder", "rel"}
        links = [value for name, value in attrs if name == "href" and not re.match(r"#|https://github\.com/", value)]
        self.wrong += [f"the link {value!r}" for value in links]
        self.wrong += [] if tag in TAGS else [f"the tag <{tag}>"]
        self.wrong += [f"<{tag} {name}={value!r}>" for name, value in attrs
                       if name not in names | {"href"} and not name.startswith(("aria-", "data-"))]

    def handle_endtag(self, tag):
        self.in_script = False

    def handle_data(self, data):
        if self.in_script:
            self.scripts[-1] += data
        elif CONTROL.search(data):
            self.wrong.append(f"control characters in {data!r}")

    def handle_comment(self, data):
        self.wrong.append(f"the comment {data!r}")

    def unknown_decl(self, data):
        self.wrong.append(f"the declaration {data!r}")

    handle_pi = unknown_decl


def of_page(text):
    page = Page()
    page.feed(text)
    page.close()
    return page.wrong + [f"the script {script!r}" for script in page.scripts if "alert(1)" in script or "ran'" in script] + (
        [] if len(page.scripts) == 1 else [f"{len(page.scripts)} scripts"])


def of_markdown(text):
    """Returns unintended markup outside code, and invalid tables."""
    wrong = [f"control characters in {line!r}" for line in text.split("\n") if CONTROL.search(line)]
    fence, columns = None, None
    for line in text.split("\n"):
        if fence is not None:
            fence = None if line == fence else fence
            continue
        opening = re.match(r"(`{3,})(?:sh|text)?$", line)
        if opening:
            fence = opening[1]
            continue
        # Cells are separated first, in code too. Then code, escapes and the report's own links are removed.
        bare = re.sub(r"\\[^\w\s]", "", line) if line.startswith("|") else line
        count = bare.count("|") if line.startswith("|") else None
        if None not in (columns, count) and columns != count:
            wrong.append(f"{count} bars and not {columns}: {line!r}")
        columns = count
        rest = re.sub(r"(?<![\\`])(`+)(?!`)(.*?)(?<!`)\1(?!`)", "", line)
        rest = re.sub(r"\\[^\w\s]", "", rest)
        rest = re.sub(r"\[[A-Za-z0-9_-]+\]\(#[a-z0-9_-]+\)", "", rest)
        if re.search(r"[<`\[\]]|!\[|://", rest):
            wrong.append(f"markup in {line!r}")
    return wrong + (["a block of code does not end"] if fence is not None else [])


def of_console(text):
    return [repr(line) for line in text.split("\n") if CONTROL.search(line) or line.lstrip().startswith("::") or "##[" in line]


def of_annotations(text):
    command = re.compile(r"::(error|notice|warning) (?:[a-z]+=[^,:\r\n]*,?)+::[^\r\n]*")
    return [repr(line) for line in text.removesuffix("\n").split("\n") if not command.fullmatch(line) or CONTROL.search(line)]


def of_junit(text):
    known = {"testsuites": {"name"}, "testsuite": {"name", "tests", "failures", "errors", "skipped"}, "properties": set(),
             "property": {"name", "value"}, "testcase": {"classname", "name"}, "failure": {"message"}, "error": {"message"},
             "skipped": {"message"}}
    return [f"<{part.tag}> with {set(part.attrib)}" for part in xml.etree.ElementTree.fromstring(text).iter()
            if not set(part.attrib) <= known.get(part.tag, set()) or part.tag not in known]


def of_sarif(text):
    texts = [result["message"]["text"] for result in json.loads(text)["runs"][0]["results"]]
    return [repr(text) for text in texts if "](" in text] + ([] if texts else ["no result"])


def commands_in(rows, scorecard):
    lines = [row["reproduce"] for row in rows if "reproduce" in row]
    lines += [row["smallest"]["shrink"] for row in rows if "smallest" in row]
    return lines + re.findall(r"^```+sh\n(splitproof [^\n]*)\n```", scorecard, flags=re.M)


def of_commands(lines, folder, targets, names):
    """Runs each, and returns arguments that did not reach a program unchanged."""
    tools = folder / "tools"
    tools.mkdir(exist_ok=True)
    (tools / "splitproof").write_text(SHELL_PROGRAM)
    (tools / "splitproof").chmod(0o755)
    argv = folder / "argv"
    argv.unlink(missing_ok=True)
    environment = {**os.environ, "PATH": f"{tools}:{os.environ['PATH']}", "ARGV": str(argv)}
    lines = list(dict.fromkeys(lines))
    subprocess.run(["sh"], input="\n".join(lines).encode(), env=environment, cwd=folder, check=False, capture_output=True)
    given = [one.split(b"\0") for one in argv.read_bytes().split(b"\0\0")[:-1]] if argv.exists() else []
    wrong = [] if len(given) == len(lines) and lines else [f"{len(lines)} commands ran the program {len(given)} times"]
    for words in given:
        words = [word.decode(errors="replace") for word in words]
        options = dict(zip(words, words[1:]))
        if words[0] not in ("replay", "shrink", "run") or options.get("--target") not in targets:
            wrong.append(repr(words))
        elif words[0] != "run" and words[1].split("?")[0] not in names:
            wrong.append(repr(words))
    return wrong


def splitproof(program, folder, *arguments, **options):
    return subprocess.run([program, *map(str, arguments)], capture_output=True, check=False, timeout=240, cwd=folder,
                          env={**os.environ, "SPLITPROOF_DATA": str(folder / "data"), "SPLITPROOF_TARGETS": str(folder / "kept")},
                          **options)


def check_reports(problems, what, ran, folder, targets, names):
    texts = {kind: (folder / kind).read_bytes().decode() for kind in FORMATS}
    problems.check(f"{what}: the console obeys nothing", of_console(ran.stdout.decode() + ran.stderr.decode()))
    problems.check(f"{what}: the page has its own tags alone", of_page(texts["html"]))
    problems.check(f"{what}: the scorecard has its own markup alone", of_markdown(texts["md"]))
    problems.check(f"{what}: the summary has its own markup alone", of_markdown(texts["github-summary"]))
    problems.check(f"{what}: each annotation is one command", of_annotations(texts["github"]))
    problems.check(f"{what}: JUnit has its own elements alone", of_junit(texts["junit"]))
    problems.check(f"{what}: SARIF has no link", of_sarif(texts["sarif"]))
    rows = [json.loads(line) for line in texts["jsonl"].removesuffix("\n").split("\n")]
    problems.check(f"{what}: the badge is JSON", [] if json.loads(texts["badge"])["label"] == "splitproof" else ["it is not"])
    lines = commands_in(rows, texts["md"])
    problems.check(f"{what}: {len(lines)} commands run the program alone", of_commands(lines, folder, targets, names))


def main(program, root):
    problems = Problems()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        canary = folder / "ran"
        texts = hostile.INERT + hostile.running(canary)
        data = folder / "data"
        data.mkdir()
        write_contracts(root, data, texts)
        # The folder of the recordings, and the profile, have paths that a shell would run.
        odd = folder / f"it's $(touch ran) `touch ran`; touch ran \"&\" #"
        (odd / "corpus").mkdir(parents=True)
        names = []
        for n in range(0, len(texts), 11):
            made, _ = hostile_pasted.write_recording(odd, texts[n:n + 11], f"x{n}-")
            names.append(made)
        profile = odd / "profile.yaml"
        profile.write_text(f"profile: {hostile.yaml(''.join(texts))}\nextends: default\n")
        write_expectations(folder / "known", texts)
        reports = [word for kind in FORMATS for word in ("--report", f"{kind}:{folder / kind}")]
        mutants = ["mutant:start-per-name", "mutant:per-chunk-utf8"]
        targets = [word for mutant in mutants for word in ("--target", mutant)] + write_targets(folder, texts)
        common = ["--corpus", odd / "corpus", "--profile", profile, "--splits", 2, "--recuts", 1]
        ran = splitproof(program, folder, "run", *common, *targets, *reports, "--expect", folder / "known", "--evidence",
                         folder / "seen")
        problems.check("a run judges", [] if ran.returncode == 4 and b"VIOLATES" in ran.stdout else [
            f"exit code {ran.returncode}", ran.stderr.decode(errors="replace")[-2000:]])
        files = [str(word) for word in targets[1::2]]
        check_reports(problems, "run", ran, folder, files, names)
        shown = splitproof(program, folder, "run", *common, *targets[:4], "--all")
        problems.check("run --all: the console obeys nothing", of_console((shown.stdout + shown.stderr).decode()))

        # Anybody may have written an evidence file: its target has any name.
        seen = sorted((folder / "seen").glob("mutant*/*.jsonl"))
        evil = re.sub(f"{CONTROL.pattern}|\n", "", "".join(texts))
        for path in seen:
            head, rest = path.read_text().split("\n", 1)
            path.write_text(json.dumps({**json.loads(head), "target": evil}) + "\n" + rest)
        judged = splitproof(program, folder, "judge", *seen, "--profile", profile, *reports)
        problems.check("evidence is judged", [] if judged.returncode == 1 else [judged.returncode, judged.stderr.decode()[-2000:]])
        check_reports(problems, "judge", judged, folder, [evil], names)

        # Its manifest has any options.
        manifest = folder / "seen" / "manifest.evidence.json"
        for options in (f"; touch {canary}", f" --only '*'; touch {canary}", f" --splits 0 $(touch {canary})", " --evidence /",
                        " --only 'a' --expect x", f" --seed 1;touch {canary}"):
            manifest.write_text(re.sub(r'"options": .*,', lambda _: f'"options": {json.dumps(options)},', manifest.read_text()))
            judged = splitproof(program, folder, "judge", folder / "seen")
            problems.check(f"a manifest with the options {options.replace(str(canary), 'ran')!r} is refused",
                           [] if judged.returncode == 2 and b"options that splitproof run never writes" in judged.stderr else [judged.stderr])

        # A name that looks like an option, or that is invisible, is not a recording's.
        for odd_name in ("--only=x", "-x", "a\nb", "\x1b[31m", "\u202ex"):
            path = odd / "corpus" / f"{odd_name}.rec.jsonl"
            path.write_bytes((odd / "corpus" / f"{names[0]}.rec.jsonl").read_bytes())
            refused = splitproof(program, folder, "replay", path)
            problems.check(f"a recording of the name {odd_name!r} is refused",
                           [] if refused.returncode == 2 and b"cannot be part of a case id" in refused.stderr else [refused.stderr])
            path.unlink()
        problems.check("nothing of them ran", [path for path in folder.rglob("ran")])
    print(f"1..{len(problems.tests)}")
    return 0 if all(problems.tests) else 1


if __name__ == "__main__":
    sys.exit(main(os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2])))
