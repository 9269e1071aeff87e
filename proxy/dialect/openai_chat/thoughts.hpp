#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "proxy/dialect/said.hpp"
#include "proxy/turn/event.hpp"
#include "proxy/wire/json.hpp"

namespace splitproof::proxy::dialect {

/// Reads the thinking of a Chat Completions stream, thought by thought.
///
/// The same thinking may come under several keys of one delta. The first key with something new counts. The lists
/// `reasoning_details` (OpenRouter) and `thinking_blocks` (LiteLLM) divide it into thoughts:
///
/// - An entry with a signature ends its thought. A signature without any thinking is a thought by itself. It is left
///   out if it comes too late, after text or a call that followed its thought.
/// - In `reasoning_details`, another `index` is another thought.
/// - Thinking that only Anthropic can read is a thought by itself. If only another provider can read it, it is left
///   out.
/// - A list that repeats thinking as a whole is a snapshot. It only signs the current thought.
/// - A list may come a delta after the text that it repeats. It too only signs the current thought.
class ChatThoughts {
 public:
  /// `most`: limit of signed or sealed thoughts. One more is a failure.
  explicit ChatThoughts(std::size_t most) : most_(most) {}

  /// Reads the thinking keys of a delta, and appends their events.
  void read(const wire::Json& delta, std::vector<turn::Event>& events);

  /// Takes a piece of thinking from another key.
  void take(std::string_view key, std::string text, std::vector<turn::Event>& events);

  /// Takes a signature that came under another key. It ends the current thought.
  void take_signature(std::string signature, std::vector<turn::Event>& events) {
    sign(std::move(signature), false, events);
  }

  /// Text or a call follows.
  void interrupt() { thinks_ = false; }

  bool operator==(const ChatThoughts&) const = default;

 private:
  using Events = std::vector<turn::Event>;

  struct Entry {
    std::string text;
    std::string signature;
    std::string sealed;  // thinking that only its provider can read
    std::optional<std::uint64_t> index;

    bool says_something() const { return !text.empty() || !signature.empty() || !sealed.empty(); }
  };

  struct List {
    std::string_view key;
    std::vector<Entry> entries;
    std::string text;            // of all entries
    std::size_t ends = 0;        // entries that are signed or sealed
    std::string last_signature;  // empty: none is signed
    bool repeats = false;        // it is a snapshot
  };

  static List details(const wire::Json& list);
  static List blocks(const wire::Json& list);
  static void add(Entry entry, List& list);

  bool take_unlisted(std::string_view text, std::string_view listed);
  bool repeats(const List& list) const;
  bool says_last_thoughts(const List& list) const;
  void walk(List& list, Events& events);
  void read_ends(List& list, Events& events);
  void say(std::string text, Events& events);
  void sign(std::string signature, bool is_another, Events& events);
  void seal(std::string data, Events& events);
  bool is_new(std::string_view text, Events& events);

  std::size_t most_;
  std::vector<Said> thoughts_;  // thoughts with a text
  Said all_thoughts_;
  Said unlisted_;                       // Thinking outside of lists, since the last list.
  bool thinks_ = false;                 // The last thought may go on.
  bool unsigned_ = false;               // The last thought has no signature yet.
  std::optional<std::uint64_t> index_;  // Index of the last thought.
  std::string under_;                   // Key of the last piece.
  std::size_t pieces_ = 0;
  std::set<std::uint64_t> marks_;  // of signatures and of what is sealed
};

}  // namespace splitproof::proxy::dialect
