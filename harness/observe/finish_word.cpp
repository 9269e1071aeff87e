#include "harness/observe/finish_word.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace splitproof::observe {
namespace {

using Entry = std::pair<std::string_view, FinishWord>;

constexpr std::array<Entry, 9> kWords = {{{"length", FinishWord::length},
                                          {"max_tokens", FinishWord::length},
                                          {"model_length", FinishWord::length},
                                          {"content_filter", FinishWord::filtered},
                                          {"sensitive", FinishWord::filtered},
                                          {"error", FinishWord::broke},
                                          {"network_error", FinishWord::broke},
                                          {"insufficient_system_resource", FinishWord::broke},
                                          {"abort", FinishWord::broke}}};

}  // namespace

FinishWord read_finish(std::string_view word) {
  std::string lower(word);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  const auto known =
      std::find_if(kWords.begin(), kWords.end(), [&](const Entry& entry) { return entry.first == lower; });
  return known == kWords.end() ? FinishWord::stopped : known->second;
}

}  // namespace splitproof::observe
