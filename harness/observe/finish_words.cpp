#include "harness/observe/finish_words.hpp"

#include "harness/lower_case.hpp"

namespace splitproof::observe {

FinishReason read_finish(std::string_view dialect, std::string_view word) {
  FinishReason reason{FinishKind::unknown, lower_case(std::string(word))};
  for (const FinishWord& row : finish_words()) {
    const bool open = row.word.ends_with('*');
    const std::string_view begin = row.word.substr(0, row.word.size() - (open ? 1 : 0));
    if (row.dialect != dialect || !(open ? reason.word.starts_with(begin) : reason.word == begin)) continue;
    reason.kind = row.means;
    break;
  }
  return reason;
}

}  // namespace splitproof::observe
