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

/// What a piece of a call says of whose it is. Empty strings say nothing.
struct CallSign {
  std::optional<std::uint64_t> index;  ///< one below 0 is none
  std::string id;
  std::string name;
  std::optional<std::size_t> place;  ///< in its `tool_calls` array; none for the older `function_call`
  bool has_arguments = false;        ///< it brings arguments that are not blank
};

/// A call as far as it is known.
struct ChatCall {
  std::optional<std::uint64_t> index;
  std::string id;      ///< the first that was not empty
  std::string name;    ///< the first that was not empty
  bool older = false;  ///< it came as `function_call`, which has no id
  std::size_t pieces = 0;
  observe::JsonProgress progress;       ///< of its arguments
  bool held = false;                    ///< its only piece of arguments is `{}`, which may be a placeholder
  bool placeholder = false;             ///< it was: an object followed
  bool blank = true;                    ///< they hold nothing but white space
  observe::SurrogateJoiner surrogates;  ///< of its arguments
  std::string last_piece;               ///< of its arguments
  std::optional<std::size_t> part;      ///< where it stands in the answer, once id and name are known

  bool silent() const { return blank && !surrogates.waiting(); }
  bool complete() const { return progress.complete() && !surrogates.waiting(); }
  bool operator==(const ChatCall&) const = default;
};

/// Tells which pieces make one call, as docs/provider-quirks.md says ("Tool calls: which call is it?").
///
/// A piece belongs to the latest call of its index; else to that of its id; else to the call that stood at
/// its place of the array last time. The latter two only if that call is known by no other index, nor by
/// another id. What then makes it another call all the same: another id, another function, or a function that
/// begins again; see the page. A call of the same index *and* id as the piece comes before all this: a
/// provider that numbers every call 0 may still go back to an earlier one.
///
/// Pieces cost the logarithm of the calls. Calls are numbered from 0 in the order of their first pieces.
class ChatCalls {
 public:
  explicit ChatCalls(observe::SameIndexNewId rule) : rule_(rule) {}

  /// The number of the call that the piece belongs to, perhaps a new one. What the piece says of index, id
  /// and name is noted in the call.
  std::size_t assign(const CallSign& piece);

  /// Whether the piece comes under an index that a call of another id has.
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
