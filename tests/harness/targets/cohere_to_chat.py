"""Translates streams of Cohere's chat into Chat Completions: a testee over a pipe, for the harness's tests.

usage: cohere_to_chat.py [BUG]

It shares no code with splitproof. BUG is one of BUGS and makes it wrong in one way.
"""
import base64
import json
import sys

FINISHES = {"COMPLETE": "stop", "STOP_SEQUENCE": "stop", "MAX_TOKENS": "length", "TOOL_CALL": "tool_calls"}
BUGS = ["plan-dropped", "calls-share-an-index", "limit-as-stop", "billed-units-as-tokens", "error-as-stop",
        "decodes-each-read", "cut-as-stop", "last-piece-held"]


class Events:
    """Cuts bytes into the data of events, as the WHATWG standard reads them."""

    def __init__(self):
        self.line = b""
        self.after_cr = False
        self.first = True
        self.name = ""
        self.data = []

    def feed(self, read):
        for byte in (read[i:i + 1] for i in range(len(read))):
            if byte == b"\n" and self.after_cr:
                self.after_cr = False
                continue
            self.after_cr = byte == b"\r"
            if byte not in (b"\r", b"\n"):
                self.line += byte
                continue
            line, self.line = self.line, b""
            if self.first:
                line = line.removeprefix(b"\xef\xbb\xbf")
                self.first = False
            if line:
                field, _, value = line.partition(b":")
                value = value.removeprefix(b" ")
                if field == b"data":
                    self.data.append(value)
                if field == b"event":
                    self.name = value.decode("utf-8", "replace")
                continue
            name, data = self.name, self.data
            self.name, self.data = "", []
            if data:
                yield name, b"\n".join(data)


class Joiner:
    """Joins pieces of text whose cuts may divide a surrogate pair."""

    def __init__(self):
        self.high = ""

    def join(self, piece):
        piece = self.high + piece
        self.high = ""
        if piece and "\ud800" <= piece[-1] <= "\udbff":
            self.high = piece[-1]
            piece = piece[:-1]
        return piece.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")

    def close(self):
        high, self.high = self.high, ""
        return "\ufffd" if high else ""


class Call:
    def __init__(self, number):
        self.number = number
        self.pieces = Joiner()
        self.spoke = False


class Translator:
    def __init__(self, request, bug=""):
        self.bug = bug
        self.model = request.get("model") or "unknown"
        self.counts = bool((request.get("stream_options") or {}).get("include_usage"))
        self.events = Events()
        self.body = b""
        self.is_document = True  # no event has come
        self.begun = False
        self.over = False
        self.prose = {}  # joiners by member of the delta and block
        self.calls = {}
        self.number_of_calls = 0
        self.last_call = None
        self.last_index = 0
        self.held = ""

    def chunk(self, choices, **members):
        return {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1772000000, "model": self.model,
                "choices": choices, **members}

    def say(self, delta, finish=None):
        if not self.begun:
            delta = {"role": "assistant", **delta}
            self.begun = True
        return self.chunk([{"index": 0, "delta": delta, "finish_reason": finish}])

    def feed(self, read):
        if self.is_document:
            self.body += read
        if self.bug == "decodes-each-read":
            read = read.decode("utf-8", "replace").encode()
        for name, data in self.events.feed(read):
            if self.over:
                return
            self.is_document = False
            yield from self.read(name, data)

    def read(self, name, data):
        if data == b"[DONE]":
            return
        try:
            event = json.loads(data)
        except ValueError:
            event = None
        if not isinstance(event, dict):
            yield from self.fail("an event of the upstream cannot be read")
            return
        kind = event.get("type") or ""
        if name == "error" or kind == "error" or (not kind and isinstance(event.get("message"), str)):
            yield from self.fail(str(event.get("message") or "the upstream reported an error"))
            return
        delta = event.get("delta") or {}
        message = delta.get("message") or {}
        if kind in ("content-start", "content-delta"):
            yield from self.take_content(event, message.get("content") or {})
        if kind == "content-end":
            yield from self.end_prose()
        if kind == "tool-plan-delta" and self.bug != "plan-dropped":
            yield from self.take_prose("reasoning_content", "plan", message.get("tool_plan") or "")
        if kind == "tool-call-start":
            yield from self.begin_call(event, message.get("tool_calls") or {})
        if kind == "tool-call-delta":
            function = (message.get("tool_calls") or {}).get("function") or {}
            yield from self.take_arguments(event.get("index"), function.get("arguments") or "")
        if kind == "message-end":
            yield from self.end_message(delta)

    def take_content(self, event, content):
        self.last_index = event.get("index", self.last_index)
        for key, member in (("thinking", "reasoning_content"), ("text", "content")):
            yield from self.take_prose(member, self.last_index, content.get(key) or "")

    def take_prose(self, member, block, piece):
        if piece:
            said = self.prose.setdefault((member, block), Joiner()).join(piece)
            if self.bug == "last-piece-held" and member == "content":
                said, self.held = self.held, said
            if said:
                yield self.say({member: said})

    def end_prose(self):
        for (member, _), joiner in self.prose.items():
            rest = joiner.close()
            if rest:
                yield self.say({member: rest})
        self.prose = {}

    def begin_call(self, event, told):
        number = 0 if self.bug == "calls-share-an-index" else self.number_of_calls
        call = Call(number)
        self.last_call = call
        self.calls[event.get("index", self.number_of_calls)] = call
        self.number_of_calls += 1
        function = told.get("function") or {}
        yield self.say({"tool_calls": [{"index": number, "id": told.get("id") or f"call_{self.number_of_calls}",
                                        "type": "function",
                                        "function": {"name": function.get("name") or "", "arguments": ""}}]})
        yield from self.say_arguments(call, function.get("arguments") or "")

    def take_arguments(self, index, piece):
        call = self.last_call if index is None else self.calls.get(index)
        if piece and call is None:
            yield from self.fail("arguments come for a call that never began")
        elif piece:
            yield from self.say_arguments(call, piece)

    def say_arguments(self, call, piece):
        said = call.pieces.join(piece)
        if said:
            call.spoke = True
            yield self.say({"tool_calls": [{"index": call.number, "function": {"arguments": said}}]})

    def end_message(self, delta):
        # An end without a reason is an end all the same.
        reason = str(delta.get("finish_reason") or ("TOOL_CALL" if self.calls else "COMPLETE")).upper()
        if delta.get("error") or reason not in FINISHES:
            if self.bug != "error-as-stop":
                yield from self.fail(str(delta.get("error") or f"the upstream ended with {reason}"))
                return
        if self.held:
            yield self.say({"content": self.held})
        yield from self.end_prose()
        for call in self.calls.values():
            rest = call.pieces.close() or ("" if call.spoke or reason == "MAX_TOKENS" else "{}")
            yield from self.say_arguments(call, rest)
        finish = FINISHES.get(reason, "stop")
        if self.bug == "limit-as-stop" and finish == "length":
            finish = "stop"
        yield self.say({}, finish)
        yield from self.count(delta.get("usage") or {})
        self.over = True
        yield "[DONE]"

    def count(self, usage):
        tokens = usage.get("billed_units" if self.bug == "billed-units-as-tokens" else "tokens")
        if not self.counts or not tokens:
            return
        prompt, completion = tokens.get("input_tokens", 0), tokens.get("output_tokens", 0)
        counted = {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion}
        if usage.get("cached_tokens") is not None:
            counted["prompt_tokens_details"] = {"cached_tokens": usage["cached_tokens"]}
        yield self.chunk([], usage=counted)

    def fail(self, message):
        self.over = True
        yield {"error": {"message": message, "type": "server_error", "param": None, "code": None}}

    def end(self):
        if self.over:
            return
        if self.bug == "cut-as-stop":
            yield self.say({}, "stop")
            yield "[DONE]"
            return
        message = "the upstream's answer broke off"
        if self.is_document:
            try:
                message = json.loads(self.body)["message"]
            except (ValueError, KeyError, TypeError):
                pass
        yield from self.fail(str(message))


def main():
    bug = sys.argv[1] if len(sys.argv) > 1 else ""
    for line in sys.stdin:
        told = json.loads(line)
        events = ()
        if "open" in told:
            translator = Translator(told["open"]["request"], bug)
        elif "feed" in told:
            events = translator.feed(base64.b64decode(told["feed"]))
        else:
            events = translator.end()
        for event in events:
            data = event if isinstance(event, str) else json.dumps(event)
            sys.stdout.write(json.dumps({"out": base64.b64encode(f"data: {data}\n\n".encode()).decode()}) + "\n")
        print('{"ack":true}', flush=True)


if __name__ == "__main__":
    main()
