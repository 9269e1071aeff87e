#pragma once

#include <string>
#include <string_view>

#include "harness/result.hpp"

namespace splitproof::campaign {

/// Names one case: `RECORDING?client=PROTOCOL&recut=..&gen=..&fault=..`. A recut deals the recording's events out anew
/// (`recut=char`), a fault makes the upstream misbehave (`fault=reset@118`), and a split says where the body that comes
/// of both is cut (`cuts=12,340`, `gen=seam:17`). A pure function of recording, generators and seed: every command that
/// takes a case takes this text.
struct CaseId {
  std::string recording;
  std::string client = "anthropic.messages";
  std::string split = "gen=recorded";
  std::string recut = {};  ///< its label; empty: the events as they were recorded
  std::string fault = {};  ///< its label; empty: the upstream behaves as it was recorded

  bool operator==(const CaseId&) const = default;
};

/// The split is left out where it is `gen=recorded` and something else is said.
std::string to_string(const CaseId& id);

/// Reads a case id. What is left out after the recording stands for the defaults above; an Error names a part that no
/// case has, or that says nothing. Whether recording, recut, split and fault exist is not asked here.
Result<CaseId> parse_case_id(std::string_view text);

/// Whether `--only GLOB` means this case: the glob matches its id, or its recording's. An empty glob means every case.
bool fits(const std::string& glob, const CaseId& id);

}  // namespace splitproof::campaign
