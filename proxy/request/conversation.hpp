#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "proxy/request/asked.hpp"

namespace splitproof::request {

/// Assembles the turns of a request for protocols that list content in pieces.
///
/// Consecutive assistant content is one turn. Results come right after the turn with their calls, in one user turn
/// before all other user content. System texts are the prompt before any other content, and turns later.
class Conversation {
 public:
  void add_system(std::vector<Text> texts);
  void add_user(std::vector<Block> blocks);
  void add_assistant(Block block);
  void add_result(Result result);

  /// Moves the content to the request.
  void move_to(Asked& asked);

 private:
  std::vector<std::string> system_;
  std::vector<Turn> turns_;
  std::size_t results_ = 0;   // index of the turn of results
  bool any_results_ = false;  // that turn exists
};

/// Removes empty texts, unless the only content is one.
std::vector<Block> without_empty_texts(std::vector<Block> blocks);

/// Reads an image from its URL, which may contain the data.
Image image_of(std::string_view url);

/// Returns the escaped arguments of a call as a JSON object. Blank arguments are an empty object. Arguments that are
/// not an object, because they were cut off, become the only member `unparsed_arguments` of one.
std::string object_of(const std::string& arguments, std::size_t depth);

/// Returns a tool with free text as a function with one argument. All texts are escaped. Description and grammar may be
/// absent.
Tool custom_tool(std::string_view name, std::string_view description, std::string_view syntax,
                 std::string_view grammar);

/// Returns the input of such a call for an escaped text.
std::string custom_input(std::string_view text);

}  // namespace splitproof::request
