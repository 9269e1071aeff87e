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

/// What one element of `delta.tool_calls` says about which call it belongs to.
struct ChatCallMark {
  std::optional<std::uint64_t> index;
  std::string_view id;
  std::string_view name;
  std::string_view arguments;
};

/// Finds the call that a piece of a Chat Completions stream belongs to. Providers number calls by `index`; some
/// leave it out, some give every call the same one, some repeat name and id on each piece:
///
/// 1. It is the latest call of that index; else the one of that id; else the one that the same place of the
///    `tool_calls` array held last, unless that one is known by another index or id.
/// 2. Another id at an index already taken is another call, unless the rule says `same_call`.
/// 3. So is a piece that names another function, once that call's arguments are complete, or while it has none and
///    there are no ids to tell. Under the same index and id a name never changes.
/// 4. So is a piece without index that names the same function again and brings more arguments than one call can have.
/// 5. A piece with the index or the id of a call whose arguments are complete repeats them if it is equal to all of them.
class ChatCalls {
 public:
  /// Which call it is: 0, 1, 2 in order of first sight. `place` is the element's position in the array.
  std::size_t match(const ChatCallMark& mark, std::size_t place, SameIndexNewId rule);

  /// Takes the arguments of a piece of this call. Returns false if they repeat all arguments before them.
  bool take_arguments(std::size_t call, const ChatCallMark& mark);

  /// The number that orders calls: the upstream's index, or the order of first sight where it gave none.
  std::uint64_t rank(std::size_t call) const;

  bool knows(std::string_view id) const { return by_id_.find(id) != by_id_.end(); }

  /// How many calls were seen.
  std::size_t size() const { return calls_.size(); }

  bool operator==(const ChatCalls&) const = default;

 private:
  struct Call {
    std::optional<std::uint64_t> index;
    std::string id;
    std::string name;
    bool begun = false;  // some arguments came
    Said arguments;
    turn::JsonProgress progress;
    bool operator==(const Call&) const = default;
  };

  std::optional<std::size_t> find(const ChatCallMark& mark, std::size_t place) const;
  std::optional<std::size_t> find_marked(const ChatCallMark& mark) const;
  void know(std::size_t number, const ChatCallMark& mark);
  bool is_another(const Call& call, const ChatCallMark& mark, SameIndexNewId rule) const;

  using Index = std::optional<std::uint64_t>;

  std::vector<Call> calls_;
  std::map<std::uint64_t, std::size_t> by_index_;          // the latest call of each index
  std::map<std::string, std::size_t, std::less<>> by_id_;  // likewise of each id
  std::set<std::tuple<std::string, Index, std::size_t>>
      by_both_;  // calls that have an id, and an index or none
  static constexpr std::size_t kNoCall = ~std::size_t{0};
  std::vector<std::size_t> places_;  // the call last seen at each place of the array
};

}  // namespace splitproof::proxy::dialect
