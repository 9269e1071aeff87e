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

/// What a page of docs/ says of an example testee: on which recordings it conforms, and what is found on others. Held
/// to what campaigns over these recordings find.
class ExamplePage {
 public:
  /// `file` is a page of docs/.
  explicit ExamplePage(const std::string& file);

  const contract::Profile& profile() const { return profile_; }

  /// The obligations that must be met and are not, on one recording of the corpus under a short plan.
  Ids findings(const testee::Testee& testee, const std::string& recording, const Trials& trials,
               unsigned jobs) const;

  using Find = std::function<Ids(const std::string& recording)>;

  /// Nothing is found on the recordings of the sentence that begins so.
  void expect_to_conform(const std::string& sentence, const Find& find) const;

  /// On each recording of the table, all is found that its row names before `end`, a place in the row.
  void expect_to_be_found_out(const std::function<std::size_t(const std::string& row)>& end,
                              const Find& find) const;

 private:
  const std::string text_;
  const contract::Contracts contracts_;
  const contract::Profile profile_;
};

}  // namespace splitproof::campaign
