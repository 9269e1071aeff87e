#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/aws_frame.hpp"
#include "harness/framing.hpp"

namespace splitproof {

// A frame of an AWS event stream as one JSON object: the payload's members after the headers, whose names begin with a
// colon. So rules can name headers as they name members:
//
//     {":event-type":"tide",":content-type":"application/json",":message-type":"event","height":4}

/// Returns a frame as such an object. A header that is no text is `true`, and the last of equal headers counts. A payload
/// that does not begin an object is returned unchanged.
std::string aws_document(const std::vector<AwsHeader>& headers, std::string_view payload);

/// Returns the frame of such an object, or nullopt if the text does not begin with a header. A header that is `null` is
/// left out. The rest of the text need not be JSON.
std::optional<std::string> frame_of_aws_document(std::string_view document);

/// True if a body begins with the prelude of a frame. No text does: its length would exceed every limit.
bool begins_with_aws_frame(std::string_view body);

/// Returns the framing of a client's stream: AWS frames if it begins with one, otherwise server-sent events.
Framing framing_of_answer(std::string_view body);

}  // namespace splitproof
