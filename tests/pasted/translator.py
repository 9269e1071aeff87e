"""A small translator from Chat Completions to Anthropic Messages, with an optional bug:

  decodes-each-chunk  treats the result of each read as whole characters
  starts-again        starts a call's block again for each of its pieces
  needs-the-name      starts a call only if its id and its name come in one piece
"""
import codecs
import json
import urllib.request

WORDS = {"stop": "end_turn", "tool_calls": "tool_use", "length": "max_tokens", "content_filter": "refusal"}


def translate(upstream, request, bug=""):
    said = []

    def say(kind, **rest):
        said.append(f"event: {kind}\ndata: {json.dumps({'type': kind, **rest})}\n\n")

    asked = urllib.request.Request(upstream + "/v1/chat/completions", json.dumps({**request, "stream": True}).encode(),
                                   {"content-type": "application/json"})
    say("message_start", message={"id": "msg_1", "type": "message", "role": "assistant", "model": "m", "content": [],
                                  "stop_reason": None, "stop_sequence": None,
                                  "usage": {"input_tokens": 0, "output_tokens": 0}})
    calls, finish, usage, done = {}, None, {}, False
    block, count = None, 0  # the open block, and the number of blocks so far

    def close():
        nonlocal block
        if block is not None:
            say("content_block_stop", index=count - 1)
        block = None

    def start(kind, content):
        nonlocal block, count
        close()
        block, count = kind, count + 1
        say("content_block_start", index=count - 1, content_block=content)

    def take(data):
        nonlocal finish, usage, done
        if data == "[DONE]":
            done = True
            return
        chunk = json.loads(data)
        usage = chunk.get("usage") or usage
        choice = (chunk.get("choices") or [{}])[0]
        finish = choice.get("finish_reason") or finish
        delta = choice.get("delta") or {}
        if delta.get("content"):
            if block != "text":
                start("text", {"type": "text", "text": ""})
            say("content_block_delta", index=count - 1, delta={"type": "text_delta", "text": delta["content"]})
        for piece in delta.get("tool_calls") or []:
            call = calls.setdefault(piece["index"], {"id": None, "name": None, "held": ""})
            function = piece.get("function") or {}
            knew = call["id"] and call["name"]
            if bug != "needs-the-name" or (piece.get("id") and function.get("name")):
                call["id"] = call["id"] or piece.get("id")
                call["name"] = call["name"] or function.get("name")
            call["held"] += function.get("arguments") or ""
            if not call["id"] or not call["name"]:
                continue
            content = {"type": "tool_use", "id": call["id"], "name": call["name"], "input": {}}
            if not knew:
                start("call", content)
            elif bug == "starts-again":
                say("content_block_start", index=count - 1, content_block=content)
            if call["held"]:
                say("content_block_delta", index=count - 1,
                    delta={"type": "input_json_delta", "partial_json": call["held"]})
            call["held"] = ""

    text, decoder = "", codecs.getincrementaldecoder("utf-8")("replace")
    with urllib.request.urlopen(asked, timeout=20) as answer:
        while read := answer.read1(65536):
            text += read.decode("utf-8", "replace") if bug == "decodes-each-chunk" else decoder.decode(read)
            while "\n\n" in text:
                line, text = text.split("\n\n", 1)
                if line.startswith("data: "):
                    take(line[len("data: "):])
    close()
    if finish is None and not done:
        say("error", error={"type": "api_error", "message": "the upstream broke off"})
        return "".join(said).encode()
    cached = (usage.get("prompt_tokens_details") or {}).get("cached_tokens") or 0
    say("message_delta", delta={"stop_reason": WORDS.get(finish, "end_turn"), "stop_sequence": None},
        usage={"input_tokens": (usage.get("prompt_tokens") or 0) - cached, "cache_read_input_tokens": cached,
               "output_tokens": usage.get("completion_tokens") or 0})
    say("message_stop")
    return "".join(said).encode()
