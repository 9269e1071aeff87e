#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace splitproof::docs {

using Cells = std::vector<std::string>;

struct Incident {
  std::string id;  ///< owner/repo#n
  std::string url;
  Cells cells;  ///< of the row, that of the id first
};

/// The lines of a page of docs/.
std::vector<std::string> lines_of_page(const std::string& name);

/// The cells of a table's row; none of another line. No cell of these pages holds a `|`.
Cells cells_of(const std::string& line);

/// The rows of a page that have so many cells and name a report in the first.
std::vector<Incident> incidents_of_page(const std::string& name, std::size_t columns);

/// What stands in backticks, of a cell that holds nothing else.
std::vector<std::string> cases_in(const std::string& cell);

/// The reports by id; empty where there is no collection.
std::map<std::string, nlohmann::json> collection();

}  // namespace splitproof::docs
