"""A headless Chromium for tests, driven over WebDriver."""
import json
import os
import re
import shutil
import subprocess
import urllib.request

CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
SKIPPED = 77
WIDTHS = (390, 1280, 1920)
SCHEMES = ("light", "dark")
KEYS = {"Tab": 9, "Enter": 13, "Escape": 27, " ": 32}


def why_skipped():
    """The reason why a test with a browser is skipped; empty: it is not."""
    return "" if CHROMIUM and DRIVER else "chromium or chromium-driver is not installed"


class Browser:
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
        self.order("Browser.grantPermissions", permissions=["clipboardReadWrite", "clipboardSanitizedWrite"])

    def ask(self, method, path, body=None):
        request = urllib.request.Request(self.base + path, method=method, data=None if body is None else json.dumps(body).encode(),
                                         headers={"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=120) as answer:
            return json.load(answer)["value"]

    def open(self, url):
        self.ask("POST", "/url", {"url": url})

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

    def prefer(self, scheme):
        self.order("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def press(self, key, shift=False):
        """Presses a key as a person does, wherever the focus is."""
        text = {"Enter": "\r", "Tab": None, "Escape": None}.get(key, key)
        code = KEYS.get(key, ord(key.upper()[0]))
        down = {"type": "keyDown" if text else "rawKeyDown", "key": key, "windowsVirtualKeyCode": code, "modifiers": 8 if shift else 0}
        self.order("Input.dispatchKeyEvent", **down, **({"text": text} if text else {}))
        self.order("Input.dispatchKeyEvent", type="keyUp", key=key, windowsVirtualKeyCode=code, modifiers=8 if shift else 0)

    def write(self, text):
        self.order("Input.insertText", text=text)

    def click(self, css):
        # Below the filters, which stay at the top.
        self.run("document.querySelector(arguments[0]).scrollIntoView({block: 'center'})", css)
        self.ask("POST", f"/element/{self.element(css)}/click", {})

    def element(self, css):
        return next(iter(self.ask("POST", "/element", {"using": "css selector", "value": css}).values()))

    def logged(self, kind):
        return self.ask("POST", "/se/log", {"type": kind})

    def requested(self, of):
        """The addresses that pages with an address that begins with `of` have requested."""
        return [event["params"]["request"]["url"] for line in self.logged("performance")
                for event in [json.loads(line["message"])["message"]]
                if event["method"] == "Network.requestWillBeSent" and event["params"]["documentURL"].startswith(of)]

    def close(self):
        try:
            self.ask("DELETE", "")
        finally:
            self.driver.terminate()
            self.driver.wait(30)


# The texts of the page with less contrast than WCAG AA demands, each with its ratio.
FAINT = """
const channel = value => { value /= 255; return value <= .04045 ? value / 12.92 : ((value + .055) / 1.055) ** 2.4; };
const canvas = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
const rgba = colour => { canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1);
                         return [...canvas.getImageData(0, 0, 1, 1).data]; };
const light = ([r, g, b]) => .2126 * channel(r) + .7152 * channel(g) + .0722 * channel(b);
const behind = one => { for (; one; one = one.parentElement) { const c = rgba(getComputedStyle(one).backgroundColor);
                        if (c[3] === 255) return c; } return rgba('white'); };
const faint = new Set();
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
for (let node; node = walker.nextNode();) {
  const one = node.parentElement;
  if (!node.data.trim() || !one.checkVisibility() || one.closest('script,option')) continue;
  const [a, b] = [light(rgba(getComputedStyle(one).color)), light(behind(one))];
  const ratio = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
  if (ratio < 4.5) faint.add(one.tagName + '.' + one.className + ' ' + ratio.toFixed(1));
}
return [...faint];
"""


class Checks:
    """The results of a test's checks."""

    def __init__(self):
        self.failed = []

    def expect(self, what, holds, *seen):
        print(("ok: " if holds else "FAILED: ") + what + ("" if holds else "".join(f"\n  {one!r}" for one in seen)), flush=True)
        if not holds:
            self.failed.append(what)

    def looks(self, browser, what, before=""):
        """Checks the open page at each width, light and dark."""
        backgrounds = set()
        for width in WIDTHS:
            browser.resize(width)
            for scheme in SCHEMES:
                browser.prefer(scheme)
                browser.run(before)
                size = browser.run("return [document.documentElement.scrollWidth, innerWidth]")
                self.expect(f"{what}: nothing overflows at {width} pixels, {scheme}", size[0] <= size[1] == width, size)
                backgrounds.add(browser.run("return getComputedStyle(document.body).backgroundColor"))
        for scheme in SCHEMES:
            browser.prefer(scheme)
            faint = browser.run(FAINT)
            self.expect(f"{what}: every text has contrast, {scheme}", faint == [], faint)
        self.expect(f"{what}: light and dark differ", len(backgrounds) == 2, backgrounds)
        browser.prefer("light")
        browser.resize(1280)
