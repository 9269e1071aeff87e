#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace splitproof::selftest {

/// What a field is for, by its name.
enum class Role {
  index,  ///< points at a block, item or place
  id,     ///< names something, perhaps for other events
  word,   ///< one of a fixed vocabulary
  value   ///< anything
};

/// What the changes have to know of a protocol. That is its words only; what is right is for the contracts to say.
struct Dialect {
  std::vector<std::string> types;  ///< of events, at `/type`; empty where events have none

  /// "content_block_delta text_delta"; of Chat Completions, what the chunk brings: "text", "call", "finish".
  std::string (*event_class)(const nlohmann::ordered_json& data);

  /// The block that an event only adds to, in words that are equal for one block; empty: it is no piece.
  std::string (*piece_of)(const nlohmann::ordered_json& data);

  /// Whether the event says nothing, as a ping.
  bool (*idle)(const nlohmann::ordered_json& data);

  /// Whether the event is sound and brings no piece of an answer, as a chunk with an empty delta.
  bool (*silent)(const nlohmann::ordered_json& data);

  /// Whether a field, by its class, is a provider's own and none of the protocol's.
  bool (*own)(const std::string& field_class);

  /// Whether a field with nothing in it means the same as none.
  bool (*may_be_absent)(const std::string& field_class);
};

/// The dialect of a protocol; one without types and pieces where it is not known.
const Dialect& dialect_of(std::string_view protocol);

Role role_of(std::string_view field);

/// The vocabulary that `word`, the value of a field of that name, is of: all its words. Only itself where none is known.
std::vector<std::string> vocabulary_of(std::string_view protocol, std::string_view field,
                                       const std::string& word);

/// Whether the words of a field say something of the answer, as those for why it ended do, and not of the event.
bool tells_of_the_answer(std::string_view field, const std::string& word);

}  // namespace splitproof::selftest
