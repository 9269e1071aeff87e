# requests 2.28.1: iter_lines returns an additional empty line if CR and LF come in two reads.
import sys

import requests

answer = requests.models.Response()
answer.raw = type("Raw", (), {"stream": lambda self, *size, **options: iter([b"event: tide\r", b"\ndata: Ebb\r\n\r\n"])})()
lines = list(answer.iter_lines())
print(lines)  # expected: [b'event: tide', b'data: Ebb', b'']
sys.exit(1 if lines == [b"event: tide", b"data: Ebb", b""] else 0)
