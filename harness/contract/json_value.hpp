#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/contract/yaml_node.hpp"

/// Operations of the contract language on JSON values. The JSON library compiles slowly, so in this room only
/// the implementation includes it. A null `const Json*` is an absent value.

namespace splitproof::contract {

using Json = nlohmann::json;
using JsonPtr = std::shared_ptr<const Json>;

enum class JsonType { null, boolean, integer, number, string, array, object };

/// Returns the type's name in contracts ("integer"), and the reverse.
std::string_view name(JsonType type);
std::optional<JsonType> json_type(std::string_view name);

/// Returns the JSON value of a YAML node. A plain scalar that is a JSON literal is that literal. `~` and an
/// empty value are null; every other scalar is a string.
JsonPtr json_from(const YamlNode& node);

/// Return a JSON string, a number, a copy of a value, and the JSON null.
JsonPtr json_string(std::string_view text);
JsonPtr json_number(std::size_t number);
JsonPtr json_copy(const Json& value);
const Json* json_null();

/// Returns the member of an object, or with `index` the element of an array; null if absent.
const Json* member(const Json& value, const std::string& name, std::optional<std::size_t> index);

/// Returns the member with this name in any case, like HTTP headers.
const Json* header(const Json& value, std::string_view name);

/// Returns the elements of an array; empty for other values.
std::vector<const Json*> elements(const Json& value);

/// JSON equality (1 equals 1.0); absent equals only absent.
bool same(const Json* a, const Json* b);

/// `integer` is a number without fraction and exponent; `number` is any number.
bool has_type(const Json& value, JsonType type);

/// Returns the text of a string; nullopt for other values.
std::optional<std::string_view> text_of(const Json& value);

/// True if a number is at least `least`. A string counts its code points, an array or object its members.
bool at_least(const Json& value, double least);
bool at_least(std::string_view text, double least);

/// True if both are numbers and `a < b`.
bool less(const Json& a, const Json& b);

/// Returns the value of an integer of 0 or more; nullopt for other values.
std::optional<std::uint64_t> count_of(const Json& value);

/// True if the value is the integer `n`.
bool is_count(const Json& value, std::uint64_t n);

/// Returns a key: equal values have equal texts (1.0 as 1), and others differ. This also holds for sequences
/// of texts with line ends. Not for display.
std::string key_text(const Json& value);

/// Returns the value as short readable text: at most 60 bytes, "absent" for null pointers.
std::string excerpt(const Json* value);

/// Returns two different values as short readable texts around their first difference. For long objects and
/// arrays, and objects with escaped JSON, it returns the first member that differs. The first text ends in
/// its path: `1 under usage/total`.
std::pair<std::string, std::string> excerpts(const Json* a, const Json* b);

/// Returns `text` as short readable text in quotes.
std::string excerpt(std::string_view text);

/// True if `text` is exactly one JSON object by RFC 8259. Lone surrogates and numbers beyond the range of a
/// double are valid, because clients read them. Linear; builds no tree.
bool is_json_object(std::string_view text);

/// True if `text` is such an object or its beginning. White space alone is a beginning.
bool begins_json_object(std::string_view text);

}  // namespace splitproof::contract
