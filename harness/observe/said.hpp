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

/// Pieces of text, as a dialect dealt them out over blocks. A blank one stands between two that may not be written in one:
/// of two messages of the user, and of two parts of his, or of the system prompt, that would become one word.
using TextPieces = std::vector<std::string>;

/// All that one side says until the other speaks.
struct SaidTurn {
  bool by_assistant = false;
  TextPieces texts;
  std::vector<std::string> images;  ///< sources; of results too
  std::vector<std::string> others =
      {};                          ///< of each part of any other kind its bytes, "" where they are not known
  bool has_shown_results = false;  ///< some of its results have images
  std::vector<std::size_t> images_behind =
      {};  ///< of each image that is not a result's: visible_bytes() of the text before it
};

struct SaidCall {
  std::size_t turn = 0;
  std::string name;
  nlohmann::json input;  ///< the object; else the text
  bool takes_text = false;
  std::optional<std::string> id;
};

struct SaidResult {
  std::optional<std::size_t> call;  ///< its place among the calls; nothing where none has its id
  std::string text;                 ///< all that it says, its documents too
  bool failed = false;
  bool has_image = false;
  TextPieces pieces = {};     ///< the same as it was dealt out
  TextPieces bare = {};       ///< the same without its documents
  std::size_t documents = 0;  ///< that are read into the text
  std::size_t others = 0;     ///< parts that cannot be read
};

/// Thinking that is sent back, with what it was sealed with.
struct SaidThought {
  std::string text;
  std::string seal;
  std::size_t message = 0;  ///< the place of its message in the request
};

struct SaidTool {
  std::string name;
  bool takes_text = false;
  nlohmann::json schema;                                ///< null without one
  nlohmann::json description;                           ///< "" without one
  std::optional<bool> strict = {};                      ///< nothing: as the server likes
  std::map<std::string, nlohmann::json> settings = {};  ///< what else is said of it
};

/// A request without what is a dialect's own: a plain value, which may be changed.
struct Said {
  TextPieces system;
  std::vector<std::size_t>
      late;  ///< of system prompts within the conversation, behind how many turns they stand
  std::vector<SaidTurn> turns;
  std::vector<SaidCall> calls;
  std::vector<SaidResult> results;  ///< by their calls; those without one come first
  std::vector<SaidThought> thoughts;
  std::vector<SaidThought> unsealed;  ///< thinking that is sent back as it is
  bool leaves_out_blanks = false;     ///< some text of the user that is nothing but white space
  std::size_t question =
      0;  ///< the place of the last message in which the user says something that is no result
  std::vector<SaidTool> tools;  ///< that the client runs
  std::string choice = "auto";
  std::optional<std::string> chosen;  ///< the one tool that may be called
};

/// Reads it off. Empty text is nobody's turn.
Said said_in(const AskedRequest& asked);

/// Whether pieces say the same, but for blank space where two of either side meet; where a blank one stands between them, some
/// has to be there.
bool meet(const TextPieces& a, const TextPieces& b);

/// Whether two texts that meet() begin with the same blank space, and end with the same. Where one has a blank piece there, they
/// do.
bool begin_alike(const TextPieces& a, const TextPieces& b);
bool end_alike(const TextPieces& a, const TextPieces& b);

/// Whether `whole` holds the pieces of `part`, one behind the other, likewise; `rest` gets what else it holds.
bool holds(const TextPieces& whole, const TextPieces& part, std::string& rest);

std::string joined(const TextPieces& pieces);

/// How many characters of pieces are no white space.
std::size_t visible_bytes(const TextPieces& pieces);

/// Whether a text is nothing but white space, or nothing.
bool is_blank(std::string_view text);

}  // namespace splitproof::observe
