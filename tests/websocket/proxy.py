#!/usr/bin/env python3
"""A small proxy for Responses. Each side speaks WebSocket or HTTP. It can have one planted bug.

usage: proxy.py PORT UPSTREAM_PORT [--client http] [--upstream http] [--bug NAME]

BUGS at the end lists the names. Without a bug it is sound: the control for each of them.
"""
import argparse
import json
import os
import socket
import sys
import threading

from frames import (BINARY, CLOSE, PING, PONG, TEXT, Buffer, Gone, Messages, accept_of, asking_head, frame)

PATH = "/v1/responses"
LAST = ("response.completed", "response.incomplete", "response.failed", "error")
SILENCE = 3.0  # seconds without an event until it gives up its upstream

BUGS = {
    "close-as-success": "passes a close of the upstream in mid-answer on as a normal close",
    "ping-resets-watchdog": "waits without end for an upstream that sends pings",
    "mixed": "begins each answer with the last text of the answer before",
    "fragment-lost": "drops all fragments of a message but the first",
    "mask-kept": "unmasks all frames of a connection with the mask of the first",
    "compression": "accepts compression that nobody offered",
    "data-after-close": "sends an event after its close frame",
    "refusal-404": "refuses the handshake with 404",
    "wrong-accept": "answers the handshake with the client's key itself",
    "binary-event": "sends events as binary messages",
    "unmasked": "does not mask frames to its upstream",
    "no-pong": "ignores pings of its upstream",
    "reserved-bit": "sets a reserved bit, as if it compressed",
    "long-length": "writes the length of short frames in two bytes",
    "short-length": "reads only the low 16 bits of a length in eight bytes",
    "header-in-one-read": "expects the header of a frame in one read",
    "nothing-after-first": "answers only the first request of a connection",
}


class OneReadBuffer(Buffer):
    """Takes what one read returns for the header."""

    def read(self, count):
        if count == 2 and not self.bytes:
            self.more()
            if len(self.bytes) < 2:
                raise Gone
        return super().read(count)


class Upstream:
    """Asks the upstream, and yields the data of each event."""

    def __init__(self, options, headers):
        self.options = options
        self.headers = headers
        self.messages = None

    def bug(self, name):
        return self.options.bug == name

    def connect(self):
        sock = socket.create_connection(("127.0.0.1", self.options.upstream_port))
        sock.settimeout(SILENCE)
        return sock

    def answer(self, body):
        if self.options.upstream == "http":
            yield from self.over_http(body)
        else:
            yield from self.over_socket(body)

    def over_http(self, body):
        text = json.dumps({**body, "stream": True}, ensure_ascii=False).encode()
        sock = self.connect()
        lines = [f"POST {PATH} HTTP/1.1", "Host: upstream", "Content-Type: application/json", *self.headers,
                 f"Content-Length: {len(text)}", "Connection: close"]
        sock.sendall(("\r\n".join(lines) + "\r\n\r\n").encode() + text)
        buffer = Buffer(sock)
        first, fields = buffer.head()
        status = int(first.split()[1])
        if status != 200:
            rest = buffer.read(int(fields.get("content-length", "0")))
            yield json.dumps({"type": "error", "status": status, "error": json.loads(rest)["error"]}).encode()
            return
        pending = b""
        while True:
            size = int(self.line(buffer), 16)
            if size == 0:
                raise Gone
            pending += buffer.read(size)
            buffer.read(2)
            while b"\n\n" in pending:
                event, pending = pending.split(b"\n\n", 1)
                data = b"\n".join(line[6:] for line in event.split(b"\n") if line.startswith(b"data: "))
                if data and data != b"[DONE]":
                    yield data

    @staticmethod
    def line(buffer):
        while b"\r\n" not in buffer.bytes:
            buffer.more()
        line, buffer.bytes = buffer.bytes.split(b"\r\n", 1)
        return line

    def over_socket(self, body):
        if self.messages is None:
            sock = self.connect()
            head, key = asking_head(f"127.0.0.1:{self.options.upstream_port}", PATH, self.headers)
            sock.sendall(head)
            buffer = OneReadBuffer(sock) if self.bug("header-in-one-read") else Buffer(sock)
            first, fields = buffer.head()
            if " 101 " not in first or fields["sec-websocket-accept"] != accept_of(key):
                raise Gone
            self.messages = Messages(buffer, loses_fragments=self.bug("fragment-lost"),
                                     short_length=self.bug("short-length"))
        self.send(TEXT, json.dumps({"type": "response.create", **body}, ensure_ascii=False).encode())
        watchdog = threading.Timer(SILENCE, self.give_up)
        watchdog.start()
        try:
            while True:
                opcode, payload = self.messages.next()
                if opcode == PING:
                    if not self.bug("no-pong"):
                        self.send(PONG, payload)
                    if not self.bug("ping-resets-watchdog"):
                        continue
                watchdog.cancel()
                watchdog = threading.Timer(SILENCE, self.give_up)
                watchdog.start()
                if opcode == CLOSE:
                    self.send(CLOSE, payload)
                    raise Gone
                if opcode in (TEXT, BINARY):
                    yield payload
        finally:
            watchdog.cancel()

    def give_up(self):
        try:
            self.messages.buffer.sock.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass

    def send(self, opcode, payload):
        self.messages.buffer.sock.sendall(
            frame(opcode, payload, mask=None if self.bug("unmasked") else os.urandom(4)))

    def close(self):
        if self.messages is not None:
            self.messages.buffer.sock.close()


class Client:
    """Serves one connection of a client."""

    def __init__(self, sock, options):
        self.sock = sock
        self.options = options
        self.buffer = Buffer(sock)
        self.last_text = None

    def bug(self, name):
        return self.options.bug == name

    def serve(self):
        first, fields = self.buffer.head()
        keys = [f"{name}: {fields[name]}" for name in ("authorization",) if name in fields]
        self.upstream = Upstream(self.options, keys)
        try:
            if fields.get("upgrade", "").lower() == "websocket" and self.options.client == "websocket":
                self.serve_socket(fields)
            elif first.startswith("POST"):
                self.serve_post(fields)
            else:
                status = "404 Not Found" if self.bug("refusal-404") or "upgrade" not in fields else "426 Upgrade Required"
                self.sock.sendall(f"HTTP/1.1 {status}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".encode())
        finally:
            self.upstream.close()

    def events(self, body):
        """Yields the events of the answer; the last one is an error if the upstream breaks off."""
        try:
            for data in self.upstream.answer(body):
                yield data
                try:
                    if json.loads(data)["type"] in LAST:
                        return
                except (ValueError, TypeError, KeyError):
                    pass
        except (Gone, OSError):
            if self.bug("close-as-success"):
                return
            yield json.dumps({"type": "error", "status": 502, "sequence_number": 99,
                              "error": {"type": "server_error", "code": "upstream_gone", "param": None,
                                        "message": "The upstream broke off."}}).encode()

    def serve_post(self, fields):
        body = json.loads(self.buffer.read(int(fields["content-length"])))
        body.pop("stream", None)
        self.sock.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n"
                          b"Connection: close\r\n\r\n")
        for data in self.events(body):
            text = b"event: %s\ndata: %s\n\n" % (json.loads(data)["type"].encode(), data)
            self.sock.sendall(b"%x\r\n%s\r\n" % (len(text), text))
        self.sock.sendall(b"0\r\n\r\n")

    def accepting_head(self, key):
        lines = ["HTTP/1.1 101 Switching Protocols", "Upgrade: websocket", "Connection: Upgrade",
                 "Sec-WebSocket-Accept: " + (key if self.bug("wrong-accept") else accept_of(key))]
        if self.bug("compression"):
            lines.append("Sec-WebSocket-Extensions: permessage-deflate")
        return ("\r\n".join(lines) + "\r\n\r\n").encode()

    def send(self, opcode, payload):
        self.sock.sendall(frame(opcode, payload, reserved=4 if self.bug("reserved-bit") and opcode == TEXT else 0,
                                long_form=self.bug("long-length")))

    def serve_socket(self, fields):
        self.sock.sendall(self.accepting_head(fields["sec-websocket-key"]))
        messages = Messages(self.buffer, keeps_mask=self.bug("mask-kept"))
        count = 0
        while True:
            opcode, payload = messages.next()
            if opcode == PING:
                self.send(PONG, payload)
            elif opcode == CLOSE:
                self.send(CLOSE, payload)
                if self.bug("data-after-close"):
                    self.send(TEXT, b'{"type":"response.created"}')
                return
            elif opcode in (TEXT, BINARY):
                count += 1
                if self.bug("nothing-after-first") and count > 1:
                    continue
                try:
                    body = json.loads(payload)
                    body.pop("type")
                except (ValueError, AttributeError, KeyError):
                    self.send(CLOSE, b"\x03\xef" + b"no request")  # 1007
                    return
                if not self.answer(body):
                    return

    def answer(self, body):
        last = None
        before = self.last_text
        for data in self.events(body):
            last = data
            self.send(BINARY if self.bug("binary-event") else TEXT, data)
            if self.bug("mixed") and before is not None and b"response.created" in data:
                self.send(TEXT, before)
            if b"output_text.delta" in data:
                self.last_text = data
        if self.bug("close-as-success") and (last is None or json.loads(last)["type"] not in LAST):
            self.send(CLOSE, b"\x03\xe8")
            return False
        return True


def serve(sock, options):
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    try:
        Client(sock, options).serve()
    except (Gone, OSError):
        pass
    finally:
        sock.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("port", type=int)
    parser.add_argument("upstream_port", type=int)
    parser.add_argument("--client", choices=["http", "websocket"], default="websocket")
    parser.add_argument("--upstream", choices=["http", "websocket"], default="websocket")
    parser.add_argument("--bug", choices=sorted(BUGS))
    options = parser.parse_args()
    listener = socket.create_server(("127.0.0.1", options.port))
    while True:
        sock, _ = listener.accept()
        threading.Thread(target=serve, args=(sock, options), daemon=True).start()


if __name__ == "__main__":
    sys.exit(main())
