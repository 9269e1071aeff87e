// The harness and the reference each read contracts/vocabulary/usage.yaml and usage objects by themselves. Here both
// read random answers of every common dialect, whose usage has the members of the file.

#include "harness/dialect/usage_counts.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <nlohmann/json.hpp>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "harness/dialect/registry.hpp"
#include "harness/observe/choices.hpp"
#include "proxy/dialect/table.hpp"

namespace splitproof::usage_counts_test {
namespace {

using nlohmann::json;
using Frames = std::vector<std::pair<std::string, std::string>>;  // names and data
using Count = std::optional<std::uint64_t>;

struct Counts {
  Count prompt, cached, written, completion, reasoning;

  bool operator==(const Counts&) const = default;
};

std::string text(const Counts& counts) {
  std::string text;
  for (const Count& count :
       {counts.prompt, counts.cached, counts.written, counts.completion, counts.reasoning})
    text += (count ? std::to_string(*count) : "-") + " ";
  return text;
}

class UsageMaker {
 public:
  explicit UsageMaker(std::uint64_t seed) : random_(seed) {}

  std::size_t below(std::size_t limit) { return random_() % limit; }

  /// Returns a usage object with some of the file's members for a dialect. Some totals are sums.
  json usage(std::string_view protocol) {
    json usage = json::object();
    std::uint64_t sum = 0;
    for (const dialect::UsageMember& member : dialect::usage_members()) {
      if (member.dialect != protocol || below(3) == 0) continue;
      json value = below(4) == 0 ? 0 : below(2000);
      if (below(12) == 0) value = 4398046511104U + below(9);
      using dialect::Counted;
      const bool in_total = member.counts == Counted::prompt || member.counts == Counted::completion ||
                            (member.counts == Counted::reasoning && below(2) == 0);
      if (in_total) sum += value.get<std::uint64_t>();
      if (member.counts == Counted::total && below(4) != 0) value = sum;
      if (below(15) == 0) value = nullptr;
      if (below(15) == 0) value = "12";
      if (below(25) == 0) value = -4;
      usage[json::json_pointer(std::string(member.pointer))] = value;
    }
    return usage;
  }

 private:
  std::mt19937_64 random_;
};

Frames chat(UsageMaker& make) {
  const auto chunk = [](json choice) {
    return json{
        {"id", "c1"}, {"object", "chat.completion.chunk"}, {"model", "m"}, {"choices", {std::move(choice)}}};
  };
  Frames frames = {{"", chunk({{"index", 0}, {"delta", {{"content", "Ebb"}}}}).dump()},
                   {"", chunk({{"index", 0}, {"delta", json::object()}, {"finish_reason", "stop"}}).dump()}};
  for (std::size_t more = make.below(3); more <= 2; ++more) {
    json last = chunk({{"index", 0}, {"delta", json::object()}});
    const json usage = make.usage("openai.chat");
    const std::size_t place = make.below(3);
    if (place == 0) last["x_groq"] = {{"usage", usage}};
    if (place == 1) last["choices"][0]["usage"] = usage;
    if (place == 2) last["choices"] = json::array();
    if (place == 2) last["usage"] = usage;
    frames.emplace_back("", last.dump());
  }
  frames.emplace_back("", "[DONE]");
  return frames;
}

Frames messages(UsageMaker& make) {
  Frames frames;
  const auto add = [&](const char* type, json event) {
    event["type"] = type;
    frames.emplace_back(type, event.dump());
  };
  add("message_start",
      {{"message", {{"id", "m1"}, {"model", "m"}, {"usage", make.usage("anthropic.messages")}}}});
  add("content_block_start", {{"index", 0}, {"content_block", {{"type", "text"}, {"text", ""}}}});
  add("content_block_delta", {{"index", 0}, {"delta", {{"type", "text_delta"}, {"text", "Ebb"}}}});
  add("content_block_stop", {{"index", 0}});
  add("message_delta",
      {{"delta", {{"stop_reason", "end_turn"}}}, {"usage", make.usage("anthropic.messages")}});
  add("message_stop", json::object());
  return frames;
}

Frames responses(UsageMaker& make) {
  const auto frame = [](const char* type, json response) {
    response.update({{"id", "r1"}, {"object", "response"}, {"model", "m"}, {"output", json::array()}});
    return std::pair<std::string, std::string>(type, json{{"type", type}, {"response", response}}.dump());
  };
  return {frame("response.created", {{"status", "in_progress"}, {"usage", make.usage("openai.responses")}}),
          frame("response.completed", {{"status", "completed"}, {"usage", make.usage("openai.responses")}})};
}

Frames ollama(UsageMaker& make) {
  json end = make.usage("ollama.chat");
  end.update({{"model", "m"}, {"message", {{"role", "assistant"}, {"content", ""}}}, {"done", true}});
  end["done_reason"] = "stop";
  return {{"", json{{"model", "m"}, {"message", {{"role", "assistant"}, {"content", "Ebb"}}}, {"done", false}}
                   .dump()},
          {"", end.dump()}};
}

Counts read_by_harness(std::string_view protocol, const Frames& frames) {
  const auto reader = dialect::upstream_of(protocol)->reader(observe::Choices{});
  for (const auto& [name, data] : frames) {
    observe::SseEvent event;
    if (!name.empty()) event.event = name;
    event.data = data;
    event.terminated = true;
    reader->take(event);
  }
  const observe::Tokens usage = reader->finished().usage;
  return {usage.prompt, usage.cached, usage.written, usage.completion, usage.reasoning};
}

Counts read_by_reference(std::string_view protocol, const Frames& frames) {
  const Limits limits;
  auto reader = proxy::dialect::find_upstream(protocol)->reader({}, limits);
  std::vector<turn::Event> events;
  for (const auto& [name, data] : frames) {
    wire::Frame frame;
    frame.event = name;
    frame.data = data;
    std::visit([&](auto& one) { one.read(frame, events); }, reader);
  }
  Counts counts;
  for (const auto& event : events) {
    if (const auto* usage = std::get_if<turn::Usage>(&event))
      counts = {usage->prompt, usage->cached, usage->written, usage->completion, usage->reasoning};
  }
  return counts;
}

TEST(UsageCounts, AreReadAlikeByHarnessAndReference) {
  const std::uint64_t seed = 20261127;
  UsageMaker make(seed);
  constexpr std::size_t kAnswers = 4000;
  const std::vector<std::pair<std::string_view, Frames (*)(UsageMaker&)>> dialects = {
      {"openai.chat", chat},
      {"anthropic.messages", messages},
      {"openai.responses", responses},
      {"ollama.chat", ollama}};
  for (const auto& [protocol, frames_of] : dialects) {
    std::size_t counted = 0;
    std::size_t beside = 0;
    for (std::size_t i = 0; i < kAnswers; ++i) {
      const Frames frames = frames_of(make);
      const Counts wanted = read_by_harness(protocol, frames);
      const Counts got = read_by_reference(protocol, frames);
      counted += wanted.prompt && wanted.completion ? 1 : 0;
      beside += wanted.completion && wanted.reasoning && *wanted.completion > *wanted.reasoning ? 1 : 0;
      ASSERT_EQ(text(wanted), text(got))
          << protocol << ", answer " << i << ": " << frames.back().second << "\n"
          << frames[frames.size() - 2].second;
    }
    EXPECT_GT(counted, kAnswers / 10) << protocol;
    std::printf("seed %llu, %s: %zu answers, %zu with both sums, %zu with reasoning within\n",
                static_cast<unsigned long long>(seed), std::string(protocol).c_str(), kAnswers, counted,
                beside);
  }
}

}  // namespace
}  // namespace splitproof::usage_counts_test
