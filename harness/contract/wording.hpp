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

/// `message:` of a clause: a sentence about its violation, with placeholders for values of the stream.
///
///   {/pointer} {@event} {^/pointer}   the value in the violating event
///   {first}                           the other event of the violation: "event 3 (ping, line 9)"
///   {first/pointer} {first@event}     its value there
///   {key}                             the slice's value of `per:`
///   {found} {wanted}                  actual and wanted value of a rule on fields
///   {field}                           the field, as a pointer
///   {words./pointer}                  a text about the compared meanings (Documents::words)
///
/// `message:` is one sentence, or a map of two. `event` is for a violating event. `end` is for a stream that
/// ended too early; it has no event, so its values are not available. The other event is: for `never` the
/// beginning of the match, for `finally` the previous event in the slice, for an order the compared event,
/// for joined text the last of its class.
class Wording {
 public:
  /// Placeholders that a form of rule supports.
  struct Offers {
    bool first = false;
    bool values = false;  ///< found and wanted
    bool field = false;
    bool end = false;    ///< the end of the stream can violate it
    bool key = false;    ///< it has `per:`
    bool words = false;  ///< it compares the expected and the actual meaning
  };

  /// `message` is null if missing. Throws Mistake for a placeholder that is unknown or that the rule
  /// does not support.
  static Wording parse(const YamlNode* message, const Offers& offers);

  /// True if the clause has a sentence for a violation at an event, or at the end.
  bool says_at_event() const { return !event_.empty(); }
  bool says_at_end() const { return !end_.empty(); }

  /// Returns the sentence for a violation. Returns "" without a sentence, or if a value is missing, such as
  /// the joined text of fragments that are not text.
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

/// Returns an event's name: its `event:` line, `type` or `object`, or the beginning of its data.
std::string title_of(const observe::Event& event);

/// Returns an event's place in messages: "event 5 (ping, line 13)". Numbers count from the trace's
/// first_event.
std::string place_of(const Reading& reading, std::size_t subject);

}  // namespace splitproof::contract
