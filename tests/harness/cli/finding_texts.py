#!/usr/bin/env python3
"""Checks the texts of findings: each row is an upstream's stream, a wrong answer of a proxy, and a sentence of the
finding.

usage: finding_texts.py SPLITPROOF

The answer comes from a pipe target that sends it for any input. A sentence has to be in the message of its rule: it
names the member, the found and the expected value, and the event."""
import concurrent.futures
import json
import os
import subprocess
import sys
import tempfile

CHAT, MESSAGES, RESPONSES = "openai.chat", "anthropic.messages", "openai.responses"
TESTEE = """import base64, json, sys
body, said = base64.b64encode(open(sys.argv[1], "rb").read()).decode(), False
for line in sys.stdin:
    one = json.loads(line)
    if "open" in one:
        said = False
    elif not said:
        print(json.dumps({"out": body}))
        said = True
    print('{"ack":true}', flush=True)
"""


def chunk(delta=None, finish=None, **more):
    choices = [] if delta is None else [{"index": 0, "delta": delta, "finish_reason": finish}]
    return {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": choices, **more}


def chat(*chunks, done=True):
    body = "".join(f"data: {json.dumps(one)}\n\n" for one in chunks)
    return body + ("data: [DONE]\n\n" if done else "")


def said(text, finish="stop", usage=(12, 9), **details):
    counts = {"prompt_tokens": usage[0], "completion_tokens": usage[1], "total_tokens": sum(usage), **details}
    return chat(chunk({"role": "assistant", "content": text}), chunk({}, finish), chunk(usage=counts))


def called(arguments, finish="tool_calls"):
    call = {"index": 0, "id": "call_1", "type": "function", "function": {"name": "look", "arguments": arguments}}
    return chat(chunk({"role": "assistant", "content": None, "tool_calls": [call]}), chunk({}, finish))


def named(events):
    return "".join(f"event: {one['type']}\ndata: {json.dumps(one)}\n\n" for one in events)


def message(*blocks, stop="end_turn", usage=None):
    """Returns a message; a block is a text, or a pair of a content_block and its deltas."""
    events = [{"type": "message_start", "message": {
        "id": "msg_1", "type": "message", "role": "assistant", "model": "m", "content": [], "stop_reason": None,
        "stop_sequence": None, "usage": {"input_tokens": 12, "output_tokens": 1}}}]
    for index, block in enumerate(blocks):
        if isinstance(block, str):
            block = ({"type": "text", "text": ""}, {"type": "text_delta", "text": block})
        events.append({"type": "content_block_start", "index": index, "content_block": block[0]})
        events += [{"type": "content_block_delta", "index": index, "delta": delta} for delta in block[1:]]
        events.append({"type": "content_block_stop", "index": index})
    events.append({"type": "message_delta", "delta": {"stop_reason": stop, "stop_sequence": None},
                   "usage": {"input_tokens": 12, "output_tokens": 9, **(usage or {})}})
    return named(events + [{"type": "message_stop"}])


def call_block(arguments):
    return ({"type": "tool_use", "id": "call_1", "name": "look", "input": {}},
            {"type": "input_json_delta", "partial_json": arguments})


def response(text="Hello.", usage=(12, 9), status="completed", part=None, **more):
    part = part or {"type": "output_text", "text": text, "annotations": []}
    item = {"id": "msg_0", "type": "message", "status": "completed", "role": "assistant", "content": [part]}
    counts = {"input_tokens": usage[0], "input_tokens_details": {"cached_tokens": 0}, "output_tokens": usage[1],
              "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": sum(usage)}
    whole = {"id": "resp_1", "object": "response", "created_at": 1, "status": status, "model": "m", "output": [item],
             "error": None, "incomplete_details": None, "usage": counts, **more}
    begun = {**whole, "status": "in_progress", "output": [], "usage": None}
    place = {"item_id": "msg_0", "output_index": 0, "content_index": 0}
    kind = "refusal" if part["type"] == "refusal" else "output_text"
    words = part.get("refusal", part.get("text"))
    empty = {**part, "refusal" if kind == "refusal" else "text": ""}
    empty.pop("annotations", None) if kind == "refusal" else empty.update(annotations=[])
    events = [{"type": "response.created", "response": begun},
              {"type": "response.output_item.added", "output_index": 0, "item": {**item, "status": "in_progress", "content": []}},
              {"type": "response.content_part.added", **place, "part": empty},
              {"type": f"response.{kind}.delta", **place, "delta": words},
              {"type": f"response.{kind}.done", **place, "refusal" if kind == "refusal" else "text": words},
              {"type": "response.content_part.done", **place, "part": part},
              {"type": "response.output_item.done", "output_index": 0, "item": item},
              {"type": f"response.{status}", "response": whole}]
    for number, event in enumerate(events):
        event["sequence_number"] = number
    return named(events)


REDACTED = ({"type": "redacted_thinking", "data": "RU5D"},)
UNSIGNED = ({"type": "thinking", "thinking": "", "signature": ""},)
SIGNED = ({"type": "thinking", "thinking": "", "signature": ""}, {"type": "signature_delta", "signature": "c2ln"})
ANNOTATED = {"type": "output_text", "text": "Hello.", "annotations": [
    {"type": "url_citation", "url": "https://one.example", "title": "E", "start_index": 0, "end_index": 5}]}
OTHERWISE = {**ANNOTATED, "annotations": [{**ANNOTATED["annotations"][0], "url": "https://two.example"}]}

# (rule, upstream, client, the upstream's stream, the proxy's answer, parts of the message, in any order)
ROWS = [
    ("END-05", CHAT, MESSAGES, said("Hello.", "abort"), message("Hello."),
     ["the upstream's answer failed (", "abort", "does not end in an error, at event 4 (message_delta, line"]),
    ("END-05", CHAT, MESSAGES,
     chat(chunk({"role": "assistant", "content": "Hel"}), {"error": {"message": "The model crashed.", "type": "server_error"}}),
     message("Hel"), ["the upstream's answer failed (The model crashed.), and the response does not end in an error"]),
    ("END-08", CHAT, MESSAGES, chat({"error": {"message": "Slow down.", "type": "rate_limit_error"}}), message(),
     ["the upstream's answer failed (Slow down.) before any content"]),
    ("END-17", MESSAGES, CHAT, message(stop="glitch"), said(""),
     ['has no content, and ended with "glitch", which does not explain that, and the response']),
    ("CHT-16", MESSAGES, CHAT, named([{"type": "error", "error": {"type": "api_error", "message": "It broke."}}]), said(""),
     ["the upstream's answer failed (It broke.), and the client gets no error, at event 1 (chat.completion.chunk, line"]),
    ("CHT-16", MESSAGES, CHAT, message("Hello.", stop="max_tokens"), said("Hello."),
     ['the upstream ended with "max_tokens"; /choices/0/finish_reason (normalised) sent: "stop", expected: "length", at']),
    ("STOP-02", CHAT, MESSAGES, said("Hello.", "tool_calls"), message("Hello.", stop="max_tokens"),
     ['the upstream ended with "tool_calls" without a call; /delta/stop_reason (normalised) sent: "length", expected: "stop", at']),
    ("STOP-02", CHAT, MESSAGES, called('{"q":1}', "stop"), message(call_block('{"q":1}')),
     ['the upstream ended with "stop" after a call; ', 'expected: "tool_calls", at']),
    ("RSP-39", CHAT, RESPONSES, said("Hello.", "length"), response(),
     ['the upstream ended with "length"; /response/status (normalised) sent: "stop", expected: "length", at']),
    ("RSP-39", RESPONSES, RESPONSES, response(status="incomplete", incomplete_details={"reason": "weather"}), response(),
     ['the upstream ended with "incomplete, weather"; /response/status (normalised) sent: "stop", expected: "incomplete, weather", at']),
    ("END-11", CHAT, MESSAGES, said("Hello.", 2), message("Hello.", stop="max_tokens"),
     ['the upstream sent [DONE] without a readable finish_reason; finish reason sent: "length", expected: "stop", at']),
    ("STOP-02", CHAT, MESSAGES, said("Hello.", 2), message("Hello.", stop="max_tokens"),
     ['the upstream ended with its closing mark, and no word that can be read; ', 'expected: "stop", at']),
    ("TOOL-15", CHAT, MESSAGES, called('{"q":1}{"q":1}'), message(call_block('{"q":1}{"q":1}'), stop="tool_use"),
     ['the upstream called "look" with the arguments {"q":1}{"q":1}; the arguments are complete and not one JSON object',
      "at event 4 (message_delta, line"]),
    ("SSE-12", RESPONSES, RESPONSES, response(part=ANNOTATED), response(part=OTHERWISE),
     ['sent: "https://two.example" under the annotations of part 0 of item 0, /0/url, expected: "https://one.example"']),
    ("SSE-12", CHAT, CHAT, chat(chunk({"role": "assistant", "content": "Hello.", "mood": {"a": 'say "x"'}}), chunk({}, "stop")),
     chat(chunk({"role": "assistant", "content": "Hello."}), chunk({}, "stop")),
     ['sent: nothing under the delta.mood, expected: {"a":"say \\"x\\""}']),
    ("USE-04", CHAT, MESSAGES, said("Hello."), message("Hello.", usage={"output_tokens": 4}),
     ["a chunk after the upstream's finish_reason has usage; output tokens sent: 4, expected: 9, at"]),
    ("UPS-05", CHAT, MESSAGES, said("Hello."), message("Hello.", usage={"output_tokens": 4}),
     ["/usage/output_tokens sent: 4, expected: 9, at event 4 (message_delta, line"]),
    ("USE-05", CHAT, MESSAGES, said("Hello.", usage=(500, 9), prompt_tokens_details={"cached_tokens": 100}),
     message("Hello.", usage={"input_tokens": 500, "cache_read_input_tokens": 100}),
     ["/usage/input_tokens without cached tokens sent: 500, expected: 400, at"]),
    ("CHT-17", MESSAGES, CHAT, message("Hello."), said("Hello.", usage=(7, 9)),
     ["/usage/prompt_tokens without cached tokens sent: 7, expected: 12, at"]),
    ("CHT-17", MESSAGES, CHAT, message("Hello."), said("Hello.", usage=(12, 3)),
     ["/usage/completion_tokens sent: 3, expected: 9, at"]),
    ("RSP-41", CHAT, RESPONSES, said("Hello."), response(usage=(12, 3)),
     ["/response/usage/output_tokens sent: 3, expected: 9, at event 7 (response.completed, line"]),
    ("THK-06", MESSAGES, MESSAGES, message(SIGNED, "Hello."), message(UNSIGNED, "Hello."),
     ["number of thinking blocks with text or a signature sent: 0, expected: 1"]),
    ("RSP-31", CHAT, RESPONSES, chat(chunk({"role": "assistant", "refusal": "I cannot."}), chunk({}, "stop")),
     response("I cannot."), ['text sent: "I cannot.", expected: ""; this text is under refusal of the upstream\'s answer']),
    ("THK-01", CHAT, MESSAGES, chat(chunk({"role": "assistant", "reasoning_content": "Well now."}), chunk({"content": "Hello."}),
                                    chunk({}, "stop")), message("Well now.Hello."),
     ['thinking sent: "", expected: "Well now."; this text is under text of the client\'s message']),
    ("ANT-23", MESSAGES, MESSAGES, message("Hello."), message(REDACTED, "Hello."),
     ["citations and other blocks sent: ", "RU5D", "expected: []"]),
]


def messages(program, work, row):
    """Returns {rule: message} of the findings on a row."""
    _, upstream, client, stream, answer, _ = row
    folder = tempfile.mkdtemp(dir=work)
    for name, text in (("upstream.sse", stream), ("answer.sse", answer), ("testee.py", TESTEE)):
        with open(f"{folder}/{name}", "w") as file:
            file.write(text)
    with open(f"{folder}/target.yaml", "w") as file:
        file.write(f"target: canned\nkind: pipe\nclient: {client}\nupstream: {upstream}\n"
                   f"command: [{json.dumps(sys.executable)}, {folder}/testee.py, {folder}/answer.sse]\n")
    subprocess.run([program, "import", "sse", f"{folder}/upstream.sse", "--protocol", upstream, "--out", folder], check=True,
                   stdout=subprocess.DEVNULL)
    done = subprocess.run([program, "replay", f"upstream?client={client}&gen=whole", "--corpus", folder, "--target",
                           f"{folder}/target.yaml"], capture_output=True, text=True, timeout=120)
    found = {}
    for line in done.stdout.splitlines():
        for level in (" must: ", " should: "):
            if level in line and " " not in line.split(level)[0]:
                found[line.split(level)[0]] = line.split(level)[1]
    return found


def main(program):
    wrong = 0
    with tempfile.TemporaryDirectory() as work, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for row, found in zip(ROWS, pool.map(lambda row: messages(os.path.abspath(program), work, row), ROWS)):
            text = found.get(row[0], "(no finding; there are: " + " | ".join(f"{k} {v}" for k, v in found.items()) + ")")
            missing = [part for part in row[5] if part not in text]
            if missing:
                wrong += 1
                print(f"{row[0]} of {row[1]} to {row[2]}: not said: {missing}\n  but: {text}")
    print(f"{len(ROWS)} rows, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
