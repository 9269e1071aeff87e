#pragma once

#include <span>
#include <vector>

#include "harness/dialect/self_test_words.hpp"

namespace splitproof::dialect {

// Each function is in its own file: members.cpp, logical_strings.cpp and so on.
std::span<const LogicalStringClass> anthropic_strand_classes();
std::vector<LogicalString> anthropic_strands(const Draft& draft);
std::span<const KnownMember> anthropic_members();
std::span<const StreamMutation> anthropic_flaws_of_blocks();
std::span<const StreamMutation> anthropic_flaws_of_ends();
std::span<const StreamMutation> anthropic_flaws_of_results();
std::span<const StreamMutation> anthropic_flaws_of_usage();
std::span<const StreamMutation> anthropic_variations();

/// Implements SelfTestWords::decided.
observe::Answer decided_by_anthropic(const observe::Trace& trace);

}  // namespace splitproof::dialect
