#include "harness/cli/proof_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "harness/campaign/case.hpp"
#include "harness/cli/print_json.hpp"
#include "harness/report/summary.hpp"
#include "harness/visible.hpp"

namespace splitproof::cli {
namespace {

using prove::Proof;

std::string case_id(const std::string& recording, const std::string& client, split::Cuts cuts) {
  campaign::Case one;
  one.recording = recording;
  one.client = client;
  if (cuts.empty())
    one.split = split::Whole{};
  else
    one.split = split::AtCuts{std::move(cuts)};
  return campaign::to_string(one);
}

std::size_t first_different_byte(const std::string& a, const std::string& b) {
  return static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
}

// The output around a byte, in one line.
std::string excerpt(const std::string& body, std::size_t at) {
  constexpr std::size_t kBefore = 24;
  constexpr std::size_t kShown = 72;
  const std::size_t begin = at - std::min(at, kBefore);
  const std::string shown = visible(std::string_view(body).substr(std::min(begin, body.size()), kShown));
  return (begin > 0 ? "..." : "") + shown + (begin + kShown < body.size() ? "..." : "");
}

std::string splits_of(std::size_t cuts) {
  return cuts == 0 ? "2^(n-1) splits each"
                   : fmt::format("all splits with at most {} each", report::counted(cuts, "cut"));
}

// The word of a kind in JSON.
std::string_view name_of(Proof::Kind kind) {
  switch (kind) {
    case Proof::Kind::proved:
      return "proved";
    case Proof::Kind::sampled:
      return "sampled";
    case Proof::Kind::not_proved:
      return "not proved";
    case Proof::Kind::refuted:
      return "refuted";
    case Proof::Kind::left_out:
      break;
  }
  return "left out";
}

std::string grouped(std::uint64_t number) {
  std::string text = std::to_string(number);
  for (std::size_t at = text.size(); at > 3;) text.insert(at -= 3, ",");
  return text;
}

std::string ending_of(const prove::Outcome& outcome) {
  const std::string name(testee::name(outcome.ending));
  return outcome.detail.empty() ? name : name + ": " + visible(outcome.detail);
}

}  // namespace

std::size_t DirectionProofs::all() const {
  std::size_t all = 0;
  for (const auto& [kind, number] : recordings)
    if (kind != Proof::Kind::left_out) all += number;
  return all;
}

std::vector<DirectionProofs> count_directions(const std::vector<const testee::Testee*>& testees,
                                              const prove::ProofSettings& settings,
                                              const std::vector<prove::Proven>& proven) {
  std::vector<DirectionProofs> directions;
  for (const testee::Testee* testee : testees) {
    DirectionProofs& direction = directions.emplace_back();
    direction.upstream = testee->upstream();
    direction.client = testee->client();
    direction.cuts = prove::cuts_to_try(*testee, settings);
  }
  for (const prove::Proven& one : proven) {
    DirectionProofs& direction = directions[one.testee];
    ++direction.recordings[one.proof.kind];
    direction.feeds += one.proof.feeds;
    direction.seconds += one.proof.seconds;
  }
  return directions;
}

std::string direction_table(const std::vector<DirectionProofs>& directions) {
  std::string table;
  for (const DirectionProofs& direction : directions) {
    if (direction.recordings.empty()) continue;
    table += fmt::format("{:19} for {:19} proved {} of {}, {}; {} feeds, {:.1f} s\n", direction.upstream,
                         direction.client, direction.count(Proof::Kind::proved),
                         report::counted(direction.all(), "recording"), splits_of(direction.cuts),
                         grouped(direction.feeds), direction.seconds);
    if (const std::size_t sampled = direction.count(Proof::Kind::sampled); sampled > 0)
      table += fmt::format("  sampled, not proved: {} of more than {} bytes; {} windows of {} bytes each\n",
                           report::counted(sampled, "recording"), prove::kMostProved, prove::kWindows,
                           prove::kWindow);
    if (const std::size_t out = direction.count(Proof::Kind::left_out); out > 0)
      table +=
          fmt::format("  left out: {}, which the target does not take\n", report::counted(out, "recording"));
  }
  return table;
}

std::string failed_proof_text(const Proof& proof, const recording::Recording& recording,
                              const std::string& client, const std::string& options) {
  const std::string what = fmt::format("{} for clients of {}", recording.id, client);
  if (!proof.witness) return fmt::format("not proved: {}: {}\n", what, visible(proof.reason));
  const prove::Witness& witness = *proof.witness;
  const auto command = [&](const split::Cuts& cuts) {
    return fmt::format("  splitproof replay {}{}\n",
                       report::shell_quoted(case_id(recording.id, client, cuts)), options);
  };
  const std::size_t at = first_different_byte(witness.without.body, witness.with.body);
  std::string text = fmt::format("refuted: {}\n", what);
  if (witness.without.body != witness.with.body) {
    text += fmt::format("  a cut before byte {} changes the output at byte {}\n", witness.cut, at);
    text += fmt::format("  without   {}\n", excerpt(witness.without.body, at));
    text += fmt::format("  with      {}\n", excerpt(witness.with.body, at));
  } else {
    text += fmt::format("  a cut before byte {} changes the end of the answer\n", witness.cut);
    text += fmt::format("  without   {}\n", ending_of(witness.without));
    text += fmt::format("  with      {}\n", ending_of(witness.with));
  }
  return text + command(witness.common) + command(witness.cuts());
}

std::string proof_verdict(const std::vector<DirectionProofs>& directions) {
  std::size_t proved = 0;
  std::size_t all = 0;
  std::size_t refuted = 0;
  std::size_t not_proved = 0;
  std::size_t sampled = 0;
  std::size_t cuts = 0;
  std::size_t used = 0;
  for (const DirectionProofs& direction : directions) {
    used += direction.recordings.empty() ? 0 : 1;
    proved += direction.count(Proof::Kind::proved);
    refuted += direction.count(Proof::Kind::refuted);
    not_proved += direction.count(Proof::Kind::not_proved);
    sampled += direction.count(Proof::Kind::sampled);
    all += direction.all();
    cuts = std::max(cuts, direction.cuts);
  }
  if (refuted > 0)
    return fmt::format("splitproof: REFUTED  {}, {} proved before", report::counted(refuted, "recording"),
                       proved);
  std::string line = fmt::format("splitproof: {}  {} of {}", not_proved > 0 ? "NOT PROVED" : "PROVED", proved,
                                 report::counted(all, "recording"));
  if (used > 1) line += fmt::format(" in {} directions", used);
  line +=
      cuts == 0 ? ", all splits" : fmt::format(", all splits with at most {}", report::counted(cuts, "cut"));
  if (sampled > 0) line += fmt::format("; {} sampled", sampled);
  return line;
}

void print_proofs_as_json(const std::vector<DirectionProofs>& directions) {
  for (const DirectionProofs& direction : directions) {
    if (direction.recordings.empty()) continue;
    nlohmann::ordered_json line = {
        {"upstream", direction.upstream}, {"client", direction.client}, {"recordings", direction.all()}};
    for (const Proof::Kind kind : {Proof::Kind::proved, Proof::Kind::sampled, Proof::Kind::not_proved,
                                   Proof::Kind::refuted, Proof::Kind::left_out})
      line[std::string(name_of(kind))] = direction.count(kind);
    line["cuts"] = direction.cuts == 0 ? nlohmann::ordered_json() : nlohmann::ordered_json(direction.cuts);
    line["feeds"] = direction.feeds;
    line["seconds"] = direction.seconds;
    print_json(line);
  }
}

void print_failed_proof_as_json(const Proof& proof, const recording::Recording& recording,
                                const std::string& client) {
  nlohmann::ordered_json line = {
      {"recording", recording.id}, {"client", client}, {"verdict", name_of(proof.kind)}};
  if (!proof.reason.empty()) line["reason"] = visible(proof.reason);
  if (proof.witness) {
    const prove::Witness& witness = *proof.witness;
    line["cases"] = {case_id(recording.id, client, witness.common),
                     case_id(recording.id, client, witness.cuts())};
    line["cut"] = witness.cut;
    line["output"] = {witness.without.body.size(), witness.with.body.size()};
    line["differs"] = first_different_byte(witness.without.body, witness.with.body);
  }
  print_json(line);
}

}  // namespace splitproof::cli
