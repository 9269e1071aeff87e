#include "harness/prove/prove.hpp"

#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "harness/campaign/case.hpp"
#include "harness/campaign/upstream.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/exit_code.hpp"
#include "harness/cli/proof_text.hpp"
#include "harness/cli/selection.hpp"
#include "harness/cli/sources.hpp"
#include "harness/cli/targets.hpp"
#include "harness/cli/unknown_word.hpp"
#include "harness/dialect/registry.hpp"
#include "harness/report/summary.hpp"

namespace splitproof::cli {
namespace {

constexpr std::uint64_t kMostCuts = 8;
constexpr std::uint64_t kMostThreads = 1024;
constexpr std::uint64_t kSeed = 20261130;

struct ProveCommand {
  std::string target = "reference";
  Selection selection;
  std::uint64_t cuts = 0;
  std::uint64_t seed = kSeed;
  unsigned jobs = 0;
  bool all_chunks = false;
  bool json = false;
};

// The targets of a command, one for each direction.
struct ProofTargets {
  std::unique_ptr<testee::Supervisor> supervisor;
  testee::StopToken stop;
  std::vector<std::unique_ptr<testee::Testee>> targets;
};

// Returns the directions to prove: all of the reference, or that of another target.
Result<std::vector<Protocols>> directions_of(const ProveCommand& command) {
  const Selection& selection = command.selection;
  const auto names = target_names();
  if (!names) return tl::unexpected(names.error());
  std::vector<Protocols> directions;
  bool is_reference = false;
  for (const TargetName& name : *names) {
    if (is_program(name.name)) continue;
    if (command.target != "reference" && command.target != name.name) continue;
    is_reference = true;
    if (!selection.client.empty() && selection.client != name.client) continue;
    if (!selection.upstream.empty() && selection.upstream != name.upstream) continue;
    directions.push_back({name.client, name.upstream});
  }
  if (!is_reference) directions.push_back({selection.client, selection.upstream});
  return directions;
}

Result<void> make_targets(const ProveCommand& command, const contract::Profile& profile, ProofTargets& made) {
  const Selection& selection = command.selection;
  const auto directions = directions_of(command);
  if (!directions) return tl::unexpected(directions.error());
  auto supervisor = supervisor_for({command.target});
  if (!supervisor) return tl::unexpected(supervisor.error());
  made.supervisor = std::move(*supervisor);
  Error last;
  for (const Protocols& direction : *directions) {
    auto target =
        make_target(command.target, profile, made.supervisor.get(), made.stop, selection.corpus, direction);
    if (!target) {
      // Under a profile, the reference may lack a direction.
      last = target.error();
      if (directions->size() > 1)
        std::cerr << "splitproof: left out " << direction.upstream << " for " << direction.client << ": "
                  << last.what << "\n";
      continue;
    }
    if ((*target)->traits().over_http) {
      return tl::unexpected(Error{"prove cannot test " + command.target + ", which is a server",
                                  {},
                                  0,
                                  "use the reference, mutant:NAME, or a target of kind in-process or pipe"});
    }
    if ((selection.client.empty() || selection.client == (*target)->client()) &&
        (selection.upstream.empty() || selection.upstream == (*target)->upstream()))
      made.targets.push_back(std::move(*target));
  }
  if (made.targets.empty() && !last.what.empty()) return tl::unexpected(last);
  return {};
}

std::vector<const recording::Recording*> selected(const recording::Corpus& corpus, const ProofTargets& made,
                                                  const std::string& only) {
  std::vector<const recording::Recording*> recordings;
  for (const recording::Recording& recording : corpus.recordings) {
    if (campaign::is_about_request(recording)) continue;
    const bool is_taken = std::any_of(made.targets.begin(), made.targets.end(), [&](const auto& target) {
      campaign::Case one;
      one.recording = recording.id;
      one.client = target->client();
      return target->traits().takes(recording.protocol) && campaign::selects(only, one);
    });
    if (is_taken) recordings.push_back(&recording);
  }
  return recordings;
}

unsigned jobs_of(const ProveCommand& command, const ProofTargets& made) {
  std::size_t jobs = command.jobs != 0 ? command.jobs : std::max(1U, std::thread::hardware_concurrency());
  for (const auto& target : made.targets) jobs = std::min(jobs, target->traits().max_concurrency);
  return static_cast<unsigned>(jobs);
}

// Prints the refuted recordings, or else the first ones that are not proved.
void tell_failures(const ProveCommand& command, const std::vector<const testee::Testee*>& testees,
                   const std::vector<const recording::Recording*>& recordings,
                   const std::vector<prove::Proven>& proven) {
  using Kind = prove::Proof::Kind;
  constexpr std::size_t kShown = 10;
  const auto is_refuted = [](const prove::Proven& one) { return one.proof.kind == Kind::refuted; };
  const bool refuted = std::any_of(proven.begin(), proven.end(), is_refuted);
  const std::string options =
      " --target " + report::shell_quoted(command.target) + source_options(command.selection, false);
  std::size_t failed = 0;
  for (const prove::Proven& one : proven) {
    if (one.proof.kind != (refuted ? Kind::refuted : Kind::not_proved)) continue;
    const recording::Recording& recording = *recordings[one.recording];
    const std::string& client = testees[one.testee]->client();
    if (command.json)
      print_failed_proof_as_json(one.proof, recording, client);
    else if (failed++ < kShown)
      std::cout << failed_proof_text(one.proof, recording, client, options);
  }
  if (failed > kShown) std::cout << "and " << failed - kShown << " more\n";
}

// Prints the results. Returns the exit code.
int tell_proofs(const ProveCommand& command, const std::vector<const testee::Testee*>& testees,
                const std::vector<const recording::Recording*>& recordings,
                const prove::ProofSettings& settings, const std::vector<prove::Proven>& proven) {
  using Kind = prove::Proof::Kind;
  std::string left_out;
  bool fails = false;
  bool any = false;
  for (const prove::Proven& one : proven) {
    if (one.proof.kind == Kind::left_out)
      left_out = one.proof.reason;
    else
      any = true;
    fails |= one.proof.kind == Kind::refuted || one.proof.kind == Kind::not_proved;
  }
  if (!any) {
    std::cerr << "splitproof: the target takes none of these recordings: " << left_out << "\n";
    return kNothingSelected;
  }
  const std::vector<DirectionProofs> directions = count_directions(testees, settings, proven);
  if (command.json)
    print_proofs_as_json(directions);
  else
    std::cout << direction_table(directions);
  tell_failures(command, testees, recordings, proven);
  (command.json ? std::cerr : std::cout) << proof_verdict(directions) << "\n";
  return fails ? kViolates : kConforms;
}

int prove_selection(const ProveCommand& command) {
  const Selection& selection = command.selection;
  for (const std::string& protocol : {selection.client, selection.upstream})
    if (!protocol.empty() && dialect::find(protocol) == nullptr) return complain(unknown_protocol(protocol));
  const auto profile = load_profile(selection.profile, selection.contracts);
  if (!profile) return complain(profile.error());
  ProofTargets made;
  if (const auto ready = make_targets(command, *profile, made); !ready) return complain(ready.error());
  const auto corpus = load_recordings(selection.corpus, selection.only);
  if (!corpus) return complain(corpus.error());
  for (const Error& error : corpus->errors) complain(error);
  const std::vector<const recording::Recording*> recordings = selected(*corpus, made, selection.only);
  if (recordings.empty()) {
    std::cerr
        << "splitproof: no recording is left to prove; change --only, --corpus, --client or --upstream\n";
    return corpus->errors.empty() ? kNothingSelected : kWrongInput;
  }
  std::vector<const testee::Testee*> testees;
  for (const auto& target : made.targets) {
    if (const auto started = target->start(); !started) {
      complain(started.error());
      return kUnavailable;
    }
    testees.push_back(target.get());
  }
  const prove::ProofSettings settings{.cuts = command.cuts,
                                      .composed = !command.all_chunks,
                                      .seed = command.seed,
                                      .jobs = jobs_of(command, made)};
  std::size_t done = 0;
  const bool terminal = isatty(STDERR_FILENO) != 0;
  const auto proven = prove::prove(testees, recordings, settings, [&] {
    if (terminal) std::cerr << "\r" << ++done << " proofs" << std::flush;
  });
  if (terminal) std::cerr << "\r\033[K" << std::flush;
  const int code = tell_proofs(command, testees, recordings, settings, proven);
  return corpus->errors.empty() ? code : kWrongInput;
}

void add_options(Options& options, ProveCommand& prove) {
  options
      .text(
          "--target", prove.target,
          "target to prove: the reference in all its directions, mutant:NAME, or the file of a library or of a "
          "program over a pipe")
      .shows_default()
      .type("T");
  add_selection(options, prove.selection);
  options
      .number(
          "--cuts", prove.cuts, {1, kMostCuts},
          "try only splits with at most so many cuts (default: all splits; 2 if the target cannot compare "
          "its states)")
      .type("K");
  options.flag(
      "--all-chunks", prove.all_chunks,
      "feed the reference all chunks of every body, and not only its parts; takes hours for the corpus");
  options.number("--seed", prove.seed, {}, "seed of the samples").shows_default().type("S");
  options.number("--jobs", prove.jobs, {1, kMostThreads}, "number of threads (default: one per core)")
      .type("N");
  options.flag("--json", prove.json, "print JSON Lines, and the verdict on standard error");
}

}  // namespace

const Command kProve = {
    "prove", "Prove that every split of a recording gives the same output, or show two splits that do not",
    "splitproof prove --target mutant:per-chunk-utf8 --only '*/text-*'",
    adding(add_options, prove_selection)};

}  // namespace splitproof::cli
