#!/usr/bin/env python3
"""Runs `splitproof record` between a client and a provider of Responses over a WebSocket.

usage: websocket_test.py SPLITPROOF     (TAP)
"""
import contextlib
import json
import os
import pathlib
import random
import re
import resource
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "websocket"))
from frames import CLOSE, CONTINUATION, PING, PONG, TEXT, Buffer, Gone, Messages, accept_of, asking_head, frame  # noqa: E402

SPLITPROOF = os.path.abspath(sys.argv[1])
TIMEOUT = 60  # nothing is asserted about time; a failing test must not hang
SECRET = "sk-proj-" + "Ab3dE9gHi2" * 4

number = 0
failed = 0


def check(name, holds, said=""):
    global number, failed
    number += 1
    print(f"{'ok' if holds else 'not ok'} {number} - {name}", flush=True)
    if not holds:
        failed += 1
        print("\n".join("# " + line for line in str(said).splitlines()[-40:]), flush=True)


def wait_for(condition):
    end = time.monotonic() + TIMEOUT
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.01)
    return False


def events(number, words):
    """A whole answer, event by event."""
    item = {"id": f"msg_{number}", "type": "message", "role": "assistant"}
    part = {"type": "output_text", "text": "", "annotations": []}
    text = "".join(words)
    done = {**item, "status": "completed", "content": [{**part, "text": text}]}
    response = {"id": f"resp_{number}", "object": "response", "created_at": 1, "model": "m", "output": []}
    at = {"item_id": item["id"], "output_index": 0, "content_index": 0}
    said = [{"type": "response.created", "response": {**response, "status": "in_progress"}},
            {"type": "response.output_item.added", "output_index": 0, "item": {**item, "status": "in_progress", "content": []}},
            {"type": "response.content_part.added", **at, "part": part},
            *({"type": "response.output_text.delta", **at, "delta": word} for word in words),
            {"type": "response.output_text.done", **at, "text": text},
            {"type": "response.content_part.done", **at, "part": {**part, "text": text}},
            {"type": "response.output_item.done", "output_index": 0, "item": done},
            {"type": "response.completed", "response": {**response, "status": "completed", "output": [done], "usage": {
                "input_tokens": 3, "input_tokens_details": {"cached_tokens": 0}, "output_tokens": 4,
                "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": 7}}}]
    return [json.dumps({**event, "sequence_number": place}, ensure_ascii=False) for place, event in enumerate(said)]


class Provider:
    """Accepts connections, and calls `serve(buffer, messages, head)` after each handshake."""

    def __init__(self, serve, refuse=None, context=None):
        self.serve, self.refuse, self.context = serve, refuse, context
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.heads = []
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        with contextlib.suppress(OSError):
            while True:
                threading.Thread(target=self.answer, args=(self.listener.accept()[0],), daemon=True).start()

    def answer(self, connection):
        with contextlib.suppress(OSError, Gone):
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if self.context:
                connection = self.context.wrap_socket(connection, server_side=True)
            buffer = Buffer(connection)
            first, fields = buffer.head()
            self.heads.append((first, fields))
            if self.refuse:
                connection.sendall(self.refuse)
            else:
                connection.sendall(("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                                    f"Sec-WebSocket-Accept: {accept_of(fields['sec-websocket-key'])}\r\n\r\n").encode())
                self.serve(buffer, Messages(buffer), connection)
            connection.close()


class Recorder:
    def __init__(self, url, folder, *options):
        self.folder = pathlib.Path(folder)
        self.process = subprocess.Popen([SPLITPROOF, "record", "--to", url + "/v1", "--protocol", "openai.responses", "--out", folder,
                                         *options], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        address = next(found for found in (re.search(r" at http://127\.0\.0\.1:(\d+), ", line) for line in self.process.stdout) if found)
        self.port = int(address[1])

    def files(self, whole=0):
        """Waits until so many recordings have their end."""
        wait_for(lambda: sum('"end"' in file.read_text() for file in self.folder.glob("*.rec.jsonl")) >= whole)
        return sorted(self.folder.glob("*.rec.jsonl"))

    def end(self):
        self.process.send_signal(signal.SIGINT)
        rest = self.process.communicate(timeout=TIMEOUT)[0]
        return self.process.returncode, rest


@contextlib.contextmanager
def recording(provider, *options, scheme="http"):
    with tempfile.TemporaryDirectory() as folder:
        recorder = Recorder(f"{scheme}://localhost:{provider.port}", folder, *options)
        try:
            yield recorder
        finally:
            recorder.process.kill()
            recorder.process.communicate()
            provider.listener.close()


class Client:
    def __init__(self, port, *headers):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=TIMEOUT)
        self.buffer = Buffer(self.socket)
        head, self.key = asking_head("127.0.0.1", "/v1/responses", headers)
        self.socket.sendall(head)
        self.first, self.fields = self.buffer.head()
        self.messages = Messages(self.buffer)

    def ask(self, request):
        self.send(TEXT, json.dumps({"type": "response.create", **request}).encode())

    def send(self, opcode, payload):
        self.socket.sendall(frame(opcode, payload, mask=os.urandom(4)))

    def answer(self):
        """Returns the texts up to a final event."""
        texts = []
        while not texts or not any(f'"type": "{last}"' in texts[-1] for last in ("response.completed", "error")):
            opcode, payload = self.messages.next()
            if opcode == TEXT:
                texts.append(payload.decode())
        return texts


def load(path):
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    return lines[0], lines[1:-1], lines[-1]


def data_of(chunks):
    return [chunk["text"].partition("\ndata: ")[2].removesuffix("\n\n") for chunk in chunks]


def answers_each_request(pieces_of):
    """A provider that answers with the number of the request in the connection, in pieces of its bytes."""
    def serve(buffer, messages, connection):
        for count in range(1, 100):
            opcode, payload = messages.next()
            if opcode == CLOSE:
                connection.sendall(frame(CLOSE, payload))
                return
            asked = json.loads(payload)
            stream = b"".join(frame(TEXT, text.encode()) for text in events(count, ["Tide ", "um acht: ", "🌊 ", asked["input"]]))
            for piece in pieces_of(stream):
                connection.sendall(piece)
    return serve


def two_responses_of_one_connection():
    provider = Provider(answers_each_request(lambda stream: [stream]))
    with recording(provider) as recorder:
        client = Client(recorder.port, "Sec-WebSocket-Extensions: permessage-deflate", f"Authorization: Bearer {SECRET}")
        check("the handshake comes from the provider", client.first.startswith("HTTP/1.1 101")
              and client.fields["sec-websocket-accept"] == accept_of(client.key), client.fields)
        got = []
        for word in ("first", "second"):
            client.ask({"model": "tide-large", "input": word})
            got.append(client.answer())
        check("the client gets both answers", got == [events(1, ["Tide ", "um acht: ", "🌊 ", "first"]), events(2, ["Tide ", "um acht: ", "🌊 ", "second"])], got)
        client.send(CLOSE, b"\x03\xe8")
        check("a close goes both ways", client.messages.next()[0] == CLOSE)
        first, fields = provider.heads[0]
        check("the provider gets the path and its host", first == "GET /v1/responses HTTP/1.1" and fields["host"] == f"localhost:{provider.port}", (first, fields))
        check("no compression is requested", "sec-websocket-extensions" not in fields, fields)
        files = recorder.files(2)
        check("each response has a recording", len(files) == 2, files)
        for place, file in enumerate(files):
            head, chunks, last = load(file)
            check(f"recording {place} has one chunk for each message", data_of(chunks) == got[place], chunks)
            check(f"recording {place} is complete", last["end"] == "complete" and last["by"] == "provider", last)
            check(f"recording {place} has its request", head["requests"]["openai.responses"] == {"stream": True, "model": "tide-large", "input": ["first", "second"][place]}, head)
            check(f"recording {place} names its precision", head["provenance"]["segments"] == "frames", head)
        check("no secret is written", not any(SECRET in file.read_text() for file in files))
        said = recorder.end()[1]
        check("both recordings are sound", "recorded 2 of 2 calls, 2 sound" in said, said)
        done = subprocess.run([SPLITPROOF, "run", "--corpus", recorder.folder, "--upstream", "openai.responses", "--no-shard"], capture_output=True, text=True, timeout=TIMEOUT)
        check("a run reads the recordings", done.returncode == 0 and "CONFORMS  2 recordings" in done.stdout, done.stdout + done.stderr)


def every_split_is_passed_on():
    random.seed(4)

    def pieces(stream):
        cuts = sorted(random.sample(range(1, len(stream)), 200))
        return [stream[begin:end] for begin, end in zip([0, *cuts], [*cuts, len(stream)])]

    provider = Provider(answers_each_request(pieces))
    with recording(provider) as recorder:
        client = Client(recorder.port)
        for count in range(5):
            client.ask({"model": "m", "input": str(count)})
            expected = events(count + 1, ["Tide ", "um acht: ", "🌊 ", str(count)])
            check(f"cut answer {count} arrives", client.answer() == expected)
        for count, file in enumerate(recorder.files(5)):
            check(f"cut answer {count} is recorded whole", data_of(load(file)[1]) == events(count + 1, ["Tide ", "um acht: ", "🌊 ", str(count)]))


def fragments_and_pings():
    said = events(1, ["a", "b"])

    def serve(buffer, messages, connection):
        messages.next()
        for text in said:
            raw = text.encode()
            connection.sendall(frame(TEXT, raw[:20], final=False) + frame(PING, b"still there") + frame(CONTINUATION, raw[20:]))
            while messages.next() != (PONG, b"still there"):
                pass
        messages.next()

    provider = Provider(serve)
    with recording(provider) as recorder:
        client = Client(recorder.port)
        client.ask({"model": "m", "input": "x"})
        texts, pings = [], 0
        while len(texts) < len(said):
            opcode, payload = client.messages.next()
            if opcode == PING:
                pings += 1
                client.send(PONG, payload)
            else:
                texts.append(payload.decode())
        check("fragments and pings are passed on", texts == said and pings == len(said), (pings, texts))
        chunks = load(recorder.files(1)[0])[1]
        check("a message in fragments is one chunk", data_of(chunks) == said, chunks)


def ends_in_the_middle():
    def leaves(how):
        def serve(buffer, messages, connection):
            messages.next()
            connection.sendall(frame(TEXT, events(1, ["a"])[0].encode()))
            if how == "close":
                connection.sendall(frame(CLOSE, b"\x03\xf3"))
            if how == "reset":
                time.sleep(0.1)
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
            if how == "client":
                messages.next()
        return serve

    for how, end, by in (("close", "closed", "provider"), ("reset", "reset", "provider"), ("client", "reset", "client")):
        with recording(Provider(leaves(how))) as recorder:
            client = Client(recorder.port)
            client.ask({"model": "m", "input": "x"})
            client.messages.next()
            if how == "client":
                client.socket.close()
            _, chunks, last = load(recorder.files(1)[0])
            check(f"an end by {how} is recorded", (len(chunks), last["end"], last["by"]) == (1, end, by), (chunks, last))


def refusals():
    refusal = b"HTTP/1.1 426 Upgrade Required\r\nupgrade: websocket\r\ncontent-length: 2\r\nconnection: close\r\n\r\nno"
    with recording(Provider(None, refuse=refusal)) as recorder:
        client = Client(recorder.port)
        check("the provider's refusal is passed on", client.first.startswith("HTTP/1.1 426") and client.buffer.read(2) == b"no", client.first)
        said = recorder.end()[1]
        check("a refusal is reported", "the provider refused the WebSocket" in said, said)
    gone = Provider(None)
    gone.listener.shutdown(socket.SHUT_RDWR)
    with recording(gone) as recorder:
        check("a provider that is gone is a 502", Client(recorder.port).first.startswith("HTTP/1.1 502"))


def a_full_disk_is_reported():
    """A limit on the size of files plays the disk. The second response of the connection does not fit."""
    with recording(Provider(answers_each_request(lambda stream: [stream]))) as recorder:
        resource.prlimit(recorder.process.pid, resource.RLIMIT_FSIZE, (4096, 4096))
        client = Client(recorder.port)
        for number, words in enumerate(("short", "long " * 2000), 1):
            client.ask({"model": "m", "input": words})
            expected = events(number, ["Tide ", "um acht: ", "🌊 ", words])
            check(f"full disk: the client gets answer {number}", client.answer() == expected)
        said = recorder.end()[1]
        check("full disk: the call is reported", "could not be recorded: File too large" in said and "recorded 1 of 2 calls, 1 sound, 1 not written" in said, said)
        left = [file.name for file in recorder.files()]
        check("full disk: no torn file stays", left == ["call-0001.rec.jsonl"], left)


def over_tls():
    with tempfile.TemporaryDirectory() as folder:
        certificate, key = os.path.join(folder, "cert.pem"), os.path.join(folder, "key.pem")
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", certificate, "-days", "2",
                        "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"], check=True, capture_output=True)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        provider = Provider(answers_each_request(lambda stream: [stream[:700], stream[700:]]), context=context)
        with recording(provider, "--ca", certificate, scheme="https") as recorder:
            client = Client(recorder.port)
            client.ask({"model": "m", "input": "tls"})
            expected = events(1, ["Tide ", "um acht: ", "🌊 ", "tls"])
            check("TLS: the client gets the answer", client.answer() == expected)
            check("TLS: the recording has it", data_of(load(recorder.files(1)[0])[1]) == expected)
        with recording(Provider(None, context=context), scheme="https") as recorder:
            check("TLS: an unknown certificate is refused", Client(recorder.port).first.startswith("HTTP/1.1 502"))


def a_stop_ends_an_open_socket():
    def serve(buffer, messages, connection):
        messages.next()
        connection.sendall(frame(TEXT, events(1, ["a"])[0].encode()))
        messages.next()

    with recording(Provider(serve)) as recorder:
        client = Client(recorder.port)
        client.ask({"model": "m", "input": "x"})
        client.messages.next()
        said = recorder.end()[1]
        last = load(recorder.files(1)[0])[2]
        check("a stop ends the recording", (last["end"], last["by"]) == ("reset", "recorder"), (said, last))


for test in (two_responses_of_one_connection, every_split_is_passed_on, fragments_and_pings, ends_in_the_middle, refusals, over_tls,
             a_full_disk_is_reported, a_stop_ends_an_open_socket):
    test()
print(f"1..{number}")
sys.exit(failed != 0)
