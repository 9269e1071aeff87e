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

/// Markup in a text that resembles a call but is none.
struct MarkupLeft {
  bool in_code =
      false;  ///< A call that does not count: in code, a quote or a result, explained, or after unclosed
              ///< markup.
  bool undeclared = false;  ///< A call of a function that the client did not declare.
  bool unclosed = false;    ///< A call of a declared function that is never closed.

  bool operator==(const MarkupLeft&) const = default;
};

/// Reads calls that occur as text in one part (contracts/specifications/leaked-markup.md). Its result for a whole text
/// is the reference for filters that read pieces, because it may look ahead as far as needed.
///
/// It stops at the first undecided byte. Call it again with more text, and it continues there.
class Cleaning {
 public:
  /// Half-open range of bytes of the text.
  struct Span {
    std::size_t begin = 0;
    std::size_t end = 0;

    std::size_t size() const { return end - begin; }
    bool operator==(const Span&) const = default;
  };

  struct Call {
    Span before;            ///< Text between the previous call and this one; empty if all of it is omitted.
    std::size_t begin = 0;  ///< Start, including its wrapper and white space.
    std::size_t end = 0;
    std::string name;
    std::string arguments;

    bool operator==(const Call&) const = default;
  };

  /// Reads `text`, which begins with the text of the previous call. `whole`: no more text comes.
  void read(std::string_view text, const DeclaredFunctions& functions, bool whole);

  /// Returns the calls so far.
  const std::vector<Call>& calls() const { return calls_; }

  /// Returns the certain text after the last call.
  Span behind() const { return {piece_begin_, piece_begin_ + told_of_piece()}; }

  /// Returns the number of last bytes that may still belong to a call.
  std::size_t undecided() const { return undecided_; }

  const MarkupLeft& left() const { return left_; }

  /// Returns text and calls in order. `text` is the text that was read completely.
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
      dropped_;                  ///< Closing wrappers, with the white space before them.
  std::size_t at_ = 0;           ///< All before it is decided.
  std::size_t told_ = 0;         ///< All before it is certainly text, even if its context is undecided.
  std::size_t piece_begin_ = 0;  ///< Start of the text after the last call.
  std::size_t undecided_ = 0;
  std::size_t size_ = 0;  ///< Size of the text.
  MarkupPlace place_;
  bool piece_is_blank_ = true;          ///< So far.
  std::optional<std::size_t> wrapper_;  ///< Around the last call; nullopt: its closing tag is text.
  MarkupLeft left_;
};

/// Returns the text and the calls of a whole text, in order.
std::vector<Part> cleaned(std::string_view text, const DeclaredFunctions& functions);

}  // namespace splitproof::observe
