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

/// Finds the calls in one text, in pieces: calls of declared functions in a grammar of markup_grammar.hpp or as JSON,
/// in places that count (see CallPlaces). The first possible reading from the left wins. Everything else stays text,
/// byte by byte.
///
/// If a call fails, reading continues after its first byte. State and output depend only on the bytes, not on their
/// chunks. No byte is read more than some forty times: calls in tags share their pairs (see ParameterRun), and JSON has
/// a limited depth. At most kMostBytes of a call are held, and as much white space before it.
class LeakedCalls {
 public:
  /// Takes the next piece and appends the certain output.
  void feed(std::string piece, const Functions& functions, std::vector<TextPiece>& pieces);

  /// The text is over. The next piece begins another.
  void finish(const Functions& functions, std::vector<TextPiece>& pieces);

  /// Returns the number of byte reads, repetitions included.
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
  std::size_t begin_ = 0;  // offset of the held text
  std::size_t said_ = 0;   // end of the text that has left
  std::size_t at_ = 0;     // next byte to read
  std::size_t tried_ = 0;  // no call begins before it
  std::optional<Candidate> candidate_;
  ParameterRuns runs_;
  CallPlaces places_;
  bool behind_call_ = false;  // only white space has come since a call
  std::size_t blanks_ = 0;    // its size
  int wrapper_ = -1;          // around that call and others of its grammar
  std::uint64_t reads_ = 0;
};

}  // namespace splitproof::text
