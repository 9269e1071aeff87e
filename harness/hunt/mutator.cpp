#include "harness/hunt/mutator.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>
#include <variant>

#include "harness/campaign/upstream.hpp"
#include "harness/dialect/registry.hpp"
#include "harness/split/event_edit.hpp"
#include "harness/split/recut.hpp"
#include "harness/split/seam.hpp"

namespace splitproof::hunt {
namespace {

using campaign::Case;
using campaign::Fault;
using campaign::Turn;
using split::SplitMix64;

constexpr int kMostChanges = 4;
constexpr int kMostTries = 20;
constexpr std::size_t kDonors = 3;
constexpr std::size_t kMostEditsOfCase = 6;

template <class Values>
const auto& some(const Values& values, SplitMix64& random) {
  return values[random.below(values.size())];
}

// Returns the upstream of a case without cuts; nullopt if the recording lacks the case.
std::optional<campaign::Upstream> whole_upstream(Case one, const recording::Recording& recording) {
  one.split = split::Whole{};
  auto upstream = campaign::upstream_of(one, recording);
  if (!upstream) return std::nullopt;
  return *std::move(upstream);
}

// Returns an offset at a seam: of a kind that is drawn first, as most seams are of few kinds.
std::size_t draw_seam(const std::vector<split::Seam>& seams, SplitMix64& random) {
  std::vector<split::SeamKind> kinds;
  for (const split::Seam& seam : seams)
    if (std::find(kinds.begin(), kinds.end(), seam.kind) == kinds.end()) kinds.push_back(seam.kind);
  const split::SeamKind kind = some(kinds, random);
  std::vector<std::size_t> offsets;
  for (const split::Seam& seam : seams)
    if (seam.kind == kind) offsets.push_back(seam.offset);
  return some(offsets, random);
}

// Returns the next seam after a cut, or before it.
std::size_t neighbour(const std::vector<split::Seam>& seams, std::size_t cut, bool forward) {
  std::size_t found = cut;
  for (const split::Seam& seam : seams) {
    if (!forward && seam.offset < cut) found = seam.offset;
    if (forward && seam.offset > cut) return seam.offset;
  }
  return found;
}

std::vector<std::string> edits_in(const std::string& label) {
  std::vector<std::string> edits;
  for (std::size_t begin = 0; !label.empty() && begin <= label.size();) {
    const std::size_t end = std::min(label.find('+', begin), label.size());
    edits.push_back(label.substr(begin, end - begin));
    begin = end + 1;
  }
  return edits;
}

std::string joined_edits(const std::vector<std::string>& edits) {
  std::string label;
  for (const std::string& edit : edits) label += (label.empty() ? "" : "+") + edit;
  return label;
}

// Removes the cuts that a changed body lacks.
void trim_cuts(Case& one, std::size_t size) {
  auto* at = std::get_if<split::AtCuts>(&one.split);
  if (at == nullptr) return;
  std::erase_if(at->cuts, [size](std::size_t cut) { return cut >= size; });
  if (at->cuts.empty()) one.split = split::Whole{};
}

}  // namespace

Mutator::Mutator(const std::vector<const recording::Recording*>& recordings, const testee::Traits& traits)
    : traits_(traits), recordings_(recordings) {
  for (const recording::Recording* recording : recordings) {
    by_id_.emplace(recording->id, recording);
    by_protocol_[recording->protocol].push_back(recording);
  }
}

const recording::Recording& Mutator::recording_of(const Case& one) const { return *by_id_.at(one.recording); }

std::vector<Case> Mutator::seeds() const {
  std::vector<Case> all;
  for (const split::Generator& split :
       {split::Generator(split::AsRecorded{}), split::Generator(split::Whole{}),
        split::Generator(split::ByteByByte{})})
    for (const recording::Recording* recording : recordings_) {
      Case one;
      one.recording = recording->id;
      one.client = traits_.client;
      one.split = split;
      all.push_back(std::move(one));
    }
  return all;
}

Case Mutator::mutate(const Case& one, const Case& other, SplitMix64& random) const {
  for (int tries = 0; tries < kMostTries; ++tries) {
    Case changed = one;
    const std::uint64_t changes = 1 + random.below(kMostChanges);
    for (std::uint64_t i = 0; i < changes; ++i) change(changed, other, random);
    if (changed == one) continue;
    const auto whole = whole_upstream(changed, recording_of(one));
    if (!whole) continue;
    trim_cuts(changed, whole->body.size());
    if (changed != one && campaign::upstream_of(changed, recording_of(one))) return changed;
  }
  return one;
}

void Mutator::change(Case& one, const Case& other, SplitMix64& random) const {
  const std::uint64_t kind = random.below(20);
  if (kind < 9) return change_cuts(one, random);
  if (kind < 16) return change_edits(one, other, random);
  if (kind < 17) return change_recut(one, random);
  if (kind < 19) return change_fault(one, random);
  change_turn(one, random);
}

void Mutator::change_cuts(Case& one, SplitMix64& random) const {
  const recording::Recording& recording = recording_of(one);
  const auto whole = whole_upstream(one, recording);
  if (!whole || whole->body.size() < 2) return;
  const std::uint64_t kind = random.below(8);
  if (kind == 0) {
    std::vector<split::Generator> others{split::AsRecorded{}, split::Whole{}, split::ByteByByte{},
                                         split::AtEvents{},
                                         split::AtRandom{random.below(1000), random.below(1000)}};
    if (traits_.over_http) others.push_back(split::Withheld{});
    one.split = some(others, random);
    return;
  }
  split::Cuts cuts;
  if (const auto* at = std::get_if<split::AtCuts>(&one.split)) cuts = at->cuts;
  std::erase_if(cuts, [&](std::size_t cut) { return cut >= whole->body.size(); });
  const auto seams = split::find_seams(whole->body, dialect::format_of(recording.protocol));
  if (kind < 5 || cuts.empty()) {
    if (cuts.size() < kMostCutsOfCase) cuts.push_back(draw_seam(seams, random));
  } else if (kind == 5) {
    cuts.erase(cuts.begin() + static_cast<std::ptrdiff_t>(random.below(cuts.size())));
  } else {
    std::size_t& cut = cuts[random.below(cuts.size())];
    // A second cut a few bytes later makes a short chunk.
    const std::size_t near = cut + 1 + random.below(8);
    if (random.below(3) != 0)
      cut = neighbour(seams, cut, random.below(2) == 0);
    else if (near < whole->body.size() && cuts.size() < kMostCutsOfCase)
      cuts.push_back(near);
  }
  std::sort(cuts.begin(), cuts.end());
  cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
  one.split = split::Whole{};
  if (!cuts.empty()) one.split = split::AtCuts{std::move(cuts)};
}

std::vector<std::string> Mutator::donors(const std::string& protocol, SplitMix64& random) const {
  std::vector<std::string> events;
  const auto known = by_protocol_.find(protocol);
  for (std::size_t i = 0; known != by_protocol_.end() && i < kDonors; ++i) {
    const auto all = split::events_of(some(known->second, random)->body, dialect::format_of(protocol));
    if (!all.empty()) events.push_back(some(all, random));
  }
  return events;
}

void Mutator::change_edits(Case& one, const Case& other, SplitMix64& random) const {
  const recording::Recording& recording = recording_of(one);
  std::vector<std::string> edits = edits_in(one.edit);
  const std::uint64_t kind = random.below(8);
  if (kind == 0 && !edits.empty()) {
    edits.erase(edits.begin() + static_cast<std::ptrdiff_t>(random.below(edits.size())));
  } else if (kind == 1 && !other.edit.empty()) {
    const auto others = edits_in(other.edit);
    edits.push_back(some(others, random));
  } else {
    if (kind == 2 && !edits.empty()) edits.pop_back();
    Case plain = one;
    plain.edit = joined_edits(edits);
    plain.recut.clear();
    plain.fault.reset();
    const auto upstream = whole_upstream(plain, recording);
    if (!upstream) return;
    const std::string edit = split::draw_edit(upstream->body, dialect::format_of(recording.protocol),
                                              donors(recording.protocol, random), random);
    if (!edit.empty()) edits.push_back(edit);
  }
  if (edits.size() > kMostEditsOfCase) edits.erase(edits.begin());
  one.edit = joined_edits(edits);
}

void Mutator::change_recut(Case& one, SplitMix64& random) const {
  const recording::Recording& recording = recording_of(one);
  const split::Rechunker* dealer = dialect::dealer_of(recording.protocol);
  if (dealer == nullptr || (!one.recut.empty() && random.below(2) == 0)) {
    one.recut.clear();
    return;
  }
  Case plain = one;
  plain.recut.clear();
  plain.fault.reset();
  const auto upstream = whole_upstream(plain, recording);
  if (!upstream) return;
  const split::Recuts recuts(*dealer, upstream->body);
  one.recut = some(recuts.plan(4, false, random.below(1000)), random);
}

void Mutator::change_fault(Case& one, SplitMix64& random) const {
  if (one.fault && random.below(2) == 0) {
    one.fault.reset();
    return;
  }
  Case plain = one;
  plain.fault.reset();
  const auto upstream = whole_upstream(plain, recording_of(one));
  if (!upstream || upstream->body.empty()) return;
  // Silence costs a server's whole timeout, and only a client over HTTP can leave.
  std::vector<Fault::Kind> kinds{Fault::Kind::close, Fault::Kind::reset, Fault::Kind::flip};
  kinds.push_back(traits_.over_http ? Fault::Kind::leave : Fault::Kind::stall);
  Fault fault;
  fault.kind = some(kinds, random);
  const auto seams = split::find_seams(upstream->body, dialect::format_of(recording_of(one).protocol));
  fault.at =
      seams.empty() || random.below(4) == 0 ? random.below(upstream->body.size()) : draw_seam(seams, random);
  if (fault.kind == Fault::Kind::flip) fault.flips = static_cast<std::uint8_t>(1U << random.below(8));
  one.fault = fault;
}

void Mutator::change_turn(Case& one, SplitMix64& random) const {
  if (one.turn != Turn::first) {
    one.turn = Turn::first;
    return;
  }
  if (campaign::answered_in_one_word(recording_of(one).protocol) == nullptr) return;
  constexpr std::array kTurns = {Turn::second, Turn::reversed, Turn::third};
  one.turn = some(kTurns, random);
  // The turn's answer is another body.
  one.edit.clear();
  one.recut.clear();
  one.fault.reset();
  one.split = Case().split;
}

}  // namespace splitproof::hunt
