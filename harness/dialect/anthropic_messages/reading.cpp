#include "harness/dialect/anthropic_messages/reading.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <utility>

#include "harness/dialect/anthropic_messages/shapes.hpp"
#include "harness/dialect/error_words.hpp"
#include "harness/dialect/json_events.hpp"
#include "harness/observe/call_arguments.hpp"
#include "harness/observe/client_capabilities.hpp"
#include "harness/observe/finish_words.hpp"
#include "harness/observe/think_tags.hpp"
#include "harness/observe/unread.hpp"

namespace splitproof::dialect {
namespace {

using Kind = observe::WireJson::Kind;
using observe::FinishKind;
using observe::PartKind;

PartKind kind_of(std::string_view type) {
  if (type == "text") return PartKind::text;
  if (type == "thinking") return PartKind::thinking;
  return type == "tool_use" ? PartKind::call : PartKind::other;
}

/// True if a block of this type gets JSON arguments in deltas.
bool takes_arguments(std::string_view type) { return type.ends_with("tool_use"); }

bool is_documented(std::string_view type) {
  constexpr std::array<std::string_view, 4> kOthers = {"redacted_thinking", "compaction", "fallback",
                                                       "container_upload"};
  return kind_of(type) != PartKind::other || takes_arguments(type) || type.ends_with("tool_result") ||
         std::find(kOthers.begin(), kOthers.end(), type) != kOthers.end();
}

/// Returns the shapes marked "Ends" of an answer.
std::vector<const char*> ending_shapes(const observe::Answer& answer, bool stop_said) {
  std::vector<const char*> shapes;
  const auto add = [&](const char* shape, bool holds) {
    if (holds) shapes.push_back(shape);
  };
  const bool tools = answer.shapes.contains("tools");
  const std::optional<observe::FinishReason>& finish = answer.finish;
  const auto is = [&](FinishKind kind) { return finish && finish->kind == kind; };
  const bool cut_short = !answer.done || answer.error || (finish && cuts_short(finish->kind));
  for (const observe::Part& part : answer.parts) {
    add("block_never_stopped", !part.ended);
    add("think_tag", part.kind == PartKind::text && observe::think_span(part.text).opens);
    if (part.kind != PartKind::call) continue;
    const observe::Arguments kind = observe::kind_of_arguments(part.arguments);
    const bool whole = kind == observe::Arguments::object || kind == observe::Arguments::none;
    add("arguments_never", observe::leading_blanks(part.arguments) == part.arguments.size());
    add(cut_short ? "arguments_cut" : "arguments_unreadable", !whole);
  }
  add("finish_stop", is(FinishKind::stop));
  add("finish_tool_calls", is(FinishKind::calls));
  add("finish_length", is(FinishKind::length));
  add("content_filter", is(FinishKind::filter));
  add("finish_pause", is(FinishKind::paused));
  add("finish_other", is(FinishKind::unknown));
  add("finish_stop_with_tools", is(FinishKind::stop) && tools);
  add("finish_tool_calls_without_tools", is(FinishKind::calls) && !tools);
  add("done_without_finish", answer.done && !finish && !answer.error);
  add("finish_without_done", !answer.done && stop_said);
  add("no_done", !answer.done);
  add("nothing", !answer.done && !stop_said && !answer.error);
  const observe::Tokens& usage = answer.usage;
  add("no_usage", !usage.prompt && !usage.cached && !usage.completion);
  return shapes;
}

}  // namespace

void AnthropicReading::take(const observe::SseEvent& event) {
  if (answer_.done) return note("after_done");
  const JsonEvent read = read_json_event(event, kMaxAnthropicEvent);
  if (read.kind == JsonEvent::Kind::nothing) return;
  const std::string type(read.json.at("type").string());
  if (answer_.error) {
    answer_.done = type == "message_stop";
    return;
  }
  if (read.kind == JsonEvent::Kind::done) return note("unknown_keys");
  if (read.kind == JsonEvent::Kind::unreadable) return fail(read.fault);
  if (!event.terminated) note("no_final_blank_line");
  if (is_unnamed(event)) note("unnamed_event");
  take_event(read.json, event.event == "error" ? "error" : type);
}

void AnthropicReading::take_plain_body(std::string_view body) {
  if (answer_.done || answer_.error) return;
  const auto document = read_document(body, kMaxAnthropicEvent);
  if (document && !document->at("error").absent()) take_event(*document, "error");
}

void AnthropicReading::take_event(const observe::WireJson& event, const std::string& type) {
  const auto is = [&](std::initializer_list<std::string_view> types) {
    return std::find(types.begin(), types.end(), type) != types.end();
  };
  keep_unread("event", event,
              {"type", "index", "message", "content_block", "delta", "usage", "error", "context_management",
               "input_transformations", "request_id", "amazon-bedrock-invocationMetrics", "copilot_usage"},
              {});
  if (type == "message_start") return start_message(event.at("message"));
  if (type == "ping") return note("ping");
  if (type == "error" || (type.empty() && event.at("error").is(Kind::object))) {
    const observe::WireJson& error = event.at("error");
    const std::string_view kind = error.at("type").string();
    if (!kind.empty()) answer_.extra["the error's type"] = observe::replace_surrogates(kind);
    answer_.error_classes = classes_of_error(error);
    return fail(reported_message(error));
  }
  if (!is({"content_block_start", "content_block_delta", "content_block_stop", "message_delta",
           "message_stop"})) {
    // Its other members are kept above.
    for (const char* key : {"delta", "content_block"}) {
      const observe::WireJson& said = event.at(key);
      if (observe::has_value(said)) keep_whole("event", type, said, {});
    }
    return note("unknown_keys");
  }
  if (!started_) note("no_start");
  if (type == "message_delta") return take_message_delta(event);
  if (type == "message_stop") {
    if (!blocks_.empty()) close(blocks_.size() - 1);
    answer_.done = true;
    if (stop_reason_) answer_.finish = observe::read_finish("anthropic.messages", *stop_reason_);
    if (stop_sequence_) answer_.extra["stop_sequence"] = *stop_sequence_;
    return;
  }
  auto index = integer(event.at("index"));
  if (!index && by_number_.contains(kNoIndex) && type != "content_block_start") index = kNoIndex;
  if (type == "content_block_start") {
    if (stop_reason_) note("after_finish");
    if (index.value_or(blocks_.size()) != blocks_.size()) note("index_gap");
    return start_block(index, event.at("content_block"));
  }
  const auto found = index ? by_number_.find(*index) : by_number_.end();
  if (found == by_number_.end()) {
    note("stray_piece");
    if (type == "content_block_delta") take_stray(index.value_or(kNoIndex), event.at("delta"));
    return;
  }
  if (type == "content_block_delta") {
    if (stop_reason_) note("after_finish");
    return take_delta(found->second, event.at("delta"));
  }
  close(found->second);
  part_of(blocks_[found->second]).ended = true;
}

/// Takes a delta for a block that never started. Anthropic's SDK fails on it, other clients show its prose. Arguments
/// belong to a call without a name, which nobody can make.
void AnthropicReading::take_stray(std::uint64_t index, const observe::WireJson& delta) {
  const std::string_view type = delta.at("type").string();
  const auto has = [&](const char* key) { return observe::has_value(delta.at(key)); };
  if (type == "input_json_delta" && has("partial_json"))
    return fail("arguments come for a call that never started");
  const bool is_text = type == "text_delta" && has("text");
  const bool is_thinking =
      (type == "thinking_delta" && has("thinking")) || (type == "signature_delta" && has("signature"));
  if (is_text || is_thinking || type == "citations_delta") note("ambiguous");
  if (type == "citations_delta" && has("citation"))
    answer_.extra["the citations of no block"] += observe::compact(delta.at("citation")) + "\n";
  if (!is_text && !is_thinking) return keep_unread_delta(delta, " of no block");
  constexpr std::string_view kText = R"({"type":"text"})";
  constexpr std::string_view kThinking = R"({"type":"thinking"})";
  start_block(index, *observe::parse_wire_json(is_text ? kText : kThinking));
  if (!answer_.error) take_delta(blocks_.size() - 1, delta);
}

void AnthropicReading::start_message(const observe::WireJson& message) {
  const std::string id = observe::replace_surrogates(message.at("id").string());
  if (std::exchange(started_, true)) {
    note("started_twice");
    if (!id.empty() && !id_.empty() && id != id_) fail("another message begins before this one ends");
    return;
  }
  id_ = id;
  keep_unread("message", message,
              {"id", "type", "role", "model", "content", "stop_reason", "stop_sequence", "stop_details",
               "usage", "container", "context_management"},
              {});
  if (message.at("role").string().empty()) note("no_role");
  answer_.model = observe::replace_surrogates(message.at("model").string());
  take_stop(message, "stop_reason", stop_reason_);
  take_stop(message, "stop_sequence", stop_sequence_);
  take_usage(message.at("usage"));
  keep("container", message.at("container"));
  keep("context_management", message.at("context_management"));
  const observe::WireJson& content = message.at("content");
  if (!content.is(Kind::array)) return;
  for (const observe::WireJson& block : content.children) {
    note("content_in_start");
    start_block(std::nullopt, block);
    if (answer_.error) return;
    close(blocks_.size() - 1);
    part_of(blocks_.back()).ended = true;
  }
}

void AnthropicReading::start_block(std::optional<std::uint64_t> index, const observe::WireJson& start) {
  if (blocks_.size() == kMaxAnthropicBlocks) return fail("more blocks than can be read");
  if (!blocks_.empty()) settle(blocks_.size() - 1);
  const std::size_t number = blocks_.size();
  const std::uint64_t own = index.value_or(number);
  if (const auto before = by_number_.find(own); before != by_number_.end()) {
    note("index_reused");
    end_text(before->second);
  }
  by_number_[own] = number;
  Block& block = blocks_.emplace_back();
  block.type = observe::replace_surrogates(start.at("type").string());
  block.part.kind = kind_of(block.type);
  block.part.rank = own;
  if (block.part.kind == PartKind::other) block.part.type = block.type;
  block.part.ended = false;
  if (!is_documented(block.type)) note("unknown_block");
  if (block.type == "redacted_thinking" || block.type == "compaction") note(block.type);
  if (block.type.ends_with("tool_result") || (takes_arguments(block.type) && block.type != "tool_use"))
    note("server_tools");
  if (block.type == "fallback" && !start.at("to").at("model").string().empty())
    answer_.model = observe::replace_surrogates(start.at("to").at("model").string());

  const auto told = [&](std::string_view key) {
    switch (block.part.kind) {
      case PartKind::text:
        return key == "text" || key == "citations" || key == "type";
      case PartKind::thinking:
        return key == "thinking" || key == "signature" || key == "type";
      case PartKind::call:
        return key == "id" || key == "name" || key == "input" || key == "type";
      default:
        return key == "input";
    }
  };
  if (start.is(Kind::object)) {
    for (const observe::WireJson& child : start.children) {
      if (!told(child.key) && (!child.is(Kind::null) || block.part.kind == PartKind::other))
        block.members[observe::replace_surrogates(child.key)] = observe::compact(child);
    }
  }
  const observe::WireJson& input = start.at("input");
  const bool empty =
      input.absent() || input.is(Kind::null) || (input.is(Kind::object) && input.children.empty());
  if (!empty) {
    note("arguments_object");
    block.input =
        input.is(Kind::string) ? observe::replace_surrogates(input.string()) : std::string(input.raw);
  }
  if (block.part.kind == PartKind::call) take_call(block, start);
  if (block.part.kind == PartKind::call && !block.part.id.empty() && !block.part.name.empty()) place(number);
  if (block.part.kind == PartKind::text || block.part.kind == PartKind::thinking) {
    const observe::WireJson& said = start.at(block.type);
    const observe::WireJson& signature = start.at("signature");
    const observe::WireJson& citations = start.at("citations");
    const bool cites = citations.is(Kind::array) && !citations.children.empty();
    if (said.is(Kind::null)) note("null_fields");
    if (!said.string().empty() || !signature.string().empty() || cites) note("piece_in_start");
    if (!said.string().empty()) say(number, said);
    if (!signature.string().empty()) sign(number, signature.string());
    if (cites)
      for (const observe::WireJson& citation : citations.children) cite(blocks_[number], citation);
  }
}

void AnthropicReading::take_call(Block& block, const observe::WireJson& start) {
  observe::Part& call = block.part;
  call.id = observe::replace_surrogates(start.at("id").string());
  call.name = observe::replace_surrogates(start.at("name").string());
  if (answer_.shapes.contains("tools")) note("parallel_tools");
  if (answer_.shapes.contains("thinking")) note("thinking_before_tool");
  note("tools");
  begun_ = true;
  if (call.id.empty()) note("id_never");
  if (call.name.empty()) note("name_never");
  if (!call.id.empty() && !observe::is_plain_id(call.id)) note("foreign_id");
  if (!call.id.empty() && !ids_.insert(call.id).second) note("shared_id");
}

void AnthropicReading::take_delta(std::size_t number, const observe::WireJson& delta) {
  Block& block = blocks_[number];
  const std::string_view type = delta.at("type").string();
  keep_unread_delta(delta, " of block " + std::to_string(number));
  const PartKind kind = block.part.kind;
  const auto say_as = [&](bool fits, const char* key) {
    if (!fits) return note("stray_piece");
    const observe::WireJson& piece = delta.at(key);
    if (piece.is(Kind::null)) note("null_fields");
    if (observe::has_value(piece) && !piece.is(Kind::string))
      observe::note_unread("delta", piece, " of block " + std::to_string(number), answer_);
    if (piece.string().empty()) return note("empty_pieces");
    if (piece.string() == block.last_piece) note("repeated_pieces");
    block.last_piece = piece.string();
    say(number, piece);
  };
  if (type == "text_delta") return say_as(kind == PartKind::text, "text");
  if (type == "thinking_delta") return say_as(kind == PartKind::thinking, "thinking");
  if (type == "input_json_delta") return say_as(takes_arguments(block.type), "partial_json");
  if (type == "signature_delta") {
    if (kind != PartKind::thinking) return note("stray_piece");
    return sign(number, delta.at("signature").string());
  }
  if (type == "citations_delta") {
    if (kind != PartKind::text) return note("stray_piece");
    return cite(block, delta.at("citation"));
  }
  if (type != "compaction_delta") return note("unknown_keys");
  if (block.type != "compaction" || block.place) return note("stray_piece");
  for (const observe::WireJson& child : delta.children) {
    if (child.key != "type") block.members[observe::replace_surrogates(child.key)] = observe::compact(child);
  }
}

void AnthropicReading::take_message_delta(const observe::WireJson& event) {
  const observe::WireJson& delta = event.at("delta");
  if (stop_reason_ && delta.at("stop_reason").is(Kind::string)) note("finish_repeated");
  keep_unread("ending", delta, {"stop_reason", "stop_sequence", "stop_details", "container"}, {});
  take_stop(delta, "stop_reason", stop_reason_);
  take_stop(delta, "stop_sequence", stop_sequence_);
  take_usage(event.at("usage"));
  keep("stop_details", delta.at("stop_details"));
  keep("container", delta.at("container"));
  keep("context_management", event.at("context_management"));
  keep("input_transformations", event.at("input_transformations"));
}

/// Takes the value of an event. A null removes an earlier value, as in clients.
void AnthropicReading::take_stop(const observe::WireJson& source, const char* key,
                                 std::optional<std::string>& said) {
  const observe::WireJson& value = source.at(key);
  if (value.is(Kind::string)) said = observe::replace_surrogates(value.string());
  if (value.is(Kind::null)) said.reset();
}

void AnthropicReading::take_usage(const observe::WireJson& usage) {
  if (!usage.is(Kind::object)) return;
  const UsageCounts::Taken taken = counts_.take(usage);
  answer_.usage = counts_.tokens();
  if (taken.null) note("null_fields");
  if (taken.zero_later) note("usage_zero_later");
  for (const observe::WireJson& child : usage.children) {
    const bool told = child.key == "input_tokens" || child.key == "output_tokens" ||
                      child.key == "cache_read_input_tokens" || child.is(Kind::null);
    if (!told) usage_[observe::replace_surrogates(child.key)] = observe::compact(child);
  }
  if (answer_.usage.cached.value_or(0) > 0) note("cached_tokens");
  if (!usage_.empty()) answer_.extra["usage"] = object_of(usage_);
}

void AnthropicReading::say(std::size_t number, const observe::WireJson& piece) {
  if (number + 1 != blocks_.size()) note("interleaved_blocks");
  add(number, blocks_[number].halves.join(piece.string()));
}

/// Adds text to a block, or keeps it for the end.
void AnthropicReading::add(std::size_t number, const std::string& said) {
  if (said.empty()) return;
  Block& block = blocks_[number];
  if (number + 1 != blocks_.size()) {
    const auto spoke_alike = [&](const Block& later) {
      return later.part.kind == block.part.kind && later.place;
    };
    const bool calls = takes_arguments(block.type);
    const bool goes_back = calls ? part_of(block).ended || block.progress.complete()
                                 : std::any_of(blocks_.begin() + static_cast<std::ptrdiff_t>(number) + 1,
                                               blocks_.end(), spoke_alike);
    if (goes_back) note("ambiguous");
    if (calls) block.progress.take(said);
    if (!calls) note("prose_meanwhile");
    block.late += said;
    return;
  }
  const bool is_prose = block.part.kind == PartKind::text || block.part.kind == PartKind::thinking;
  if (is_prose && !block.place) place(number);
  observe::Part& part = part_of(block);
  if (!is_prose && part.ended) note("ambiguous");
  (is_prose ? part.text : part.arguments) += said;
  if (!is_prose) block.progress.take(said);
}

void AnthropicReading::sign(std::size_t number, std::string_view signature) {
  if (signature.empty()) return note("empty_pieces");
  note("signature");
  Block& block = blocks_[number];
  if (!block.place && number + 1 == blocks_.size()) place(number);
  part_of(block).signature = observe::replace_surrogates(signature);
}

void AnthropicReading::cite(Block& block, const observe::WireJson& citation) {
  note("citations");
  block.citations += (block.citations.empty() ? "" : ",") + observe::compact(citation);
}

/// Adds the part of a block to the answer.
void AnthropicReading::place(std::size_t number) {
  for (; passed_ < number; ++passed_) end_text(passed_);
  spoken_ = number + 1;
  Block& block = blocks_[number];
  const PartKind kind = block.part.kind;
  const auto seen = [&](const char* shape) { return answer_.shapes.contains(shape); };
  if (kind == PartKind::text || kind == PartKind::thinking) {
    if (!begun_) answer_.begins_with_text = kind == PartKind::text;
    if (seen("id_never") || seen("name_never")) note("prose_meanwhile");
    if (kind == PartKind::text && !answer_.parts.empty() && answer_.parts.back().kind == kind)
      note("several_texts");
    if (kind == PartKind::text && seen("tools")) note("text_after_tool");
    if (kind == PartKind::thinking && seen("tools")) note("thinking_after_tool");
    if (kind == PartKind::thinking && seen("text")) note("thinking_after_text");
    note(kind == PartKind::text ? "text" : "thinking");
  }
  begun_ = true;
  block.place = answer_.parts.size();
  answer_.parts.push_back(std::move(block.part));
  block.part = {};
  block.part.kind = kind;
}

/// Ends a block, as far as is known.
void AnthropicReading::close(std::size_t number) {
  end_text(number);
  settle(number);
}

/// Ends the text of a block. Half a character stays alone.
void AnthropicReading::end_text(std::size_t number) {
  Block& block = blocks_[number];
  const std::string rest = block.halves.close();
  if (block.halves.joined()) note("halves");
  if (block.halves.broken()) note("half_alone");
  const bool is_prose = block.part.kind == PartKind::text || block.part.kind == PartKind::thinking;
  if (rest.empty() || !is_prose || number + 1 < spoken_) return add(number, rest);
  if (!block.place) place(number);
  part_of(block).text += rest;
}

/// Uses the input in a block's start if no delta had arguments.
void AnthropicReading::settle(std::size_t number) {
  Block& block = blocks_[number];
  if (number + 1 == blocks_.size() && part_of(block).arguments.empty() && block.late.empty())
    part_of(block).arguments = std::exchange(block.input, {});
  if (block.part.kind != PartKind::other || block.place) return;
  block.part.text = object_of(block.members);
  if (number + 1 == blocks_.size()) place(number);
}

/// Notes members that nobody reads. All values of a member make one note.
void AnthropicReading::keep_unread(const std::string& object, const observe::WireJson& value,
                                   std::initializer_list<std::string_view> read, const std::string& of) {
  if (observe::note_unread_of(object, value, {read.begin(), read.size()}, of, answer_)) note("unknown_block");
}

/// A delta of an unknown type is a note as a whole, whatever its members are.
void AnthropicReading::keep_unread_delta(const observe::WireJson& delta, const std::string& of) {
  constexpr auto kTypes =
      std::to_array<std::string_view>({"text_delta", "thinking_delta", "input_json_delta", "signature_delta",
                                       "citations_delta", "compaction_delta"});
  const std::string_view type = delta.at("type").string();
  if (std::find(kTypes.begin(), kTypes.end(), type) == kTypes.end()) {
    bool any = false;
    constexpr auto kType = std::to_array<std::string_view>({"type"});
    observe::for_each_unread(delta, kType, [&](const observe::WireJson&) { any = true; });
    if (any) keep_whole("delta", type, delta, of);
    return note("unknown_block");
  }
  keep_unread(
      "delta", delta,
      {"type", "text", "thinking", "partial_json", "signature", "citation", "content", "encrypted_content"},
      of);
}

/// Notes something of an unknown type. One note has everything of one type.
void AnthropicReading::keep_whole(const std::string& object, std::string_view type,
                                  const observe::WireJson& value, const std::string& of) {
  observe::WireJson named = value;
  named.key = type.empty() ? "untyped" : observe::type_in_note(type);
  observe::note_unread(object, named, of, answer_);
  note("unknown_block");
}

void AnthropicReading::keep(const char* what, const observe::WireJson& value) {
  if (value.absent() || value.is(Kind::null)) return;
  answer_.extra[what] = observe::compact(value);
  for (const AnthropicShapeEntry& entry : kAnthropicShapes)
    if (entry.name == what) note(entry.name);
}

void AnthropicReading::fail(std::string reason) {
  answer_.error = std::move(reason);
  note("error");
  if (!blocks_.empty()) close(blocks_.size() - 1);
}

observe::Answer AnthropicReading::finished() const {
  AnthropicReading last = *this;
  observe::Answer& answer = last.answer_;
  std::vector<observe::Part> parts;
  std::vector<std::pair<std::size_t, observe::Part>> unsettled;
  std::size_t calls = 0;
  for (std::size_t number = 0; number < last.blocks_.size(); ++number) {
    last.close(number);
    Block& block = last.blocks_[number];
    const std::string name = " of block " + std::to_string(number);
    if (!block.citations.empty()) answer.extra["the citations" + name] = "[" + block.citations + "]";
    const bool opaque = block.part.kind == PartKind::other;
    if (!opaque && !block.members.empty()) answer.extra["the members" + name] = object_of(block.members);
    observe::Part part = std::move(last.part_of(block));
    const bool is_prose = block.part.kind == PartKind::text || block.part.kind == PartKind::thinking;
    (is_prose ? part.text : part.arguments) += block.late;
    if (part.arguments.empty()) part.arguments = block.input;
    const bool silent = part.text.empty() && part.signature.empty() && part.id.empty() && part.name.empty() &&
                        part.arguments.empty();
    const bool is_call = part.kind == PartKind::call;
    const std::size_t begun = is_call ? calls++ : 0;
    if (silent) continue;
    if (is_call && (part.id.empty() || part.name.empty())) {
      unsettled.emplace_back(begun, std::move(part));
      continue;
    }
    if (is_call) answer.begun.push_back(begun);
    parts.push_back(std::move(part));
  }
  for (auto& [begun, call] : unsettled) {
    answer.begun.push_back(begun);
    parts.push_back(std::move(call));
  }
  answer.parts = std::move(parts);
  // An empty message without a reason may be a breakdown.
  if (answer.done && !answer.finish && !answer.error && answer.parts.empty()) last.note("ambiguous");
  for (const char* shape : ending_shapes(answer, stop_reason_.has_value())) last.note(shape);
  return std::move(answer);
}

}  // namespace splitproof::dialect
