"""Translates Chat Completions streams into Responses streams over a pipe (docs/without-http.md): text, reasoning, refusals, calls
of functions, counts and errors. It reads the streams of most providers. contracts/specifications/codex.md lists its gaps."""
import base64, json, sys

DELTAS = {"message": "output_text", "refusal": "refusal", "reasoning": "reasoning_summary_text",
          "function_call": "function_call_arguments"}
CODES = ("context_length_exceeded", "insufficient_quota", "rate_limit_exceeded")
CODE_OF = {"invalid_request_error": "invalid_prompt", "rate_limit_error": "rate_limit_exceeded"}
ENDS = {"length": "max_output_tokens", "content_filter": "content_filter"}


class Translator:
    def __init__(self):
        self.out, self.unread, self.items, self.calls = "", b"", [], {}
        self.number, self.model, self.usage, self.finish, self.over = 0, None, None, None, False

    def say(self, event, **members):
        data = {"type": "response." + event, "sequence_number": self.number, **members}
        self.number += 1
        self.out += f"event: {data['type']}\ndata: {json.dumps(data)}\n\n"

    def response(self, event, status, error=None, reason=None):
        usage = self.usage and {
            "input_tokens": self.usage.get("prompt_tokens", 0), "output_tokens": self.usage.get("completion_tokens", 0),
            "total_tokens": self.usage.get("prompt_tokens", 0) + self.usage.get("completion_tokens", 0),
            "input_tokens_details": {"cached_tokens": self.detail("prompt", "cached")},
            "output_tokens_details": {"reasoning_tokens": self.detail("completion", "reasoning")}}
        ended = status in ("completed", "incomplete")
        self.say(event, response={
            "id": "resp_1", "object": "response", "created_at": 1, "status": status, "model": self.model or "unknown",
            "error": error, "incomplete_details": reason and {"reason": reason},
            "output": [self.whole(item) for item in self.items] if ended else [], "usage": usage if ended else None,
            "instructions": None, "metadata": {}, "parallel_tool_calls": True, "temperature": None, "tool_choice": "auto",
            "tools": [], "top_p": None})

    def detail(self, of, what):
        return (self.usage.get(of + "_tokens_details") or {}).get(what + "_tokens") or 0

    def whole(self, item, said=None, status="completed"):
        kind, content = item["kind"], [] if said == "" else [self.part(item)]
        if kind == "reasoning":
            return {"id": item["id"], "type": kind, "summary": content}
        if kind != "function_call":
            return {"id": item["id"], "type": "message", "status": status, "role": "assistant", "content": content}
        if self.finish in ENDS and not complete(item["said"]):
            status = "incomplete"
        return {"id": item["id"], "type": kind, "status": status, "call_id": item["call"], "name": item["name"],
                "arguments": item["said"] if said is None else said}

    def part(self, item, said=None):
        said = item["said"] if said is None else said
        return {"message": {"type": "output_text", "text": said, "annotations": [], "logprobs": []},
                "refusal": {"type": "refusal", "refusal": said}, "function_call": None,
                "reasoning": {"type": "summary_text", "text": said}}[item["kind"]]

    def of(self, item, event, **members):
        place = {"reasoning": {"summary_index": 0}, "function_call": {}}.get(item["kind"], {"content_index": 0})
        self.say(event, item_id=item["id"], output_index=self.items.index(item), **place, **members)

    def parts(self, item):
        return "reasoning_summary_part" if item["kind"] == "reasoning" else "content_part"

    def open(self, kind, **call):
        if self.items and self.items[-1]["kind"] != "function_call":
            self.close(self.items[-1])
        item = {"kind": kind, "id": f"{kind[:3]}_{len(self.items)}", "said": "", "done": False, **call}
        self.items.append(item)
        self.say("output_item.added", output_index=len(self.items) - 1, item=self.whole(item, "", "in_progress"))
        if kind != "function_call":
            self.of(item, self.parts(item) + ".added", part=self.part(item, ""))
        return item

    def tell(self, item, said):
        said = item.pop("half", "") + said
        if "\ud800" <= said[-1:] <= "\udbff":  # half a character: the other half comes next, if it comes
            item["half"], said = said[-1], said[:-1]
        said = said.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        if not said:
            return
        item["said"] += said
        self.of(item, DELTAS[item["kind"]] + ".delta", delta=said, **({"logprobs": []} if item["kind"] == "message" else {}))

    def close(self, item):
        if item["done"]:
            return
        item["done"], kind = True, item["kind"]
        if item.pop("half", ""):
            self.tell(item, "\ufffd")
        if kind == "function_call" and not item["said"].strip():
            self.tell(item, "{}")
        all_of = {"function_call": {"arguments": item["said"], "name": item.get("name")}, "refusal": {"refusal": item["said"]},
                  "message": {"text": item["said"], "logprobs": []}}.get(kind, {"text": item["said"]})
        self.of(item, DELTAS[kind] + ".done", **all_of)
        if kind != "function_call":
            self.of(item, self.parts(item) + ".done", part=self.part(item))
        self.say("output_item.done", output_index=self.items.index(item), item=self.whole(item))

    def feed(self, chunk):
        self.unread += chunk
        *events, self.unread = self.unread.split(b"\n\n")
        for event in events:
            data = b"\n".join(line[6:] for line in event.split(b"\n") if line.startswith(b"data: "))
            if data and not self.over:
                self.event(data)

    def event(self, data):
        if data == b"[DONE]":
            return self.end("complete")
        chunk = json.loads(data)
        if not self.number:
            self.model = chunk.get("model")
            self.response("created", "in_progress")
        if chunk.get("error"):
            return self.fail(chunk["error"].get("message", "the upstream failed"), self.code(chunk["error"]))
        self.usage = chunk.get("usage") or self.usage
        for choice in chunk.get("choices", [])[:1]:
            delta = choice.get("delta") or {}
            for kind, key in (("reasoning", "reasoning_content"), ("message", "content"), ("refusal", "refusal")):
                if delta.get(key):
                    last = self.items[-1] if self.items else None
                    self.tell(last if last and last["kind"] == kind else self.open(kind), delta[key])
            for piece in delta.get("tool_calls") or []:
                self.piece(self.calls.setdefault(piece["index"], {"call": "", "name": "", "wait": ""}), piece)
            self.finish = choice.get("finish_reason") or self.finish

    def piece(self, call, piece):
        function = piece.get("function") or {}
        call["call"], call["name"] = call["call"] or piece.get("id") or "", call["name"] or function.get("name") or ""
        call["wait"] += function.get("arguments") or ""
        if "item" not in call and call["call"] and call["name"]:
            call["item"] = self.open("function_call", call=call["call"], name=call["name"])
        if "item" in call and call["wait"]:
            self.tell(call["item"], call["wait"])
            call["wait"] = ""

    def end(self, how):
        if self.over:
            return
        if not self.finish or how not in ("complete", "closed"):
            return self.fail("the upstream broke off")
        if self.finish not in ENDS and not all(complete(item["said"]) for item in self.items if item["kind"] == "function_call"):
            return self.fail("the arguments of a call are no JSON object")
        for item in self.items:
            self.close(item)
        status = "incomplete" if self.finish in ENDS else "completed"
        self.response(status, status, reason=ENDS.get(self.finish))
        self.over = True

    def code(self, error):  # Codex asks again after any but context_length_exceeded
        code = error.get("code")
        return code if code in CODES else CODE_OF.get(error.get("type"), "server_error")

    def fail(self, message, code="server_error"):
        if not self.number:
            self.response("created", "in_progress")
        self.response("failed", "failed", error={"code": code, "message": message})
        self.over = True


def complete(arguments):
    try:
        return isinstance(json.loads(arguments or "{}"), dict)
    except ValueError:
        return False


for line in sys.stdin:
    told = json.loads(line)
    if "open" in told:
        translator = Translator()
    elif "feed" in told:
        translator.feed(base64.b64decode(told["feed"]))
    else:
        translator.end(told["end"])
    if translator.out:
        print(json.dumps({"out": base64.b64encode(translator.out.encode()).decode()}))
        translator.out = ""
    print('{"ack":true}', flush=True)
