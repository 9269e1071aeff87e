#include "proxy/text/leaked_calls.hpp"

#include <algorithm>
#include <utility>

#include "proxy/text/markup_grammar.hpp"

namespace splitproof::text {

void LeakedCalls::feed(std::string piece, const Functions& functions, std::vector<TextPiece>& pieces) {
  if (piece.empty()) return;
  const bool waits = !held_.empty() || behind_call_;
  if (const std::size_t plain = waits ? 0 : places_.pass(piece, 0); plain == piece.size()) {
    skip(plain);
    said_ = at_;
    pieces.emplace_back(std::move(piece));
  } else {
    skip(plain);
    held_ += piece;
    read(functions, pieces);
    say(std::max(certain(), said_), pieces);
  }
  forget();
}

// Forgets the text that has left.
void LeakedCalls::forget() {
  held_.erase(0, said_ - begin_);
  begin_ = said_;
  for (auto& run : runs_) {
    if (run) run->forget(begin_);
  }
}

void LeakedCalls::finish(const Functions& functions, std::vector<TextPiece>& pieces) {
  while (candidate_) {
    const bool ends = std::visit(
        [](const auto& call) {
          if constexpr (requires { call.ends_here(); }) return call.ends_here();
          return false;
        },
        *candidate_);
    if (ends)
      accept(end(), pieces);
    else
      give_up();
    read(functions, pieces);
  }
  if (!behind_call_) say(end(), pieces);
  const std::uint64_t reads = reads_;
  *this = {};
  reads_ = reads;
}

void LeakedCalls::read(const Functions& functions, std::vector<TextPiece>& pieces) {
  while (at_ < end()) {
    const char c = held_[at_ - begin_];
    ++reads_;
    if (candidate_ || begin_candidate(c)) {
      try_on(c, functions, pieces);
    } else {
      read_plain(c);
      if (behind_call_) continue;
      const std::size_t from = at_ - begin_;
      skip(places_.pass(held_, from) - from);
    }
  }
}

void LeakedCalls::read_plain(char c) {
  places_.take(c);
  ++at_;
  if (!is_blank(c)) {
    behind_call_ = false;
  } else if (behind_call_ && ++blanks_ > kMostBytes) {
    behind_call_ = false;
  }
}

// Skips bytes that begin nothing.
void LeakedCalls::skip(std::size_t plain) {
  at_ += plain;
  reads_ += plain;
}

bool LeakedCalls::begin_candidate(char c) {
  if (at_ < tried_) return false;
  if (c == '<' && places_.tag_counts()) {
    candidate_ = TagCall(at_, behind_call_ ? wrapper_ : -1);
  } else if (c == '{' && places_.json_counts()) {
    candidate_ = JsonCall(line(), at_);
  } else if (c == '`' && places_.fence_counts()) {
    candidate_ = FencedCall(line(), at_);
  }
  return candidate_.has_value();
}

void LeakedCalls::try_on(char c, const Functions& functions, std::vector<TextPiece>& pieces) {
  const HeldText text{held_, begin_};
  if (auto* tags = std::get_if<TagCall>(&*candidate_)) {
    const Verdict verdict = tags->take(c, text, functions, runs_);
    at_ = tags->at();
    if (verdict == Verdict::none) return give_up();
    if (verdict == Verdict::call) return accept(at_, pieces);
    if (verdict == Verdict::wrapper_end) end_wrapper(at_);
    return;
  }
  const auto take = [&](auto& call) {
    const Verdict verdict = call.take(c, text, functions);
    at_ = call.at();
    return verdict;
  };
  auto* json = std::get_if<JsonCall>(&*candidate_);
  const Verdict verdict = json != nullptr ? take(*json) : take(std::get<FencedCall>(*candidate_));
  if (verdict == Verdict::none) return give_up();
  if (verdict == Verdict::call) accept(at_, pieces);
}

// The candidate's first byte is text.
void LeakedCalls::give_up() {
  at_ = std::visit([](const auto& call) { return call.first(); }, *candidate_);
  tried_ = at_ + 1;
  candidate_.reset();
}

void LeakedCalls::accept(std::size_t behind, std::vector<TextPiece>& pieces) {
  if (!behind_call_) say(std::visit([](const auto& call) { return call.begin(); }, *candidate_), pieces);
  pieces.emplace_back(std::visit([](const auto& call) { return call.call(); }, *candidate_));
  if (const auto* tags = std::get_if<TagCall>(&*candidate_)) {
    const bool goes_on = behind_call_ && wrapper_ >= 0 && tags->wrapper() < 0 &&
                         wrappers()[static_cast<std::size_t>(wrapper_)].around == tags->of();
    if (!goes_on) wrapper_ = tags->wrapper();
  } else {
    wrapper_ = -1;
  }
  step_behind(behind);
}

void LeakedCalls::end_wrapper(std::size_t behind) {
  wrapper_ = -1;
  step_behind(behind);
}

void LeakedCalls::step_behind(std::size_t behind) {
  candidate_.reset();
  at_ = said_ = behind;
  behind_call_ = true;
  blanks_ = 0;
  places_.skip_call();
}

// Returns the end of the certain text.
std::size_t LeakedCalls::certain() const {
  if (behind_call_) return said_;
  if (candidate_) return std::visit([](const auto& call) { return call.begin(); }, *candidate_);
  return places_.json_counts() ? line() : at_;
}

void LeakedCalls::say(std::size_t to, std::vector<TextPiece>& pieces) {
  if (to <= said_) return;
  const std::string_view text = std::string_view(held_).substr(said_ - begin_, to - said_);
  said_ = to;
  if (!pieces.empty()) {
    if (auto* last = std::get_if<std::string>(&pieces.back())) {
      *last += text;
      return;
    }
  }
  pieces.emplace_back(std::string(text));
}

}  // namespace splitproof::text
