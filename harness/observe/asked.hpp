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

/// One part of a result that is no image.
struct AskedPiece {
  std::optional<std::string> text;  ///< of a text, and of a document that is one; nothing: it cannot be read
  bool is_document = false;
  const nlohmann::json* raw = nullptr;
};

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
      {};                   ///< of a call, as JSON text or as the text that a custom tool takes
  bool takes_text = false;  ///< of a call: it is one of a custom tool
  bool failed = false;      ///< of a result: it is said to be an error
  std::vector<std::string> images =
      {};                 ///< of an image its source, of a result those in it: URLs or ids of files
  std::string seal = {};  ///< of thinking, its signature or what is encrypted of it
  std::vector<AskedPiece> pieces = {};  ///< of a result that is dealt out over several parts
  std::optional<std::string> document =
      {};                 ///< of another kind: what it says, where that stands in the request as text
  std::string data = {};  ///< of another kind: its bytes in base64, where they stand in the request
};

/// A message, or an item that stands for one.
struct AskedTurn {
  std::string role;  ///< as the dialect calls it; of an item without one, whose it is: assistant or tool
  std::string at;
  const nlohmann::json* raw = nullptr;
  std::vector<AskedBlock> blocks;
  std::size_t group = 0;  ///< turns that the dialect's servers take for one have one number; it counts up
};

/// What only its dialect has a word for, as the client set it.
struct AskedSetting {
  std::string name;
  const nlohmann::json* value = nullptr;
};

/// What a tool takes: an `object` of arguments, or `text`. What a provider runs itself is `hosted`.
enum class AskedTool : std::uint8_t { object, text, hosted };

struct OfferedTool {
  AskedTool kind = AskedTool::object;
  std::string at;
  const nlohmann::json* raw = nullptr;
  std::optional<std::string> name;
  const nlohmann::json* schema = nullptr;       ///< of the arguments; null without one
  const nlohmann::json* description = nullptr;  ///< null without one
  std::optional<bool> strict =
      {};  ///< whether arguments have to fit the schema; nothing: as the server likes
  std::vector<AskedSetting> settings = {};  ///< what else is said of it that only its dialect has a word for
};

/// A tool that the provider defines, and mostly runs.
struct HostedTool {
  std::string does;  ///< what it is for, in one word for all dialects
  std::string name;  ///< by which its dialect knows it
  bool is_always =
      false;  ///< clients of the dialect offer it with every request, whether they need it or not
};

/// A mark of where the provider may keep what stands before it, such as `cache_control`.
struct AskedMark {
  std::string on;  ///< what bears it: its kind, and its name, id or text
  const nlohmann::json* mark = nullptr;
};

/// Which tools may be called.
struct AskedChoice {
  std::string at;
  std::string mode;                 ///< auto, none, any, one; else the dialect's own word
  std::optional<std::string> name;  ///< of the only one
  std::optional<std::vector<std::string>> allowed = {};  ///< of the only ones, under the mode `within`
  std::string within = {};
};

/// In which form the answer's text is wanted.
struct AskedFormat {
  std::string kind;                        ///< json_object, json_schema; else the dialect's own word
  const nlohmann::json* schema = nullptr;  ///< null without one
  bool strict = false;                     ///< the text has to fit it
};

/// What a client asks of a server, in one form for all dialects.
struct AskedRequest {
  std::vector<AskedBlock> system;  ///< what stands beside the conversation
  std::vector<AskedTurn> turns;
  std::vector<OfferedTool> tools;
  std::optional<AskedChoice> choice;
  bool stateful = false;          ///< the server knows some of the conversation already
  bool recalls_thinking = false;  ///< of that it refers to thinking alone

  // As asked_meaning.hpp compares them.
  std::optional<bool> parallel = {};            ///< whether several calls may come at once
  std::optional<AskedFormat> format = {};       ///< nothing: plain text
  std::vector<std::string> stop = {};           ///< sequences that end the answer
  const nlohmann::json* limit = nullptr;        ///< of tokens of the answer; null: there is none
  const nlohmann::json* temperature = nullptr;  ///< null: the server's own, as below
  const nlohmann::json* top_p = nullptr;
  bool stream = false;
  std::optional<const nlohmann::json*> effort =
      {};  ///< of thinking, in a word; null: none is said; nothing: the dialect has no such word
  std::vector<HostedTool> hosted = {};
  std::vector<AskedMark> marks = {};
  std::vector<AskedSetting> settings = {};
  bool thinks_beyond = false;  ///< it may think as much as the whole answer may have, or more
};

/// The same as JSON, as contracts of the side `upstream` read it (docs/upstream-requests.md lists the members). It also
/// says of each call whether it is `answered`: "next" where a result of its id stands in the group behind its own, "later"
/// where one stands further behind, else "never"; of each result whether it `answers` a call: "before" in the group
/// ahead of its own, "earlier", or "none"; and of the part that stands behind all others that it is the `end`.
nlohmann::json asked_document(const AskedRequest& asked);

}  // namespace splitproof::observe
