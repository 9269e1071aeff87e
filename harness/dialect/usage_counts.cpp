#include "harness/dialect/usage_counts.hpp"

#include <algorithm>

#include "harness/dialect/json_events.hpp"
#include "harness/observe/unread.hpp"

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

bool is_read(std::string_view dialect, const std::string& pointer) {
  const auto members = usage_members();
  return std::any_of(members.begin(), members.end(), [&](const UsageMember& member) {
    return member.dialect == dialect && member.pointer == pointer;
  });
}

MemberTexts unread_members(std::string_view dialect, const observe::WireJson& object,
                           const std::string& path) {
  MemberTexts unread;
  for (const observe::WireJson& member : object.children) {
    const std::string pointer = path + "/" + member.key;
    if (!observe::has_value(member) || member.raw == "0" || is_read(dialect, pointer)) continue;
    if (!member.is(observe::WireJson::Kind::object)) {
      unread[member.key] = observe::compact(member);
      continue;
    }
    const MemberTexts inner = unread_members(dialect, member, pointer);
    if (!inner.empty()) unread[member.key] = object_of(inner);
  }
  return unread;
}

}  // namespace

std::string unread_usage(std::string_view dialect, const observe::WireJson& usage) {
  if (!usage.is(observe::WireJson::Kind::object)) return {};
  const MemberTexts unread = unread_members(dialect, usage, {});
  return unread.empty() ? std::string() : object_of(unread);
}

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
