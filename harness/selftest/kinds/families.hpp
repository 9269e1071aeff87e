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

/// The kinds of a protocol, as its families add to them.
class KindList {
 public:
  /// `words` must outlive the kinds.
  explicit KindList(const dialect::SelfTestWords& words) : words_(words) {}

  const dialect::SelfTestWords& words() const { return words_; }

  /// Adds "NAME@APPLIED_TO", or "NAME" where that is empty.
  void add(std::string_view family, const Operator& operation, std::string_view applied_to,
           std::function<ChangedBodies(const Draft&)> make);

  std::vector<Kind> take() && { return std::move(kinds_); }

 private:
  const dialect::SelfTestWords& words_;
  std::vector<Kind> kinds_;
};

/// Adds a kind for each scene.
void add_scenes(KindList& kinds, std::span<const dialect::StreamMutation> scenes);

// One file each, with its tables: harness/selftest/kinds/wire.cpp and its like.
void add_wire_kinds(KindList& kinds);      ///< lines and bytes around the data
void add_event_kinds(KindList& kinds);     ///< events that are lost, come twice, or elsewhere
void add_foreign_kinds(KindList& kinds);   ///< events that another protocol has, or none
void add_member_kinds(KindList& kinds);    ///< members that are not there, or of another type
void add_name_kinds(KindList& kinds);      ///< names of tools, and ids
void add_prose_kinds(KindList& kinds);     ///< words for people
void add_argument_kinds(KindList& kinds);  ///< what tools are called with
void add_piece_kinds(KindList& kinds);     ///< what comes in pieces
void add_repeat_kinds(KindList& kinds);    ///< what is said again
void add_legal_kinds(KindList& kinds);     ///< what may vary

}  // namespace splitproof::selftest
