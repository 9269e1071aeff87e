// Translators with one fault each. bad_meaning.cpp has the faults of content alone. One table holds all, because a
// fault is a few lines and is best read next to similar ones.

#include "bad_streams.hpp"

#include <algorithm>
#include <utility>

#include "bad_meaning.hpp"
#include "decorator.hpp"

namespace splitproof::testee {
namespace {

// Changes events of one type in place.
template <class Change>
Wrap changes(const std::string& type, Change change) {
  return edits([type, change](Json event, const Send& send) {
    if (type_of(event) == type) change(event);
    send(event);
  });
}

// Holds whole tool calls back until an event of type `until` has been sent.
Wrap holds_tools_back_until_after(const std::string& until) {
  return edits(
      [until, held = std::vector<Json>(), in_tool = false](const Json& event, const Send& send) mutable {
        in_tool = in_tool || is_start(event, "tool_use");
        if (in_tool) {
          held.push_back(event);
          in_tool = !is_stop(event);
          return;
        }
        send(event);
        if (type_of(event) != until) return;
        for (const Json& late : held) send(late);
        held.clear();
      });
}

Wrap leaves_the_block_open_before_an_error() {
  return edits([stop = Json()](const Json& event, const Send& send) mutable {
    if (!stop.is_null() && type_of(event) != "error") send(stop);
    stop = nullptr;
    if (is_stop(event)) {
      stop = event;
    } else {
      send(event);
    }
  });
}

Wrap sends_null_for_no_arguments() {
  return edits([silent = Json()](const Json& event, const Send& send) mutable {
    if (is_start(event, "tool_use")) silent = event["index"];
    if (is_delta(event, "input_json_delta")) silent = nullptr;
    if (is_stop(event) && event["index"] == silent) {
      send(delta_of(silent, {{"type", "input_json_delta"}, {"partial_json", "null"}}));
    }
    send(event);
  });
}

Wrap sends_empty_object_before_the_arguments() {
  return edits([](const Json& event, const Send& send) {
    send(event);
    if (is_start(event, "tool_use")) {
      send(delta_of(event["index"], {{"type", "input_json_delta"}, {"partial_json", "{}"}}));
    }
  });
}

Wrap sends_thinking_as_text() {
  return changes("content_block_delta", [](Json& event) {
    if (event["delta"]["type"] == "thinking_delta")
      event["delta"] = {{"type", "text_delta"}, {"text", Json(event["delta"]["thinking"])}};
  });
}

Wrap changes_tools(const std::string& field, const Json& value) {
  return changes("content_block_start", [field, value](Json& event) {
    if (event["content_block"]["type"] == "tool_use") event["content_block"][field] = value;
  });
}

// Faults in the frames themselves.

class TextCutByBytes final : public Decorator {
 public:
  using Decorator::Decorator;

 private:
  void on_event(Json event) override {
    std::string data = event.dump();
    const auto wide =
        std::find_if(data.begin(), data.end(), [](char c) { return static_cast<unsigned char>(c) >= 0xC0; });
    if (is_delta(event, "text_delta") && wide != data.end()) data.erase(wide + 1);
    send_raw(frame(type_of(event), data));
  }
};

class WrongEventName final : public Decorator {
 public:
  using Decorator::Decorator;

 private:
  void on_event(Json event) override { send_raw(frame("message", event.dump())); }
};

class LastBlankLineMissing final : public Decorator {
 public:
  using Decorator::Decorator;

 private:
  void on_event(Json event) override {
    std::string bytes = frame(type_of(event), event.dump());
    if (type_of(event) == "message_stop") bytes.pop_back();
    send_raw(bytes);
  }
};

class TornErrorEvent final : public Decorator {
 public:
  using Decorator::Decorator;

 private:
  void on_event(Json event) override {
    const std::string data = event.dump();
    send_raw(frame(type_of(event), type_of(event) == "error" ? data.substr(0, data.size() / 2) : data));
  }
};

class DoneForwarded final : public Decorator {
 public:
  using Decorator::Decorator;

 private:
  void on_event(Json event) override {
    send(event);
    if (type_of(event) == "message_stop") send_raw("data: [DONE]\n\n");
  }
};

// Faults that depend on the upstream's chunk boundaries.

class DropsRepeatedReads final : public Decorator {
 public:
  using Decorator::Decorator;

 private:
  void on_chunk(std::string_view chunk) override {
    if (chunk != std::exchange(before_, std::string(chunk))) Decorator::on_chunk(chunk);
  }

  std::string before_;
};

class IdFromChunkCount final : public Decorator {
 public:
  using Decorator::Decorator;

 private:
  void on_chunk(std::string_view chunk) override {
    ++chunks_;
    Decorator::on_chunk(chunk);
  }
  void on_event(Json event) override {
    if (type_of(event) == "message_start") event["message"]["id"] = "msg_" + std::to_string(chunks_);
    send(event);
  }

  int chunks_ = 0;
};

Wrap block_before_message_start() {
  return edits([begin = Json()](const Json& event, const Send& send) mutable {
    if (type_of(event) == "message_start") {
      begin = event;
      return;
    }
    if (is_start(event, "tool_use") && !begin.is_null()) {
      send(event);
      send(std::exchange(begin, {}));
      return;
    }
    if (!begin.is_null()) send(std::exchange(begin, {}));
    send(event);
  });
}

}  // namespace

const std::vector<BadStream>& bad_streams() {
  static const std::vector<BadStream> all = [] {
    std::vector<BadStream> all{
        {"block-before-start",
         "Waits for a role before message_start, and a call comes first (router-for-me/CLIProxyAPI#561).",
         "ANT-01", block_before_message_start()},
        {"start-after-message-delta", "Starts tool calls between finish and end (BerriAI/litellm#14477).",
         "ANT-04", holds_tools_back_until_after("message_delta")},
        {"stop-twice", "Stops each block for the finish and again at the end (BerriAI/litellm#37273).",
         "ANT-06", edits([](const Json& event, const Send& send) {
           send(event);
           if (is_stop(event)) send(event);
         })},
        {"thinking-as-text", "Sends text_delta to a thinking block (router-for-me/CLIProxyAPI#4067).",
         "ANT-11", sends_thinking_as_text()},
        {"input-at-start", "Starts a tool call with its input as text (AntSeed/antseed#15).", "ANT-12",
         changes_tools("input", "{}")},
        {"content-null", "Starts a message with content null (SaladDay/cc-switch-cli#323).", "ANT-15",
         changes("message_start", [](Json& event) { event["message"]["content"] = nullptr; })},
        {"model-changes", "Names another model at the end than at the start.", "ANT-36",
         changes("message_delta",
                 [](Json& event) {
                   event["message"] = {{"model", "another"}};
                 })},
        {"foreign-id", "Passes ids on that the API refuses.", "TOOL-02", changes_tools("id", "call:1")},
        {"empty-object-first", "Sends {} before the arguments.", "TOOL-08",
         sends_empty_object_before_the_arguments()},
        {"null-arguments", "Sends null for a call without arguments.", "TOOL-14",
         sends_null_for_no_arguments()},
        {"end-turn-with-tool", "Always ends with end_turn (BerriAI/litellm#34692).", "STOP-01",
         changes("message_delta", [](Json& event) { event["delta"]["stop_reason"] = "end_turn"; })},
        {"finish-reason-passed-on", "Passes the upstream's finish_reason on.", "STOP-05",
         changes("message_delta", [](Json& event) { event["delta"]["stop_reason"] = "stop"; })},
        {"stop-sequence-empty", "Says stop_sequence \"\" for none.", "STOP-06",
         changes("message_delta", [](Json& event) { event["delta"]["stop_sequence"] = ""; })},
        {"error-type-invented", "Makes up a type of error.", "END-09",
         changes("error", [](Json& event) { event["error"]["type"] = "upstream_error"; })},
        {"usage-missing", "Sends a message_delta without usage.", "USE-01",
         changes("message_delta", [](Json& event) { event.erase("usage"); })},
        {"ping-first", "Sends a ping before message_start.", "PING-01",
         edits([](const Json& event, const Send& send) {
           if (type_of(event) == "message_start") send({{"type", "ping"}});
           send(event);
         })},
        {"blank-line-missing", "Ends the last event without its blank line.", "SSE-01",
         wrap<LastBlankLineMissing>()},
        {"torn-at-the-end", "Flushes half an event when the upstream dies.", "SSE-03",
         wrap<TornErrorEvent>()},
        {"text-cut-by-bytes", "Caps text by bytes, through a character.", "SSE-06", wrap<TextCutByBytes>()},
        {"wrong-event-name", "Names every event message.", "SSE-07", wrap<WrongEventName>()},
        {"done-forwarded", "Sends [DONE] after message_stop.", "SSE-09", wrap<DoneForwarded>()},
        {"id-from-chunk-count", "Makes ids of the number of chunks so far.", "META-03",
         wrap<IdFromChunkCount>()},
        {"repeated-read-dropped", "Drops a network read that equals the one before.", "META-04",
         wrap<DropsRepeatedReads>()},
        {"open-block-before-error", "Leaves a block open under an error.", "END-07",
         leaves_the_block_open_before_an_error()},
    };
    for (BadStream& bad : bad_meaning()) all.push_back(std::move(bad));
    return all;
  }();
  return all;
}

StreamFactory bad_stream(const std::string& name, const StreamFactory& inner) {
  const auto& all = bad_streams();
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const BadStream& bad) { return bad.name == name; });
  return [wrap = found->wrap, inner] { return wrap(inner()); };
}

StreamFactory same_events(const StreamFactory& inner) {
  return [inner] { return std::make_unique<Decorator>(inner()); };
}

}  // namespace splitproof::testee
