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
  Cells cells;  ///< of the row, the id's cell first
};

/// Returns the lines of a page of docs/.
std::vector<std::string> lines_of_page(const std::string& name);

/// Returns the cells of a table's row; none for another line. No cell of these pages contains a `|`.
Cells cells_of(const std::string& line);

/// Returns the rows of a page with this many cells and a report in the first.
std::vector<Incident> incidents_of_page(const std::string& name, std::size_t columns);

/// Returns the texts in backticks of a cell that contains nothing more.
std::vector<std::string> cases_in(const std::string& cell);

/// Returns the reports by id; empty without a collection.
std::map<std::string, nlohmann::json> collection();

}  // namespace splitproof::docs
