#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/observe/asked.hpp"

namespace splitproof::observe {

/// What a proxy says of its own in the system slot.
struct SystemBlocks {
  std::optional<std::string> facts;  ///< on the client's machine; without the heading
  std::optional<std::string> tools;  ///< likewise
  bool facts_first = true;           ///< where both are there, that on the machine is the first
  std::string rest;                  ///< what is in neither
};

/// Finds them in what stands beside the client's own system prompt.
SystemBlocks system_blocks_in(std::string_view added);

/// A tool as the system slot describes it.
struct ToolInWords {
  std::string name;
  std::string text;  ///< all below its heading
};

/// The sections of that block: one for each declared tool that has one, and one for every other heading of one word
/// that is not a line of some description.
std::vector<ToolInWords> tools_in_words(std::string_view block, const std::vector<std::string>& declared,
                                        const std::vector<std::string>& descriptions);

/// The first JSON object in a text; null without one.
nlohmann::json first_object_in(std::string_view text);

/// What tells the user's model which tools there are.
struct Banner {
  std::size_t turn = 0;   ///< among the request's turns
  std::size_t block = 0;  ///< of that turn
  std::string at;
  std::string text;            ///< without what the client says behind it in the same block
  std::string rest;            ///< that
  bool behind_result = false;  ///< it stands in a message that begins with a result
  bool first = false;          ///< nothing that the user says or shows stands before it in its message
};

/// Those of a request, in their order. `asked` is what the client asked for, as far as it is known.
std::vector<Banner> banners_in(const AskedRequest& got, const AskedRequest* asked);

/// The same as JSON, as rules of the side `upstream` read them: `at`, `text`, `behind_result`, and where the client's
/// request is known `room`, how many characters more it might have.
nlohmann::json banner_documents(const AskedRequest& got, const AskedRequest* asked);

/// The place in `turns` of the last message of the user, or of his tools; none without any.
std::optional<std::size_t> last_of_user(const AskedRequest& got);

/// Whether a message of the user begins with a result, as a block or in words.
bool begins_with_result(const AskedTurn& turn);

/// An id as it may stand in words.
std::string narrowed_id(const std::string& id);

/// The turns with calls and results as blocks where they stand in words: of a call without an id, that of the call of
/// the same number in `ids`, as far as that goes.
std::vector<AskedTurn> turns_out_of_words(const std::vector<AskedTurn>& turns,
                                          const std::vector<std::string>& ids);

/// Whether two texts say the same where what would break out of a result was made harmless in `got`.
bool same_but_harmless(std::string_view text, std::string_view got);

}  // namespace splitproof::observe
