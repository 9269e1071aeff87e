#pragma once

#include <atomic>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace splitproof::server {

/// Limits the bytes of all kept conversations. Thread-safe.
class ConversationMemory {
 public:
  explicit ConversationMemory(std::size_t most) : most_(most) {}

  /// Replaces a share of the memory by another one. Returns false, and frees the old one, if there is no room.
  bool exchange(std::size_t before, std::size_t after);

 private:
  const std::size_t most_;
  std::atomic<std::size_t> bytes_ = 0;
};

/// The conversation of one connection: the items of its requests and answers. A request may continue any answer of it.
/// It then drops what followed that answer. A request that continues none begins another conversation.
class KeptConversation {
 public:
  explicit KeptConversation(ConversationMemory& memory) : memory_(memory) {}
  ~KeptConversation() { memory_.exchange(items_.size(), 0); }
  KeptConversation(const KeptConversation&) = delete;
  KeptConversation& operator=(const KeptConversation&) = delete;

  /// Returns the items up to and with the answer of this id, joined by commas; none if it is unknown.
  std::optional<std::string_view> find(std::string_view id) const;

  /// Keeps the conversation after an answer. `previous`: the id of the answer that it continued; empty: none. Without
  /// room it keeps nothing, and the client has to send its next request with the whole conversation.
  void keep(std::string_view previous, std::string id, std::string items);

  std::size_t size() const { return items_.size(); }

 private:
  using Answers =
      std::vector<std::pair<std::string, std::size_t>>;  // ids, each with the size of the items so far

  Answers::const_iterator place_of(std::string_view id) const;

  ConversationMemory& memory_;
  std::string items_;
  Answers answers_;
};

}  // namespace splitproof::server
