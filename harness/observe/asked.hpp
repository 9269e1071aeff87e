#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace splitproof::observe {

/// What a part of a conversation is. A call and a result belong together by their ids; `other` is what only one dialect
/// has.
enum class AskedKind : std::uint8_t { text, thinking, image, call, result, other };

/// One part of a turn, or of the system prompt. `raw` is its JSON as it stands in the request, which must outlive it; it
/// stands there at `at`, a JSON pointer into the body.
struct AskedBlock {
  AskedKind kind = AskedKind::other;
  std::string at;
  const nlohmann::json* raw = nullptr;
  std::optional<std::string> text = {};  ///< of a text or of thinking; of a result, its texts joined
  std::optional<std::string> id = {};    ///< of a call, and of the call that a result answers
  std::optional<std::string> name = {};  ///< of a call
  std::optional<std::string> arguments =
      {};  ///< of a call, as JSON text or as the text that a custom tool takes
};

/// A message, or an item that stands for one.
struct AskedTurn {
  std::string role;  ///< as the dialect calls it; of an item without one, whose it is: assistant or tool
  std::string at;
  const nlohmann::json* raw = nullptr;
  std::vector<AskedBlock> blocks;
  std::size_t group = 0;  ///< turns that the dialect's servers take for one have one number; it counts up
};

/// What a tool takes: an `object` of arguments, or `text`. What a provider runs itself is `hosted`.
enum class AskedTool : std::uint8_t { object, text, hosted };

struct OfferedTool {
  AskedTool kind = AskedTool::object;
  std::string at;
  const nlohmann::json* raw = nullptr;
  std::optional<std::string> name;
  const nlohmann::json* schema = nullptr;  ///< of the arguments; null without one
};

/// Which tools may be called.
struct AskedChoice {
  std::string at;
  std::string mode;                 ///< auto, none, any, one; else the dialect's own word
  std::optional<std::string> name;  ///< of the only one
};

/// What a client asks of a server, in one form for all dialects.
struct AskedRequest {
  std::vector<AskedBlock> system;  ///< what stands beside the conversation
  std::vector<AskedTurn> turns;
  std::vector<OfferedTool> tools;
  std::optional<AskedChoice> choice;
  bool stateful = false;  ///< the server knows some of the conversation already
};

/// The same as JSON, as contracts of the side `upstream` read it (docs/upstream-requests.md lists the members). It also
/// says of each call whether it is `answered`: "next" where a result of its id stands in the group behind its own, "later"
/// where one stands further behind, else "never"; and of each result whether it `answers` a call: "before" in the group
/// ahead of its own, "earlier", or "none".
nlohmann::json asked_document(const AskedRequest& asked);

}  // namespace splitproof::observe
