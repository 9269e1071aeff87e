#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <utility>

#include "proxy/limits.hpp"
#include "proxy/request/asked.hpp"
#include "proxy/wire/json.hpp"

namespace splitproof::request {

// Reading a request is a descent through nested values, so inside a dialect's folder a Refusal is thrown; the
// function that its row of the table names catches it.

/// Throws a Refusal of `field`.
[[noreturn]] inline void refuse(const std::string& field, std::string_view what) {
  throw Refusal{field + ": " + std::string(what)};
}

/// The name of an element of a list: "messages.3".
inline std::string at(const std::string& field, std::size_t element) {
  return field + "." + std::to_string(element);
}

/// A required string, checked; throws otherwise.
inline wire::Json need_string(const wire::Json& value, const std::string& field) {
  if (!value) refuse(field, "field required");
  if (!value.is(wire::JsonKind::string)) refuse(field, "has to be a string");
  return value;
}

/// Whether a member is there and not null.
inline bool given(const wire::Json& value) { return value && !value.is(wire::JsonKind::null); }

/// What stands between the quotes of a JSON string, escapes as they are.
inline std::string_view inner(const wire::Json& string) {
  const std::string_view raw = string.raw();
  return raw.substr(1, raw.size() - 2);
}

/// The same of a required member.
inline std::string_view text_in(const wire::Json& object, const char* member, const std::string& field) {
  return inner(need_string(object[member], field + "." + member));
}

/// The same of a member that may be missing or null: then it is empty.
inline std::string text_if_given(const wire::Json& object, const char* member, const std::string& field) {
  return given(object[member]) ? std::string(text_in(object, member, field)) : std::string();
}

/// Refuses `count` of something that is more than the limit of this name.
inline void need_at_most(std::size_t most, std::size_t count, const std::string& field, std::string_view what,
                         std::string_view limit) {
  if (count <= most) return;
  refuse(field, "holds " + std::to_string(count) + " " + std::string(what) + ", more than the limit of " +
                    std::to_string(most) + " (limits: " + std::string(limit) + ")");
}

/// The same of a list's elements.
inline void need_at_most(std::size_t most, const wire::Json& list, const std::string& field,
                         std::string_view what, std::string_view limit) {
  std::size_t count = 0;
  for (wire::Json element = list.first(); element; element = element.next()) ++count;
  need_at_most(most, count, field, what, limit);
}

/// A required name of a model or a tool, escapes as they are.
inline std::string_view need_name(const wire::Json& value, const std::string& field, const Limits& limits) {
  const std::string_view name = inner(need_string(value, field));
  need_at_most(limits.name_bytes, name.size(), field, "bytes", "name-bytes");
  return name;
}

/// What `read` makes of a request's JSON; why not, if it is none, nested too deep, or `read` refuses.
template <class Read>
tl::expected<Asked, Refusal> read_document(std::string_view body, const Limits& limits, Read read) {
  const std::size_t depth = limits.json_depth;
  const wire::JsonDocument document(body, depth);
  if (document.fault() == wire::JsonFault::too_deep) {
    return tl::make_unexpected(
        Refusal{"the request is nested deeper than " + std::to_string(depth) + " levels"});
  }
  if (document.fault() == wire::JsonFault::too_much) {
    return tl::make_unexpected(Refusal{"the request holds more than " +
                                       std::to_string(wire::JsonDocument::kMostNodes) + " values and keys"});
  }
  if (document.fault() != wire::JsonFault::none)
    return tl::make_unexpected(Refusal{"the request is not valid JSON"});
  try {
    return read(document.root());
  } catch (Refusal& refusal) {
    return tl::make_unexpected(std::move(refusal));
  }
}

}  // namespace splitproof::request
