#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "harness/contract/contracts.hpp"
#include "harness/contract/judge.hpp"
#include "harness/contract/profile.hpp"
#include "harness/observe/expected.hpp"
#include "harness/observe/name_map.hpp"
#include "harness/observe/trace.hpp"
#include "harness/result.hpp"

namespace splitproof::falsify {

/// A recorded upstream answer, prepared for the rules of meaning under a profile.
class RecordedAnswer {
 public:
  /// Reads a recording. The Error names the defect. `contracts` must outlive the result.
  static Result<RecordedAnswer> load(const contract::Contracts& contracts, const std::string& path,
                                     contract::Profile profile);

  /// Judges a translator's stream for this answer. Returns an Error if the client protocol has no reader.
  Result<std::vector<contract::Judged>> judge(std::string_view protocol, const observe::Trace& trace) const;

 private:
  RecordedAnswer() = default;

  const contract::Contracts* contracts_ = nullptr;
  contract::Profile profile_;
  std::map<std::string, observe::Expected, std::less<>> expected_;   // by the client's protocol
  std::map<std::string, observe::Renaming, std::less<>> renamings_;  // by the client's protocol
  std::string protocol_;                                             // of the upstream
  observe::Trace upstream_;
};

}  // namespace splitproof::falsify
