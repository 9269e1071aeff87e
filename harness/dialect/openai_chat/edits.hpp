#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "harness/dialect/stream_draft.hpp"

/// Functions that several tables of flaws use to read and change drafts.
namespace splitproof::dialect::chat_edits {

inline constexpr const char* kFinish = "/choices/0/finish_reason";
inline constexpr const char* kCall = "/choices/0/delta/tool_calls/0";
inline constexpr const char* kContent = "/choices/0/delta/content";

std::size_t with(const Draft& draft, const char* field, std::size_t from = 0);
std::size_t text_event(const Draft& draft);
/// Replaces each index of a list of choices or calls, in the whole body.
bool reindex(Draft& draft, const char* list_field, long long (*other)(long long index));
/// Inserts a chunk like the first, with this delta in its first choice, before `event`.
bool add_delta(Draft& draft, std::size_t event, std::string_view delta);
std::size_t behind(std::size_t event);

}  // namespace splitproof::dialect::chat_edits
