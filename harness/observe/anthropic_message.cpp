#include "harness/observe/anthropic_message.hpp"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "harness/json_member.hpp"
#include "harness/observe/half_pairs.hpp"

namespace splitproof::observe {
namespace {

using nlohmann::json;

/// Appends the string `object[key]`; false if it is none.
bool append_string(const json& object, const char* key, std::string& text) {
  const json& value = member(object, key);
  if (!value.is_string()) return false;
  text += value.get_ref<const std::string&>();
  return true;
}

class Assembly {
 public:
  void take(const Event& event) {
    if (event.fault == Fault::unterminated_event) return;
    const bool sound = event.json && !message_.stopped && apply(string_at(*event.json, "type"), *event.json);
    if (!sound) ++message_.refused;
  }

  AnthropicMessage finish() && {
    for (Open& open : open_) {
      if (message_.blocks[open.block].arguments.empty()) message_.blocks[open.block].arguments = open.input;
    }
    for (MessageBlock& block : message_.blocks) {
      block.text = without_halves(join_pairs(std::move(block.text)));
      block.arguments = without_halves(join_pairs(std::move(block.arguments)));
    }
    return std::move(message_);
  }

 private:
  /// What a block's start said of its input, to be used if no delta does.
  struct Open {
    std::size_t block;
    std::string input;
  };

  /// False if a strict client would have failed on the event.
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

  /// A null takes back what an earlier event said, as it does in clients.
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
    const auto take = [&](const char* key, std::optional<std::int64_t>& count) {
      const json& value = member(usage, key);
      if (value.is_number_integer()) count = value.get<std::int64_t>();
    };
    take("input_tokens", message_.usage.input);
    take("output_tokens", message_.usage.output);
    take("cache_read_input_tokens", message_.usage.cache_read);
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

  /// Deltas go where they say they belong, even into a block of another kind.
  static bool take_block_delta(const json& delta, MessageBlock& block) {
    const std::string type = string_at(delta, "type");
    if (type == "text_delta")
      return append_string(delta, "text", block.text) && block.kind() == BlockKind::text;
    if (type == "thinking_delta") {
      return append_string(delta, "thinking", block.text) && block.kind() == BlockKind::thinking;
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
  std::map<std::int64_t, std::size_t> by_index_;  ///< where in `blocks` the latest start of an index stands
  std::vector<Open> open_;
  bool started_ = false;
};

/// `text` around its byte `from`, fit for a message.
std::string excerpt(const std::string& text, std::size_t from) {
  constexpr std::size_t kBefore = 12;
  constexpr std::size_t kLength = 40;
  const auto is_continuation = [&](std::size_t at) { return at < text.size() && (text[at] & 0xC0) == 0x80; };
  std::size_t begin = from < kBefore ? 0 : from - kBefore;
  std::size_t end = std::min(text.size(), begin + kLength);
  while (begin > 0 && is_continuation(begin)) --begin;
  while (is_continuation(end)) ++end;
  return (begin > 0 ? "\"..." : "\"") + text.substr(begin, end - begin) +
         (end < text.size() ? "...\"" : "\"");
}

/// Tells of two values that differ, each by its side.
class Comparison {
 public:
  explicit Comparison(const Sides& sides) : sides_(sides) {}

  std::string differ(const std::string& what, const std::string& a, const std::string& b) const {
    return what + " is " + a + " " + sides_.a + " and " + b + " " + sides_.b;
  }

  std::string difference(const std::string& what, const std::string& a, const std::string& b) const {
    if (a == b) return "";
    const auto at =
        static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
    return differ(what, excerpt(a, at), excerpt(b, at)) + ", first at byte " + std::to_string(at);
  }

  std::string difference(const std::string& what, bool a, bool b) const {
    return a == b ? "" : differ(what, a ? "seen" : "missing", b ? "seen" : "missing");
  }

  std::string difference(const std::string& what, std::size_t a, std::size_t b) const {
    return a == b ? "" : differ(what, std::to_string(a), std::to_string(b));
  }

  std::string difference(const std::string& what, const std::optional<std::int64_t>& a,
                         const std::optional<std::int64_t>& b) const {
    const auto show = [](const auto& count) { return count ? std::to_string(*count) : "absent"; };
    return a == b ? "" : differ(what, show(a), show(b));
  }

  std::string difference(const std::string& what, const std::optional<std::string>& a,
                         const std::optional<std::string>& b) const {
    if (a && b) return difference(what, *a, *b);
    const auto show = [](const auto& text) { return text ? excerpt(*text, 0) : "absent"; };
    return a == b ? "" : differ(what, show(a), show(b));
  }

  std::string difference(const std::string& what, const MessageBlock& a, const MessageBlock& b) const {
    for (std::string found :
         {difference(what + "'s type", a.type, b.type), difference(what + "'s name", a.name, b.name),
          difference(what + "'s id", a.id, b.id), difference(what + "'s text", a.text, b.text),
          difference(what + "'s arguments", a.arguments, b.arguments),
          difference(what + "'s signature", a.signature, b.signature),
          difference(what + "'s stop", a.stopped, b.stopped)}) {
      if (!found.empty()) return found;
    }
    return "";
  }

 private:
  const Sides& sides_;
};

}  // namespace

BlockKind MessageBlock::kind() const {
  if (type == "text") return BlockKind::text;
  if (type == "thinking") return BlockKind::thinking;
  if (type == "tool_use") return BlockKind::tool_use;
  return BlockKind::other;
}

AnthropicMessage assemble_anthropic_message(const Trace& trace) {
  Assembly assembly;
  for (const Event& event : trace.events) assembly.take(event);
  return std::move(assembly).finish();
}

std::string describe_difference(const AnthropicMessage& a, const AnthropicMessage& b, const Sides& sides) {
  const Comparison compare(sides);
  const std::size_t common = std::min(a.blocks.size(), b.blocks.size());
  for (std::size_t i = 0; i < common; ++i) {
    if (a.blocks[i] != b.blocks[i])
      return compare.difference("block " + std::to_string(i), a.blocks[i], b.blocks[i]);
  }
  const auto error_type = [](const auto& m) { return m.error ? std::optional(m.error->type) : std::nullopt; };
  const auto error_text = [](const auto& m) {
    return m.error ? std::optional(m.error->message) : std::nullopt;
  };
  for (std::string found :
       {compare.difference("the number of blocks", a.blocks.size(), b.blocks.size()),
        compare.difference("the error's type", error_type(a), error_type(b)),
        compare.difference("the error's message", error_text(a), error_text(b)),
        compare.difference("stop_reason", a.stop_reason, b.stop_reason),
        compare.difference("stop_sequence", a.stop_sequence, b.stop_sequence),
        compare.difference("message_stop", a.stopped, b.stopped),
        compare.difference("the model", a.model, b.model),
        compare.difference("usage.input_tokens", a.usage.input, b.usage.input),
        compare.difference("usage.output_tokens", a.usage.output, b.usage.output),
        compare.difference("usage.cache_read_input_tokens", a.usage.cache_read, b.usage.cache_read),
        compare.difference("the number of events a strict client refuses", a.refused, b.refused)}) {
    if (!found.empty()) return found;
  }
  return "";
}

}  // namespace splitproof::observe
