#include "proxy/dialect/usage_member.hpp"

namespace splitproof::proxy::dialect {

void UsageReader::take(const wire::Json& usage) {
  const auto slot = [&](UsageMember::Counts counts) -> std::optional<std::uint64_t>& {
    switch (counts) {
      case UsageMember::Counts::prompt:
        return said_.prompt;
      case UsageMember::Counts::uncached:
        return uncached_;
      case UsageMember::Counts::cached:
        return said_.cached;
      case UsageMember::Counts::written:
        return said_.written;
      case UsageMember::Counts::completion:
        return said_.completion;
      case UsageMember::Counts::reasoning:
        return said_.reasoning;
      case UsageMember::Counts::total:
        break;
    }
    return total_;
  };
  for (const UsageMember& member : usage_members()) {
    if (member.dialect != dialect_) continue;
    const auto count = (member.object.empty() ? usage : usage[member.object])[member.name].count();
    auto& known = slot(member.counts);
    if (count && (*count != 0 || !known || !keeps_counts_)) known = count;
  }
}

turn::Usage UsageReader::usage() const {
  turn::Usage told = said_;
  if (uncached_) told.prompt = *uncached_ + told.cached.value_or(0) + told.written.value_or(0);
  // xAI counts reasoning apart from the completion, as the total shows.
  const bool known = told.prompt && told.completion && told.reasoning && total_;
  if (known && *total_ == *told.prompt + *told.completion + *told.reasoning)
    *told.completion += *told.reasoning;
  else if (apart_ && told.reasoning)
    told.completion = told.completion.value_or(0) + *told.reasoning;
  return told;
}

}  // namespace splitproof::proxy::dialect
