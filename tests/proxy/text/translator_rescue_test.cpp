#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "proxy/knobs.hpp"
#include "proxy/translator.hpp"
#include "proxy/upstream_request.hpp"
#include "proxy/wire/json_text.hpp"

namespace splitproof::text::translator_rescue_test {
namespace {

const std::string kDeclaring =
    R"({"model":"m","max_tokens":9,"stream":true,"messages":[{"role":"user","content":"x"}],"tools":[)"
    R"({"name":"read","input_schema":{"type":"object","properties":{"line":{"type":"integer"}}}}]})";
const std::string kMarkup =
    "I look.\n<invoke name=\"read\">\n<parameter name=\"line\">7</parameter>\n</invoke>\n";

// Returns a proxy's options for a request between Chat Completions and Messages.
TranslatorOptions options_for(const std::string& request, LeakedMarkup rule) {
  TranslatorOptions options;
  options.leaked_markup = rule;
  const auto asked = options.client->read_request(request, options.rules.limits);
  EXPECT_TRUE(asked);
  take_functions(*asked, options);
  return options;
}

// Returns a stream of the text in pieces of this size.
std::string stream_of(std::string_view text, std::size_t piece) {
  std::string stream;
  for (std::size_t at = 0; at < text.size(); at += piece) {
    stream +=
        "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":" + wire::quoted(text.substr(at, piece)) +
        "}}]}\n\n";
  }
  return stream +
         "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n";
}

std::string translated(const TranslatorOptions& options, std::string_view body) {
  Translator translator(options);
  std::string out;
  translator.feed(body, out);
  translator.finish(turn::BodyEnd::complete, out);
  return out;
}

TEST(TranslatorRescue, MakesCallsUnderItsKnobAlone) {
  const std::string body = stream_of(kMarkup, 5);
  const std::string passed = translated(options_for(kDeclaring, LeakedMarkup::pass), body);
  EXPECT_EQ(passed.find("tool_use"), std::string::npos);
  EXPECT_EQ(passed, translated(TranslatorOptions{}, body));
  const std::string rescued = translated(options_for(kDeclaring, LeakedMarkup::rescue), body);
  EXPECT_NE(rescued.find(R"("type":"tool_use","id":"rescued_0000000000000001_0","name":"read")"),
            std::string::npos);
  EXPECT_NE(rescued.find(R"("partial_json":"{\"line\":7}")"), std::string::npos);
  EXPECT_NE(rescued.find(R"("stop_reason":"tool_use")"), std::string::npos);
  EXPECT_EQ(rescued.find("invoke"), std::string::npos);
  EXPECT_EQ(rescued.find("parameter"), std::string::npos);
}

TEST(TranslatorRescue, WithoutDeclaredFunctionsThereIsNoFilter) {
  const std::string none = R"({"model":"m","max_tokens":9,"messages":[{"role":"user","content":"x"}]})";
  EXPECT_EQ(Translator(options_for(none, LeakedMarkup::rescue)),
            Translator(options_for(none, LeakedMarkup::pass)));
  EXPECT_NE(Translator(options_for(kDeclaring, LeakedMarkup::rescue)),
            Translator(options_for(kDeclaring, LeakedMarkup::pass)));
}

TEST(TranslatorRescue, ACustomToolIsNoFunction) {
  TranslatorOptions options;
  options.leaked_markup = LeakedMarkup::rescue;
  request::Asked asked;
  asked.tools = {{"patch", {}, "{}", false}, {"read\\u0041", {}, "{}", false}};
  asked.aliases = {{"patch", true, "", "patch"}};
  EXPECT_TRUE(take_functions(asked, options));
  EXPECT_EQ(options.functions, (std::vector<Function>{{"readA", "{}"}}));
  options.leaked_markup = LeakedMarkup::pass;
  EXPECT_FALSE(take_functions(asked, options));
  EXPECT_TRUE(options.functions.empty());
}

TEST(TranslatorRescue, KnobHasBothAnswers) {
  std::vector<std::string_view> names;
  TranslatorOptions options;
  each_knob(options, [&](const char* name, auto&, const auto& values) {
    if (std::string_view(name) != "leaked-markup") return;
    for (const auto& value : values) names.push_back(value.first);
  });
  EXPECT_EQ(names, (std::vector<std::string_view>{"pass", "rescue"}));
}

// The client's text does not depend on the cuts of the model's text, nor the bytes on the cuts of those.
TEST(TranslatorRescue, NeitherCutsOfBytesNorOfTextMatter) {
  const TranslatorOptions options = options_for(kDeclaring, LeakedMarkup::rescue);
  for (std::size_t piece = 1; piece <= kMarkup.size(); ++piece) {
    SCOPED_TRACE(piece);
    const std::string body = stream_of(kMarkup, piece);
    const std::string whole = translated(options, body);
    EXPECT_NE(whole.find(R"("partial_json":"{\"line\":7}")"), std::string::npos);
    EXPECT_EQ(whole.find("invoke"), std::string::npos);
    Translator bytes(options);
    Translator once(options);
    std::string out;
    std::string all;
    for (const char c : body) bytes.feed(std::string_view(&c, 1), out);
    once.feed(body, all);
    EXPECT_EQ(bytes, once);
    EXPECT_EQ(out, all);
  }
}

}  // namespace
}  // namespace splitproof::text::translator_rescue_test
