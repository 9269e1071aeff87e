#include "harness/observe/tolerances.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace splitproof::observe {
namespace {

using nlohmann::json;

/// Replaces a missing name that the translator had to choose.
constexpr std::string_view kAnyName = "(any name)";

std::ptrdiff_t times(const std::vector<NormalisedAnswer::Call>& calls, const std::string& name) {
  return std::count_if(calls.begin(), calls.end(),
                       [&](const NormalisedAnswer::Call& call) { return call.name == name; });
}

/// Removes from `got` the calls that an answer may deliver or omit, wherever they are. In a success, they have no
/// arguments.
void drop_unsettled(const Expected& expected, const NormalisedAnswer& wanted, NormalisedAnswer& got) {
  for (const Part& part : expected.unsettled) {
    for (std::size_t place = got.calls.size(); place-- > 0;) {
      const std::string& name = got.calls[place].name;
      if (!part.name.empty() && name != part.name) continue;
      if (!expected.failure && got.calls[place].input != json::object()) continue;
      if (times(got.calls, name) <= times(wanted.calls, name)) continue;
      got.remove_call(place);
      break;
    }
  }
}

/// Returns the calls of `got` without a call of the same name in `wanted`, in order.
std::vector<const NormalisedAnswer::Call*> unclaimed(const NormalisedAnswer& wanted,
                                                     const NormalisedAnswer& got) {
  std::vector<const NormalisedAnswer::Call*> left;
  std::vector<std::string> claimed;
  for (const NormalisedAnswer::Call& call : wanted.calls) claimed.push_back(call.name);
  for (const NormalisedAnswer::Call& call : got.calls) {
    const auto claim = std::find(claimed.begin(), claimed.end(), call.name);
    if (claim != claimed.end()) {
      claimed.erase(claim);
    } else if (!call.name.empty()) {
      left.push_back(&call);
    }
  }
  return left;
}

/// Accepts the translator's own names for nameless calls. Prefers calls with the same input.
void name_nameless(NormalisedAnswer& wanted, const NormalisedAnswer& got) {
  auto left = unclaimed(wanted, got);
  for (NormalisedAnswer::Call& call : wanted.calls) {
    if (!call.name.empty()) continue;
    auto made = std::find_if(left.begin(), left.end(),
                             [&](const NormalisedAnswer::Call* other) { return other->input == call.input; });
    if (made == left.end()) made = left.begin();
    call.name = made == left.end() ? kAnyName : (*made)->name;
    if (made != left.end()) left.erase(made);
  }
  wanted.run_each_call();
}

bool alike(const std::vector<NormalisedAnswer::Call>& wanted, const std::vector<NormalisedAnswer::Call>& got,
           bool by_id) {
  return std::equal(wanted.begin(), wanted.end(), got.begin(), got.end(),
                    [&](const NormalisedAnswer::Call& a, const NormalisedAnswer::Call& b) {
                      return a.name == b.name && a.input == b.input &&
                             (!by_id || a.id.is_null() || a.id == b.id);
                    });
}

/// Accepts three orders of calls: as their ids and names became known, as they began, or as they are
/// numbered.
void put_in_order(NormalisedAnswer& wanted, const NormalisedAnswer& got) {
  const auto sorted = [&](std::uint64_t NormalisedAnswer::Call::*number) {
    auto calls = wanted.calls;
    std::stable_sort(calls.begin(), calls.end(),
                     [&](const NormalisedAnswer::Call& a, const NormalisedAnswer::Call& b) {
                       return a.*number < b.*number;
                     });
    return calls;
  };
  const std::array orders = {wanted.calls, sorted(&NormalisedAnswer::Call::begun),
                             sorted(&NormalisedAnswer::Call::rank)};
  for (const bool by_id : {true, false}) {
    for (const auto& calls : orders) {
      if (!alike(calls, got.calls, by_id)) continue;
      wanted.calls = calls;
      return;
    }
  }
}

/// The translator chose the argument name for a custom tool's text. So arguments of another form may stay
/// unchanged.
void keep_wrapped_inputs(const Expected& expected, NormalisedAnswer& wanted, const NormalisedAnswer& got) {
  auto call = wanted.calls.begin();
  for (const Part& part : expected.parts) {
    if (part.kind != PartKind::call || call == wanted.calls.end()) continue;
    const bool as_it_came =
        part.custom && std::any_of(got.calls.begin(), got.calls.end(), [&](const auto& told) {
          return told.custom && told.arguments == part.wrapped;
        });
    if (as_it_came) {
      call->arguments = part.wrapped;
      call->input = part.wrapped;
      wanted.run_each_call();
    }
    ++call;
  }
}

/// A translator that unwraps a custom tool's input may send any prefix of it after a cut.
void shorten_inputs(NormalisedAnswer& wanted, const NormalisedAnswer& got) {
  for (std::size_t i = 0; i < std::min(wanted.calls.size(), got.calls.size()); ++i) {
    NormalisedAnswer::Call& call = wanted.calls[i];
    if (!call.custom || !got.calls[i].custom || !call.arguments.starts_with(got.calls[i].arguments)) continue;
    call.arguments = got.calls[i].arguments;
    call.input = got.calls[i].input;
  }
}

/// Accepts the upstream's total, the sum of its counts, or no total, and the output that the total implies.
/// Accepts any total if the input is unknown, for example if more tokens were cached than counted as input.
void tolerate_total(NormalisedAnswer& wanted, NormalisedAnswer& got) {
  const auto number = [](const json& count) { return count.is_number() ? count.get<std::int64_t>() : 0; };
  const std::int64_t prompt = number(wanted.input) + number(wanted.cached) + number(wanted.written);
  const std::int64_t counted = prompt + number(wanted.output);
  if (got.total == counted || (wanted.total.is_null() && wanted.output.is_number())) wanted.total = counted;
  const bool comparable = wanted.input.is_number() && !wanted.total.is_null() && !got.total.is_null();
  if (wanted.total.is_number() && number(wanted.total) > counted && wanted.output.is_number() &&
      got.output == number(wanted.total) - prompt)
    wanted.output = got.output;
  if (!comparable) wanted.total = got.total = nullptr;
}

/// Accepts tokens of caches as a count of their own or as input. If the upstream counted the input, the
/// client must not get tokens of caches that the upstream did not count. If nobody knows the parts of the
/// input, only a count below 0 or above the sum of all parts is wrong.
void tolerate_input(NormalisedAnswer& wanted, NormalisedAnswer& got) {
  if (wanted.input.is_null() && got.input.is_number() && wanted.most_input.is_number()) {
    const bool sensible = got.input >= 0 && got.input <= wanted.most_input;
    if (!sensible) wanted.input = "at most " + wanted.most_input.dump();
  }
  if (wanted.input.is_null()) got.input = nullptr;
  const bool known = wanted.input.is_number() && got.input.is_number();
  for (const auto part : {&NormalisedAnswer::cached, &NormalisedAnswer::written}) {
    json& asked = wanted.*part;
    json& told = got.*part;
    if (known && told.is_null() && asked.is_number())
      wanted.input = wanted.input.get<std::int64_t>() + asked.get<std::int64_t>();
    if (told.is_null()) asked = nullptr;
    if (asked.is_null() && (!known || told == 0)) told = nullptr;
  }
}

/// Only a relay must report tokens of thinking. If they exceed the output, they count something else.
void tolerate_reasoning(NormalisedAnswer& wanted, NormalisedAnswer& got, bool relayed) {
  const bool counts = wanted.reasoning.is_number() && wanted.output.is_number() &&
                      wanted.reasoning.get<std::int64_t>() <= wanted.output.get<std::int64_t>();
  const bool left_out = got.reasoning.is_null() && !(relayed && wanted.reasoning != 0);
  if (!counts || left_out) wanted.reasoning = got.reasoning = nullptr;
}

/// Accepts any of several valid error classes. If the upstream does not classify the error, any class is
/// valid.
void tolerate_error(NormalisedAnswer& wanted, NormalisedAnswer& got) {
  const ErrorClasses common = wanted.error_classes & got.error_classes;
  const bool compared = wanted.error && got.error && wanted.error_classes.any();
  if (!compared) wanted.error_classes = got.error_classes = {};
  if (compared && common.any()) wanted.error_classes = got.error_classes = common;
}

/// A translator may send sealed data anywhere, or omit it.
void keep_sealed(const Expected& expected, NormalisedAnswer& wanted, const NormalisedAnswer& got) {
  auto next = expected.sealed.begin();
  for (std::size_t i = 0; i < got.others.size(); ++i) {
    const auto found = std::find_if(next, expected.sealed.end(), [&](const std::string& block) {
      return json::parse(block) == got.others[i];
    });
    if (found == expected.sealed.end()) continue;
    next = found + 1;
    wanted.others.push_back(got.others[i]);
    wanted.places.push_back(got.places[i]);
  }
}

/// True if both sides have the same prose of each kind, and calls of the same names and input in the same order.
bool says_the_same(const NormalisedAnswer& a, const NormalisedAnswer& b) {
  using Kind = NormalisedAnswer::Kind;
  const auto same = [&](Kind kind) { return a.prose(kind) == b.prose(kind); };
  return same(Kind::text) && same(Kind::thinking) && same(Kind::refusal) && alike(a.calls, b.calls, false);
}
/// True if the client got content outside the first choice, or an error.
bool tells_something(const NormalisedAnswer& got) { return got.error || !got.items.empty(); }

}  // namespace

void apply_tolerances(const Expected& expected, NormalisedAnswer& wanted, NormalisedAnswer& got) {
  if (expected.failure == Failure::elsewhere) {
    if (tells_something(got)) wanted = got;
    return;
  }
  if ((expected.ambiguous || expected.finish_unknown) && got.error) {
    wanted = got;
    return;
  }
  const bool spliced = expected.shapes.contains("spliced");
  if (expected.with_think_tags) {
    Expected left = expected;
    left.parts = *expected.with_think_tags;
    NormalisedAnswer as_text = side_of(left);
    const auto same = [&](NormalisedAnswer::Kind kind) { return as_text.prose(kind) == got.prose(kind); };
    const bool as_good = spliced
                             ? says_the_same(as_text, got)
                             : same(NormalisedAnswer::Kind::text) && same(NormalisedAnswer::Kind::thinking);
    if (as_good) wanted = std::move(as_text);
    // How the first of two answers ends is open, and so is which of their counts are the client's.
    if (as_good && spliced) {
      wanted.finish = got.finish = nullptr;
      for (const auto count :
           {&NormalisedAnswer::input, &NormalisedAnswer::cached, &NormalisedAnswer::written,
            &NormalisedAnswer::output, &NormalisedAnswer::reasoning, &NormalisedAnswer::total,
            &NormalisedAnswer::most_input})
        wanted.*count = got.*count = nullptr;
    }
  }
  drop_unsettled(expected, wanted, got);
  keep_wrapped_inputs(expected, wanted, got);
  keep_sealed(expected, wanted, got);
  name_nameless(wanted, got);
  put_in_order(wanted, got);
  if (expected.failure || expected.finish == Finish::length) shorten_inputs(wanted, got);
  if (expected.finish_unknown) wanted.finish = got.finish = nullptr;
  if (expected.finish == Finish::length && got.finish == expected.finish_word) got.finish = wanted.finish;
  if (expected.may_be_incomplete && got.finish.is_string() && got.finish != std::string(name(Finish::stop)))
    got.error = true;
}

void apply_tolerances(NormalisedAnswer& wanted, NormalisedAnswer& got, bool relayed) {
  for (std::size_t i = 0; i < std::min(wanted.calls.size(), got.calls.size()); ++i) {
    if (wanted.calls[i].id.is_null()) got.calls[i].id = nullptr;
  }
  if (wanted.error || got.error) {
    for (NormalisedAnswer* side : {&wanted, &got}) {
      side->finish = side->input = side->cached = side->written = nullptr;
      side->output = side->reasoning = side->total = side->most_input = nullptr;
      side->runs.clear();
      side->notes.clear();
    }
  }
  tolerate_error(wanted, got);
  tolerate_total(wanted, got);
  tolerate_reasoning(wanted, got, relayed);
  tolerate_input(wanted, got);
  if (wanted.output.is_null()) got.output = nullptr;
}

}  // namespace splitproof::observe
