#include "harness/observe/error_class.hpp"

namespace splitproof::observe {

std::string words_for(ErrorClasses classes) {
  std::string words;
  const auto add = [&](bool holds, const char* word) {
    if (holds) words += (words.empty() ? "" : " or ") + std::string(word);
  };
  add(classes.request, "request");
  add(classes.limit, "limit");
  add(classes.server, "server");
  return words;
}

}  // namespace splitproof::observe
