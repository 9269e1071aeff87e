// Forty-two translators with one fault each; those that only change what is said are in bad_meaning.cpp. They stand in one
// file since they are read as one table: a fault is a few lines, and most make sense beside their neighbours.

#include "bad_streams.hpp"

#include <algorithm>
#include <utility>

#include "bad_meaning.hpp"
#include "decorator.hpp"
#include "harness/utf8.hpp"

namespace splitproof::testee {
namespace {

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

// One event type changed in place.
template <class Change>
Wrap changes(const std::string& type, Change change) {
  return edits([type, change](Json event, const Send& send) {
    if (type_of(event) == type) change(event);
    send(event);
  });
}

// One event sent before each event of a type.
Wrap sends_before(const std::string& type, const Json& extra) {
  return edits([type, extra](const Json& event, const Send& send) {
    if (type_of(event) == type) send(extra);
    send(event);
  });
}

Wrap sends_after(const std::string& type, const Json& extra) {
  return edits([type, extra](const Json& event, const Send& send) {
    send(event);
    if (type_of(event) == type) send(extra);
  });
}

// Whole tool calls are kept back until an event of type `until` has been sent.
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

Wrap holds_stops_back_until_after_the_next_start() {
  return edits([held = Json()](const Json& event, const Send& send) mutable {
    if (is_stop(event)) {
      held = event;
      return;
    }
    const bool first = type_of(event) != "content_block_start";
    if (first && !held.is_null()) send(std::exchange(held, {}));
    send(event);
    if (!held.is_null()) send(std::exchange(held, {}));
  });
}

Wrap holds_thinking_open_to_the_end() {
  return edits([thinking = Json()](const Json& event, const Send& send) mutable {
    if (is_start(event, "thinking")) thinking = event["index"];
    if (is_stop(event) && event["index"] == thinking) return;
    if (type_of(event) == "message_delta" && !thinking.is_null())
      send(block_event("content_block_stop", thinking));
    send(event);
  });
}

Wrap sends_last_arguments_after_the_stop() {
  return edits([held = Json()](const Json& event, const Send& send) mutable {
    if (!is_stop(event) && !held.is_null()) send(std::exchange(held, {}));
    if (is_delta(event, "input_json_delta")) {
      held = event;
      return;
    }
    send(event);
    if (!held.is_null()) send(std::exchange(held, {}));
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

Wrap opens_with_an_empty_text() {
  return edits([](Json event, const Send& send) {
    if (event.contains("index")) event["index"] = event["index"].get<int>() + 1;
    send(event);
    if (type_of(event) != "message_start") return;
    Json start = block_event("content_block_start", 0);
    start["content_block"] = {{"type", "text"}, {"text", ""}};
    send(start);
    send(block_event("content_block_stop", 0));
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

Wrap signs_blocks(const std::string& block, const std::string& signature) {
  return edits([block, signature, open = Json()](const Json& event, const Send& send) mutable {
    if (is_start(event, block)) open = event["index"];
    if (is_stop(event) && event["index"] == open) {
      send(delta_of(open, {{"type", "signature_delta"}, {"signature", signature}}));
    }
    send(event);
  });
}

Wrap sends_thinking_as(const std::string& type, const std::string& field) {
  return edits([type, field](Json event, const Send& send) {
    if (is_delta(event, "thinking_delta")) {
      const Json text = event["delta"]["thinking"];
      event["delta"] = {{"type", type}, {field, text}};
    }
    send(event);
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

// Faults that come of what the upstream said.

class StartForEachName final : public Decorator {
 public:
  using Decorator::Decorator;

 private:
  void on_line(const std::string& line) override {
    if (!start_.is_null() && line.find("\"name\":\"read_") != std::string::npos) send(start_);
    Decorator::on_line(line);
  }
  void on_event(Json event) override {
    if (is_start(event, "tool_use")) start_ = event;
    if (is_stop(event)) start_ = nullptr;
    send(event);
  }

  Json start_;
};

class EmptyNameAccepted final : public Decorator {
 public:
  using Decorator::Decorator;

 private:
  void on_line(const std::string& line) override {
    std::string named = line;
    replace_all(named, "\"name\":\"\"", "\"name\":\"nameless\"");
    Decorator::on_line(named);
  }
  void on_event(Json event) override {
    if (is_start(event, "tool_use") && event["content_block"]["name"] == "nameless")
      event["content_block"]["name"] = "";
    send(event);
  }
};

// What a call that the reference suppresses leaves behind.
class SuppressedCall : public Decorator {
 public:
  using Decorator::Decorator;

 protected:
  bool called() const { return called_; }
  int blocks() const { return blocks_; }

 private:
  virtual void edit(Json event) = 0;

  void on_line(const std::string& line) final {
    called_ = called_ || line.find("\"tool_calls\":[{") != std::string::npos;
    Decorator::on_line(line);
  }
  void on_event(Json event) final {
    if (type_of(event) == "content_block_start") ++blocks_;
    edit(std::move(event));
  }

  bool called_ = false;
  int blocks_ = 0;
};

class SuppressedCallIsStopped final : public SuppressedCall {
 public:
  using SuppressedCall::SuppressedCall;

 private:
  void edit(Json event) override {
    if (type_of(event) == "message_delta" && called() && blocks() == 0)
      send(block_event("content_block_stop", 0));
    send(event);
  }
};

class SuppressedCallIsStopReason final : public SuppressedCall {
 public:
  using SuppressedCall::SuppressedCall;

 private:
  void edit(Json event) override {
    if (type_of(event) == "message_delta" && called()) event["delta"]["stop_reason"] = "tool_use";
    send(event);
  }
};

class SuppressedCallTakesIndex final : public Decorator {
 public:
  using Decorator::Decorator;

 private:
  void on_line(const std::string& line) override {
    taken_ += line.find("\"name\":\"\"") != std::string::npos && !started_ ? 1 : 0;
    Decorator::on_line(line);
  }
  void on_event(Json event) override {
    started_ = started_ || is_start(event, "tool_use");
    if (event.contains("index")) event["index"] = event["index"].get<int>() + taken_;
    send(event);
  }

  int taken_ = 0;
  bool started_ = false;
};

class StopOnlyOnDone final : public Decorator {
 public:
  using Decorator::Decorator;

 private:
  void on_line(const std::string& line) override {
    done_ = done_ || line.find("[DONE]") != std::string::npos;
    Decorator::on_line(line);
  }
  void on_event(Json event) override {
    if (type_of(event) != "message_stop" || done_) send(event);
  }

  bool done_ = false;
};

// Faults that come of where the upstream's bytes were cut.

class DecodesEachChunk final : public Decorator {
 public:
  using Decorator::Decorator;

 private:
  void on_chunk(std::string_view chunk) override {
    std::string decoded;
    for (std::size_t at = 0; at < chunk.size();) {
      const Utf8Step step = utf8_step(chunk.substr(at));
      decoded += step.kind == Utf8Step::Kind::well_formed ? chunk.substr(at, step.length) : "\xEF\xBF\xBD";
      at += step.length;
    }
    Decorator::on_chunk(decoded);
  }
};

class ReadsLineFeedsOnly final : public Decorator {
 public:
  using Decorator::Decorator;

 private:
  void on_chunk(std::string_view chunk) override {
    std::string lines(chunk);
    replace_all(lines, "\r\n", "\n");
    replace_all(lines, "\r", " ");
    Decorator::on_chunk(lines);
  }
};

class DropsRepeatedChunks final : public Decorator {
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

Wrap usage_apart_from_the_reason() {
  return edits([](Json event, const Send& send) {
    if (type_of(event) == "message_delta") {
      Json early = event;
      early["usage"]["output_tokens"] = 0;
      send(early);
    }
    send(event);
  });
}

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

Json bare(const std::string& type) { return {{"type", type}}; }

}  // namespace

const std::vector<BadStream>& bad_streams() {
  static const std::vector<BadStream> all = [] {
    std::vector<BadStream> all{
        {"block-before-start",
         "Waits for a role before message_start, and a call comes first (router-for-me/CLIProxyAPI#561).",
         "ANT-01", block_before_message_start()},
        {"stop-only-on-done", "Sends message_stop for [DONE] only (katanemo/plano#898).", "ANT-02",
         wrap<StopOnlyOnDone>()},
        {"late-start-after-final",
         "Starts tool calls after the message has ended (router-for-me/CLIProxyAPI#2926).", "ANT-03",
         holds_tools_back_until_after("message_stop")},
        {"start-after-message-delta", "Starts tool calls between finish and end (BerriAI/litellm#14477).",
         "ANT-04", holds_tools_back_until_after("message_delta")},
        {"second-message-delta",
         "Sends one message_delta for finish, one for usage (farion1231/cc-switch#2354).", "ANT-04",
         usage_apart_from_the_reason()},
        {"start-per-name",
         "Starts a block for every chunk that repeats the name (router-for-me/CLIProxyAPI#2926).", "ANT-05",
         wrap<StartForEachName>()},
        {"stop-without-start",
         "Stops a call that it never started, for want of a name (router-for-me/CLIProxyAPI#2926).", "ANT-06",
         wrap<SuppressedCallIsStopped>()},
        {"stop-twice", "Stops each block for the finish and again at the end (BerriAI/litellm#37273).",
         "ANT-06", edits([](const Json& event, const Send& send) {
           send(event);
           if (is_stop(event)) send(event);
         })},
        {"args-after-close", "Sends the last arguments after the block's stop (decolua/9router#2248).",
         "ANT-07", sends_last_arguments_after_the_stop()},
        {"overlap-blocks", "Stops a block once the next has started (router-for-me/CLIProxyAPI#4331).",
         "ANT-08", holds_stops_back_until_after_the_next_start()},
        {"reserve-index-early",
         "Gives a call its index before knowing whether it is sent (router-for-me/CLIProxyAPI#2926).",
         "ANT-09", wrap<SuppressedCallTakesIndex>()},
        {"thinking-as-text", "Sends text_delta to a thinking block (router-for-me/CLIProxyAPI#4067).",
         "ANT-11", sends_thinking_as("text_delta", "text")},
        {"input-at-start", "Starts a tool call with its input as text (AntSeed/antseed#15).", "ANT-12",
         changes_tools("input", "{}")},
        {"empty-leading-text", "Opens an empty text block before all others (BerriAI/litellm#31561).",
         "ANT-13", opens_with_an_empty_text()},
        {"content-null", "Starts a message with content null (SaladDay/cc-switch-cli#323).", "ANT-15",
         changes("message_start", [](Json& event) { event["message"]["content"] = nullptr; })},
        {"model-changes", "Names another model at the end than at the start.", "ANT-36",
         changes("message_delta",
                 [](Json& event) {
                   event["message"] = {{"model", "another"}};
                 })},
        {"accept-empty-name", "Starts calls whose name is empty (router-for-me/CLIProxyAPI#2926).", "TOOL-01",
         wrap<EmptyNameAccepted>()},
        {"foreign-id", "Passes ids on that the API refuses.", "TOOL-02", changes_tools("id", "call:1")},
        {"empty-object-first", "Sends {} before the arguments.", "TOOL-08",
         sends_empty_object_before_the_arguments()},
        {"null-arguments", "Sends null for a call without arguments.", "TOOL-14",
         sends_null_for_no_arguments()},
        {"raw-saw-tool-call",
         "Takes tool_use from calls upstream, sent or not (router-for-me/CLIProxyAPI#2926).", "STOP-01",
         wrap<SuppressedCallIsStopReason>()},
        {"end-turn-with-tool", "Always ends with end_turn (BerriAI/litellm#34692).", "STOP-01",
         changes("message_delta", [](Json& event) { event["delta"]["stop_reason"] = "end_turn"; })},
        {"finish-reason-passed-on", "Passes the upstream's finish_reason on.", "STOP-05",
         changes("message_delta", [](Json& event) { event["delta"]["stop_reason"] = "stop"; })},
        {"stop-sequence-empty", "Says stop_sequence \"\" for none.", "STOP-06",
         changes("message_delta", [](Json& event) { event["delta"]["stop_sequence"] = ""; })},
        {"emit-after-error", "Ends the message after an error as if nothing had been.", "END-06",
         sends_after("error", bare("message_stop"))},
        {"error-type-invented", "Makes up a type of error.", "END-09",
         changes("error", [](Json& event) { event["error"]["type"] = "upstream_error"; })},
        {"usage-missing", "Sends a message_delta without usage.", "USE-01",
         changes("message_delta", [](Json& event) { event.erase("usage"); })},
        {"thinking-field-text", "Sends thinking in the field text (nielspeter/claude-code-proxy#17).",
         "THK-01", sends_thinking_as("thinking_delta", "text")},
        {"thinking-not-closed", "Stops thinking at the end of the message only.", "THK-02",
         holds_thinking_open_to_the_end()},
        {"signature-on-text", "Signs text blocks.", "THK-03", signs_blocks("text", "c2ln")},
        {"empty-signature", "Signs thinking with nothing.", "THK-04", signs_blocks("thinking", "")},
        {"ping-first", "Sends a ping before message_start.", "PING-01",
         sends_before("message_start", bare("ping"))},
        {"blank-line-missing", "Ends the last event without its blank line.", "SSE-01",
         wrap<LastBlankLineMissing>()},
        {"torn-at-the-end", "Flushes half an event when the upstream dies.", "SSE-03",
         wrap<TornErrorEvent>()},
        {"text-cut-by-bytes", "Caps text by bytes, through a character.", "SSE-06", wrap<TextCutByBytes>()},
        {"wrong-event-name", "Names every event message.", "SSE-07", wrap<WrongEventName>()},
        {"done-forwarded", "Sends [DONE] after message_stop.", "SSE-09", wrap<DoneForwarded>()},
        {"id-from-chunk-count", "Makes ids of the number of chunks so far.", "META-03",
         wrap<IdFromChunkCount>()},
        {"per-chunk-utf8", "Decodes each chunk for itself (farion1231/cc-switch#1923).", "META-04",
         wrap<DecodesEachChunk>()},
        {"lf-only-framing", "Ends lines at LF only, after making LF of each CRLF within a chunk.", "META-04",
         wrap<ReadsLineFeedsOnly>()},
        {"equal-chunk-dedup", "Drops a chunk that equals the one before.", "META-04",
         wrap<DropsRepeatedChunks>()},
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
