#pragma once

#include <string_view>
#include <vector>

#include "harness/contract/obligation.hpp"
#include "harness/testee/testee.hpp"

namespace splitproof::campaign {

inline constexpr std::string_view kSameWhole = "META-01";
inline constexpr std::string_view kSameBytes = "META-03";
inline constexpr std::string_view kSameMeaning = "META-04";
inline constexpr std::string_view kApart = "META-05";
inline constexpr std::string_view kAtOnce = "SSE-15";
inline constexpr std::string_view kCrashed = "RUN-01";
inline constexpr std::string_view kHung = "RUN-02";
inline constexpr std::string_view kGarbage = "RUN-03";

/// The obligations that no contract can state, since a contract judges one stream: those that compare observations with
/// each other, or what was said with when it was, and that there is a stream to judge (RUN, of testees outside this
/// process only).
const std::vector<contract::Obligation>& meta_obligations();

/// The one with this id, which must be one of the above.
const contract::Obligation& meta_obligation(std::string_view id);

/// Whether a verdict says something about a stream, or that there was none where there should have been one. That outputs
/// agree with each other, that a testee went on running, or that the transport was in order says nothing about what they
/// said.
bool says_something(const contract::Obligation& obligation, contract::Verdict verdict);

/// What a violation weighs. A testee outside this process may choose its bytes anew for each answer, so that they are
/// the same is no more than `info` there.
contract::Level level_for(const contract::Obligation& obligation, const testee::Traits& testee);

}  // namespace splitproof::campaign
