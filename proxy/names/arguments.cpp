#include "proxy/names/arguments.hpp"

#include <algorithm>
#include <vector>

#include "proxy/wire/json.hpp"
#include "proxy/wire/json_splice.hpp"
#include "proxy/wire/json_text.hpp"

namespace splitproof::names {
namespace {

using wire::Json;
using wire::JsonDocument;
using wire::JsonKind;
using wire::JsonSplice;

const char* end_of(const Json& value) { return value.raw().data() + value.raw().size(); }

class Members {
 public:
  Members(const MappedTool& tool, Towards towards) : tool_(tool), to_client_(towards == Towards::client) {}

  // Renames the arguments themselves.
  void tell_all(const Json& object, JsonSplice& splice) const {
    const SideMembers& side = to_client_ ? tool_.for_client : tool_.for_upstream;
    std::vector<std::string> there;              // with the names of the target side
    const char* last = object.raw().data() + 1;  // end of the text read so far
    bool any = false;                            // a member has been kept
    for (Json key = object.first_key(); key; key = key.next()) {
      const std::string name = key.text();
      if (contains(side.strip, name)) {
        // Removes the comma before the member, or the one after it if no member stays before it.
        const Json next = key.next();
        splice.copy_to(any ? last : key.raw().data());
        last = any || !next ? end_of(key.value()) : next.raw().data();
        splice.skip_to(last);
        continue;
      }
      there.push_back(tell_member({}, key, splice));
      any = true;
      last = end_of(key.value());
    }
    put_defaults(side, there, any, last, splice);
  }

 private:
  static bool contains(const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  }

  void put_defaults(const SideMembers& side, const std::vector<std::string>& there, bool any,
                    const char* last, JsonSplice& splice) const {
    for (const DefaultMember& member : side.defaults) {
      if (contains(there, member.key)) continue;
      splice.copy_to(last);
      splice.put((any ? "," : "") + wire::quoted(member.key) + ":" + wire::quoted(member.text));
      any = true;
    }
  }

  // Returns the target side's name of a key.
  std::string tell_member(const std::string& list, const Json& key, JsonSplice& splice) const {
    const std::string name = key.text();
    std::string told = name;
    for (const KeyNames& names : tool_.keys) {
      if (names.list == list && (to_client_ ? names.upstream : names.client) == name)
        told = to_client_ ? names.client : names.upstream;
    }
    if (told != name) splice.replace(key.raw(), wire::quoted(told));
    const Json value = key.value();
    if (value.is(JsonKind::string)) tell_value(list, to_client_ ? told : name, value, splice);
    if (list.empty() && value.is(JsonKind::array)) {
      for (Json item = value.first(); item; item = item.next()) {
        for (Json inner = item.first_key(); inner; inner = inner.next()) tell_member(name, inner, splice);
      }
    }
    return told;
  }

  void tell_value(const std::string& list, const std::string& clients_key, const Json& value,
                  JsonSplice& splice) const {
    const std::string text = value.text();
    for (const ValueNames& names : tool_.values) {
      if (names.list != list || names.key != clients_key) continue;
      if ((to_client_ ? names.upstream : names.client) != text) continue;
      const std::string& told = to_client_ ? names.client : names.upstream;
      if (told != text) splice.replace(value.raw(), wire::quoted(told));
      return;
    }
  }

  const MappedTool& tool_;
  const bool to_client_;
};

// Renames the properties of the objects in `list`, or of the arguments themselves.
void tell_properties(const MappedTool& tool, const std::string& list, const Json& schema,
                     JsonSplice& splice) {
  const auto told = [&](const Json& name) {
    const std::string text = name.text();
    for (const KeyNames& names : tool.keys) {
      if (names.list == list && names.client == text)
        return splice.replace(name.raw(), wire::quoted(names.upstream));
    }
  };
  for (Json member = schema.first_key(); member; member = member.next()) {
    const std::string keyword = member.text();
    const Json value = member.value();
    if (keyword == "required") {
      for (Json name = value.first(); name; name = name.next()) {
        if (name.is(JsonKind::string)) told(name);
      }
    }
    if (keyword != "properties") continue;
    for (Json property = value.first_key(); property; property = property.next()) {
      told(property);
      const Json items = list.empty() ? property.value()["items"] : Json();
      if (items.is(JsonKind::object)) tell_properties(tool, property.text(), items, splice);
    }
  }
}

}  // namespace

std::string told_arguments(const MappedTool& tool, Towards towards, std::string_view json,
                           std::size_t depth) {
  const JsonDocument document(json, depth);
  if (!document.root().is(JsonKind::object)) return std::string(json);
  JsonSplice splice(json);
  Members(tool, towards).tell_all(document.root(), splice);
  return std::move(splice).done();
}

std::string told_schema(const MappedTool& tool, std::string_view schema, std::size_t depth) {
  const JsonDocument document(schema, depth);
  JsonSplice splice(schema);
  tell_properties(tool, {}, document.root(), splice);
  return std::move(splice).done();
}

}  // namespace splitproof::names
