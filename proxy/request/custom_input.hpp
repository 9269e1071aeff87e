#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "proxy/wire/surrogates.hpp"

namespace splitproof::request {

/// Extracts a custom tool's free text from the upstream's arguments `{"input": TEXT}`, in pieces. Other arguments pass
/// as raw text, so that the tool and then the model learn of the mistake. Content after the text is dropped.
class CustomInput {
 public:
  /// Takes the next piece, in UTF-8, and appends its text.
  void feed(std::string_view piece, std::string& out);

  /// The arguments are over.
  void finish(std::string& out);

  bool operator==(const CustomInput&) const = default;

 private:
  enum class Place : std::uint8_t { head, text, behind, other };

  void take_head(std::string_view piece, std::string& out);
  void take_text(std::string_view piece, std::string& out);

  Place place_ = Place::head;
  std::size_t token_ = 0;        // index of the head's next token
  std::size_t matched_ = 0;      // bytes of it so far
  std::string held_;             // the head, or an incomplete escape
  wire::SurrogateJoiner pairs_;  // of the text
};

}  // namespace splitproof::request
