"""Serves a reader of event streams over the pipe protocol of docs/clients.md. `make` returns a new reader with
feed(bytes, report) and end(report)."""
import base64
import json
import sys


def write(line):
    print(json.dumps(line), flush=True)


def report(kind, data, id):
    write({"event": {"event": kind, "data": data, "id": id}})


def serve(make):
    reader = None
    for line in sys.stdin:
        told = json.loads(line)
        try:
            if "open" in told:
                reader = make()
            elif "feed" in told:
                reader.feed(base64.b64decode(told["feed"]), report)
            else:
                reader.end(report)
        except Exception as error:
            write({"error": str(error)})
        write({"ack": True})
