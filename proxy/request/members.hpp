#pragma once

#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "proxy/limits.hpp"
#include "proxy/request/asked.hpp"
#include "proxy/wire/json.hpp"

namespace splitproof::request {

// Members that requests of several protocols have alike. All throw a Refusal, of `field` or of a member of it.

/// A member that is true or false; `missing` where it is not there.
bool read_flag(const wire::Json& body, const std::string& field, bool missing);

/// A member that is a number, as it is written; empty where it is not there.
std::string read_number(const wire::Json& body, const std::string& field);

/// The format of an answer: `text`, `json_object`, or `json_schema`, of which `schema` is the object that describes it.
Format read_format(const wire::Json& type, const wire::Json& schema, const std::string& field);

/// Adds tools to a request. No two have one name.
class DeclaredTools {
 public:
  DeclaredTools(const Limits& limits, Asked& asked) : limits_(limits), asked_(asked) {}

  /// Adds a tool; one of that name must not be there.
  void add(Tool tool, const std::string& field);

  /// Throws where a list holds more tools than there may be of all.
  void need_few(const wire::Json& tools, const std::string& field) const;

  /// The name of a tool, or of a namespace of some.
  std::string_view name_in(const wire::Json& tool, const std::string& field) const;

  /// Says that the client knows a tool as something else.
  void add(Alias alias) { asked_.aliases.add(std::move(alias)); }

 private:
  const Limits& limits_;
  Asked& asked_;
  std::set<std::string> names_;  // escaped
};

/// A choice of tools: `auto`, `none` or `required`.
void choose_mode(const std::string& mode, const std::string& field, Asked& asked);

/// The tool of this name, escaped, has to be called.
void choose_one(const std::string& name, const std::string& field, Asked& asked);

/// Only the tools of these names, escaped, can be called: the others are left out.
void allow_only(const std::set<std::string>& names, const std::string& field, Asked& asked);

/// Where one has to be called there is one.
void need_tools(const Asked& asked);

/// There are no more calls in `messages`, and no more and no longer texts in `stop`, than the limits say.
void need_few(const Asked& asked, const Limits& limits, const std::string& messages, const std::string& stop);

}  // namespace splitproof::request
