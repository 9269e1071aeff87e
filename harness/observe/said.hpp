#pragma once

#include <cstddef>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/observe/asked.hpp"

namespace splitproof::observe {

/// Pieces of text, as a dialect splits them over blocks. A blank piece separates texts that must not form one
/// word. Such texts are two messages or parts of the user, or parts of the system prompt.
using TextPieces = std::vector<std::string>;

/// All that one side says until the other speaks.
struct SaidTurn {
  bool by_assistant = false;
  TextPieces texts;
  std::vector<std::string> images;       ///< Sources, including images of results.
  std::vector<std::string> others = {};  ///< Bytes of each part of another kind, or "" if unknown.
  bool has_shown_results = false;        ///< Some of its results have images.
  std::vector<std::size_t> images_behind =
      {};  ///< For each image outside results: visible_bytes() of the text before it.
};

struct SaidCall {
  std::size_t turn = 0;
  std::string name;
  nlohmann::json input;  ///< The object, or the text.
  bool takes_text = false;
  std::optional<std::string> id;
};

struct SaidResult {
  std::optional<std::size_t> call;  ///< Index of its call; nullopt if no call has its id.
  std::string text;                 ///< All its text, including its documents.
  bool failed = false;
  bool has_image = false;
  bool as_object = false;     ///< As in AskedBlock.
  TextPieces pieces = {};     ///< `text` in its original pieces.
  TextPieces bare = {};       ///< `pieces` without its documents.
  std::size_t documents = 0;  ///< Documents that are part of the text.
  std::size_t others = 0;     ///< Unreadable parts.
};

/// Thinking that the client sends back, with its seal.
struct SaidThought {
  std::string text;
  std::string seal;
  std::size_t message = 0;  ///< Index of its message in the request.
};

struct SaidTool {
  std::string name;
  bool takes_text = false;
  nlohmann::json schema;                                ///< Null without one.
  nlohmann::json description;                           ///< "" without one.
  std::optional<bool> strict = {};                      ///< nullopt: the server decides.
  std::map<std::string, nlohmann::json> settings = {};  ///< Further settings.
};

/// A request without the dialect's own features, as a plain value that may be changed.
struct Said {
  TextPieces system;
  std::vector<std::size_t>
      late;  ///< For each system prompt within the conversation, the number of turns before it.
  std::vector<SaidTurn> turns;
  std::vector<SaidCall> calls;
  std::vector<SaidResult> results;  ///< Sorted by their calls; results without a call are first.
  std::vector<SaidThought> thoughts;
  std::vector<SaidThought> unsealed;  ///< Thinking without a seal that is sent back.
  bool leaves_out_blanks = false;     ///< Some text of the user is only white space.
  std::size_t question = 0;           ///< Index of the user's last message with more than results.
  std::vector<SaidTool> tools;        ///< Tools that the client runs.
  std::string choice = "auto";
  std::optional<std::string> chosen;  ///< The only tool that may be called.
};

/// Reads a request. Empty text forms no turn.
Said said_in(const AskedRequest& asked);

/// True if pieces have the same text. Blank space may differ where two pieces of either side meet, but a
/// blank piece requires some.
bool meet(const TextPieces& a, const TextPieces& b);

/// True if two texts that meet() begin (or end) with the same blank space. A blank piece there also counts as
/// equal.
bool begin_alike(const TextPieces& a, const TextPieces& b);
bool end_alike(const TextPieces& a, const TextPieces& b);

/// True if `whole` holds the pieces of `part` in order, in the sense of meet(). `rest` gets the remaining
/// text.
bool holds(const TextPieces& whole, const TextPieces& part, std::string& rest);

std::string joined(const TextPieces& pieces);

/// Returns the number of bytes that are not white space.
std::size_t visible_bytes(const TextPieces& pieces);

/// True if a text is empty or only white space.
bool is_blank(std::string_view text);

}  // namespace splitproof::observe
