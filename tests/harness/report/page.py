#!/usr/bin/env python3
"""Checks the page of made-up campaigns in a browser: it opens from a disk, makes no requests, filters with counts that match,
links to bugs and filters, works with the keyboard alone, and fits a telephone. The content of a recording stays text.

usage: page.py WRITER   (WRITER html TARGETS RULES prints a hostile page, WRITER kinds 0 0 one with a bug of each kind)"""
import pathlib
import subprocess
import sys
import tempfile

import browser as browsers

SHOWN = "return [...document.querySelectorAll('.bug')].filter(bug => bug.checkVisibility()).map(bug => bug.id);"
CHOOSE = """const field = document.getElementById(arguments[0]); field.value = arguments[1];
            field.dispatchEvent(new Event('input', {bubbles: true})); return field.value;"""
FOCUSED = "return document.activeElement.closest('.bug')?.id || document.activeElement.id || document.activeElement.tagName"
SETTLED = "await new Promise(done => setTimeout(done, 50))"
LARGEST = 3_000_000


def check_hostile(browser, checks):
    expect = checks.expect
    expect("the page has its bugs", len(browser.run(SHOWN)) == 40)
    expect("no markup of a recording became part of the page",
           browser.run("return [document.scripts.length, document.images.length, document.querySelectorAll('iframe,object,[onerror],"
                       "[onload],[onclick],[onmouseover]').length, document.title, 'owned' in window]") ==
           [1, 0, 0, "splitproof: violates", False])
    expect("a character that turns text is shown as an escape",
           not browser.run("return /[\\u202a-\\u202e\\u2066-\\u2069\\u200e\\u200f\\u061c\\x00-\\x08\\x1b]/.test(document.body.textContent)")
           and browser.run("return document.body.textContent.includes('\\\\xe2\\\\x80\\\\xae')"))
    expect("a link leads only to the page itself or to a public incident",
           browser.run("return [...document.links].every(one => /^(#|https:\\/\\/github\\.com\\/)/.test(one.getAttribute('href')))"))
    check_counts(browser, checks)
    browser.run("document.getElementById('word').focus()")
    browser.write("RULE-007 target-001")
    expect("the search shows the bugs that have all words", len(browser.run(SHOWN)) == 1, browser.run(SHOWN))
    browser.run("document.querySelector('[type=reset]').click()")
    browser.wait_for(SETTLED)
    expect("Reset shows all bugs again", len(browser.run(SHOWN)) == 40)


def check_counts(browser, checks):
    """The number after each choice is the number of bugs that the choice shows."""
    options = "return [...document.getElementById(arguments[0]).options].map(one => [one.value, one.textContent])"
    wrong = []
    for field in ("kind", "client", "target"):
        for value, name in browser.run(options, field):
            browser.run(CHOOSE, field, value)
            shown = len(browser.run(SHOWN))
            said = browser.run("return document.getElementById('count').textContent")
            if not name.endswith(f" ({shown})") or not said.startswith(f"{shown} of "):
                wrong.append((field, name, said, shown))
        browser.run(CHOOSE, field, "")
    # One choice changes the counts of the others.
    browser.run(CHOOSE, "target", browser.run("return document.getElementById('target').options[1].value"))
    for value, name in browser.run(options, "client"):
        browser.run(CHOOSE, "client", value)
        if not name.endswith(f" ({len(browser.run(SHOWN))})"):
            wrong.append((name, "with a target"))
    browser.run(CHOOSE, "client", "")
    browser.run(CHOOSE, "target", "")
    checks.expect("the count of each filter is the number of bugs that it shows", wrong == [], *wrong)


def check_kinds(browser, checks, url):
    expect = checks.expect
    tiles = browser.run("return [...document.querySelectorAll('.tile')].map(one => [one.dataset.kind, +one.querySelector('b').textContent])")
    expect("each kind has a tile", [kind for kind, _ in tiles] == ["corruption", "crash", "protocol", "request"], tiles)
    for kind, count in tiles:
        browser.click(f".tile[data-kind={kind}]")
        shown = browser.run(SHOWN)
        expect(f"the tile {kind} shows its {count}", count > 0 and len(shown) == count, shown)
        browser.click(f".tile[data-kind={kind}]")
    states = browser.run("return [...document.querySelectorAll('.matrix .state')].map(one => one.className)")
    expect("the matrix has all three states", {one.split()[1] for one in states} == {"works", "breaks", "untested"}, states)
    for index, text in enumerate(browser.run("return [...document.querySelectorAll('.state button')].map(one => one.textContent)")):
        browser.run("document.querySelectorAll('.state button')[arguments[0]].click()", index)
        shown = browser.run(SHOWN)
        expect(f"'{text}' shows as many bugs", text == f"breaks on {len(shown)}", shown)
    browser.run("document.querySelector('[type=reset]').click()")
    browser.wait_for(SETTLED)
    browser.click("#new")
    news = browser.run(SHOWN)
    expect("'New' shows the bugs that the earlier report does not have",
           0 < len(news) < 6 and browser.run("return document.getElementById('news').textContent") == f"({len(news)})", news)
    expect("the address keeps the filter", browser.run("return location.hash") == "#?new=1")
    browser.open("about:blank")
    browser.open(url + "#?new=1")
    expect("an address with a filter restores it", browser.run(SHOWN) == news)
    browser.click("#new")
    heads = "return [...document.querySelectorAll('.bug')].map(bug => [...bug.querySelectorAll('section > h3')].map(one => one.textContent).join())"
    expect("each card has its sections in one order",
           browser.run(heads) == ["What is wrong,Who is affected,Smallest case,Expected and actual"] * 6, browser.run(heads))
    expect("a request is shown as a difference",
           browser.run("return [...document.querySelectorAll('.diff .removed, .diff .added')].map(one => one.textContent.trim())") ==
           ['-   "temperature": 0.5', '+   "temperature": 1'])
    expect("the values that differ are marked",
           browser.run("return [...document.querySelectorAll('.pair mark')].map(one => one.textContent)").count("moon") == 1)
    expect("every rule has its sentence", browser.run("return [...document.querySelectorAll('.rules li')].every(one => one.textContent.includes('A rule.'))"))
    browser.open(url + "#rule-META-03")
    expect("a link to a rule opens its list", browser.run("return document.getElementById('rule-META-03').checkVisibility()"))


def check_links(browser, checks, url):
    expect = checks.expect
    browser.click(".bug:nth-of-type(2) > summary")
    opened = browser.run("return document.querySelector('.bug[open]').id")
    expect("an open bug is in the address", browser.run("return location.hash") == "#" + opened)
    browser.open("about:blank")
    browser.open(f"{url}#{opened}")
    expect("the address opens the bug", browser.run("return [...document.querySelectorAll('.bug[open]')].map(one => one.id)") == [opened])
    browser.click("#expand")
    expect("Expand all opens all", browser.run("return document.querySelectorAll('.bug:not([open])').length") == 0)
    browser.click("#expand")
    expect("Collapse all closes all", browser.run("return document.querySelectorAll('.bug[open]').length") == 0)
    browser.run("document.querySelector('.bug').open = true")
    browser.click(".bug[open] .command button")
    copied = browser.wait_for("return await navigator.clipboard.readText()")
    expect("the command is copied", copied == browser.run("return document.querySelector('.bug .command code').textContent")
           and copied.startswith("splitproof replay "), copied)
    expect("the button says so", browser.run("return document.querySelector('.bug .command button').textContent") == "Copied")


def check_keyboard(browser, checks, url):
    """Uses no pointer at all."""
    expect = checks.expect
    browser.open("about:blank")
    browser.open(url)
    seen = []
    for _ in range(60):
        browser.press("Tab")
        seen.append(browser.run(FOCUSED))
        if seen[-1].startswith("bug-"):
            break
    expect("the Tab key reaches the filters and then a bug", {"word", "kind", "client", "expand"} < set(seen) and seen[-1].startswith("bug-"), seen)
    browser.press("Enter")
    expect("Enter opens the bug", browser.run("return document.getElementById(arguments[0]).open", seen[-1]))
    browser.press("j")
    expect("j goes to the next bug", browser.run(FOCUSED).startswith("bug-") and browser.run(FOCUSED) != seen[-1])
    browser.press("k")
    expect("k goes back", browser.run(FOCUSED) == seen[-1])
    browser.press("e")
    expect("e opens all", browser.run("return document.querySelectorAll('.bug:not([open])').length") == 0)
    browser.press("/")
    expect("/ goes to the search", browser.run(FOCUSED) == "word")
    browser.write("zzz")
    expect("the search takes words", browser.run(SHOWN) == [] and browser.run("return document.getElementById('word').value") == "zzz")
    browser.press("j")
    expect("keys write into the search", browser.run("return document.getElementById('word').value") == "zzzj")
    browser.press("Escape")
    expect("Escape leaves the search", browser.run(FOCUSED) == "BODY")
    expect("every field and button has a name", browser.run("""return [...document.querySelectorAll('select,input,button,summary')]
        .every(one => one.ariaLabel || one.textContent.trim() || (one.labels && one.labels[0] && one.labels[0].textContent.trim()))"""))


def written(writer, folder, name, *arguments):
    page = pathlib.Path(folder, name + ".html")
    page.write_bytes(subprocess.run([writer, *arguments], stdout=subprocess.PIPE, check=True).stdout)
    return page


def main(writer):
    if reason := browsers.why_skipped():
        print(reason)
        return browsers.SKIPPED
    checks = browsers.Checks()
    with tempfile.TemporaryDirectory() as home:
        hostile = written(writer, home, "hostile", "html", "2", "20")
        kinds = written(writer, home, "kinds", "kinds", "0", "0")
        large = written(writer, home, "large", "html", "1", "500")
        browser = browsers.Browser(home)
        try:
            browser.open(hostile.as_uri())
            check_hostile(browser, checks)
            open_all = "for (const one of document.querySelectorAll('details')) one.open = true"
            checks.looks(browser, "a hostile page", open_all)
            browser.open(kinds.as_uri())
            check_kinds(browser, checks, kinds.as_uri())
            checks.looks(browser, "a page with every kind", open_all)
            browser.open("about:blank")
            browser.open(kinds.as_uri())
            check_links(browser, checks, kinds.as_uri())
            check_keyboard(browser, checks, kinds.as_uri())
            browser.open(large.as_uri())
            checks.expect("500 findings are all on the page", len(browser.run(SHOWN)) == 500)
            checks.expect(f"their page has less than {LARGEST} bytes", large.stat().st_size < LARGEST, large.stat().st_size)
            requested = browser.requested(pathlib.Path(home).as_uri())
            pages = {page.as_uri() for page in (hostile, kinds, large)}
            checks.expect("nothing is requested but the pages", {one.split("#")[0] for one in requested} == pages, requested)
            console = browser.logged("browser")
            checks.expect("the console is silent", console == [], console)
        finally:
            browser.close()
    return 1 if checks.failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
