#pragma once

#include <span>
#include <vector>

#include "harness/dialect/self_test_words.hpp"

namespace splitproof::dialect {

// Each function is in its own file: members.cpp, logical_strings.cpp and so on.
std::span<const LogicalStringClass> chat_strand_classes();
std::vector<LogicalString> chat_strands(const Draft& draft);
std::span<const KnownMember> chat_members();
std::span<const StreamMutation> chat_flaws_of_calls();
std::span<const StreamMutation> chat_flaws_of_choices();
std::span<const StreamMutation> chat_flaws_of_ends();
std::span<const StreamMutation> chat_flaws_of_envelope();
std::span<const StreamMutation> chat_variations();

/// Implements SelfTestWords::decided.
observe::Answer decided_by_chat(const observe::Trace& trace);

}  // namespace splitproof::dialect
