"""The differences of recorded streams from the owner's document, or from most streams. Each has a test of the events of a
response, and the rule that it violates."""

import dataclasses
import json
import re
import typing


@dataclasses.dataclass(frozen=True)
class Event:
    name: typing.Optional[str]  # the event: line; None without one
    data: str
    json: typing.Any  # None if the data is not JSON

    def at(self, *steps):
        """The value that the steps lead to, or None."""
        value = self.json
        for step in steps:
            if isinstance(value, dict):
                value = value.get(step)
            elif isinstance(value, list) and isinstance(step, int) and step < len(value):
                value = value[step]
            else:
                return None
        return value


@dataclasses.dataclass(frozen=True)
class Kind:
    says: str
    breaks: str  # the obligation, or empty
    shows: typing.Callable[[list], bool]  # takes the events of one response
    why: str = ""  # the reason why no rule exists, or a remark


def events_of(path):
    text = path.read_bytes().decode("utf-8", "replace").removeprefix("\ufeff")
    for block in re.split(r"(?:\r\n|\n|\r(?!\n)){2,}", text):
        lines = [line.partition(":") for line in re.split(r"\r\n|\n|\r", block)]
        fields = [(name, value.removeprefix(" ")) for name, _, value in lines]
        data = [value for name, value in fields if name == "data"]
        if not data:
            continue
        names = [value for name, value in fields if name == "event"]
        joined = "\n".join(data)
        try:
            value = json.loads(joined)
        except ValueError:
            value = None
        yield Event(names[-1] if names else None, joined, value)


def ends(folder, event):
    if folder == "openai-chat":
        return event.data == "[DONE]" or event.at("error") is not None
    if folder == "anthropic-messages":
        return event.at("type") in ("message_stop", "error")
    return event.at("type") in ("response.completed", "response.incomplete", "response.failed", "error")


def begins(folder, event):
    if folder == "openai-chat":
        return isinstance(event.at("choices"), list)
    return event.at("type") in ("message_start", "response.created", "response.queued")


def responses_of(folder, path):
    """The events of each response that a file holds: the next begins with the first opening event after an end."""
    responses, ended = [[]], False
    for event in events_of(path):
        if ended and begins(folder, event):
            responses.append([])
            ended = False
        responses[-1].append(event)
        ended = ended or ends(folder, event)
    return responses


# Chat Completions

def chunks(events):
    return [event for event in events if isinstance(event.at("choices"), list)]


def choices(events):
    return [choice for event in chunks(events) for choice in event.json["choices"] if isinstance(choice, dict)]


def deltas(events):
    return [choice["delta"] for choice in choices(events) if isinstance(choice.get("delta"), dict)]


def calls(events):
    return [call for delta in deltas(events) for call in delta.get("tool_calls") or [] if isinstance(call, dict)]


def finishes(events):
    return [(choice.get("index"), choice["finish_reason"]) for choice in choices(events) if choice.get("finish_reason")]


def changes(field):
    return lambda events: len({json.dumps(event.json[field]) for event in chunks(events) if field in event.json}) > 1


def anonymous_first(events):
    first = chunks(events)[:1]
    return bool(first) and first[0].at("id") == "" and first[0].at("object") == ""


def failed(events):
    return any(event.at("error") is not None for event in events)


CHAT = [
    Kind("the id changes from chunk to chunk", "CHT-01", changes("id")),
    Kind("the model changes", "CHT-19", changes("model")),
    Kind("the time of creation changes", "CHT-01", changes("created")),
    Kind("the first chunk has filter results alone, with an empty id and object", "CHT-01", anonymous_first),
    Kind("chunks have no object", "CHT-01",
         lambda events: any(event.at("object") is None for event in chunks(events))),
    Kind("the role comes again with later chunks", "CHT-20",
         lambda events: sum(bool(delta.get("role")) for delta in deltas(events)) > len(
             {choice.get("index") for choice in choices(events)})),
    Kind("no chunk has a role", "CHT-02",
         lambda events: bool(deltas(events)) and not any(delta.get("role") for delta in deltas(events))),
    Kind("chunks have no finish_reason key", "CHT-11",
         lambda events: any("finish_reason" not in choice for choice in choices(events))),
    Kind("the finish_reason comes twice", "CHT-25",
         lambda events: len(finishes(events)) > len({index for index, _ in finishes(events)})),
    Kind("the finish_reason never comes", "CHT-05",
         lambda events: bool(choices(events)) and not finishes(events) and not failed(events)),
    Kind("the finish_reason is tool_calls, and no tool was called", "CHT-06",
         lambda events: any(reason == "tool_calls" for _, reason in finishes(events)) and not calls(events)),
    Kind("the finish_reason is stop, although a tool was called", "",
         lambda events: any(reason == "stop" for _, reason in finishes(events)) and bool(calls(events)),
         "OpenAI's own streams do it if a tool is forced; with `stop-with-calls: forbidden` it violates CHT-06"),
    Kind("pieces of tool calls have no index", "CHT-03",
         lambda events: any(call.get("index") is None for call in calls(events))),
    Kind("an index is -1", "CHT-11",
         lambda events: any(thing.get("index") == -1 for thing in choices(events))),
    Kind("a tool call's index is -1", "CHT-03",
         lambda events: any(thing.get("index") == -1 for thing in calls(events))),
    Kind("there is no [DONE]", "SSE-08",
         lambda events: bool(chunks(events)) and not failed(events) and all(event.data != "[DONE]" for event in events)),
]


# Anthropic Messages

def of_type(events, *types):
    return [event for event in events if event.at("type") in types]


def resumed(event):
    return bool(event.at("message", "content")) and event.at("message", "stop_reason") is not None


def overlapping(events):
    most, open_now = 0, set()
    for event in events:
        if event.at("type") == "content_block_start":
            open_now.add(event.at("index"))
        elif event.at("type") == "content_block_stop":
            open_now.discard(event.at("index"))
        most = max(most, len(open_now))
    return most > 1


ANTHROPIC = [
    Kind("a thinking_delta is empty", "",
         lambda events: any(event.at("delta", "thinking") == "" for event in of_type(events, "content_block_delta")),
         "the owner's streams have them"),
    Kind("the first input_json_delta of a call is empty", "",
         lambda events: any(event.at("delta", "partial_json") == "" for event in of_type(events, "content_block_delta")),
         "nearly every call of the owner begins so"),
    Kind("a server tool's block starts with its whole input", "",
         lambda events: any(event.at("content_block", "type") == "server_tool_use" and event.at("content_block", "input")
                            for event in of_type(events, "content_block_start")),
         "the owner's streams may, so ANT-12 allows it"),
    Kind("message_start repeats content and a stop_reason: a response that is resumed", "",
         lambda events: any(map(resumed, of_type(events, "message_start"))),
         "the owner's streams do, so ANT-04, ANT-12 and ANT-15 allow it"),
    Kind("message_start has no stop_reason or stop_sequence key", "",
         lambda events: any(not {"stop_reason", "stop_sequence"} <= set(event.at("message") or {})
                            for event in of_type(events, "message_start")),
         "the owner's older streams lack them"),
    Kind("a message has several message_delta", "ANT-04",
         lambda events: len(of_type(events, "message_delta")) > 1),
    Kind("blocks overlap", "ANT-08", overlapping),
]


# Responses

def items_by_place(events, kind):
    return {event.at("output_index"): event.at("item", "id") for event in of_type(events, kind)}


def item_ids_change(events):
    added = items_by_place(events, "response.output_item.added")
    done = items_by_place(events, "response.output_item.done")
    return any(place in added and added[place] != item for place, item in done.items())


def empty_at_the_end(events):
    return bool(of_type(events, "response.output_item.done")) and any(
        event.at("response", "output") == [] for event in of_type(events, "response.completed"))


def counts_from_elsewhere(events):
    numbers = [event.at("sequence_number") for event in events if event.at("sequence_number") is not None]
    return bool(numbers) and numbers[0] != 0


RESPONSES = [
    Kind("[DONE] comes at the end", "RSP-23", lambda events: any(event.data == "[DONE]" for event in events)),
    Kind("events have no event: line", "RSP-22",
         lambda events: any(event.name is None and event.at("type") is not None for event in events)),
    Kind("the id of an item differs between its added and its done", "RSP-05", item_ids_change),
    Kind("the last event lists no output, although items were done", "RSP-09", empty_at_the_end,
         "the backend of ChatGPT that Codex uses does it in five recordings, which are not byte for byte and so not counted; "
         "the API never does, not even with `store: false`"),
    Kind("events have no sequence_number", "",
         lambda events: any(event.at("sequence_number") is None for event in of_type(
             events, "response.created", "response.output_text.delta", "response.completed")),
         "the owner's oldest streams have none"),
    Kind("the response begins with response.queued", "",
         lambda events: bool(of_type(events, "response.queued")), "the owner's streams do in background mode"),
    Kind("the first sequence_number is not 0", "", counts_from_elsewhere,
         "the owner's streams do if a response is resumed"),
]

KINDS = {"openai-chat": CHAT, "anthropic-messages": ANTHROPIC, "openai-responses": RESPONSES}
