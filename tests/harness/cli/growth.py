#!/usr/bin/env python3
"""Adds quadratic costs to a small proxy, for requests and streams, and lets `run --growth` find them. A second
proxy does the same work in linear time, and must have no finding, even on a busy machine.

usage: growth.py SPLITPROOF     (TAP)
"""
import json
import multiprocessing
import pathlib
import subprocess
import sys
import tempfile

PROXY = '''
import http.server
import json
import sys
import urllib.request

PORT, UPSTREAM, SQUARE = sys.argv[1], sys.argv[2], set(sys.argv[3].split(","))


def work(of, things):
    """Looks each thing up among all of them, or reads each once."""
    for thing in things if of in SQUARE else ():
        [other for other in things if other.lower() == thing]
    for thing in things:
        json.loads(json.dumps(thing))


def levels(schema):
    while isinstance(schema, dict):
        yield schema.get("type")
        schema = next(iter(schema.get("properties", {}).values()), None)


class Proxy(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        asked = json.loads(body)
        messages = asked["messages"]
        work("tools", [tool["function"]["name"] for tool in asked.get("tools", [])])
        work("messages", [str(n) for n, one in enumerate(messages) if one["role"] != "tool"])
        work("calls in the history", [one["tool_call_id"] for one in messages if one["role"] == "tool"])
        work("parts of a message", [part["text"] for one in messages if isinstance(one["content"], list) for part in one["content"]])
        work("stop sequences", asked.get("stop", []))
        sent = urllib.request.Request(UPSTREAM + "/v1/chat/completions", body, {"content-type": "application/json"})
        with urllib.request.urlopen(sent, timeout=60) as answer:
            self.send_response(200)
            self.send_header("content-type", answer.headers["content-type"])
            self.send_header("transfer-encoding", "chunked")
            self.end_headers()
            whole = self.passed_on(answer)
        said = [line for line in whole.decode().split("\\n") if line.startswith("data: {")]
        choices = [json.loads(line[6:])["choices"] for line in said]
        deltas = [choice[0] for choice in choices if choice]
        work("events of a stream", [str(n) for n, one in enumerate(deltas) if one["delta"].get("content") == "a" and one["index"] == 0])
        work("calls of a stream", [one["delta"]["tool_calls"][0]["id"] for one in deltas if "tool_calls" in one["delta"]])
        work("blocks of a stream", [str(n) for n, one in enumerate(deltas) if "reasoning_content" in one["delta"] or one["delta"].get("content") == "b"])
        work("answers side by side in a stream", [str(one["index"]) for one in deltas if one["index"] > 0])
        self.wfile.write(b"0\\r\\n\\r\\n")

    def passed_on(self, answer):
        """All of the answer, which the client gets as it comes."""
        pieces = []
        while piece := answer.read1(1024):
            pieces.append(piece)
            self.wfile.write(b"%x\\r\\n%s\\r\\n" % (len(piece), piece))
        return b"".join(pieces)

    def log_message(self, *ignored):
        pass


http.server.ThreadingHTTPServer(("127.0.0.1", int(PORT)), Proxy).serve_forever()
'''
TARGET = """target: planted
kind: http
client: openai.chat
upstream: openai.chat
command: [python3, '{folder}/proxy.py', '{{port}}', '{{upstream}}', '{square}']
listen: http://127.0.0.1:{{port}}
request: {{path: /v1/chat/completions, model: any}}
timeout: 60s
"""
SQUARE = {"tools", "blocks of a stream"}


def spin(stop):
    while not stop.is_set():
        sum(range(10000))


def growth(program, folder, square):
    """Returns the run's report of growth, and the run."""
    (folder / "proxy.py").write_text(PROXY)
    (folder / "target.yaml").write_text(TARGET.format(folder=folder, square=",".join(sorted(square)) or "none"))
    ran = subprocess.run([program, "run", "--target", folder / "target.yaml", "--only", "openai.chat/text-plain", "--quick",
                          "--growth", "--report", f"jsonl:{folder / 'report'}"], capture_output=True, text=True, check=False,
                         timeout=280)
    last = json.loads((folder / "report").read_text().splitlines()[-1])
    return last["growth"]["planted"], ran


def main(program):
    print("1..4")
    wrong = 0

    def check(number, right, what, *shown):
        nonlocal wrong
        wrong += not right
        print(f"{'ok' if right else 'not ok'} {number} - {what}")
        if not right:
            print("\n".join("# " + line for text in shown for line in str(text).splitlines()))

    stop = multiprocessing.Event()
    # Other load may hide quadratic growth, so a second attempt counts. It must not invent any.
    for _ in range(2):
        with tempfile.TemporaryDirectory() as name:
            told, ran = growth(program, pathlib.Path(name), SQUARE)
        found = {one["of"] for one in told["square"]}
        if found == SQUARE or not found <= SQUARE:
            break
    check(1, found == SQUARE and told["of_processor"], "the squares are told, and nothing else", found, told, ran.stdout,
          ran.stderr)
    check(2, ran.returncode == 0 and all(f"square of the {one}" in " ".join(ran.stdout.split()) for one in found),
          "it is advice, which the console has", ran.stdout)
    busy = [multiprocessing.Process(target=spin, args=(stop,)) for _ in range(multiprocessing.cpu_count() + 1)]
    for one in busy:
        one.start()
    try:
        with tempfile.TemporaryDirectory() as name:
            told, ran = growth(program, pathlib.Path(name), set())
    finally:
        stop.set()
        for one in busy:
            one.join()
    check(3, told["square"] == [], "the linear twin has no square, on a busy machine", told, ran.stdout)
    much = [of for of, one in told["tried"].items() if one["most"] >= 64]
    check(4, 2 * len(much) >= len(told["tried"]) > 0, "though much was tried", told)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
