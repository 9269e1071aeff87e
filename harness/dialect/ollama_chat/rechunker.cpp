#include "harness/dialect/ollama_chat/rechunker.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "harness/split/event_json.hpp"
#include "harness/split/utf16.hpp"

namespace splitproof::dialect {
namespace {

using Json = nlohmann::ordered_json;

struct AnswerLine {
  std::shared_ptr<const Json> json;  ///< null: the line stays unchanged, and no text moves past it.
  std::string key;                   ///< Key of its content in the message; empty: none.
  std::string_view end;              ///< Its line end.
  bool last = false;                 ///< It ends the answer.
};

/// Returns the text of `key`, or "" without one. Returns nullopt for another type.
std::optional<std::string> said(const Json& message, const char* key) {
  const auto found = message.find(key);
  if (found == message.end() || found->is_null()) return std::string();
  return found->is_string() ? std::optional(found->get<std::string>()) : std::nullopt;
}

AnswerLine line_of(std::string_view bytes) {
  AnswerLine line;
  const std::string_view text = bytes.substr(0, bytes.find_last_not_of("\r\n") + 1);
  line.end = bytes.substr(text.size());
  if (!line.end.ends_with('\n')) return line;
  auto json = split::parse_event(text);
  if (!json || !json->is_object() || json->contains("error")) return line;
  const auto message = json->find("message");
  if (message == json->end() || !message->is_object() || message->contains("tool_calls")) return line;
  const auto content = said(*message, "content");
  const auto thinking = said(*message, "thinking");
  if (!content || !thinking || (!content->empty() && !thinking->empty())) return line;
  if (!content->empty()) line.key = "content";
  if (!thinking->empty()) line.key = "thinking";
  line.last = json->value("done", Json()) == true;
  line.json = std::move(json);
  return line;
}

class OllamaParts final : public split::Parts {
 public:
  explicit OllamaParts(std::string_view body) {
    for (std::size_t begin = 0; begin < body.size(); begin += events_.back().size())
      events_.push_back(body.substr(begin, std::min(body.find('\n', begin), body.size() - 1) + 1 - begin));
    bool open = false;
    for (std::size_t event = 0; event < events_.size() && !ended_; ++event) {
      const AnswerLine& line = lines_.emplace_back(line_of(events_[event]));
      if (!line.json) open = false;
      if (line.json && !line.key.empty()) {
        if (!open || keys_.back() != line.key) {
          runs_.emplace_back();
          keys_.push_back(line.key);
        }
        runs_.back().events.push_back(event);
        runs_.back().text += split::wide((*line.json)["message"][line.key].get<std::string>());
        open = true;
      }
      ended_ = line.last;
    }
  }

  void say(std::size_t run, std::size_t event, std::span<const std::string> pieces,
           split::Recut& recut) const override {
    const AnswerLine& line = lines_[event];
    for (std::size_t i = 0; i < pieces.size(); ++i)
      append(run, event, pieces[i], i + 1 == pieces.size(), recut);
    if (pieces.empty() && line.last) append(run, event, "", true, recut);
  }

  /// Returns the first run of content, or nullopt without one or without a line that ends the answer.
  std::optional<std::size_t> replaceable() const {
    const auto found = std::find(keys_.begin(), keys_.end(), "content");
    if (!ended_ || found == keys_.end()) return std::nullopt;
    return static_cast<std::size_t>(found - keys_.begin());
  }

 private:
  /// Appends the line with another piece. Only the `last` of several keeps the members that end the answer.
  void append(std::size_t run, std::size_t event, const std::string& piece, bool last,
              split::Recut& recut) const {
    const AnswerLine& line = lines_[event];
    Json json = *line.json;
    json["message"][keys_[run]] = piece;
    if (line.last && !last) {
      Json head = Json::object();
      for (const char* key : {"model", "created_at", "message"})
        if (json.contains(key)) head[key] = json[key];
      head["done"] = false;
      json = std::move(head);
    }
    recut.append(json == *line.json ? std::string(events_[event])
                                    : split::write_event(json) + std::string(line.end));
  }

  std::vector<AnswerLine> lines_;  ///< Up to the line that ends the answer.
  std::vector<std::string> keys_;  ///< By run.
  bool ended_ = false;
};

class OllamaDealer final : public split::Rechunker {
 public:
  std::unique_ptr<split::Parts> take_apart(std::string_view body) const override {
    return std::make_unique<OllamaParts>(body);
  }
};

}  // namespace

const split::Rechunker& ollama_dealer() {
  static const OllamaDealer kDealer;
  return kDealer;
}

std::optional<CanaryStream> ollama_canary(std::string_view body, std::size_t number) {
  const OllamaParts parts(body);
  const auto run = parts.replaceable();
  return run ? make_canary(parts, *run, number) : std::nullopt;
}

}  // namespace splitproof::dialect
