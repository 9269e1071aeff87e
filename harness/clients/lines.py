"""Reads lines with a library of Python, and puts the lines of an event together as most programs do it:
`lines.py requests|httpx|aiohttp`."""
import asyncio, base64, itertools, json, sys

def write(line):
    print(json.dumps(line), flush=True)

def reads():  # Yields a read when the library asks for it. By then, all events of the last read are reported.
    for line in sys.stdin:
        told = json.loads(line)
        if "end" in told:
            return
        yield base64.b64decode(told["feed"])
        write({"ack": True})

def of_requests():
    import requests
    answer = requests.models.Response()
    answer.raw = type("Raw", (), {"stream": lambda self, size, decode_content: reads()})()
    for line in answer.iter_lines():
        yield line.decode("utf-8", "replace")

def of_httpx():
    import httpx
    body = type("Body", (httpx.SyncByteStream,), {"__iter__": lambda self: reads()})()
    for line in httpx.Response(200, headers={"content-type": "text/event-stream"}, stream=body).iter_lines():
        yield line.removesuffix("\n")

def of_aiohttp():
    import aiohttp
    loop = asyncio.new_event_loop()
    body = aiohttp.StreamReader(aiohttp.base_protocol.BaseProtocol(loop), 1 << 20, loop=loop)
    task = loop.create_task(body.readline())
    for read in itertools.chain(reads(), [None]):
        body.feed_eof() if read is None else body.feed_data(read)
        while not loop.run_until_complete(asyncio.sleep(0)) and task.done() and task.result():
            yield task.result().decode("utf-8", "replace").rstrip("\r\n")
            task = loop.create_task(body.readline())

def events(lines):
    data, kind, last = [], "", None
    for number, line in enumerate(lines):
        name, _, value = line.removeprefix("\ufeff" if number == 0 else "").partition(":")
        value = value.removeprefix(" ")
        if not line and data:
            yield {"event": kind or "message", "data": "\n".join(data), "id": last}
        if not line:
            data, kind = [], ""
        elif name == "data":
            data.append(value)
        elif name == "event":
            kind = value
        elif name == "id" and "\0" not in value:
            last = value

for _ in sys.stdin:  # the line that opens a stream
    write({"ack": True})
    for event in events({"requests": of_requests, "httpx": of_httpx, "aiohttp": of_aiohttp}[sys.argv[1]]()):
        write({"event": event})
    write({"ack": True})  # of the line that ends it
