#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "proxy/text/text_search.hpp"

namespace splitproof::text {

/// Ends a text, which comes in pieces, before the first of the texts at which the client wants it to end. What may wait is
/// the beginning of one of those.
class StopTexts {
 public:
  /// Takes the next piece and puts in its place what is said for certain. Gives the text that ended it, behind which nothing
  /// is read.
  std::optional<std::string> feed(const WantedTexts& wanted, std::string& text);

  /// The text is over: appends what waits. The next piece begins another.
  void finish(std::string& out);

  bool operator==(const StopTexts&) const = default;

 private:
  void forget(std::size_t said);

  TextSearch search_;
  std::string held_;
  std::size_t said_ = 0;  // how much of it was said already
};

}  // namespace splitproof::text
