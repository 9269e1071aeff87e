"""A small relay from Chat Completions to Chat Completions with a pool of upstream connections. Without a fault it
follows RFC 9112. Each fault is a mistake of real proxies.

usage: planted_proxy.py FAULT PORT UPSTREAM
"""
import collections
import json
import select
import socket
import sys
import threading
import time
import urllib.parse

FAULTS = {  # fault: the rule that it violates
    "none": "",
    "no-pool": "",  # opens a connection for each request
    "resends-once": "",  # repeats a request once if a used connection closed at once without a byte
    "unchecked-pool": "CONN-01",  # notices the end of a pooled connection, but not its unread bytes
    # reads until [DONE], returns the connection, and later skips everything before a status line
    "until-done": "CONN-01",
    "shared-buffer": "CONN-01",  # keeps bytes after an answer in a buffer that all connections share
    "bodiless-status": "CONN-01",  # reads a body after 204 and 304
    "beyond-length": "CONN-01",  # keeps bytes after a body with a length for the next answer
    "pipelining": "CONN-01",  # has one connection, and hands out answers in the order of arrival
    "reuse-after-abort": "CONN-01",  # returns a connection in the middle of a body when its client has left
    "last-answer": "CONN-01",  # repeats the last answer if the upstream sends nothing
    "idle-close-502": "CONN-02",  # does not notice the end of a pooled connection
    "takes-408": "CONN-02",  # takes a waiting 408 of a pooled connection for the answer
    "resends-always": "CONN-03",  # repeats a request until it is answered
    "unbounded": "CONN-04",  # keeps interim answers, and bytes after 101, without limit
}
MOST_INTERIM = 50
AT_ONCE = 0.5  # seconds
fault = "none"
upstream = ("127.0.0.1", 0)


class Broken(Exception):
    """The upstream broke off, or sent something other than an answer."""

    def __init__(self, why, silent=False):
        super().__init__(why)
        self.silent = silent  # no byte of the answer came


class Left(Exception):
    """The client left."""


class Upstream:
    """One connection to the upstream, with its received, unused bytes."""
    left_over = bytearray()  # of all connections

    def __init__(self):
        self.socket = socket.create_connection(upstream, timeout=5)
        self.rest = bytearray()
        self.used = False
        self.head = None  # of an answer whose body was not read to its end

    def close(self):
        self.socket.close()

    def fill(self, client=None):
        """Reads more. Meanwhile it notices that the client has left."""
        if client is not None:
            ready, _, _ = select.select([self.socket, client], [], [], 5)
            if client in ready and not client.recv(4096):
                raise Left()
        try:
            got = self.socket.recv(1 << 20)
        except OSError as broken:
            raise Broken(str(broken), not self.rest) from broken
        if not got:
            raise Broken("closed", not self.rest)
        self.rest += got

    def take(self, count):
        taken = bytes(self.rest[:count])
        del self.rest[:count]
        return taken

    def line(self, client=None):
        while b"\n" not in self.rest:
            self.fill(client)
        return self.take(self.rest.index(b"\n") + 1)

    def block(self):
        while b"\r\n\r\n" not in self.rest:
            if fault == "until-done" and self.rest and not b"HTTP/1.1 ".startswith(self.rest[:9]):
                self.skip()
            self.fill()
        return self.take(self.rest.index(b"\r\n\r\n") + 4)

    def skip(self):
        at = self.rest.find(b"HTTP/1.1 ")
        del self.rest[:at if at >= 0 else len(self.rest)]

    def read_head(self):
        if fault == "shared-buffer":
            self.rest[:0] = Upstream.left_over
            Upstream.left_over.clear()
        if self.head is not None:
            head, self.head = self.head, None
            return head
        kept = []
        while True:
            if fault == "until-done":
                while not self.rest:
                    self.fill()
                self.skip()
            block = self.block()
            lines = block.decode("latin-1").split("\r\n")
            words = lines[0].split(" ")
            if len(words) < 2 or not words[0].startswith("HTTP/1.") or not words[1].isdigit():
                raise Broken("no status line")
            fields = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])}
            status = int(words[1])
            if status == 101:
                while fault == "unbounded":
                    self.fill()
                raise Broken("switched protocols")
            if status >= 200:
                return status, fields
            kept.append(block)
            if len(kept) > MOST_INTERIM and fault != "unbounded":
                raise Broken("too many interim answers")

    def body(self, status, fields, client=None):
        """Returns the pieces of the body."""
        bodiless = status in (204, 304) and fault != "bodiless-status"
        if "chunked" in fields.get("transfer-encoding", "") and not bodiless:
            while True:
                try:
                    size = int(self.line(client).split(b";")[0], 16)
                except ValueError as broken:
                    raise Broken("no chunk") from broken
                if size == 0:
                    self.line()
                    return
                while len(self.rest) < size + 2:
                    self.fill(client)
                piece = self.take(size + 2)[:-2]
                yield piece
                if fault == "until-done" and b"[DONE]" in piece:
                    self.rest.clear()
                    return
        elif not bodiless:
            left = int(fields.get("content-length", "0"))
            while left:
                if not self.rest:
                    self.fill(client)
                piece = self.take(min(left, len(self.rest)))
                left -= len(piece)
                yield piece


pool, pool_lock = [], threading.Lock()


def is_usable(connection):
    poll = select.poll()
    poll.register(connection.socket, select.POLLIN | select.POLLRDHUP)
    events = poll.poll(0)
    if not events:
        return True
    if fault in ("unchecked-pool", "until-done"):
        return not events[0][1] & (select.POLLRDHUP | select.POLLHUP | select.POLLERR)
    try:
        waiting = connection.socket.recv(100, socket.MSG_PEEK)
    except OSError:
        return fault == "idle-close-502"
    if fault == "takes-408":
        return waiting.startswith(b"HTTP/1.1 408")
    return fault == "idle-close-502" and not waiting


def connect():
    with pool_lock:
        while pool:
            connection = pool.pop()
            if is_usable(connection):
                connection.used = True
                return connection
            connection.close()
    return Upstream()


def give_back(connection, fields):
    clean = not connection.rest or fault in ("shared-buffer", "until-done")
    if fault == "beyond-length" and "content-length" in fields:
        clean = True
    if fault == "shared-buffer":
        Upstream.left_over += connection.take(len(connection.rest))
    if not clean or fault == "no-pool" or fields.get("connection") == "close":
        return connection.close()
    with pool_lock:
        pool.append(connection)


class Pipeline:
    """One connection for all requests: answers belong to requests by order."""
    lock = threading.Lock()
    connection = None
    waiting, answers = collections.deque(), collections.deque()

    @classmethod
    def ask(cls, request):
        answer = []
        came = threading.Event()
        with cls.lock:
            if cls.answers:
                return cls.answers.popleft()
            if cls.connection is None:
                cls.connection = Upstream()
                threading.Thread(target=cls.read, args=(cls.connection,), daemon=True).start()
            cls.waiting.append((answer, came))
            cls.connection.socket.sendall(request)
        came.wait(5)
        if not answer:
            raise Broken("no answer")
        return answer[0]

    @classmethod
    def read(cls, connection):
        try:
            while True:
                status, fields = connection.read_head()
                whole = status, fields, b"".join(connection.body(status, fields))
                with cls.lock:
                    if cls.waiting:
                        answer, came = cls.waiting.popleft()
                        answer.append(whole)
                        came.set()
                    elif status == 200:
                        cls.answers.append(whole)
                    if fields.get("connection") == "close":
                        raise Broken("the last answer")
        except (Broken, OSError):
            connection.close()
            with cls.lock:
                if cls.connection is connection:
                    cls.connection = None
                for _, came in cls.waiting:
                    came.set()
                cls.waiting.clear()


class Client:
    last = None  # the last answer

    def __init__(self, client):
        self.socket = client
        self.begun = False

    def send(self, data):
        try:
            self.socket.sendall(data)
        except OSError as gone:
            raise Left() from gone

    def answer(self, status, pieces):
        self.begun = True
        self.send(f"HTTP/1.1 {status} X\r\ncontent-type: text/event-stream\r\nconnection: close\r\n"
                  "transfer-encoding: chunked\r\n\r\n".encode())
        body = b""
        for piece in pieces:
            body += piece
            if piece:
                self.send(b"%x\r\n%s\r\n" % (len(piece), piece))
        self.send(b"0\r\n\r\n")
        Client.last = status, body

    def refuse(self, why):
        body = json.dumps({"error": {"type": "upstream", "message": why}}).encode()
        self.send(b"HTTP/1.1 502 Bad Gateway\r\ncontent-type: application/json\r\nconnection: close\r\n"
                  b"content-length: %d\r\n\r\n%s" % (len(body), body))

    def serve(self):
        received = b""
        while b"\r\n\r\n" not in received:
            got = self.socket.recv(65536)
            if not got:
                return
            received += got
        head, _, body = received.partition(b"\r\n\r\n")
        lines = head.decode("latin-1").split("\r\n")
        length = sum(int(line.split(":")[1]) for line in lines if line.lower().startswith("content-length:"))
        while len(body) < length:
            got = self.socket.recv(65536)
            if not got:
                return
            body += got
        method, path, _ = lines[0].split(" ")
        if method != "POST":
            return self.send(b"HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n")
        request = (f"POST {path} HTTP/1.1\r\nhost: {upstream[0]}\r\ncontent-type: application/json\r\n"
                   f"content-length: {len(body)}\r\n\r\n").encode() + body
        try:
            self.relay(request)
        except Broken as broken:
            if not self.begun and fault == "last-answer" and Client.last and broken.silent:
                return self.answer(Client.last[0], [Client.last[1]])
            if not self.begun:
                self.refuse(str(broken))

    def relay(self, request):
        if fault == "pipelining":
            status, _, body = Pipeline.ask(request)
            return self.answer(status, [body])
        tries = 0
        while True:
            tries += 1
            began = time.monotonic()
            try:
                return self.relay_once(request, connect() if tries == 1 else Upstream())
            except Broken as broken:
                at_once = time.monotonic() - began < AT_ONCE
                again = (fault == "resends-always" and tries < 9 or
                         fault == "resends-once" and tries == 1 and self.was_used and at_once)
                if not again or not broken.silent or self.begun:
                    raise

    def relay_once(self, request, connection):
        self.was_used = connection.used
        try:
            try:
                connection.socket.sendall(request)
            except OSError as broken:
                raise Broken(str(broken), True) from broken
            status, fields = head = connection.read_head()
            self.answer(200 if fault == "bodiless-status" and status in (204, 304) else status,
                        connection.body(status, fields, self.socket))
        except Left:
            if fault != "reuse-after-abort" or connection.rest:
                connection.close()
                raise
            connection.head = head
            with pool_lock:
                pool.append(connection)
            raise
        except Broken:
            connection.close()
            raise
        give_back(connection, fields)


def serve(client):
    with client:
        try:
            Client(client).serve()
        except (Left, OSError):
            pass


def main():
    global fault, upstream
    fault, port, url = sys.argv[1:]
    assert fault in FAULTS, fault
    address = urllib.parse.urlsplit(url)
    upstream = (address.hostname, address.port)
    with socket.create_server(("127.0.0.1", int(port)), backlog=64) as listener:
        while True:
            client, _ = listener.accept()
            threading.Thread(target=serve, args=(client,), daemon=True).start()


if __name__ == "__main__":
    main()
