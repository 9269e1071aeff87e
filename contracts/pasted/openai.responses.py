def input_of(text):
    try:
        return json.loads(text) if text.strip() else {}
    except ValueError:
        return text



def read(all_events):
    """What a client assembles."""
    answer = {"text": "", "thinking": "", "refusal": "", "error": False, "usage": {}}
    calls = {}
    for _, data in all_events:
        event = json.loads(data)
        kind, item, response = event.get("type"), event.get("item") or {}, event.get("response") or {}
        if kind == "response.output_text.delta":
            answer["text"] += event["delta"]
        if kind == "response.refusal.delta":
            answer["refusal"] += event["delta"]
        if kind in ("response.reasoning_text.delta", "response.reasoning_summary_text.delta"):
            answer["thinking"] += event["delta"]
        if kind == "response.output_item.added" and item.get("type") == "function_call":
            calls[event["output_index"]] = {"id": item.get("call_id"), "name": item.get("name"),
                                            "text": item.get("arguments") or ""}
        if kind == "response.function_call_arguments.delta":
            calls[event["output_index"]]["text"] += event["delta"]
        if kind in ("error", "response.failed"):
            answer["error"] = True
        if kind == "response.completed":
            answer["finish"] = "stop"
        if kind == "response.incomplete":
            reason = (response.get("incomplete_details") or {}).get("reason")
            answer["finish"] = "content_filter" if reason == "content_filter" else "length"
        if response.get("usage"):
            usage = response["usage"]
            cached = (usage.get("input_tokens_details") or {}).get("cached_tokens") or 0
            written = (usage.get("input_tokens_details") or {}).get("cache_write_tokens") or 0
            answer["usage"] = {"input": usage["input_tokens"] - cached - written, "cached": cached, "written": written,
                               "output": usage["output_tokens"]}
    answer["names"] = [call["name"] for call in calls.values()]
    answer["ids"] = [call["id"] for call in calls.values()]
    answer["inputs"] = [input_of(call["text"]) for call in calls.values()]
    answer["called"] = sorted(answer["names"], key=str)
    return answer, []
