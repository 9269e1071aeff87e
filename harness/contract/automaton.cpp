#include "harness/contract/automaton.hpp"

#include <algorithm>
#include <array>
#include <bit>

namespace splitproof::contract {
namespace {

constexpr std::size_t kStart = 63;
constexpr std::size_t kMaxPositions = 62;

ClassSet set_of(const std::vector<std::size_t>& ids) {
  ClassSet set;
  for (const std::size_t id : ids) set.add(id);
  return set;
}

Automaton::States bit(std::size_t position) { return Automaton::States{1} << position; }

std::size_t lowest(Automaton::States states) { return static_cast<std::size_t>(std::countr_zero(states)); }

}  // namespace

Automaton::Automaton(const Pattern& pattern, bool anywhere, std::size_t line) {
  const Span whole = add(pattern.root, anywhere, line);
  positions_.push_back({PatternNode::Kind::sequence, {}, whole.first});  // the start state is last
  accepting_ = whole.last | (whole.nullable ? bit(kStart) : 0);
  begin_ = bit(kStart);
  for (std::size_t p = 0; p + 1 < positions_.size(); ++p) {
    if (positions_[p].kind == PatternNode::Kind::before_first) begin_ |= whole.first & bit(p);
  }
  if (anywhere) always_ = bit(kStart);
}

Automaton::Span Automaton::add(const PatternNode& node, bool anywhere, std::size_t line) {
  using Kind = PatternNode::Kind;
  Span span;
  switch (node.kind) {
    case Kind::before_first:
      if (!anywhere) {
        span.nullable = true;
        return span;
      }
      [[fallthrough]];
    case Kind::symbol:
    case Kind::any:
    case Kind::none_of:
      if (positions_.size() == kMaxPositions) {
        refuse(line, "the pattern names more than 62 events", "split the rule into clauses");
      }
      span.first = span.last = bit(positions_.size());
      positions_.push_back({node.kind, set_of(node.classes), 0});
      return span;
    case Kind::sequence:
      span.nullable = true;
      for (const PatternNode& part : node.parts) {
        const Span next = add(part, anywhere, line);
        link(span.last, next.first);
        span.first |= span.nullable ? next.first : 0;
        span.last = next.last | (next.nullable ? span.last : 0);
        span.nullable = span.nullable && next.nullable;
      }
      return span;
    case Kind::choice:
      for (const PatternNode& part : node.parts) {
        const Span option = add(part, anywhere, line);
        span.nullable = span.nullable || option.nullable;
        span.first |= option.first;
        span.last |= option.last;
      }
      return span;
    case Kind::star:
    case Kind::plus:
    case Kind::maybe:
      span = add(node.parts.front(), anywhere, line);
      if (node.kind != Kind::maybe) link(span.last, span.first);
      if (node.kind != Kind::plus) span.nullable = true;
      return span;
  }
  return span;
}

void Automaton::link(States from, States to) {
  for (std::size_t p = 0; p < positions_.size(); ++p) {
    if ((from & bit(p)) != 0) positions_[p].follow |= to;
  }
}

bool Automaton::satisfies(const Position& position, const Reading& reading, std::size_t i) const {
  return position.kind == PatternNode::Kind::any ||
         (position.kind == PatternNode::Kind::symbol && reading.is_any(i, position.classes)) ||
         (position.kind == PatternNode::Kind::none_of && !reading.is_any(i, position.classes));
}

Automaton::States Automaton::step(States states, const Reading& reading, std::size_t i) const {
  states |= always_;
  States candidates = (states & bit(kStart)) != 0 ? positions_.back().follow : 0;
  for (States left = states & ~bit(kStart); left != 0; left &= left - 1) {
    candidates |= positions_[lowest(left)].follow;
  }
  States reached = 0;
  for (States left = candidates; left != 0; left &= left - 1) {
    const std::size_t p = lowest(left);
    if (satisfies(positions_[p], reading, i)) reached |= bit(p);
  }
  return reached;
}

Automaton::States Automaton::step(States states, const Reading& reading, std::size_t i,
                                  std::vector<std::size_t>& begins) const {
  const States reached = step(states, reading, i);
  if (reached == 0) return reached;
  begins.resize(positions_.size());
  std::array<std::size_t, kStart> next{};
  for (States left = reached; left != 0; left &= left - 1) {
    const std::size_t p = lowest(left);
    if ((positions_.back().follow & bit(p)) != 0) next[p] = i + 1;
    for (States from = states & ~bit(kStart); from != 0; from &= from - 1) {
      const std::size_t q = lowest(from);
      if ((positions_[q].follow & bit(p)) != 0) next[p] = std::max(next[p], begins[q]);
    }
  }
  std::copy_n(next.begin(), begins.size(), begins.begin());
  return reached;
}

std::size_t Automaton::begin_of_match(States states, const std::vector<std::size_t>& begins) const {
  std::size_t last = 0;
  for (States left = states & accepting_; left != 0; left &= left - 1)
    last = std::max(last, begins[lowest(left)]);
  return last;
}

}  // namespace splitproof::contract
