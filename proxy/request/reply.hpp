#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace splitproof::request {

/// A tool that is a function for the upstream and something else for the client.
struct Alias {
  std::string name;     ///< For the upstream.
  bool custom = false;  ///< Free text, which the upstream sends as the only argument, `input`.
  std::string space;    ///< Namespace of the tool.
  std::string own;      ///< For the client.

  bool operator==(const Alias&) const = default;
};

/// Such tools by their upstream names. The first of equal names counts.
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

  /// Changes a tool's upstream name. An unknown tool becomes a function with the client's name `before`.
  void rename(const std::string& before, const std::string& name) {
    Alias alias{name, false, {}, before};
    if (const auto known = by_name_.find(before); known != by_name_.end()) {
      alias = std::move(known->second);
      alias.name = name;
      by_name_.erase(known);
    }
    add(std::move(alias));
  }

  /// Returns null if the tool has only that name.
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

/// Data for the writer of an answer besides its turn.
struct Reply {
  std::uint64_t seed = 1;         ///< For ids that the upstream does not give; different for every stream.
  std::uint64_t created = 0;      ///< Its beginning, in seconds since 1970.
  std::string model = "unknown";  ///< Announced if a message fails before it begins.
  bool usage = true;              ///< The client wants token counts, if its protocol has a choice.
  Aliases aliases;
  std::string echo = {};  ///< Echo of the request, in the client's protocol; empty: nothing.
  bool array = false;     ///< The stream is one JSON array instead of events.

  bool operator==(const Reply&) const = default;
};

}  // namespace splitproof::request
