#include "harness/dialect/bedrock_converse/upstream.hpp"

#include "harness/dialect/bedrock_converse/reading.hpp"

namespace splitproof::dialect {

std::unique_ptr<AnswerReader> BedrockConverseUpstream::reader(const observe::Choices&) const {
  return std::make_unique<ConverseReading>();
}

}  // namespace splitproof::dialect
