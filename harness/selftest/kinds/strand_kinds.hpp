#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/dialect/self_test_words.hpp"
#include "harness/selftest/kinds/families.hpp"

namespace splitproof::selftest {

using dialect::LogicalString;
using dialect::LogicalStringClass;
using dialect::Repeat;
using dialect::StringKind;
using dialect::TextOperator;

/// Returns the strands of one class.
std::vector<LogicalString> strands_of(const dialect::SelfTestWords& words, const Draft& draft,
                                      std::string_view what);

/// Replaces a text by a JSON value that is not a text.
struct ValueOperator {
  Operator what;
  std::string_view value;
};

/// Adds a kind for each operator and each strand class of this nature.
void add_text_kinds(KindList& kinds, std::string_view family, StringKind nature,
                    std::span<const TextOperator> operators);
void add_value_kinds(KindList& kinds, std::string_view family, StringKind nature,
                     std::span<const ValueOperator> operators);

/// Returns the first half of a text, cut at a character.
std::string first_half(const std::string& text);

/// Returns the text with `piece` in the middle, between characters.
std::string with_inside(const std::string& text, std::string_view piece);

/// Returns the text with every `from` replaced.
std::string replaced_all(std::string text, std::string_view from, std::string_view to);

}  // namespace splitproof::selftest
