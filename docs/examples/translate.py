"""A small translator of Chat Completions streams into Anthropic Messages streams, as a testee of splitproof.

It handles plain text and sequential tool calls. docs/pipe.md lists its gaps and their findings.
"""
import base64
import copy
import json
import sys

STOP_REASONS = {"stop": "end_turn", "length": "max_tokens", "tool_calls": "tool_use"}


class Translator:
    def __init__(self, request):
        self.model = request.get("model", "")
        self.unread = b""  # bytes, since a chunk may end inside a character
        self.block = None  # the open block: "text", or the index of a call
        self.blocks = 0
        self.stop_reason = None
        self.usage = {}
        self.over = False

    def feed(self, chunk):
        self.unread += chunk
        while b"\n\n" in self.unread and not self.over:
            event, self.unread = self.unread.split(b"\n\n", 1)
            if event.startswith(b"data: "):
                yield from self.read(event[6:])

    def end(self):
        if not self.over:
            yield "error", {"error": {"type": "api_error", "message": "the upstream's answer broke off"}}

    def read(self, data):
        if data == b"[DONE]":
            yield from self.finish()
            return
        chunk = json.loads(data)
        self.usage = chunk.get("usage") or self.usage
        if self.model is not None:
            message = {"id": "msg_" + chunk["id"], "type": "message", "role": "assistant", "model": self.model,
                       "content": [], "stop_reason": None, "stop_sequence": None,
                       "usage": {"input_tokens": 0, "output_tokens": 0}}
            yield "message_start", {"message": message}
            self.model = None
        for choice in chunk["choices"]:
            delta = choice["delta"]
            if delta.get("content"):
                yield from self.open("text", {"type": "text", "text": ""})
                yield from self.append({"type": "text_delta", "text": delta["content"]})
            for call in delta.get("tool_calls") or []:
                named = {"type": "tool_use", "id": call.get("id"), "name": call["function"].get("name"), "input": {}}
                yield from self.open(call["index"], named)
                if call["function"].get("arguments"):
                    yield from self.append({"type": "input_json_delta",
                                            "partial_json": call["function"]["arguments"]})
            self.stop_reason = choice.get("finish_reason") or self.stop_reason

    def open(self, block, content_block):
        if self.block != block:
            yield from self.close()
            yield "content_block_start", {"index": self.blocks, "content_block": content_block}
            self.block = block

    def append(self, delta):
        yield "content_block_delta", {"index": self.blocks, "delta": delta}

    def close(self):
        if self.block is not None:
            yield "content_block_stop", {"index": self.blocks}
            self.block = None
            self.blocks += 1

    def finish(self):
        yield from self.close()
        delta = {"stop_reason": STOP_REASONS.get(self.stop_reason, "end_turn"), "stop_sequence": None}
        usage = {"input_tokens": self.usage.get("prompt_tokens", 0),
                 "output_tokens": self.usage.get("completion_tokens", 0)}
        yield "message_delta", {"delta": delta, "usage": usage}
        yield "message_stop", {}
        self.over = True


def text_of(content):
    if isinstance(content, str):
        return content
    return "\n".join(block["text"] for block in content or [] if block["type"] == "text")


def chat_request(request):
    """Returns the request to the upstream for a client's request."""
    messages = []
    if request.get("system"):
        messages.append({"role": "system", "content": text_of(request["system"])})
    for message in request["messages"]:
        blocks = message["content"] if isinstance(message["content"], list) else []
        for block in blocks:
            if block["type"] == "tool_result":
                messages.append({"role": "tool", "tool_call_id": block["tool_use_id"],
                                 "content": text_of(block.get("content"))})
        calls = [{"id": block["id"], "type": "function",
                  "function": {"name": block["name"], "arguments": json.dumps(block["input"])}}
                 for block in blocks if block["type"] == "tool_use"]
        text = text_of(message["content"])
        if calls:
            messages.append({"role": "assistant", "content": text or None, "tool_calls": calls})
        elif text:
            messages.append({"role": message["role"], "content": text})
    asked = {"model": request["model"], "max_tokens": request["max_tokens"], "messages": messages,
             "stream": True, "stream_options": {"include_usage": True}}
    tools = [{"type": "function", "function": {"name": tool["name"], "description": tool.get("description", ""),
                                               "parameters": tool["input_schema"]}}
             for tool in request.get("tools", [])]
    return {**asked, "tools": tools} if tools else asked


def say(word):
    print(json.dumps(word), flush=True)


def main():
    kept = {}  # copies of the exchange's state, for `splitproof prove`
    for line in sys.stdin:
        told = json.loads(line)
        events = ()
        if "open" in told:
            translator = Translator(told["open"]["request"])
            say({"ask": {"path": "/v1/chat/completions", "body": chat_request(told["open"]["request"])}})
        elif "feed" in told:
            events = translator.feed(base64.b64decode(told["feed"]))
        elif "fork" in told:
            kept[told["fork"]] = copy.deepcopy(translator)
        elif "use" in told:
            translator = copy.deepcopy(kept[told["use"]])
        elif "digest" in told:
            say({"digest": repr(vars(translator))})
            continue
        else:
            events = translator.end()
        for name, data in events:
            event = f"event: {name}\ndata: {json.dumps({'type': name, **data})}\n\n"
            say({"out": base64.b64encode(event.encode()).decode()})
        say({"ack": True})


if __name__ == "__main__":
    main()
