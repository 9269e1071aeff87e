#include <fmt/format.h>
#include <fnmatch.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <iostream>
#include <map>
#include <thread>

#include "harness/cli/commands.hpp"
#include "harness/cli/exit_code.hpp"
#include "harness/cli/sources.hpp"
#include "harness/report/summary.hpp"
#include "harness/selftest/findings.hpp"
#include "harness/selftest/sight.hpp"
#include "harness/testee/in_process.hpp"

namespace splitproof::cli {
namespace {

namespace fs = std::filesystem;
using selftest::Stream;

constexpr const char* kReference = "anthropic.messages";  // what the reference writes
constexpr const char* kUpstream = "openai.chat";          // of what it reads

// The controls of the contracts' falsifiers, each once, under the protocol that they speak.
Result<std::vector<Stream>> controls(const contract::Contracts& contracts) {
  std::map<std::string, Stream> by_file;
  for (const contract::Obligation* obligation : contracts.obligations()) {
    for (const contract::Falsifier& falsifier : obligation->falsifiers) {
      if (falsifier.evidence || falsifier.control.empty()) continue;
      const std::string path = (fs::path(obligation->file).parent_path() / falsifier.control).string();
      const Result<std::string> body = read_input(path);
      if (!body) return tl::unexpected(body.error());
      const auto protocol = contracts.recognise(observe::read_trace(*body, observe::DataKind::json));
      if (protocol) by_file.insert({path, {*protocol, falsifier.control, *body}});
    }
  }
  std::vector<Stream> streams;
  for (auto& entry : by_file) streams.push_back(std::move(entry.second));
  return streams;
}

// Recordings as streams: as they are, and of those that the reference reads what it makes of them.
Result<std::vector<Stream>> recorded(const SelfTestCommand& command, const contract::Profile& profile) {
  const auto corpus = load_recordings(command.selection.corpus);
  if (!corpus) return tl::unexpected(corpus.error());
  if (!corpus->errors.empty()) return tl::unexpected(corpus->errors.front());
  const auto factory = testee::reference_streams(profile);
  if (!factory) return tl::unexpected(factory.error());
  const testee::InProcess reference("reference", *factory);
  std::vector<Stream> streams;
  for (const recording::Recording& recording : corpus->recordings) {
    if (recording.end == recording::End::complete)
      streams.push_back({recording.protocol, recording.id, recording.body});
    if (recording.protocol != kUpstream) continue;
    streams.push_back({kReference, recording.id, reference.observe({{recording.body}, recording.end}).body});
  }
  return streams;
}

Result<std::vector<Stream>> streams_for(const SelfTestCommand& command, const contract::Contracts& contracts,
                                        const contract::Profile& profile) {
  Result<std::vector<Stream>> all = controls(contracts);
  if (!all) return all;
  const Result<std::vector<Stream>> of_recordings = recorded(command, profile);
  if (!of_recordings) return of_recordings;
  all->insert(all->end(), of_recordings->begin(), of_recordings->end());
  const Selection& selection = command.selection;
  std::erase_if(*all, [&](const Stream& stream) {
    if (!selection.client.empty() && stream.protocol != selection.client) return true;
    return !selection.only.empty() && fnmatch(selection.only.c_str(), stream.name.c_str(), 0) != 0;
  });
  return all;
}

// Streams that break a rule as they are show nothing.
void drop_broken(const contract::Contracts& contracts, const contract::Profile& profile,
                 std::vector<Stream>& streams) {
  std::erase_if(streams, [&](const Stream& stream) {
    const selftest::Witness witness(contracts, profile, stream.protocol, stream.body);
    return stream.body.empty() || !witness.look(stream.body).with_meaning.empty();
  });
}

std::map<std::string, selftest::Tally> examined(const contract::Contracts& contracts,
                                                const contract::Profile& profile,
                                                const std::vector<Stream>& streams) {
  std::vector<selftest::Tally> each(streams.size());
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < streams.size(); i = next++)
      each[i] = selftest::examine(contracts, profile, streams[i]);
  };
  std::vector<std::thread> threads;
  for (unsigned i = 1; i < std::max(1u, std::thread::hardware_concurrency()); ++i) threads.emplace_back(work);
  work();
  for (std::thread& thread : threads) thread.join();
  std::map<std::string, selftest::Tally> tallies;
  for (std::size_t i = 0; i < streams.size(); ++i) tallies[streams[i].protocol].add(each[i]);
  return tallies;
}

}  // namespace

int self_test(const SelfTestCommand& command) {
  const Selection& selection = command.selection;
  const auto contracts = load_contracts(selection.contracts);
  if (!contracts) return complain(contracts.error());
  const auto profile = load_profile(selection.profile, selection.contracts);
  if (!profile) return complain(profile.error());
  selftest::Findings findings;
  const auto passes = contract_folders(selection.contracts).and_then(selftest::load_passes);
  if (!passes) return complain(passes.error());
  findings.passes = *passes;
  const auto found = streams_for(command, *contracts, *profile);
  if (!found) return complain(found.error());
  std::vector<Stream> sound = *found;
  drop_broken(*contracts, *profile, sound);
  const std::vector<Stream> streams = selftest::one_of_each_shape(sound);
  if (streams.empty()) {
    std::cerr << "splitproof: no stream that conforms is left to change\n";
    return kNothingSelected;
  }
  findings.tallies = examined(*contracts, *profile, streams);

  std::cout << fmt::format("{}; {} of them conform, and {} of these differ in shape.\n",
                           report::counted(found->size(), "stream"), sound.size(), streams.size());
  selftest::Count all;
  for (const auto& [protocol, tally] : findings.tallies) {
    std::cout << "\n"
              << selftest::table(protocol, tally) << "\nUnseen:\n"
              << selftest::unseen(protocol, findings);
    all += tally.total();
  }
  const bool whole = selection.client.empty() && selection.only.empty() && selection.corpus.empty();
  const std::vector<std::string> objections = selftest::objections(findings, whole);
  if (!objections.empty()) std::cout << "\n";
  for (const std::string& objection : objections) std::cout << objection << "\n";
  std::cout << report::verdict_word(objections.empty()) << report::counted(streams.size(), "stream") << ", "
            << report::counted(all.changes, "change") << ", " << all.changes - all.with_meaning << " unseen, "
            << report::counted(objections.size(), "finding") << "\n";
  return objections.empty() ? kConforms : kViolates;
}

}  // namespace splitproof::cli
