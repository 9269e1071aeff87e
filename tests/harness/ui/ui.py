#!/usr/bin/env python3
"""Uses `splitproof ui` in a browser: pastes and drops streams, chooses a profile, opens reports and watches a run. It also asks
the server as a foreign page would.

usage: ui.py SPLITPROOF"""
import http.client
import json
import pathlib
import subprocess
import sys
import tempfile
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "report"))
import browser as browsers  # noqa: E402

OVERLAP = [("message_start", {"type": "message_start", "message": {
                "id": "msg_1", "type": "message", "role": "assistant", "model": "m", "content": [], "stop_reason": None,
                "stop_sequence": None, "usage": {"input_tokens": 4, "output_tokens": 1}}}),
           ("content_block_start", {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}),
           ("content_block_delta", {"type": "content_block_delta", "index": 0, "delta": {
               "type": "text_delta", "text": "<img src=x onerror='window.owned=1'> \u202e</pre><script>window.owned=1</script>"}}),
           ("content_block_start", {"type": "content_block_start", "index": 1,
                                    "content_block": {"type": "tool_use", "id": "toolu_1", "name": "look", "input": {}}}),
           ("content_block_stop", {"type": "content_block_stop", "index": 1}),
           ("content_block_stop", {"type": "content_block_stop", "index": 0}),
           ("message_delta", {"type": "message_delta", "delta": {"stop_reason": "tool_use", "stop_sequence": None},
                              "usage": {"output_tokens": 9}}),
           ("message_stop", {"type": "message_stop"})]
STREAM = "".join(f"event: {name}\ndata: {json.dumps(data, ensure_ascii=False)}\n\n" for name, data in OVERLAP)
HAR = json.dumps({"log": {"version": "1.2", "creator": {"name": "test", "version": "1"}, "entries": [{
    "startedDateTime": "2026-01-01T00:00:00Z", "time": 1,
    "request": {"method": "POST", "url": "http://127.0.0.1/v1/messages", "httpVersion": "HTTP/1.1", "headers": [], "queryString": [],
                "cookies": [], "headersSize": -1, "bodySize": -1},
    "response": {"status": 200, "statusText": "OK", "httpVersion": "HTTP/1.1",
                 "headers": [{"name": "content-type", "value": "text/event-stream"}], "cookies": [], "redirectURL": "",
                 "headersSize": -1, "bodySize": -1, "content": {"size": 1, "mimeType": "text/event-stream", "text": STREAM}},
    "cache": {}, "timings": {"send": 0, "wait": 0, "receive": 0}}]}})
UNTIL = "for (let i = 0; i < 600 && !(%s); ++i) await new Promise(done => setTimeout(done, 100)); return Boolean(%s);"
FINDINGS = "return [...document.querySelectorAll('#findings code')].map(one => one.textContent)"
SAID = "document.getElementById('said').textContent"


def until(browser, condition):
    return browser.wait_for(UNTIL % (condition, condition))


def judged(browser):
    """Waits for the verdict, and returns the rules of the findings."""
    until(browser, f"{SAID} && !{SAID}.startsWith('Judging')")
    return browser.run(FINDINGS)


def answer_to(port, method, path, headers, body=None):
    server = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    server.request(method, path, body, headers)
    answer = server.getresponse()
    return answer.status, answer.read(), answer.headers


def check_server(port, checks):
    expect = checks.expect
    own = {"Host": f"127.0.0.1:{port}"}
    status, _, headers = answer_to(port, "GET", "/", own)
    expect("its own page is served", status == 200)
    policy = headers["Content-Security-Policy"]
    expect("the page may load only from the server", policy.startswith("default-src 'none'") and "unsafe" not in policy, policy)
    foreign = {"a foreign Host": {"Host": f"evil.example:{port}"}, "a Host without a port": {"Host": "127.0.0.1"},
               "a foreign Origin": {**own, "Origin": "http://evil.example"}, "the Origin of a file": {**own, "Origin": "null"},
               "a request of another site": {**own, "Sec-Fetch-Site": "cross-site"}}
    for what, sent in foreign.items():
        for method, path in (("GET", "/reports"), ("GET", "/"), ("POST", "/check")):
            status, body, _ = answer_to(port, method, path, sent, STREAM.encode() if method == "POST" else None)
            expect(f"{what} is refused at {method} {path}", status == 403 and b"own pages" in body, status)
    for path in ("/report?name=../new.jsonl", "/report?name=", "/report?name=%2Fetc%2Fpasswd", "/grown?name=../x.jsonl.part&from=0",
                 "/../../etc/passwd", "/nothing"):
        status = answer_to(port, "GET", path, own)[0]
        expect(f"{path} is not found", status == 404, status)
    for path in ("/explain?id=--help", "/explain?id=a%20b", "/grown?name=x.jsonl.part&from=-1", "/grown?name=x.jsonl.part&from=1x"):
        status = answer_to(port, "GET", path, own)[0]
        expect(f"{path} is refused", status == 400, status)
    for query in ("profile=none", "as=none", "profile=--help", "profile=../x.yaml"):
        status = answer_to(port, "POST", "/check?" + query, own, STREAM.encode())[0]
        expect(f"/check?{query} is refused", status == 400, status)


def check_judging(browser, checks):
    expect = checks.expect
    browser.wait_for("await navigator.clipboard.writeText(%s)" % json.dumps(STREAM))
    browser.run("document.getElementById('stream').focus()")
    browser.order("Input.dispatchKeyEvent", type="keyDown", key="v", modifiers=2, windowsVirtualKeyCode=86, commands=["paste"])
    found = judged(browser)
    expect("a pasted stream is judged", found == ["ANT-08"], found, browser.run("return " + SAID))
    marked = "return [...document.querySelectorAll('#events li.first mark')].map(one => one.textContent)"
    expect("the bytes of the finding are marked", len(browser.run(marked)) == 1 and '"tool_use"' in browser.run(marked)[0], browser.run(marked))
    expect("all events are shown", browser.run("return document.querySelectorAll('#events li').length") == len(OVERLAP))
    expect("the stream stays text", browser.run("return [document.images.length, document.scripts.length, 'owned' in window]") == [0, 1, False])
    expect("a character that turns text is shown as an escape",
           browser.run("const text = document.getElementById('events').textContent; return text.includes('\\\\u202e') && !text.includes('\\u202e')"))
    browser.run("[...document.querySelectorAll('#findings button')].find(one => one.textContent === 'Explain').click()")
    expect("the rule is explained", until(browser, "(document.querySelector('#findings pre') || {textContent: ''}).textContent.includes('ANT-08')"))
    other = {}
    for profile in browser.run("return [...document.getElementById('profile').options].map(one => one.value)"):
        if profile not in ("anthropic-sdk", "ai-sdk", "default"):
            continue
        browser.run("const field = document.getElementById('profile'); field.value = arguments[0];"
                    "field.dispatchEvent(new Event('input', {bubbles: true}))", profile)
        other[profile] = judged(browser)
    expect("another profile gives other findings", other["default"] == ["ANT-08"] and any("ANT-08" not in one for one in other.values()), other)
    browser.run("document.getElementById('profile').value = 'default'")
    drop = """const given = new DataTransfer(); given.items.add(new File([arguments[0]], arguments[1]));
              document.getElementById('drop').dispatchEvent(new DragEvent('drop', {dataTransfer: given, bubbles: true, cancelable: true}))"""
    browser.run("document.getElementById('said').textContent = ''")
    browser.run(drop, HAR, "capture.har")
    found = judged(browser)
    expect("a dropped HAR file is judged", found == ["ANT-08"] and "HAR" in browser.run("return " + SAID), found, browser.run("return " + SAID))
    browser.run("document.getElementById('said').textContent = ''")
    browser.run(drop, "hello", "hello.txt")
    judged(browser)
    expect("a file without a stream is refused with a reason", browser.run("return document.getElementById('judged').hidden")
           and len(browser.run("return " + SAID)) > 20, browser.run("return " + SAID))


def check_reports(browser, checks, folder, base):
    expect = checks.expect
    rows = "return [...document.querySelectorAll('#reports tr')].map(row => [...row.cells].slice(0, 3).map(cell => cell.textContent).join())"
    expect("the folder's reports are listed", sorted(browser.run(rows)) == ["new.jsonl,mutant:start-per-name,violates", "old.jsonl,reference,conforms"],
           browser.run(rows))
    browser.run("const field = [...document.querySelectorAll('#reports select')].find(one => one.ariaLabel.includes('new.jsonl'));"
                "field.value = 'old.jsonl'; field.dispatchEvent(new Event('input', {bubbles: true}));"
                "location.href = field.parentElement.querySelector('a').href;")
    expect("a report opens as a page and marks new bugs", until(browser, "document.querySelectorAll('.bug .new').length > 0"),
           browser.run("return document.body.textContent.slice(0, 300)"))
    browser.run("document.querySelector('.bug').open = true; document.getElementById('expand').click()")
    expect("its script works", browser.run("return document.getElementById('count').textContent").endswith("shown"))
    browser.open(base)
    until(browser, "document.querySelectorAll('#reports tr').length === 2")


def check_watching(browser, checks, folder):
    expect = checks.expect
    lines = (folder / "new.jsonl").read_text().splitlines(keepends=True)
    rows = [line for line in lines if '"verdict":"violated"' in line and '"obligation"' in line]
    part = folder / "live.jsonl.part"
    part.write_text(lines[0] + rows[0])
    button = "[...document.querySelectorAll('#reports button')].find(one => one.textContent === 'Watch')"
    expect("a running campaign appears in the list", until(browser, button))
    browser.run(button + ".click()")
    expect("its first finding is shown", until(browser, "document.querySelectorAll('#growing li').length === 1"))
    with part.open("a") as file:
        file.writelines(rows[1:3])
    expect("further findings are shown while it runs", until(browser, "document.getElementById('progress').textContent.includes(' 3 verdicts')"),
           browser.run("return document.getElementById('progress').textContent"))
    part.unlink()
    expect("its end is shown", until(browser, "document.getElementById('progress').textContent.startsWith('The run has ended')"))


def check_keyboard(browser, checks, base):
    browser.open("about:blank")
    browser.open(base)
    until(browser, "document.getElementById('profile').value")
    seen = []
    while "judge" not in seen and len(seen) < 20:
        browser.press("Tab")
        seen.append(browser.run("return document.activeElement.id"))
        if seen[-1] == "stream":
            browser.write(STREAM)
    browser.press("Enter")
    checks.expect("the keyboard alone judges a stream", {"stream", "file", "as", "profile", "judge"} <= set(seen) and judged(browser) == ["ANT-08"], seen)


def main(splitproof):
    if reason := browsers.why_skipped():
        print(reason)
        return browsers.SKIPPED
    checks = browsers.Checks()
    with tempfile.TemporaryDirectory() as home:
        folder = pathlib.Path(home, "reports")
        folder.mkdir()
        for name, target in (("old", "reference"), ("new", "mutant:start-per-name")):
            subprocess.run([splitproof, "run", "--target", target, "--only", "openai.chat/tool-*", "--quick", "--report",
                            f"jsonl:{folder}/{name}.jsonl"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        server = subprocess.Popen([splitproof, "ui", str(folder)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        browser = None
        try:
            base = server.stdout.readline().strip()
            port = urllib.parse.urlsplit(base).port
            check_server(port, checks)
            browser = browsers.Browser(home)
            browser.open(base)
            checks.expect("the page starts", until(browser, "document.querySelectorAll('#reports tr').length === 2 && document.getElementById('profile').value"))
            check_reports(browser, checks, folder, base)
            check_judging(browser, checks)
            checks.looks(browser, "the page of ui")
            check_watching(browser, checks, folder)
            check_keyboard(browser, checks, base)
            console = [line for line in browser.logged("browser") if line["level"] == "SEVERE"]
            checks.expect("the console has no error", console == [], console)
            requested = browser.requested(base)
            checks.expect("everything is requested from the server", requested != [] and all(one.startswith((base, "blob:")) for one in requested), requested)
        finally:
            if browser:
                browser.close()
            server.terminate()
            code = server.wait(30)
    checks.expect("a signal ends the server", code == 143, code)
    return 1 if checks.failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
