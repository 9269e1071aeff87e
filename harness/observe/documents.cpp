#include "harness/observe/documents.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "harness/observe/tolerances.hpp"
#include "harness/observe/wire_json.hpp"
#include "harness/utf8.hpp"

namespace splitproof::observe {
namespace {

using nlohmann::json;

constexpr std::array<const char*, 4> kKindNames = {"text", "thinking", "refusal", "call"};

const char* kind_name(NormalisedAnswer::Kind kind) { return kKindNames[static_cast<std::size_t>(kind)]; }

json parts_of(const NormalisedAnswer& side) {
  json parts = json::array();
  const NormalisedAnswer::Item* last = nullptr;
  for (const NormalisedAnswer::Item& item : side.items) {
    if (item.kind == NormalisedAnswer::Kind::call) {
      const NormalisedAnswer::Call& call = side.calls[item.call];
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

/// Returns arguments as written, without white space and with one way to write strings.
std::string written_of(const std::string& arguments) {
  const auto value = parse_wire_json(arguments);
  return value ? compact(*value) : arguments;
}

/// `gave_up`: only this side ends in an error. `written`: the spelling of arguments matters.
json document_of(const NormalisedAnswer& side, bool order_open, bool gave_up, bool written) {
  json document = json::object();
  std::string text;
  std::string refusal;
  std::string thinking;
  json signatures = json::array();
  json divided = json::array();
  for (const NormalisedAnswer::Item& item : side.items) {
    if (item.kind == NormalisedAnswer::Kind::text) text += item.text;
    if (item.kind == NormalisedAnswer::Kind::refusal) refusal += item.text;
    if (item.kind != NormalisedAnswer::Kind::thinking) continue;
    thinking += item.text;
    signatures.push_back(item.signature);
    divided.push_back(item.text);
  }
  document["text"] = text;
  document["refusal"] = refusal;
  document["thinking"] = thinking;
  document["thoughts"] = signatures.size();
  document["signatures"] = signatures;
  document["divided"] = divided;
  if (!order_open) {
    const json parts = parts_of(side);
    document["parts"] = parts;
    document["kinds"] = json::array();
    for (const json& part : parts) document["kinds"].push_back(part.begin().key());
  }
  for (const char* list : {"calls", "names", "called", "ids", "inputs", "takes", "runs"})
    document[list] = json::array();
  for (const NormalisedAnswer::Call& call : side.calls) {
    json whole = {{"name", call.name}, {"arguments", call.arguments}, {"input", call.input}};
    if (!call.id.is_null()) whole["id"] = call.id;
    document["calls"].push_back(std::move(whole));
    document["names"].push_back(call.name);
    document["ids"].push_back(call.id);
    document["inputs"].push_back(call.input);
    if (written) document["written"].push_back(written_of(call.arguments));
    document["takes"].push_back(call.custom ? "text" : "object");
  }
  document["called"] = document["names"];
  std::sort(document["called"].begin(), document["called"].end());
  auto runs = side.runs;
  std::sort(runs.begin(), runs.end(), [](const NormalisedAnswer::Run& a, const NormalisedAnswer::Run& b) {
    return a.name != b.name ? a.name < b.name : a.input < b.input;
  });
  for (const NormalisedAnswer::Run& run : runs)
    document["runs"].push_back({{"name", run.name}, {"input", run.input}});
  document["others"] = side.others;
  document["places"] = side.places;
  document["notes"] = side.notes;
  if (!side.finish.is_null()) document["finish"] = side.finish;
  document["error"] = side.error;
  if (side.error_classes.any()) document["error_class"] = words_for(side.error_classes);
  document["gave_up"] = gave_up;
  for (const auto& [count, value] : {std::pair("input", &side.input),
                                     {"cached", &side.cached},
                                     {"written", &side.written},
                                     {"output", &side.output},
                                     {"reasoning", &side.reasoning},
                                     {"total", &side.total}}) {
    if (!value->is_null()) document["usage"][count] = *value;
  }
  return document;
}

/// Joins adjacent thinking.
void join_thinking(NormalisedAnswer& side) {
  std::vector<NormalisedAnswer::Item> items;
  for (NormalisedAnswer::Item& item : side.items) {
    const bool goes_on =
        item.kind == NormalisedAnswer::Kind::thinking && !items.empty() && items.back().kind == item.kind;
    if (!goes_on) {
      items.push_back(std::move(item));
      continue;
    }
    items.back().text += item.text;
    if (!item.signature.empty()) items.back().signature = std::move(item.signature);
  }
  side.items = std::move(items);
}

bool is_signed(const NormalisedAnswer& side) {
  return std::any_of(side.items.begin(), side.items.end(),
                     [](const NormalisedAnswer::Item& item) { return !item.signature.empty(); });
}

std::ptrdiff_t thoughts_of(const NormalisedAnswer& side) {
  return std::count_if(side.items.begin(), side.items.end(), [](const NormalisedAnswer::Item& item) {
    return item.kind == NormalisedAnswer::Kind::thinking;
  });
}

/// A translator may join unsigned thoughts. Then a blank line may separate two that follow each other.
void join_unsigned_thinking(NormalisedAnswer& wanted, NormalisedAnswer& got) {
  if (is_signed(wanted) || thoughts_of(got) >= thoughts_of(wanted)) return;
  NormalisedAnswer apart = wanted;
  for (std::size_t i = 1; i < apart.items.size(); ++i) {
    if (apart.items[i].kind == NormalisedAnswer::Kind::thinking &&
        apart.items[i - 1].kind == NormalisedAnswer::Kind::thinking)
      apart.items[i].text.insert(0, "\n\n");
  }
  if (apart.prose(NormalisedAnswer::Kind::thinking) == got.prose(NormalisedAnswer::Kind::thinking))
    wanted = std::move(apart);
  for (NormalisedAnswer* side : {&wanted, &got}) join_thinking(*side);
}

/// Groups items by kind.
void put_apart(NormalisedAnswer& side) {
  std::stable_sort(
      side.items.begin(), side.items.end(),
      [](const NormalisedAnswer::Item& a, const NormalisedAnswer::Item& b) { return a.kind < b.kind; });
  join_thinking(side);
}

/// A translator may add a signature to an unsigned thought, but a relay must not. The text of signed thinking
/// must stay.
void settle_signatures(json& wanted, json& got, bool relayed) {
  for (std::size_t i = 0; i < wanted["signatures"].size(); ++i) {
    json& asked = wanted["signatures"][i];
    json& told = got["signatures"][i];
    if (asked == "" && !relayed) {
      asked = told = nullptr;
    } else if (asked == told && wanted["divided"][i] != got["divided"][i]) {
      asked = {{"signature", asked}, {"of", wanted["divided"][i]}};
      told = {{"signature", told}, {"of", got["divided"][i]}};
    }
  }
}

/// Removes members that cannot be compared, or that are empty on both sides.
void settle(json& wanted, json& got, bool order_open, bool relayed) {
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
  const auto no_text = [](const json& a, const json& b) {
    const auto has_text = [](const json& takes) {
      return std::count(takes.begin(), takes.end(), "text") > 0;
    };
    return !has_text(a) && !has_text(b);
  };
  const bool same_names = wanted["names"] == got["names"];
  both("takes", no_text);
  if (wanted["called"] != got["called"]) both("names", always);
  if (!same_names) {  // the calls cannot be matched
    both("ids", always);
    both("inputs", always);
    both("written", always);
    both("takes", always);
  }
  // A thought can be divided by what comes between.
  if (wanted["thinking"] != got["thinking"] || (order_open && wanted["thoughts"] != got["thoughts"])) {
    both("thoughts", always);
    both("signatures", always);
  }
  if (wanted.contains("thoughts") && wanted["thoughts"] != got["thoughts"]) both("signatures", always);
  // Places are comparable only if everything else is equal.
  const auto is_same = [&](const char* member) { return wanted[member] == got[member]; };
  if (!is_same("text") || !is_same("refusal") || !is_same("thinking") || !same_names || !is_same("others"))
    both("places", always);
  for (const char* member :
       {"text", "refusal", "places", "thinking", "thoughts", "signatures", "parts", "kinds", "calls", "names",
        "called", "ids", "inputs", "written", "runs", "notes"}) {
    both(member, empty);
  }
  if (wanted.contains("signatures")) settle_signatures(wanted, got, relayed);
  for (json* document : {&wanted, &got}) document->erase("divided");
}

/// Returns an upstream's text, short enough for a message.
std::string shortened_text(const std::string& text) {
  constexpr std::size_t kMost = 120;
  if (text.size() <= kMost) return text;
  std::size_t end = kMost;
  while (continues_character(text[end])) --end;
  return text.substr(0, end) + "...";
}

/// Returns the reason for the required error. It completes a sentence that begins with "the upstream's
/// answer".
std::string failure_of(const Expected& expected) {
  if (!expected.failure) return "did not fail";
  switch (*expected.failure) {
    case Failure::reported:
      return "failed (" + shortened_text(expected.reported) + ")";
    case Failure::cut_off:
      return "broke off before its end";
    case Failure::refused:
      return "has what this protocol has no place for (" + expected.refused_part + ")";
    case Failure::elsewhere:
      return "has nothing in its first choice";
    case Failure::nameless:
      return "has a call without a name";
    case Failure::arguments:
      return "has a call whose arguments are not complete";
    case Failure::nothing:
      return "has no content, and ended with " + expected.ending +
             (expected.finish_word.empty() ? "" : ", which does not explain that");
    case Failure::demanded:
      return "has to fail by the recording's \"expect\"";
  }
  return {};
}

/// Returns texts for messages on an answer and on what the client got. `expected` is null if the upstream's
/// answer is also a side.
json words_of(const Expected* expected, const NormalisedAnswer& wanted, const NormalisedAnswer& got) {
  json words = {{"client", got.error ? "an error" : "no error"}};
  if (expected == nullptr) {
    words["ending"] = wanted.finish.is_string() ? wanted.finish.dump() : "no word for the end";
    words["failure"] = wanted.error ? "failed" : "did not fail";
    return words;
  }
  words["ending"] = expected->ending;
  words["failure"] = failure_of(*expected);
  if (!expected->unreadable_call.empty())
    words["unreadable_call"] = shortened_text(expected->unreadable_call);
  return words;
}

/// `open` lists members that are not compared, each with the reason. `expected` is the required answer, or
/// null if it is also a side.
Documents compared(NormalisedAnswer wanted, NormalisedAnswer got, bool order_open, bool relayed,
                   const Expected* expected = nullptr, const std::map<std::string, std::string>& open = {}) {
  apply_tolerances(wanted, got, relayed);
  json wanted_document = document_of(wanted, order_open, false, wanted.was_renamed);
  json got_document = document_of(got, order_open, got.error && !wanted.error, wanted.was_renamed);
  settle(wanted_document, got_document, order_open, relayed);
  for (json* document : {&wanted_document, &got_document}) {
    for (const auto& [member, reason] : open) document->erase(member);
    if (!open.empty()) (*document)["open"] = open;
  }
  return {std::make_shared<const json>(std::move(wanted_document)),
          std::make_shared<const json>(std::move(got_document)),
          std::make_shared<const json>(words_of(expected, wanted, got))};
}

}  // namespace

Documents documents(const Expected& expected, NormalisedAnswer got) {
  NormalisedAnswer wanted = side_of(expected);
  apply_tolerances(expected, wanted, got);
  if (expected.kinds_apart)
    for (NormalisedAnswer* side : {&wanted, &got}) put_apart(*side);
  // The kind of a part is known only at its end. A translator that forwards deltas has begun others by then.
  if (expected.shapes.contains("number_counts_up"))
    for (NormalisedAnswer* side : {&wanted, &got}) join_thinking(*side);
  join_unsigned_thinking(wanted, got);
  std::map<std::string, std::string> open;
  if (expected.finish_unknown)
    open["finish"] = "nobody knows what the upstream's \"" + expected.finish_word + "\" means";
  if (expected.shapes.contains("signed_in_parts")) {
    for (const char* member : {"thoughts", "signatures"})
      open[member] = "the upstream signed parts of one thought";
  }
  for (const char* kind : {"thinking", "text"}) {
    if (!expected.shapes.contains(kind + std::string("_unclear"))) continue;
    for (const char* member : {kind, "parts", "kinds", "thoughts", "signatures"})
      open[member] = std::string("the upstream's ") + kind + " may be a repetition, or new";
  }
  return compared(std::move(wanted), std::move(got), expected.order_open, false, &expected, open);
}

Documents documents_of_two(NormalisedAnswer meant, NormalisedAnswer got) {
  if (meant.any_end) {
    got.finish = nullptr;
    got.error = false;
  }
  return compared(std::move(meant), std::move(got), false, true);
}

}  // namespace splitproof::observe
