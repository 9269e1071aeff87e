#pragma once

#include <compare>
#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "harness/campaign/campaign.hpp"
#include "harness/campaign/case.hpp"
#include "harness/campaign/comparison.hpp"
#include "harness/campaign/deadlines.hpp"
#include "harness/campaign/digest.hpp"
#include "harness/campaign/judge.hpp"
#include "harness/campaign/reading.hpp"
#include "harness/campaign/upstream.hpp"
#include "harness/contract/judge.hpp"
#include "harness/evidence/evidence_file.hpp"

namespace splitproof::campaign {

/// One upstream body, and what is known of it before its cases are tried.
struct UpstreamBody {
  UpstreamReading reading;
  Baseline baseline;
  std::map<Digest, Deadlines> deadlines = {};  ///< of the downstream bodies seen so far
};

/// What was late in an observation of a case of this body. Nothing is due of one that stands for itself.
Timeliness timeliness_of(const Judge& judge, UpstreamBody& body, const Upstream& upstream,
                         const testee::Observation& seen);

/// The different ways in which the cases of one recording turned out: each is judged once.
class Outcomes {
 public:
  /// The judge must outlive it. With `keeps_evidence` each has an exhibit.
  Outcomes(const Judge& judge, bool keeps_evidence) : judge_(judge), keeps_evidence_(keeps_evidence) {}
  Outcomes(Outcomes&&) = default;  // no copies: outcomes point into what is kept

  /// `cases` of them turned out like this one.
  void add(const Case& one, const Upstream& upstream, UpstreamBody& body, const testee::Observation& seen,
           std::size_t cases = 1);

  bool empty() const { return outcomes_.empty(); }

  /// Forgets what was added, but which bodies there were.
  void begin_anew() {
    outcomes_.clear();
    known_.clear();
    kept_.clear();
    sound_.clear();
  }

  /// How many different downstream bodies there were.
  std::size_t bodies() const { return bodies_.size(); }

  /// One for each obligation, with its reproducer. None of no cases.
  std::vector<results::Row> rows() const;

  /// In the order in which they were first seen.
  std::vector<results::Behaviour> behaviours() const;

  /// One for each outcome, in the order of the cases by which they are shown.
  std::vector<evidence::StoredExchange> exhibits() const;

 private:
  struct Outcome {
    std::size_t cases = 0;
    Case shortest;                 // the first of those of its cases with fewest cuts
    std::size_t number = 0;        // of that case
    Upstream upstream;             // of that case; its body is kept where there is a violation to show
    std::set<std::string> shapes;  // of what the upstream said in it
    std::vector<const contract::Judged*> judged;  // contracts, then META, RUN, transport and what was asked
    bool shows = false;                           // a violation, the testee's own or one that it passes on
    std::string body;                             // downstream; kept where there is a violation to show
    evidence::StoredExchange exhibit;             // of that case

    auto rank() const {
      return std::pair(results::effort(true, shortest.fault.has_value(), shortest.recut.empty(), upstream),
                       number);
    }
  };

  // What makes two cases turn out alike: what came out and how, what was to come out, and whether something was held
  // back.
  struct DedupKey {
    Digest body;
    Digest said;
    Digest baseline;
    Judgeability judgeability;
    Timeliness timeliness;
    std::vector<contract::Verdict> beside;  // of transport and what was asked
    auto operator<=>(const DedupKey&) const = default;
  };

  results::Row row_of(std::size_t position) const;
  const contract::Judged* keep(contract::Judged judged);
  const std::vector<contract::Judged>& asked_in(const testee::Observation& seen);

  const Judge& judge_;
  const bool keeps_evidence_;
  std::size_t cases_ = 0;
  std::set<Digest> bodies_;
  std::map<DedupKey, std::size_t> known_;                  // positions in outcomes_
  std::map<Digest, std::vector<contract::Judged>> asked_;  // of all that was asked so far
  std::deque<contract::Judged> kept_;                      // of all outcomes; no place of it changes
  std::map<std::tuple<const contract::Obligation*, contract::Verdict, std::string>, const contract::Judged*>
      sound_;  // of these, what is no violation, once each
  std::vector<Outcome> outcomes_;
};

}  // namespace splitproof::campaign
