#include "proxy/server/config.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace splitproof::server::config_test {
namespace {

using namespace std::chrono_literals;

std::string problem(const std::string& text) {
  const auto settings = parse_config(text, "c.yaml", {});
  return settings ? "taken" : settings.error();
}

TEST(Config, EmptyConfigurationChangesNothing) {
  for (const char* text : {"", "# nothing\n", "{}\n", "---\n"})
    EXPECT_EQ(parse_config(text, "c.yaml", {}), ServerSettings{}) << text;
}

TEST(Config, EveryKey) {
  const auto settings = parse_config(
      "limits:\n  request-bytes: 1\n  answer-bytes: 2\n  bodies-bytes: 16\n  told-bytes: 18\n"
      "  conversation-bytes: 19\n  streams: 3\n  event-bytes: 4\n  json-depth: 5\n"
      "  calls: 6\n  parts: 9\n  call-bytes: 7\n  waiting-bytes: 8\n"
      "  messages: 10\n  tools: 11\n  history-calls: 12\n  stops: 13\n  stop-bytes: 14\n  name-bytes: 15\n  echo-bytes: 17\n"
      "timeouts: {connect: 500ms, idle: 2s, client: 3m, ping: 4s, websocket-age: 5m}\nwebsockets: refuse\n"
      "knobs:\n  nameless-call: error\n  idless-call: drop\n  same-index-new-id: same-call\n"
      "  done-without-finish: error\n  content-filter: end_turn\n  truncation-error: overloaded_error\n"
      "  terminal-signals: done\n  reasoning-only: add-text\n  think-tags: leave\n  leaked-markup: rescue\n"
      "  marker: structural\n  identity: rewrite\n  upstream-blocks: strip\n  stop-sequences: cut\n"
      "  block-index: rising\n  overlap: indexed\n"
      "  tool-choice: emulate\n  names: opencode\n  environment: lift\n  preamble: pr54\n  retention: structured\n"
      "  response-object: unread\n  added-items: unread\n  output-index: unread\n  parts: unread\n"
      "model: x\nmodels: {a: b, c: d}\nmax-tokens-field: max_completion_tokens\nmax-tokens: 10\nthinking: budget\n"
      "internal-paths: [/srv/agent, 'C:\\agent']\n",
      "c.yaml", {});
  ASSERT_TRUE(settings) << settings.error();
  ServerSettings expected;
  expected.limits = {1, 2, 16, 18, 19, 3};
  expected.translator.rules.limits = {4, 5, 6, 9, 7, 8, 10, 11, 12, 13, 14, 15, 17};
  expected.timeouts = {500ms, 2s};
  expected.client_timeout = 3min;
  expected.ping = 4s;
  expected.websocket_age = 5min;
  expected.websockets = WebSockets::refuse;
  text::CleaningRules& cleaning = expected.translator.cleaning;
  cleaning.marker = text::Marker::structural;
  cleaning.identity = text::OwnIdentity::rewrite;
  cleaning.upstream_blocks = text::UpstreamBlocks::strip;
  cleaning.stop_sequences = text::StopRule::cut;
  cleaning.internal_paths = {"/srv/agent", "C:\\agent"};
  expected.translator.names = names::Names::opencode;
  expected.translator.request = {request::ToolChoice::emulate, request::EnvironmentRule::lift,
                                 request::Preamble::pr54, request::Retention::structured};
  expected.translator.rules.nameless_call = turn::NamelessCall::error;
  expected.translator.rules.idless_call = turn::IdlessCall::drop;
  expected.translator.rules.done_without_finish = turn::DoneWithoutFinish::error;
  expected.translator.rules.terminal_signals = turn::TerminalSignals::done;
  expected.translator.rules.reasoning_only = turn::ReasoningOnly::add_text;
  expected.translator.think_tags = text::ThinkTagRule::leave;
  expected.translator.leaked_markup = text::LeakedMarkup::rescue;
  expected.translator.rules.truncation_error = turn::TruncationError::overloaded;
  expected.translator.dialect.same_index_new_id = proxy::dialect::SameIndexNewId::same_call;
  expected.translator.dialect.content_filter = proxy::dialect::ContentFilter::end_turn;
  expected.translator.dialect.block_index = proxy::dialect::BlockIndex::rising;
  expected.translator.dialect.overlap = proxy::dialect::Overlap::indexed;
  expected.translator.dialect.response_object = proxy::dialect::ClientReads::nothing;
  expected.translator.dialect.added_items = proxy::dialect::ClientReads::nothing;
  expected.translator.dialect.output_index = proxy::dialect::ClientReads::nothing;
  expected.translator.dialect.parts = proxy::dialect::ClientReads::nothing;
  expected.models.only = "x";
  expected.models.mapped = {{"a", "b"}, {"c", "d"}};
  expected.translator.dialect.max_tokens_field = proxy::dialect::MaxTokensField::max_completion_tokens;
  expected.translator.dialect.max_tokens = 10;
  expected.translator.dialect.ask_thinking = proxy::dialect::AskThinking::budget;
  EXPECT_EQ(*settings, expected);
}

TEST(Config, MistakesNameTheirPlace) {
  const std::vector<std::pair<std::string, std::string>> rows = {
      {"limit: {}\n",
       "c.yaml:1: unknown key 'limit'; use one of: limits, timeouts, knobs, model, models, internal-paths, upstream-proxy, max-tokens, thinking, "
       "relay, websockets, max-tokens-field"},
      {"model: x\nlimits:\n  streams: 1\n  stream: 1\n",
       "c.yaml:4: unknown key 'stream'; use one of: request-bytes, answer-bytes, bodies-bytes, told-bytes, conversation-bytes, streams, "
       "event-bytes, json-depth, calls, parts, call-bytes, waiting-bytes, messages, tools, history-calls, stops, "
       "stop-bytes, name-bytes, echo-bytes"},
      {"model: x\nmodel: y\n", "c.yaml:2: the key 'model' occurs twice"},
      {"models:\n  a: b\n  a: c\n", "c.yaml:3: the key 'a' occurs twice"},
      {"limits: {streams: 18446744073709551615}\n", "c.yaml:1: '18446744073709551615' is more than 100000"},
      {"upstream-proxy: 127.0.0.1:3128\n",
       "c.yaml:1: '127.0.0.1:3128' is not the URL of a proxy; write for example http://127.0.0.1:3128"},
      {"limits: {streams: 0}\n", "c.yaml:1: '0' is not a whole number above 0"},
      {"limits: {streams: -1}\n", "c.yaml:1: '-1' is not a whole number above 0"},
      {"limits: {streams: 1k}\n", "c.yaml:1: '1k' is not a whole number above 0"},
      {"limits: 7\n", "c.yaml:1: the value must be a map"},
      {"- a\n", "c.yaml:1: the value must be a map"},
      {"model: [x]\n", "c.yaml:1: the value must be a scalar"},
      {"model: ''\n", "c.yaml:1: the value is empty"},
      {"timeouts: {idle: 5}\n",
       "c.yaml:1: '5' is not a duration of at most a day; write for example 500ms, 10s or 5m"},
      {"timeouts: {idle: 0s}\n",
       "c.yaml:1: '0s' is not a duration of at most a day; write for example 500ms, 10s or 5m"},
      {"timeouts: {idle: 1441m}\n",
       "c.yaml:1: '1441m' is not a duration of at most a day; write for example 500ms, 10s or 5m"},
      {"knobs: {idless-call: maybe}\n", "c.yaml:1: 'maybe' is not one of: synthesize, drop"},
      {"max-tokens-field: tokens\n", "c.yaml:1: 'tokens' is not one of: max_tokens, max_completion_tokens"},
      {"internal-paths: /opt\n", "c.yaml:1: the value must be a list of prefixes of internal paths"},
      {"internal-paths: [/opt, agent]\n",
       "c.yaml:1: 'agent' is not a prefix of a path: write a slash, another character, and only ASCII, such as /opt/agent"},
      {"a: b\n---\nc: d\n", "c.yaml: the file has more than one YAML document"},
      {"model: [x\n", "c.yaml:2: "},
  };
  for (const auto& [text, expected] : rows) {
    SCOPED_TRACE(text);
    EXPECT_EQ(problem(text).substr(0, expected.back() == ' ' ? expected.size() : std::string::npos),
              expected);
  }
  EXPECT_NE(read_config("/no/such/file", {}).error().find("/no/such/file: cannot be read: "),
            std::string::npos);
}

}  // namespace
}  // namespace splitproof::server::config_test
