#pragma once

#include <span>
#include <vector>

#include "harness/dialect/self_test_words.hpp"

namespace splitproof::dialect {

// One file each: members.cpp, strands.cpp and their like.
std::span<const StrandClass> responses_strand_classes();
std::vector<Strand> responses_strands(const Draft& draft);
std::span<const KnownMember> responses_members();
std::span<const Scene> responses_flaws_of_ends();
std::span<const Scene> responses_flaws_of_items();
std::span<const Scene> responses_flaws_of_numbers();
std::span<const Scene> responses_flaws_of_output();
std::span<const Scene> responses_flaws_of_usage();
std::span<const Scene> responses_variations();

/// See SelfTestWords::decided.
observe::Answer decided_by_responses(const observe::Trace& trace);

}  // namespace splitproof::dialect
