#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "proxy/text/text_search.hpp"

namespace splitproof::text {

/// Ends a text, in pieces, before the first of the client's stop texts. Only the beginning of a stop text waits.
class StopTexts {
 public:
  /// Takes the next piece and replaces it with the certain output. Returns the stop text that ended it. Reads nothing
  /// after that.
  std::optional<std::string> feed(const WantedTexts& wanted, std::string& text);

  /// The text is over. Appends what waits. The next piece begins another.
  void finish(std::string& out);

  bool operator==(const StopTexts&) const = default;

 private:
  void forget(std::size_t said);

  TextSearch search_;
  std::string held_;
  std::size_t said_ = 0;  // bytes of it that have left
};

}  // namespace splitproof::text
