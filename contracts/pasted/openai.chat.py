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
        if data == "[DONE]":
            break
        event = json.loads(data)
        if event.get("error"):
            answer["error"] = True
            break
        choice = (event.get("choices") or [{}])[0]
        delta = choice.get("delta") or {}
        answer["text"] += delta.get("content") or ""
        answer["thinking"] += delta.get("reasoning_content") or delta.get("reasoning") or ""
        answer["refusal"] += delta.get("refusal") or ""
        for piece in delta.get("tool_calls") or []:
            call = calls.setdefault(piece.get("index"), {"id": None, "name": None, "text": ""})
            function = piece.get("function") or {}
            call["id"] = call["id"] or piece.get("id")
            call["name"] = call["name"] or function.get("name")
            call["text"] += function.get("arguments") or ""
        if isinstance(choice.get("finish_reason"), str):
            answer["finish"] = choice["finish_reason"]
        if event.get("usage"):
            usage = event["usage"]
            cached = (usage.get("prompt_tokens_details") or {}).get("cached_tokens") or 0
            written = (usage.get("prompt_tokens_details") or {}).get("cache_write_tokens") or 0
            answer["usage"] = {"input": usage["prompt_tokens"] - cached - written, "cached": cached, "written": written,
                               "output": usage["completion_tokens"]}
    answer["names"] = [call["name"] for call in calls.values()]
    answer["ids"] = [call["id"] for call in calls.values()]
    answer["inputs"] = [input_of(call["text"]) for call in calls.values()]
    answer["called"] = sorted(answer["names"], key=str)
    return answer, []
