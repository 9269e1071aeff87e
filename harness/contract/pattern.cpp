#include "harness/contract/pattern.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace splitproof::contract {
namespace {

constexpr std::size_t kMaxLength = 2000;  // bounds the recursion, too

class PatternParser {
 public:
  PatternParser(std::string_view text, std::size_t line, const Alphabet& alphabet)
      : text_(text), line_(line), alphabet_(alphabet) {}

  Pattern parse() {
    if (text_.size() > kMaxLength) refuse(line_, "the pattern is longer than 2,000 bytes", "split the rule");
    result_.text = text_;
    result_.root = choice(true);
    if (next() != '\0') fail(fmt::format("'{}' has no '(' before it", next()));
    result_.at_head = next_at(0) == '^';
    return std::move(result_);
  }

 private:
  PatternNode choice(bool at_head) {
    PatternNode node;
    node.kind = PatternNode::Kind::choice;
    node.parts.push_back(sequence(at_head));
    while (accept('|')) node.parts.push_back(sequence(at_head));
    return node.parts.size() == 1 ? PatternNode(node.parts.front()) : node;
  }

  PatternNode sequence(bool at_head) {
    PatternNode node;
    while (next() != '\0' && next() != '|' && next() != ')')
      node.parts.push_back(item(at_head && node.parts.empty()));
    if (node.parts.empty()) fail("a class is missing here");
    return node;
  }

  PatternNode item(bool at_head) {
    const std::size_t begin = at_;
    PatternNode node = atom(at_head);
    for (;;) {
      PatternNode outer;
      if (accept('*')) {
        outer.kind = PatternNode::Kind::star;
      } else if (accept('+')) {
        outer.kind = PatternNode::Kind::plus;
      } else if (accept('?')) {
        outer.kind = PatternNode::Kind::maybe;
      } else {
        return node;
      }
      if (text_.substr(begin, at_ - begin).find('^') != std::string_view::npos)
        fail("'^' cannot be repeated");
      outer.parts.push_back(std::move(node));
      node = std::move(outer);
    }
  }

  PatternNode atom(bool at_head) {
    PatternNode node;
    if (accept('^')) {
      if (!at_head) fail("'^' matches the start of the stream, so nothing can come before it");
      node.kind = PatternNode::Kind::before_first;
      return node;
    }
    if (accept('(')) {
      node = choice(at_head);
      if (!accept(')')) fail("a ')' is missing");
      return node;
    }
    const std::string_view word = name();
    if (word == "any") {
      node.kind = PatternNode::Kind::any;
      result_.wild = true;
      return node;
    }
    if (word == "not") {
      node.kind = PatternNode::Kind::none_of;
      result_.wild = true;
      if (!accept('(')) fail("'not' needs its classes in '( )'");
      while (next() != ')') node.classes.push_back(class_id(name()));
      accept(')');
      if (node.classes.empty()) fail("'not()' is the same as 'any'");
      return node;
    }
    node.kind = PatternNode::Kind::symbol;
    node.classes.push_back(class_id(word));
    return node;
  }

  std::size_t class_id(std::string_view word) {
    const std::size_t id = alphabet_.need(word, line_);
    if (std::find(result_.names.begin(), result_.names.end(), id) == result_.names.end())
      result_.names.push_back(id);
    return id;
  }

  std::string_view name() {
    next();
    const std::size_t begin = at_;
    while (at_ < text_.size() && std::string_view(" \t\n|*+?()^").find(text_[at_]) == std::string_view::npos)
      ++at_;
    if (at_ == begin) fail("a class is missing");
    return text_.substr(begin, at_ - begin);
  }

  /// Returns the next non-blank character; NUL at the end.
  char next() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n')) ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }

  char next_at(std::size_t at) {
    at_ = at;
    return next();
  }

  bool accept(char c) {
    if (next() != c) return false;
    ++at_;
    return true;
  }

  [[noreturn]] void fail(std::string_view what) const {
    refuse(line_, fmt::format("in the pattern '{}', after '{}': {}", text_, text_.substr(0, at_), what));
  }

  std::string_view text_;
  std::size_t line_;
  const Alphabet& alphabet_;
  std::size_t at_ = 0;
  Pattern result_;
};

}  // namespace

Pattern parse_pattern(std::string_view text, std::size_t line, const Alphabet& alphabet) {
  return PatternParser(text, line, alphabet).parse();
}

}  // namespace splitproof::contract
