"""Ends at once without UPSTREAM_URL; with it, passes Chat Completions on in one piece."""
import http.server
import os
import urllib.request

UPSTREAM = os.environ["UPSTREAM_URL"]


class Relay(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        if self.path != "/chat/completions":
            self.send_error(404)
            return
        request = urllib.request.Request(UPSTREAM + "/chat/completions", body, {"content-type": "application/json"})
        with urllib.request.urlopen(request) as answer:
            self.send_response(200)
            self.send_header("content-type", "text/event-stream")
            self.end_headers()
            self.wfile.write(answer.read())

    def log_message(self, *_):
        pass


http.server.ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "18433"))), Relay).serve_forever()
