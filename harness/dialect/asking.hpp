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

/// A string as it stands; nothing for anything else.
std::optional<std::string> optional_text(const nlohmann::json& value);

/// A string that is a block of its own.
observe::AskedBlock block_of_string(const nlohmann::json& text, const std::string& at,
                                    observe::AskedKind kind = observe::AskedKind::text);

/// A tool that stands at `at`; `declared`, which may be a member of it, has its name and, under `schema`, the schema of its
/// arguments.
observe::OfferedTool offered_tool(observe::AskedTool kind, const nlohmann::json& tool, const std::string& at,
                                  const nlohmann::json& declared, const char* schema);

/// The members of those names that are said of a tool, but for those that are false.
void read_words_on(const nlohmann::json& declared, std::initializer_list<const char*> words,
                   observe::OfferedTool& tool);

/// Calls `take` with each element of an array and its JSON pointer; with nothing for anything else.
void for_each_of(const nlohmann::json& array, const std::string& at,
                 const std::function<void(const nlohmann::json& element, const std::string& at)>& take);

/// The texts of parts, joined: of a string itself, of an array what the `text` of its elements says. Nothing without any.
std::optional<std::string> joined_text(const nlohmann::json& content);

/// How a part of a result reads that is no image: nothing where it is one.
using PieceReader = std::function<std::optional<observe::AskedPiece>(const nlohmann::json& part)>;

/// The parts of a result that are no images, where it is an array.
std::vector<observe::AskedPiece> pieces_in(const nlohmann::json& content, const PieceReader& piece_of);

/// The base64 of a URL that holds its data; of anything else the whole.
std::string base64_of(const std::string& url);

/// The value, and null for one that is absent or null.
const nlohmann::json* given_value(const nlohmann::json& body, const char* name);

/// The strings of an array, or the one string; nothing for anything else.
std::vector<std::string> texts_of(const nlohmann::json& value);

/// What most dialects call alike: whether a stream is wanted, temperature and top_p.
void read_sampling(const nlohmann::json& body, observe::AskedRequest& asked);

/// The tools of the request that its provider defines, by the `type` of each. `always` are those types that clients of the
/// dialect offer with every request.
void read_hosted(observe::AskedRequest& asked, std::initializer_list<std::string_view> always = {});

/// The members of those names that the client set.
void read_settings(const nlohmann::json& body, std::initializer_list<const char*> names,
                   observe::AskedRequest& asked);

/// The marks of what is read already: of the system prompt, of turns, of the parts of results, of tools.
void read_marks(observe::AskedRequest& asked);

/// A format whose `type` says which, and which has its schema in the member of that name of `declared`. Nothing for plain text.
std::optional<observe::AskedFormat> format_of(const nlohmann::json& format, const nlohmann::json& declared);

/// The sources of those parts of an array that are images; `source_of` says nothing of others.
std::vector<std::string> images_in(
    const nlohmann::json& content,
    const std::function<std::optional<std::string>(const nlohmann::json& part)>& source_of);

/// The tool choice of OpenAI's protocols: a word, or an object whose `type` is one; the name of the only tool stands in it,
/// or in its member of that type.
std::optional<observe::AskedChoice> choice_of_openai(const nlohmann::json& body);

/// Their `parallel_tool_calls`; nothing where it is not said.
std::optional<bool> parallel_of_openai(const nlohmann::json& body);

}  // namespace splitproof::dialect
