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

/// A recorded upstream answer, as the rules of meaning know it under a profile.
class RecordedAnswer {
 public:
  /// Reads a recording. An Error names what is wrong with it. `contracts` must outlive what is returned.
  static Result<RecordedAnswer> load(const contract::Contracts& contracts, const std::string& path,
                                     contract::Profile profile);

  /// Judges a stream that a translator made of the answer. An Error says that clients of this protocol cannot be read.
  Result<std::vector<contract::Judged>> judge(std::string_view protocol, const observe::Trace& trace) const;

 private:
  RecordedAnswer() = default;

  const contract::Contracts* contracts_ = nullptr;
  contract::Profile profile_;
  std::map<std::string, observe::Expected, std::less<>> expected_;   // by the client's protocol
  std::map<std::string, observe::Renaming, std::less<>> renamings_;  // likewise
  std::string protocol_;                                             // of the upstream
  observe::Trace upstream_;
};

}  // namespace splitproof::falsify
