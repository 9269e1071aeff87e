#!/usr/bin/env python3
"""Starts the proxy with SSLKEYLOGFILE, which makes TLS libraries write the secrets of every connection, and lets it
call a TLS upstream. No secret may be written.

usage: key_log.py PROXY"""

import os
import ssl
import subprocess
import sys

from attacked import FOLDER, Proxy, Report, Upstream, connect, play_stream, post, read_all, status_of


def certificate():
    """Makes a certificate and its key, in one file."""
    file = FOLDER / "certificate.pem"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=localhost",
                    "-keyout", FOLDER / "key.pem", "-out", file], check=True, stderr=subprocess.DEVNULL)
    file.write_text(file.read_text() + (FOLDER / "key.pem").read_text())
    return file


def main():
    report = Report()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate())
    hellos = []
    context.sni_callback = lambda *_: hellos.append(1)  # a handshake reaches the secrets

    def serve(connection):
        with context.wrap_socket(connection, server_side=True) as secured:
            play_stream(secured)

    upstream = Upstream(serve, reads=False)
    secrets = FOLDER / "secrets"
    environment = {"SSLKEYLOGFILE": str(secrets)}
    proxy = Proxy(sys.argv[1], upstream.port, environment=environment, url=f"https://localhost:{upstream.port}/v1")
    with connect(proxy.port) as client:
        client.sendall(post())
        status = status_of(read_all(client, b"}}")[0])
    report.check(hellos and status == 502, f"the upstream is called over TLS and not trusted: {status}")
    report.check(not secrets.exists(), "nothing is written to the file that SSLKEYLOGFILE names")
    proxy.log.seek(0)
    said = proxy.log.read()
    report.check("ignores SSLKEYLOGFILE" in said, f"it says so: {said.splitlines()[:1]}")
    quiet = Proxy(sys.argv[1], upstream.port)
    quiet.log.seek(0)
    report.check("SSLKEYLOGFILE" not in quiet.log.read(), "without the variable it says nothing of it")
    return report.end()


if "SSLKEYLOGFILE" in os.environ:
    sys.exit("unset SSLKEYLOGFILE first")
sys.exit(main())
