#include "harness/dialect/usage_counts.hpp"

#include "harness/dialect/json_events.hpp"

namespace splitproof::dialect {
namespace {

const observe::WireJson& value_at(const observe::WireJson& usage, std::string_view pointer) {
  const observe::WireJson* value = &usage;
  while (!pointer.empty()) {
    pointer.remove_prefix(1);
    const std::string_view name = pointer.substr(0, pointer.find('/'));
    value = &value->at(name);
    pointer.remove_prefix(name.size());
  }
  return *value;
}

}  // namespace

UsageCounts::Taken UsageCounts::take(const observe::WireJson& usage) {
  Taken taken;
  for (const UsageMember& member : usage_members()) {
    if (member.dialect != dialect_) continue;
    const observe::WireJson& value = value_at(usage, member.pointer);
    if (value.is(observe::WireJson::Kind::null)) taken.null = true;
    const auto said = integer(value);
    if (!said) continue;
    if (member.counts != Counted::reasoning && member.counts != Counted::total) taken.counted = true;
    auto& count = counts_[static_cast<std::size_t>(member.counts)];
    const bool zero_later = *said == 0 && count.value_or(0) > 0;
    if (zero_later) taken.zero_later = true;
    if (!zero_later || zero_counts_) count = said;
  }
  return taken;
}

std::optional<std::uint64_t> UsageCounts::prompt() const {
  const auto uncached = of(Counted::uncached);
  if (!uncached) return of(Counted::prompt);
  return *uncached + of(Counted::cached).value_or(0) + of(Counted::written).value_or(0);
}

bool UsageCounts::reasoning_is_beside() const {
  const auto input = prompt();
  const auto completion = of(Counted::completion);
  const auto reasoning = of(Counted::reasoning);
  return input && completion && reasoning.value_or(0) > 0 &&
         of(Counted::total) == *input + *completion + *reasoning;
}

observe::Tokens UsageCounts::tokens() const {
  observe::Tokens tokens;
  tokens.prompt = prompt();
  tokens.cached = of(Counted::cached);
  tokens.written = of(Counted::written);
  tokens.unclear = of(Counted::unclear);
  tokens.completion = of(Counted::completion);
  tokens.reasoning = of(Counted::reasoning);
  if (reasoning_is_beside()) *tokens.completion += *tokens.reasoning;
  tokens.total = of(Counted::total);
  return tokens;
}

}  // namespace splitproof::dialect
