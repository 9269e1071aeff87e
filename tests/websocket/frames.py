"""WebSocket frames and handshakes (RFC 6455), in the standard library alone. It shares no code with the harness."""
import base64
import hashlib
import os
import struct

CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10


def accept_of(key):
    return base64.b64encode(hashlib.sha1((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode()).digest()).decode()


def frame(opcode, payload, final=True, mask=None, reserved=0, long_form=False):
    """Returns a frame; `mask` is four bytes or None."""
    head = bytes([(0x80 if final else 0) | reserved << 4 | opcode])
    masked = 0x80 if mask else 0
    if len(payload) < 126 and not long_form:
        head += bytes([masked | len(payload)])
    elif len(payload) < 1 << 16:
        head += bytes([masked | 126]) + struct.pack(">H", len(payload))
    else:
        head += bytes([masked | 127]) + struct.pack(">Q", len(payload))
    if not mask:
        return head + payload
    return head + mask + bytes(byte ^ mask[i % 4] for i, byte in enumerate(payload))


class Gone(Exception):
    """The other side ended the connection."""


class Buffer:
    """A socket from which exact numbers of bytes are read."""

    def __init__(self, sock):
        self.sock = sock
        self.bytes = b""

    def read(self, count):
        while len(self.bytes) < count:
            self.more()
        taken, self.bytes = self.bytes[:count], self.bytes[count:]
        return taken

    def more(self):
        got = self.sock.recv(65536)
        if not got:
            raise Gone
        self.bytes += got

    def head(self):
        """Reads a head, and returns its first line and its fields by name in lower case."""
        while b"\r\n\r\n" not in self.bytes:
            self.more()
        text, self.bytes = self.bytes.split(b"\r\n\r\n", 1)
        first, *lines = text.decode("latin-1").split("\r\n")
        return first, {name.strip().lower(): value.strip() for name, value in (line.split(":", 1) for line in lines)}


class Messages:
    """Reads frames, and joins them to messages. `keeps_mask` and the other options are bugs."""

    def __init__(self, buffer, keeps_mask=False, loses_fragments=False, short_length=False):
        self.buffer = buffer
        self.keeps_mask = keeps_mask
        self.loses_fragments = loses_fragments
        self.short_length = short_length
        self.mask = None
        self.opcode = None
        self.parts = []

    def frame(self):
        first, second = self.buffer.read(2)
        length = second & 0x7F
        if length == 126:
            length = struct.unpack(">H", self.buffer.read(2))[0]
        elif length == 127:
            length = struct.unpack(">Q", self.buffer.read(8))[0]
            if self.short_length:
                length &= 0xFFFF
        mask = self.buffer.read(4) if second & 0x80 else None
        if mask and self.keeps_mask:
            mask = self.mask = self.mask or mask
        payload = self.buffer.read(length)
        if mask:
            payload = bytes(byte ^ mask[i % 4] for i, byte in enumerate(payload))
        return first & 0x80, first & 0x0F, payload

    def next(self):
        """Returns the opcode and the payload of the next message or control frame."""
        while True:
            final, opcode, payload = self.frame()
            if opcode >= CLOSE:
                return opcode, payload
            if opcode != CONTINUATION:
                self.opcode, self.parts = opcode, []
            elif self.loses_fragments:
                payload = b""
            self.parts.append(payload)
            if final:
                return self.opcode, b"".join(self.parts)


def asking_head(host, path, headers=()):
    """Returns the head of a client's handshake, and its key."""
    key = base64.b64encode(os.urandom(16)).decode()
    lines = [f"GET {path} HTTP/1.1", f"Host: {host}", "Upgrade: websocket", "Connection: Upgrade",
             "Sec-WebSocket-Version: 13", f"Sec-WebSocket-Key: {key}", *headers]
    return ("\r\n".join(lines) + "\r\n\r\n").encode(), key
