#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace splitproof::names {

// Upstream names of a client's tools and arguments. contracts/names holds and explains such maps.

/// The two names of a key in a call's arguments.
struct KeyNames {
  /// The key is in each object of the list under this key, which both sides share. Empty: at the top.
  std::string list;
  std::string client;
  std::string upstream;
  bool operator==(const KeyNames&) const = default;
};

/// The two words for one text value of a key.
struct ValueNames {
  std::string list;  ///< as in KeyNames
  std::string key;   ///< with the client's name
  std::string client;
  std::string upstream;
  bool operator==(const ValueNames&) const = default;
};

/// A member that is added if it is absent.
struct DefaultMember {
  std::string key;
  std::string text;
  bool operator==(const DefaultMember&) const = default;
};

/// Members to remove and to add for one side.
struct SideMembers {
  std::vector<std::string> strip;  ///< with the other side's names
  std::vector<DefaultMember> defaults;
  bool operator==(const SideMembers&) const = default;
};

struct MappedTool {
  std::string client;
  std::string upstream;
  std::vector<std::string> also;  ///< other names that clients have for it
  std::vector<KeyNames> keys;
  std::vector<ValueNames> values;
  SideMembers for_client;
  SideMembers for_upstream;

  /// True if the arguments change too.
  bool changes_arguments() const {
    return !keys.empty() || !values.empty() || for_client != SideMembers() || for_upstream != SideMembers();
  }

  bool operator==(const MappedTool&) const = default;
};

using ToolMap = std::vector<MappedTool>;

/// Returns the tool with this upstream name, or null.
const MappedTool* by_upstream_name(const ToolMap& map, std::string_view name);

/// The map in use.
enum class Names : std::uint8_t { same, opencode };

/// Returns the map; empty if the client's names stay.
const ToolMap& map_of(Names names);

/// Generated at build time from contracts/names/opencode.yaml by tool_map.py.
ToolMap opencode();

}  // namespace splitproof::names
