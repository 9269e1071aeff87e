"""Passes Anthropic Messages on to an upstream at a fixed port: hard_wired.py UPSTREAM_PORT"""
import http.server
import os
import sys
import urllib.error
import urllib.request


class Relay(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        if self.path != "/v1/messages":
            self.send_error(404)
            return
        try:
            request = urllib.request.Request(f"http://127.0.0.1:{sys.argv[1]}/v1/messages", body,
                                             {"content-type": "application/json"})
            with urllib.request.urlopen(request) as answer:
                self.send_response(200)
                self.send_header("content-type", "text/event-stream")
                self.end_headers()
                self.wfile.write(answer.read())
        except urllib.error.URLError as error:
            self.send_error(502, f"upstream 127.0.0.1:{sys.argv[1]}: {error.reason}")

    def log_message(self, *_):
        pass


http.server.ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Relay).serve_forever()
