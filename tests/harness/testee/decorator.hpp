#pragma once

#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "bad_streams.hpp"
#include "harness/observe/sse_reader.hpp"

namespace splitproof::testee {

// Building blocks of bad streams.

using Json = nlohmann::ordered_json;

inline std::string frame(const std::string& name, const std::string& data) {
  return "event: " + name + "\ndata: " + data + "\n\n";
}

inline std::string type_of(const Json& event) { return event.value("type", ""); }

inline bool is_start(const Json& event, std::string_view block) {
  return type_of(event) == "content_block_start" && event["content_block"]["type"] == block;
}

inline bool is_delta(const Json& event, std::string_view delta) {
  return type_of(event) == "content_block_delta" && event["delta"]["type"] == delta;
}

inline bool is_stop(const Json& event) { return type_of(event) == "content_block_stop"; }

inline Json block_event(const std::string& type, const Json& index) {
  return {{"type", type}, {"index", index}};
}

inline Json delta_of(const Json& index, const Json& delta) {
  Json event = block_event("content_block_delta", index);
  event["delta"] = delta;
  return event;
}

// Takes bytes and emits events. A fault overrides one of three steps: chunks on arrival, whole lines, which do not
// depend on the split, or events before they leave.
class Decorator : public TranslatorStream {
 public:
  explicit Decorator(std::unique_ptr<TranslatorStream> inner) : inner_(std::move(inner)) {}

  void feed(std::string_view chunk, std::string& out) final {
    out_ = &out;
    on_chunk(chunk);
  }

  void finish(recording::End end, std::string& out) final {
    out_ = &out;
    if (!line_.empty()) on_line(std::exchange(line_, {}));
    std::string last;
    inner_->finish(end, last);
    take(last);
  }

 protected:
  virtual void on_chunk(std::string_view chunk) {
    for (const char c : chunk) {
      line_ += c;
      if (c == '\n' || c == '\r') on_line(std::exchange(line_, {}));
    }
  }

  virtual void on_line(const std::string& line) {
    std::string raw;
    inner_->feed(line, raw);
    take(raw);
  }

  // NOLINTNEXTLINE(performance-unnecessary-value-param): others change it
  virtual void on_event(Json event) { send(event); }

  void send(const Json& event) { send_raw(frame(type_of(event), event.dump())); }
  void send_raw(const std::string& bytes) { out_->append(bytes); }

 private:
  void take(const std::string& raw) {
    sent_.feed(raw);
    for (; taken_ < sent_.events().size(); ++taken_) on_event(Json::parse(sent_.events()[taken_].data));
  }

  std::unique_ptr<TranslatorStream> inner_;
  observe::SseReader sent_;
  std::size_t taken_ = 0;
  std::string line_;
  std::string* out_ = nullptr;
};

template <class Fault>
Wrap wrap() {
  return [](std::unique_ptr<TranslatorStream> inner) { return std::make_unique<Fault>(std::move(inner)); };
}

// Faults in the output: a function of the event and its own state, copied for each stream.

using Send = std::function<void(const Json&)>;

template <class Edit>
class Edited final : public Decorator {
 public:
  Edited(std::unique_ptr<TranslatorStream> inner, Edit edit)
      : Decorator(std::move(inner)), edit_(std::move(edit)) {}

 private:
  void on_event(Json event) override {
    edit_(std::move(event), [this](const Json& edited) { send(edited); });
  }

  Edit edit_;
};

template <class Edit>
Wrap edits(Edit edit) {
  return [edit](std::unique_ptr<TranslatorStream> inner) {
    return std::make_unique<Edited<Edit>>(std::move(inner), edit);
  };
}

}  // namespace splitproof::testee
