#pragma once

#include <span>
#include <vector>

#include "harness/dialect/self_test_words.hpp"

namespace splitproof::dialect {

// Each function is in its own file: members.cpp, logical_strings.cpp and so on.
std::span<const LogicalStringClass> converse_strand_classes();
std::vector<LogicalString> converse_strands(const Draft& draft);
std::span<const KnownMember> converse_members();
std::span<const StreamMutation> converse_flaws();
std::span<const StreamMutation> converse_variations();

/// Implements SelfTestWords::decided.
observe::Answer decided_by_converse(const observe::Trace& trace);

}  // namespace splitproof::dialect
