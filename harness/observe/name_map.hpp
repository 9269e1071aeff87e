#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace splitproof::observe {

/// Side that gets the renamed tools.
enum class Towards : std::uint8_t { client, upstream };

/// Names of tools and arguments on the two sides of a proxy that renames them (contracts/names).
struct NameMap {
  /// A key of the arguments, or of each item of the list `list` in them if that is not empty.
  struct Key {
    std::string list;
    std::string client;
    std::string upstream;
    std::vector<std::pair<std::string, std::string>> values;  ///< Texts: the client's, the upstream's.

    bool operator==(const Key&) const = default;
  };

  /// Keys that only one side knows or needs. `strip` has keys of the other side, `defaults` has keys of this
  /// side.
  struct Only {
    std::vector<std::string> strip;
    std::vector<std::pair<std::string, std::string>> defaults;  ///< Key and text.

    bool operator==(const Only&) const = default;
  };

  struct Tool {
    std::string client;
    std::string upstream;
    std::vector<std::string> also;  ///< Other names that clients use for it.
    std::vector<Key> keys;
    Only for_client;
    Only for_upstream;

    const Only& only(Towards side) const { return side == Towards::client ? for_client : for_upstream; }
    bool operator==(const Tool&) const = default;
  };

  std::vector<Tool> tools;

  bool operator==(const NameMap&) const = default;
};

/// Maps by name. A profile uses the same names.
using NameMaps = std::map<std::string, NameMap>;

/// Renames tools and arguments for one client with these declared tools. It reads whole texts. So it is the
/// reference for a proxy that renames in pieces.
class Renaming {
 public:
  /// Renames nothing.
  Renaming() = default;

  /// `map` must outlive it. null: renames nothing.
  Renaming(const NameMap* map, std::vector<std::string> declared)
      : map_(map), declared_(std::move(declared)) {}

  bool any() const { return map_ != nullptr; }

  /// Returns the tool's name on that side. Returns `tool` if the map does not know it, or if another tool has
  /// the new name.
  std::string name(Towards side, const std::string& tool) const;

  /// True if the map knows the tool.
  bool knows(Towards side, const std::string& tool) const { return tool_of(side, tool) != nullptr; }

  /// True if the map removes a member from these arguments or adds one.
  bool fills(Towards side, const std::string& tool, const std::string& arguments) const;

  /// Returns the arguments of a call of `tool`, which is its name on the other side. Text that is not a JSON
  /// object stays unchanged. So does every byte that no key, value, strip or default of the map covers.
  std::string arguments(Towards side, const std::string& tool, const std::string& arguments) const;

  /// Returns the schema of a tool's arguments with the upstream's keys. `tool` is the client's name.
  nlohmann::json schema(const std::string& tool, nlohmann::json schema) const;

 private:
  const NameMap::Tool* tool_of(Towards side, const std::string& tool) const;
  bool is_declared(const std::string& tool) const;
  std::string holder_of(const NameMap::Tool& tool) const;

  const NameMap* map_ = nullptr;
  std::vector<std::string> declared_;
};

}  // namespace splitproof::observe
