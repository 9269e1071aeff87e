#pragma once

#include <string>
#include <string_view>

#include "harness/result.hpp"

namespace splitproof::campaign {

/// Names one case: `RECORDING?client=PROTOCOL&GENERATOR`, where GENERATOR is a split's label (`cuts=12,340`,
/// `gen=seam:17`). A pure function of recording, generator and seed: every command that takes a case takes this text.
struct CaseId {
  std::string recording;
  std::string client = "anthropic.messages";
  std::string split = "gen=recorded";

  bool operator==(const CaseId&) const = default;
};

std::string to_string(const CaseId& id);

/// Reads a case id. What is left out after the recording stands for the defaults above; an Error names a part that no
/// case has, or that says nothing. Whether the recording and the split exist is not asked here.
Result<CaseId> parse_case_id(std::string_view text);

/// Whether `--only GLOB` means this case: the glob matches its id, or its recording's. An empty glob means every case.
bool fits(const std::string& glob, const CaseId& id);

}  // namespace splitproof::campaign
