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

/// The members of an element of `delta.tool_calls` by which it finds its call.
struct ChatCallMark {
  std::optional<std::uint64_t> index;
  std::string_view id;
  std::string_view name;
  std::string_view arguments;
};

/// Finds the call that a piece of a Chat Completions stream belongs to. Providers number calls by `index`. Some leave it out,
/// some give all calls the same index, and some repeat name and id in each piece.
///
/// 1. A piece belongs to the latest call with its index, or otherwise to the call with its id. Without either, it belongs to the
///    last call at its place in the `tool_calls` array, unless this call has another index or id.
/// 2. Another id with a known index is another call, unless the rule is `same_call`.
/// 3. Another name is another call if the arguments so far are complete, or if there are neither arguments nor ids. With the
///    same index and id, a name never changes.
/// 4. A piece without index that repeats the name and has arguments is another call if the arguments so far are complete.
/// 5. A piece with the index or the id of a call whose arguments are complete repeats them if it is equal to all of them.
/// 6. A first piece `{}` is a placeholder if a later piece begins an object.
class ChatCalls {
 public:
  /// Returns the number of the call: 0, 1, 2 in the order of their first pieces. `place` is the element's position in the array.
  std::size_t match(const ChatCallMark& mark, std::size_t place, SameIndexNewId rule);

  /// Takes the arguments of a piece of this call, and returns what to send of them. Arguments that begin with a piece `{}` wait,
  /// since the piece may stand for arguments that follow.
  std::string take_arguments(std::size_t call, const ChatCallMark& mark);

  /// Returns the arguments of this call that wait, since nothing follows them.
  std::string release(std::size_t call);

  /// Returns the number that orders calls: the upstream's index, or otherwise the number of the call.
  std::uint64_t rank(std::size_t call) const;

  bool knows(std::string_view id) const { return by_id_.find(id) != by_id_.end(); }

  /// Returns the number of calls so far.
  std::size_t size() const { return calls_.size(); }

  bool operator==(const ChatCalls&) const = default;

 private:
  struct Call {
    std::optional<std::uint64_t> index;
    std::string id;
    std::string name;
    bool begun = false;  // Some arguments came.
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
  std::map<std::uint64_t, std::size_t> by_index_;                  // The latest call of each index.
  std::map<std::string, std::size_t, std::less<>> by_id_;          // The latest call of each id.
  std::set<std::tuple<std::string, Index, std::size_t>> by_both_;  // Calls with an id, and an index or none.
  static constexpr std::size_t kNoCall = ~std::size_t{0};
  std::vector<std::size_t> places_;  // The last call at each place of the array.
};

}  // namespace splitproof::proxy::dialect
