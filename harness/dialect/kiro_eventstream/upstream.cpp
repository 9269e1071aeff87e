#include "harness/dialect/kiro_eventstream/upstream.hpp"

#include "harness/aws_frame.hpp"
#include "harness/dialect/kiro_eventstream/reading.hpp"
#include "harness/dialect/kiro_eventstream/shapes.hpp"
#include "harness/dialect/kiro_eventstream/words.hpp"

namespace splitproof::dialect {
namespace {

std::string frame_of(std::string_view type, std::string_view payload) {
  return write_aws_frame({{":event-type", kAwsText, std::string(type)},
                          {":content-type", kAwsText, "application/json"},
                          {":message-type", kAwsText, "event"}},
                         payload);
}

}  // namespace

std::unique_ptr<AnswerReader> KiroUpstream::reader(const observe::Choices& choices) const {
  return std::make_unique<KiroReading>(choices.metering_ends);
}

std::vector<std::string_view> KiroUpstream::shapes() const {
  std::vector<std::string_view> names;
  for (const KiroShapeEntry& entry : kKiroShapes) names.push_back(entry.name);
  return names;
}

std::vector<std::string> KiroUpstream::tiny_answer() const {
  return {frame_of(kKiroText, R"({"content":"Ebb"})"),
          frame_of(kKiroMetadata, R"({"stopReason":"END_TURN"})")};
}

std::string refusal_of_kiro(int status) {
  return R"({"message":"the server answers )" + std::to_string(status) + R"(","reason":null})";
}

}  // namespace splitproof::dialect
