#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace splitproof::names {

// What a client's tools and their arguments are called upstream. contracts/names holds such maps and says what they
// mean.

/// The two names of a key in a call's arguments.
struct KeyNames {
  std::string
      list;  ///< it stands in each object of the list under this key, which both sides know; empty: it does not
  std::string client;
  std::string upstream;
  bool operator==(const KeyNames&) const = default;
};

/// The two words for a value, a text, of one key.
struct ValueNames {
  std::string list;  ///< as in KeyNames
  std::string key;   ///< as the client knows it
  std::string client;
  std::string upstream;
  bool operator==(const ValueNames&) const = default;
};

/// A member that is put where it is not there.
struct DefaultMember {
  std::string key;
  std::string text;
  bool operator==(const DefaultMember&) const = default;
};

/// What is taken out and put in on the way to one side, by its names.
struct SideMembers {
  std::vector<std::string> strip;  ///< by the other side's names, as it knows nothing of them
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

  /// Arguments are told otherwise, too.
  bool changes_arguments() const {
    return !keys.empty() || !values.empty() || for_client != SideMembers() || for_upstream != SideMembers();
  }

  bool operator==(const MappedTool&) const = default;
};

using ToolMap = std::vector<MappedTool>;

/// The tool that the upstream calls so; null: there is none.
const MappedTool* by_upstream_name(const ToolMap& map, std::string_view name);

/// Whose names are used.
enum class Names : std::uint8_t { same, opencode };

/// The map that these are; empty where the client's names stay.
const ToolMap& map_of(Names names);

/// Made of contracts/names/opencode.yaml when this is built (tool_map.py).
ToolMap opencode();

}  // namespace splitproof::names
