#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/recording/recording.hpp"

namespace splitproof::docs {

using Cells = std::vector<std::string>;

struct Incident {
  std::string id;  ///< owner/repo#n.
  std::string url;
  Cells cells;  ///< Cells of the row. The id's cell is first.
};

/// Returns the rows of a table in docs/data, without its comments and the names of its columns.
std::vector<Cells> rows_of_data(const std::string& name);

/// Returns the rows of a table in docs/data that has a report in its first column.
std::vector<Incident> incidents_of_data(const std::string& name);

/// Returns the texts in backticks of a cell that contains nothing more.
std::vector<std::string> cases_in(const std::string& cell);

/// Returns the protocol that a table of incidents names by this word, or "".
std::string protocol_of(const std::string& word);

/// Returns the recordings of the corpus by id.
const std::map<std::string, recording::Recording>& recordings();

/// Expects that no report has two rows, that no cell is empty, and that each address is the report's.
void expect_one_row_each(const std::vector<Incident>& incidents);

/// Returns the reports by id; empty without a collection.
std::map<std::string, nlohmann::json> collection();

}  // namespace splitproof::docs
