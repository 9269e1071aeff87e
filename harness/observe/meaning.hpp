#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace splitproof::observe {

enum class PartKind : std::uint8_t { text, thinking, refusal, call };

/// One thing that an answer holds, its pieces joined.
struct Part {
  PartKind kind = PartKind::text;
  std::string text;         ///< of prose, never empty
  std::string signature;    ///< of thinking: the last one sent
  std::string id;           ///< of a call; empty where the provider sent none
  std::string name;         ///< of a call; empty where the provider sent none
  std::string arguments;    ///< of a call: all pieces, raw
  std::uint64_t rank = 0;   ///< of a call: the provider's own number for it, else that of its first sight
  std::uint64_t begun = 0;  ///< of a call that is expected: how many calls had begun before it

  bool operator==(const Part&) const = default;
};

/// Token counts as a provider gives them; none where never said.
struct Tokens {
  std::optional<std::uint64_t> prompt;      ///< all input tokens, cached ones included
  std::optional<std::uint64_t> cached;      ///< of these, read from a cache
  std::optional<std::uint64_t> completion;  ///< output tokens

  bool operator==(const Tokens&) const = default;
};

/// What a provider's answer says, whatever the events and bytes it was dealt out in.
struct Meaning {
  std::string model;              ///< empty where never named
  bool begins_with_text = false;  ///< what came first of any part, a call's first piece included, was text
  std::vector<Part> parts;  ///< calls with id and name stand where both were known; other calls at the end
  std::vector<std::size_t>
      begun;  ///< of the calls among the parts, once it has ended: how many had begun before each
  std::optional<std::string> finish;  ///< why it stopped, in the provider's word, in lower case
  bool done = false;  ///< the closing mark was seen, perhaps behind an error: nothing after it counts
  std::optional<std::string>
      error;  ///< the provider reported an error, or sent what cannot be read: nothing after counts
  Tokens usage;
  std::set<std::string>
      shapes;  ///< what was seen that a translator can trip over; rules ask for it by `given`

  bool operator==(const Meaning&) const = default;
};

}  // namespace splitproof::observe
