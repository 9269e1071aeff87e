// `make bench`: the cost of `splitproof check` for each byte, compared with a copy of the bytes and with parsing alone:
// finding the lines and parsing their JSON, which any reader has to do.
//
// usage: check_speed CONTRACTS

#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "harness/contract/contracts.hpp"
#include "harness/contract/judge.hpp"
#include "harness/observe/trace.hpp"
#include "tests/bench/streams.hpp"

using namespace splitproof;

namespace {

constexpr int kRounds = 5;
constexpr std::size_t kMegabyte = 1 << 20;

// Returns this thread's processor time in seconds, which depends less on other load than the clock.
double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

// Returns the seconds of the fastest round, which other load disturbed least.
double fastest(const std::function<void()>& work, int rounds = kRounds) {
  double best = 1e9;
  for (int round = 0; round < rounds; ++round) {
    const double begin = processor_seconds();
    work();
    best = std::min(best, processor_seconds() - begin);
  }
  return best;
}

template <class T>
T loaded(Result<T> result) {
  if (result) return std::move(*result);
  std::cerr << describe(result.error()) << "\n";
  std::exit(2);
}

void parse_alone(std::string_view body) {
  constexpr std::string_view kData = "data: ";
  while (!body.empty()) {
    const std::size_t length = std::min(body.find('\n'), body.size() - 1);
    std::string_view line = body.substr(0, length);
    body.remove_prefix(length + 1);
    if (!line.starts_with(kData)) continue;
    line.remove_prefix(kData.size());
    if (line != "[DONE]") benchmark::DoNotOptimize(nlohmann::json::parse(line, nullptr, false));
  }
}

struct Checker {
  contract::Contracts contracts;
  contract::Profile profile;

  // Checks as `check` does without `--as`. Returns the number of judged rules; none may be violated.
  std::size_t check(const std::string& protocol, const std::string& body) const {
    const observe::Trace trace = observe::read_trace(body, contracts.data_kind({}));
    const auto recognised = contracts.recognise(trace);
    std::size_t met = 0;
    for (const contract::Judged& judged :
         contract::judge(contracts, recognised.value_or(""), profile, trace, {})) {
      met += judged.verdict == contract::Verdict::met;
      if (judged.verdict != contract::Verdict::violated && recognised == protocol) continue;
      std::cerr << fmt::format("a stream of {} is to conform: {}\n", protocol, judged.message);
      std::exit(2);
    }
    return met;
  }
};

void speed(const Checker& checker, std::size_t size) {
  fmt::print("{:<20} {:<20} {:>9} {:>11} {:>14} {:>10} {:>10}\n", "", "mostly", "MB/s", "parse MB/s",
             "x parse alone", "x memcpy", "judge/read");
  for (const std::string& protocol : bench::kProtocols) {
    for (const bench::Kind kind : bench::kKinds) {
      const std::string body = bench::stream_of(protocol, kind, size);
      std::string copy(body.size(), '\0');
      const double floor = fastest([&] {
        std::memcpy(copy.data(), body.data(), body.size());
        benchmark::DoNotOptimize(copy.data());
      });
      const double parse = fastest([&] { parse_alone(body); });
      const observe::DataKind kind_of_data = checker.contracts.data_kind({});
      const double read = fastest([&] { benchmark::DoNotOptimize(observe::read_trace(body, kind_of_data)); });
      const double check = fastest([&] { benchmark::DoNotOptimize(checker.check(protocol, body)); });
      const double megabytes = static_cast<double>(body.size()) / static_cast<double>(kMegabyte);
      fmt::print("{:<20} {:<20} {:>9.1f} {:>11.1f} {:>14.2f} {:>10.0f} {:>10.2f}\n", protocol,
                 bench::name(kind), megabytes / check, megabytes / parse, check / parse, check / floor,
                 (check - read) / read);
    }
  }
}

void linearity(const Checker& checker) {
  const auto per_byte = [&checker](const std::string& protocol, bench::Kind kind, std::size_t size) {
    const std::string body = bench::stream_of(protocol, kind, size);
    return fastest([&] { benchmark::DoNotOptimize(checker.check(protocol, body)); }, 3) /
           static_cast<double>(body.size());
  };
  fmt::print("\n{:<20} {:<20} {:>14} {:>14} {:>8}\n", "", "mostly", "ns/byte, 1 MB", "ns/byte, 10 MB",
             "times");
  for (const std::string& protocol : bench::kProtocols) {
    for (const bench::Kind kind : bench::kKinds) {
      const double one = per_byte(protocol, kind, kMegabyte);
      const double ten = per_byte(protocol, kind, 10 * kMegabyte);
      fmt::print("{:<20} {:<20} {:>14.1f} {:>14.1f} {:>8.2f}\n", protocol, bench::name(kind), one * 1e9,
                 ten * 1e9, ten / one);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: check_speed CONTRACTS\n";
    return 2;
  }
  const Checker checker{loaded(contract::Contracts::load({argv[1]})),
                        loaded(contract::load_profile("default", {argv[1]}))};
  speed(checker, 4 * kMegabyte);
  linearity(checker);
}
