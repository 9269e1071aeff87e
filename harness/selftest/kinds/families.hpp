#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/dialect/self_test_words.hpp"
#include "harness/selftest/kinds/kind.hpp"

namespace splitproof::selftest {

using dialect::FieldRef;
using dialect::Operator;

/// What comes of what is no text where one belongs.
inline constexpr std::string_view kNoText = "a client that expects a text throws, or shows undefined";

/// Collects the kinds of a protocol from its families.
class KindList {
 public:
  /// `words` must outlive the kinds.
  explicit KindList(const dialect::SelfTestWords& words) : words_(words) {}

  const dialect::SelfTestWords& words() const { return words_; }

  /// Adds "NAME@APPLIED_TO", or "NAME" if `applied_to` is empty.
  void add(std::string_view family, const Operator& operation, std::string_view applied_to,
           std::function<ChangedBodies(const Draft&)> make);

  std::vector<Kind> take() && { return std::move(kinds_); }

 private:
  const dialect::SelfTestWords& words_;
  std::vector<Kind> kinds_;
};

/// Adds a kind for each scene.
void add_scenes(KindList& kinds, std::span<const dialect::StreamMutation> scenes);

// Each function is in its own file with its tables, such as harness/selftest/kinds/wire.cpp.
void add_wire_kinds(KindList& kinds);      ///< Lines and bytes around the data.
void add_event_kinds(KindList& kinds);     ///< Events that are lost, doubled or moved.
void add_foreign_kinds(KindList& kinds);   ///< Events of another protocol, or of none.
void add_member_kinds(KindList& kinds);    ///< Members that are missing or of another type.
void add_name_kinds(KindList& kinds);      ///< Names of tools, and ids.
void add_prose_kinds(KindList& kinds);     ///< Texts for people.
void add_argument_kinds(KindList& kinds);  ///< Arguments of tools.
void add_piece_kinds(KindList& kinds);     ///< Content in pieces.
void add_repeat_kinds(KindList& kinds);    ///< Repeated content.
void add_legal_kinds(KindList& kinds);     ///< Legal variations.

}  // namespace splitproof::selftest
