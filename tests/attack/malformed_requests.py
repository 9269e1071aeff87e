#!/usr/bin/env python3
"""Requests that HTTP forbids, or that two servers could read differently, each with a second request after it on
the same connection. Each gets a status of 4xx or 5xx and the connection closes, so that the second is never
served. The few accepted ones have a reason. nginx gets the same if it is installed.

usage: malformed_requests.py PROXY"""

import sys
import time

from attacked import ASK, Nginx, Proxy, Report, Upstream, connect, nginx_program, play_stream, read_all, status_of

BODY = ASK
LENGTH = b"Content-Length: %d\r\n" % len(BODY)
HOST = b"Host: p\r\n"
POST = b"POST /v1/messages HTTP/1.1\r\n"
GET = b"GET /health HTTP/1.1\r\n"
CHUNKED = b"Transfer-Encoding: chunked\r\n"
CHUNKS = b"%x\r\n" % len(BODY) + BODY + b"\r\n0\r\n\r\n"
SECOND = b"GET /health HTTP/1.1\r\nHost: second\r\n\r\n"


def posted(*fields, body=BODY):
    return POST + HOST + b"".join(fields) + b"\r\n" + body


def got(*fields):
    return GET + b"".join(fields) + b"\r\n"


# Name, request, and the section of RFC 9112 (or 9110) that forbids it.
REFUSED = [
    ("length and chunked", posted(LENGTH, CHUNKED, body=CHUNKS), "6.1"),
    ("chunked and length", posted(CHUNKED, LENGTH, body=CHUNKS), "6.1"),
    ("length 0 and chunked", posted(b"Content-Length: 0\r\n", CHUNKED, body=CHUNKS), "6.1"),
    ("two equal lengths", posted(LENGTH, LENGTH), "6.3"),
    ("two different lengths", posted(LENGTH, b"Content-Length: 0\r\n"), "6.3"),
    ("a list of lengths", posted(b"Content-Length: %d, %d\r\n" % (len(BODY), len(BODY))), "6.3"),
    ("a length with a sign", posted(b"Content-Length: +%d\r\n" % len(BODY)), "6.3"),
    ("a negative length", posted(b"Content-Length: -1\r\n"), "6.3"),
    ("a length in hexadecimal", posted(b"Content-Length: 0x%x\r\n" % len(BODY)), "6.3"),
    ("a length with letters", posted(b"Content-Length: %dabc\r\n" % len(BODY)), "6.3"),
    ("a length of two words", posted(b"Content-Length: %d 0\r\n" % len(BODY)), "6.3"),
    ("an empty length", posted(b"Content-Length:\r\n"), "6.3"),
    ("a length with a point", posted(b"Content-Length: %d.0\r\n" % len(BODY)), "6.3"),
    ("a length beyond 64 bits", posted(b"Content-Length: 18446744073709551617\r\n"), "6.3"),
    ("a length beyond the limit", posted(b"Content-Length: 99999999999\r\n"), "9110, 15.5.14"),
    ("an unknown coding", posted(b"Transfer-Encoding: gzip\r\n", body=CHUNKS), "6.1"),
    ("identity", posted(b"Transfer-Encoding: identity\r\n", LENGTH), "6.1"),
    ("chunked twice", posted(CHUNKED, CHUNKED, body=CHUNKS), "6.1"),
    ("chunked, chunked", posted(b"Transfer-Encoding: chunked, chunked\r\n", body=CHUNKS), "6.1"),
    ("chunked, gzip", posted(b"Transfer-Encoding: chunked, gzip\r\n", body=CHUNKS), "6.1"),
    ("gzip, chunked", posted(b"Transfer-Encoding: gzip, chunked\r\n", body=CHUNKS), "6.1"),
    ("xchunked", posted(b"Transfer-Encoding: xchunked\r\n", body=CHUNKS), "6.1"),
    ("quoted chunked", posted(b'Transfer-Encoding: "chunked"\r\n', body=CHUNKS), "6.1"),
    ("chunked with a parameter", posted(b"Transfer-Encoding: chunked;q=1\r\n", body=CHUNKS), "6.1"),
    ("an empty coding", posted(b"Transfer-Encoding:\r\n", body=CHUNKS), "6.1"),
    ("a vertical tab before chunked", posted(b"Transfer-Encoding: \x0bchunked\r\n", body=CHUNKS), "5"),
    ("HTTP/1.0 and chunked", b"POST /v1/messages HTTP/1.0\r\n" + HOST + CHUNKED + b"\r\n" + CHUNKS, "6.1"),
    ("a space before the colon of a coding", posted(b"Transfer-Encoding : chunked\r\n", LENGTH), "5.1"),
    ("a space before the colon of a length", posted(b"Content-Length : %d\r\n" % len(BODY)), "5.1"),
    ("a tab before a colon", got(HOST, b"X\t: y\r\n"), "5.1"),
    ("a folded line", got(HOST, b"X: a\r\n b\r\n"), "5.2"),
    ("a folded coding", posted(b"Transfer-Encoding:\r\n chunked\r\n", body=CHUNKS), "5.2"),
    ("a folded first line", GET + b" X: y\r\n" + HOST + b"\r\n", "2.2"),
    ("a line without a colon", got(HOST, b"nonsense\r\n"), "5"),
    ("an empty name", got(HOST, b": x\r\n"), "5"),
    ("a name with a space", got(HOST, b"a b: c\r\n"), "5"),
    ("a name with brackets", got(HOST, b"X(y): z\r\n"), "5"),
    ("a name with a NUL", got(HOST, b"X\0: z\r\n"), "5"),
    ("a value with a NUL", got(HOST, b"X: a\0b\r\n"), "9110, 5.5"),
    ("a value with a bare CR", got(HOST, b"X: a\rContent-Length: 3\r\n"), "2.2"),
    ("a value with a control", got(HOST, b"X: a\x01b\r\n"), "9110, 5.5"),
    ("a value with DEL", got(HOST, b"X: a\x7fb\r\n"), "9110, 5.5"),
    ("a bare CR in the request line", b"GET /health\rHTTP/1.1 HTTP/1.1\r\n" + HOST + b"\r\n", "2.2"),
    ("a NUL in the target", b"GET /hea\0lth HTTP/1.1\r\n" + HOST + b"\r\n", "3.2"),
    ("a bare LF", b"GET /health HTTP/1.1\nHost: p\n\n", "2.2"),
    ("a bare LF between fields", GET + b"Host: p\nX: y\r\n\r\n", "2.2"),
    ("no Host", got(), "3.2"),
    ("two Hosts", got(HOST, HOST), "3.2"),
    ("two different Hosts", got(HOST, b"Host: q\r\n"), "3.2"),
    ("an empty Host", got(b"Host:\r\n"), "3.2"),
    ("a Host with a space", got(b"Host: a b\r\n"), "3.2"),
    ("a Host with a slash", got(b"Host: a/b\r\n"), "3.2"),
    ("a Host with an @", got(b"Host: a@b\r\n"), "3.2"),
    ("a Host that is a list", got(b"Host: a, b\r\n"), "3.2"),
    ("an unknown expectation", posted(b"Expect: 200-ok\r\n", LENGTH), "9110, 10.1.1"),
    ("two expectations", posted(b"Expect: 100-continue, x\r\n", LENGTH), "9110, 10.1.1"),
    ("HTTP/0.9", b"GET /health\r\n", "3"),
    ("HTTP/2.0", b"GET /health HTTP/2.0\r\n" + HOST + b"\r\n", "2.3"),
    ("HTTP/1.10", b"GET /health HTTP/1.10\r\n" + HOST + b"\r\n", "2.3"),
    ("HTTP/11", b"GET /health HTTP/11\r\n" + HOST + b"\r\n", "2.3"),
    ("http/1.1", b"GET /health http/1.1\r\n" + HOST + b"\r\n", "2.3"),
    ("a method in lower case", b"get /health HTTP/1.1\r\n" + HOST + b"\r\n", "3.1"),
    ("a method that is no token", b"G(ET /health HTTP/1.1\r\n" + HOST + b"\r\n", "3.1"),
    ("two spaces", b"GET  /health HTTP/1.1\r\n" + HOST + b"\r\n", "3"),
    ("a tab as the space", b"GET\t/health HTTP/1.1\r\n" + HOST + b"\r\n", "3"),
    ("a space behind the version", b"GET /health HTTP/1.1 \r\n" + HOST + b"\r\n", "3"),
    ("a space in the target", b"GET /hea lth HTTP/1.1\r\n" + HOST + b"\r\n", "3.2"),
    ("a target without a slash", b"GET health HTTP/1.1\r\n" + HOST + b"\r\n", "3.2"),
    ("a fragment in the target", b"GET /health#x HTTP/1.1\r\n" + HOST + b"\r\n", "3.2"),
    ("CONNECT", b"CONNECT p:80 HTTP/1.1\r\n" + HOST + b"\r\n", "3.2.3"),
    ("the preface of HTTP/2", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "9113, 3.4"),
    ("a TLS greeting", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(32), "3"),
    ("a request line of 100 kB", b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\n" + HOST + b"\r\n", "3"),
    ("a field of 100 kB", got(HOST, b"X: " + b"y" * 100_000 + b"\r\n"), "9110, 5.4"),
    ("a head of 200 kB", got(HOST, *[b"X-%d: " % i + b"y" * 900 + b"\r\n" for i in range(220)]), "9110, 5.4"),
    ("a thousand fields", got(HOST, *[b"X-%d: y\r\n" % i for i in range(1000)]), "9110, 5.4"),
    ("a chunk size that is no number", posted(CHUNKED, body=b"zz\r\n"), "7.1"),
    ("a chunk size with 0x", posted(CHUNKED, body=b"0x5\r\n{    \r\n0\r\n\r\n"), "7.1"),
    ("a negative chunk size", posted(CHUNKED, body=b"-5\r\n"), "7.1"),
    ("a space before a chunk size", posted(CHUNKED, body=b" 5\r\n{    \r\n0\r\n\r\n"), "7.1"),
    ("a chunk size beyond 64 bits", posted(CHUNKED, body=b"1" + b"0" * 16 + b"\r\n"), "7.1"),
    ("a chunk longer than its size", posted(CHUNKED, body=b"2\r\n{ }\r\n0\r\n\r\n"), "7.1"),
    ("a chunk that ends in LF", posted(CHUNKED, body=b"2\r\n{}\n0\r\n\r\n"), "7.1"),
    ("a chunk size that ends in LF", posted(CHUNKED, body=b"2\n{}\r\n0\r\n\r\n"), "7.1"),
    ("an endless chunk extension", posted(CHUNKED, body=b"2;" + b"x" * 100_000 + b"\r\n{}\r\n0\r\n\r\n"), "7.1.1"),
    ("a folded trailer", posted(CHUNKED, body=CHUNKS[:-2] + b"X: y\r\n z\r\n\r\n"), "7.1.2"),
    ("a trailer that is no field", posted(CHUNKED, body=CHUNKS[:-2] + b"nonsense\r\n\r\n"), "7.1.2"),
]

# Accepted requests, the reason, and the status.
SERVED = [
    ("an empty line first", b"\r\n" + got(HOST), "RFC 9112, 2.2: robust servers ignore it", 200),
    ("white space around a value", got(b"Host: \t p \t\r\n"), "RFC 9112, 5.1: it is no part of the value", 200),
    ("HTTP/1.0 without Host", b"GET /health HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", "RFC 9112, 3.2: only HTTP/1.1 needs one", 200),
    ("a chunk extension", posted(CHUNKED, body=b"%x;a=b\r\n" % len(BODY) + CHUNKS.split(b"\r\n", 1)[1]), "RFC 9112, 7.1.1: unknown ones are ignored", 200),
    ("a trailer", posted(CHUNKED, body=CHUNKS[:-2] + b"X: y\r\n\r\n"), "RFC 9112, 7.1.2: fields may follow", 200),
    ("CHUNKED", posted(b"Transfer-Encoding: CHUNKED\r\n", body=CHUNKS), "RFC 9112, 7: case does not count", 200),
    ("bytes beyond ASCII in a value", got(HOST, b"X: \xc3\xa9\xff\r\n"), "RFC 9110, 5.5: obs-text", 200),
    ("an absolute target", b"GET http://p/health HTTP/1.1\r\n" + HOST + b"\r\n", "RFC 9112, 3.2.2: servers accept it", 200),
    ("POST without a length", POST + HOST + b"\r\n", "RFC 9112, 6.3: an empty body, which is no JSON; the next is served", 400),
]


def tried(port, request):
    """Returns the status of the first answer, whether a second one came, and whether the connection closed."""
    with connect(port) as client:
        try:
            client.sendall(request + SECOND)
        except ConnectionError:
            pass
        answer, closed = read_all(client, until=None, timeout=0.5)
    return status_of(answer), answer.count(b"HTTP/1.1 ") > 1, closed


def main():
    report = Report()
    upstream = Upstream(play_stream)
    proxy = Proxy(sys.argv[1], upstream.port, "timeouts: {client: 300ms}\n")
    nginx = Nginx(upstream.port) if nginx_program() else None
    began = time.monotonic()
    strict = lenient = 0
    for what, request, section in REFUSED:
        status, second, closed = tried(proxy.port, request)
        told = f"{what} (RFC {section if ',' in section else '9112, ' + section}): {status}"
        if nginx:
            beside = tried(nginx.port, request)
            told += f", nginx {beside[0]}" + (" and serves the next" if beside[1] else "")
            lenient += beside[0] < 400
        held = status >= 400 and not second and closed
        strict += held
        report.check(held, told + (", serves the next" if second else "") + ("" if closed else ", stays open"))
    for what, request, reason, expected in SERVED:
        status, second, _ = tried(proxy.port, request)
        told = f"{what}: {status}; {reason}"
        if nginx:
            told += f", nginx {tried(nginx.port, request)[0]}"
        report.check(status == expected and second, told)
    with connect(proxy.port) as client:
        client.sendall(SECOND)
        report.check(status_of(read_all(client, b'"ok"')[0]) == 200, "it still serves")
    print(f"{strict} of {len(REFUSED)} refused and closed in {time.monotonic() - began:.1f} s" +
          (f"; nginx serves {lenient} of them" if nginx else "; nginx is not installed"))
    return report.end()


sys.exit(main())
