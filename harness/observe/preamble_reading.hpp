#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/observe/asked.hpp"

namespace splitproof::observe {

/// Blocks that a proxy adds to the system slot.
struct SystemBlocks {
  std::optional<std::string> facts;  ///< Facts on the client's machine, without the heading.
  std::optional<std::string> tools;  ///< Tools, without the heading.
  bool facts_first = true;           ///< If both exist, the facts are first.
  std::string rest;                  ///< Text in neither block.
};

/// Finds the blocks in the text next to the client's own system prompt.
SystemBlocks system_blocks_in(std::string_view added);

/// A tool as the system slot describes it.
struct ToolInWords {
  std::string name;
  std::string text;  ///< All text below its heading.
};

/// Returns the sections of the tools block. Each declared tool has at most one. Each other one-word heading
/// that is not a line of a description is a section too.
std::vector<ToolInWords> tools_in_words(std::string_view block, const std::vector<std::string>& declared,
                                        const std::vector<std::string>& descriptions);

/// Returns the first JSON object in a text, or null.
nlohmann::json first_object_in(std::string_view text);

/// Text that lists the available tools for the user's model.
struct Banner {
  std::size_t turn = 0;   ///< Index in the request's turns.
  std::size_t block = 0;  ///< Index in that turn.
  std::string at;
  std::string text;            ///< Without the client's text after it in the same block.
  std::string rest;            ///< The client's text after it.
  bool behind_result = false;  ///< Its message begins with a result.
  bool first = false;          ///< In its message, no text or image of the user precedes it.
};

/// Returns the banners of a request, in order. `asked` is the client's request, or null if unknown.
std::vector<Banner> banners_in(const AskedRequest& got, const AskedRequest* asked);

/// Returns the banners as JSON, as rules of the side `upstream` read them: `at`, `text`, `behind_result`. If
/// the client's request is known, `room` is the number of further characters allowed.
nlohmann::json banner_documents(const AskedRequest& got, const AskedRequest* asked);

/// Returns the index in `turns` of the last message of the user or of their tools, or nullopt.
std::optional<std::size_t> last_of_user(const AskedRequest& got);

/// True if a user's message begins with a result, as a block or in words.
bool begins_with_result(const AskedTurn& turn);

/// Returns an id in the form that words may contain.
std::string narrowed_id(const std::string& id);

/// Returns the turns with calls and results as blocks instead of words. A call without an id gets the id with
/// the same number in `ids`, if there is one.
std::vector<AskedTurn> turns_out_of_words(const std::vector<AskedTurn>& turns,
                                          const std::vector<std::string>& ids);

/// True if two texts are equal, apart from tags in a result that `got` makes harmless.
bool same_but_harmless(std::string_view text, std::string_view got);

}  // namespace splitproof::observe
