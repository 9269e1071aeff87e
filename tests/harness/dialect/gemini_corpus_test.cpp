#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>

#include "harness/dialect/google_gemini/upstream.hpp"
#include "harness/recording/corpus.hpp"
#include "tests/harness/dialect/chat_stream.hpp"

namespace splitproof::dialect::gemini_corpus_test {
namespace {

/// The meaning of each recording, derived by hand from its bytes.
const std::map<std::string, std::string> kMeanings = {
    {"array-bom", "text[Ebb now.] =stop"},
    {"array-call", R"(text[Look.] call[|write_log|{"text":"]},{[ \"tide\" \\","list":[[],{}]}] =stop)"},
    {"array-compact", "text[The tide turns.] =stop"},
    {"array-cut-off", "text[The tide ]"},
    {"array-empty", ""},
    {"array-error", "text[The tide ] !The model is overloaded."},
    {"array-junk",
     "text[The tide ] !the array cannot be read: neither a comma nor the end of the array follows an element"},
    {"array-no-end", "text[The tide turns.]"},
    {"array-no-reason", "text[The tide turns.]"},
    {"array-one", "text[Ebb now.] =stop"},
    {"array-plain", "text[The tide turns now.] =stop"},
    {"array-pretty", "text[The tide turns.] =stop"},
    {"array-thinking", "thinking[Hm.|Q3VycmVudHNSdW5EZWVw] text[At six.] =stop"},
    {"array-unreadable", "text[The tide ] !an event cannot be read: no JSON value at byte 15"},
    {"call-after-text", R"(text[I look it up.] call[|read_tide|{"harbour":"Leith"}] =stop)"},
    {"call-args-list", R"(call[|read_tide|["Leith"]] =stop)"},
    {"call-before-text", R"(call[8c1fa2e0|read_tide|{"harbour":"Leith"}] text[One moment.] =stop)"},
    {"call-empty-args", "call[|list_harbours|{}] =stop"},
    {"call-equal", R"(call[|read_tide|{"harbour":"Leith"}] call[|read_tide|{"harbour":"Leith"}] =stop)"},
    {"call-id", R"(call[8c1fa2e0|read_tide|{"harbour":"Leith"}] =stop)"},
    {"call-idless-before-text", R"(text[One moment.] call[|read_tide|{"harbour":"Leith"}] =stop)"},
    {"call-max-tokens", R"(call[|read_tide|{"harbour":"Leith"}] =max_tokens)"},
    {"call-nested-args",
     R"(call[|plan|{"route":[{"from":"Leith","to":"Wick"},[]],"at":{"hour":6,"exact":true},"note":null,"depth":-0.0015}] =stop)"},
    {"call-no-args", "call[|list_harbours|{}] =stop"},
    {"call-no-name", R"(call[||{"harbour":"Leith"}] =stop)"},
    {"call-one-tool-three-frames",
     R"(call[4c1e07a1|read_tide|{"harbour":"Leith"}] call[4c1e07a2|read_tide|{"harbour":"Wick"}] call[4c1e07a3|read_tide|{"harbour":"Oban"}] =stop)"},
    {"call-plain", R"(call[|read_tide|{"harbour":"Leith"}] =stop)"},
    {"call-same-id",
     R"(call[8c1fa2e0|read_tide|{"harbour":"Leith"}] call[8c1fa2e0|read_wind|{"harbour":"Leith"}] =stop)"},
    {"call-text-one-frame", R"(text[I look.] call[|read_tide|{"harbour":"Leith"}] =stop)"},
    {"call-two-frames", R"(call[|read_tide|{"harbour":"Leith"}] call[|read_wind|{"harbour":"Wick"}] =stop)"},
    {"call-two",
     R"(call[|read_tide|{"harbour":"Leith"}] call[|read_wind|{"harbour":"Leith","hours":6}] =stop)"},
    {"call-unicode-args", R"(call[|write_log|{"text":"<b> 🌊 \"line\"\n\\ 🌊"}] =stop)"},
    {"call-with-finish", R"(call[|read_tide|{"harbour":"Leith"}] =stop)"},
    {"candidate-empty", "text[Ebb now.] =stop"},
    {"candidate-other-alone", ""},
    {"candidate-two", "text[Ebb now.] =stop"},
    {"end-between", R"(text[I look.] call[|read_tide|{"harbour":"Leith"}])"},
    {"end-closed", "text[The tide turns]"},
    {"end-empty", ""},
    {"end-inside-args", "text[I look.]"},
    {"end-inside-character", "text[Tide: ]"},
    {"end-inside-text", "text[The tide ]"},
    {"end-reset", "text[The tide turns]"},
    {"error-after-finish", "text[The tide.] =stop !An internal error has occurred."},
    {"error-after-text", "text[The tide ] !The model is overloaded."},
    {"error-details", "!Request contains an invalid argument."},
    {"error-document-array", "!The key has no access."},
    {"error-document", "!models/fable-gem-9 is not found for API version v1beta."},
    {"error-first", "!Quota exceeded for the tide model."},
    {"error-in-call", R"(call[|read_tide|{"harbour":"Leith"}] !An internal error has occurred.)"},
    {"error-unreadable",
     "text[The tide ] !an event cannot be read: no colon behind a member's name at byte 26"},
    {"error-without-data", "text[The tide ] !The operation was cancelled."},
    {"failed-malformed-function-call", "text[I look.] =malformed_function_call"},
    {"failed-missing-thought-signature", "text[I look.] =missing_thought_signature"},
    {"failed-no-image", "=no_image"},
    {"failed-unexpected-tool-call", "text[I look.] =unexpected_tool_call"},
    {"filter-after-call", R"(call[|read_tide|{"harbour":"Leith"}] =safety)"},
    {"filter-alone", "=safety"},
    {"filter-blocklist", "text[To open the lock, ] =blocklist"},
    {"filter-image-safety", "text[To open the lock, ] =image_safety"},
    {"filter-language", "text[To open the lock, ] =language"},
    {"filter-model-armor", "text[To open the lock, ] =model_armor"},
    {"filter-number", "text[To open ] =safety"},
    {"filter-prohibited-content", "text[To open the lock, ] =prohibited_content"},
    {"filter-prompt-message", "=safety"},
    {"filter-prompt-passed", "text[Ebb now.] =stop"},
    {"filter-prompt", "=prohibited_content"},
    {"filter-recitation", "text[To open the lock, ] =recitation"},
    {"filter-safety", "text[To open the lock, ] =safety"},
    {"filter-spii", "text[To open the lock, ] =spii"},
    {"finish-every-frame",
     R"(thinking[I need the gauge.] call[8c1fa2e0|read_tide|{"harbour":"Leith"}] text[One moment.] =stop)"},
    {"finish-last-counts", "text[The tide is] =max_tokens"},
    {"finish-length", "text[The tide is] =max_tokens"},
    {"finish-message", "text[At s] =max_tokens"},
    {"finish-missing", "text[The tide turns.]"},
    {"finish-nothing", "=stop"},
    {"finish-number-length", "text[The tide is] =max_tokens"},
    {"finish-number-unknown", "text[The tide is high.] =97"},
    {"finish-number", "text[Ebb now.] =stop"},
    {"finish-only", "text[Ebb now.] =stop"},
    {"finish-other", "text[The tide is] =other"},
    {"finish-repeated", "text[Ebb and flood.] =stop"},
    {"finish-then-text", "text[Ebb now.] =stop"},
    {"finish-then-usage", "text[Ebb now.] =stop"},
    {"finish-unknown-alone", "=ebbed"},
    {"finish-unknown", "text[The tide is] =ebbed"},
    {"finish-unspecified", "text[Ebb now.] =stop"},
    {"lines-bom", "text[Ebb now.] =stop"},
    {"lines-comments", "text[Ebb now.] =stop"},
    {"lines-cr", "text[Ebb now.] =stop"},
    {"lines-done", "text[Ebb.] =stop"},
    {"lines-lf", "text[Ebb now.] =stop"},
    {"lines-multiline", "text[Ebb.] =stop"},
    {"lines-named", "text[Ebb now.] =stop"},
    {"lines-no-blank-line", "text[Ebb now.] =stop"},
    {"lines-no-space", "text[Ebb now.] =stop"},
    {"member-unknown", "text[Ebb now.] other[3] =stop"},
    {"note-citations", "text[Time and tide wait for no man.] =stop"},
    {"note-grounding", "text[At six.] =stop"},
    {"note-logprobs", "text[Ebb.] =stop"},
    {"note-url-context", "text[At six.] =stop"},
    {"part-code",
     R"(text[I compute. ] other[{"language":"PYTHON","code":"print(6*7)\n"}] other[{"outcome":"OUTCOME_OK","output":"42\n"}] text[It is 42.] =stop)"},
    {"part-file-data", R"(other[{"mimeType":"image/png","fileUri":"https://files.example/tide.png"}] =stop)"},
    {"part-inline-data", R"(text[Here: ] other[{"mimeType":"image/png","data":"iVBORw0KGgo="}] =stop)"},
    {"part-no-parts", "text[Ebb now.] =stop"},
    {"part-null-parts", "text[Ebb now.] =stop"},
    {"part-server-tool",
     R"(other[{"toolType":"GOOGLE_SEARCH_WEB","args":{"queries":["tide Leith"]},"id":"s1"}] other[{"toolType":"GOOGLE_SEARCH_WEB","response":{"hits":1},"id":"s1"}] text[At six.] =stop)"},
    {"part-unknown", R"(text[At ] other[{"rows":2}] text[six.] =stop)"},
    {"pieces-bad-path", "call[|read_tide|{] !a piece of the arguments cannot be put at the path harbour"},
    {"pieces-cut-off", R"(call[|read_tide|{"harbour":"Le])"},
    {"pieces-nested",
     R"(call[|plan|{"stops":[{"harbour":"Leith","hours":2},{"harbour":"Wick"}],"log book":"yes"}] =stop)"},
    {"pieces-never-ended", R"(call[|read_tide|{"harbour":"Leith])"},
    {"pieces-none", "call[|list_harbours|{}] =stop"},
    {"pieces-string", R"(call[|read_tide|{"harbour":"Leith"}] =stop)"},
    {"pieces-surrogates", R"(call[|write_log|{"text":"🌊"}] =stop)"},
    {"pieces-two", R"(call[|read_tide|{"harbour":"Leith"}] call[|read_tide|{"harbour":"Wick"}] =stop)"},
    {"pieces-types", R"(call[|plan|{"from":"Leith","hours":6,"exact":true,"note":null,"tide":1.25}] =stop)"},
    {"signature-alone", "text[At six.] =stop"},
    {"signature-each", "thinking[Hm.|Q3VycmVudHNSdW5EZWVw] text[Look.] call[|read_tide|{}] =stop"},
    {"signature-empty-part", "text[At six.] =stop"},
    {"signature-first-call",
     R"(call[7f3a91c2|read_tide|{"harbour":"Leith"}] call[0b64de55|read_tide|{"harbour":"Wick"}] =stop)"},
    {"signature-text", "text[At six.] =stop"},
    {"text-empty-parts", "text[Neap tide.] =stop"},
    {"text-escapes", std::string("text[a<b> \"tide\"\n\tend\0] =stop", 29)},
    {"text-line-separators", "text[Ebb\u2028flood\u2029slack\u0085water] =stop"},
    {"text-lone-surrogate", "text[Wave �] =stop"},
    {"text-markup-call",
     R"(text[<tool_call>{"name":"read_tide","arguments":{"harbour":"Leith"}}</tool_call>] =stop)"},
    {"text-multibyte", "text[Môr ☔ 🌊 潮汐] =stop"},
    {"text-no-index", "text[Ebb now.] =stop"},
    {"text-no-model", "text[Ebb.] =stop"},
    {"text-no-role", "text[Ebb now.] =stop"},
    {"text-null-members", "text[Ebb now.] =stop"},
    {"text-one-frame", "text[Slack water.] =stop"},
    {"text-parts", "text[High water at noon.] =stop"},
    {"text-plain", "text[The tide turns at six.] =stop"},
    {"text-surrogates-apart", "text[Wave 🌊 ends] =stop"},
    {"text-think-tags", "text[<think>Check the table.</think>At six.] =stop"},
    {"thinking-again", "thinking[First.] text[At six.] thinking[Check.] text[ Yes.] =stop"},
    {"thinking-alone", "thinking[Nothing to add.] =stop"},
    {"thinking-call", R"(thinking[I need the gauge.] call[|read_tide|{"harbour":"Leith"}] =stop)"},
    {"thinking-false", "text[At six.] =stop"},
    {"thinking-plain", "thinking[Look at the table. Row two.] text[At six.] =stop"},
    {"thinking-signed", "thinking[Row one. Row two.|Q3VycmVudHNSdW5EZWVw] text[At six.] =stop"},
    {"thinking-with-text", "thinking[Look it up.] text[At six.] =stop"},
    {"usage-all", "text[At six.] =stop"},
    {"usage-cached", "text[Ebb now.] =stop"},
    {"usage-growing", "text[The tide turns now.] =stop"},
    {"usage-missing", "text[Ebb now.] =stop"},
    {"usage-thoughts-no-total", "text[At six.] =stop"},
    {"usage-thoughts", "thinking[Hm.] text[At six.] =stop"},
    {"usage-tools", "text[At six.] =stop"},
    {"whole-answer", "text[Ebb now.] =stop"},
};

TEST(GeminiCorpus, ReadingsOfRecordingsEqualTheirMeanings) {
  const char* root = std::getenv("SPLITPROOF_SOURCE_ROOT");
  std::size_t read_recordings = 0;
  for (const auto& recording :
       recording::load_corpus({(std::filesystem::path(root == nullptr ? "." : root) / "corpus").string()})
           .recordings) {
    const std::string name = recording.id.substr(recording.id.find('/') + 1);
    if (recording.protocol != "google.gemini" || name == "text-long") continue;
    ++read_recordings;
    ASSERT_TRUE(kMeanings.contains(name)) << name;
    EXPECT_EQ(in_short(read(GeminiUpstream(), recording.body)), kMeanings.at(name)) << name;
  }
  EXPECT_EQ(read_recordings, kMeanings.size());
}

TEST(GeminiCorpus, FormOfABodyFollowsTheRequest) {
  const GeminiUpstream gemini;
  const std::string path = "/v1beta/models/m:streamGenerateContent";
  const std::string events = "\r\ndata: {}\r\n\r\n";
  for (const char* query : {"?alt=sse", "?key=k&alt=sse", "?alt=sse&key=k"}) {
    EXPECT_EQ(gemini.other_form(path + query, events), "") << query;
    EXPECT_NE(gemini.other_form(path + query, " [{}]"), "") << query;
  }
  for (const char* query : {"", "?", "?key=alt=sse", "?alt=sse2"}) {
    EXPECT_NE(gemini.other_form(path + query, events), "") << query;
    EXPECT_EQ(gemini.other_form(path + query, " [{}]"), "") << query;
  }
  for (const char* body : {"", "{\"error\":{}}"}) {
    EXPECT_EQ(gemini.other_form(path, body), "");
    EXPECT_EQ(gemini.other_form(path + "?alt=sse", body), "");
  }
  EXPECT_EQ(gemini.other_form("/v1beta/models/m:generateContent", events), "");
}

}  // namespace
}  // namespace splitproof::dialect::gemini_corpus_test
