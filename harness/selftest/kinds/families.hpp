#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/selftest/kinds/kind.hpp"

namespace splitproof::selftest {

/// What is done, whatever it is done to.
struct Operator {
  std::string_view name;
  Effect effect;
  std::string_view then;  ///< as in Kind
};

/// The kinds of a protocol, as its families add to them.
class KindList {
 public:
  explicit KindList(std::string_view protocol) : protocol_(protocol) {}

  std::string_view protocol() const { return protocol_; }

  /// Adds "NAME@APPLIED_TO", or "NAME" where that is empty.
  void add(std::string_view family, const Operator& operation, std::string_view applied_to,
           std::function<Bodies(const Draft&)> make);

  std::vector<Kind> take() && { return std::move(kinds_); }

 private:
  std::string_view protocol_;
  std::vector<Kind> kinds_;
};

// One file each, with its tables: harness/selftest/kinds/wire.cpp and its like.
void add_wire_kinds(KindList& kinds);       ///< lines and bytes around the data
void add_event_kinds(KindList& kinds);      ///< events that are lost, come twice, or elsewhere
void add_foreign_kinds(KindList& kinds);    ///< events that another protocol has, or none
void add_field_kinds(KindList& kinds);      ///< members that are not there, or of another type
void add_argument_kinds(KindList& kinds);   ///< what tools are called with
void add_name_kinds(KindList& kinds);       ///< names of tools, and ids
void add_prose_kinds(KindList& kinds);      ///< words for people
void add_piece_kinds(KindList& kinds);      ///< what comes in pieces
void add_repeat_kinds(KindList& kinds);     ///< what is said again
void add_anthropic_kinds(KindList& kinds);  ///< what Anthropic Messages alone can have wrong
void add_chat_kinds(KindList& kinds);       ///< what Chat Completions alone can have wrong
void add_responses_kinds(KindList& kinds);  ///< what Responses alone can have wrong
void add_legal_kinds(KindList& kinds);      ///< what may vary

}  // namespace splitproof::selftest
