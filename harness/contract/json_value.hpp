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

/// What the contract language asks of JSON values. The JSON library is expensive to compile; in this room
/// only the implementation of these functions sees it. A `const Json*` that is null stands for an absent
/// value.

namespace splitproof::contract {

using Json = nlohmann::json;
using JsonPtr = std::shared_ptr<const Json>;

enum class JsonType { null, boolean, integer, number, string, array, object };

/// The type's name in contracts ("integer"), and back.
std::string_view name(JsonType type);
std::optional<JsonType> json_type(std::string_view name);

/// The JSON value that a YAML node writes. A plain scalar that is a JSON literal is that literal; `~` and
/// nothing at all are null; every other scalar is a string.
JsonPtr json_from(const YamlNode& node);

/// A JSON string, a number, a copy of a value, and the JSON null.
JsonPtr json_string(std::string_view text);
JsonPtr json_number(std::size_t number);
JsonPtr json_copy(const Json& value);
const Json* json_null();

/// The member of an object, or the element of an array where `index` is given; null when there is none.
const Json* member(const Json& value, const std::string& name, std::optional<std::size_t> index);

/// The member whose name is `name` in any case, as HTTP header names are.
const Json* header(const Json& value, std::string_view name);

/// The elements of an array; none for anything else.
std::vector<const Json*> elements(const Json& value);

/// JSON equality (1 equals 1.0); absent equals only absent.
bool same(const Json* a, const Json* b);

/// `integer` is a number written without fraction and exponent; `number` is any number.
bool has_type(const Json& value, JsonType type);

/// The text of a string; nothing for anything else.
std::optional<std::string_view> text_of(const Json& value);

/// Whether a number is at least `least`, or a string has that many characters (code points), or an array or
/// object that many members.
bool at_least(const Json& value, double least);
bool at_least(std::string_view text, double least);

/// Whether both are numbers and `a < b`.
bool less(const Json& a, const Json& b);

/// The value of an integer of 0 or more; nothing for anything else.
std::optional<std::uint64_t> count_of(const Json& value);

/// Whether the value is the integer `n`.
bool is_count(const Json& value, std::uint64_t n);

/// A text for each value, such that equal values give equal texts (1.0 as 1) and others differ, also when several stand
/// one after the other, a line end behind each. Not meant to be read.
std::string key_text(const Json& value);

/// The value as short readable text: at most 60 bytes, "absent" for null pointers.
std::string excerpt(const Json* value);

/// Two values that differ, as short readable texts that show where they begin to. Of objects and arrays that are too long, and
/// objects that hold escaped JSON, the first member that differs; the first text ends in its path: `1 under usage/total`.
std::pair<std::string, std::string> excerpts(const Json* a, const Json* b);

/// `text` as short readable text in quotes.
std::string excerpt(std::string_view text);

/// Whether `text` is exactly one JSON object as RFC 8259 has it: a lone surrogate and a number beyond the range of
/// a double are grammatical, and clients read them. Linear; builds no tree.
bool is_json_object(std::string_view text);

/// Whether `text` is the beginning of one such object, or all of it. Nothing but white space is the beginning of one.
bool begins_json_object(std::string_view text);

}  // namespace splitproof::contract
