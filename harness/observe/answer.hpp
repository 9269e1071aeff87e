#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/observe/error_class.hpp"

namespace splitproof::observe {

enum class PartKind : std::uint8_t {
  text,
  thinking,
  refusal,
  call,
  other  ///< what only one dialect has, as JSON in `text`; `type` says what
};

/// One thing that an answer holds, its pieces joined.
struct Part {
  PartKind kind = PartKind::text;
  std::string text;         ///< of prose; empty only of thinking that is signed
  std::string signature;    ///< of thinking: the last one sent
  std::string id;           ///< of a call; empty where the provider sent none
  std::string name;         ///< of a call; empty where the provider sent none
  std::string arguments;    ///< of a call: all pieces, raw
  bool custom = false;      ///< of a call: its tool takes text, and `arguments` is that
  std::string wrapped;      ///< of such a call that is expected: the arguments that the text was taken out of
  std::uint64_t rank = 0;   ///< of a call: the provider's own number for it, else that of its first sight
  std::uint64_t begun = 0;  ///< of a call that is expected: how many calls had begun before it
  bool ended = true;        ///< false where the dialect says when a part ends, and did not
  std::string type{};       ///< of another kind: the provider's word for it
  bool id_open = false;     ///< of a call: the provider gave it a second id later, and either will do

  bool operator==(const Part&) const = default;
};

/// Why an answer ended, in one vocabulary for all dialects.
enum class FinishKind : std::uint8_t {
  stop,
  calls,
  length,
  filter,
  paused,     ///< the server paused a long turn: it goes on if the client sends the answer back
  breakdown,  ///< an error: the provider says that generation failed
  unknown     ///< a word that contracts/vocabulary/finish.yaml does not have
};

/// Whether the answer was cut short.
constexpr bool cuts_short(FinishKind kind) {
  return kind == FinishKind::length || kind == FinishKind::filter;
}

/// Why an answer ended.
struct FinishReason {
  FinishKind kind = FinishKind::unknown;
  std::string word;  ///< the provider's own, in lower case
  /// What said it also stands in the middle of answers: it counts only where the body ended properly, with its final chunk.
  bool if_complete = false;

  bool operator==(const FinishReason&) const = default;
};

/// Token counts as a provider gives them; none where never said.
struct Tokens {
  std::optional<std::uint64_t> prompt;       ///< all input tokens, those of caches included
  std::optional<std::uint64_t> cached;       ///< of these, read from a cache
  std::optional<std::uint64_t> completion;   ///< output tokens
  std::optional<std::uint64_t> reasoning{};  ///< of these, those of thinking
  std::optional<std::uint64_t> total{};      ///< all, in the provider's own word for it
  std::optional<std::uint64_t> written{};    ///< of the prompt, written to a cache
  std::optional<std::uint64_t> unclear{};    ///< read from a cache; the prompt may hold them or not

  bool operator==(const Tokens&) const = default;
};

/// What an answer says, whatever the events and bytes it was dealt out in: of an upstream, or as a client assembles it.
struct Answer {
  std::string model;              ///< empty where never named
  bool begins_with_text = false;  ///< what came first of any part, a call's first piece included, was text
  std::vector<Part> parts;  ///< calls with id and name stand where both were known; other calls at the end
  std::vector<std::size_t>
      begun;  ///< of the calls among the parts, once it has ended: how many had begun before each
  std::optional<FinishReason> finish;  ///< where the closing mark alone ends an answer, it comes with that
  bool done = false;  ///< the closing mark was seen, perhaps behind an error: nothing after it counts
  std::optional<std::string>
      error;  ///< the provider reported an error, or sent what cannot be read: nothing after counts
  ErrorClasses error_classes;  ///< of an error that the provider reported
  Tokens usage;
  std::map<std::string, std::string>
      extra;  ///< notes that only one dialect has, by what a sentence calls them: "the citations of block 2"
  std::set<std::string>
      shapes;  ///< what was seen that a translator can trip over; rules ask for it by `given`

  bool operator==(const Answer&) const = default;
};

/// What contracts/lossy.yaml calls a part: `text`, `thinking`, `refusal`, `call` or `custom_call`; one of another kind by
/// its type.
std::string kind_of(const Part& part);

/// What it calls the parts and notes of an answer: `signature`, and other notes by the words for them, without which part
/// they belong to: "citations"; each of several members by itself: "members.caller".
std::set<std::string> kinds_of(const Answer& answer);
std::set<std::string> notes_of(const Answer& answer);

/// The note without its article and its part: "citations" of "the citations of block 2".
std::string note_of(const std::string& what);

/// Removes the notes of members that nothing reads: "the delta.images", and those of usage. They stand in an event, not in a part, so other
/// legal forms of the same stream need not have them in the same events.
void forget_unread(Answer& answer);

/// What a sentence calls the sides of a comparison.
struct NormalisedAnswers {
  std::string a = "on one side";
  std::string b = "on the other";
};

/// One sentence on the first difference between two answers, naming `a`'s side first; empty exactly when they are equal.
std::string describe_difference(const Answer& a, const Answer& b, const NormalisedAnswers& sides = {});

/// What two answers must agree in where servers choose ids, signatures and the words of errors anew: prose in one part or
/// in several is the same, an id stands for its place in the order of ids, and of an error only that there is one counts.
Answer canonical_form(Answer answer);

}  // namespace splitproof::observe
