"""A translator of Chat Completions streams into Responses streams, as a testee behind a pipe (docs/without-http.md).

It only reads what the corpus contains. An argument names a bug to insert: see BUGS.
"""
import base64
import json
import sys

BUGS = ["name-empty-in-done", "call-id-emptied", "delta-without-item", "piece-ends-missing", "error-as-completed",
        "custom-as-function", "arguments-only-in-done", "done-twice", "holds-everything", "last-delta-dropped"]
BUG = sys.argv[1] if len(sys.argv) > 1 else ""
REASONS = {"length": "max_output_tokens", "content_filter": "content_filter"}


CODES = {"invalid_request_error": "invalid_prompt", "rate_limit_error": "rate_limit_exceeded", 400: "invalid_prompt",
         429: "rate_limit_exceeded"}


def code_of(error):
    """Returns the code by which a client recognises the cause."""
    if not isinstance(error, dict):
        return "server_error"
    code = error.get("code")
    if code in ("context_length_exceeded", "insufficient_quota", "rate_limit_exceeded"):
        return code
    said = [word for word in (error.get("type"), code) if isinstance(word, (str, int))]
    return next((CODES[word] for word in said if word in CODES), "server_error")


def object_or_none(text):
    try:
        found = json.loads(text) if text.strip() else {}
        return {} if found is None else found if isinstance(found, dict) else None
    except ValueError:
        return None


class Item:
    """An item of the output. It emits its pieces, except half of a surrogate pair, which waits."""

    def __init__(self, kind, number):
        self.kind, self.number, self.id = kind, number, f"{kind[:3]}_{number}"
        self.said = self.half = self.kept = ""
        self.call = None
        self.done = False


class Call:
    def __init__(self, index):
        self.index, self.id, self.name, self.arguments, self.told, self.item = index, "", "", "", 0, None


class Translator:
    def __init__(self, request):
        self.custom = {tool["name"] for tool in request.get("tools", []) if tool.get("type") == "custom"}
        self.unread, self.begun, self.after_cr, self.lines, self.name = b"", False, False, [], ""
        self.body = b""
        self.events, self.items, self.calls = [], [], []
        self.usage = self.reason = self.model = None
        self.started = self.elsewhere = self.over = False

    # Input: lines, events, chunks

    def feed(self, chunk):
        self.body += chunk
        self.unread += chunk
        if not self.begun and len(self.unread) >= 3:
            self.unread, self.begun = self.unread.removeprefix(b"\xef\xbb\xbf"), True
        while self.begun and self.unread:
            if self.after_cr and self.unread[:1] == b"\n":
                self.unread = self.unread[1:]
            self.after_cr = False
            ends = [at for at in (self.unread.find(b"\r"), self.unread.find(b"\n")) if at >= 0]
            if not ends:
                break
            self.after_cr = self.unread[min(ends):min(ends) + 1] == b"\r"
            line, self.unread = self.unread[:min(ends)], self.unread[min(ends) + 1:]
            self.line(line.decode("utf-8", "replace"))

    def line(self, line):
        field, _, value = line.partition(":")
        if field == "data":
            self.lines.append(value.removeprefix(" "))
        elif field == "event":
            self.name = value.removeprefix(" ")
        elif not line:
            data, name, self.lines, self.name = "\n".join(self.lines), self.name, [], ""
            if data and not self.over:
                self.event(data, name)

    def event(self, data, name):
        if data == "[DONE]":
            return self.finish()
        try:
            chunk = json.loads(data)
        except ValueError:
            chunk = None
        if not isinstance(chunk, dict):
            return name in ("", "message") and self.fail("an event cannot be read")
        base = chunk.get("base_resp")
        if isinstance(base, dict) and base.get("status_code"):
            return self.fail(str(base.get("status_msg") or "the upstream failed"))
        error = chunk.get("error") or (name == "error" or chunk.get("object") == "error") and chunk
        if error:
            message = error.get("message") if isinstance(error, dict) else error
            return self.fail(str(message or "the upstream failed"), code_of(error))
        if isinstance(chunk.get("model"), str) and chunk.get("choices"):
            self.model = self.model or chunk["model"]
        usage = chunk.get("usage") or (chunk.get("x_groq") or {}).get("usage")
        if isinstance(usage, dict) and usage:
            self.usage = usage
        for place, choice in enumerate(chunk.get("choices") or []):
            if choice.get("index", place) == 0:
                self.choice(choice)
            else:
                self.elsewhere = True

    def choice(self, choice):
        delta = choice.get("delta") or {}
        parts = delta.get("content")
        parts = parts if isinstance(parts, list) else [{"type": "text", "text": parts}]
        thinking = self.thinking(delta) or "".join(
            self.thinking({"reasoning_details": part["thinking"]}) for part in parts if part.get("type") == "thinking")
        if not self.repeats(delta):
            self.prose("reasoning", thinking)
        self.prose("message", "".join(part.get("text") or "" for part in parts if part.get("type") == "text"))
        self.prose("refusal", delta.get("refusal"))
        calls = delta.get("tool_calls") or []
        if isinstance(delta.get("function_call"), dict):
            calls = calls or [{"index": 0, "function": delta["function_call"]}]
        for place, piece in enumerate(calls):
            self.piece(piece, place)
        self.reason = choice.get("finish_reason") or self.reason
        message = choice.get("message") or {}
        if not self.items and not self.calls and message:  # in place of deltas
            self.choice({"delta": message})
        known = [call.id for call in self.calls]
        for place, piece in enumerate(message.get("tool_calls") or []):
            if piece.get("id") not in known:
                self.piece(piece, place)

    def repeats(self, delta):
        """True if a list in the delta repeats whole thoughts."""
        thoughts = [item.said for item in self.items if item.kind == "reasoning"]
        for key in ("reasoning_details", "thinking_blocks"):
            said = [text for block in delta.get(key) or [] if (text := self.thinking({key: [block]}))]
            if said and thoughts and ("".join(said) in (thoughts[-1], "".join(thoughts)) or said == thoughts[-len(said):]):
                return True
        return False

    @staticmethod
    def thinking(delta):
        for key in ("reasoning_content", "reasoning"):
            if isinstance(delta.get(key), str) and delta[key]:
                return delta[key]
        for key, words in (("reasoning_details", ("text", "summary")), ("thinking_blocks", ("thinking",))):
            said = "".join(next((block[word] for word in words if block.get(word)), "") for block in delta.get(key) or [])
            if said:
                return said
        return ""

    # Output: events of items

    def say(self, event, **members):
        self.start()
        self.events.append((event, members))

    def start(self):
        if not self.started:
            self.started = True
            self.response("created", "in_progress")
            self.response("in_progress", "in_progress")

    def response(self, event, status, error=None, reason=None):
        self.start()
        usage = self.usage and {
            "input_tokens": self.usage.get("prompt_tokens", 0), "output_tokens": self.usage.get("completion_tokens", 0),
            "total_tokens": self.usage.get("prompt_tokens", 0) + self.usage.get("completion_tokens", 0),
            "input_tokens_details": {
                "cached_tokens": (self.usage.get("prompt_tokens_details") or {}).get("cached_tokens") or 0},
            "output_tokens_details": {
                "reasoning_tokens": (self.usage.get("completion_tokens_details") or {}).get("reasoning_tokens") or 0}}
        output = [self.whole(item, "completed") for item in self.items] if status in ("completed", "incomplete") else []
        self.events.append(("response." + event, {"response": {
            "id": "resp_1", "object": "response", "created_at": 1, "status": status, "model": self.model or "unknown",
            "error": error, "incomplete_details": reason and {"reason": reason}, "output": output,
            "usage": usage if status != "in_progress" else None, "instructions": None, "metadata": {},
            "parallel_tool_calls": True, "temperature": None, "tool_choice": "auto", "tools": [], "top_p": None}}))

    def add(self, kind, call=None):
        item = Item(kind, len(self.items))
        item.call = call
        if call:
            taken = [other.item.call_id for other in self.calls if other.item and other is not call]
            item.call_id = call.id if call.id and call.id not in taken else f"call_{item.number}"
        self.items.append(item)
        self.announce(item, "added")
        if kind == "reasoning":
            self.of(item, "response.reasoning_summary_part.added", part={"type": "summary_text", "text": ""})
        elif not call:
            self.of(item, "response.content_part.added", part=self.part(item))
        return item

    def announce(self, item, what):
        whole = self.whole(item, "in_progress" if what == "added" else "completed")
        if what == "added":
            for member in ("content", "summary"):
                whole.update({member: []} if member in whole else {})
            whole.update({member: "" for member in ("arguments", "input") if member in whole})
            if BUG == "delta-without-item":
                return
        elif BUG == "name-empty-in-done" and item.call:
            whole["name"] = ""
        self.say("response.output_item." + what, output_index=item.number, item=whole)

    def whole(self, item, status):
        if item.kind == "reasoning":
            return {"id": item.id, "type": "reasoning", "summary": [self.part(item)] if item.said else []}
        if not item.call:
            return {"id": item.id, "type": "message", "status": status, "role": "assistant", "content": [self.part(item)]}
        if status == "completed" and self.reason in REASONS and object_or_none(item.call.arguments) is None:
            status = "incomplete"
        return {"id": item.id, "type": item.kind, "status": status, "name": item.call.name,
                "call_id": "" if BUG == "call-id-emptied" else item.call_id,
                "input" if item.kind == "custom_tool_call" else "arguments": item.said}

    def part(self, item):
        if item.kind == "reasoning":
            return {"type": "summary_text", "text": item.said}
        if item.kind == "refusal":
            return {"type": "refusal", "refusal": item.said}
        return {"type": "output_text", "text": item.said, "annotations": [], "logprobs": []}

    def of(self, item, event, **members):
        if BUG == "piece-ends-missing" and event == "response.output_text.done":
            return
        if item.kind == "reasoning":
            members["summary_index"] = 0
        elif not item.call:
            members["content_index"] = 0
        self.say(event, item_id=item.id, output_index=item.number, **members)

    def tell(self, item, said):
        """Emits a piece of an item, with the held text before it."""
        if BUG == "last-delta-dropped" and item.kind == "message":
            said, item.kept = item.kept, said
        said = item.half + said
        item.half = said[-1:] if "\ud800" <= said[-1:] <= "\udbff" else ""
        said = said[:len(said) - len(item.half)].encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        if not said:
            return
        item.said += said
        names = {"message": "output_text", "refusal": "refusal", "reasoning": "reasoning_summary_text",
                 "function_call": "function_call_arguments", "custom_tool_call": "custom_tool_call_input"}
        if not (BUG == "arguments-only-in-done" and item.call):
            more = {"logprobs": []} if item.kind == "message" else {}
            self.of(item, f"response.{names[item.kind]}.delta", delta=said, **more)

    def lone_half(self, item):
        if item.half:
            item.half = ""
            self.tell(item, "\ufffd")

    def close(self, item):
        if item.done:
            return
        item.done = True
        self.lone_half(item)
        if item.kind == "custom_tool_call":
            found = object_or_none(item.call.arguments) or {}
            self.tell(item, next((value for value in found.values() if isinstance(value, str)), item.call.arguments))
            self.of(item, "response.custom_tool_call_input.done", input=item.said)
        elif item.call:
            if not item.said.strip() or item.said.strip() == "null":
                item.said = ""
                self.tell(item, "{}")
            self.of(item, "response.function_call_arguments.done", arguments=item.said, name=item.call.name)
        elif item.kind == "reasoning":
            self.of(item, "response.reasoning_summary_text.done", text=item.said)
            self.of(item, "response.reasoning_summary_part.done", part=self.part(item))
        else:
            if item.kind == "message":
                self.of(item, "response.output_text.done", text=item.said, logprobs=[])
            else:
                self.of(item, "response.refusal.done", refusal=item.said)
            self.of(item, "response.content_part.done", part=self.part(item))
        self.announce(item, "done")
        if BUG == "done-twice" and item.call:
            self.announce(item, "done")

    def prose(self, kind, said):
        if not isinstance(said, str) or not said:
            return
        last = self.items[-1] if self.items else None
        if not last or last.kind != kind:
            if last and not last.call:
                self.close(last)
            last = self.add(kind)
        self.tell(last, said)

    # Calls

    def piece(self, piece, place):
        function = piece.get("function") or {}
        ident = piece.get("id")
        ident = str(ident) if isinstance(ident, (str, int)) and ident != "" else ""
        name = function.get("name") if isinstance(function.get("name"), str) else ""
        index = piece.get("index")
        index = index if isinstance(index, int) and index >= 0 else None
        call = self.call_of(index, ident, name, place)
        call.place = place
        call.id, call.name = call.id or ident, call.name or name
        arguments = function.get("arguments")
        arguments = arguments if isinstance(arguments, str) else "" if arguments is None else json.dumps(arguments)
        call.arguments += arguments
        if call.item:
            arguments and call.item.kind == "function_call" and self.arguments(call)
        elif call.id and call.name:
            self.begin(call)

    def arguments(self, call):
        """Emits arguments from the start of an object: clients cannot use others."""
        if not call.arguments.lstrip().startswith("{"):
            return
        said = call.arguments[call.told:] if call.told else call.arguments.lstrip()
        call.told = len(call.arguments)
        self.tell(call.item, said)

    def begin(self, call):
        last = self.items[-1] if self.items else None
        if last and not last.call:
            self.close(last)
        custom = call.name in self.custom and BUG != "custom-as-function"
        call.item = self.add("custom_tool_call" if custom else "function_call", call)
        if not custom:
            self.arguments(call)

    def call_of(self, index, ident, name, place):
        known = [call for call in self.calls if (index is None or call.index in (None, index))]
        if index is not None:
            known = [call for call in known if call.index == index] or [
                call for call in known if ident and call.id == ident or not ident and call.place == place]
        elif ident:
            known = [call for call in known if call.id in ("", ident) and (call.id or call.place == place)]
        else:
            known = [call for call in known if call.place == place]
        call = known[-1] if known else None
        whole = call and call.arguments.strip() and object_or_none(call.arguments) is not None
        if call and (ident and call.id and ident != call.id or name and call.name and whole and (
                name != call.name or index is None and not ident)):
            call = None
        if not call:
            call = Call(index)
            self.calls.append(call)
        call.index = index if index is not None else call.index
        return call

    # The end

    def finish(self):
        if self.elsewhere and not self.items and not self.calls:
            return self.fail("the answer is in another choice")
        for call in self.calls:
            if not call.item and call.name:
                self.begin(call)
            if call.name and self.reason not in REASONS and object_or_none(call.arguments) is None:
                return self.fail("the arguments of a call are no JSON object")
        for item in self.items:
            self.close(item)
        reason = REASONS.get(self.reason)
        self.response("incomplete" if reason else "completed", "incomplete" if reason else "completed", reason=reason)
        self.over = True

    def fail(self, message, code="server_error"):
        if BUG == "error-as-completed":
            return self.finish()
        for item in self.items:
            self.lone_half(item)
        self.response("failed", "failed", error={"code": code, "message": message})
        self.over = True

    def end(self, how):
        tail = "\n".join(self.lines) or self.unread.decode("utf-8", "replace").partition("data:")[2].strip()
        whole = self.body.decode("utf-8", "replace")
        if "error" in (object_or_none(whole) or {}):
            tail = whole  # an error in place of a stream
        if not self.over and (tail == "[DONE]" or object_or_none(tail)):
            self.event(tail, self.name)
        if not self.over:
            self.finish() if self.reason and how in ("complete", "closed") else self.fail("the upstream broke off")


def main():
    for line in sys.stdin:
        told = json.loads(line)
        if "open" in told:
            translator, number, held = Translator(told["open"]["request"]), 0, b""
        elif "feed" in told:
            translator.feed(base64.b64decode(told["feed"]))
        else:
            translator.end(told["end"])
        out = b""
        for name, members in translator.events:
            data = json.dumps({"type": name, "sequence_number": number, **members}, ensure_ascii=False)
            out += f"event: {name}\ndata: {data}\n\n".encode("utf-8", "replace")
            number += 1
        translator.events.clear()
        if BUG == "holds-everything" and "end" not in told:
            held, out = held + out, b""
        elif BUG == "holds-everything":
            out = held + out
        if out:
            print(json.dumps({"out": base64.b64encode(out).decode()}))
        print('{"ack":true}', flush=True)


if __name__ == "__main__":
    main()
