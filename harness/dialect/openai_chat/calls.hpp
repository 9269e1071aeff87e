#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/observe/choices.hpp"
#include "harness/observe/json_progress.hpp"
#include "harness/observe/surrogates.hpp"

namespace splitproof::dialect {

/// Identification of a call in one piece. Empty strings are ignored.
struct CallSign {
  std::optional<std::uint64_t> index;  ///< nullopt if below 0.
  std::string id;
  std::string name;
  std::optional<std::size_t> place;  ///< In its `tool_calls` array; nullopt for the older `function_call`.
  bool has_arguments = false;        ///< It has arguments that are not blank.
};

/// The known part of a call.
struct ChatCall {
  std::optional<std::uint64_t> index;
  std::string id;      ///< The first that is not empty.
  std::string name;    ///< The first that is not empty.
  bool older = false;  ///< It came as `function_call`, which has no id.
  std::size_t pieces = 0;
  observe::JsonProgress progress;       ///< State of its arguments.
  bool held = false;                    ///< Its only piece of arguments is `{}`, which may be a placeholder.
  bool placeholder = false;             ///< It was: an object followed.
  bool blank = true;                    ///< Its arguments are only white space.
  observe::SurrogateJoiner surrogates;  ///< State of its arguments.
  std::string last_piece;               ///< State of its arguments.
  std::optional<std::size_t> part;      ///< Place in the answer, once id and name are known.

  bool silent() const { return blank && !surrogates.waiting(); }
  bool complete() const { return progress.complete() && !surrogates.waiting(); }
  bool operator==(const ChatCall&) const = default;
};

/// Assigns pieces to calls (contracts/specifications/provider-quirks.md, "Tool calls: which call is it?").
///
/// A piece belongs to the latest call of its index; otherwise to the call of its id; otherwise to the last
/// call at its place of the array. The latter two apply only if that call has no other index and no other id.
/// Nevertheless, another id, another function or a function that begins again starts a new call (see the
/// page). A call with the same index *and* id has precedence, because a provider that numbers every call 0
/// may return to an earlier one.
///
/// A piece takes time logarithmic in the calls. Calls are numbered from 0 in the order of their first pieces.
class ChatCalls {
 public:
  explicit ChatCalls(observe::SameIndexNewId rule) : rule_(rule) {}

  /// Returns the number of the piece's call, perhaps a new one. Stores the piece's index, id and name in the
  /// call.
  std::size_t assign(const CallSign& piece);

  /// True if the piece's index belongs to a call with another id.
  bool brings_second_id(const CallSign& piece) const;

  ChatCall& operator[](std::size_t number) { return calls_[number]; }
  std::size_t size() const { return calls_.size(); }

  bool operator==(const ChatCalls&) const = default;

 private:
  std::optional<std::size_t> find(const CallSign& piece) const;
  bool begins_another(const CallSign& piece, const ChatCall& call) const;

  observe::SameIndexNewId rule_;
  std::vector<ChatCall> calls_;
  std::map<std::uint64_t, std::size_t> by_index_;
  std::map<std::string, std::size_t> by_id_;
  std::map<std::pair<std::uint64_t, std::string>, std::size_t> by_both_;
  std::map<std::optional<std::size_t>, std::size_t> by_place_;
};

}  // namespace splitproof::dialect
