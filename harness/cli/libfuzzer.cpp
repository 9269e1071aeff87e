// splitproof-fuzz: libFuzzer with the cases, the mutator and the oracle of `splitproof fuzz`. Each input is the id of one case,
// so an input that libFuzzer keeps runs again with `splitproof replay`, or in a list with `splitproof run --cases FILE`. A
// violated rule of level `must` ends the program like a crash. libFuzzer's interface: https://llvm.org/docs/LibFuzzer.html
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/campaign/case.hpp"
#include "harness/campaign/upstream.hpp"
#include "harness/cli/exit_code.hpp"
#include "harness/cli/hunt_target.hpp"
#include "harness/cli/program.hpp"
#include "harness/cli/selection.hpp"
#include "harness/cli/sources.hpp"
#include "harness/dialect/registry.hpp"
#include "harness/hunt/mutator.hpp"
#include "harness/hunt/probe.hpp"
#include "harness/split/crossed_event.hpp"
#include "harness/split/event_edit.hpp"
#include "harness/split/random_cuts.hpp"

// libFuzzer's own mutations, with the words of -dict.
extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

// libFuzzer counts these as coverage too, on Linux. A shape of behaviour sets one of them.
__attribute__((section("__libfuzzer_extra_counters"), used)) static std::uint8_t splitproof_shapes[1 << 14];

namespace splitproof::cli {
namespace {

using campaign::Case;

struct Asked {
  std::string target = "reference";
  Selection selection;
  std::string except;  // rules that may be violated, joined by commas
};

// One target, its recordings, and all that makes and judges cases of them.
class Fuzzing {
 public:
  static int open(const Asked& asked) {
    auto opened = open_hunt_target(asked.target, asked.selection, InstanceCount::one);
    if (!opened) return opened.error();
    if (is_separate((*opened)->target->traits()))
      return complain(Error{"splitproof-fuzz runs libraries, and " + asked.target + " is a program",
                            {},
                            0,
                            "use splitproof fuzz"});
    const auto except = rules_in(asked.except, (*opened)->contracts);
    if (!except) return complain(except.error());
    current() = std::unique_ptr<Fuzzing>(new Fuzzing(asked.target, *std::move(opened), *except));
    return kConforms;
  }

  static std::unique_ptr<Fuzzing>& current() {
    static std::unique_ptr<Fuzzing> one;
    return one;
  }

  // Returns the case of an input: the first seed for a blank one. nullopt if it is no case of these recordings.
  std::optional<Case> case_of(std::string_view input) const {
    while (!input.empty() && std::isspace(static_cast<unsigned char>(input.back())) != 0)
      input.remove_suffix(1);
    if (input.empty()) return seeds_.front();
    auto parsed = campaign::parse_case(input);
    if (!parsed) return std::nullopt;
    if (parsed->client.empty()) parsed->client = opened_->target->client();
    const recording::Recording* recording = recording_of(*parsed);
    const bool is_known = recording != nullptr && parsed->act.empty() &&
                          parsed->client == opened_->target->client() &&
                          campaign::upstream_of(*parsed, *recording);
    return is_known ? std::optional(*std::move(parsed)) : std::nullopt;
  }

  // Runs a case. Ends the program if it violates a rule.
  void run(const Case& one) {
    const auto reached = probe_.run(one);
    if (!reached) {
      if (!probe_.is_lost()) return;  // the recording has no such further turn
      std::cerr << "splitproof: " << describe(reached.error()) << "\n";
      std::abort();
    }
    for (const hunt::Feature feature : reached->features)
      splitproof_shapes[feature % std::size(splitproof_shapes)] = 1;
    const std::string violated = violated_of(reached->violations);
    if (violated.empty()) return;
    // libFuzzer takes crashes with the same token for one bug.
    std::cerr
        << fmt::format(
               "splitproof: {} violates {}; to see it, run\n  splitproof replay '{}' --target {}\nDEDUP_TOKEN: {}\n",
               name_, violated, campaign::to_string(one), name_, violated)
        << std::flush;
    std::abort();
  }

  // Returns another input of at most `most` bytes; "" if none was found.
  std::string mutate(std::string_view input, std::string_view other, std::size_t most,
                     std::uint64_t seed) const {
    split::SplitMix64 random(seed);
    const Case one = case_of(input).value_or(seeds_[random.below(seeds_.size())]);
    const Case donor = case_of(other).value_or(seeds_.front());
    constexpr int kMostTries = 50;
    for (int tries = 0; tries < kMostTries; ++tries) {
      const std::string text = campaign::to_string(changed(one, donor, random));
      if (text.size() <= most && text != input) return text;
    }
    return {};
  }

 private:
  Fuzzing(std::string name, std::unique_ptr<HuntTarget> opened, std::vector<std::string> except)
      : name_(std::move(name)),
        opened_(std::move(opened)),
        except_(std::move(except)),
        probe_(*opened_->target, opened_->contracts, opened_->profile, opened_->recordings,
               hunt::Signal::shapes),
        mutator_(opened_->recordings, opened_->target->traits()),
        seeds_(mutator_.seeds()) {}

  Case changed(const Case& one, const Case& donor, split::SplitMix64& random) const {
    const std::uint64_t draw = random.below(50);
    if (draw == 0) return seeds_[random.below(seeds_.size())];
    return draw < 6 ? with_other_bytes(one, random) : mutator_.mutate(one, donor, random);
  }

  // Returns the case with libFuzzer's mutation of one of its events, or unchanged.
  Case with_other_bytes(Case one, split::SplitMix64& random) const {
    const recording::Recording& recording = *recording_of(one);
    const BodyFormat format = dialect::format_of(recording.protocol);
    one.turn = campaign::Turn::first;
    one.recut.clear();
    one.fault.reset();
    one.split = split::Whole{};
    const auto before = campaign::upstream_of(one, recording);
    if (!before) return one;
    const auto events = split::events_of(before->body, format);
    if (events.empty()) return one;
    const std::size_t place = random.below(events.size());
    Case changed = one;
    changed.edit += fmt::format("{}drop:{}", one.edit.empty() ? "" : "+", place);
    const auto without = campaign::upstream_of(changed, recording);
    if (!without) return one;
    constexpr std::size_t kMostMore = 64;
    std::string event = events[place];
    const std::size_t size = event.size();
    event.resize(size + kMostMore);
    event.resize(LLVMFuzzerMutate(reinterpret_cast<std::uint8_t*>(event.data()), size, event.size()));
    changed.edit += fmt::format("+cross:{}:{}", place, split::crossed_word(event, without->body));
    return campaign::upstream_of(changed, recording) ? changed : one;
  }

  // Returns null for an unknown recording.
  const recording::Recording* recording_of(const Case& one) const {
    const auto found =
        std::find_if(opened_->recordings.begin(), opened_->recordings.end(),
                     [&](const recording::Recording* known) { return known->id == one.recording; });
    return found == opened_->recordings.end() ? nullptr : *found;
  }

  static bool is_separate(const testee::Traits& traits) {
    return traits.over_http || traits.is_started_here || traits.is_client();
  }

  static Result<std::vector<std::string>> rules_in(const std::string& list,
                                                   const contract::Contracts& contracts) {
    std::vector<std::string> rules;
    std::istringstream words(list);
    const std::vector<const contract::Obligation*> known = all_rules(contracts);
    for (std::string rule; std::getline(words, rule, ',');) {
      if (std::none_of(known.begin(), known.end(),
                       [&](const contract::Obligation* one) { return one->id == rule; }))
        return tl::unexpected(
            Error{"--except names no rule: '" + rule + "'", {}, 0, "run splitproof list rules"});
      rules.push_back(rule);
    }
    return rules;
  }

  // Returns the violated rules ("ANT-05/0 END-01/2") of level `must`, without the excepted ones and without clauses.
  std::string violated_of(const std::string& violations) const {
    std::string violated;
    std::istringstream words(violations);
    for (std::string word; words >> word;) {
      const std::string rule = word.substr(0, word.find('/'));
      if (std::find(except_.begin(), except_.end(), rule) != except_.end()) continue;
      const contract::Obligation* known = opened_->contracts.find(rule);
      if (known != nullptr && known->level != contract::Level::must) continue;
      if (violated.ends_with(rule)) continue;
      violated += (violated.empty() ? "" : " ") + rule;
    }
    return violated;
  }

  const std::string name_;
  const std::unique_ptr<HuntTarget> opened_;
  const std::vector<std::string> except_;
  hunt::CaseProbe probe_;
  const hunt::Mutator mutator_;
  const std::vector<Case> seeds_;
};

void add_options(Options& options, Asked& asked) {
  add_target(options, asked.target, "library to test, or target file of one");
  add_selection(options, asked.selection);
  options
      .text("--except", asked.except, "rules whose violations do not end the program, such as ANT-05,END-01")
      .type("RULES");
}

const Command kLibFuzzer = {
    "splitproof-fuzz",
    "libFuzzer for a library that translates streams. The options below are written --name=value. All options with one dash are "
    "libFuzzer's (-help=1), and other arguments are its folders of inputs.",
    "splitproof-fuzz --target=./mine.yaml -max_total_time=600 found", adding(add_options, Fuzzing::open)};

std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

std::size_t copy_to(std::uint8_t* data, const std::string& text) {
  std::memcpy(data, text.data(), text.size());
  return text.size();
}

}  // namespace
}  // namespace splitproof::cli

extern "C" {

// libFuzzer ignores options with two dashes, and passes them to its own child processes. -target=FILE is the same as
// --target=FILE.
int LLVMFuzzerInitialize(int* argc, char*** argv) {
  using namespace splitproof::cli;
  static std::string target;
  std::vector<char*> own{(*argv)[0]};
  for (int i = 1; i < *argc; ++i) {
    char*& word = (*argv)[i];
    if (std::string_view(word).starts_with("-target=")) {
      target = "-" + std::string(word);
      word = target.data();
    }
    if (std::string_view(word).starts_with("--")) own.push_back(word);
  }
  const int code =
      as_program([&] { return run_alone(kLibFuzzer, static_cast<int>(own.size()), own.data()); });
  std::cerr << std::flush;
  if (code != kConforms || Fuzzing::current() == nullptr) std::_Exit(code);
  return 0;
}

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace splitproof::cli;
  Fuzzing& fuzzing = *Fuzzing::current();
  if (const auto one = fuzzing.case_of(text_of(data, size))) fuzzing.run(*one);
  return 0;
}

std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most,
                                    unsigned int seed) {
  using namespace splitproof::cli;
  return copy_to(data, Fuzzing::current()->mutate(text_of(data, size), {}, most, seed));
}

std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* first, std::size_t first_size,
                                      const std::uint8_t* second, std::size_t second_size, std::uint8_t* out,
                                      std::size_t most, unsigned int seed) {
  using namespace splitproof::cli;
  return copy_to(
      out, Fuzzing::current()->mutate(text_of(first, first_size), text_of(second, second_size), most, seed));
}
}
