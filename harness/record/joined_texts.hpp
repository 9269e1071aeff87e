#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "harness/framing.hpp"

namespace splitproof::record {

/// Joins the strings that the events of a body have at the same place: the same member, choice, index and item. Data
/// that is no JSON is joined too. A secret in pieces over several events is whole in one of these texts. Reads all
/// events, also those after the finish.
std::vector<std::string> joined_texts(std::string_view body, Framing of_protocol);

}  // namespace splitproof::record
