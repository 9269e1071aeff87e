#include "harness/observe/name_map.hpp"

#include <algorithm>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>

#include "harness/observe/wire_json.hpp"

namespace splitproof::observe {
namespace {

using nlohmann::json;
using Kind = WireJson::Kind;

const std::string& on(Towards side, const std::string& client, const std::string& upstream) {
  return side == Towards::client ? client : upstream;
}

Towards other(Towards side) { return side == Towards::client ? Towards::upstream : Towards::client; }

bool contains(const std::vector<std::string>& all, std::string_view one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

/// Returns the size of the JSON string that begins `text`.
std::size_t string_size(std::string_view text) {
  std::size_t at = 1;
  while (at < text.size() && text[at] != '"') at += text[at] == '\\' ? 2 : 1;
  return at + 1;
}

/// Writes a value again, and changes only what the map names.
class Splice {
 public:
  Splice(Towards side, const NameMap::Tool& tool) : side_(side), tool_(tool) {}

  std::string of_arguments(const WireJson& object) const { return of_object(object, "", true); }

 private:
  /// Returns the key of a list or of the arguments whose name on the source side is `name`.
  const NameMap::Key* key_of(std::string_view list, const std::string& name) const {
    const auto found = std::find_if(tool_.keys.begin(), tool_.keys.end(), [&](const NameMap::Key& key) {
      return key.list == list && on(other(side_), key.client, key.upstream) == name;
    });
    return found == tool_.keys.end() ? nullptr : &*found;
  }

  std::string renamed(std::string_view list, const std::string& name) const {
    const NameMap::Key* key = key_of(list, name);
    return key != nullptr ? on(side_, key->client, key->upstream) : name;
  }

  /// Returns the bytes before a member's value: white space, comma and key.
  static std::string head(std::string_view before, const std::string& name, const std::string& renamed,
                          bool first) {
    const std::size_t quote = before.find('"');
    const std::size_t behind = quote + string_size(before.substr(quote));
    std::string head(before.substr(0, quote));
    if (first) std::erase(head, ',');  // the comma of an omitted member
    head += name == renamed ? before.substr(quote, behind - quote) : json_string(renamed);
    return head + std::string(before.substr(behind));
  }

  std::string of_object(const WireJson& object, std::string_view list, bool whole) const {
    const NameMap::Only& only = tool_.only(side_);
    std::string text = "{";
    std::vector<std::string> names;
    const char* behind = object.raw.data() + 1;
    for (const WireJson& child : object.children) {
      const std::string_view before(behind, static_cast<std::size_t>(child.raw.data() - behind));
      behind = child.raw.data() + child.raw.size();
      if (whole && contains(only.strip, child.key)) continue;
      const std::string name = renamed(list, child.key);
      text += head(before, child.key, name, names.empty());
      text += of_value(child, list, name);
      names.push_back(name);
    }
    const auto add = [&](const std::pair<std::string, std::string>& one) {
      if (contains(names, one.first)) return;
      text += (names.empty() ? "" : ",") + json_string(one.first) + ":" + json_string(one.second);
      names.push_back(one.first);
    };
    if (whole) std::for_each(only.defaults.begin(), only.defaults.end(), add);
    return text + std::string(behind, object.raw.data() + object.raw.size());
  }

  /// `name` is the member's key on the target side.
  std::string of_value(const WireJson& value, std::string_view list, const std::string& name) const {
    if (value.is(Kind::string)) return of_text(value, list, name);
    const bool lists =
        list.empty() && value.is(Kind::array) &&
        std::any_of(tool_.keys.begin(), tool_.keys.end(), [&](const auto& key) { return key.list == name; });
    if (!lists) return std::string(value.raw);
    std::string text;
    const char* behind = value.raw.data();
    for (const WireJson& item : value.children) {
      text.append(behind, item.raw.data());
      text += item.is(Kind::object) ? of_object(item, name, false) : std::string(item.raw);
      behind = item.raw.data() + item.raw.size();
    }
    return text + std::string(behind, value.raw.data() + value.raw.size());
  }

  std::string of_text(const WireJson& value, std::string_view list, const std::string& name) const {
    for (const NameMap::Key& key : tool_.keys) {
      if (key.list != list || on(side_, key.client, key.upstream) != name) continue;
      for (const auto& [client, upstream] : key.values)
        if (on(other(side_), client, upstream) == value.text)
          return client == upstream ? std::string(value.raw) : json_string(on(side_, client, upstream));
    }
    return std::string(value.raw);
  }

  Towards side_;
  const NameMap::Tool& tool_;
};

void rename_properties(const NameMap::Tool& tool, const std::string& list, json& schema) {
  if (!schema.is_object()) return;
  const auto renamed = [&](const std::string& name) {
    for (const NameMap::Key& key : tool.keys)
      if (key.list == list && key.client == name) return key.upstream;
    return name;
  };
  if (const auto properties = schema.find("properties");
      properties != schema.end() && properties->is_object()) {
    json all = json::object();
    for (auto& [name, property] : properties->items()) {
      if (list.empty() && property.is_object() && property.contains("items"))
        rename_properties(tool, name, property["items"]);
      all[renamed(name)] = property;
    }
    *properties = std::move(all);
  }
  if (const auto required = schema.find("required"); required != schema.end() && required->is_array()) {
    for (json& name : *required)
      if (name.is_string()) name = renamed(name.get<std::string>());
  }
}

}  // namespace

bool Renaming::is_declared(const std::string& tool) const { return contains(declared_, tool); }

/// Returns the client's name of a tool that gets the upstream's name, or "" if another tool already has that
/// name.
std::string Renaming::holder_of(const NameMap::Tool& tool) const {
  if (is_declared(tool.upstream)) return {};
  if (is_declared(tool.client)) return tool.client;
  for (const std::string& name : tool.also)
    if (is_declared(name)) return name;
  return tool.client;
}

const NameMap::Tool* Renaming::tool_of(Towards side, const std::string& tool) const {
  if (map_ == nullptr) return nullptr;
  for (const NameMap::Tool& one : map_->tools) {
    const std::string holder = holder_of(one);
    if (holder.empty()) continue;
    // In a history, an undeclared tool may have any of its names.
    const bool undeclared = !is_declared(holder) && contains(one.also, tool);
    if (side == Towards::client ? one.upstream == tool : holder == tool || undeclared) return &one;
  }
  return nullptr;
}

std::string Renaming::name(Towards side, const std::string& tool) const {
  const NameMap::Tool* known = tool_of(side, tool);
  if (known == nullptr) return tool;
  return side == Towards::upstream ? known->upstream : holder_of(*known);
}

bool Renaming::fills(Towards side, const std::string& tool, const std::string& arguments) const {
  const NameMap::Tool* known = tool_of(side, tool);
  const auto object = parse_wire_json(arguments);
  if (known == nullptr || !object || !object->is(Kind::object)) return false;
  const NameMap::Only& only = known->only(side);
  const auto has = [&](const std::string& key) { return !object->at(key).absent(); };
  const auto lacks = [&](const auto& one) {
    const auto key = std::find_if(known->keys.begin(), known->keys.end(), [&](const NameMap::Key& other_key) {
      return other_key.list.empty() && on(side, other_key.client, other_key.upstream) == one.first;
    });
    return !has(key == known->keys.end() ? one.first : on(other(side), key->client, key->upstream));
  };
  return std::any_of(only.strip.begin(), only.strip.end(), has) ||
         std::any_of(only.defaults.begin(), only.defaults.end(), lacks);
}

std::string Renaming::arguments(Towards side, const std::string& tool, const std::string& arguments) const {
  const NameMap::Tool* known = tool_of(side, tool);
  if (known == nullptr) return arguments;
  const auto object = parse_wire_json(arguments);
  if (!object || !object->is(Kind::object)) return arguments;
  const std::size_t before = static_cast<std::size_t>(object->raw.data() - arguments.data());
  return arguments.substr(0, before) + Splice(side, *known).of_arguments(*object) +
         arguments.substr(before + object->raw.size());
}

json Renaming::schema(const std::string& tool, json schema) const {
  if (const NameMap::Tool* known = tool_of(Towards::upstream, tool)) rename_properties(*known, "", schema);
  return schema;
}

}  // namespace splitproof::observe
