// Reports for invented costs: only quadratic growth in one thing is reported.

#include "harness/campaign/growth.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "harness/dialect/registry.hpp"

namespace splitproof::campaign::growth_test {
namespace {

using nlohmann::json;

constexpr const char* kChat = "openai.chat";

bool never() { return false; }

std::string body_of(const testee::Exchange& exchange) {
  std::string body;
  for (const std::string_view chunk : exchange.chunks) body += chunk;
  return body;
}

// Counts the parts of a Chat Completions request or of a stream.
std::map<std::string, std::size_t> counts_of(const testee::Exchange& exchange) {
  const json& request = exchange.recording->requests->at(kChat);
  std::map<std::string, std::size_t> counts;
  const auto size = [](const json& value) { return value.is_array() ? value.size() : 0; };
  counts["tools"] = size(request.value("tools", json()));
  counts["stop sequences"] = size(request.value("stop", json()));
  for (const json& message : request["messages"]) {
    counts["parts of a message"] += size(message.value("content", json()));
    counts["calls in the history"] += message.value("role", "") == "tool" ? 1 : 0;
    counts["messages"] += message.value("role", "") != "tool" && !message.contains("tool_calls") ? 1 : 0;
  }
  if (counts["tools"] > 0) {
    json level = request["tools"][0]["function"]["parameters"];
    for (; level.contains("properties") && level["properties"].contains("a");
         level = level["properties"]["a"])
      ++counts["levels of a schema"];
  }
  const std::string body = body_of(exchange);
  const auto times = [&body](const std::string& what) {
    std::size_t count = 0;
    for (std::size_t at = 0; (at = body.find(what, at)) != body.npos; at += what.size()) ++count;
    return count;
  };
  counts["kilobytes of one line"] = exchange.chunks.size() > 1 ? exchange.chunks.size() : 0;
  counts["calls of a stream"] = times("\"call_");
  counts["blocks of a stream"] = times("reasoning_content") * 2;
  counts["answers side by side in a stream"] =
      times("\"finish_reason\":\"stop\"") > 1 ? times("\"finish_reason\":\"stop\"") : 0;
  if (counts["calls of a stream"] + counts["blocks of a stream"] +
          counts["answers side by side in a stream"] ==
      0)
    counts["events of a stream"] = exchange.chunks.size() > 1 ? 0 : times("data: ");
  return counts;
}

const std::set<std::string>& dimensions() {
  static const std::set<std::string> all = {"tools",
                                            "messages",
                                            "calls in the history",
                                            "parts of a message",
                                            "stop sequences",
                                            "levels of a schema",
                                            "events of a stream",
                                            "kilobytes of one line",
                                            "calls of a stream",
                                            "blocks of a stream",
                                            "answers side by side in a stream"};
  return all;
}

using Law = std::function<double(double count)>;

// Returns a cost with one law for one thing, and small linear costs for all others.
ProbeCost planted(const std::string& of, const Law& law, double base) {
  return [=](const testee::Exchange& exchange) {
    constexpr std::size_t kFew = 200;
    double seconds = base;
    for (const auto& [name, count] : counts_of(exchange)) {
      if (name != of && count > kFew) return Cost{};
      const auto n = static_cast<double>(count);
      seconds += name == of ? law(n) : 2e-4 * n;
    }
    return Cost{seconds};
  };
}

std::set<std::string> square_in(const Growth& growth) {
  std::set<std::string> names;
  for (const SquareCost& cost : growth.square) names.insert(cost.of);
  return names;
}

TEST(Growth, EachProbeHasAsMuchAsItSays) {
  std::map<std::string, std::size_t> most;
  const Growth growth = growth_of(
      kChat, kChat,
      [&](const testee::Exchange& exchange) {
        for (const auto& [name, count] : counts_of(exchange)) most[name] = std::max(most[name], count);
        return Cost{0.0};
      },
      never);
  EXPECT_EQ(growth.tried.size(), dimensions().size());
  for (const auto& [of, count, seconds] : growth.tried) {
    ASSERT_EQ(dimensions().count(of), std::size_t{1}) << of;
    EXPECT_GE(count, std::size_t{512}) << of;
    EXPECT_EQ(seconds, 0);
    EXPECT_NEAR(static_cast<double>(most[of]), static_cast<double>(count), 4) << of;
  }
}

TEST(Growth, SquareGrowthIsReportedUnderItsName) {
  for (const std::string& of : dimensions()) {
    for (const double base : {0.0, 0.05}) {
      const double factor = of == "levels of a schema" ? 2e-5 : 5e-6;
      const Growth growth = growth_of(kChat, kChat,
                                      planted(
                                          of, [=](double n) { return factor * n * n; }, base),
                                      never);
      EXPECT_EQ(square_in(growth), std::set<std::string>{of});
      for (const SquareCost& cost : growth.square) {
        EXPECT_NEAR(cost.exponent(), 2, 0.1) << of;
        EXPECT_EQ(cost.sizes[1], 2 * cost.sizes[0]);
        EXPECT_EQ(cost.sizes[2], 2 * cost.sizes[1]);
        EXPECT_GE(cost.seconds[0], 0.05);
      }
    }
  }
}

TEST(Growth, GrowthBelowSquareIsNotReported) {
  for (const Law& law : std::vector<Law>{
           [](double n) { return 1e-3 * n; }, [](double n) { return 1e-4 * n * std::log2(n + 1); },
           [](double n) { return 1e-4 * std::pow(n, 1.4); }, [](double n) { return n > 100 ? 2.0 : 0.1; },
           [](double n) { return 1e-10 * n * n; }, [](double) { return 0.3; }}) {
    for (const char* of : {"tools", "events of a stream"})
      EXPECT_EQ(square_in(growth_of(kChat, kChat, planted(of, law, 0.01), never)), std::set<std::string>())
          << of;
  }
}

// A busy machine raises some costs.
TEST(Growth, NoiseMakesNoSquareAndHidesNone) {
  std::mt19937 random(7);
  const auto noisy = [&random](const ProbeCost& cost_of, double most) -> ProbeCost {
    return [&random, cost_of, most](const testee::Exchange& exchange) {
      Cost cost = cost_of(exchange);
      *cost.seconds *= std::uniform_real_distribution(1.0, most)(random);
      return cost;
    };
  };
  const ProbeCost linear = planted(
      "tools", [](double n) { return 2e-4 * n; }, 0.002);
  const ProbeCost square = planted(
      "tools", [](double n) { return 5e-6 * n * n; }, 0.002);
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(square_in(growth_of(kChat, kChat, noisy(linear, 2.2), never)), std::set<std::string>());
    EXPECT_EQ(square_in(growth_of(kChat, kChat, noisy(square, 1.5), never)), std::set<std::string>{"tools"});
  }
}

TEST(Growth, RefusalEndsOneThingAndALossEndsAll) {
  const auto refusing = [](bool is_lost) {
    return growth_of(
        kChat, kChat,
        [=](const testee::Exchange& exchange) {
          return counts_of(exchange)["tools"] > 1000 ? Cost{{}, is_lost} : Cost{0.0};
        },
        never);
  };
  const Growth refused = refusing(false);
  EXPECT_EQ(refused.tried.size(), dimensions().size());
  EXPECT_EQ(refused.tried.front(), (GrowthTried{"tools", 512, 0}));
  EXPECT_EQ(refused.ended, "");
  const Growth lost = refusing(true);
  EXPECT_EQ(lost.tried.size(), std::size_t{1});
  EXPECT_EQ(lost.ended, "it crashed or hung when splitproof sent more tools");
}

TEST(Growth, StopEndsIt) {
  std::size_t asked = 0;
  const Growth growth = growth_of(
      kChat, kChat,
      [&](const testee::Exchange&) {
        ++asked;
        return Cost{0.0};
      },
      [&] { return asked >= 5; });
  EXPECT_EQ(asked, std::size_t{5});
  EXPECT_EQ(growth.ended, "the run ended");
}

// All clients and upstreams of the harness have probes, and their large streams are sound.
TEST(Growth, EveryClientAndUpstreamHasProbes) {
  for (const dialect::Dialect& upstream : dialect::all()) {
    for (const dialect::Dialect& client : dialect::all()) {
      if (upstream.upstream == nullptr || client.client == nullptr ||
          upstream.upstream->tiny_answer().empty())
        continue;
      std::size_t answers = 0;
      const Growth growth = growth_of(
          std::string(client.protocol), std::string(upstream.protocol),
          [&](const testee::Exchange& exchange) {
            const std::string body = body_of(exchange);
            const json& request = exchange.recording->requests->at(std::string(client.protocol));
            if (body.size() > 20'000 || request.dump().size() > 20'000) return Cost{};
            const observe::Answer answer = dialect::read(*upstream.upstream, body);
            EXPECT_FALSE(answer.error) << *answer.error << "\n" << body.substr(0, 500);
            EXPECT_TRUE(answer.finish) << body.substr(0, 500);
            ++answers;
            return Cost{0.0};
          },
          never);
      EXPECT_GE(growth.tried.size(), std::size_t{5}) << client.protocol << " " << upstream.protocol;
      EXPECT_GT(answers, std::size_t{10});
    }
  }
}

}  // namespace
}  // namespace splitproof::campaign::growth_test
