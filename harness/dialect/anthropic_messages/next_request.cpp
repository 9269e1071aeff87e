// The reading of a stream by @anthropic-ai/sdk (MessageStream), and the next request of its users.

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "harness/dialect/anthropic_messages/client.hpp"
#include "harness/dialect/next_turn.hpp"
#include "harness/json_member.hpp"
#include "harness/observe/surrogates.hpp"
#include "harness/strict_json.hpp"

namespace splitproof::dialect {
namespace {

using nlohmann::json;

// Blocks with their deltas applied to their starts. Unknown members stay.
class Accumulation {
 public:
  void take(const observe::Event& event) {
    if (!event.terminated || !event.json || stopped_ || failed_) return;
    const std::string type = string_at(*event.json, "type");
    if (type == "message_start") {
      const json& content = member(member(*event.json, "message"), "content");
      if (content.is_array()) blocks_.insert(blocks_.end(), content.begin(), content.end());
    } else if (type == "content_block_start") {
      start(*event.json);
    } else if (type == "content_block_delta") {
      add(*event.json);
    }
    stopped_ = type == "message_stop";
    failed_ = type == "error";
  }

  bool whole() const { return stopped_ && !failed_; }

  std::vector<json> blocks() && {
    for (auto& [place, text] : inputs_) {
      const auto input = parse_strict_json(text);
      blocks_[place]["input"] = input && (*input)->is_object() ? **input : json::object();
    }
    for (json& block : blocks_) {
      for (const char* key : {"text", "thinking"}) {
        if (string_at(block, key).empty()) continue;
        block[key] = observe::replace_surrogates(observe::join_surrogates(string_at(block, key)));
      }
    }
    return std::move(blocks_);
  }

 private:
  void start(const json& event) {
    const json& index = member(event, "index");
    const json& block = member(event, "content_block");
    if (!index.is_number_integer() || !block.is_object()) return;
    by_index_[index.get<std::int64_t>()] = blocks_.size();
    blocks_.push_back(block);
  }

  void add(const json& event) {
    const json& index = member(event, "index");
    if (!index.is_number_integer()) return;
    const auto found = by_index_.find(index.get<std::int64_t>());
    if (found == by_index_.end()) return;
    json& block = blocks_[found->second];
    const json& delta = member(event, "delta");
    const std::string type = string_at(delta, "type");
    const auto add_text = [&](const char* key) {
      json& text = block[key];
      if (!text.is_string()) text = "";
      text.get_ref<std::string&>() += string_at(delta, key);
    };
    if (type == "text_delta") add_text("text");
    if (type == "thinking_delta") add_text("thinking");
    if (type == "signature_delta") block["signature"] = member(delta, "signature");
    if (type == "input_json_delta") inputs_[found->second] += string_at(delta, "partial_json");
    if (type == "citations_delta") {
      if (!member(block, "citations").is_array()) block["citations"] = json::array();
      block["citations"].push_back(member(delta, "citation"));
    }
  }

  std::vector<json> blocks_;
  std::map<std::int64_t, std::size_t> by_index_;  // place in `blocks_` of the latest start of an index
  std::map<std::size_t, std::string> inputs_;     // by the block's place
  bool stopped_ = false;
  bool failed_ = false;
};

}  // namespace

json AnthropicClient::next_request(const json& request, observe::EventStream& answer, bool reversed) const {
  json messages = messages_so_far(member(request, "messages"));
  Accumulation told;
  observe::for_each_event(answer, [&](const observe::Event& event) {
    told.take(event);
    return true;
  });
  if (!told.whole() || messages.is_null()) return nullptr;
  const std::vector<json> blocks = std::move(told).blocks();
  json results = json::array();
  for (const json& block : blocks) {
    if (string_at(block, "type") != "tool_use") continue;
    results.push_back({{"type", "tool_result"},
                       {"tool_use_id", member(block, "id")},
                       {"content", made_result(results.size())}});
  }
  // The API rejects a message without content.
  if (!blocks.empty()) messages.push_back({{"role", "assistant"}, {"content", blocks}});
  json content = kNextQuestion;
  if (!results.empty()) {
    content = json::array();
    add_results(content, results, reversed);
  }
  messages.push_back({{"role", "user"}, {"content", std::move(content)}});
  json next = request;
  next["messages"] = std::move(messages);
  return next;
}

}  // namespace splitproof::dialect
