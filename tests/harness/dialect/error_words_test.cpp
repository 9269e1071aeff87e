#include "harness/dialect/error_words.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "harness/observe/wire_json.hpp"

namespace splitproof::dialect::error_words_test {
namespace {

std::string fault_of(const std::string& error) {
  return observe::words_for(classes_of_error(*observe::parse_wire_json(error)));
}

TEST(ErrorWords, DecideTheClassOfAnError) {
  const std::map<std::string, std::string> expected = {
      {R"({"type":"invalid_request_error"})", "request"},
      {R"({"type":"invalid_request_error","code":"model_not_found"})", "request or server"},
      {R"({"type":"exceed_context_size_error","code":400})", "request"},
      {R"({"code":400,"status":"INVALID_ARGUMENT"})", "request"},
      {R"({"type":"BadRequestError"})", "request"},
      {R"({"code":404})", "request or server"},
      {R"({"type":"rate_limit_error"})", "limit"},
      {R"({"type":"tokens","code":"rate_limit_exceeded"})", "limit"},
      {R"({"code":"429"})", "limit"},
      {R"({"status":"RESOURCE_EXHAUSTED"})", "limit"},
      {R"({"type":"throttlingException"})", "limit"},
      {R"({"type":"modelStreamErrorException"})", "server"},
      {R"({"type":"api_error"})", "server"},
      {R"({"code":"server_error"})", "server"},
      {R"({"type":"Internal Server Error","code":500})", "server"},
      {R"({"status_code":502})", "server"},
      {R"({"type":"insufficient_quota","code":"insufficient_quota"})", "request or limit"},
      {R"({"type":"authentication_error"})", "request or server"},
      {R"({"type":"overloaded_error"})", "limit or server"},
      {R"({"type":"server_error","code":"overloaded"})", "limit or server"},
      {R"({"code":529})", "limit or server"},
      {R"({"type":"server_error","code":429})", "limit or server"},
      {R"({"type":"error","message":"rate limit"})", ""},
      {R"({"type":"jammed","code":null})", ""},
      {R"({"type":"Rate_limit_error"})", ""},
      {R"({"code":200})", ""},
      {R"({"code":-400})", ""},
      {R"({"code":"400 "})", ""},
      {R"({"code":[429]})", ""},
      {R"({})", ""},
      {R"("rate_limit_error")", ""},
  };
  for (const auto& [error, fault] : expected) EXPECT_EQ(fault_of(error), fault) << error;
}

}  // namespace
}  // namespace splitproof::dialect::error_words_test
