#pragma once

#include <span>
#include <vector>

#include "harness/dialect/self_test_words.hpp"

namespace splitproof::dialect {

// Each function is in its own file: members.cpp, logical_strings.cpp and so on.
std::span<const LogicalStringClass> responses_strand_classes();
std::vector<LogicalString> responses_strands(const Draft& draft);
std::span<const KnownMember> responses_members();
std::span<const StreamMutation> responses_flaws_of_ends();
std::span<const StreamMutation> responses_flaws_of_items();
std::span<const StreamMutation> responses_flaws_of_numbers();
std::span<const StreamMutation> responses_flaws_of_output();
std::span<const StreamMutation> responses_flaws_of_usage();
std::span<const StreamMutation> responses_variations();

/// Implements SelfTestWords::decided.
observe::Answer decided_by_responses(const observe::Trace& trace);

}  // namespace splitproof::dialect
