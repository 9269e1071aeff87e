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
#include <utility>
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

/// One upstream body with its reading and baseline.
struct UpstreamBody {
  UpstreamReading reading;
  Baseline baseline;
  std::map<Digest, Deadlines> deadlines = {};  ///< Deadlines of the downstream bodies seen so far.
};

/// Returns the late output of a case of this body. Nothing is due for a body with a fault.
Timeliness timeliness_of(const Judge& judge, UpstreamBody& body, const Upstream& upstream,
                         const testee::Observation& seen);

/// The distinct outcomes of the cases of one recording; each is judged once.
class Outcomes {
 public:
  /// The judge must outlive it. With `keeps_evidence` each outcome has an exhibit.
  Outcomes(const Judge& judge, bool keeps_evidence) : judge_(judge), keeps_evidence_(keeps_evidence) {}
  Outcomes(Outcomes&&) = default;  // no copies: outcomes point into kept verdicts

  /// Adds `cases` cases with this observation.
  void add(const Case& one, const Upstream& upstream, UpstreamBody& body, const testee::Observation& seen,
           std::size_t cases = 1);

  bool empty() const { return outcomes_.empty(); }

  /// Removes all outcomes, but keeps the count of bodies.
  void begin_anew() {
    outcomes_.clear();
    known_.clear();
    kept_.clear();
    sound_.clear();
  }

  /// Number of distinct downstream bodies.
  std::size_t bodies() const { return bodies_.size(); }

  /// Returns the distinct downstream bodies since the last call.
  std::vector<Digest> take_new_bodies() { return std::exchange(new_bodies_, {}); }

  /// Returns a row for each obligation, with its reproducer. Empty without cases.
  std::vector<results::Row> rows() const;

  /// Returns the behaviours in order of first occurrence.
  std::vector<results::Behaviour> behaviours() const;

  /// Returns one exhibit for each outcome, in the order of their cases.
  std::vector<evidence::StoredExchange> exhibits() const;

 private:
  using Effort = decltype(results::effort(true, false, true, {}));

  struct Outcome {
    std::size_t cases = 0;
    Case shortest;                 // its first case with the least effort to read
    Effort effort;                 // of that case
    std::size_t number = 0;        // of that case
    Upstream upstream;             // of that case; the body is kept only if there is a violation to show
    std::set<std::string> shapes;  // of the upstream's content
    std::vector<const contract::Judged*> judged;  // contracts, then META, RUN, transport and requests
    bool shows = false;                           // has a violation, the testee's own or one passed on
    std::string body;                             // downstream; kept only if there is a violation to show
    std::string client_request;                   // kept only if a rule about requests is violated
    std::string upstream_request;                 // the first one that violates such a rule
    evidence::StoredExchange exhibit;             // of that case

    auto rank() const { return std::pair(effort, number); }
  };

  // Key of cases with equal outcomes: output, expected output and late output.
  struct DedupKey {
    Digest body;
    Digest said;
    Digest baseline;
    Judgeability judgeability;
    Timeliness timeliness;
    std::vector<contract::Verdict> beside;  // of transport and requests
    auto operator<=>(const DedupKey&) const = default;
  };

  results::Row row_of(std::size_t position) const;
  const contract::Judged* keep(contract::Judged judged);
  const std::vector<contract::Judged>& asked_in(const testee::Observation& seen);

  const Judge& judge_;
  const bool keeps_evidence_;
  std::size_t cases_ = 0;
  std::set<Digest> bodies_;
  std::vector<Digest> new_bodies_;                         // since take_new_bodies()
  std::map<DedupKey, std::size_t> known_;                  // positions in outcomes_
  std::map<Digest, std::vector<contract::Judged>> asked_;  // by request key
  std::deque<contract::Judged> kept_;                      // of all outcomes; addresses are stable
  // Shared verdicts that are no violation.
  std::map<std::tuple<const contract::Obligation*, contract::Verdict, std::string>, const contract::Judged*>
      sound_;
  std::vector<Outcome> outcomes_;
};

}  // namespace splitproof::campaign
