#pragma once

#include <span>
#include <vector>

#include "harness/dialect/self_test_words.hpp"

namespace splitproof::dialect {

// One file each: members.cpp, strands.cpp and their like.
std::span<const StrandClass> chat_strand_classes();
std::vector<Strand> chat_strands(const Draft& draft);
std::span<const KnownMember> chat_members();
std::span<const Scene> chat_flaws_of_calls();
std::span<const Scene> chat_flaws_of_choices();
std::span<const Scene> chat_flaws_of_ends();
std::span<const Scene> chat_flaws_of_envelope();
std::span<const Scene> chat_variations();

/// See SelfTestWords::decided.
observe::Answer decided_by_chat(const observe::Trace& trace);

}  // namespace splitproof::dialect
