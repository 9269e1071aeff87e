"""Passes streams on as they are, behind a pipe, and asks its upstream for what its client asks for (docs/pipe.md)."""
import json
import sys


def asked(request):
    """What is asked of the upstream for a client's request."""
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
