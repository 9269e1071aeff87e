#pragma once

#include <span>
#include <vector>

#include "harness/dialect/self_test_words.hpp"

namespace splitproof::dialect {

// Each function is in its own file: members.cpp, logical_strings.cpp and so on.
std::span<const LogicalStringClass> gemini_strand_classes();
std::vector<LogicalString> gemini_strands(const Draft& draft);
std::span<const KnownMember> gemini_members();
std::span<const StreamMutation> gemini_flaws_of_parts();
std::span<const StreamMutation> gemini_flaws_of_calls();
std::span<const StreamMutation> gemini_flaws_of_ends();
std::span<const StreamMutation> gemini_variations();

/// Implements SelfTestWords::decided.
observe::Answer decided_by_gemini(const observe::Trace& trace);

}  // namespace splitproof::dialect
