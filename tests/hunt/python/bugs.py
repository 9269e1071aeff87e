"""Seeded bugs of the relay, which `tests/hunt/bugs.json` describes.

Each is a function of its own state in an exchange and of the next step: an event that is whole, or a chunk that has ended
(`cut`). It returns what it does to the next event: "lose", "twice", "garble" or "crash". Each needs several steps that follow
one another.
"""


class State:
    """The memory of a bug in one exchange."""

    def __init__(self):
        self.stage = 0
        self.count = 0
        self.index = None


def bug_15(state, event, cut):
    """A text piece that comes twice is taken for a retry, if a key is cut next and the chunk after it is short."""
    if event:
        if event.content:
            if event.is_again:
                state.stage = 1
        return ""
    if state.stage == 1:
        if cut.where == "key":
            state.stage = 2
        return ""
    if state.stage == 2:
        state.stage = 0
        if cut.length < 6:
            return "lose"
    return ""


def bug_16(state, event, cut):
    """Two characters in pieces share one buffer, if one event is between them and a blank line is cut next."""
    if event:
        return ""
    if state.stage == 3:
        state.stage = 0
        if cut.where == "blank":
            return "twice"
    if cut.where == "character":
        if state.stage == 2:
            state.stage = 3
        else:
            state.stage = 1
    elif state.stage == 1:
        if cut.events == 1:
            state.stage = 2
        else:
            state.stage = 0
    else:
        state.stage = 0
    return ""


def bug_17(state, event, cut):
    """A finish that comes before a call's last piece closes the call, and the next number in pieces reopens it."""
    if event:
        if event.finish:
            state.stage = max(state.stage, 1)
        elif state.stage == 1:
            if event.calls:
                state.stage = 2
        return ""
    if state.stage == 2:
        if cut.where == "number":
            if cut.length > 20:
                state.stage = 0
                return "lose"
    return ""


def bug_18(state, event, cut):
    """Arguments that begin a chunk belong to the call before, if an escape is cut next, and then a field's name."""
    if event:
        if any(name for _, name, _ in event.calls):
            state.count += 1
        return ""
    if state.count == 0:
        return ""
    if state.stage == 2:
        state.stage = 0
        if cut.where == "field":
            return "garble"
    if state.stage == 1:
        state.stage = 0
        if cut.where == "escape":
            state.stage = 2
    if cut.key == "arguments":
        if cut.where == "string":
            if cut.size == 0:
                state.stage = 1
    return ""


def bug_19(state, event, cut):
    """A call that is named again resets the table of calls, and the next piece of a number crashes."""
    if event:
        for index, name, _ in event.calls:
            if name:
                if state.index == index:
                    state.stage = 1
                state.index = index
        return ""
    if state.stage == 1:
        if cut.key == "index":
            if cut.where == "number":
                state.stage = 0
                return "crash"
    return ""


def bug_20(state, event, cut):
    """Text after an event that is no JSON is merged with it, if the chunk ended in a blank line's middle."""
    if event:
        if event.is_broken:
            state.stage = 1
        elif state.stage == 2:
            state.stage = 0
            if event.content:
                return "twice"
        return ""
    if state.stage == 1:
        if cut.where == "blank":
            if cut.length > 20:
                state.stage = 2
    return ""


def bug_21(state, event, cut):
    """Two equal chunks fill the ring buffer, the third has a byte more, and a blank line in pieces reads old bytes."""
    if event:
        return ""
    before, state.count = state.count, cut.length
    if state.index is not None:
        state.index = None
        if cut.where == "blank":
            return "lose"
    if state.stage > 0:
        wanted = state.stage + 1
        state.stage = 0
        if cut.length == wanted:
            state.index = wanted
    if cut.length > 6:
        if cut.length == before:
            state.stage = cut.length
    return ""


def bug_22(state, event, cut):
    """[DONE] that comes twice garbles the answer, if a long chunk ended inside the second one."""
    if event:
        if event.is_done:
            if state.stage == 3:
                state.stage = 0
                return "garble"
            state.stage = 1
        return ""
    if state.stage == 1:
        if cut.where == "json":
            if cut.length > 9:
                state.stage = 2
    elif state.stage == 2:
        if cut.where == "key":
            if cut.length > 20:
                state.stage = 3
    return ""


def bug_23(state, event, cut):
    """A piece of a call inside text moves the text, if the same piece of text follows and its key is cut."""
    if event:
        if event.content:
            if state.stage == 1:
                state.stage = 2
            elif state.stage == 2:
                if event.is_again:
                    state.stage = 3
        elif event.calls:
            if state.stage == 0:
                state.stage = 1
        return ""
    if state.stage == 3:
        if cut.key == "delta":
            state.stage = 0
            return "lose"
    return ""


def bug_24(state, event, cut):
    """Chunks of 3, 3 and 2 bytes in a string, and then a field's name in pieces, look like a chunk header."""
    if event:
        return ""
    if cut.length == 3 and cut.where == "string":
        state.count += 1
        if state.count == 2:
            state.stage = 1
        return ""
    was, state.stage, state.count = state.stage, 0, 0
    if was == 1:
        if cut.length == 2:
            state.stage = 2
    elif was == 2:
        if cut.where == "field":
            return "lose"
    return ""


def bug_25(state, event, cut):
    """Usage that comes twice is added up after the second of two finishes."""
    if cut:
        if state.stage == 2:
            if cut.where == "key":
                state.stage = 3
        return ""
    if event.finish:
        if state.stage == 1:
            state.stage = 2
        elif state.stage == 0:
            state.stage = 1
    if event.has_usage:
        if state.stage == 3:
            state.stage = 0
            return "twice"
    return ""


def bug_26(state, event, cut):
    """The first half of a cut key is compared with the last one after two events in one chunk."""
    if event:
        return ""
    if state.stage == 0:
        if cut.where == "key":
            if cut.size == 1:
                state.stage = 1
        return ""
    if state.stage == 1:
        state.stage = 0
        if cut.events == 2:
            if cut.where == "field":
                return "lose"
    return ""


def bug_27(state, event, cut):
    """An empty piece and an event that comes twice hide the next event, if a chunk ends after its text."""
    if event:
        if event.content == "":
            state.stage = max(state.stage, 1)
        elif event.is_again:
            if state.stage == 1:
                state.stage = 2
        return ""
    if state.stage == 2:
        if cut.key in ("content", "arguments"):
            if cut.where == "json":
                state.stage = 0
                return "lose"
    return ""


ALL = {number: globals()[f"bug_{number}"] for number in range(15, 28)}
