#include "harness/dialect/openai_responses/sequence.hpp"

#include <charconv>
#include <string>

namespace splitproof::dialect {
namespace {

/// Returns the number of an event: the value of its only such member. No string contains this text unescaped.
std::optional<std::string_view> number_in(std::string_view event) {
  constexpr std::string_view kMember = "\"sequence_number\"";
  const std::size_t at = event.find(kMember);
  if (at == event.npos || event.find(kMember, at + 1) != event.npos) return std::nullopt;
  const std::size_t colon = event.find_first_not_of(" \t", at + kMember.size());
  if (colon == event.npos || event[colon] != ':') return std::nullopt;
  const std::size_t begin = event.find_first_not_of(" \t", colon + 1);
  if (begin == event.npos) return std::nullopt;
  const std::size_t end = event.find_first_not_of("0123456789", begin);
  if (end == event.npos || end == begin) return std::nullopt;
  return event.substr(begin, end - begin);
}

template <class Each>
void for_each_event(const split::Recut& body, const Each& each) {
  std::size_t begin = 0;
  for (const std::size_t end : body.arrivals) {
    each(std::string_view(body.body).substr(begin, end - begin));
    begin = end;
  }
}

}  // namespace

std::optional<std::uint64_t> first_sequence_number(const split::Recut& body) {
  std::optional<std::uint64_t> first, next;
  bool in_order = true;
  for_each_event(body, [&](std::string_view event) {
    const auto digits = number_in(event);
    if (!digits) return;
    std::uint64_t number = 0;
    const auto read = std::from_chars(digits->data(), digits->data() + digits->size(), number);
    in_order = in_order && read.ec == std::errc() && (!next || number == *next);
    if (!first) first = number;
    next = number + 1;
  });
  return in_order ? first : std::nullopt;
}

split::Recut numbered(const split::Recut& body, std::uint64_t first) {
  split::Recut made;
  for_each_event(body, [&](std::string_view event) {
    const auto digits = number_in(event);
    if (!digits) return made.append(event);
    const auto at = static_cast<std::size_t>(digits->data() - event.data());
    made.append(std::string(event.substr(0, at)) + std::to_string(first++) +
                std::string(event.substr(at + digits->size())));
  });
  return made;
}

}  // namespace splitproof::dialect
