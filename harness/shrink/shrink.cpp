#include "harness/shrink/shrink.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/campaign/case_lab.hpp"
#include "harness/campaign/meta.hpp"
#include "harness/dialect/registry.hpp"
#include "harness/observe/answer.hpp"
#include "harness/shrink/fewer_events.hpp"
#include "harness/shrink/pieces.hpp"
#include "harness/shrink/reduce.hpp"
#include "harness/split/generator.hpp"
#include "harness/split/plan.hpp"
#include "harness/split/recut.hpp"

namespace splitproof::shrink {
namespace {

using campaign::Case;
using contract::Judged;
using contract::Verdict;
using recording::Recording;
using results::Upstream;

// Common omissions and effects of joining two events. They do not justify keeping an event.
constexpr std::array<std::string_view, 7> kOrdinary = {
    "no_usage",  "no_role",      "finish_with_content", "usage_with_finish", "several_calls_one_chunk",
    "done_came", "thinking_only"};

bool is_ordinary(std::string_view shape) {
  return std::find(kOrdinary.begin(), kOrdinary.end(), shape) != kOrdinary.end();
}

bool compares(std::string_view rule) {
  return rule == campaign::kSameBytes || rule == campaign::kSameMeaning;
}

/// A recording and its candidate cases; the first failing one is used.
struct Setup {
  Recording recording;  ///< Body and arrivals of the draft.
  std::vector<Case> forms;
  bool has_cuts = true;  ///< The arrivals are the cuts; otherwise the forms contain the cuts.
};

/// A case with its verdicts.
using Attempt = campaign::JudgedCase;

/// Properties that a smaller stream must share with the original.
struct Limits {
  std::optional<observe::FinishReason> finish;
  bool done = false;
  bool error = false;
  std::optional<observe::Failure> failure;
  std::set<std::string> shapes;
  std::set<std::string> musts;  ///< Violated rules.
};

const Judged* violation_of(const Attempt& trial, std::string_view rule) {
  const auto found = std::find_if(trial.all.begin(), trial.all.end(), [&](const Judged& judged) {
    return judged.obligation->id == rule && judged.verdict == Verdict::violated;
  });
  return found == trial.all.end() ? nullptr : &*found;
}

Candidate draft_of(const Upstream& upstream) { return {upstream.body, upstream.cuts}; }

class Shrinker {
 public:
  Shrinker(const testee::Testee& testee, const ShrinkSettings& settings)
      : testee_(testee), settings_(settings), traits_(testee.traits()) {}

  Result<Shrunk> run(const Recording& recording, const Case& one) {
    if (one.turn != campaign::Turn::first) {
      return tl::unexpected(
          Error{"splitproof cannot shrink a second turn, because its request contains the whole answer",
                {},
                0,
                "replay it, or shrink another case of the recording"});
    }
    auto upstream = campaign::upstream_of(one, recording);
    if (!upstream) return tl::unexpected(upstream.error());
    if (auto known = know_failure(recording, one); !known) return tl::unexpected(known.error());
    const Framing framing = dialect::format_of(recording.protocol).framing;
    const Size from{count_events(upstream->body, framing), upstream->body.size(), upstream->cuts.size()};

    // An uncut stream is compared with its original chunks.
    if (compares(rule_) && upstream->cuts.empty()) {
      Case as_arrived = one;
      as_arrived.split = Case().split;
      upstream->cuts = campaign::upstream_of(as_arrived, recording).value().cuts;
    }
    Setup setup = carried_out(recording, one, *upstream);
    const bool possible = !upstream->leave_at && begin(setup);
    if (!possible) {
      setup = as_it_is(recording, one);
      if (!begin(setup)) return tl::unexpected(lost_or("shows " + rule_ + " only sometimes"));
    }
    const Candidate first{setup_.recording.body, cuts_of(setup_.recording)};
    const dialect::UpstreamDialect* spoken = dialect::upstream_of(recording.protocol);
    const split::Rechunker* dealer = spoken != nullptr ? spoken->dealer() : nullptr;
    if (dealer != nullptr) settling_ = dealer->take_apart(first.body);

    Means means{passes(framing, spoken), {}, setup_.has_cuts};
    if (dealer != nullptr)
      means.rewriters.push_back(
          [&](const Candidate& draft) { return in_fewer_events(*dealer, draft, framing); });
    needs_cuts_ = setup_.has_cuts && !first.cuts.empty() && !compares(rule_) && is_whole_without(first);
    means.rewriters.push_back(
        [framing](const Candidate& draft) { return with_events_joined(draft, framing); });
    const StillFails fails = [this](const Candidate& draft) { return still_fails(draft); };
    const Reduced recut = reduce(first, fewest_cuts(recording.protocol), fails, settings_.most_tries);
    limits_ = limits_of(*best_);
    const Reduced reduced = reduce(recut.draft, means, fails, settings_.most_tries - recut.tries);
    drop_features();
    if (!lost_.empty()) return tl::unexpected(lost_or(""));

    Attempt& trial = *best_;
    Shrunk shrunk;
    shrunk.judged = *violation_of(trial, rule_);
    shrunk.recording = std::move(setup_.recording);
    shrunk.one = std::move(trial.one);
    shrunk.upstream = std::move(trial.upstream);
    shrunk.reading = std::move(trial.reading);
    shrunk.seen = std::move(trial.seen);
    shrunk.from = from;
    shrunk.to = {count_events(shrunk.upstream.body, framing), shrunk.upstream.body.size(),
                 setup_.has_cuts ? cuts_of(shrunk.recording).size() : shrunk.upstream.cuts.size()};
    shrunk.tries = recut.tries + reduced.tries;
    shrunk.exhausted = recut.exhausted || reduced.exhausted || stopped_;
    return shrunk;
  }

 private:
  // Runs the original case and stores its failure.
  Result<void> know_failure(const Recording& recording, const Case& one) {
    const int attempts = testee_.traits().outside ? 2 : 1;
    for (int attempt = 0; attempt < attempts; ++attempt) {
      campaign::Seen seen(testee_);
      campaign::CaseLab lab = lab_of(recording, seen);
      const auto trial = run_case(lab, one);
      if (!trial) return tl::unexpected(lost_or("does not exist"));
      const auto found = std::find_if(trial->all.begin(), trial->all.end(), [&](const Judged& judged) {
        if (judged.verdict != Verdict::violated) return false;
        if (!settings_.rule.empty()) return judged.obligation->id == settings_.rule;
        return campaign::level_for(*judged.obligation, traits_) == contract::Level::must;
      });
      if (found == trial->all.end()) continue;
      rule_ = found->obligation->id;
      failure_ = found->violation;
      return {};
    }
    const std::string what = settings_.rule.empty() ? "no `must`" : "no " + settings_.rule;
    return tl::unexpected(
        Error{"on " + traits_.name + " the case " + campaign::to_string(one) + " violates " + what,
              {},
              0,
              settings_.rule.empty() ? "name a rule with --rule" : ""});
  }

  Error lost_or(const std::string& what) const {
    if (!lost_.empty()) return {"target " + traits_.name + " is not available: " + lost_, {}, 0, {}};
    return {"the case " + what, {}, 0, {}};
  }

  // Returns the upstream body of the case as a recording, with the same cuts.
  Setup carried_out(const Recording& recording, const Case& one, const Upstream& upstream) const {
    Setup setup{recording, {Case{recording.id, traits_.client}}};
    setup.recording.end = upstream.end;
    if (upstream.status) setup.recording.status = *upstream.status;
    // Like the judge: features and expectations describe the undamaged body.
    if (one.alteration() != campaign::Alteration::none) {
      setup.recording.features.clear();
      setup.recording.expect.reset();
    }
    if (one.withheld() && traits_.reads_socket()) {
      setup.forms.front().split = split::Withheld{};
      setup.has_cuts = false;
    } else if (compares(rule_)) {
      setup.forms.push_back(setup.forms.front());
      setup.forms.back().split = split::Whole{};
    }
    put(setup.has_cuts ? draft_of(upstream) : Candidate{upstream.body, {}}, setup.recording);
    return setup;
  }

  // Keeps the original form: recut and fault are applied again to every smaller recording.
  Setup as_it_is(const Recording& recording, const Case& one) const {
    Setup setup{recording, {one}, false};
    setup.forms.front().client = traits_.client;
    return setup;
  }

  static void put(const Candidate& draft, Recording& recording) {
    recording.body = draft.body;
    recording.arrivals.clear();
    for (const std::size_t cut : draft.cuts) recording.arrivals.push_back({0, cut});
    if (!draft.body.empty()) recording.arrivals.push_back({0, draft.body.size()});
    recording.ended_at = 0;
  }

  static split::Cuts cuts_of(const Recording& recording) {
    split::Cuts cuts;
    for (const recording::Arrival& arrival : recording.arrivals)
      if (arrival.end < recording.body.size()) cuts.push_back(arrival.end);
    return cuts;
  }

  // Starts with this setup if it shows the failure.
  bool begin(const Setup& setup) {
    setup_ = setup;
    limits_.reset();
    auto trial = show_twice(setup_.recording);
    if (!trial) return false;
    if (setup_.recording.expect) {
      // Its expectation is about the whole body, not a part.
      setup_.recording.expect.reset();
      if (auto without = show_twice(setup_.recording)) {
        trial = std::move(without);
      } else {
        setup_.recording.expect = setup.recording.expect;
        only_cuts_ = true;
      }
    }
    best_ = std::move(trial);
    return true;
  }

  // Fewer cuts do not change the upstream's content. With fewer cuts other rules may fail, so this runs
  // before the violated rules are fixed.
  Means fewest_cuts(const std::string& protocol) const {
    const auto one_of_them = [protocol](const Candidate& draft) {
      std::vector<Candidate> all;
      if (draft.cuts.size() < 2) return all;
      const split::Subject subject = split::survey(draft.body, {}, dialect::format_of(protocol));
      for (const split::Generator& generator : split::plan(subject, {0, 0, false})) {
        const auto cuts = split::generate(generator, subject);
        if (cuts && cuts->size() == 1) all.push_back({draft.body, *cuts});
      }
      return all;
    };
    if (!setup_.has_cuts) return {{}, {}, false};
    return {{}, {one_of_them}, true};
  }

  Limits limits_of(const Attempt& trial) const {
    const campaign::UpstreamReading& reading = trial.reading;
    Limits limits{reading.meaning.finish,   reading.meaning.done,    reading.meaning.error.has_value(),
                  reading.expected.failure, reading.expected.shapes, violated_musts(trial)};
    limits.shapes.insert(reading.meaning.shapes.begin(), reading.meaning.shapes.end());
    return limits;
  }

  std::set<std::string> violated_musts(const Attempt& trial) const {
    std::set<std::string> ids;
    for (const Judged& judged : trial.all) {
      if (judged.verdict == Verdict::violated &&
          campaign::level_for(*judged.obligation, traits_) == contract::Level::must)
        ids.insert(judged.obligation->id);
    }
    return ids;
  }

  bool ends_as_it_did(const campaign::UpstreamReading& reading) const {
    const observe::Answer& said = reading.meaning;
    if (said.finish != limits_->finish || said.done != limits_->done ||
        said.error.has_value() != limits_->error || reading.expected.failure != limits_->failure)
      return false;
    const auto is_known = [&](const std::string& shape) {
      return limits_->shapes.contains(shape) || is_ordinary(shape);
    };
    return std::all_of(said.shapes.begin(), said.shapes.end(), is_known) &&
           std::all_of(reading.expected.shapes.begin(), reading.expected.shapes.end(), is_known);
  }

  campaign::CaseLab lab_of(const Recording& recording, campaign::Seen& seen) const {
    return {*settings_.contracts, *settings_.profile, traits_, recording, std::ref(seen)};
  }

  // Runs a case. Returns nullopt if the recording lacks it, the stream violates the limits or the testee is
  // lost.
  std::optional<Attempt> run_case(campaign::CaseLab& lab, const Case& one) {
    Result<Attempt> trial = lab.open(one);
    if (!trial || (limits_ && !ends_as_it_did(trial->reading))) return std::nullopt;
    lab.run(*trial);
    if (trial->seen.ending == testee::Ending::unavailable) {
      lost_ = trial->seen.detail;
      return std::nullopt;
    }
    return *std::move(trial);
  }

  // Returns the first form that shows the failure.
  std::optional<Attempt> show(const Recording& recording) {
    campaign::Seen seen(testee_);
    campaign::CaseLab lab = lab_of(recording, seen);
    for (const Case& form : setup_.forms) {
      Case one = form;
      if (one.fault) one.fault->at = std::min(one.fault->at, recording.body.size());
      auto trial = run_case(lab, one);
      if (!trial) continue;
      const Judged* judged = violation_of(*trial, rule_);
      if (judged == nullptr || !is_failure(*judged)) continue;
      const std::set<std::string> musts = violated_musts(*trial);
      if (limits_ && !std::includes(limits_->musts.begin(), limits_->musts.end(), musts.begin(), musts.end()))
        continue;
      return trial;
    }
    return std::nullopt;
  }

  std::optional<Attempt> show_twice(const Recording& recording) {
    for (int attempt = testee_.traits().outside ? 1 : 0;; --attempt) {
      auto trial = show(recording);
      if (!trial || attempt == 0) return trial;
    }
  }

  bool is_failure(const Judged& judged) const {
    const contract::Violation& violation = judged.violation;
    return violation.clause == failure_.clause && violation.field == failure_.field &&
           violation.fault.empty() == failure_.fault.empty() &&
           (!settings_.is_same || settings_.is_same(judged));
  }

  // True if the uncut draft does not show the failure.
  bool is_whole_without(const Candidate& draft) {
    Recording whole = setup_.recording;
    put({draft.body, {}}, whole);
    campaign::Seen seen(testee_);
    campaign::CaseLab lab = lab_of(whole, seen);
    const auto limits = std::exchange(limits_, std::nullopt);
    const auto trial = run_case(lab, setup_.forms.front());
    limits_ = limits;
    return trial && violation_of(*trial, rule_) == nullptr;
  }

  bool still_fails(const Candidate& draft) {
    if (!lost_.empty() || stopped_) return false;
    if (settings_.stop && settings_.stop()) {
      stopped_ = true;
      return false;
    }
    if (needs_cuts_ && draft.cuts.empty()) return false;
    Recording smaller = setup_.recording;
    const Candidate sent = settled(draft);
    put(sent, smaller);
    auto trial = show_twice(smaller);
    if (!trial || (needs_cuts_ && !is_whole_without(sent))) return false;
    best_ = std::move(trial);
    setup_.recording = std::move(smaller);
    return true;
  }

  // Updates fields that depend on all events, such as numbers. A cut keeps its offset within its event.
  Candidate settled(const Candidate& draft) const {
    if (!settling_) return draft;
    split::Recut recut;
    const Framing framing = dialect::format_of(setup_.recording.protocol).framing;
    for (const Piece& event : event_pieces(draft.body, framing)) {
      const PieceRange& range = event.front();
      recut.append(std::string_view(draft.body).substr(range.begin, range.end - range.begin));
    }
    const split::Recut made = settling_->settled(recut);
    if (made.body == recut.body || made.arrivals.size() != recut.arrivals.size()) return draft;
    Candidate put_right{made.body, {}};
    for (const std::size_t cut : draft.cuts) {
      const auto event = static_cast<std::size_t>(
          std::upper_bound(recut.arrivals.begin(), recut.arrivals.end(), cut) - recut.arrivals.begin());
      const std::size_t begin = event == 0 ? 0 : recut.arrivals[event - 1];
      const std::size_t now = event == 0 ? 0 : made.arrivals[event - 1];
      const std::size_t place = std::min(now + (cut - begin), made.body.size() - 1);
      if (put_right.cuts.empty() || put_right.cuts.back() < place) put_right.cuts.push_back(place);
    }
    return put_right;
  }

  std::vector<ReductionPass> passes(Framing framing, const dialect::UpstreamDialect* spoken) const {
    if (only_cuts_) return {};
    const auto is_said = [this, spoken](const Candidate& draft) {
      std::vector<std::string> said;
      if (spoken == nullptr) return said;
      const observe::Answer answer =
          dialect::read(*spoken, draft.body, observe::choices_of(settings_.profile->knobs));
      for (const observe::Part& part : answer.parts)
        for (const std::string* text : {&part.text, &part.signature, &part.id, &part.name, &part.arguments})
          said.push_back(*text);
      said.push_back(answer.model);
      if (answer.error) said.push_back(*answer.error);
      return said;
    };
    return {
        [framing](const Candidate& draft) { return std::vector<Pieces>{event_pieces(draft.body, framing)}; },
        [framing](const Candidate& draft) { return std::vector<Pieces>{line_pieces(draft.body, framing)}; },
        [framing](const Candidate& draft) { return member_pieces(draft.body, framing); },
        [framing, is_said](const Candidate& draft) {
          const std::vector<std::string> said = is_said(draft);
          return text_pieces(draft.body, framing, [&said](std::string_view text) {
            return std::any_of(said.begin(), said.end(), [text](const std::string& whole) {
              return whole.find(text) != std::string::npos;
            });
          });
        },
        [framing](const Candidate& draft) { return halved_pieces(draft.body, framing); }};
  }

  // Features describe the whole body. Drops those that the failure does not need.
  void drop_features() {
    if (!lost_.empty() || stopped_) return;
    const auto try_with = [this](std::vector<std::string> features) {
      Recording other = setup_.recording;
      other.features = std::move(features);
      auto trial = show_twice(other);
      if (!trial) return false;
      best_ = std::move(trial);
      setup_.recording = std::move(other);
      return true;
    };
    if (setup_.recording.features.empty() || try_with({})) return;
    for (std::size_t i = setup_.recording.features.size(); i-- > 0;) {
      std::vector<std::string> fewer = setup_.recording.features;
      fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
      try_with(std::move(fewer));
    }
  }

  const testee::Testee& testee_;
  const ShrinkSettings& settings_;
  const testee::Traits traits_;
  std::string rule_;
  contract::Violation failure_;
  Setup setup_;  // the smallest so far
  std::optional<Limits> limits_;
  std::optional<Attempt> best_;  // result for the smallest so far
  std::unique_ptr<const split::Parts> settling_;
  bool needs_cuts_ = false;
  bool only_cuts_ = false;
  bool stopped_ = false;
  std::string lost_;
};

}  // namespace

Result<Shrunk> shrink(const testee::Testee& testee, const recording::Recording& recording,
                      const campaign::Case& one, const ShrinkSettings& settings) {
  return Shrinker(testee, settings).run(recording, one);
}

}  // namespace splitproof::shrink
