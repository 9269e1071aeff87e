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
using Pieces = std::vector<std::string>;

/// All that one side says until the other speaks.
struct SaidTurn {
  bool by_assistant = false;
  Pieces texts;
  std::vector<std::string> images;  ///< sources; of results too
  std::size_t others = 0;           ///< parts of any other kind
  bool has_shown_results = false;   ///< some of its results have images
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
  std::string text;
  bool failed = false;
  bool has_image = false;
};

/// Thinking that is sent back, with what it was sealed with.
struct SaidThought {
  std::string text;
  std::string seal;
};

struct SaidTool {
  std::string name;
  bool takes_text = false;
  nlohmann::json schema;       ///< null without one
  nlohmann::json description;  ///< "" without one
};

/// A request without what is a dialect's own: a plain value, which may be changed.
struct Said {
  Pieces system;
  std::vector<std::size_t>
      late;  ///< of system prompts within the conversation, behind how many turns they stand
  std::vector<SaidTurn> turns;
  std::vector<SaidCall> calls;
  std::vector<SaidResult> results;  ///< by their calls; those without one come first
  std::vector<SaidThought> thoughts;
  std::vector<SaidTool> tools;  ///< that the client runs
  std::string choice = "auto";
  std::optional<std::string> chosen;  ///< the one tool that may be called
};

/// Reads it off. Empty text is nobody's turn.
Said said_in(const AskedRequest& asked);

/// Whether pieces say the same, but for blank space where two of either side meet; where a blank one stands between them, some
/// has to be there.
bool meet(const Pieces& a, const Pieces& b);

/// Whether `whole` holds the pieces of `part`, one behind the other, likewise; `rest` gets what else it holds.
bool holds(const Pieces& whole, const Pieces& part, std::string& rest);

std::string joined(const Pieces& pieces);

/// How many characters of pieces are no white space.
std::size_t visible_bytes(const Pieces& pieces);

/// Whether a text is nothing but white space, or nothing.
bool is_blank(std::string_view text);

}  // namespace splitproof::observe
