"""A proxy for clients of Anthropic Messages with an upstream of Chat Completions. It translates text, and has a bug.

    python3 server.py --port PORT --upstream URL
"""
import argparse
import http.client
import json
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

STOP_REASONS = {"stop": "end_turn", "length": "max_tokens"}


def text_of(content):
    return content if isinstance(content, str) else "\n".join(part["text"] for part in content)


def lines_of(response):
    """The lines of the upstream's answer, as soon as they are complete."""
    waiting = ""
    while chunk := response.read1(65536):
        waiting += chunk.decode("utf-8", errors="replace")
        *lines, waiting = waiting.split("\n")
        yield from lines


class Proxy(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        if not asked.get("stream"):
            return self.send_error(400, "ask for a stream")
        messages = [{"role": turn["role"], "content": text_of(turn["content"])} for turn in asked["messages"]]
        request = {"model": asked["model"], "stream": True, "stream_options": {"include_usage": True},
                   "max_tokens": asked["max_tokens"], "messages": messages}
        upstream = http.client.HTTPConnection(urllib.parse.urlsplit(options.upstream).netloc)
        upstream.request("POST", "/v1/chat/completions", json.dumps(request), {"content-type": "application/json"})
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        self.translate(lines_of(upstream.getresponse()), asked["model"])
        self.wfile.write(b"0\r\n\r\n")

    def translate(self, lines, model):
        self.tell("message_start", message={"id": "msg_1", "type": "message", "role": "assistant", "model": model,
                                            "content": [], "stop_reason": None, "stop_sequence": None,
                                            "usage": {"input_tokens": 0, "output_tokens": 0}})
        self.tell("content_block_start", index=0, content_block={"type": "text", "text": ""})
        stop_reason, usage = "end_turn", {}
        for line in lines:
            if not line.startswith("data: {"):
                continue
            chunk = json.loads(line[6:])
            usage = chunk.get("usage") or usage
            for choice in chunk["choices"]:
                if text := choice["delta"].get("content"):
                    self.tell("content_block_delta", index=0, delta={"type": "text_delta", "text": text})
                stop_reason = STOP_REASONS.get(choice.get("finish_reason"), stop_reason)
        self.tell("content_block_stop", index=0)
        self.tell("message_delta", delta={"stop_reason": stop_reason, "stop_sequence": None},
                  usage={"input_tokens": usage.get("prompt_tokens", 0), "output_tokens": usage.get("completion_tokens", 0)})
        self.tell("message_stop")

    def tell(self, event, **members):
        data = f"event: {event}\ndata: {json.dumps({'type': event, **members})}\n\n".encode()
        self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))

    def log_message(self, *_):
        pass


parser = argparse.ArgumentParser()
parser.add_argument("--port", type=int, required=True)
parser.add_argument("--upstream", required=True)
options = parser.parse_args()
ThreadingHTTPServer(("127.0.0.1", options.port), Proxy).serve_forever()
