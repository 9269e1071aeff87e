#include "proxy/dialect/finish_word.hpp"

#include <algorithm>
#include <utility>

#include "proxy/wire/ascii.hpp"
#include "proxy/wire/surrogates.hpp"

namespace splitproof::proxy::dialect {

turn::Event finish_of(std::string_view dialect, std::string_view said, std::string stopped_at) {
  std::string word = wire::whole(wire::lowered(std::string(said)));
  const auto fits = [&](const FinishWord& row) {
    if (row.dialect != dialect) return false;
    if (!row.said.ends_with('*')) return row.said == word;
    return std::string_view(word).starts_with(row.said.substr(0, row.said.size() - 1));
  };
  const auto rows = finish_words();
  const auto row = std::find_if(rows.begin(), rows.end(), fits);
  if (row == rows.end()) return turn::Finished{turn::Finish::unknown, std::move(stopped_at), std::move(word)};
  if (!row->meant) return turn::Failure{turn::ErrorKind::api, "the upstream broke off: " + word};
  return turn::Finished{*row->meant, std::move(stopped_at), {}};
}

}  // namespace splitproof::proxy::dialect
