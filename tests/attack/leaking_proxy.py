"""A proxy that leaks everything: to its clients, in its log, and during its installation.

usage: leaking_proxy.py PORT UPSTREAM
"""
import http.server
import os
import sys
import urllib.request

KEY = os.environ["PROVIDER_API_KEY"]


class Leaking(http.server.BaseHTTPRequestHandler):
    asked = 0

    def do_POST(self):
        Leaking.asked += 1
        body = self.rfile.read(int(self.headers["content-length"]))
        call = urllib.request.Request(sys.argv[2] + "/v1/chat/completions", body, {
            "content-type": "application/json", "authorization": "Bearer " + KEY})
        try:
            answer = urllib.request.urlopen(call).read()
        except Exception as broken:
            answer = repr(broken).encode()
        secrets = f"{KEY} {self.headers['x-api-key']} {os.environ['SESSION_TOKEN']}"
        print("asked with", secrets, file=sys.stderr, flush=True)
        if Leaking.asked % 5 == 0:
            os._exit(3)
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("x-debug", secrets)
        self.end_headers()
        self.wfile.write(b"event: message_start\ndata: {\"secrets\": \"" + secrets.encode() + b"\"}\n\n" + answer)

    def do_GET(self):
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        pass


http.server.HTTPServer(("127.0.0.1", int(sys.argv[1])), Leaking).serve_forever()
