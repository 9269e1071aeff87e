#include "harness/observe/documents.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "harness/observe/anthropic_message.hpp"
#include "harness/observe/call_arguments.hpp"
#include "harness/observe/chat_finish.hpp"
#include "harness/observe/chat_reading.hpp"
#include "harness/observe/client_runs.hpp"
#include "harness/strict_json.hpp"

namespace splitproof::observe {
namespace {

using nlohmann::json;

/// What a client passes to the tool: the parsed object; {} for no arguments; else the text as it came.
json input_of(std::string_view arguments) {
  switch (kind_of_arguments(arguments)) {
    case Arguments::none:
      return json::object();
    case Arguments::object:
      // Half a surrogate pair and a number beyond a double are JSON, but no value here: the text stands for them.
      if (const auto input = parse_strict_json(arguments)) return **input;
      break;
    case Arguments::fragment:
    case Arguments::foreign:
      break;
  }
  return std::string(arguments.substr(leading_blanks(arguments)));
}

struct Call {
  json id;  ///< null where it is left open
  std::string name;
  std::string arguments;
  json input;
};

Call call_of(std::string id, std::string name, std::string arguments) {
  Call call;
  if (!id.empty()) call.id = std::move(id);
  call.name = std::move(name);
  call.input = input_of(arguments);
  call.arguments = std::move(arguments);
  return call;
}

/// One side, before anything is left open.
struct Side {
  enum class Kind { text, thinking, call };
  struct Item {
    Kind kind;
    std::string text;       ///< of prose
    std::string signature;  ///< of thinking
    std::size_t call = 0;   ///< index into `calls`
  };

  std::vector<Item> items;  ///< adjacent ones of prose not yet joined
  std::vector<Call> calls;
  std::vector<std::pair<std::string, json>> runs;  ///< name and input
  std::vector<json> others;  ///< blocks of other kinds, as they started, with their input
  json finish;               ///< null when not said
  bool error = false;
  json input, cached, output;  ///< counts; null when not said

  void add_prose(Kind kind, std::string text, std::string signature) {
    if (!text.empty()) items.push_back({kind, std::move(text), std::move(signature)});
  }
  void add_call(Call call) {
    items.push_back({Kind::call, {}, {}, calls.size()});
    calls.push_back(std::move(call));
  }
};

void add_parts(const std::vector<Part>& parts, Side& side) {
  for (const Part& part : parts) {
    if (part.kind == PartKind::call) {
      side.add_call(call_of(part.id, part.name, part.arguments));
      side.runs.emplace_back(part.name, side.calls.back().input);
    } else {
      const bool thinks = part.kind == PartKind::thinking;
      side.add_prose(thinks ? Side::Kind::thinking : Side::Kind::text, part.text, part.signature);
    }
  }
}

void add_usage(const Tokens& usage, Side& side) {
  if (usage.completion) side.output = *usage.completion;
  if (usage.prompt && usage.cached.value_or(0) <= *usage.prompt) {
    side.cached = usage.cached.value_or(0);
    side.input = *usage.prompt - usage.cached.value_or(0);
  }
}

Side side_of(const Expected& expected) {
  Side side;
  add_parts(expected.parts, side);
  side.error = expected.failure.has_value();
  side.finish = name(expected.finish);
  add_usage(expected.usage, side);
  return side;
}

/// In the words of `Finish`; others stand for themselves.
std::string finish_word_of_chat(const std::string& finish) {
  switch (finish_kind(finish)) {
    case FinishKind::stop:
      return std::string(name(Finish::stop));
    case FinishKind::tool_calls:
      return std::string(name(Finish::tool_calls));
    case FinishKind::length:
      return std::string(name(Finish::length));
    case FinishKind::filter:
      return std::string(name(Finish::content_filter));
    case FinishKind::breakdown:
    case FinishKind::other:
      break;
  }
  return finish;
}

Side side_of_chat(const Trace& downstream) {
  const Meaning meaning = chat_meaning(downstream);
  Side side;
  add_parts(meaning.parts, side);
  side.error = meaning.error.has_value() || downstream.message_end == MessageEnd::cut;
  if (meaning.finish) side.finish = finish_word_of_chat(*meaning.finish);
  add_usage(meaning.usage, side);
  return side;
}

/// The stop_reasons that Chat Completions has a word for; the others stand for themselves.
std::string finish_word(const std::string& stop_reason) {
  constexpr std::array<std::pair<std::string_view, Finish>, 4> kWords = {
      {{"end_turn", Finish::stop},
       {"max_tokens", Finish::length},
       {"tool_use", Finish::tool_calls},
       {"refusal", Finish::content_filter}}};
  for (const auto& [word, finish] : kWords) {
    if (word == stop_reason) return std::string(name(finish));
  }
  return stop_reason;
}

Side side_of(const Trace& downstream) {
  const AnthropicMessage message = assemble_anthropic_message(downstream);
  Side side;
  for (const MessageBlock& block : message.blocks) {
    switch (block.kind()) {
      case BlockKind::text:
        side.add_prose(Side::Kind::text, block.text, {});
        break;
      case BlockKind::thinking:
        side.add_prose(Side::Kind::thinking, block.text, block.signature);
        break;
      case BlockKind::tool_use:
        side.add_call(call_of(block.id, block.name, block.arguments));
        break;
      case BlockKind::other:
        side.others.push_back({{"block", block.text}, {"input", input_of(block.arguments)}});
        break;
    }
  }
  for (const ClientRun& run : client_runs(downstream))
    side.runs.emplace_back(run.name, input_of(run.arguments));
  if (message.stop_reason) side.finish = finish_word(*message.stop_reason);
  side.error = message.error.has_value() || downstream.message_end == MessageEnd::cut;
  if (message.usage.input) side.input = *message.usage.input;
  if (message.usage.output) side.output = *message.usage.output;
  if (side.input.is_number()) side.cached = message.usage.cache_read.value_or(0);
  return side;
}

bool ranks_ascend(const Expected& expected) {
  std::optional<std::uint64_t> last;
  for (const Part& part : expected.parts) {
    if (part.kind != PartKind::call) continue;
    if (last && part.rank < *last) return false;
    last = part.rank;
  }
  return true;
}

/// An order among calls and runs that no stream decides.
bool before(const std::string& name, const json& input, const std::string& other, const json& other_input) {
  const auto text = [](const json& value) {
    return value.dump(-1, ' ', false, json::error_handler_t::replace);
  };
  return name != other ? name < other : text(input) < text(other_input);
}

/// The calls of one side in that order, in the places that calls have.
void sort_calls(Side& side) {
  std::stable_sort(side.calls.begin(), side.calls.end(),
                   [](const Call& a, const Call& b) { return before(a.name, a.input, b.name, b.input); });
}

/// Drops the calls at `got`'s end that a failing answer may deliver or not.
void drop_unsettled(const Expected& expected, const Side& wanted, Side& got) {
  std::vector<std::string> names;
  for (const Part& part : expected.unsettled) names.push_back(part.name);
  while (got.calls.size() > wanted.calls.size() && got.items.back().kind == Side::Kind::call) {
    const auto known = std::find(names.begin(), names.end(), got.calls.back().name);
    if (known == names.end()) return;
    names.erase(known);
    got.calls.pop_back();
    got.items.pop_back();
  }
}

/// Removes from `got` what `expected` leaves open.
void leave_open(Side& wanted, Side& got) {
  for (std::size_t i = 0; i < std::min(wanted.calls.size(), got.calls.size()); ++i) {
    if (wanted.calls[i].id.is_null()) got.calls[i].id = nullptr;
  }
  if (wanted.error || got.error) {
    for (Side* side : {&wanted, &got}) {
      side->finish = side->input = side->cached = side->output = nullptr;
      side->runs.clear();
    }
  }
  if (wanted.input.is_null()) got.input = nullptr;
  if (wanted.cached.is_null()) got.cached = nullptr;
  if (wanted.output.is_null()) got.output = nullptr;
}

constexpr std::array<const char*, 3> kKindNames = {"text", "thinking", "call"};

const char* kind_name(Side::Kind kind) { return kKindNames[static_cast<std::size_t>(kind)]; }

json parts_of(const Side& side) {
  json parts = json::array();
  const Side::Item* last = nullptr;
  for (const Side::Item& item : side.items) {
    if (item.kind == Side::Kind::call) {
      const Call& call = side.calls[item.call];
      parts.push_back({{"call", {{"name", call.name}, {"input", call.input}}}});
    } else if (last != nullptr && last->kind == item.kind) {
      json& text = parts.back()[kind_name(item.kind)];
      text = text.get_ref<const std::string&>() + item.text;
    } else {
      parts.push_back({{kind_name(item.kind), item.text}});
    }
    last = &item;
  }
  return parts;
}

/// `gave_up` is whether this side ends in an error that the other does not.
json document_of(const Side& side, bool order_open, bool gave_up) {
  json document = json::object();
  std::string text;
  std::string thinking;
  json signatures = json::array();
  for (const Side::Item& item : side.items) {
    if (item.kind == Side::Kind::text) text += item.text;
    if (item.kind != Side::Kind::thinking) continue;
    thinking += item.text;
    signatures.push_back(item.signature);
  }
  document["text"] = text;
  document["thinking"] = thinking;
  document["thoughts"] = signatures.size();
  document["signatures"] = signatures;
  if (!order_open) {
    const json parts = parts_of(side);
    document["parts"] = parts;
    document["kinds"] = json::array();
    for (const json& part : parts) document["kinds"].push_back(part.begin().key());
  }
  for (const char* list : {"calls", "names", "called", "ids", "inputs", "runs"})
    document[list] = json::array();
  for (const Call& call : side.calls) {
    json whole = {{"name", call.name}, {"arguments", call.arguments}, {"input", call.input}};
    if (!call.id.is_null()) whole["id"] = call.id;
    document["calls"].push_back(std::move(whole));
    document["names"].push_back(call.name);
    document["ids"].push_back(call.id);
    document["inputs"].push_back(call.input);
  }
  document["called"] = document["names"];
  std::sort(document["called"].begin(), document["called"].end());
  auto runs = side.runs;
  std::sort(runs.begin(), runs.end(),
            [](const auto& a, const auto& b) { return before(a.first, a.second, b.first, b.second); });
  for (const auto& [name, input] : runs) document["runs"].push_back({{"name", name}, {"input", input}});
  document["others"] = side.others;
  if (!side.finish.is_null()) document["finish"] = side.finish;
  document["error"] = side.error;
  document["gave_up"] = gave_up;
  for (const auto& [count, value] :
       {std::pair("input", &side.input), {"cached", &side.cached}, {"output", &side.output}}) {
    if (!value->is_null()) document["usage"][count] = *value;
  }
  return document;
}

/// Removes what cannot be compared, or has nothing in it on either side.
void settle(json& wanted, json& got) {
  const auto both = [&](const char* member, const auto& holds) {
    if (!wanted.contains(member) || !got.contains(member)) return;
    if (!holds(wanted[member], got[member])) return;
    wanted.erase(member);
    got.erase(member);
  };
  const auto empty = [](const json& a, const json& b) {
    const auto says_nothing = [](const json& value) { return value.empty() || value == "" || value == 0; };
    return says_nothing(a) && says_nothing(b);
  };
  const auto always = [](const json&, const json&) { return true; };
  const bool same_names = wanted["names"] == got["names"];
  if (wanted["called"] != got["called"]) both("names", always);
  if (!same_names) {  // there is no telling which call is which
    both("ids", always);
    both("inputs", always);
  }
  if (wanted["thinking"] != got["thinking"]) {
    both("thoughts", always);
    both("signatures", always);
  }
  if (wanted.contains("thoughts") && wanted["thoughts"] != got["thoughts"]) both("signatures", always);
  for (const char* member : {"text", "thinking", "thoughts", "signatures", "parts", "kinds", "calls", "names",
                             "called", "ids", "inputs", "runs"}) {
    both(member, empty);
  }
  if (!wanted.contains("signatures")) return;
  for (std::size_t i = 0; i < wanted["signatures"].size(); ++i) {
    if (wanted["signatures"][i] == "") wanted["signatures"][i] = got["signatures"][i] = nullptr;
  }
}

/// What the upstream's answer leaves open, beside what is plain from the sides.
struct Openings {
  bool calls_in_any_order = false;
  bool order_open = false;
};

Documents compared(Side wanted, Side got, const Openings& openings) {
  if (openings.calls_in_any_order) {
    sort_calls(wanted);
    sort_calls(got);
  }
  leave_open(wanted, got);
  json wanted_document = document_of(wanted, openings.order_open, false);
  json got_document = document_of(got, openings.order_open, got.error && !wanted.error);
  settle(wanted_document, got_document);
  return {std::make_shared<const json>(std::move(wanted_document)),
          std::make_shared<const json>(std::move(got_document))};
}

}  // namespace

Meaning chat_meaning(const Trace& trace) {
  ChatReading reading;
  for (const Event& event : trace.events) {
    if (event.fault == Fault::unterminated_event) continue;  // no client sees it
    SseEvent sse;
    sse.event = event.event;
    sse.data = event.data;
    sse.begin = event.begin;
    sse.end = event.end;
    if (event.fault == Fault::invalid_utf8) {
      sse.ill_formed_at = event.fault_at;
      sse.ill_formed_data = true;
    }
    reading.take(sse);
  }
  Meaning meaning = reading.finished();
  meaning.shapes.clear();
  return meaning;
}

Documents documents(const Expected& expected, const Trace& downstream) {
  Side wanted = side_of(expected);
  Side got = side_of(downstream);
  if (expected.failure) drop_unsettled(expected, wanted, got);
  return compared(std::move(wanted), std::move(got), {!ranks_ascend(expected), expected.order_open});
}

Documents documents_of_two(const Trace& meant, const Trace& downstream) {
  return compared(side_of(meant), side_of(downstream), {});
}

Documents chat_documents_of_two(const Trace& meant, const Trace& downstream) {
  Side wanted = side_of_chat(meant);
  Side got = side_of_chat(downstream);
  if (wanted.finish.is_null() && !wanted.error) {
    got.finish = nullptr;
    got.error = false;
  }
  return compared(std::move(wanted), std::move(got), {});
}

}  // namespace splitproof::observe
