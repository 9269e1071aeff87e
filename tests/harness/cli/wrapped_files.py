#!/usr/bin/env python3
"""Wraps streams of the corpus, whole and broken, as people paste and save them, and has check, decode and import read them.

usage: wrapped_files.py SPLITPROOF SOURCE_ROOT [COUNT [SEED]]

A file either gives the stream that was wrapped, with the verdict of the naked stream, or one line that says what to do. A
wrapper that is cut off gives a beginning of the stream, or such a line. So does a stream with a text after it, if that text
is whole. A compressed or encoded file always gives a command, and the command gives the stream. Every failure prints the
seed of its file."""
import base64
import bz2
import concurrent.futures
import gzip
import html
import io
import json
import lzma
import os
import pathlib
import quopri
import random
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import urllib.parse
import zlib

PROTOCOLS = ("openai.chat", "anthropic.messages", "openai.responses")


def bodies(root):
    """Returns [(protocol, name, body)] of the recordings whose body is text with whole lines."""
    found = []
    for protocol in PROTOCOLS:
        for file in sorted((root / "corpus" / protocol).glob("*.rec.jsonl")):
            chunks = [json.loads(line) for line in file.read_text(encoding="utf-8").rstrip("\n").split("\n")[1:]]
            if any("base64" in chunk for chunk in chunks):
                continue
            body = "".join(chunk.get("text", "") for chunk in chunks)
            lines = body.split("\n")
            plain = all(re.match(r"(data|event|id|retry)?:|$", line) for line in lines) and "\r" not in body
            if plain and body.endswith("\n\n") and body.count("\n\n") > 2 and not body.startswith("\n"):
                found.append((protocol, file.name.split(".")[0], body))
    return found


def damaged(body, rng):
    """Returns a stream with a defect that proxies cause."""
    events = body[:-2].split("\n\n")
    kind = rng.choice(("none", "none", "drop", "twice", "swap", "end", "break", "json"))
    at = rng.randrange(len(events))
    if kind == "drop":
        del events[at]
    elif kind == "twice":
        events.insert(at, events[at])
    elif kind == "swap":
        other = rng.randrange(len(events))
        events[at], events[other] = events[other], events[at]
    elif kind == "end":
        del events[max(1, at):]
    elif kind == "json":
        events[at] = events[at].replace('":', '"', 1)
    body = "\n\n".join(events) + "\n\n"
    if kind == "break":  # inside a line
        cut = rng.randrange(len(body) // 2, len(body) - 3)
        body = body[:cut] if body[cut - 1] != "\n" and body[cut - 2] != "\n" else body
    return body


def each_line(text, change):
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    return "".join(change(line) + "\n" for line in lines)


def number(rng):
    return str(rng.randrange(10 ** rng.randrange(1, 7)))


def time(rng):
    return f"2026-11-{rng.randrange(1, 29)}T10:{rng.randrange(60):02}:{rng.randrange(60):02}" + rng.choice(("", ".5", ".125")) + "Z"


def har(body, rng, **more):
    content = {"size": len(body.encode()), "mimeType": "text/event-stream", "text": body}
    if rng.random() < 0.4:
        content.update(text=base64.b64encode(body.encode()).decode(), encoding="base64")
    content.update(more)
    other = {"request": {"url": "/a"}, "response": {"content": {"mimeType": "application/json", "text": "{}"}}}
    entries = [{"request": {"url": "/v1"}, "response": {"status": 200, "content": content}}]
    entries[rng.randrange(2):0] = [other] * rng.randrange(3)
    return json.dumps({"log": {"version": "1.2", "entries": entries}}, indent=rng.choice((None, 1)))


def chunked(body, rng):
    data, out = body.encode(), b""
    while data:
        size = rng.randrange(1, 300)
        out, data = out + b"%x\r\n%s\r\n" % (len(data[:size]), data[:size]), data[size:]
    head = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n"
    return (head + out + b"0\r\n\r\n").decode("utf-8", "surrogateescape")


def curl_log(body, rng):
    body = body.replace("\n\n", "\n\n{ [%s bytes data]\n" % number(rng), rng.randrange(3))
    return (f"*   Trying 1.2.3.4:443...\n* Connected to h port {number(rng)}\n> POST /v1 HTTP/1.1\n> Host: h\n>\n< HTTP/1.1 200 OK\n"
            f"< content-type: text/event-stream\n<\n{{ [{number(rng)} bytes data]\n{body}* Connection #0 to host h left intact\n")


def fence(body, rng):
    mark = rng.choice(("```", "~~~", "````"))
    indent = rng.choice(("", "", "   ", "  "))
    trimmed = body[:-1] if body.endswith("\n\n") and rng.random() < 0.4 else body
    block = each_line(f"{mark}{rng.choice(('', 'sse', 'text'))}\n{trimmed if trimmed.endswith(chr(10)) else trimmed + chr(10)}{mark}\n",
                      lambda line: indent + line if line else line)
    request = rng.choice(("", "```json\n{\"model\": \"m\"}\n```\n\n"))
    return f"# It hangs\n\n{request}{'1. run it:' if indent else 'See:'}\n\n{block}\nThanks\n"


def quote(body, rng):
    inner = rng.choice(("", "```\n"))
    text = inner + (body if body.endswith("\n") else body + "\n") + inner
    return rng.choice(("As said:\n\n", "")) + each_line(text, lambda line: "> " + line if line or rng.random() < 0.5 else ">") + "\nHm.\n"


def prefix(body, rng):
    form = rng.choice(("{t} DEBUG proxy: ", "proxy-{n}  | ", "{n}\t", "[{n}.{n}] ", "    ", "app[{n}]: {t} data=", "12:{n}: "))
    name = number(rng)
    fixed = form.startswith("proxy")
    trim = rng.random() < 0.5
    made = lambda line: form.format(t=time(rng), n=name if fixed else number(rng)) + line
    return each_line(body, lambda line: made(line).rstrip(" \t") if not line and trim else made(line))


def python_log(body, rng):
    write = rng.choice((lambda text: repr(text.encode()), repr))
    cut = rng.choice((lambda text: [line + "\n" for line in text.split("\n")][:-1], lambda text: text.split("\n"),
                      lambda text: [event + "\n\n" for event in text[:-2].split("\n\n")]))
    head = rng.choice(("INFO:httpx:chunk: ", "", "chunk {n} "))
    return "".join(head.format(n=number(rng)) + write(chunk) + "\n" for chunk in cut(body))


def python_list(body, rng):
    events = [event + "\n\n" for event in body[:-2].split("\n\n")]
    return rng.choice((repr, lambda all: repr([one.encode() for one in all])))(events) + "\n"


def json_lines(body, rng):
    key = rng.choice(("log", "chunk", "raw", None))
    size = rng.randrange(1, 200)
    chunks = rng.choice(([line + "\n" for line in body.split("\n")][:-1], [body[i:i + size] for i in range(0, len(body), size)],
                         [event + "\n\n" for event in body[:-2].split("\n\n")]))
    made = lambda chunk: chunk if key is None else {key: chunk, "stream": "stdout", "time": time(rng), "n": rng.randrange(9)}
    return "".join(json.dumps(made(chunk)) + "\n" for chunk in chunks)


def exported(body, rng):
    return json.dumps(rng.choice((
        {"info": {"name": "c"}, "item": [{"name": "r", "response": [{"name": "x", "body": body, "header": []}]}]},
        {"http_interactions": [{"request": {"body": {"string": "{}"}},
                                "response": {"status": {"code": 200}, "body": {"string": body}}}]},
        {"request": {"content": "{}"}, "response": {"status_code": 200, "content": body}},
        {"status": 200, "headers": {}, "body": body})))


def command(body, rng):
    prompt = rng.choice(("$ ", "me@host:~/x$ ", "", "% "))
    asked = rng.choice(("curl -sN https://h/v1 -d @req.json", "curl -N https://h/v1 \\\n  -H 'a: b' \\\n  -d '{\n \"a\": 1\n}'"))
    return f"{prompt}{asked}\n{body}{prompt.rstrip() + chr(10) if prompt and body.endswith(chr(10)) else ''}"


def tar(body):
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        member = tarfile.TarInfo("x.sse")
        member.size = len(body.encode())
        archive.addfile(member, io.BytesIO(body.encode()))
    return packed.getvalue()


def escaped(body, rng):
    return json.dumps(body, ensure_ascii=rng.random() < 0.5)[1:-1] + "\n"


def timed(body, rng):
    m, n = number(rng), number(rng)
    return body + rng.choice((
        f"\nreal\t0m{m}.1{n}s\nuser\t0m0.01s\nsys\t0m0.02s\n", f"real {m}.20\nuser 0.01\nsys 0.00\n",
        f"curl -sN https://h/v1  0.0{n}s user 0.01s system 2% cpu {m}.1 total\n",
        f"0.00user 0.01system 0:01.{m}elapsed 1%CPU (0avgtext+0avgdata {n}maxresident)k\n0inputs+0outputs (0major+{m}minor)pagefaults 0swaps\n"))


def prompted(body, rng):
    prompt = rng.choice(("user@host:~$ ", "me@Mac ~ % ", "[root@h-{n} x]# ", "(env) me@h.io:/a/b$ ", "bash-5.1$ ", "$ ", "\u279c ~ ",
                         "PS C:\\Users\\me> ", "% ")).replace("{n}", number(rng))
    return body + prompt + rng.choice(("", "\n", "exit\n", "echo $?\n0\n" + prompt))


def signed(body, rng):
    return body + rng.choice(("-- \nJohn {n}\nHead of x\n", "--\nJ. D.\n", "\n-- \nJohn\n\nT: {n}\n", "Sent from my phone\n")).replace("{n}", number(rng))


def ended(body, rng):
    return body + rng.choice(("exit\n", "logout\n", "^C\n", "\nScript done on 2026-11-01 10:00:00+00:00\n", "Connection to h closed.\n", "EOF\n"))


def close_quotes(body, rng):
    return body + rng.choice(('"""\n', "'''\n", "```\n", '""")\n', "`;\n", '"""\n\nassert read(STREAM)\n'))


def in_program(body, rng):
    """Returns a string in the source of a program, without escapes."""
    forms = [('import x\n\nSTREAM = r"""{}"""\n', "def test():\n    assert x(STREAM)\n", '"""'), ("a = r'''\\\n{}'''\n", "", "'''"),
             ("const id: string = String.raw`{}`;\nexport default id;\n", "", "`"), ('auto s = R"sse({})sse";\n', "", ")sse")]
    if "\\" not in body:
        forms += [('STREAM = """\\\n{}"""\n', "", '"""'), ("const s = `{}`\n", "x(s)\n", "`")]
    before, after, _ = rng.choice([form for form in forms if form[2] not in body])
    return before.replace("{}", body) + after


def in_section(body, rng):
    return rng.choice(('<?xml version="1.0"?>\n<log at="{n}"><![CDATA[{}]]></log>\n', "<a><b><![CDATA[\n{}]]></b>\n</a>\n",
                       "$ cat > x <<'EOF'\n{}EOF\n", "cat <<-END | nc -l {n}\n{}END\n")).replace(
        "{n}", number(rng)).replace("{}", body)


# Wrappers that give the stream if it is complete, and that may also give help.
WRAPPERS = {
    "prefix": prefix, "base64": lambda body, rng: rng.choice((base64.b64encode, base64.encodebytes))(body.encode()).decode(),
    "escaped": escaped, "json-string": lambda body, rng: json.dumps(body), "fence": fence, "quote": quote, "har": har,
    "curl-v": curl_log, "curl-i": lambda body, rng: "HTTP/2 200\r\ncontent-type: text/event-stream\r\n\r\n" + body,
    "chunked": chunked, "command": command, "python-log": python_log, "python-list": python_list, "json-lines": json_lines,
    "exported": exported, "bom": lambda body, rng: "\ufeff" + body, "program": in_program, "section": in_section}
# Texts after a stream. A part of one shows nothing.
TAILS = {"time": timed, "prompt": prompted, "signature": signed, "session": ended, "closing-quotes": close_quotes}
# Encodings, to be decoded with the command in the error line.
ENCODED = {
    "html": lambda body, rng: html.escape(body), "typographic": lambda body, rng: body.replace('"', rng.choice("\u201c\u201d")),
    "spaces": lambda body, rng: re.sub("(?m)^data: ", "data:\u00a0", body),
    "quoted-printable": lambda body, rng: quopri.encodestring(body.encode()),
    "percent": lambda body, rng: urllib.parse.quote(body), "colours": lambda body, rng: each_line(
        body, lambda line: line and f"\x1b[{rng.randrange(30, 38)}m{line}\x1b[0m"),
    "hex": lambda body, rng: body.encode().hex(), "uri": lambda body, rng: rng.choice((
        "data:text/event-stream;base64," + base64.b64encode(body.encode()).decode() + "\n",
        "data:text/event-stream," + urllib.parse.quote(body))),
    "nested": lambda body, rng: "".join(f"data: {line}\n\n" for line in body.split("\n") if line),
    "mis-decoded-bom": lambda body, rng: ("\ufeff" + body).encode().decode("cp1252", "ignore"), "tar": lambda body, rng: tar(body)}
# For these a cut inside an event is visible.
COPIED = ("prefix", "escaped", "fence", "quote", "curl-v", "command", "python-log", "json-lines")
PACKED = {"gzip": gzip.compress, "bzip2": bz2.compress, "xz": lzma.compress, "zlib": zlib.compress,
          "deflate": lambda data: zlib.compress(data)[2:-4]}
# Files that never give a stream.
HOPELESS = {
    "two-fences": lambda body, rng: f"Good:\n\n```\n{body}\n```\n\nBad:\n\n```\n{body}\n```\n",
    "cut-har": lambda body, rng: har(body, rng, size=len(body.encode()) + rng.randrange(1, 999)),
    "dots": lambda body, rng: body.replace("\n\n", "\n\n...\n\n", 1),
    "fence-dots": lambda body, rng: "```\n" + body.replace("\n\n", "\n\n...\n\n", 1) + "\n```\n",
    "log-lost-blanks": lambda body, rng: each_line(body.replace("\n\n", "\n"), lambda line: f"{time(rng)} DEBUG {line}"),
    "log-others": lambda body, rng: each_line(body, lambda line: f"{time(rng)} DEBUG {line}").replace(
        "\n", f"\n{time(rng)} INFO gc: pause 3ms\n", 2),
    "json-events": lambda body, rng: "".join(line[6:] + "\n" for line in body.split("\n") if line.startswith("data: {")),
    "utf16": lambda body, rng: body.encode(rng.choice(("utf-16", "utf-16-le", "utf-16-be"))),
    "html": lambda body, rng: f"<!DOCTYPE html><pre>{body}</pre>",
    "prose": lambda body, rng: "I got this:\n\n" + body,
    "request": lambda body, rng: json.dumps({"model": "m", "stream": True, "messages": [{"role": "user", "content": body}]}),
    "answer": lambda body, rng: json.dumps({"id": "a", "content": [{"type": "text", "text": body}]})}


class Program:
    def __init__(self, program, work):
        self.program, self.work = program, work

    def run(self, *args):
        return subprocess.run([self.program, *map(str, args)], capture_output=True, timeout=120)

    def read(self, file, protocol):
        """Returns each command's result for a file: {check: (code, ids), decode: (code, events), import: (code,
        body)}, and the errors."""
        check, decode = self.run("check", "--json", "--as", protocol, file), self.run("decode", file)
        out = tempfile.mkdtemp(dir=self.work)
        took = self.run("import", "sse", file, "--protocol", protocol, "--out", out)
        body = None
        for path in pathlib.Path(out).iterdir():
            chunks = [json.loads(line) for line in path.read_text(encoding="utf-8").rstrip("\n").split("\n")[1:]]
            body = b"".join(base64.b64decode(one["base64"]) if "base64" in one else one.get("text", "").encode() for one in chunks)
        ids = sorted({(one["obligation"], one["level"]) for one in map(json.loads, check.stdout.splitlines())})
        events = [(one["event"], one["data"]) for one in map(json.loads, decode.stdout.splitlines())]
        errors = [done.stderr.decode(errors="replace").replace(str(file), "FILE") for done in (check, decode, took)]
        return {"codes": (check.returncode, decode.returncode, took.returncode), "ids": ids, "events": events, "body": body,
                "errors": errors}


def save(work, name, data):
    path = work / name
    path.write_bytes(data if isinstance(data, bytes) else data.encode("utf-8", "surrogateescape"))
    return path


def is_help(error):
    """True for one line: the file's kind, and after a semicolon the fix."""
    return error.count("\n") == 1 and re.match(r"splitproof: FILE(:\d+)?: (is|has|holds|begins) [^;]+; .+\n", error)


def same_stream(body, stream):
    """True if no more than a blank line at the end differs."""
    return body is not None and body.rstrip(b"\n") == stream.encode().rstrip(b"\n")


def helps(got):
    return got["codes"] == (2, 2, 2) and all(map(is_help, got["errors"])) and len(set(got["errors"])) == 1


def can_encode(name, stream):
    """True if the encoding keeps every byte of the stream, and most lines of that are JSON."""
    lost = {"typographic": r"[\u201c\u201d\u201e]", "spaces": r"(?m)[\u00a0\u202f]|^data:\S", "nested": r"(?m)^(?!data: |event: |$)|^data: *$",
            "mis-decoded-bom": r"[^\x00-\x7f]", "percent": r"$^"}.get(name, r"$^")
    objects = re.findall(r"(?m)^data: ?(\{.*)$", stream)
    return not re.search(lost, stream) and len(objects) > 1 and all(map(is_json, objects)) and stream.endswith("\n\n")


def is_json(text):
    try:
        return json.loads(text) is not None
    except ValueError:
        return False


def try_one(program, seed, found):
    """Returns the fault of the file that `seed` makes, and a description of the file."""
    rng = random.Random(seed)
    work = pathlib.Path(tempfile.mkdtemp(dir=program.work))
    protocol, recording, whole = rng.choice(found)
    stream = damaged(whole, rng)
    kind = rng.choice(("wrapped",) * 6 + ("cut",) * 3 + ("tail",) * 2 + ("packed", "encoded", "encoded", "hopeless", "hopeless"))
    name = rng.choice(sorted({"packed": PACKED, "hopeless": HOPELESS, "encoded": ENCODED, "tail": TAILS}.get(kind, WRAPPERS)))
    what = f"{kind} {name} of {protocol}/{recording}"
    if kind in ("packed", "encoded"):
        if kind == "encoded":
            stream = stream if can_encode(name, stream) else whole
            if not can_encode(name, stream):
                return what, None
        file = PACKED[name](stream.encode()) if kind == "packed" else ENCODED[name](stream, rng)
        got = program.read(save(work, "file", file), protocol)
        if not helps(got):
            return what, f"no help: {got['codes']} {got['errors']}"
        line = re.search(r": ((?:\S*gzip|bzip2|xz|python3|sed|iconv|tar) .*?stream\.sse)", got["errors"][0])
        if not line:
            return what, "no command: " + got["errors"][0]
        if shutil.which(line[1].split()[0]):
            subprocess.run(line[1].replace("FILE", "file"), shell=True, cwd=work, check=True, timeout=60)
            made = (work / "stream.sse").read_bytes().removeprefix(b"\xef\xbb\xbf")
            if made != stream.encode():
                return what, "the command does not give the stream: " + line[1]
        return what, None
    if kind == "hopeless":
        stream = stream if stream.count("\n\n") > 2 and stream.endswith("\n\n") else whole
        got = program.read(save(work, "file", HOPELESS[name](stream, rng)), protocol)
        return what, None if helps(got) else f"no help: {got['codes']} {got['ids']} {got['errors']}"
    if not stream.endswith("\n\n") and name in ("python-log", "python-list", "json-lines", "program"):
        stream = stream[:stream.rindex("\n\n") + 2]  # these consist of whole events
    if kind == "tail" and not stream.endswith("\n\n"):
        stream = whole
    text = {**WRAPPERS, **TAILS}[name](stream, rng)
    data = text.encode("utf-8", "surrogateescape")
    if kind == "cut":
        data = data[:rng.randrange(1, len(data))]
    got = program.read(save(work, "file", data), protocol)
    if helps(got):
        # A truncated stream may look like a cut capture, and a stream of two events unlike a log.
        whole_stream = kind in ("wrapped", "tail") and stream.endswith("\n\n") and stream.count("\n\n") > 2
        return what, "no stream is found: " + got["errors"][0] if whole_stream else None
    if 2 in got["codes"] or got["body"] is None:
        return what, f"the commands differ: {got['codes']} {got['errors']}"
    taken = [error for error in got["errors"] if "found the event stream inside" in error]
    if kind in ("wrapped", "tail") and not same_stream(got["body"].removeprefix(b"\xef\xbb\xbf"), stream):
        return what, f"another stream: {got['body']!r}, not {stream!r}"
    if kind == "cut" and not stream.encode().startswith(got["body"].removeprefix(b"\xef\xbb\xbf").rstrip(b"\n")):
        return what, f"no beginning of the stream: {got['body']!r}"
    # its lines cut events by themselves
    shows_cut = name in COPIED and not (name == "json-lines" and data.endswith(b"\n"))
    if kind == "cut" and shows_cut and taken and stream.endswith("\n\n") and not got["body"].endswith(b"\n\n"):
        return what, f"a capture that is cut inside an event is judged: {got['body']!r}"
    if name != "bom" and len(taken) != 3 and got["body"] != data:
        return what, f"not told: {got['errors']}"
    naked = program.read(save(work, "naked", stream if kind in ("wrapped", "tail") and got["body"] is not None and
                              not got["errors"][0].count("adds the blank line") else got["body"]), protocol)
    for part in ("ids", "events"):
        if naked[part] != got[part]:
            return what, f"{part} of the naked stream: {naked[part]}, of the file: {got[part]}"
    return what, None


def main(program, root, count=260, seed=None):
    seed = int(seed) if seed is not None else random.randrange(10 ** 6)
    found = bodies(pathlib.Path(root))
    assert len(found) > 60 and {one[0] for one in found} == set(PROTOCOLS), len(found)
    failures, kinds = 0, set()
    with tempfile.TemporaryDirectory() as work:
        runner = Program(os.path.abspath(program), work)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            seeds = range(seed, seed + int(count))
            for one, (what, wrong) in zip(seeds, pool.map(lambda one: try_one(runner, one, found), seeds)):
                kinds.add(what.split(" of ")[0])
                if wrong:
                    failures += 1
                    print(f"seed {one}: {what}: {wrong[:600]}")
    print(f"{count} files from seed {seed}, {len(kinds)} kinds, {failures} wrong")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
