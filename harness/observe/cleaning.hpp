#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/observe/answer.hpp"
#include "harness/observe/functions.hpp"
#include "harness/observe/markup_place.hpp"
#include "harness/observe/markup_tags.hpp"

namespace splitproof::observe {

/// What a text holds that looks like a call and is none.
struct MarkupLeft {
  bool in_code =
      false;  ///< a call where none counts: in code, a quote or a result, explained, behind what is left open
  bool undeclared = false;  ///< a call of a function that nobody declared
  bool unclosed = false;    ///< a call of a declared one that is never closed

  bool operator==(const MarkupLeft&) const = default;
};

/// Reads calls that come as text, as docs/leaked-markup.md has them, in the text of one part. What it says of a whole text
/// is the measure for every filter that reads it in pieces: it looks as far ahead as it likes.
///
/// It stops at the first byte that it cannot tell yet. So it can be asked again once more text has come, and goes on there.
class Cleaning {
 public:
  /// Bytes of the text, from one to before another.
  struct Span {
    std::size_t begin = 0;
    std::size_t end = 0;

    std::size_t size() const { return end - begin; }
    bool operator==(const Span&) const = default;
  };

  struct Call {
    Span before;            ///< the text between it and the one before; empty where all of that is left out
    std::size_t begin = 0;  ///< of what goes with it: its wrapper, and white space
    std::size_t end = 0;
    std::string name;
    std::string arguments;

    bool operator==(const Call&) const = default;
  };

  /// Reads `text`, which begins with what was read before; `whole`: no more of it comes.
  void read(std::string_view text, const DeclaredFunctions& functions, bool whole);

  /// The calls so far.
  const std::vector<Call>& calls() const { return calls_; }

  /// What is text for certain behind the last call.
  Span behind() const { return {piece_begin_, piece_begin_ + told_of_piece()}; }

  /// How many last bytes of the text may yet belong to a call.
  std::size_t undecided() const { return undecided_; }

  const MarkupLeft& left() const { return left_; }

  /// Text and calls in their order; `text` as it was read whole.
  std::vector<Part> parts(std::string_view text) const;

 private:
  struct Step;

  Step next(JsonSpans& spans, const DeclaredFunctions& functions, bool whole);
  Step in_fence(std::string_view text, bool whole) const;
  Step at_line_begin(JsonSpans& spans, const DeclaredFunctions& functions, bool whole);
  Step at_line_json(JsonSpans& spans, std::size_t begin, const DeclaredFunctions& functions, bool whole);
  Step at_fence(JsonSpans& spans, const FenceLine& line, const DeclaredFunctions& functions, bool whole);
  void note_json(const MarkupAttempt& json, bool counts);
  Step at_tag(JsonSpans& spans, const DeclaredFunctions& functions);
  Step with_wrapper(JsonSpans& spans, std::size_t wrapper, const DeclaredFunctions& functions);
  MarkupAttempt attempt(JsonSpans& spans, std::size_t begin, TagGrammar grammar,
                        const DeclaredFunctions& functions);
  void take(const Step& step, std::string_view text);
  void take_call(const Step& step);
  void look_for_calls(JsonSpans& spans, std::size_t end, const DeclaredFunctions& functions);
  bool is_blank_behind_call() const { return !calls_.empty() && piece_is_blank_; }
  std::size_t told_of_piece() const;

  std::vector<Call> calls_;
  std::vector<std::pair<std::size_t, std::size_t>>
      dropped_;         ///< closing wrappers, with the white space before them
  std::size_t at_ = 0;  ///< all before is decided
  std::size_t told_ =
      0;  ///< all before is text for certain, though it may not be decided yet where that stands
  std::size_t piece_begin_ = 0;  ///< of the text behind the last call
  std::size_t undecided_ = 0;
  std::size_t size_ = 0;  ///< of the text
  MarkupPlace place_;
  bool piece_is_blank_ = true;          ///< so far
  std::optional<std::size_t> wrapper_;  ///< around the last call; none: its closing tag is text
  MarkupLeft left_;
};

/// Text and calls of a whole text, in their order.
std::vector<Part> cleaned(std::string_view text, const DeclaredFunctions& functions);

}  // namespace splitproof::observe
