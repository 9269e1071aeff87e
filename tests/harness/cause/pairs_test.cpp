// Two faults in one translator are two causes, and a fault that breaks several rules is one. Each is planted around the reference, which then reads the whole corpus.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <ostream>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "bad_streams.hpp"
#include "decorator.hpp"
#include "harness/campaign/campaign.hpp"
#include "harness/cause/cause.hpp"
#include "harness/testee/in_process.hpp"
#include "project.hpp"

namespace splitproof::cause::pairs_test {
namespace {

using testee::Json;
using testee::Send;
using testee::Wrap;

// A fault, and the rules or names of causes that may name its cause.
struct Planted {
  std::string name;
  std::set<std::string> named_by;
};

struct Pair {
  Planted one;
  Planted other;
};

void PrintTo(const Pair& pair, std::ostream* out) { *out << pair.one.name << " and " << pair.other.name; }

// Ends an answer that failed as if it were whole.
Wrap swallows_errors() {
  return testee::edits([](const Json& event, const Send& send) {
    if (testee::type_of(event) != "error") {
      send(event);
      return;
    }
    send(Json{{"type", "message_delta"},
              {"delta", {{"stop_reason", "end_turn"}, {"stop_sequence", nullptr}}},
              {"usage", {{"output_tokens", 1}}}});
    send(Json{{"type", "message_stop"}});
  });
}

// Counts cached tokens twice.
Wrap doubles_cached_tokens() {
  return testee::edits([](Json event, const Send& send) {
    if (event.contains("/usage/cache_read_input_tokens"_json_pointer)) {
      Json& cached = event["usage"]["cache_read_input_tokens"];
      if (cached.is_number_integer()) cached = 2 * cached.get<long>();
    }
    send(event);
  });
}

// Adds an event of the proxy's own type, on which the AI SDK throws. It is only advice by the contracts.
Wrap adds_own_event() {
  return testee::edits([](const Json& event, const Send& send) {
    if (testee::type_of(event) == "message_delta") send(Json{{"type", "tide_turned"}});
    send(event);
  });
}

// Sends neither the end of the last block nor the end of the message.
Wrap ends_early() {
  return testee::edits([held = std::optional<Json>()](const Json& event, const Send& send) mutable {
    if (testee::type_of(event) == "message_delta" || testee::type_of(event) == "message_stop") return;
    if (held) send(*held);
    held.reset();
    if (testee::is_stop(event))
      held = event;
    else
      send(event);
  });
}

// Drops an error and sends nothing after it, so that the answer has no end.
Wrap stops_at_errors() {
  return testee::edits(
      [failed = false, open = std::optional<Json>()](const Json& event, const Send& send) mutable {
        failed = failed || testee::type_of(event) == "error";
        if (failed) return;
        // The reference closes a block before an error.
        if (open) send(*open);
        open.reset();
        if (testee::is_stop(event))
          open = event;
        else
          send(event);
      });
}

// Sends thinking as text.
Wrap sends_thinking_as_text() {
  return testee::edits([](Json event, const Send& send) {
    if (testee::is_delta(event, "signature_delta")) return;
    if (testee::is_start(event, "thinking")) event["content_block"] = {{"type", "text"}, {"text", ""}};
    if (testee::is_delta(event, "thinking_delta"))
      event["delta"] = {{"type", "text_delta"}, {"text", Json(event["delta"]["thinking"])}};
    send(event);
  });
}

Wrap wrap_of(const std::string& name) {
  if (name == "early-end") return ends_early();
  if (name == "stops-at-errors") return stops_at_errors();
  if (name == "thinking-in-text") return sends_thinking_as_text();
  if (name == "own-event") return adds_own_event();
  if (name == "errors-swallowed") return swallows_errors();
  if (name == "cached-doubled") return doubles_cached_tokens();
  const auto& all = testee::bad_streams();
  return std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.name == name; })->wrap;
}

const contract::Clients& clients() {
  static const contract::Clients all =
      contract::Clients::load({std::string(std::getenv("SPLITPROOF_SOURCE_ROOT")) + "/contracts"},
                              project().contracts)
          .value();
  return all;
}

std::string names_of(const std::vector<Cause>& causes) {
  std::string names;
  for (const Cause& cause : causes) {
    names += cause.name();
    for (const auto* rule : cause.below) names += " >" + rule->id;
    for (const auto* rule : cause.perhaps) names += " ?" + rule->id;
    names += "\n";
  }
  return names;
}

std::set<const Cause*> causes_named(const std::vector<Cause>& causes, const Planted& fault) {
  std::set<const Cause*> found;
  for (const Cause& cause : causes)
    if (fault.named_by.contains(cause.rule->id) || fault.named_by.contains(cause.name()))
      found.insert(&cause);
  return found;
}

std::vector<results::RecordingResult> results_with(const Wrap& fault) {
  const testee::InProcess testee("faulty", [&] { return fault(project().reference()); });
  campaign::CampaignSettings settings = project().settings(testee);
  settings.only = "*&gen=[rw]*";
  settings.clients = &clients();
  return run_quietly(settings);
}

class FaultPairs : public testing::TestWithParam<Pair> {};

TEST_P(FaultPairs, AreTwoCauses) {
  const auto& [one, other] = GetParam();
  const Wrap first = wrap_of(one.name);
  const Wrap second = wrap_of(other.name);
  const auto results = results_with([&](auto inner) { return second(first(std::move(inner))); });
  const auto causes = causes_of(results, project().rules, clients(), false);
  SCOPED_TRACE(names_of(causes));
  EXPECT_FALSE(causes_named(causes, one).empty()) << one.name << " is not a cause";
  EXPECT_FALSE(causes_named(causes, other).empty()) << other.name << " is not a cause";
}

// A fault that violates several rules, and those that must not name a cause of their own.
struct Single {
  Planted fault;
  std::set<std::string> parts;
};

void PrintTo(const Single& single, std::ostream* out) { *out << single.fault.name; }

class SingleFaults : public testing::TestWithParam<Single> {};

TEST_P(SingleFaults, AreOneCause) {
  const auto results = results_with(wrap_of(GetParam().fault.name));
  const auto causes = causes_of(results, project().rules, clients(), false);
  SCOPED_TRACE(names_of(causes));
  EXPECT_FALSE(causes_named(causes, GetParam().fault).empty());
  EXPECT_TRUE(causes_named(causes, {"", GetParam().parts}).empty());
}

const Planted kWord{"drop-a-word", {"ANT-20"}};
const Planted kThinking{"thinking-dropped", {"THK-01"}};
const Planted kErrors{"errors-swallowed", {"END-01", "END-05", "END-08"}};
const Planted kCached{"cached-doubled", {"USE-05"}};
const Planted kEndTurn{"end-turn-with-tool", {"STOP-01", "STOP-04", "STOP-02"}};
const Planted kCalls{"merge-calls", {"TOOL-08", "TOOL-10", "TOOL-17", "TOOL-18"}};
const Planted kDone{"done-forwarded", {"SSE-09"}};
const Planted kUsage{"usage-missing", {"USE-01"}};
const Planted kTwice{"run-twice", {"TOOL-23", "TOOL-18"}};
const Planted kChoices{"every-choice", {"ANT-19", "ANT-20:more"}};
const Planted kModel{"ping-first", {"PING-01", "ANT-01"}};
const Planted kOwnEvent{"own-event", {"ANT-30"}};
const Planted kEarlyEnd{"early-end", {"ANT-02"}};
const Planted kMoved{"thinking-in-text", {"THK-01"}};

INSTANTIATE_TEST_SUITE_P(Causes, FaultPairs,
                         testing::Values(Pair{kErrors, kWord}, Pair{kErrors, kDone}, Pair{kErrors, kUsage},
                                         Pair{kErrors, kThinking}, Pair{kErrors, kCached},
                                         Pair{kCached, kUsage}, Pair{kCached, kWord}, Pair{kCached, kDone},
                                         Pair{kWord, kThinking}, Pair{kWord, kCalls}, Pair{kWord, kDone},
                                         Pair{kThinking, kEndTurn}, Pair{kThinking, kTwice},
                                         Pair{kChoices, kWord}, Pair{kCalls, kModel}, Pair{kOwnEvent, kWord},
                                         Pair{kOwnEvent, kErrors}, Pair{kEarlyEnd, kThinking},
                                         Pair{kMoved, kWord}));

const Planted kStops{"stops-at-errors", {"END-01", "END-05"}};

INSTANTIATE_TEST_SUITE_P(Causes, SingleFaults,
                         testing::Values(Single{kEarlyEnd, {"ANT-06", "ANT-04"}},
                                         Single{kStops, {"ANT-06"}}));

}  // namespace
}  // namespace splitproof::cause::pairs_test
