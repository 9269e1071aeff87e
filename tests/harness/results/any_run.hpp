#pragma once

#include <cstdint>
#include <random>
#include <set>
#include <string>

#include "harness/results/run.hpp"

namespace splitproof::results {

/// Makes runs with random content, invalid UTF-8 included.
class AnyRun {
 public:
  explicit AnyRun(std::uint64_t seed) : random_(seed) {}

  std::size_t below(std::size_t bound) { return random_() % bound; }
  bool maybe() { return below(2) == 0; }

  std::string text() {
    static const std::string kPieces[] = {"a",    "\"",       "\\",           "\n", "\xE2\x9C\x93",
                                          "\xff", "\xE2\x9C", "data: {}\n\n", " "};
    std::string all;
    for (std::size_t i = below(5); i > 0; --i) all += kPieces[below(std::size(kPieces))];
    return all;
  }

  RunResult run() {
    RunResult run;
    RunHeading& header = run.header;
    for (std::size_t i = 0; i < 6; ++i) {
      Rule rule{"R-" + std::to_string(i), level(), text(), text()};
      if (maybe()) rule.harm.push_back({text(), text(), text()});
      if (maybe()) rule.knobs.insert("overlap");
      if (maybe()) rule.follows.push_back("R-0");
      rule.of_a_shape = maybe();
      rule.of_requests = maybe();
      rule.speaks = static_cast<Speaks>(below(3));
      header.rules.emplace(rule.id, rule);
    }
    header.targets = {"one", "two"};
    header.seed = random_();
    header.strict = maybe();
    header.quick = maybe();
    header.unreadable = below(3);
    header.profile = "default";
    header.options = " --profile default";
    if (maybe()) header.notes["one"] = text();
    if (maybe()) {
      header.details.commands.insert(text());
      header.details.began = "2026-11-29T10:01:0" + std::to_string(below(9)) + "Z";
      header.details.milliseconds = below(99999);
      header.details.suites.insert("0." + std::to_string(below(3)));
      header.details.versions["one"] = text();
    }
    if (maybe()) header.throughput["one"] = text();
    if (maybe())
      header.growth["two"] = {true, {{"tools", {1, 2, 4}, {0.125, 0.5, 2.1}}}, {{"calls", 7, 0.3}}, text()};
    if (maybe()) {
      header.clients.programs.push_back({"sdk", "the sdk", "1", text(), ""});
      header.clients.streams.push_back({"anthropic.messages",
                                        "s",
                                        text(),
                                        {{"R-1", text()}},
                                        {{"sdk", contract::Reaction::throws, text()}}});
    }
    for (const char* target : {"one", "two"})
      for (std::size_t i = below(3); i > 0; --i)
        run.recordings.push_back(result(target, "r" + std::to_string(i)));
    if (maybe()) run.stale.push_back({expectation(), text()});
    header.plan = {"1", text(), text(), text(), " --faults", below(9), 1 + below(3), {{"one", text()}}};
    if (maybe()) header.shards = {below(3), 1};
    // A cause has a row.
    if (!header.shards.empty() && !run.recordings.empty() && run.recordings.front().target == "one")
      run.causes.push_back({"one", "R-1", std::vector<std::string>{text()}, {}, text()});
    if (maybe()) run.cut_short = {"10m", below(100), below(9)};
    // Only rules of some row are written.
    std::set<std::string> named;
    for (const RecordingResult& one : run.recordings)
      for (const Row& row : one.rows) named.insert(row.rule);
    std::erase_if(header.rules, [&](const auto& entry) { return !named.contains(entry.first); });
    return run;
  }

 private:
  contract::Level level() { return static_cast<contract::Level>(below(3)); }
  Upstream upstream() {
    Upstream made{text(), {}, static_cast<recording::End>(below(4))};
    for (std::size_t i = 1; i < made.body.size() && i < 3; ++i)
      if (maybe()) made.cuts.push_back(i);
    if (maybe()) made.status = 529;
    if (maybe()) made.leave_at = below(9);
    made.withheld = maybe();
    return made;
  }
  Place place() { return {maybe() ? std::optional(below(9)) : std::nullopt, below(9), below(99)}; }
  Expectation expectation() {
    return {"one", "*", "R-1", text(), "known.txt", below(9), text(), "", "", false};
  }
  Reproducer reproducer() {
    return {text(), maybe(), maybe(), maybe(), upstream(), place(), text(), text(), text(), maybe()};
  }
  RecordingResult result(const std::string& target, const std::string& id) {
    RecordingResult made;
    made.target = target;
    made.recording = {id, "openai.chat", text(), maybe(), maybe(), maybe(), text()};
    made.cases = 1 + below(9);
    made.unrun = below(3);
    made.passes_no_stream = maybe();
    if (maybe()) made.changed_recuts.push_back(text());
    for (split::SeamCoverage::Count& count : made.coverage.counts) count = {below(3), below(3), below(2)};
    for (std::size_t i = 0; i < 6; ++i) {
      Row row{"R-" + std::to_string(i),
              level(),
              static_cast<contract::Verdict>(below(5)),
              text(),
              below(9),
              below(9)};
      if (row.verdict == contract::Verdict::violated || row.verdict == contract::Verdict::passed_on)
        row.first = reproducer();
      if (row.verdict == contract::Verdict::violated && maybe()) row.expectation = expectation();
      made.rows.push_back(row);
    }
    // A case violates rules that some row reports as violated.
    for (std::size_t i = below(3); i > 0; --i) {
      Behaviour behaviour{text(), maybe(), maybe(), upstream(), below(9), {}, {"R-2"}, text(), {"calls"}};
      for (const Row& row : made.rows) {
        if (row.verdict != contract::Verdict::violated) continue;
        behaviour.symptoms.push_back({row.rule,
                                      row.level,
                                      {below(3), text(), text(), text(), text(), text()},
                                      place(),
                                      text(),
                                      text(),
                                      maybe(),
                                      row.expectation.has_value()});
      }
      made.behaviours.push_back(behaviour);
    }
    if (maybe()) made.part = {below(3), 3 + below(3), 6, {text(), text()}};
    return made;
  }

  std::mt19937_64 random_;
};

}  // namespace splitproof::results
