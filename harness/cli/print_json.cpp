#include "harness/cli/print_json.hpp"

#include <iostream>
#include <nlohmann/json.hpp>

namespace splitproof::cli {

void print_json(const nlohmann::ordered_json& value) {
  std::cout << value.dump(-1, ' ', true, nlohmann::ordered_json::error_handler_t::replace) << "\n";
}

}  // namespace splitproof::cli
