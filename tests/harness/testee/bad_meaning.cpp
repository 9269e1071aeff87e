#include "bad_meaning.hpp"

#include "decorator.hpp"

namespace splitproof::testee {
namespace {

class HoldsEverything final : public TranslatorStream {
 public:
  explicit HoldsEverything(std::unique_ptr<TranslatorStream> inner) : inner_(std::move(inner)) {}

  void feed(std::string_view chunk, std::string&) override { inner_->feed(chunk, held_); }
  void finish(recording::End end, std::string& out) override {
    inner_->finish(end, held_);
    out += held_;
  }

 private:
  std::unique_ptr<TranslatorStream> inner_;
  std::string held_;
};

class HoldsArguments final : public Decorator {
 public:
  using Decorator::Decorator;

 private:
  void on_event(Json event) override {
    if (is_delta(event, "input_json_delta")) {
      held_ += event["delta"]["partial_json"].get<std::string>();
      return;
    }
    if (is_stop(event) && !held_.empty()) {
      send(delta_of(event["index"],
                    {{"type", "input_json_delta"}, {"partial_json", std::exchange(held_, {})}}));
    }
    send(event);
  }

  std::string held_;
};

class ReadsEveryChoice final : public Decorator {
 public:
  using Decorator::Decorator;

 private:
  void on_line(const std::string& line) override {
    static const std::string kSecond = "{\"index\":1,\"delta\"";
    std::string merged = line;
    const std::size_t at = merged.find(kSecond);
    if (at != std::string::npos) merged[at + kSecond.find('1')] = '0';
    Decorator::on_line(merged);
  }
};

// Changes the text of each text delta. An empty text is not sent.
template <class Change>
Wrap changes_text(Change change) {
  return edits([change](Json event, const Send& send) mutable {
    if (is_delta(event, "text_delta")) {
      std::string text = event["delta"]["text"];
      change(text);
      if (text.empty()) return;
      event["delta"]["text"] = text;
    }
    send(event);
  });
}

Wrap drops_a_word() {
  return changes_text([deltas = 0](std::string& text) mutable {
    if (++deltas == 2) text.clear();
  });
}

Wrap trims_text() {
  return changes_text([](std::string& text) { text.erase(0, text.find_first_not_of(" \n")); });
}

Wrap drops_thinking() {
  return edits([dropped = 0, open = false](Json event, const Send& send) mutable {
    if (is_start(event, "thinking")) {
      ++dropped;
      open = true;
    }
    if (open) {
      open = !is_stop(event);
      return;
    }
    if (event.contains("index")) event["index"] = event["index"].get<int>() - dropped;
    send(event);
  });
}

// Merges a call into the call directly before it.
Wrap merges_calls() {
  return edits([held = Json(), merged = 0, in_tool = false](Json event, const Send& send) mutable {
    if (event.contains("index")) event["index"] = event["index"].get<int>() - merged;
    if (!held.is_null() && is_start(event, "tool_use")) {
      held = nullptr;
      ++merged;
      return;
    }
    if (!held.is_null()) send(std::exchange(held, {}));
    in_tool = in_tool || is_start(event, "tool_use");
    if (in_tool && is_stop(event)) {
      in_tool = false;
      held = event;
      return;
    }
    send(event);
  });
}

// Sends every call a second time, in its own block with another id.
Wrap sends_calls_twice() {
  return edits([call = std::vector<Json>(), added = 0](Json event, const Send& send) mutable {
    if (event.contains("index")) event["index"] = event["index"].get<int>() + added;
    send(event);
    if (!call.empty() || is_start(event, "tool_use")) call.push_back(event);
    if (call.empty() || !is_stop(event)) return;
    ++added;
    call.front()["content_block"]["id"] = call.front()["content_block"]["id"].get<std::string>() + "_again";
    for (Json& again : call) {
      again["index"] = again["index"].get<int>() + 1;
      send(again);
    }
    call.clear();
  });
}

}  // namespace

std::vector<BadStream> bad_meaning() {
  return {
      {"hold-everything", "Collects the whole body before it sends (NVIDIA/OpenShell#260).", "SSE-15",
       [](std::unique_ptr<TranslatorStream> inner) {
         return std::make_unique<HoldsEverything>(std::move(inner));
       }},
      {"hold-arguments", "Sends a call's arguments when they are whole (seaavey/SRouter#104).", "SSE-15",
       [](std::unique_ptr<TranslatorStream> inner) {
         return std::make_unique<HoldsArguments>(std::move(inner));
       }},
      {"drop-a-word", "Loses the piece that comes second.", "ANT-20", drops_a_word()},
      {"trim-space", "Trims each piece of text.", "ANT-20", trims_text()},
      {"every-choice", "Writes all choices into one message.", "ANT-19",
       [](std::unique_ptr<TranslatorStream> inner) {
         return std::make_unique<ReadsEveryChoice>(std::move(inner));
       }},
      {"thinking-dropped", "Drops reasoning_content (BerriAI/litellm#29518).", "THK-01", drops_thinking()},
      {"merge-calls", "Pours parallel calls into one.", "TOOL-10", merges_calls()},
      {"run-twice", "Sends every call twice (BerriAI/litellm#37273).", "TOOL-23", sends_calls_twice()},
  };
}

}  // namespace splitproof::testee
