#!/usr/bin/env python3
"""Checks the page of an invented campaign in a browser: it opens from a disk, makes no requests, filters, opens a
cause and copies its command, and fits a telephone. A recording's content stays text.

usage: page.py WRITER   (WRITER html TARGETS RULES prints such a page)"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.request

SKIPPED = 77
CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
WIDTHS = (390, 1280)


class Browser:
    """A headless Chromium, driven over WebDriver."""

    def __init__(self, home):
        self.driver = subprocess.Popen([DRIVER, "--port=0"], stdout=subprocess.PIPE, text=True, env={**os.environ, "HOME": home})
        port = next(found.group(1) for line in self.driver.stdout if (found := re.search(r"successfully on port (\d+)", line)))
        self.base = f"http://127.0.0.1:{port}/session"
        options = {
            "binary": CHROMIUM,
            "args": ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                     "--disable-background-networking", "--disable-component-update", f"--user-data-dir={home}/profile"]}
        session = self.ask("POST", "", {"capabilities": {"alwaysMatch": {
            "goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"}}}})
        self.base += "/" + session["sessionId"]

    def ask(self, method, path, body=None):
        request = urllib.request.Request(self.base + path, method=method, data=None if body is None else json.dumps(body).encode(),
                                         headers={"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=120) as answer:
            return json.load(answer)["value"]

    def run(self, script, *arguments):
        return self.ask("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def wait_for(self, script):
        """Returns the result of the promise that the script returns."""
        whole = f"const done = arguments[arguments.length - 1]; (async () => {{ {script} }})().then(done, e => done('' + e));"
        return self.ask("POST", "/execute/async", {"script": whole, "args": []})

    def order(self, command, **parameters):
        return self.ask("POST", "/goog/cdp/execute", {"cmd": command, "params": parameters})

    def resize(self, width, height=900):
        self.order("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600)

    def logged(self, kind):
        return self.ask("POST", "/se/log", {"type": kind})

    def element(self, css):
        return next(iter(self.ask("POST", "/element", {"using": "css selector", "value": css}).values()))

    def type(self, css, text):
        self.ask("POST", f"/element/{self.element(css)}/value", {"text": text})

    def close(self):
        try:
            self.ask("DELETE", "")
        finally:
            self.driver.terminate()
            self.driver.wait(30)


SHOWN = "return [...document.querySelectorAll('.cause')].filter(cause => cause.checkVisibility()).map(cause => cause.id);"


def check(browser, page, fails):
    def expect(what, holds):
        print(("ok: " if holds else "FAILED: ") + what)
        if not holds:
            fails.append(what)

    url = page.as_uri()
    browser.order("Browser.grantPermissions", permissions=["clipboardReadWrite", "clipboardSanitizedWrite"])
    browser.ask("POST", "/url", {"url": url})
    everything = browser.run(SHOWN)
    expect("the page has its causes", len(everything) == 40)
    expect("no markup of a recording became part of the page",
           browser.run("return [document.scripts.length, document.images.length, document.querySelectorAll('iframe,object,[onerror],"
                       "[onload],[onclick],[onmouseover]').length, document.title, 'owned' in window]") ==
           [1, 0, 0, "splitproof: violates", False])
    expect("what would turn the text is shown as an escape",
           not browser.run("return /[\\u202a-\\u202e\\u2066-\\u2069\\u200e\\u200f\\u061c\\x00-\\x08\\x1b]/.test(document.body.textContent)")
           and browser.run("return document.body.textContent.includes('\\\\xe2\\\\x80\\\\xae')"))

    choose = """const field = document.getElementById(arguments[0]); field.value = arguments[1];
                field.dispatchEvent(new Event('input', {bubbles: true})); return field.value;"""
    target = browser.run("return document.querySelector('#target option:nth-child(2)').value")
    expect("a target can be chosen", browser.run(choose, "target", target) == target)
    of_target = browser.run(SHOWN)
    expect("its causes alone are shown", len(of_target) == 20)
    expect("how many is said", browser.run("return document.getElementById('count').textContent") == "20 of 40 shown")
    browser.run(choose, "target", "")
    client = browser.run("return document.querySelector('#client option:nth-child(2)').value")
    browser.run(choose, "client", client)
    expect("a client's causes alone are shown", 0 < len(browser.run(SHOWN)) < 40)
    browser.run(choose, "client", "")
    browser.type("#word", "RULE-007 must")
    expect("the causes with all words alone are shown", len(browser.run(SHOWN)) == 2)
    browser.run(choose, "word", "")
    expect("and all again", browser.run(SHOWN) == everything)

    browser.type("#cause-1 > summary", "\ue007")  # the Enter key
    expect("a key opens a cause", browser.run("return document.getElementById('cause-1').open"))
    expect("its lanes show cuts and the first wrong event",
           browser.run("return [...document.querySelectorAll('#cause-1 b.cut')].length > 0 && "
                       "document.querySelectorAll('#cause-1 li.first').length === 1"))
    browser.ask("POST", f"/element/{browser.element('#cause-1 button.copy')}/click", {})
    copied = browser.wait_for("return await navigator.clipboard.readText()")
    expect("the command is copied", copied == browser.run("return document.querySelector('#cause-1 .command code').textContent")
           and copied.startswith("splitproof replay "))
    expect("that is said", browser.run("return document.querySelector('#cause-1 button.copy').textContent") == "Copied")
    expect("every field and button has a name", browser.run("""return [...document.querySelectorAll('select,input,button,summary')]
        .every(one => one.ariaLabel || one.textContent.trim() || (one.labels && one.labels[0] && one.labels[0].textContent.trim()))"""))
    browser.ask("POST", "/url", {"url": url + "#cause-3"})
    expect("a link opens its cause", browser.run("return document.getElementById('cause-3').open"))

    for width in WIDTHS:
        for scheme in ("light", "dark"):
            browser.order("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
            browser.resize(width)
            browser.run("for (const cause of document.querySelectorAll('.cause')) cause.open = true")
            expect(f"nothing overflows at {width} pixels, {scheme}",
                   browser.run("return document.documentElement.scrollWidth <= window.innerWidth && window.innerWidth === arguments[0]", width))
    luminance = "return getComputedStyle(document.body).backgroundColor"
    dark = browser.run(luminance)
    browser.order("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "light"}])
    expect("light and dark differ", dark != browser.run(luminance))

    expect("the console is silent", browser.logged("browser") == [])
    asked = [event["params"]["request"]["url"] for line in browser.logged("performance")
             for event in [json.loads(line["message"])["message"]]
             if event["method"] == "Network.requestWillBeSent" and event["params"]["documentURL"].startswith(url)]
    expect("nothing is asked for but the page", asked != [] and all(one.split("#")[0] == url for one in asked))


def main(writer):
    if not CHROMIUM or not DRIVER:
        print("chromium or chromium-driver is not installed")
        return SKIPPED
    with tempfile.TemporaryDirectory() as home:
        page = pathlib.Path(home, "page.html")
        page.write_bytes(subprocess.run([writer, "html", "2", "20"], stdout=subprocess.PIPE, check=True).stdout)
        browser, fails = Browser(home), []
        try:
            check(browser, page, fails)
        finally:
            browser.close()
    return 1 if fails else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
