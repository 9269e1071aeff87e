#include "proxy/server/kept_conversation.hpp"

#include <algorithm>
#include <iterator>

namespace splitproof::server {
namespace {

constexpr std::size_t kMostAnswers = 4096;  // that a connection can return to

}  // namespace

bool ConversationMemory::exchange(std::size_t before, std::size_t after) {
  bytes_.fetch_sub(before);
  if (bytes_.fetch_add(after) + after <= most_) return true;
  bytes_.fetch_sub(after);
  return false;
}

KeptConversation::Answers::const_iterator KeptConversation::place_of(std::string_view id) const {
  return std::find_if(answers_.begin(), answers_.end(),
                      [&](const auto& answer) { return answer.first == id; });
}

std::optional<std::string_view> KeptConversation::find(std::string_view id) const {
  const auto place = place_of(id);
  if (place == answers_.end()) return std::nullopt;
  return std::string_view(items_).substr(0, place->second);
}

void KeptConversation::keep(std::string_view previous, std::string id, std::string items) {
  const auto place = previous.empty() ? answers_.cend() : place_of(previous);
  answers_.erase(place == answers_.cend() ? answers_.cbegin() : std::next(place), answers_.cend());
  if (!memory_.exchange(items_.size(), items.size())) {
    answers_.clear();
    items_ = {};
    return;
  }
  if (answers_.size() >= kMostAnswers) answers_.erase(answers_.begin());
  answers_.emplace_back(std::move(id), items.size());
  items_ = std::move(items);
}

}  // namespace splitproof::server
