# A test of the smallest upstream stream that shows a bug of a translator.
#
# @RULE@: @SAYS@
# Found: @MESSAGE@
# Made by splitproof shrink of @CASE@.

@WITH_BYTES@import base64
import json
import re
import threading
import time
import unittest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


# FILL IN: have your translator answer this request, with `upstream` ("http://127.0.0.1:PORT") as its provider, and return
# the body of its answer as bytes.
def translate(upstream, request):
    raise NotImplementedError("fill in translate()")
# END


REQUEST = @REQUEST@

# What the provider sends, one write each.
CHUNKS = [
@CHUNKS@
]

# What has to come out of it.
EXPECTED = @EXPECTED@


def events(body):
    found, event, data = [], None, None
    for line in re.split("\r\n|\n|\r", body):
        field, _, value = line.partition(":")
        value = value[1:] if value.startswith(" ") else value
        if not line:
            if data is not None:
                found.append((event, "\n".join(data)))
            event = data = None
        elif field == "data":
            data = (data or []) + [value]
        elif field == "event":
            event = value
    return found


@READER@


def stated(answer, expected):
    """What the answer says of all that is expected."""
    return {key: stated(answer.get(key, {}), value) if isinstance(value, dict) else answer.get(key)
            for key, value in expected.items()}


class Provider(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        self.rfile.read(int(self.headers.get("content-length", 0)))
        self.send_response(@STATUS@)
        self.send_header("content-type", @CONTENT_TYPE@)
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        for chunk in CHUNKS:
            self.wfile.write(b"%x\r\n%s\r\n" % (len(chunk), chunk))
            self.wfile.flush()
            time.sleep(0.03)
        @ENDING@

    def log_message(self, *ignored):
        pass


class SmallestCase(unittest.TestCase):
    def test_case(self):
        @TITLE@
        self.maxDiff = None
        with ThreadingHTTPServer(("127.0.0.1", 0), Provider) as provider:
            threading.Thread(target=provider.serve_forever, daemon=True).start()
            try:
                body = translate("http://127.0.0.1:%d" % provider.server_port, REQUEST)
            finally:
                provider.shutdown()
@OF_ORDER@        answer, problems = read(events(body.decode("utf-8", "replace")))
@OF_ORDER@        self.assertEqual(problems, [])
@NOT_OF_ORDER@        answer, _ = read(events(body.decode("utf-8", "replace")))
        self.assertEqual(stated(answer, EXPECTED), EXPECTED)


if __name__ == "__main__":
    unittest.main()
