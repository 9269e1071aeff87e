#pragma once

#include <functional>
#include <initializer_list>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/observe/asked.hpp"

namespace splitproof::dialect {

/// Returns a string, or nullopt for any other value.
std::optional<std::string> optional_text(const nlohmann::json& value);

/// Returns a string as a separate block.
observe::AskedBlock block_of_string(const nlohmann::json& text, const std::string& at,
                                    observe::AskedKind kind = observe::AskedKind::text);

/// Returns the tool at `at`. `declared`, which may be a member of it, has its name and, under `schema`, the
/// schema of its arguments.
observe::OfferedTool offered_tool(observe::AskedTool kind, const nlohmann::json& tool, const std::string& at,
                                  const nlohmann::json& declared, const char* schema);

/// Reads the members of a tool with these names, except false ones.
void read_words_on(const nlohmann::json& declared, std::initializer_list<const char*> words,
                   observe::OfferedTool& tool);

/// Calls `take` with each element of an array and its JSON pointer. Does nothing for any other value.
void for_each_of(const nlohmann::json& array, const std::string& at,
                 const std::function<void(const nlohmann::json& element, const std::string& at)>& take);

/// Returns the joined texts of parts: a string itself, or the `text` members of an array. Returns nullopt
/// without any.
std::optional<std::string> joined_text(const nlohmann::json& content);

/// Reads a part of a result. Returns nullopt for an image.
using PieceReader = std::function<std::optional<observe::AskedPiece>(const nlohmann::json& part)>;

/// Returns the parts of an array that are not images.
std::vector<observe::AskedPiece> pieces_in(const nlohmann::json& content, const PieceReader& piece_of);

/// Returns the base64 of a data URL, or any other text unchanged.
std::string base64_of(const std::string& url);

/// Returns the value, or a null pointer if it is absent or null.
const nlohmann::json* given_value(const nlohmann::json& body, const char* name);

/// Returns the strings of an array, or the single string, or nothing for any other value.
std::vector<std::string> texts_of(const nlohmann::json& value);

/// Reads settings that most dialects call alike: stream, temperature and top_p.
void read_sampling(const nlohmann::json& body, observe::AskedRequest& asked);

/// Reads the request's tools that its provider defines, by their `type`. Clients of the dialect offer the
/// types in `always` with every request.
void read_hosted(observe::AskedRequest& asked, std::initializer_list<std::string_view> always = {});

/// Reads the members with these names that the client set.
void read_settings(const nlohmann::json& body, std::initializer_list<const char*> names,
                   observe::AskedRequest& asked);

/// Reads the marks of the parts read so far: of the system prompt, of turns, of results, of tools.
void read_marks(observe::AskedRequest& asked);

/// Returns a format with this `type` and its schema in the member of the same name of `declared`. Returns
/// nullopt for plain text.
std::optional<observe::AskedFormat> format_of(const nlohmann::json& format, const nlohmann::json& declared);

/// Returns the sources of an array's images. `source_of` returns nullopt for other parts.
std::vector<std::string> images_in(
    const nlohmann::json& content,
    const std::function<std::optional<std::string>(const nlohmann::json& part)>& source_of);

/// Returns the tool choice of OpenAI's protocols: a word, or an object with a `type`. The object has the only
/// tool's name, or its member with the name of the type has it.
std::optional<observe::AskedChoice> choice_of_openai(const nlohmann::json& body);

/// Returns `parallel_tool_calls` of OpenAI's protocols, or nullopt.
std::optional<bool> parallel_of_openai(const nlohmann::json& body);

}  // namespace splitproof::dialect
