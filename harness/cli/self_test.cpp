#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <thread>

#include "harness/built_in.hpp"
#include "harness/cli/exit_code.hpp"
#include "harness/cli/print_json.hpp"
#include "harness/cli/self_test_program.hpp"
#include "harness/cli/sources.hpp"
#include "harness/dialect/registry.hpp"
#include "harness/dialect/self_test_registry.hpp"
#include "harness/read_file.hpp"
#include "harness/report/summary.hpp"
#include "harness/selftest/detection.hpp"
#include "harness/selftest/findings.hpp"
#include "harness/testee/in_process.hpp"

namespace splitproof::cli {
namespace {

namespace fs = std::filesystem;
using selftest::Stream;

constexpr const char* kForKinds = "self-test/";  // next to the contracts: streams for the kinds of flaw

// Returns the distinct controls of the contracts' falsifiers, by protocol, except streams for the kinds.
Result<std::vector<Stream>> controls(const contract::Contracts& contracts) {
  std::map<std::string, Stream> by_file;
  for (const contract::Obligation* obligation : contracts.obligations()) {
    for (const contract::Falsifier& falsifier : obligation->falsifiers) {
      if (falsifier.evidence || falsifier.control.empty() || falsifier.control.starts_with(kForKinds))
        continue;
      const std::string path = (fs::path(obligation->file).parent_path() / falsifier.control).string();
      const Result<std::string> body = read_file(path);
      if (!body) return tl::unexpected(body.error());
      const auto protocol = contracts.recognise(observe::read_trace(*body, contracts.data_kind({})));
      if (protocol) by_file.insert({path, {*protocol, falsifier.control, *body}});
    }
  }
  std::vector<Stream> streams;
  streams.reserve(by_file.size());
  for (auto& entry : by_file) streams.push_back(std::move(entry.second));
  return streams;
}

// Returns the streams written for the kinds of flaw, which the others do not cover.
Result<std::vector<Stream>> written_for_kinds(const std::vector<fs::path>& folders) {
  std::vector<Stream> streams;
  for (const fs::path& folder : folders) {
    const fs::path streams_folder = folder / "self-test" / "streams";
    std::vector<fs::path> files = built_in_files(streams_folder);
    std::error_code none;
    for (const auto& entry : fs::recursive_directory_iterator(streams_folder, none))
      files.push_back(entry.path());
    std::erase_if(
        files, [](const fs::path& path) { return path.extension() != ".sse" && path.extension() != ".bin"; });
    std::sort(files.begin(), files.end());
    for (const fs::path& file : files) {
      const Result<std::string> body = read_file(file.string());
      if (!body) return tl::unexpected(body.error());
      const std::string protocol = file.parent_path().filename().string();
      streams.push_back({protocol, "self-test/" + file.filename().string(), *body});
    }
  }
  return streams;
}

// True if changes of the protocol's streams can be made. Changes of an unknown protocol are made without its words.
bool is_changed(const std::string& protocol) {
  if (dialect::find(protocol) == nullptr) return true;
  const auto tested = dialect::self_tested();
  return std::any_of(tested.begin(), tested.end(),
                     [&](const dialect::SelfTested& one) { return one.protocol == protocol; });
}

// Returns complete recordings as streams, and the reference's output for the recordings that it reads. Omits
// irregular recordings of the project, and recordings without rules or words for changes.
Result<std::vector<Stream>> recorded(const SelfTestCommand& command, const contract::Profile& profile) {
  const auto corpus = load_recordings(command.selection.corpus);
  if (!corpus) return tl::unexpected(corpus.error());
  if (!corpus->errors.empty()) return tl::unexpected(corpus->errors.front());
  const auto factory = testee::reference_streams(profile);
  if (!factory) return tl::unexpected(factory.error());
  const testee::InProcess reference("reference", *factory);
  std::vector<Stream> streams;
  for (const recording::Recording& recording : corpus->recordings) {
    const dialect::Dialect* dialect = dialect::find(recording.protocol);
    const bool is_irregular =
        command.selection.corpus.empty() && dialect != nullptr && dialect->has_irregular_recordings;
    if (recording.end == recording::End::complete && !is_irregular && is_changed(recording.protocol))
      streams.push_back({recording.protocol, recording.id, recording.body});
    if (recording.protocol != reference.upstream()) continue;
    streams.push_back(
        {reference.client(), recording.id, reference.observe({{recording.body}, recording.end}).body});
  }
  return streams;
}

void keep_selected(const Selection& selection, std::vector<Stream>& streams) {
  std::erase_if(streams, [&](const Stream& stream) {
    if (!selection.client.empty() && stream.protocol != selection.client) return true;
    return !selection.only.empty() && fnmatch(selection.only.c_str(), stream.name.c_str(), 0) != 0;
  });
}

Result<std::vector<Stream>> streams_for(const SelfTestCommand& command, const contract::Contracts& contracts,
                                        const contract::Profile& profile) {
  Result<std::vector<Stream>> all = controls(contracts);
  if (!all) return all;
  const Result<std::vector<Stream>> of_recordings = recorded(command, profile);
  if (!of_recordings) return of_recordings;
  all->insert(all->end(), of_recordings->begin(), of_recordings->end());
  keep_selected(command.selection, *all);
  return all;
}

// Removes streams that violate a rule unchanged, because they prove nothing.
void drop_broken(const contract::Contracts& contracts, const contract::Profile& profile,
                 std::vector<Stream>& streams) {
  std::erase_if(streams, [&](const Stream& stream) {
    const selftest::StreamExaminer witness(contracts, profile, stream.protocol, stream.body);
    return stream.body.empty() || !witness.look(stream.body).with_meaning.empty();
  });
}

// Returns the streams that were written as sound but violate a rule, with that rule.
std::vector<std::string> broken_of_own(const contract::Contracts& contracts, const contract::Profile& profile,
                                       const std::vector<Stream>& streams) {
  std::vector<std::string> broken;
  for (const Stream& stream : streams) {
    const selftest::StreamExaminer witness(contracts, profile, stream.protocol, stream.body);
    const std::string rule = witness.look(stream.body).with_meaning;
    if (!rule.empty())
      broken.push_back(
          fmt::format("{}: {} violates {}, although it must conform", stream.protocol, stream.name, rule));
  }
  return broken;
}

// Results for one stream, from any thread.
struct ExaminedStream {
  selftest::ChangeTally changes;
  selftest::KindTally kinds;
};

// Applies small changes to the first `changed` streams, kinds to the others.
void examine(const contract::Contracts& contracts, const contract::Profile& profile,
             const std::vector<Stream>& streams, std::size_t changed, selftest::Findings& findings) {
  std::vector<ExaminedStream> each(streams.size());
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < streams.size(); i = next++) {
      if (i < changed) {
        each[i].changes = selftest::examine(contracts, profile, streams[i]);
      } else {
        each[i].kinds = selftest::examine_kinds(contracts, profile, streams[i]);
      }
    }
  };
  std::vector<std::thread> threads;
  for (unsigned i = 1; i < std::max(1u, std::thread::hardware_concurrency()); ++i) threads.emplace_back(work);
  work();
  for (std::thread& thread : threads) thread.join();
  for (std::size_t i = 0; i < streams.size(); ++i) {
    const std::string& protocol = streams[i].protocol;
    if (i < changed) {
      findings.tallies[protocol].add(each[i].changes);
    } else {
      const auto kinds = findings.kinds.emplace(protocol, selftest::no_kinds_made(protocol)).first;
      selftest::add(kinds->second, each[i].kinds);
    }
  }
}

// Prints the tables of all protocols.
void print(const selftest::Findings& findings, std::size_t found, std::size_t sound, std::size_t changed,
           std::size_t own) {
  std::cout << fmt::format(
      "{}; {} conform, and {} of these have different shapes. {} for the kinds of flaw.\n",
      report::counted(found, "stream"), sound, changed, report::counted(own, "more stream"));
  for (const auto& [protocol, tally] : findings.tallies) {
    std::cout << "\n"
              << selftest::table(protocol, tally) << "\nUnseen:\n"
              << selftest::unseen(protocol, findings);
  }
  for (const auto& [protocol, tally] : findings.kinds) {
    std::cout << "\n"
              << selftest::kind_table(protocol, tally) << "\nSilent:\n"
              << selftest::silent_kinds(protocol, findings);
  }
}

}  // namespace

int run_self_test(const SelfTestCommand& command, char** /*words*/) {
  const Selection& selection = command.selection;
  const auto contracts = load_contracts(selection.contracts);
  if (!contracts) return complain(contracts.error());
  const auto profile = load_profile(selection.profile, selection.contracts);
  if (!profile) return complain(profile.error());
  selftest::Findings findings;
  const auto folders = contract_folders(selection.contracts);
  if (!folders) return complain(folders.error());
  const auto reasons = selftest::load_reasons(*folders);
  if (!reasons) return complain(reasons.error());
  findings.passes = reasons->passes;
  findings.silences = reasons->silences;
  const auto found = streams_for(command, *contracts, *profile);
  if (!found) return complain(found.error());
  Result<std::vector<Stream>> own = written_for_kinds(*folders);
  if (!own) return complain(own.error());
  keep_selected(selection, *own);
  std::vector<Stream> sound = *found;
  drop_broken(*contracts, *profile, sound);
  const std::vector<std::string> broken = broken_of_own(*contracts, *profile, *own);
  std::vector<Stream> streams = selftest::one_of_each_shape(sound);
  const std::size_t changed = streams.size();
  streams.insert(streams.end(), own->begin(), own->end());
  if (streams.empty()) {
    std::cerr << "splitproof: no conforming stream is left to change\n";
    return kNothingSelected;
  }
  examine(*contracts, *profile, streams, changed, findings);

  selftest::ChangeCount all;
  for (const auto& [protocol, tally] : findings.tallies) all += tally.total();
  std::size_t flawed = 0;
  for (const auto& [protocol, tally] : findings.kinds)
    for (const auto& [kind, count] : tally) flawed += count.made;
  const bool whole = selection.client.empty() && selection.only.empty() && selection.corpus.empty();
  std::vector<std::string> objections = selftest::objections(findings, whole);
  if (whole) objections.insert(objections.end(), broken.begin(), broken.end());
  const std::size_t unseen = all.changes - all.with_meaning;
  if (command.json) {
    for (const std::string& objection : objections) print_json(nlohmann::json({{"message", objection}}));
  } else {
    print(findings, found->size(), sound.size(), changed, own->size());
    if (!objections.empty()) std::cout << "\n";
    for (const std::string& objection : objections) std::cout << objection << "\n";
  }
  (command.json ? std::cerr : std::cout)
      << report::verdict_word(objections.empty()) << report::counted(streams.size(), "stream") << ", "
      << report::counted(all.changes, "change") << ", " << unseen << " unseen, "
      << report::counted(flawed, "stream") << " of kinds, " << report::counted(objections.size(), "finding")
      << "\n";
  return objections.empty() ? kConforms : kViolates;
}

}  // namespace splitproof::cli
