#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace splitproof::request {

/// A tool that the upstream knows as a function with a name of its own, and the client as something else.
struct Alias {
  std::string name;     ///< as the upstream calls it
  bool custom = false;  ///< takes free text, which the upstream gives as the only argument, `input`
  std::string space;    ///< of a tool in a namespace: that
  std::string own;      ///< as the client calls it

  bool operator==(const Alias&) const = default;
};

/// What the writer of an answer has to know beside its turn.
struct Reply {
  std::uint64_t seed = 1;         ///< makes the ids that the upstream does not give; another for every stream
  std::uint64_t created = 0;      ///< when it began, in seconds since 1970
  std::string model = "unknown";  ///< announced where a message fails before it begins
  bool usage = true;              ///< the client wants the token counts, where its protocol lets it choose
  std::vector<Alias> aliases;

  /// Of a tool by the upstream's name for it; null: it has that name alone.
  const Alias* alias_of(std::string_view name) const {
    for (const Alias& alias : aliases) {
      if (alias.name == name) return &alias;
    }
    return nullptr;
  }

  bool operator==(const Reply&) const = default;
};

}  // namespace splitproof::request
