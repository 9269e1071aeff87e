#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "harness/dialect/stream_draft.hpp"

/// Functions that several tables of flaws use to read and change drafts.
namespace splitproof::dialect::gemini {

inline constexpr const char* kPart = "/candidates/0/content/parts/0";
inline constexpr const char* kText = "/candidates/0/content/parts/0/text";
inline constexpr const char* kThought = "/candidates/0/content/parts/0/thought";
inline constexpr const char* kSignature = "/candidates/0/content/parts/0/thoughtSignature";
inline constexpr const char* kCall = "/candidates/0/content/parts/0/functionCall";
inline constexpr const char* kReason = "/candidates/0/finishReason";

/// Returns the first event from `from` with a value at this field, or the draft's size.
std::size_t with(const Draft& draft, const char* field, std::size_t from = 0);

/// Returns the first event with a text that is not a thought, or the draft's size.
std::size_t text_event(const Draft& draft);

/// Sets a field of the first event that has `having`. Returns false without such an event.
bool set_at(Draft& draft, const char* having, const std::string& field, std::string_view value);

/// Inserts a frame with these parts before `event`. Returns false if the first frame has no parts.
bool add_parts(Draft& draft, std::size_t event, std::string_view parts);

}  // namespace splitproof::dialect::gemini
