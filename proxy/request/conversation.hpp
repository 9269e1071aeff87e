#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "proxy/request/asked.hpp"

namespace splitproof::request {

/// Puts the turns of a request together, for protocols that list what was said piece by piece.
///
/// What the assistant says in a row is one turn. Results stand right behind the turn with their calls, in one turn of the
/// user and before anything that the user said, wherever they came. What the system says before anybody else is its
/// prompt, later a turn.
class Conversation {
 public:
  void add_system(std::vector<Text> texts);
  void add_user(std::vector<Block> blocks);
  void add_assistant(Block block);
  void add_result(Result result);

  /// Gives what was said to the request.
  void move_to(Asked& asked);

 private:
  std::vector<std::string> system_;
  std::vector<Turn> turns_;
  std::size_t results_ = 0;   // where a turn of results stands, or belongs
  bool any_results_ = false;  // it is there
};

/// A text, or several; an empty one only where it is all that was said.
std::vector<Block> without_empty_texts(std::vector<Block> blocks);

/// An image by its URL, which may hold the data.
Image image_of(std::string_view url);

/// The arguments of a call, escaped, as the JSON object that they are. Blank ones are an empty object; what is no object,
/// because it was cut off, stands under the only key of another, `unparsed_arguments`.
std::string object_of(const std::string& arguments, std::size_t depth);

/// A tool that takes free text, as a function with one argument. All escaped; there may be no description, and no grammar
/// that the text has to match.
Tool custom_tool(std::string_view name, std::string_view description, std::string_view syntax,
                 std::string_view grammar);

/// The input of such a call, of the escaped text.
std::string custom_input(std::string_view text);

}  // namespace splitproof::request
