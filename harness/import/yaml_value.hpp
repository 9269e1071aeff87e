#pragma once

#include <cstddef>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace splitproof::imports {

/// A YAML document of another program as JSON, or the reason why it cannot be read.
struct YamlValue {
  std::shared_ptr<const nlohmann::json> value;  ///< null: see `fault`.
  std::string fault;
  std::size_t line = 0;
};

/// Reads the first document of a text. Scalars are strings, or null. Unlike contract files, it accepts aliases, up to
/// kLargestInput bytes in all, and the tag !!binary, whose string has the decoded bytes. Other tags have no effect.
YamlValue read_yaml_value(std::string_view text);

}  // namespace splitproof::imports
