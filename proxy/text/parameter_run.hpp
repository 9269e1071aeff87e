#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>

#include "proxy/text/markup_grammar.hpp"

namespace splitproof::text {

/// The pairs of key and value of a call, up to its closing tag, byte by byte. Offsets are those in the text.
///
/// Whoever reads a call whose opening tag stands in a value of this run meets the end of that value, and from there on reads
/// the very same pairs:
///
///   <invoke name="f"><parameter name="a">x<invoke name="f"><parameter name="b">y</parameter> ... </invoke>
///                   |------------ value of a, and from its own place value of b -|-- the same for both --|
///
/// So a run is kept while calls in it fail, one after the other, and no byte of it is read again.
class ParameterRun {
 public:
  struct Pair {
    std::string key;
    std::size_t value_begin = 0;
    std::size_t value_end = 0;
    std::size_t behind = 0;  // its closing tag
    bool operator==(const Pair&) const = default;
  };

  /// Begins at `begin`, where white space, a key's tag or the closing tag of the call has to stand.
  ParameterRun(GrammarId id, std::size_t begin) : id_(id), begin_(begin), at_(begin) {}

  /// Takes the byte at `at()`.
  void take(char c);

  std::size_t at() const { return at_; }
  bool dead() const { return stage_ == Stage::dead; }    ///< no call ends so
  bool whole() const { return stage_ == Stage::whole; }  ///< the closing tag ends at `at()`
  bool in_value() const { return stage_ == Stage::value; }

  /// A key has just ended.
  bool has_key() const { return value_begin_ == at_; }

  /// A call that begins here, with its pairs behind, reads pairs of this run.
  bool covers(std::size_t call) const;

  /// The number of the pair whose value a value that begins here ends with; the pairs behind it are common.
  std::size_t meets(std::size_t value_begin) const;

  /// The key and the begin of the value that is being read.
  const std::string& key() const { return key_; }
  std::size_t value_begin() const { return value_begin_; }

  /// A pair by its number. One that ended before the offset given to `forget` is no more.
  const Pair& pair(std::size_t number) const { return pairs_[number - forgotten_]; }
  std::size_t pairs() const { return forgotten_ + pairs_.size(); }

  /// No key stands twice in the pairs from this number on, and `own`, if it is not empty, in none of them. A key whose value
  /// has not ended counts, too.
  bool distinct(std::size_t from, std::string_view own) const;

  /// No call that begins before this offset is asked for any more.
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
  std::size_t forgotten_ = 0;                             // pairs that are no more
  std::size_t last_end_ = 0;                              // behind the last pair
  std::map<std::string, std::size_t, std::less<>> last_;  // the last pair of each key
  std::size_t distinct_from_ = 0;                         // no key stands twice behind
};

}  // namespace splitproof::text
