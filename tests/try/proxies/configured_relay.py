"""Passes Chat Completions on. The port is in config.json, the address of the upstream is the first argument.

Planted bug: a read from the upstream that does not end a line is dropped.
"""
import http.client
import http.server
import json
import sys
import urllib.parse


class Relay(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        if not self.path.endswith("/chat/completions"):
            self.send_error(404)
            return
        upstream = http.client.HTTPConnection(urllib.parse.urlsplit(sys.argv[1]).netloc)
        upstream.request("POST", "/v1/chat/completions", body, {"content-type": "application/json"})
        answer = upstream.getresponse()
        self.send_response(answer.status)
        self.send_header("content-type", answer.getheader("content-type", "application/json"))
        self.end_headers()
        while piece := answer.read1(65536):
            if piece.endswith(b"\n"):
                self.wfile.write(piece)

    def log_message(self, *_):
        pass


with open("config.json") as config:
    http.server.ThreadingHTTPServer(("127.0.0.1", json.load(config)["port"]), Relay).serve_forever()
