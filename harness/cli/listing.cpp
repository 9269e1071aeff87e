#include "harness/cli/listing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>

#include "harness/cli/exit_code.hpp"
#include "harness/cli/print_json.hpp"
#include "harness/cli/sources.hpp"
#include "harness/cli/unknown_word.hpp"
#include "harness/glob.hpp"

namespace splitproof::cli {

void Listing::add(const std::vector<Column>& columns) {
  const std::string& id = columns.front().text;
  if (ids_.empty() || ids_.back() != id) ids_.push_back(id);
  if (!only_.empty() && !matches(only_, id)) return;
  any_ = true;
  if (json_) {
    nlohmann::ordered_json object = nlohmann::ordered_json::object();
    for (const Column& column : columns)
      object[std::string(column.name)] =
          column.text.substr(std::min(column.text.find_first_not_of(' '), column.text.size()));
    print_json(object);
    return;
  }
  std::string line;
  for (const Column& column : columns)
    line += fmt::format("{}{:<{}}", line.empty() ? "" : " ", column.text, column.width);
  std::cout << line.substr(0, line.find_last_not_of(' ') + 1) << "\n";
}

int Listing::end() const {
  if (any_ || only_.empty()) return kConforms;
  complain(nothing_matches(kind_, only_, ids_, "leave --only out to see all"));
  return kNothingSelected;
}

}  // namespace splitproof::cli
