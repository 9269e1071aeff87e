"""Reads a chat of Ollama, one JSON object a line, with the HTTP client of Python. Bugs: read, latin, stop, arguments."""
import http.client
import json
import sys
import urllib.parse

BUG = sys.argv[1] if len(sys.argv) > 1 else ""


def write(line):
    print(json.dumps(line), flush=True)


def lines(response):
    """Yields each line. A read may end anywhere."""
    rest = b""
    while read := response.read1(65536):
        if BUG == "read":
            yield from read.split(b"\n")
            continue
        *whole, rest = (rest + read).split(b"\n")
        yield from whole
    yield rest


def read(answer, url):
    """Fills the answer."""
    place = urllib.parse.urlsplit(url)
    connection = http.client.HTTPConnection(place.netloc, timeout=20)
    connection.request("POST", place.path + "/api/chat", body="{}", headers={"content-type": "application/json"})
    response = connection.getresponse()
    if response.status != 200:
        raise RuntimeError(f"status {response.status}")
    done = False
    for line in lines(response):
        if not line.strip():
            continue
        part = json.loads(line.decode("latin-1" if BUG == "latin" else "utf-8"))
        if "error" in part:
            raise RuntimeError(part["error"])
        message = part.get("message", {})
        answer["text"] += message.get("content") or ""
        answer["thinking"] += message.get("thinking") or ""
        for call in message.get("tool_calls") or []:
            function = call["function"]
            arguments = {} if BUG == "arguments" else function["arguments"]
            answer["calls"].append({"id": call.get("id"), "name": function["name"], "arguments": json.dumps(arguments)})
        write({"told": {"text": answer["text"]}})
        if part.get("done"):
            done = True
            answer["stop"] = "stop" if BUG == "stop" else part.get("done_reason")
            answer["usage"] = {"input": part.get("prompt_eval_count"), "output": part.get("eval_count")}
    if not done:
        raise RuntimeError("the stream broke off")


for asked in sys.stdin:
    answer = {"text": "", "thinking": "", "calls": [], "stop": None, "usage": None, "error": None}
    try:
        read(answer, json.loads(asked)["read"]["url"])
    except Exception as error:
        answer["error"] = str(error) or type(error).__name__
    write({"answer": answer})
