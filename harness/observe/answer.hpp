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
  other  ///< Something that only one dialect has, as JSON in `text`; `type` names it.
};

/// One thing that an answer holds, with its pieces joined.
struct Part {
  PartKind kind = PartKind::text;
  std::string text;         ///< Prose only; empty only in signed thinking.
  std::string signature;    ///< Thinking only: the last signature.
  std::string id;           ///< Calls only; empty if the provider sent none.
  std::string name;         ///< Calls only; empty if the provider sent none.
  std::string arguments;    ///< Calls only: all pieces joined, raw.
  bool custom = false;      ///< Calls only: the tool takes text, and `arguments` is this text.
  std::string wrapped;      ///< Expected custom calls only: the arguments that the text came from.
  std::uint64_t rank = 0;   ///< Calls only: the provider's number, or the number of its first appearance.
  std::uint64_t begun = 0;  ///< Expected calls only: the number of calls that had begun before.
  bool ended = true;        ///< False if the dialect marks the end of parts and this mark is missing.
  std::string type{};       ///< Other kinds only: the provider's name of the kind.
  bool id_open = false;     ///< Calls only: the provider sent a second id later, and both are valid.

  bool operator==(const Part&) const = default;
};

/// Reason for an answer's end, in one vocabulary for all dialects.
enum class FinishKind : std::uint8_t {
  stop,
  calls,
  length,
  filter,
  paused,     ///< The server paused a long turn; it continues if the client sends the answer back.
  breakdown,  ///< An error: the provider reports that generation failed.
  unknown     ///< A word that contracts/vocabulary/finish.yaml does not list.
};

/// True if the answer was cut short.
constexpr bool cuts_short(FinishKind kind) {
  return kind == FinishKind::length || kind == FinishKind::filter;
}

/// Reason for an answer's end.
struct FinishReason {
  FinishKind kind = FinishKind::unknown;
  std::string word;  ///< The provider's own word, in lower case.
  /// True if the word also occurs in the middle of answers. Then it counts only if the body ended properly.
  bool if_complete = false;

  bool operator==(const FinishReason&) const = default;
};

/// Token counts as a provider reports them. nullopt if it never reports them.
struct Tokens {
  std::optional<std::uint64_t> prompt;       ///< All input tokens, including those of caches.
  std::optional<std::uint64_t> cached;       ///< The part of `prompt` that was read from a cache.
  std::optional<std::uint64_t> completion;   ///< Output tokens.
  std::optional<std::uint64_t> reasoning{};  ///< The part of `completion` that is thinking.
  std::optional<std::uint64_t> total{};      ///< All tokens, if the provider reports the total.
  std::optional<std::uint64_t> written{};    ///< The part of `prompt` that was written to a cache.
  std::optional<std::uint64_t> unclear{};    ///< Cached tokens that `prompt` may include.

  bool operator==(const Tokens&) const = default;
};

/// Content of an answer, independent of its events and chunks: as an upstream sent it, or as a client
/// assembles it.
struct Answer {
  std::string model;              ///< Empty if never named.
  bool begins_with_text = false;  ///< The first piece of any part was text, and not of a call.
  std::vector<Part> parts;  ///< Calls with id and name are at the place where both were known; other calls
                            ///< are at the end.
  std::vector<std::size_t>
      begun;  ///< For each call of a finished answer: the number of calls that had begun before.
  std::optional<FinishReason> finish;  ///< If only the closing mark ends an answer, the mark sets it.
  bool done = false;  ///< The closing mark came, perhaps after an error; the reader ignores what follows.
  std::optional<std::string>
      error;  ///< The provider reported an error or sent something unreadable; the reader ignores what
              ///< follows.
  ErrorClasses error_classes;  ///< Classes of the error that the provider reported.
  Tokens usage;
  std::map<std::string, std::string>
      extra;  ///< Notes that only one dialect has, by their name in messages: "the citations of block 2".
  std::set<std::string> shapes;  ///< Features that can confuse a translator; rules ask for them with `given`.

  bool operator==(const Answer&) const = default;
};

/// Returns the name of a part in contracts/lossy.yaml: `text`, `thinking`, `refusal`, `call`, `custom_call`,
/// or the type of another kind.
std::string kind_of(const Part& part);

/// Return the names of an answer's parts and notes in contracts/lossy.yaml. A note's name omits its part:
/// "citations". Members have one name each: "members.caller".
std::set<std::string> kinds_of(const Answer& answer);
std::set<std::string> notes_of(const Answer& answer);

/// Returns the note without its article and its part: "citations" for "the citations of block 2".
std::string note_of(const std::string& what);

/// Removes notes on members that no reader knows, such as "the delta.images", including those of usage. They
/// belong to an event and not to a part. So other legal forms of the same stream may have them in other
/// events.
void forget_unread(Answer& answer);

/// Names of the two sides in messages.
struct NormalisedAnswers {
  std::string a = "on one side";
  std::string b = "on the other";
};

/// Returns one sentence on the first difference between two answers, `a` first. Returns "" if and only if
/// they are equal.
std::string describe_difference(const Answer& a, const Answer& b, const NormalisedAnswers& sides = {});

/// Returns the form in which two answers must agree if servers choose new ids, signatures and error messages.
/// Adjacent parts of prose are joined. Each id becomes its place in the order of ids. An error counts, but
/// not its message.
Answer canonical_form(Answer answer);

}  // namespace splitproof::observe
