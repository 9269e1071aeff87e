#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace splitproof::imports {

/// Returns a body without gzip or deflate, and any other body unchanged. The encoding is found by its first bytes,
/// because many recorders keep the header and store the decoded body. Returns nullopt if the data is damaged or larger
/// than kLargestInput.
std::optional<std::string> decoded_content(std::string_view body);

/// Returns the name of a compression in `coding`, the value of a header content-encoding, that decoded_content cannot
/// decode, or "".
std::string unknown_coding(std::string_view coding);

}  // namespace splitproof::imports
