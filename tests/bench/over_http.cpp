// `make bench`: cases for each second through a program behind HTTP, with one read of the proxy for every write of the
// upstream. The reference is the same client with the stand-in upstream.
//
// usage: over_http CORPUS TARGETS CONTRACTS

#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "harness/campaign/upstream.hpp"
#include "harness/contract/profile.hpp"
#include "harness/recording/corpus.hpp"
#include "harness/split/plan.hpp"
#include "harness/testee/http_client.hpp"
#include "harness/testee/http_testee.hpp"
#include "harness/testee/readiness.hpp"
#include "harness/testee/stand_in.hpp"
#include "harness/testee/target_file.hpp"
#include "harness/testee/target_knobs.hpp"
#include "tests/planned.hpp"

using namespace splitproof;

namespace {

constexpr std::size_t kMostCuts = 8;

struct Case {
  const recording::Recording* recording;
  results::Upstream upstream;
};

// Returns the plan's seam and random splits of at most eight cuts, for answers without a stall.
std::vector<Case> cases_of(const std::vector<recording::Recording>& recordings) {
  std::vector<Case> cases;
  for (const recording::Recording& recording : recordings) {
    if (recording.end == recording::End::stall) continue;
    for (const split::Split& split : split::planned(campaign::subject_of(recording), {8, false, 1})) {
      const bool asked =
          split.label.find("seam") != std::string::npos || split.label.find("random") != std::string::npos;
      if (asked && split.cuts.size() <= kMostCuts)
        cases.push_back({&recording, {recording.body, split.cuts, recording.end}});
    }
  }
  return cases;
}

// Returns cases per second with this many concurrent ones.
double rate(const std::vector<Case>& cases, unsigned at_once, const std::function<void(const Case&)>& run) {
  std::atomic<std::size_t> next = 0;
  const auto begin = std::chrono::steady_clock::now();
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < at_once; ++i) {
    threads.emplace_back([&] {
      for (std::size_t i = next++; i < cases.size(); i = next++) run(cases[i]);
    });
  }
  for (std::thread& thread : threads) thread.join();
  return static_cast<double>(cases.size()) /
         std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

template <class T>
T or_exit(Result<T> result) {
  if (result) return std::move(*result);
  std::cerr << describe(result.error()) << "\n";
  std::exit(EXIT_FAILURE);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::cerr << "usage: over_http CORPUS TARGETS CONTRACTS\n";
    return 2;
  }
  const auto supervisor = or_exit(testee::Supervisor::start());
  const recording::Corpus corpus = recording::load_corpus({argv[1]});
  const contract::Profile profile = or_exit(contract::load_profile("default", {argv[3]}));
  const std::vector<Case> cases = cases_of(corpus.recordings);
  const testee::StopToken stop;

  fmt::print("{} cases of at most {} cuts, cases a second with 1 and 8 at once:\n", cases.size(), kMostCuts);
  {
    auto stand_in = or_exit(testee::StandIn::start({}));
    const testee::HttpAddress address = or_exit(testee::http_address(stand_in->base_url()));
    std::atomic<std::size_t> token = 0;
    const auto direct = [&](const Case& one) {
      const std::string name = fmt::format("/case-{:08}", token++);
      const auto answer = stand_in->prepare(
          name, testee::response_of(*one.recording, campaign::exchange_of(one.upstream, *one.recording)));
      testee::post(address, {name, {}, "{}"}, {}, {}, stop);
      stand_in->withdraw(answer);
    };
    fmt::print("  {:<16} {:>8.0f} {:>8.0f}\n", "no proxy", rate(cases, 1, direct), rate(cases, 8, direct));
  }
  for (const std::string name : {"reference-http", "nginx"}) {
    testee::TargetFile file = or_exit(testee::load_target_file(std::string(argv[2]) + "/" + name + ".yaml"));
    testee::HttpTestee target(or_exit(testee::with_knobs(std::move(file), profile.knobs)), *supervisor, stop);
    if (const Result<void> started = target.start(); !started) {
      fmt::print("  {:<16} {}\n", name, describe(started.error()));
      continue;
    }
    std::atomic<std::size_t> inexact = 0;
    const auto through = [&](const Case& one) {
      const testee::Observation seen = target.observe(campaign::exchange_of(one.upstream, *one.recording));
      for (const testee::UpstreamCall& call : seen.calls) inexact += call.exact ? 0 : 1;
    };
    const double alone = rate(cases, 1, through);
    fmt::print("  {:<16} {:>8.0f} {:>8.0f}   boundaries unproven in {} cases\n", name, alone,
               rate(cases, 8, through), inexact.load());
  }
}
