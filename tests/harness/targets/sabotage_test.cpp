// Translators and relays of every direction with one fault each. Each is found under the id next to it. The reference
// translates, or nothing does, and the downstream events are spoilt one at a time.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "harness/campaign/campaign.hpp"
#include "harness/campaign/recorded.hpp"
#include "harness/contract/contracts.hpp"
#include "harness/contract/profile.hpp"
#include "harness/recording/recording.hpp"
#include "harness/testee/in_process.hpp"

namespace splitproof::campaign::sabotage_test {

using results::RecordingResult;
using results::Row;
namespace {

namespace fs = std::filesystem;
using json = nlohmann::ordered_json;

constexpr const char* kDone = "[DONE]";

fs::path source_root() {
  const char* root = std::getenv("SPLITPROOF_SOURCE_ROOT");
  return root == nullptr ? fs::current_path() : fs::path(root);
}

/// The result of an edit for one event; `null` is [DONE]. `before` counts the earlier events.
struct Events {
  std::vector<json> out;
  std::size_t before = 0;
  json& kept;  ///< State of an edit.
};
using Edit = std::function<void(json event, Events& events)>;

/// Relays its input.
class Passed final : public testee::TranslatorStream {
 public:
  void feed(std::string_view chunk, std::string& out) override { out += chunk; }
  void finish(recording::End, std::string&) override {}
};

/// Spoils another stream's output, an event as soon as it is complete.
class Spoilt final : public testee::TranslatorStream {
 public:
  Spoilt(std::unique_ptr<testee::TranslatorStream> whole, Edit edit, bool holds)
      : whole_(std::move(whole)), edit_(std::move(edit)), holds_(holds) {}

  void asked(const std::string& request) override { whole_->asked(request); }
  void feed(std::string_view chunk, std::string& out) override {
    whole_->feed(chunk, said_);
    if (!holds_) pass(out);
  }
  void finish(recording::End end, std::string& out) override {
    whole_->finish(end, said_);
    pass(out);
    out += said_;
  }

 private:
  void pass(std::string& out) {
    for (std::size_t end = said_.find("\n\n"); end != said_.npos; end = said_.find("\n\n")) {
      const std::string event = said_.substr(0, end + 2);
      said_.erase(0, end + 2);
      const std::size_t data = event.find("data: ");
      const std::string text =
          data == event.npos ? "" : event.substr(data + 6, event.find('\n', data) - data - 6);
      if (text != kDone && !json::accept(text)) {
        out += event;
        continue;
      }
      Events events{{}, before_++, kept_};
      const json before = text == kDone ? json() : json::parse(text);
      edit_(before, events);
      for (const json& one : events.out) {
        if (one == before) {
          out += event;
        } else {
          if (event.starts_with("event: ")) out += "event: " + one.value("type", "") + "\n";
          out += "data: " + (one.is_null() ? kDone : one.dump()) + "\n\n";
        }
      }
    }
  }

  std::unique_ptr<testee::TranslatorStream> whole_;
  Edit edit_;
  bool holds_;
  std::string said_;
  json kept_;
  std::size_t before_ = 0;
};

void as_it_came(json event, Events& events) { events.out.push_back(std::move(event)); }

/// Returns an edit that changes an event, and drops it if the change made it null.
template <class Change>
Edit changed(Change change) {
  return [change](json event, Events& events) {
    const bool is_mark = event.is_null();
    change(event, events);
    if (is_mark || !event.is_null()) events.out.push_back(std::move(event));
  };
}

json* find(json& event, const std::string& pointer) {
  const json::json_pointer at(pointer);
  return event.contains(at) ? &event[at] : nullptr;
}

/// Replaces the text at a pointer.
Edit another(const std::string& pointer, const json& value) {
  return changed([=](json& event, Events&) {
    if (json* found = find(event, pointer); found != nullptr && !found->is_null()) *found = value;
  });
}

/// Drops the first event with another value than null or "" at a pointer.
Edit without_first(const std::string& pointer) {
  return changed([=](json& event, Events& events) {
    const json* found = find(event, pointer);
    if (found == nullptr || found->is_null() || *found == "" || events.kept == true) return;
    events.kept = true;
    event = json();
  });
}

/// Drops every event with this value at a pointer.
Edit without(const std::string& pointer, const json& value) {
  return changed([=](json& event, Events&) {
    if (const json* found = find(event, pointer); found != nullptr && *found == value) event = json();
  });
}

/// Repeats an event with this value at a pointer.
Edit twice(const std::string& pointer, const json& value) {
  return [=](json event, Events& events) {
    const json* found = find(event, pointer);
    if (found != nullptr && *found == value) events.out.push_back(event);
    events.out.push_back(std::move(event));
  };
}

struct Sabotage {
  const char* upstream;
  const char* client;
  const char* recording;
  const char* wrong;
  Edit edit;
  const char* id;
};

constexpr const char* kAnthropic = "anthropic.messages";
constexpr const char* kChat = "openai.chat";
constexpr const char* kResponses = "openai.responses";
constexpr const char* kHolds = "holds_everything";

// Chat

void error_as_end(json& event, Events&) {
  if (find(event, "/error") == nullptr) return;
  event = {{"id", "c"},
           {"object", "chat.completion.chunk"},
           {"created", 1},
           {"model", "m"},
           {"choices", json::array({{{"index", 0}, {"delta", json::object()}, {"finish_reason", "stop"}}})}};
}

void fail_at_the_end(json& event, Events&) {
  const json* finish = find(event, "/choices/0/finish_reason");
  if (finish != nullptr && !finish->is_null())
    event = {{"error", {{"message", "no"}, {"type", "server_error"}}}};
}

void thinking_as_text(json& event, Events&) {
  json* delta = find(event, "/choices/0/delta");
  if (delta == nullptr || !delta->contains("reasoning_content")) return;
  (*delta)["content"] = (*delta)["reasoning_content"];
  delta->erase("reasoning_content");
}

void gap_in_calls(json& event, Events&) {
  if (json* index = find(event, "/choices/0/delta/tool_calls/0/index"))
    *index = index->get<int>() > 0 ? index->get<int>() + 1 : 0;
}

void zero_counts(json& event, Events& events) {
  if (event.is_null())
    events.out.push_back({{"id", "c"},
                          {"object", "chat.completion.chunk"},
                          {"created", 1},
                          {"model", "m"},
                          {"choices", json::array()},
                          {"usage", {{"prompt_tokens", 0}, {"completion_tokens", 0}, {"total_tokens", 0}}}});
}

void foreign_event(json& event, Events& events) {
  if (events.before == 1) event = {{"type", "content_block_start"}, {"index", 0}};
}

std::vector<Sabotage> of_chat() {
  const std::string call = "/choices/0/delta/tool_calls/0";
  std::vector<Sabotage> all;
  for (const char* upstream : {kAnthropic, kResponses, kChat}) {
    const bool relays = upstream == kChat;
    const auto add = [&](const char* recording, const char* wrong, Edit edit, const char* id) {
      all.push_back({upstream, kChat, recording, wrong, std::move(edit), id});
    };
    add("text-plain", kHolds, as_it_came, "SSE-15");
    add("text-plain", "loses_a_piece", without_first("/choices/0/delta/content"), "CHT-14");
    add("thinking", "thinking_as_text", changed(thinking_as_text), "CHT-14");
    add("tool-plain", "loses_arguments", without_first(call + "/function/arguments"), "CHT-15");
    add("tool-plain", "renames_the_tool", another(call + "/function/name", "other"), "CHT-15");
    add("tool-plain", "empties_the_id", another(call + "/id", ""), "CHT-03");
    add("tool-parallel", "leaves_a_gap", changed(gap_in_calls), "CHT-04");
    add("tool-plain", "calls_end_as_stop", another("/choices/0/finish_reason", "stop"), "CHT-16");
    add("cut-short", "hides_the_limit", another("/choices/0/finish_reason", "stop"), "CHT-16");
    add("text-plain", "counts_otherwise", another("/usage/prompt_tokens", 1), "CHT-17");
    add(
        "text-plain", "never_says_done",
        [](json event, Events& events) {
          if (!event.is_null()) events.out.push_back(std::move(event));
        },
        "SSE-08");
    add("error", "error_as_end", changed(error_as_end), "END-05");
    add("text-plain", "fails_at_the_end", changed(fail_at_the_end), "CHT-28");
    add("text-plain", "foreign_event", changed(foreign_event), "CHT-18");
    if (!relays) add("usage-never", "counts_zero", changed(zero_counts), "CHT-29");
  }
  return all;
}

// Responses

void custom_as_function(json& event, Events&) {
  json* type = find(event, "/item/type");
  if (type == nullptr || *type != "function_call") return;
  *type = "custom_tool_call";
  event["item"]["input"] = event["item"]["arguments"];
  event["item"].erase("arguments");
}

void failed_as_completed(json& event, Events&) {
  if (event.value("type", "") != "response.failed") return;
  event["type"] = "response.completed";
  event["response"]["status"] = "completed";
  event["response"]["error"] = nullptr;
}

void completed_as_failed(json& event, Events&) {
  if (event.value("type", "") != "response.completed") return;
  event["type"] = "response.failed";
  event["response"]["status"] = "failed";
  event["response"]["error"] = {{"code", "server_error"}, {"message", "no"}};
}

void shift_items(json& event, Events&) {
  if (json* index = find(event, "/output_index")) *index = index->get<int>() * 2;
}

void incomplete_as_completed(json& event, Events&) {
  if (event.value("type", "") != "response.incomplete") return;
  event["type"] = "response.completed";
  event["response"]["status"] = "completed";
  event["response"]["incomplete_details"] = nullptr;
}

void lose_item_member(json& event, const char* member) {
  for (const char* at : {"/item", "/part"}) {
    json* item = find(event, at);
    if (item == nullptr) continue;
    item->erase(member);
    if (json* content = find(*item, "/content"))
      for (json& part : *content) part.erase(member);
  }
  json* output = find(event, "/response/output");
  if (output == nullptr) return;
  for (json& item : *output) {
    item.erase(member);
    if (json* content = find(item, "/content"))
      for (json& part : *content) part.erase(member);
  }
}

Edit empty_lists(const char* member) {
  return changed([member](json& event, Events&) {
    if (event.value("type", "") == "response.output_text.annotation.added") {
      event = json();
      return;
    }
    for (const char* at : {"/item/content", "/response/output/0/content"}) {
      json* content = find(event, at);
      if (content == nullptr) continue;
      for (json& part : *content)
        if (part.contains(member)) part[member] = json::array();
    }
    if (json* part = find(event, "/part"); part != nullptr && part->contains(member))
      (*part)[member] = json::array();
  });
}

std::vector<Sabotage> of_responses() {
  std::vector<Sabotage> all;
  for (const char* upstream : {kAnthropic, kChat, kResponses}) {
    const bool relays = upstream == kResponses;
    const auto add = [&](const char* recording, const char* wrong, Edit edit, const char* id) {
      all.push_back({upstream, kResponses, recording, wrong, std::move(edit), id});
    };
    const auto type = [](const char* name) { return std::string("response.") + name; };
    add("text-plain", kHolds, as_it_came, "SSE-15");
    add("text-plain", "loses_a_piece", without_first("/delta"), "RSP-06");
    add("tool-plain", "empties_call_id", another("/item/call_id", ""), "RSP-13");
    add("tool-plain", "renames_the_tool", another("/item/name", "other"), "RSP-35");
    add("tool-plain", "arguments_only_in_done", without("/type", type("function_call_arguments.delta")),
        "RSP-07");
    add("tool-plain", "function_as_custom", changed(custom_as_function), "RSP-14");
    add("tool-parallel", "leaves_a_gap", changed(shift_items), "RSP-05");
    add("text-plain", "completes_twice", twice("/type", type("completed")), "RSP-01");
    add("text-plain", "never_completes", without("/type", type("completed")), "RSP-01");
    add("tool-plain", "item_never_done", without("/type", type("output_item.done")), "RSP-04");
    add("tool-plain", "item_done_twice", twice("/type", type("output_item.done")), "RSP-38");
    add("error", "failed_as_completed", changed(failed_as_completed), "RSP-11");
    add("text-plain", "completed_as_failed", changed(completed_as_failed), "RSP-40");
    add("cut-short", "hides_the_limit", changed(incomplete_as_completed), "RSP-39");
    add("text-plain", "counts_otherwise", another("/response/usage/input_tokens", 1), "RSP-41");
    if (!relays) continue;
    add("text-url-citations", "loses_annotations", empty_lists("annotations"), "SSE-12");
    add("reasoning-encrypted", "loses_encrypted_content",
        changed([](json& event, Events&) { lose_item_member(event, "encrypted_content"); }), "SSE-12");
  }
  return all;
}

// Anthropic

void error_event_as_end(json& event, Events& events) {
  if (event.value("type", "") != "error") return;
  events.out.push_back({{"type", "message_delta"},
                        {"delta", {{"stop_reason", "end_turn"}, {"stop_sequence", nullptr}}},
                        {"usage", {{"output_tokens", 2}}}});
  event = {{"type", "message_stop"}};
}

void stop_as_error(json& event, Events&) {
  if (event.value("type", "") == "message_stop")
    event = {{"type", "error"}, {"error", {{"type", "api_error"}, {"message", "no"}}}};
}

void thinking_block_as_text(json& event, Events&) {
  if (json* block = find(event, "/content_block"); block != nullptr && block->value("type", "") == "thinking")
    *block = {{"type", "text"}, {"text", ""}};
  json* delta = find(event, "/delta");
  if (delta == nullptr) return;
  if (delta->value("type", "") == "thinking_delta")
    *delta = {{"type", "text_delta"}, {"text", (*delta)["thinking"]}};
}

void shift_blocks(json& event, Events&) {
  if (json* index = find(event, "/index")) *index = index->get<int>() * 2;
}

std::vector<Sabotage> of_anthropic() {
  std::vector<Sabotage> all;
  for (const char* upstream : {kResponses, kChat}) {
    const auto add = [&](const char* recording, const char* wrong, Edit edit, const char* id) {
      all.push_back({upstream, kAnthropic, recording, wrong, std::move(edit), id});
    };
    add("text-plain", kHolds, as_it_came, "SSE-15");
    add("text-plain", "loses_a_piece", without_first("/delta/text"), "ANT-20");
    add("thinking", "thinking_as_text", changed(thinking_block_as_text), "THK-01");
    add("tool-plain", "loses_arguments", without_first("/delta/partial_json"), "TOOL-08");
    add("tool-plain", "renames_the_tool", another("/content_block/name", "other"), "TOOL-18");
    add("tool-plain", "makes_up_ids", another("/content_block/id", "toolu_made_up"), "TOOL-03");
    add("tool-parallel", "leaves_a_gap", changed(shift_blocks), "ANT-09");
    add("text-plain", "stops_twice", twice("/type", "message_stop"), "ANT-02");
    add("text-plain", "never_stops", without("/type", "message_stop"), "ANT-02");
    add("text-plain", "block_never_stops", without("/type", "content_block_stop"), "ANT-06");
    add("cut-short", "hides_the_limit", another("/delta/stop_reason", "end_turn"), "STOP-02");
    add("error", "error_as_end", changed(error_event_as_end), "END-05");
    add("text-plain", "fails_at_the_end", changed(stop_as_error), "END-13");
    add("text-plain", "counts_otherwise", another("/usage/output_tokens", 77), "UPS-05");
  }
  return all;
}

std::vector<Sabotage> everything() {
  std::vector<Sabotage> all = of_chat();
  for (const auto& more : {of_responses(), of_anthropic()}) all.insert(all.end(), more.begin(), more.end());
  return all;
}

/// Returns the recording of a protocol for a topic: each protocol has its own names.
std::string recording_of(const std::string& upstream, const std::string& what) {
  if (what == "thinking") return upstream == kResponses ? "reasoning-summary" : "thinking-then-text";
  if (what == "cut-short")
    return upstream == kResponses   ? "incomplete-max-output-tokens"
           : upstream == kAnthropic ? "finish-max-tokens"
                                    : "finish-length";
  if (what == "error") return upstream == kResponses ? "failed-after-text" : "error-after-text";
  return what;
}

class Spoiler {
 public:
  std::set<std::string> found(const std::string& upstream, const std::string& client, const fs::path& path,
                              const Edit& edit, bool holds, const Trials& trials) const {
    const auto open = upstream == client ? testee::StreamFactory([] { return std::make_unique<Passed>(); })
                                         : testee::reference_streams(profile_, upstream, client).value();
    const testee::InProcess testee(
        "spoilt", [&] { return std::make_unique<Spoilt>(open(), edit, holds); }, upstream, client);
    recording::Recording recording = recording::load(path.string()).value();
    recording.id = upstream + "/" + recording.id;
    CampaignSettings settings;
    settings.testees = {&testee};
    settings.recordings = {&recording};
    settings.contracts = &contracts_;
    settings.profile = profile_;
    settings.trials = trials;
    const auto results = campaign::run(
                             settings, [](const CampaignProgress&) {}, [] { return false; })
                             .recordings;
    const results::Rules rules = rules_of(contracts_);
    std::set<std::string> ids;
    for (const RecordingResult& result : results) {
      for (const Row& row : result.rows) {
        const bool must = rules.at(row.rule).level == contract::Level::must;
        if (must && row.verdict == contract::Verdict::violated) ids.insert(row.rule);
      }
    }
    return ids;
  }

 private:
  contract::Contracts contracts_ = contract::Contracts::load({source_root() / "contracts"}).value();
  contract::Profile profile_ = contract::load_profile("default", {source_root() / "contracts"}).value();
};

TEST(Sabotage, IsFoundEachUnderItsRule) {
  const Spoiler spoiler;
  for (const Sabotage& one : everything()) {
    const fs::path path =
        source_root() / "corpus" / one.upstream / (recording_of(one.upstream, one.recording) + ".rec.jsonl");
    const auto ids = spoiler.found(one.upstream, one.client, path, one.edit, one.wrong == kHolds,
                                   {{1, false, 1}, 0, false});
    EXPECT_TRUE(ids.contains(one.id)) << one.upstream << " to " << one.client << ", " << one.wrong << ": "
                                      << testing::PrintToString(ids) << ", not " << one.id;
  }
}

// Without faults: a stream in this process cannot break off like its upstream.
TEST(Sabotage, RelayThatChangesNothingHasNoFindings) {
  const Spoiler spoiler;
  for (const Sabotage& one : everything()) {
    if (one.wrong != std::string(kHolds) || one.upstream != one.client) continue;
    for (const char* what : {"text-plain", "thinking", "tool-parallel", "error", "usage-cached"}) {
      const fs::path path =
          source_root() / "corpus" / one.upstream / (recording_of(one.upstream, what) + ".rec.jsonl");
      if (!fs::exists(path)) continue;
      const auto ids =
          spoiler.found(one.upstream, one.client, path, as_it_came, false, {{2, false, 1}, 8, false});
      EXPECT_EQ(ids, std::set<std::string>()) << one.upstream << " to " << one.client << ", " << what;
    }
  }
}

}  // namespace
}  // namespace splitproof::campaign::sabotage_test
