#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace splitproof::request {

/// A tool that the upstream knows as a function with a name of its own, and the client as something else.
struct Alias {
  std::string name;     ///< as the upstream calls it
  bool custom = false;  ///< takes free text, which the upstream gives as the only argument, `input`
  std::string space;    ///< of a tool in a namespace: that
  std::string own;      ///< as the client calls it

  bool operator==(const Alias&) const = default;
};

/// Such tools by the upstream's names for them. No two have one name: the first holds.
class Aliases {
 public:
  Aliases() = default;
  Aliases(std::initializer_list<Alias> aliases) {
    for (const Alias& alias : aliases) add(alias);
  }

  void add(Alias alias) {
    std::string name = alias.name;
    by_name_.try_emplace(std::move(name), std::move(alias));
  }

  /// The tool has another name for the upstream; one that is not here yet is a function that the client calls `before`.
  void rename(const std::string& before, const std::string& name) {
    Alias alias{name, false, {}, before};
    if (const auto known = by_name_.find(before); known != by_name_.end()) {
      alias = std::move(known->second);
      alias.name = name;
      by_name_.erase(known);
    }
    add(std::move(alias));
  }

  /// Null: the tool has that name alone.
  const Alias* find(std::string_view name) const {
    const auto known = by_name_.find(name);
    return known == by_name_.end() ? nullptr : &known->second;
  }

  bool empty() const { return by_name_.empty(); }
  void clear() { by_name_.clear(); }

  bool operator==(const Aliases&) const = default;

 private:
  std::map<std::string, Alias, std::less<>> by_name_;
};

/// What the writer of an answer has to know beside its turn.
struct Reply {
  std::uint64_t seed = 1;         ///< makes the ids that the upstream does not give; another for every stream
  std::uint64_t created = 0;      ///< when it began, in seconds since 1970
  std::string model = "unknown";  ///< announced where a message fails before it begins
  bool usage = true;              ///< the client wants the token counts, where its protocol lets it choose
  Aliases aliases;
  std::string echo = {};  ///< of the request, in the form of the client's protocol; empty: nothing

  bool operator==(const Reply&) const = default;
};

}  // namespace splitproof::request
