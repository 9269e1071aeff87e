#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>

#include "proxy/text/markup_grammar.hpp"

namespace splitproof::text {

/// The key-value pairs of a call up to its closing tag, byte by byte. Offsets count from the start of the text.
///
/// A second call may open inside a value of this run. After the end of that value, both calls have the same pairs:
///
///     <invoke name="f"><parameter name="a">x<invoke name="f"><parameter name="b">y</parameter> ... </invoke>
///                   |------------ value of a, with value of b in it -----------|-- the same for both --|
///
/// So a run is kept while calls in it fail one after another, and no byte is read again.
class ParameterRun {
 public:
  struct Pair {
    std::string key;
    std::size_t value_begin = 0;
    std::size_t value_end = 0;
    std::size_t behind = 0;  // after its closing tag
    bool operator==(const Pair&) const = default;
  };

  /// Begins at `begin`, which needs white space, a key's tag or the call's closing tag.
  ParameterRun(GrammarId id, std::size_t begin) : id_(id), begin_(begin), at_(begin) {}

  /// Takes the byte at `at()`.
  void take(char c);

  std::size_t at() const { return at_; }
  bool dead() const { return stage_ == Stage::dead; }    ///< no call can end this way
  bool whole() const { return stage_ == Stage::whole; }  ///< the closing tag ends at `at()`
  bool in_value() const { return stage_ == Stage::value; }

  /// True if a key has just ended.
  bool has_key() const { return value_begin_ == at_; }

  /// True if a call at this offset shares pairs of this run.
  bool covers(std::size_t call) const;

  /// Returns the index of the pair whose value has the same end as a value from here. Later pairs are common.
  std::size_t meets(std::size_t value_begin) const;

  /// Key and beginning of the current value.
  const std::string& key() const { return key_; }
  std::size_t value_begin() const { return value_begin_; }

  /// Returns a pair by its index. Pairs that ended before the offset of `forget` no longer exist.
  const Pair& pair(std::size_t number) const { return pairs_[number - forgotten_]; }
  std::size_t pairs() const { return forgotten_ + pairs_.size(); }

  /// True if no key repeats in the pairs from this index on, and none is `own`, unless that is empty. An unfinished
  /// pair counts.
  bool distinct(std::size_t from, std::string_view own) const;

  /// Drops pairs for calls before this offset.
  void forget(std::size_t before);

  bool operator==(const ParameterRun&) const = default;

 private:
  enum class Stage : std::uint8_t { between, tag, key, key_end, gap, value_open, value, dead, whole };

  void take_key(char c);
  void begin_value();
  void end_value(std::size_t tag_size);

  GrammarId id_;
  std::size_t begin_;
  std::size_t at_;
  Stage stage_ = Stage::between;
  TagMatch tag_;
  std::string key_;
  std::size_t value_begin_ = 0;
  std::deque<Pair> pairs_;
  std::size_t forgotten_ = 0;                             // dropped pairs
  std::size_t last_end_ = 0;                              // after the last pair
  std::map<std::string, std::size_t, std::less<>> last_;  // last pair of each key
  std::size_t distinct_from_ = 0;                         // no key repeats from here on
};

}  // namespace splitproof::text
