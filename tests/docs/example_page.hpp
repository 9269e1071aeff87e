#pragma once

#include <cstddef>
#include <functional>
#include <set>
#include <string>

#include "harness/campaign/variations.hpp"
#include "harness/contract/contracts.hpp"
#include "harness/contract/profile.hpp"
#include "harness/testee/testee.hpp"

namespace splitproof::campaign {

using Ids = std::set<std::string>;

/// Claims of a page of docs/ about an example testee: recordings on which it conforms, and findings on others.
/// Campaigns over these recordings check them.
class ExamplePage {
 public:
  /// `file` is a page of docs/, and `heading` the line of the section with the claims.
  ExamplePage(const std::string& file, const std::string& heading);

  const contract::Profile& profile() const { return profile_; }

  /// Returns the violated `must` obligations on one recording of the corpus, for a short plan.
  Ids findings(const testee::Testee& testee, const std::string& recording, const Trials& trials,
               unsigned jobs) const;

  using Find = std::function<Ids(const std::string& recording)>;

  /// Expects no findings on the recordings of the sentence with this beginning.
  void expect_to_conform(const std::string& sentence, const Find& find) const;

  /// Expects, for each recording of the table, all findings in its row before `end`, a place in the row.
  void expect_to_be_found_out(const std::function<std::size_t(const std::string& row)>& end,
                              const Find& find) const;

 private:
  const std::string text_;
  const contract::Contracts contracts_;
  const contract::Profile profile_;
};

}  // namespace splitproof::campaign
