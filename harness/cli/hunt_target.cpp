#include "harness/cli/hunt_target.hpp"

#include <fmt/format.h>

#include <iostream>
#include <utility>

#include "harness/campaign/case.hpp"
#include "harness/campaign/planned_round.hpp"
#include "harness/campaign/recorded.hpp"
#include "harness/campaign/upstream.hpp"
#include "harness/cli/exit_code.hpp"
#include "harness/cli/run_targets.hpp"
#include "harness/cli/sources.hpp"
#include "harness/cli/unknown_word.hpp"
#include "harness/cli/unmatched.hpp"
#include "harness/dialect/registry.hpp"
#include "harness/fnv1a.hpp"

namespace splitproof::cli {

tl::expected<std::unique_ptr<HuntTarget>, int> open_hunt_target(const std::string& name,
                                                                const Selection& selection,
                                                                InstanceCount instances) {
  const auto wrong = [](const Error& error) { return tl::unexpected(complain(error)); };
  for (const std::string& protocol : {selection.client, selection.upstream})
    if (!protocol.empty() && dialect::find(protocol) == nullptr) return wrong(unknown_protocol(protocol));
  auto supervisor = supervisor_for({name});
  if (!supervisor) return wrong(supervisor.error());
  auto contracts = load_contracts(selection.contracts);
  if (!contracts) return wrong(contracts.error());
  auto profile = load_profile(selection.profile, selection.contracts);
  if (!profile) return wrong(profile.error());
  auto corpus = load_recordings(selection.corpus, selection.only);
  if (!corpus) return wrong(corpus.error());
  auto opened = std::unique_ptr<HuntTarget>(
      new HuntTarget{*std::move(contracts), *std::move(profile), *std::move(corpus), *std::move(supervisor)});
  auto target = make_target(name, opened->profile, opened->supervisor.get(), opened->stop, selection.corpus,
                            {selection.client, selection.upstream}, instances);
  if (!target) return wrong(target.error());
  std::vector<std::unique_ptr<testee::Testee>> targets;
  targets.push_back(*std::move(target));
  const testee::Testee& made = *targets.front();
  if ((!selection.client.empty() && selection.client != made.client()) ||
      (!selection.upstream.empty() && selection.upstream != made.upstream())) {
    std::cerr << nobody_translates(selection, {name});
    return tl::unexpected(static_cast<int>(kNothingSelected));
  }
  leave_out_unlisted(targets, opened->contracts, opened->corpus);
  for (const Error& error : opened->corpus.errors) complain(error);
  opened->target = std::move(targets.front());
  if (const auto started = opened->target->start(); !started) {
    complain(started.error());
    return tl::unexpected(static_cast<int>(kUnavailable));
  }
  for (const recording::Recording& recording : opened->corpus.recordings) {
    campaign::Case one;
    one.recording = recording.id;
    one.client = made.client();
    if (!campaign::is_about_request(recording) && made.traits().takes(recording.protocol) &&
        campaign::selects(selection.only, one) && campaign::claims(made, recording, opened->profile))
      opened->recordings.push_back(&recording);
  }
  if (!opened->recordings.empty()) return opened;
  const std::string why = why_unmatched(made, name, opened->corpus.recordings);
  std::cerr << "splitproof: "
            << (why.empty() ? "no recording is left for " + name + "; change --only or --corpus" : why)
            << "\n";
  return tl::unexpected(static_cast<int>(kNothingSelected));
}

std::string digest_of_hunt(const HuntTarget& opened, const std::string& further) {
  std::string all = further + "\n" + SPLITPROOF_VERSION + "\n" + opened.profile.name + "\n";
  for (const auto& [knob, value] : opened.profile.knobs) all += knob + ": " + value + "\n";
  for (const auto& [file, digest] : contract_digests(opened.contracts)) all += file + " " + digest + "\n";
  for (const recording::Recording* recording : opened.recordings)
    all += recording->id + " " + campaign::recorded_of(*recording).digest + "\n";
  return fmt::format("{:016x}", fnv1a(all));
}

}  // namespace splitproof::cli
