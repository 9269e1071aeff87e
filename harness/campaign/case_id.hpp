#pragma once

#include <string>
#include <string_view>

#include "harness/result.hpp"

namespace splitproof::campaign {

/// Names one case: `RECORDING?client=PROTOCOL&GENERATOR`, where GENERATOR is a split's label (`cuts=12,340`,
/// `gen=seam:17`). A pure function of recording, generator and seed: every command that takes a case takes
/// this text.
struct CaseId {
  std::string recording;
  std::string client = "anthropic.messages";
  std::string split = "gen=recorded";

  bool operator==(const CaseId&) const = default;
};

std::string to_string(const CaseId& id);

/// Reads a case id. What is left out after the recording stands for the defaults above; an Error names a part
/// that no case has. Whether the recording and the split exist is not asked here.
Result<CaseId> parse_case_id(std::string_view text);

}  // namespace splitproof::campaign
