#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "proxy/wire/surrogates.hpp"

namespace splitproof::request {

/// Makes the free text that a custom tool takes of the arguments by which the upstream calls it: `{"input": TEXT}`, in
/// pieces. Arguments of any other form are the text as they stand, so that the tool, and by its answer the model, is told
/// of them; what follows the text is left out.
class CustomInput {
 public:
  /// Takes the next piece, in UTF-8, and appends the text that it holds.
  void feed(std::string_view piece, std::string& out);

  /// The arguments are over.
  void finish(std::string& out);

  bool operator==(const CustomInput&) const = default;

 private:
  enum class Place : std::uint8_t { head, text, behind, other };

  void take_head(std::string_view piece, std::string& out);
  void take_text(std::string_view piece, std::string& out);

  Place place_ = Place::head;
  std::size_t token_ = 0;        // of the head: the one that comes next
  std::size_t matched_ = 0;      // how much of it has come
  std::string held_;             // the head, or an escape that is not whole
  wire::SurrogateJoiner pairs_;  // of the text
};

}  // namespace splitproof::request
