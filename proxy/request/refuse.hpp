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

// Readers of requests walk nested values, so within a dialect's folder they throw a Refusal. The function in the
// dialect's row catches it.

/// Throws a Refusal of `field`.
[[noreturn]] inline void refuse(const std::string& field, std::string_view what) {
  throw Refusal{field + ": " + std::string(what)};
}

/// Returns the name of a list's element: "messages.3".
inline std::string at(const std::string& field, std::size_t element) {
  return field + "." + std::to_string(element);
}

/// Returns a required string, or throws.
inline wire::Json need_string(const wire::Json& value, const std::string& field) {
  if (!value) refuse(field, "field required");
  if (!value.is(wire::JsonKind::string)) refuse(field, "has to be a string");
  return value;
}

/// True if a member is present and not null.
inline bool given(const wire::Json& value) { return value && !value.is(wire::JsonKind::null); }

/// Returns the raw text between the quotes of a JSON string.
inline std::string_view inner(const wire::Json& string) {
  const std::string_view raw = string.raw();
  return raw.substr(1, raw.size() - 2);
}

/// The same for a required member.
inline std::string_view text_in(const wire::Json& object, const char* member, const std::string& field) {
  return inner(need_string(object[member], field + "." + member));
}

/// The same for an optional member; empty if it is absent or null.
inline std::string text_if_given(const wire::Json& object, const char* member, const std::string& field) {
  return given(object[member]) ? std::string(text_in(object, member, field)) : std::string();
}

/// Refuses a `count` above the limit of this name.
inline void need_at_most(std::size_t most, std::size_t count, const std::string& field, std::string_view what,
                         std::string_view limit) {
  if (count <= most) return;
  refuse(field, "holds " + std::to_string(count) + " " + std::string(what) + ", more than the limit of " +
                    std::to_string(most) + " (limits: " + std::string(limit) + ")");
}

/// The same for a list's elements.
inline void need_at_most(std::size_t most, const wire::Json& list, const std::string& field,
                         std::string_view what, std::string_view limit) {
  std::size_t count = 0;
  for (wire::Json element = list.first(); element; element = element.next()) ++count;
  need_at_most(most, count, field, what, limit);
}

/// Returns the required, raw name of a model or a tool.
inline std::string_view need_name(const wire::Json& value, const std::string& field, const Limits& limits) {
  const std::string_view name = inner(need_string(value, field));
  need_at_most(limits.name_bytes, name.size(), field, "bytes", "name-bytes");
  return name;
}

/// Returns the result of `read` for a request's JSON, or the refusal if it is invalid, too deep or refused.
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
