#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace splitproof::observe {

/// Kind of a part of a conversation. Ids connect calls with results. `other` is a part that only one dialect
/// has.
enum class AskedKind : std::uint8_t { text, thinking, image, call, result, other };

/// One part of a result, except images.
struct AskedPiece {
  std::optional<std::string> text;  ///< Text of the part or document; nullopt if unreadable.
  bool is_document = false;
  const nlohmann::json* raw = nullptr;
};

/// One part of a turn or of the system prompt. `raw` is its JSON in the request, which must outlive it. `at`
/// is a JSON pointer to it in the body.
struct AskedBlock {
  AskedKind kind = AskedKind::other;
  std::string at;
  const nlohmann::json* raw = nullptr;
  std::optional<std::string> text = {};  ///< Text or thinking; for a result, its texts joined.
  std::optional<std::string> id = {};    ///< Id of a call, or of the call that a result answers.
  std::optional<std::string> name = {};  ///< Calls only.
  std::optional<std::string> arguments =
      {};                   ///< Calls only, as JSON text or as the text that a custom tool takes.
  bool takes_text = false;  ///< Calls only: the tool is a custom tool.
  bool failed = false;      ///< Results only: the client marks it as an error.
  bool as_object =
      false;  ///< Results only: `text` was an object of the request, so its spelling is not known.
  std::vector<std::string> images =
      {};                 ///< Source of an image, or of the images in a result: URLs or file ids.
  std::string seal = {};  ///< Thinking only: its signature or its encrypted content.
  std::vector<AskedPiece> pieces = {};       ///< Results in several parts only.
  std::optional<std::string> document = {};  ///< Other kinds only: its text, if the request contains it.
  std::string data = {};  ///< Other kinds only: its bytes in base64, if the request contains them.
};

/// A message, or an item in place of a message.
struct AskedTurn {
  std::string role;  ///< In the dialect's words; an item without a role belongs to assistant or tool.
  std::string at;
  const nlohmann::json* raw = nullptr;
  std::vector<AskedBlock> blocks;
  std::size_t group = 0;  ///< Turns that the dialect's servers join have the same number; it increases.
};

/// A setting that only its dialect has a word for, as the client set it.
struct AskedSetting {
  std::string name;
  const nlohmann::json* value = nullptr;
};

/// Input of a tool: an `object` of arguments, or `text`. The provider runs `hosted` tools itself.
enum class AskedTool : std::uint8_t { object, text, hosted };

struct OfferedTool {
  AskedTool kind = AskedTool::object;
  std::string at;
  const nlohmann::json* raw = nullptr;
  std::optional<std::string> name;
  const nlohmann::json* schema = nullptr;       ///< Schema of the arguments; null without one.
  const nlohmann::json* description = nullptr;  ///< Null without one.
  std::optional<bool> strict = {};  ///< True if arguments must fit the schema; nullopt if the server decides.
  std::vector<AskedSetting> settings = {};  ///< Further settings that only its dialect has a word for.
};

/// A tool that the provider defines and usually runs.
struct HostedTool {
  std::string does;        ///< Its purpose, in one word for all dialects.
  std::string name;        ///< Its name in the dialect.
  bool is_always = false;  ///< Clients of the dialect offer it in every request, needed or not.
};

/// A mark up to which the provider may cache the request, such as `cache_control`.
struct AskedMark {
  std::string on;  ///< The marked part: its kind, and its name, id or text.
  const nlohmann::json* mark = nullptr;
};

/// Tools that may be called.
struct AskedChoice {
  std::string at;
  std::string mode;                 ///< auto, none, any or one; otherwise the dialect's own word.
  std::optional<std::string> name;  ///< Mode `one`: the only tool.
  std::optional<std::vector<std::string>> allowed = {};  ///< The only tools, under the mode `within`.
  std::string within = {};
};

/// Format that the client requests for the answer's text.
struct AskedFormat {
  std::string kind;                        ///< json_object or json_schema; otherwise the dialect's own word.
  const nlohmann::json* schema = nullptr;  ///< Null without one.
  bool strict = false;                     ///< The text must fit the schema.
};

/// A client's request to a server, in one form for all dialects.
struct AskedRequest {
  std::vector<AskedBlock> system;  ///< System prompts outside the conversation.
  std::vector<AskedTurn> turns;
  std::vector<OfferedTool> tools;
  std::optional<AskedChoice> choice;
  bool stateful = false;          ///< The server already has part of the conversation.
  bool recalls_thinking = false;  ///< It only refers to thinking that the server has.

  // Members that asked_meaning.hpp compares:
  std::optional<bool> parallel = {};            ///< True if several calls may come at once.
  std::optional<AskedFormat> format = {};       ///< nullopt: plain text.
  std::vector<std::string> stop = {};           ///< Sequences that end the answer.
  const nlohmann::json* limit = nullptr;        ///< Maximum number of the answer's tokens; null: no limit.
  const nlohmann::json* temperature = nullptr;  ///< null: the server's default; so for top_p.
  const nlohmann::json* top_p = nullptr;
  bool stream = false;
  std::optional<const nlohmann::json*> effort =
      {};  ///< Effort of thinking, as a word; null: not stated; nullopt: the dialect has no such word.
  std::vector<HostedTool> hosted = {};
  std::vector<AskedMark> marks = {};
  std::vector<AskedSetting> settings = {};
  bool thinks_beyond = false;  ///< Thinking may use as many tokens as the whole answer, or more.
};

/// Returns the request as JSON, as contracts of the side `upstream` read it. contracts/specifications/requests.md lists
/// the members. Further members connect calls and results.
/// - `answered` of a call: "next" if the next group has its result, "later" if a later group has it,
/// otherwise "never".
/// - `answers` of a result: "before" if the previous group has its call, "earlier" if an earlier one has it,
/// or "none".
/// - `end`: marks the last part.
nlohmann::json asked_document(const AskedRequest& asked);

}  // namespace splitproof::observe
