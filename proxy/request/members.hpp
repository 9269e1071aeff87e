#pragma once

#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "proxy/limits.hpp"
#include "proxy/request/asked.hpp"
#include "proxy/wire/json.hpp"

namespace splitproof::request {

// Members that several protocols share. All throw a Refusal of `field` or of a member of it.

/// Reads a boolean; `missing` is its default.
bool read_flag(const wire::Json& body, const std::string& field, bool missing);

/// Reads a number unchanged; empty if absent.
std::string read_number(const wire::Json& body, const std::string& field);

/// Reads an answer's format: `text`, `json_object`, or `json_schema` with the description in `schema`.
Format read_format(const wire::Json& type, const wire::Json& schema, const std::string& field);

/// Adds tools to a request. Names are unique.
class DeclaredTools {
 public:
  DeclaredTools(const Limits& limits, Asked& asked) : limits_(limits), asked_(asked) {}

  /// Adds a tool with a new name.
  void add(Tool tool, const std::string& field);

  /// Throws if a list alone has more tools than allowed in total.
  void need_few(const wire::Json& tools, const std::string& field) const;

  /// Returns the name of a tool or of a namespace.
  std::string_view name_in(const wire::Json& tool, const std::string& field) const;

  /// Adds the client's form of a tool.
  void add(Alias alias) { asked_.aliases.add(std::move(alias)); }

 private:
  const Limits& limits_;
  Asked& asked_;
  std::set<std::string> names_;  // escaped
};

/// Reads a choice of tools: `auto`, `none` or `required`.
void choose_mode(const std::string& mode, const std::string& field, Asked& asked);

/// Forces the tool of this escaped name.
void choose_one(const std::string& name, const std::string& field, Asked& asked);

/// Removes all tools except those of these escaped names.
void allow_only(const std::set<std::string>& names, const std::string& field, Asked& asked);

/// Throws if a call is forced without tools.
void need_tools(const Asked& asked);

/// Throws if `messages` has too many calls, or `stop` too many or too long texts, by the limits.
void need_few(const Asked& asked, const Limits& limits, const std::string& messages, const std::string& stop);

}  // namespace splitproof::request
