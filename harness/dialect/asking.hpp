#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "harness/observe/asked.hpp"

namespace splitproof::dialect {

/// A string as it stands; nothing for anything else.
std::optional<std::string> optional_text(const nlohmann::json& value);

/// A string that is a block of its own.
observe::AskedBlock block_of_string(const nlohmann::json& text, const std::string& at,
                                    observe::AskedKind kind = observe::AskedKind::text);

/// A tool that stands at `at`; `declared`, which may be a member of it, has its name and, under `schema`, the schema of its
/// arguments.
observe::OfferedTool offered_tool(observe::AskedTool kind, const nlohmann::json& tool, const std::string& at,
                                  const nlohmann::json& declared, const char* schema);

/// Calls `take` with each element of an array and its JSON pointer; with nothing for anything else.
void for_each_of(const nlohmann::json& array, const std::string& at,
                 const std::function<void(const nlohmann::json& element, const std::string& at)>& take);

/// The texts of parts, joined: of a string itself, of an array what the `text` of its elements says. Nothing without any.
std::optional<std::string> joined_text(const nlohmann::json& content);

/// The tool choice of OpenAI's protocols: a word, or an object whose `type` is one; the name of the only tool stands in it,
/// or in its member of that type.
std::optional<observe::AskedChoice> choice_of_openai(const nlohmann::json& body);

}  // namespace splitproof::dialect
