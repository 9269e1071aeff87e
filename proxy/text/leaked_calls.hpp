#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "proxy/text/call_json.hpp"
#include "proxy/text/call_places.hpp"
#include "proxy/text/functions.hpp"
#include "proxy/text/held_text.hpp"
#include "proxy/text/line_call.hpp"
#include "proxy/text/tag_call.hpp"

namespace splitproof::text {

/// Text, or a call in its place.
using TextPiece = std::variant<std::string, WrittenCall>;

/// Finds the calls in one text, which comes in pieces: those of declared functions, written in one of the grammars of
/// markup_grammar.hpp or as JSON, where they count (see CallPlaces). From left to right the first possible reading wins; what is no call is
/// text to the byte.
///
/// It reads byte by byte, and where a call fails goes back to the byte behind its first. State and output are a function of
/// the bytes alone, however they were cut. No byte is read more than some forty times, whatever comes: calls in tags share
/// what they have in common (see ParameterRun), and those in JSON are so deep at most. At most kMostBytes of a call, and as
/// much white space before it, are held.
class LeakedCalls {
 public:
  /// Takes the next piece and appends what is certain.
  void feed(std::string piece, const Functions& functions, std::vector<TextPiece>& pieces);

  /// The text is over. The next piece begins another.
  void finish(const Functions& functions, std::vector<TextPiece>& pieces);

  /// How many times a byte was read.
  std::uint64_t reads() const { return reads_; }

  bool operator==(const LeakedCalls&) const = default;

 private:
  using Candidate = std::variant<TagCall, JsonCall, FencedCall>;

  std::size_t end() const { return begin_ + held_.size(); }
  void read(const Functions& functions, std::vector<TextPiece>& pieces);
  void skip(std::size_t plain);
  void forget();
  void read_plain(char c);
  bool begin_candidate(char c);
  void try_on(char c, const Functions& functions, std::vector<TextPiece>& pieces);
  void give_up();
  void accept(std::size_t behind, std::vector<TextPiece>& pieces);
  void end_wrapper(std::size_t behind);
  void step_behind(std::size_t behind);
  std::size_t line() const { return at_ - places_.indent(); }
  std::size_t certain() const;
  void say(std::size_t to, std::vector<TextPiece>& pieces);

  std::string held_;
  std::size_t begin_ = 0;  // of what is held
  std::size_t said_ = 0;   // all before it was said, or left out
  std::size_t at_ = 0;     // the next byte to read
  std::size_t tried_ = 0;  // no call begins before it
  std::optional<Candidate> candidate_;
  ParameterRuns runs_;
  CallPlaces places_;
  bool behind_call_ = false;  // white space alone came since a call
  std::size_t blanks_ = 0;    // how much
  int wrapper_ = -1;          // around that call, and others of its grammar alone
  std::uint64_t reads_ = 0;
};

}  // namespace splitproof::text
