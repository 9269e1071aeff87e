"""Passes Chat Completions on over a pipe, event by event.

HUNT_BUGS names the seeded bugs (bugs.py) that it has: "none", "all", or their numbers. HUNT_LOG is a file that gets the
number of each bug that acted.
"""
import base64
import json
import os
import sys

import bugs
import events

NAMED = os.environ.get("HUNT_BUGS", "none")
ACTIVE = sorted(bugs.ALL) if NAMED == "all" else [] if NAMED == "none" else [int(one) for one in NAMED.split(",")]
LOG = os.environ.get("HUNT_LOG")


class Relay:
    """One answer of the upstream."""

    def __init__(self):
        self.out = b""
        self.rest = b""  # the unfinished event
        self.states = {number: bugs.State() for number in ACTIVE}
        self.effect = ""  # on the next event
        self.last = None

    def feed(self, chunk):
        whole, self.rest = events.split(self.rest + chunk)
        for one in whole:
            self.pass_on(one)
        self.step(None, events.Cut(self.rest, len(chunk), len(whole)))
        return self.taken()

    def pass_on(self, text):
        event = events.Event(text, self.last)
        self.last = event
        self.step(event, None)
        if self.effect == "crash":
            sys.exit("relay.py: no call with this index")
        if self.effect != "lose":
            self.out += text
        if self.effect == "twice":
            self.out += text
        if self.effect == "garble":
            self.out += b'data: {"choices":\n\n'
        self.effect = ""

    def end(self):
        self.out += self.rest
        self.rest = b""
        return self.taken()

    def step(self, event, cut):
        for number, state in self.states.items():
            effect = bugs.ALL[number](state, event, cut)
            if effect:
                self.effect = effect
                if LOG:
                    with open(LOG, "a", encoding="ascii") as log:
                        log.write(f"{number}\n")

    def taken(self):
        out, self.out = self.out, b""
        return out


def send(out):
    if out:
        print(json.dumps({"out": base64.b64encode(out).decode()}))


def main():
    relay = None
    for line in sys.stdin:
        told = json.loads(line)
        if "open" in told:
            relay = Relay()
            print(json.dumps({"ask": {"body": told["open"]["request"]}}))
        elif "feed" in told:
            send(relay.feed(base64.b64decode(told["feed"])))
        else:
            send(relay.end())
            if told["end"] != "complete":
                print('{"cut":true}')
        print('{"ack":true}', flush=True)


main()
