def input_of(text):
    try:
        return json.loads(text) if text.strip() else {}
    except ValueError:
        return text


def read(all_events):
    """What a client assembles, and what breaks the order of events."""
    words = {"end_turn": "stop", "tool_use": "tool_calls", "max_tokens": "length", "refusal": "content_filter"}
    answer = {"text": "", "thinking": "", "names": [], "inputs": [], "ids": [], "error": False, "usage": {}}
    problems, still_open, begun, blocks = [], {}, set(), []
    started = stopped = False
    deltas = 0

    def count(usage):
        for member, key in (("input", "input_tokens"), ("cached", "cache_read_input_tokens"),
                            ("written", "cache_creation_input_tokens"), ("output", "output_tokens")):
            if isinstance((usage or {}).get(key), int):
                answer["usage"][member] = usage[key]

    for name, data in all_events:
        event = input_of(data)
        if not isinstance(event, dict) or not isinstance(event.get("type"), str):
            problems.append(f"no event: {data}")
            continue
        kind, index = event.get("type"), event.get("index")
        if name != kind:
            problems.append(f"the event of {kind} is named {name}")
        if answer["error"]:
            problems.append(f"{kind} follows the error")
        if kind == "error":
            answer["error"] = True
            continue
        if stopped:
            problems.append(f"{kind} follows message_stop")
        if kind == "message_start":
            if started:
                problems.append("a second message_start")
            started = True
            count((event.get("message") or {}).get("usage"))
            continue
        if not started:
            problems.append(f"{kind} comes before message_start")
        block = still_open.get(index)
        if kind == "content_block_start":
            if index in begun:
                problems.append(f"block {index} starts again")
            if still_open:
                problems.append(f"block {index} starts while another is open")
            if index != len(begun):
                problems.append(f"block {index} starts as number {len(begun)}")
            begun.add(index)
            start = event.get("content_block") or {}
            made = {"type": start.get("type"), "name": start.get("name"), "id": start.get("id"),
                    "text": start.get("text") or start.get("thinking") or ""}
            still_open[index] = made
            blocks.append(made)
        elif kind == "content_block_delta":
            if block is None:
                problems.append(f"a delta comes for block {index}, which is not open")
            else:
                delta = event.get("delta") or {}
                block["text"] += delta.get("text") or delta.get("thinking") or delta.get("partial_json") or ""
        elif kind == "content_block_stop":
            if block is None:
                problems.append(f"block {index} stops, and is not open")
            still_open.pop(index, None)
        elif kind == "message_delta":
            if still_open:
                problems.append("message_delta comes while a block is open")
            reason = (event.get("delta") or {}).get("stop_reason")
            deltas += 1
            if deltas > 1:
                problems.append("a second message_delta")
            if isinstance(reason, str):
                answer["finish"] = words.get(reason, reason)
            count(event.get("usage"))
        elif kind == "message_stop":
            if "finish" not in answer:
                problems.append("no message_delta said a stop_reason")
            stopped = True
    if not answer["error"]:
        problems += [f"block {index} never stops" for index in still_open]
        if not stopped:
            problems.append("no message_stop came")
    for block in blocks:
        if block["type"] == "text":
            answer["text"] += block["text"]
        if block["type"] == "thinking":
            answer["thinking"] += block["text"]
        if block["type"] == "tool_use":
            answer["names"].append(block["name"])
            answer["ids"].append(block["id"])
            answer["inputs"].append(input_of(block["text"]))
    answer["called"] = sorted(answer["names"], key=str)
    return answer, problems
