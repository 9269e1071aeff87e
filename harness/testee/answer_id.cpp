#include "harness/testee/answer_id.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

namespace splitproof::testee {
namespace {

constexpr std::size_t kFewest = 5;   // letters and digits: fewer may occur elsewhere by chance
constexpr std::size_t kHead = 4096;  // bytes of a body that are searched for its id
constexpr std::array<std::string_view, 6> kOpenings{
    "data: {\"id\":\"",  "data:{\"id\":\"", "\"message\":{\"id\":\"", "\"response\":{\"id\":\"",
    "\"responseId\":\"", "{\"id\":\""};  // the last one only at the beginning of a body

bool is_alphanumeric(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// Returns the id of an answer, or "".
std::string_view id_in(std::string_view body) {
  const std::string_view head = body.substr(0, kHead);
  std::size_t begin = std::string_view::npos;
  for (const std::string_view opening : kOpenings) {
    const std::size_t at = head.find(opening);
    const bool is_document = opening == kOpenings.back();
    if (at == std::string_view::npos || (is_document && at != 0)) continue;
    begin = std::min(begin, at + opening.size());
  }
  if (begin == std::string_view::npos) return {};
  const std::size_t end = head.find('"', begin);
  return end == std::string_view::npos ? std::string_view() : head.substr(begin, end - begin);
}

std::string_view last_alphanumerics(std::string_view id) {
  std::size_t begin = id.size();
  while (begin > 0 && is_alphanumeric(id[begin - 1])) --begin;
  return begin == 0 ? std::string_view() : id.substr(begin);  // without a prefix, it cannot be recognised
}

// True if the text only ends ids: a separator precedes it, and a quote follows it.
bool only_ends_ids(std::string_view body, std::string_view text) {
  for (std::size_t at = body.find(text); at != std::string_view::npos; at = body.find(text, at + 1)) {
    const char before = at == 0 ? ' ' : body[at - 1];
    const std::size_t end = at + text.size();
    if ((before != '-' && before != '_') || end >= body.size() || body[end] != '"') return false;
  }
  return true;
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

// Returns other letters and digits of the same number. The first one is kept.
std::string other_than(std::string_view text, std::uint64_t number) {
  constexpr std::string_view kDigits = "0123456789abcdefghijklmnopqrstuvwxyz";
  std::string other(text);
  do {
    std::uint64_t rest = (number++ + 1) * 0x9e3779b97f4a7c15ULL;
    for (std::size_t i = 1; i < other.size(); ++i) {
      rest ^= rest >> 29;
      rest *= 0xbf58476d1ce4e5b9ULL;
      other[i] = kDigits[(rest >> 33) % kDigits.size()];
    }
  } while (other == text);
  return other;
}

}  // namespace

OwnAnswerId::OwnAnswerId(const Exchange& exchange, std::uint64_t number) : original_(exchange) {
  for (const std::string_view chunk : exchange.chunks) body_ += chunk;
  recorded_ = last_alphanumerics(id_in(body_));
  if (recorded_.size() < kFewest || !only_ends_ids(body_, recorded_)) return;
  own_ = other_than(recorded_, number);
  if (body_.find(own_) != std::string::npos) {
    own_.clear();
    return;
  }
  body_ = replaced(std::move(body_), recorded_, own_);
  changed_ = exchange;
  changed_.in_one_piece = replaced(exchange.in_one_piece, recorded_, own_);
  std::size_t begin = 0;
  for (std::string_view& chunk : changed_.chunks) {
    chunk = std::string_view(body_).substr(begin, chunk.size());
    begin += chunk.size();
  }
  for (Hold& hold : changed_.holds) {
    if (!hold.until) continue;
    hold.until = [this, until = hold.until](std::string_view downstream) {
      return until(restored(std::string(downstream)));
    };
  }
}

void OwnAnswerId::restore(Observation& seen) const {
  if (own_.empty()) return;
  seen.body = restored(std::move(seen.body));
  // A connection may break inside of an id.
  for (std::size_t size = std::min(own_.size() - 1, seen.body.size()); size > 1; --size) {
    if (!std::string_view(seen.body).ends_with(std::string_view(own_).substr(0, size))) continue;
    seen.body.replace(seen.body.size() - size, size, recorded_, 0, size);
    break;
  }
  for (UpstreamCall& call : seen.calls) call.body = restored(std::move(call.body));
}

std::string OwnAnswerId::restored(std::string text) const {
  return replaced(std::move(text), own_, recorded_);
}

}  // namespace splitproof::testee
