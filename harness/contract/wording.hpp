#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "harness/contract/pointer.hpp"
#include "harness/contract/reading.hpp"
#include "harness/contract/slicing.hpp"
#include "harness/contract/verdict.hpp"

namespace splitproof::contract {

/// `message:` of a clause: one sentence on a violation of it, with holes that are filled from the stream.
///
///   {/pointer} {@event} {^/pointer}   the value in the event that breaks the rule
///   {first}                           the other event that the violation is about: "event 3 (ping, line 9)"
///   {first/pointer} {first@event}     its value there
///   {key}                             the value of `per:` that this slice has
///   {found} {wanted}                  what a rule on fields read, and what it asks for
///   {field}                           which field that was, as a pointer
///   {words./pointer}                  a text about the two meanings that are compared (Documents::words)
///
/// `message:` is one sentence, or a map of two: `event` where an event breaks the rule, and `end` where the stream ended
/// without what had to come; there an event that breaks the rule does not exist, and its values cannot be asked for. The
/// other event of `never` is the one that the match begins at; of `finally` the one before, in its slice; of an order
/// the one compared with; of joined text the last of its class.
class Wording {
 public:
  /// What a form of rule can fill in.
  struct Offers {
    bool first = false;
    bool values = false;  ///< found and wanted
    bool field = false;
    bool end = false;    ///< it can be violated by the end of the stream
    bool key = false;    ///< it has `per:`
    bool words = false;  ///< it compares what was expected with what came
  };

  /// `message` is null if missing. Throws Mistake for a hole that does not exist, or that the rule
  /// cannot fill.
  static Wording parse(const YamlNode* message, const Offers& offers);

  /// Whether the clause has words for a violation at an event, or at the end.
  bool says_at_event() const { return !event_.empty(); }
  bool says_at_end() const { return !end_.empty(); }

  /// The sentence on a violation, and on one at the end; empty where there is none, and where it asks for values that the
  /// violation does not have, such as the joined text of fragments that are no text.
  std::string tell(const ClauseResult& outcome, const Reading& reading, const Slices& slices,
                   const Context& context) const;

 private:
  struct Piece {
    enum class Kind : std::uint8_t { text, here, first, first_value, key, field, found, wanted, words };
    Kind kind = Kind::text;
    std::string text;   ///< text
    Field field;        ///< here, first_value
    Pointer pointer{};  ///< words
  };
  using Sentence = std::vector<Piece>;

  static Sentence parse_sentence(const YamlNode& node, const Offers& offers, bool at_end);
  static Piece parse_hole(const std::string& hole, const YamlNode& node, const Offers& offers, bool at_end);

  Sentence event_;
  Sentence end_;
};

/// What people call an event: its `event:` line, else its `type` or its `object`, else the beginning of its data.
std::string title_of(const observe::Event& event);

/// An event as a message names it: "event 5 (ping, line 13)". Numbers count from the trace's first_event.
std::string place_of(const Reading& reading, std::size_t subject);

}  // namespace splitproof::contract
