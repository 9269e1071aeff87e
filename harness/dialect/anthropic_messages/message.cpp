#include "harness/dialect/anthropic_messages/message.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "harness/dialect/error_words.hpp"
#include "harness/json_member.hpp"
#include "harness/observe/surrogates.hpp"

namespace splitproof::dialect {
namespace {

using nlohmann::json;

/// Appends the string `object[key]`. Returns false if it is not a string.
bool append_string(const json& object, const char* key, std::string& text) {
  const json& value = member(object, key);
  if (!value.is_string()) return false;
  text += value.get_ref<const std::string&>();
  return true;
}

class MessageAssembly {
 public:
  void take(const observe::Event& event) {
    if (!event.terminated) return;
    const bool sound = event.json && !message_.stopped && apply(string_at(*event.json, "type"), *event.json);
    if (!sound) ++message_.refused;
  }

  AnthropicMessage finish() && {
    for (Open& open : open_) {
      if (message_.blocks[open.block].arguments.empty()) message_.blocks[open.block].arguments = open.input;
    }
    for (MessageBlock& block : message_.blocks) {
      block.text = observe::replace_surrogates(observe::join_surrogates(std::move(block.text)));
      block.arguments = observe::replace_surrogates(observe::join_surrogates(std::move(block.arguments)));
    }
    return std::move(message_);
  }

 private:
  /// Input in a block's start, for a block without input deltas.
  struct Open {
    std::size_t block;
    std::string input;
  };

  /// Returns false if a strict client would fail on the event.
  bool apply(const std::string& type, const json& event) {
    if (type.empty()) return false;
    if (type == "message_start") return start_message(member(event, "message"));
    if (type == "error") return take_error(member(event, "error"));
    const bool known = type == "content_block_start" || type == "content_block_delta" ||
                       type == "content_block_stop" || type == "message_delta" || type == "message_stop";
    if (!known) return true;
    const bool in_order = started_;
    bool sound = true;
    if (type == "message_stop") {
      message_.stopped = true;
    } else if (type == "message_delta") {
      sound = take_message_delta(event);
    } else if (type == "content_block_start") {
      sound = start_block(event);
    } else {
      sound = take_block_event(event, type == "content_block_stop");
    }
    return sound && in_order;
  }

  bool start_message(const json& message) {
    const bool first = !std::exchange(started_, true);
    if (!message.is_object()) return false;
    message_.model = string_at(message, "model");
    take_stop(message);
    take_usage(member(message, "usage"));
    // A response that resumes another begins with content.
    const json& content = member(message, "content");
    if (content.is_array()) {
      for (const json& block : content) add_block(block).stopped = true;
    }
    return first;
  }

  bool take_error(const json& error) {
    if (!message_.error) message_.error = MessageError{string_at(error, "type"), string_at(error, "message")};
    return error.is_object();
  }

  bool take_message_delta(const json& event) {
    take_stop(member(event, "delta"));
    take_usage(member(event, "usage"));
    return member(event, "delta").is_object();
  }

  /// A null removes an earlier value, as in clients.
  void take_stop(const json& source) {
    const auto take = [&](const char* key, std::optional<std::string>& text) {
      const json& value = member(source, key);
      if (value.is_string()) text = value.get<std::string>();
      if (value.is_null() && source.is_object() && source.contains(key)) text.reset();
    };
    take("stop_reason", message_.stop_reason);
    take("stop_sequence", message_.stop_sequence);
  }

  void take_usage(const json& usage) {
    const auto take = [](const json& value, std::optional<std::int64_t>& count) {
      if (value.is_number_integer()) count = value.get<std::int64_t>();
    };
    take(member(usage, "input_tokens"), message_.usage.input);
    take(member(usage, "output_tokens"), message_.usage.output);
    take(member(usage, "cache_read_input_tokens"), message_.usage.cache_read);
    take(member(usage, "cache_creation_input_tokens"), message_.usage.cache_write);
    take(member(member(usage, "output_tokens_details"), "thinking_tokens"), message_.usage.thinking);
  }

  bool start_block(const json& event) {
    const json& index = member(event, "index");
    const json& start = member(event, "content_block");
    if (!index.is_number_integer() || string_at(start, "type").empty()) return false;
    add_block(start);
    return by_index_.insert_or_assign(index.get<std::int64_t>(), message_.blocks.size() - 1).second;
  }

  MessageBlock& add_block(const json& start) {
    MessageBlock block;
    block.type = string_at(start, "type");
    block.id = string_at(start, "id");
    block.name = string_at(start, "name");
    switch (block.kind()) {
      case BlockKind::text:
        block.text = string_at(start, "text");
        if (const json& citations = member(start, "citations"); citations.is_array())
          for (const json& citation : citations) block.citations.push_back(written(citation));
        break;
      case BlockKind::thinking:
        block.text = string_at(start, "thinking");
        block.signature = string_at(start, "signature");
        break;
      case BlockKind::tool_use:
        break;
      case BlockKind::other:
        block.text = written(start);
        break;
    }
    const json& input = member(start, "input");
    if (!input.is_null() && !(input.is_object() && input.empty())) {
      open_.push_back({message_.blocks.size(), written(input)});
    }
    message_.blocks.push_back(std::move(block));
    return message_.blocks.back();
  }

  bool take_block_event(const json& event, bool stop) {
    const json& index = member(event, "index");
    if (!index.is_number_integer()) return false;
    const auto found = by_index_.find(index.get<std::int64_t>());
    if (found == by_index_.end()) return false;
    MessageBlock& block = message_.blocks[found->second];
    const bool was_open = !block.stopped;
    if (stop) {
      block.stopped = true;
      return was_open;
    }
    return take_block_delta(member(event, "delta"), block) && was_open;
  }

  /// Deltas apply to their index, even in a block of another kind.
  static bool take_block_delta(const json& delta, MessageBlock& block) {
    const std::string type = string_at(delta, "type");
    if (type == "text_delta")
      return append_string(delta, "text", block.text) && block.kind() == BlockKind::text;
    if (type == "thinking_delta") {
      return append_string(delta, "thinking", block.text) && block.kind() == BlockKind::thinking;
    }
    if (type == "citations_delta") {
      block.citations.push_back(written(member(delta, "citation")));
      return block.kind() == BlockKind::text;
    }
    if (type == "signature_delta") {
      block.signature = string_at(delta, "signature");
      return member(delta, "signature").is_string() && block.kind() == BlockKind::thinking;
    }
    if (type == "input_json_delta") {
      const bool takes_input = block.kind() == BlockKind::tool_use || block.kind() == BlockKind::other;
      return append_string(delta, "partial_json", block.arguments) && takes_input;
    }
    return !type.empty();
  }

  AnthropicMessage message_;
  std::map<std::int64_t, std::size_t> by_index_;  ///< Place in `blocks` of the latest start of an index.
  std::vector<Open> open_;
  bool started_ = false;
};

observe::PartKind part_kind(BlockKind kind) {
  switch (kind) {
    case BlockKind::text:
      return observe::PartKind::text;
    case BlockKind::thinking:
      return observe::PartKind::thinking;
    case BlockKind::tool_use:
      return observe::PartKind::call;
    case BlockKind::other:
      break;
  }
  return observe::PartKind::other;
}

}  // namespace

BlockKind MessageBlock::kind() const {
  if (type == "text") return BlockKind::text;
  if (type == "thinking") return BlockKind::thinking;
  if (type == "tool_use") return BlockKind::tool_use;
  return BlockKind::other;
}

observe::FinishReason finish_reason(const std::string& stop_reason) {
  using observe::FinishKind;
  constexpr std::array<std::pair<std::string_view, FinishKind>, 4> kWords = {
      {{"end_turn", FinishKind::stop},
       {"max_tokens", FinishKind::length},
       {"tool_use", FinishKind::calls},
       {"refusal", FinishKind::filter}}};
  for (const auto& [word, kind] : kWords) {
    if (word == stop_reason) return {kind, stop_reason};
  }
  return {FinishKind::unknown, stop_reason};
}

AnthropicMessage assemble_anthropic_message(observe::EventStream& stream) {
  MessageAssembly assembly;
  observe::for_each_event(stream, [&](const observe::Event& event) {
    assembly.take(event);
    return true;
  });
  return std::move(assembly).finish();
}

AnthropicMessage assemble_anthropic_message(const observe::Trace& trace) {
  observe::TraceStream stream(trace);
  return assemble_anthropic_message(stream);
}

observe::Answer answer_of(const AnthropicMessage& message) {
  observe::Answer answer;
  answer.model = message.model;
  for (const MessageBlock& block : message.blocks) {
    observe::Part part;
    part.kind = part_kind(block.kind());
    part.text = block.text;
    part.signature = block.signature;
    part.id = block.id;
    part.name = block.name;
    part.arguments = block.arguments;
    part.ended = block.stopped;
    for (const std::string& citation : block.citations)
      answer.extra["the citations of block " + std::to_string(answer.parts.size())] += citation;
    answer.parts.push_back(std::move(part));
  }
  if (message.stop_reason) answer.finish = finish_reason(*message.stop_reason);
  answer.done = message.stopped;
  answer.usage = {message.usage.input, message.usage.cache_read, message.usage.output, message.usage.thinking,
                  std::nullopt,        message.usage.cache_write};
  if (message.error) {
    answer.error = message.error->message;
    answer.error_classes = classes_of_error({message.error->type});
    answer.extra["the error's type"] = message.error->type;
  }
  if (message.stop_sequence) answer.extra["stop_sequence"] = *message.stop_sequence;
  if (message.refused > 0)
    answer.extra["the number of events a strict client refuses"] = std::to_string(message.refused);
  return answer;
}

}  // namespace splitproof::dialect
