"""Serves Chat Completions clients from an Anthropic upstream. PORT and ANTHROPIC_BASE_URL say where.

Planted bug: the finish_reason is always "stop", and [DONE] is missing.
"""
import http.server
import json
import os
import urllib.request


class Proxy(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        if self.path != "/v1/chat/completions":
            self.send_error(404)
            return
        messages = [{"role": m["role"], "content": m["content"]} for m in asked["messages"] if m["role"] != "system"]
        body = json.dumps({"model": asked["model"], "max_tokens": 1000, "stream": True, "messages": messages}).encode()
        request = urllib.request.Request(os.environ["ANTHROPIC_BASE_URL"] + "/v1/messages", body, {
            "content-type": "application/json", "x-api-key": os.environ["ANTHROPIC_API_KEY"], "anthropic-version": "2023-06-01"})
        with urllib.request.urlopen(request) as answer:
            self.send_response(200)
            self.send_header("content-type", "text/event-stream")
            self.end_headers()
            self.send_chunk(asked, {"role": "assistant", "content": ""})
            for line in answer:
                if line.startswith(b"data: {"):
                    delta = json.loads(line[6:]).get("delta", {})
                    if delta.get("type") == "text_delta":
                        self.send_chunk(asked, {"content": delta["text"]})
            self.send_chunk(asked, {}, "stop")

    def send_chunk(self, asked, delta, finish=None):
        chunk = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": asked["model"],
                 "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}
        self.wfile.write(b"data: " + json.dumps(chunk).encode() + b"\n\n")

    def log_message(self, *_):
        pass


http.server.ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Proxy).serve_forever()
