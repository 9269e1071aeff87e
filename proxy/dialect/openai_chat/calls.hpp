#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "proxy/dialect/knobs.hpp"
#include "proxy/dialect/said.hpp"
#include "proxy/turn/json_progress.hpp"

namespace splitproof::proxy::dialect {

/// Marks of one element of `delta.tool_calls` that identify its call.
struct ChatCallMark {
  std::optional<std::uint64_t> index;
  std::string_view id;
  std::string_view name;
  std::string_view arguments;
};

/// Finds the call of a piece in a Chat Completions stream. Providers number calls by `index`. Some omit it, some use
/// one index for all calls, and some repeat name and id on each piece:
///
/// 1. The call is the latest one of that index, or the one of that id. Otherwise it is the last call at the same place
///    of the `tool_calls` array, unless that has another index or id.
/// 2. A new id at a used index is a new call, unless the rule is `same_call`.
/// 3. A piece with another function name is a new call if the current arguments are complete, or if there are none and
///    no ids. Under the same index and id a name never changes.
/// 4. A piece without index that repeats the name and exceeds the arguments of one call is a new call.
/// 5. A piece with the index or id of a complete call repeats its arguments if it is equal to all of them.
/// 6. A first piece `{}` is a placeholder if a later piece begins an object.
class ChatCalls {
 public:
  /// Returns the call's number in order of first occurrence: 0, 1, 2. `place` is the element's position in the array.
  std::size_t match(const ChatCallMark& mark, std::size_t place, SameIndexNewId rule);

  /// Takes the arguments of a piece of this call, and returns the pieces to send, one at least. Arguments that begin with
  /// a piece `{}` wait, since the piece may stand for arguments that follow. If they follow without an object, both
  /// pieces are sent.
  std::vector<std::string> take_arguments(std::size_t call, const ChatCallMark& mark);

  /// Returns the arguments of this call that wait, since nothing follows them.
  std::string release(std::size_t call);

  /// Returns the number that orders calls: the upstream's index, or the order of first occurrence without one.
  std::uint64_t rank(std::size_t call) const;

  bool knows(std::string_view id) const { return by_id_.find(id) != by_id_.end(); }

  /// Returns the number of calls.
  std::size_t size() const { return calls_.size(); }

  bool operator==(const ChatCalls&) const = default;

 private:
  struct Call {
    std::optional<std::uint64_t> index;
    std::string id;
    std::string name;
    bool begun = false;  // some arguments have come
    Said arguments;
    turn::JsonProgress progress;
    std::string held;  // Arguments that wait.
    bool operator==(const Call&) const = default;
  };

  std::optional<std::size_t> find(const ChatCallMark& mark, std::size_t place) const;
  std::optional<std::size_t> find_marked(const ChatCallMark& mark) const;
  void know(std::size_t number, const ChatCallMark& mark);
  bool is_another(const Call& call, const ChatCallMark& mark, SameIndexNewId rule) const;

  using Index = std::optional<std::uint64_t>;

  std::vector<Call> calls_;
  std::map<std::uint64_t, std::size_t> by_index_;          // latest call of each index
  std::map<std::string, std::size_t, std::less<>> by_id_;  // latest call of each id
  std::set<std::tuple<std::string, Index, std::size_t>>
      by_both_;  // calls with an id, with or without an index
  static constexpr std::size_t kNoCall = ~std::size_t{0};
  std::vector<std::size_t> places_;  // last call at each place of the array
};

}  // namespace splitproof::proxy::dialect
