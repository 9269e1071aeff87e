#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace splitproof::observe {

/// Towards whom something is renamed.
enum class Towards : std::uint8_t { client, upstream };

/// How tools and their arguments are called on the two sides of a proxy that renames them, as the files of
/// contracts/names have it.
struct NameMap {
  /// A key of arguments, or of each item of the list `list` in them, where that is not empty.
  struct Key {
    std::string list;
    std::string client;
    std::string upstream;
    std::vector<std::pair<std::string, std::string>> values;  ///< texts: the client's, the upstream's

    bool operator==(const Key&) const = default;
  };

  /// What only one side knows, or cannot do without. The keys are those of that side's other, and of that side.
  struct Only {
    std::vector<std::string> strip;
    std::vector<std::pair<std::string, std::string>> defaults;  ///< key and text

    bool operator==(const Only&) const = default;
  };

  struct Tool {
    std::string client;
    std::string upstream;
    std::vector<std::string> also;  ///< other names that clients have for it
    std::vector<Key> keys;
    Only for_client;
    Only for_upstream;

    const Only& only(Towards side) const { return side == Towards::client ? for_client : for_upstream; }
    bool operator==(const Tool&) const = default;
  };

  std::vector<Tool> tools;

  bool operator==(const NameMap&) const = default;
};

/// By the name of the map, which a profile names too.
using NameMaps = std::map<std::string, NameMap>;

/// What becomes of names and arguments for one client, which declared these tools. It reads a text as a whole, with
/// all the time in the world: what a proxy says that renames in pieces is held against it.
class Renaming {
 public:
  /// Renames nothing.
  Renaming() = default;

  /// `map` must outlive it; null: nothing is renamed.
  Renaming(const NameMap* map, std::vector<std::string> declared)
      : map_(map), declared_(std::move(declared)) {}

  bool any() const { return map_ != nullptr; }

  /// The name that a tool has on that side; its own where the map does not know it, or another tool has that name.
  std::string name(Towards side, const std::string& tool) const;

  /// Whether the map has anything to say of the tool.
  bool knows(Towards side, const std::string& tool) const { return tool_of(side, tool) != nullptr; }

  /// Whether the side is kept from something in the arguments of such a call, or gets something that is not in them.
  bool fills(Towards side, const std::string& tool, const std::string& arguments) const;

  /// The arguments of a call of `tool`, which is its name on the other side. What is no JSON object stays as it is,
  /// and so does every byte that no key, value, strip or default of the map is about.
  std::string arguments(Towards side, const std::string& tool, const std::string& arguments) const;

  /// The schema of a tool's arguments, by the client's name, with the upstream's keys.
  nlohmann::json schema(const std::string& tool, nlohmann::json schema) const;

 private:
  const NameMap::Tool* tool_of(Towards side, const std::string& tool) const;
  bool is_declared(const std::string& tool) const;
  std::string holder_of(const NameMap::Tool& tool) const;

  const NameMap* map_ = nullptr;
  std::vector<std::string> declared_;
};

}  // namespace splitproof::observe
