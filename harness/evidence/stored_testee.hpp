#pragma once

#include <string>
#include <vector>

#include "harness/evidence/evidence_file.hpp"
#include "harness/testee/testee.hpp"

namespace splitproof::evidence {

/// The testee that evidence is of, as far as it was seen: what it made of an exchange is looked up. So everything that
/// judges a testee can judge it again, without running anything.
class StoredTestee final : public testee::Testee {
 public:
  /// `evidence` must outlive it.
  explicit StoredTestee(const Evidence& evidence) : evidence_(evidence) {}

  std::string name() const override { return evidence_.target; }
  std::string client() const override { return evidence_.client; }
  std::string upstream() const override { return evidence_.upstream; }
  bool over_http() const override { return evidence_.over_http; }
  bool outside() const override { return evidence_.outside; }
  const std::vector<std::string>& cannot() const override { return evidence_.cannot; }

  /// What was seen of the exchange as its upstream's body arrived, that is of an exhibit of no cases of its own with the
  /// same body and ending, cut alike where there are several. An exchange that was not seen is `skipped`.
  testee::Observation observe(const testee::Exchange& exchange) const override;

 private:
  const Evidence& evidence_;
};

}  // namespace splitproof::evidence
