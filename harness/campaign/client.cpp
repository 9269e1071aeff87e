#include "harness/campaign/client.hpp"

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <vector>

#include "harness/json_member.hpp"
#include "harness/observe/chat_reading.hpp"
#include "harness/strict_json.hpp"

namespace splitproof::campaign {
namespace {

using nlohmann::json;
using observe::AnthropicMessage;
using observe::BlockKind;
using observe::Meaning;
using observe::MessageBlock;
using observe::Part;
using observe::PartKind;
using observe::Sides;

std::size_t length_at(const json& object, const char* key) {
  const auto member = object.find(key);
  return member != object.end() && member->is_string() ? member->get_ref<const std::string&>().size() : 0;
}

class AnthropicHearing final : public Hearing {
 public:
  void take(const observe::SseEvent& sse) override {
    if (!sse.terminated || sse.ill_formed_at) return;
    const auto parsed = parse_strict_json(sse.data);
    if (!parsed || !(*parsed)->is_object()) return;
    const json& event = **parsed;
    const auto block = event.find("content_block");
    if (string_at(event, "type") == "content_block_start" && block != event.end() && block->is_object()) {
      told_.calls += string_at(*block, "type") == "tool_use" ? 1 : 0;
      told_.prose += length_at(*block, "text") + length_at(*block, "thinking");
    }
    over_ = over_ || string_at(event, "type") == "message_stop" || string_at(event, "type") == "error";
    const auto delta = event.find("delta");
    if (string_at(event, "type") == "content_block_delta" && delta != event.end() && delta->is_object()) {
      told_.prose += length_at(*delta, "text") + length_at(*delta, "thinking");
      told_.arguments += length_at(*delta, "partial_json");
    }
  }
  observe::Due told() const override { return told_; }
  bool over() const override { return over_; }

 private:
  observe::Due told_;
  bool over_ = false;
};

class AnthropicClient final : public Client {
 public:
  observe::Documents documents(const observe::Expected& expected,
                               const observe::Trace& downstream) const override {
    return observe::documents(expected, downstream);
  }
  observe::Documents relayed(const observe::Trace& upstream,
                             const observe::Trace& downstream) const override {
    return observe::documents_of_two(upstream, downstream);
  }
  Message message(std::string_view /*body*/, const observe::Trace& trace) const override {
    return observe::assemble_anthropic_message(trace);
  }
  std::unique_ptr<Hearing> listen(const observe::Choices& /*choices*/) const override {
    return std::make_unique<AnthropicHearing>();
  }
  const ChosenFields& chosen() const override { return chosen_; }
  std::string_view lone_error() const override {
    return "event: error\n"
           R"(data: {"type":"error","error":{"type":"api_error","message":"An HTTP status."}})"
           "\n\n";
  }

 private:
  const ChosenFields chosen_{{"/message/id", "/content_block/id", "/content_block/tool_use_id"}, {}};
};

// What came downstream is read as what comes from an upstream is, so that both sides count alike.
class ChatHearing final : public Hearing {
 public:
  explicit ChatHearing(const observe::Choices& choices)
      : reading_(choices.same_index_new_id), count_(choices) {}

  void take(const observe::SseEvent& event) override {
    if (!event.terminated) return;
    reading_.take(event);
    told_ = count_.after(reading_.so_far());
  }
  observe::Due told() const override { return told_; }
  bool over() const override { return reading_.so_far().done || reading_.so_far().error; }

 private:
  observe::ChatReading reading_;
  observe::DueCount count_;
  observe::Due told_;
};

class ChatClient final : public Client {
 public:
  observe::Documents documents(const observe::Expected& /*expected*/,
                               const observe::Trace& /*downstream*/) const override {
    return {};
  }
  observe::Documents relayed(const observe::Trace& upstream,
                             const observe::Trace& downstream) const override {
    return observe::chat_documents_of_two(upstream, downstream);
  }
  Message message(std::string_view body, const observe::Trace& /*trace*/) const override {
    observe::SseReader sse;
    sse.feed(body);
    sse.finish();
    observe::ChatReading chat;
    for (const observe::SseEvent& event : sse.events()) chat.take(event);
    chat.take_plain_body(body);
    Meaning meaning = chat.finished();
    meaning.shapes.clear();  // how it was dealt out
    meaning.begun.clear();
    return meaning;
  }
  std::unique_ptr<Hearing> listen(const observe::Choices& choices) const override {
    return std::make_unique<ChatHearing>(choices);
  }
  const ChosenFields& chosen() const override { return chosen_; }
  std::string_view lone_error() const override {
    return R"(data: {"error":{"message":"An HTTP status."}})"
           "\n\n";
  }

 private:
  const ChosenFields chosen_{{"/id", "/choices/*/delta/tool_calls/*/id"}, {"/created"}};
};

class DeafHearing final : public Hearing {
 public:
  void take(const observe::SseEvent& /*event*/) override {}
  observe::Due told() const override { return {}; }
  bool over() const override { return false; }
};

class UnknownClient final : public Client {
 public:
  observe::Documents documents(const observe::Expected& /*expected*/,
                               const observe::Trace& /*downstream*/) const override {
    return {};
  }
  observe::Documents relayed(const observe::Trace& /*upstream*/,
                             const observe::Trace& /*downstream*/) const override {
    return {};
  }
  Message message(std::string_view /*body*/, const observe::Trace& /*trace*/) const override { return {}; }
  bool hears() const override { return false; }
  std::unique_ptr<Hearing> listen(const observe::Choices& /*choices*/) const override {
    return std::make_unique<DeafHearing>();
  }
  const ChosenFields& chosen() const override { return chosen_; }

 private:
  const ChosenFields chosen_{};
};

// Ids by their places in the order of ids.
class Places {
 public:
  std::string of(const std::string& id) {
    if (id.empty()) return id;
    return std::to_string(places_.try_emplace(id, places_.size() + 1).first->second);
  }

 private:
  std::map<std::string, std::size_t> places_;
};

AnthropicMessage essence_of(AnthropicMessage message) {
  std::vector<MessageBlock> blocks;
  Places ids;
  for (MessageBlock& block : message.blocks) {
    const BlockKind kind = block.kind();
    const bool prose = kind == BlockKind::text || kind == BlockKind::thinking;
    if (kind == BlockKind::text && block.text.empty()) continue;
    if (prose && !blocks.empty() && blocks.back().kind() == kind) {
      MessageBlock& open = blocks.back();
      open.text += block.text;
      open.stopped = open.stopped && block.stopped;
      if (!block.signature.empty()) open.signature = "signed";
      continue;
    }
    block.id = ids.of(block.id);
    if (!block.signature.empty()) block.signature = "signed";
    blocks.push_back(std::move(block));
  }
  message.blocks = std::move(blocks);
  if (message.error) message.error->message.clear();
  return message;
}

Meaning essence_of(Meaning meaning) {
  Places ids;
  for (Part& part : meaning.parts) {
    part.id = ids.of(part.id);
    if (!part.signature.empty()) part.signature = "signed";
  }
  if (meaning.error) meaning.error->clear();
  return meaning;
}

std::string shown(const std::string& text) { return "\"" + text + "\""; }
std::string shown(bool value) { return value ? "yes" : "no"; }
std::string shown(std::uint64_t value) { return std::to_string(value); }
template <class Value>
std::string shown(const std::optional<Value>& value) {
  return value ? shown(*value) : "none";
}

std::string first_of(std::initializer_list<std::string> found) {
  for (const std::string& one : found) {
    if (!one.empty()) return one;
  }
  return "";
}

const char* word(PartKind kind) {
  switch (kind) {
    case PartKind::text:
      return "text";
    case PartKind::thinking:
      return "thinking";
    case PartKind::refusal:
      return "refusal";
    case PartKind::call:
      break;
  }
  return "call";
}

std::string difference_of(const Meaning& a, const Meaning& b, const Sides& sides) {
  const auto differing = [&](const std::string& what, const auto& one, const auto& other) -> std::string {
    if (one == other) return "";
    return what + " is " + shown(one) + " " + sides.a + " and " + shown(other) + " " + sides.b;
  };
  for (std::size_t i = 0; i < std::min(a.parts.size(), b.parts.size()); ++i) {
    const Part& one = a.parts[i];
    const Part& other = b.parts[i];
    const std::string part = "of part " + std::to_string(i) + " ";
    const std::string found =
        first_of({differing(part + "the kind", std::string(word(one.kind)), std::string(word(other.kind))),
                  differing(part + "the text", one.text, other.text),
                  differing(part + "the name", one.name, other.name),
                  differing(part + "the arguments", one.arguments, other.arguments),
                  differing(part + "the id", one.id, other.id),
                  differing(part + "the signature", one.signature, other.signature),
                  differing(part + "the index", one.rank, other.rank)});
    if (!found.empty()) return found;
  }
  return first_of(
      {differing("the number of parts", std::uint64_t{a.parts.size()}, std::uint64_t{b.parts.size()}),
       differing("the error", a.error, b.error), differing("the finish_reason", a.finish, b.finish),
       differing("[DONE]", a.done, b.done), differing("the model", a.model, b.model),
       differing("text coming first", a.begins_with_text, b.begins_with_text),
       differing("usage.prompt_tokens", a.usage.prompt, b.usage.prompt),
       differing("usage of cached tokens", a.usage.cached, b.usage.cached),
       differing("usage.completion_tokens", a.usage.completion, b.usage.completion),
       a == b ? "" : "the messages differ"});
}

}  // namespace

std::string describe_difference(const Message& a, const Message& b, const Sides& sides) {
  if (a.index() != b.index()) return "one is a message of another protocol";
  if (const auto* message = std::get_if<AnthropicMessage>(&a))
    return observe::describe_difference(*message, std::get<AnthropicMessage>(b), sides);
  if (const auto* meaning = std::get_if<Meaning>(&a))
    return difference_of(*meaning, std::get<Meaning>(b), sides);
  return "";
}

Message essence(Message message) {
  if (auto* anthropic = std::get_if<AnthropicMessage>(&message)) return essence_of(std::move(*anthropic));
  if (auto* meaning = std::get_if<Meaning>(&message)) return essence_of(std::move(*meaning));
  return message;
}

const Client& client_of(std::string_view protocol) {
  static const AnthropicClient anthropic;
  static const ChatClient chat;
  static const UnknownClient unknown;
  if (protocol == "anthropic.messages") return anthropic;
  if (protocol == "openai.chat") return chat;
  return unknown;
}

}  // namespace splitproof::campaign
