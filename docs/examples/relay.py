"""A relay over a pipe: passes streams on unchanged, and sends its client's request unchanged (docs/without-http.md)."""
import json
import sys


def asked(request):
    """Returns the request to the upstream for a client's request."""
    return request


for line in sys.stdin:
    told = json.loads(line)
    if "open" in told:
        print(json.dumps({"ask": {"body": asked(told["open"]["request"])}}))
    elif "feed" in told:
        print(json.dumps({"out": told["feed"]}))
    elif told["end"] != "complete":
        print('{"cut":true}')
    print('{"ack":true}', flush=True)
