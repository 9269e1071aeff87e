#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace splitproof::dialect {

/// An invented response of the harness, event by event. It begins with `response.created`.
class MadeResponse {
 public:
  MadeResponse();

  /// Adds an event. `members` needs neither its type nor its sequence number.
  void add(const std::string& type, const nlohmann::ordered_json& members);

  /// Adds `response.completed` with these items. Returns the bytes of each event.
  std::vector<std::string> complete(const nlohmann::ordered_json& output);

 private:
  std::vector<std::string> events_;
};

}  // namespace splitproof::dialect
