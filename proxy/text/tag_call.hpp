#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "proxy/text/call_json.hpp"
#include "proxy/text/functions.hpp"
#include "proxy/text/held_text.hpp"
#include "proxy/text/markup_grammar.hpp"
#include "proxy/text/parameter_run.hpp"

namespace splitproof::text {

/// The latest run of each grammar.
using ParameterRuns = std::array<std::optional<ParameterRun>, kGrammars>;

/// Reads a possible call between tags, with a wrapper that opens before it, or the end of a wrapper, byte by byte.
class TagCall {
 public:
  /// Begins at a `<`. `wrapper`: the open one; -1: none.
  TagCall(std::size_t begin, int wrapper) : begin_(begin), call_begin_(begin), ending_(wrapper), at_(begin) {}

  /// Takes the byte at `at()`, and bytes that were read before.
  Verdict take(char c, const HeldText& text, const Functions& functions, ParameterRuns& runs);

  std::size_t at() const { return at_; }

  /// Beginning of the call with its wrapper: the first byte taken.
  std::size_t begin() const { return begin_; }
  std::size_t first() const { return begin_; }

  /// After Verdict::call: the call, its grammar, and the wrapper before it; -1: none.
  const WrittenCall& call() const { return call_; }
  GrammarId of() const { return id_; }
  int wrapper() const { return wrapper_; }

  bool operator==(const TagCall&) const = default;

 private:
  enum class Stage : std::uint8_t { head, wrapped, name, name_end, body, own, common, object, close };

  Verdict take_head(char c);
  Verdict take_wrapped(char c, const Functions& functions);
  Verdict take_name(char c, const Functions& functions, ParameterRuns& runs);
  Verdict take_numbered(char c, const Functions& functions);
  Verdict take_body(char c, ParameterRuns& runs);
  Verdict take_own(char c, const HeldText& text, const Functions& functions, ParameterRuns& runs);
  Verdict take_object(char c, const HeldText& text, const Functions& functions);
  Verdict end_pairs(const ParameterRun& run, const HeldText& text, const Functions& functions);

  std::size_t begin_;
  std::size_t call_begin_;
  int ending_;
  std::size_t at_;
  Stage stage_ = Stage::head;
  GrammarId id_ = GrammarId::invoke;
  int wrapper_ = -1;
  TagMatch tag_;
  std::size_t blanks_ = 0;           // after a possible wrapper's opening tag
  std::size_t colon_ = 0;            // of a numbered name: after the name, while only digits follow; 0: none
  std::optional<ParameterRun> own_;  // the first pair, inside a value of an earlier run
  std::string own_key_;
  std::size_t own_begin_ = 0;  // of its value
  std::size_t from_ = 0;       // first common pair
  std::size_t object_begin_ = 0;
  std::optional<ObjectProgress> object_;
  WrittenCall call_;
};

}  // namespace splitproof::text
