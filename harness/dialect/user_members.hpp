#pragma once

#include <cstdint>
#include <string_view>

namespace splitproof::dialect {

/// Content of a member in the JSON of any dialect, in requests and in events.
enum class MemberContent : std::uint8_t {
  structure,  ///< Words of the protocol, names, ids.
  words,  ///< Text of users or of the model. In arrays and objects below it, members have their own content.
  json_text,  ///< A text that is JSON, perhaps in pieces: the arguments of a call.
  values,     ///< An object of which all values come from users or the model: the input of a call.
};

/// Returns the content of a member. `type` is the type of the object that has it, or "". `is_object`: the member is
/// an object.
MemberContent content_of_member(std::string_view name, std::string_view type, bool is_object);

}  // namespace splitproof::dialect
