#include "harness/testee/target_file.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "harness/testee/target_knobs.hpp"
#include "harness/testee/testee.hpp"
#include "tests/harness/testee/watched.hpp"

namespace splitproof::testee::target_file_test {
namespace {

using std::chrono::milliseconds;

constexpr const char* kHttp = R"(target: ccr
kind: http
client: anthropic.messages
upstream: openai.chat
install: npm install --no-save some-proxy@1.0
version: node -p 1 && ls {dir}
command: [node, "{dir}/cli.js", start, ""]
files:
  "{home}/.proxy/config.json": |
    {"port": {port}, "upstream": "{upstream}/v1"}
  "{dir}/empty": ""
env: {HOME: "{home}", EMPTY: ""}
listen: "http://127.0.0.1:{port}/base/"
request: {path: /v1/messages, model: fake-model, headers: {x-api-key: sk-dummy, x-empty: ""}}
ready: {path: /health, within: 500ms}
timeout: 3s
max_concurrency: 4
cannot: [thinking, parallel_tools]
)";

constexpr const char* kRunsAlready = R"(target: elsewhere
kind: http
client: anthropic.messages
upstream: openai.chat
listen: http://[::1]:3456
upstream_listen: 127.0.0.1:4000
request: {path: /v1/messages, model: fake-model}
)";

constexpr const char* kPipe = R"(target: piped
kind: pipe
client: anthropic.messages
upstream: openai.chat
command: [python3, translate.py]
)";

constexpr const char* kClient = R"(target: parser
tests: client
kind: pipe
reads: events
client: any
command: [python3, adapter.py]
)";

constexpr const char* kSdk = R"(target: sdk
tests: client
kind: pipe
reads: answer
client: openai.chat
command: [node, adapter.mjs]
cannot: [thinking, text_blocks, usage]
)";

constexpr const char* kInProcess = R"(target: mine
kind: in-process
client: anthropic.messages
upstream: openai.chat
library: built/libmine.so
)";

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return at == std::string::npos ? text : text.replace(at, what.size(), with);
}

Result<TargetFile> loaded(const std::string& text) {
  const Scratch scratch;
  return load_target_file(scratch.put("t.yaml", text));
}

TEST(TargetFile, ClientMayContinueTheConversation) {
  EXPECT_FALSE(loaded(kSdk)->continues);
  EXPECT_TRUE(loaded(std::string(kSdk) + "turns: 2\n")->continues);
}

TEST(TargetFile, TextOfAFileNextToTheTargetFileIsRead) {
  const Scratch scratch;
  scratch.put("adapter.mjs", "one();\n");
  const std::string path =
      scratch.put("t.yaml", std::string(kSdk) + "files: {\"{dir}/a.mjs\": {from: adapter.mjs}}\n");
  const Result<TargetFile> target = load_target_file(path);
  ASSERT_TRUE(target) << describe(target.error());
  EXPECT_EQ(target->files, (std::map<std::string, std::string>{{"{dir}/a.mjs", "one();\n"}}));
}

TEST(TargetFile, AllFieldsOfATargetAreRead) {
  const Scratch scratch;
  const std::string path = scratch.put("ccr.yaml", kHttp);
  const Result<TargetFile> target = load_target_file(path);
  ASSERT_TRUE(target) << describe(target.error());
  EXPECT_EQ(target->name, "ccr");
  EXPECT_EQ(target->path, path);
  EXPECT_EQ(target->kind, TargetFile::Kind::http);
  EXPECT_EQ(target->client, "anthropic.messages");
  EXPECT_EQ(target->upstream, "openai.chat");
  EXPECT_EQ(target->install, "npm install --no-save some-proxy@1.0");
  EXPECT_EQ(target->version, "node -p 1 && ls {dir}");
  EXPECT_EQ(target->command, (std::vector<std::string>{"node", "{dir}/cli.js", "start", ""}));
  const std::map<std::string, std::string> files = {
      {"{home}/.proxy/config.json", "{\"port\": {port}, \"upstream\": \"{upstream}/v1\"}\n"},
      {"{dir}/empty", ""}};
  EXPECT_EQ(target->files, files);
  EXPECT_EQ(target->env, (std::map<std::string, std::string>{{"HOME", "{home}"}, {"EMPTY", ""}}));
  EXPECT_EQ(target->listen, "http://127.0.0.1:{port}/base");
  EXPECT_EQ(target->upstream_listen, "");
  EXPECT_EQ(target->request_path, "/v1/messages");
  EXPECT_EQ(target->model, "fake-model");
  EXPECT_EQ(target->headers, (Headers{{"x-api-key", "sk-dummy"}, {"x-empty", ""}}));
  EXPECT_EQ(target->ready_path, "/health");
  EXPECT_EQ(target->ready_within, milliseconds(500));
  EXPECT_EQ(target->timeout, milliseconds(3000));
  EXPECT_EQ(target->max_concurrency, 4U);
  EXPECT_EQ(target->instances, 1U);
  EXPECT_EQ(loaded(std::string(kPipe) + "instances: 64\n")->instances, 64U);
  EXPECT_EQ(target->cannot, (std::vector<std::string>{"thinking", "parallel_tools"}));
  EXPECT_EQ(target->cannot_lines, (std::vector<std::size_t>{18, 18}));
}

TEST(TargetFile, ReadsTheStepsOfSetup) {
  const Result<TargetFile> target = loaded(std::string(kHttp) + R"(setup:
  - {run: "seed {upstream}"}
  - {request: "PUT /api/a?b=1", headers: {x-key: k}, body: '{"url":"{upstream}"}'}
)");
  ASSERT_TRUE(target) << describe(target.error());
  ASSERT_EQ(target->setup.size(), 2U);
  EXPECT_EQ(target->setup[0].run, "seed {upstream}");
  EXPECT_EQ(target->setup[1].run, "");
  EXPECT_EQ(target->setup[1].method, "PUT");
  EXPECT_EQ(target->setup[1].path, "/api/a?b=1");
  EXPECT_EQ(target->setup[1].headers, (Headers{{"x-key", "k"}}));
  EXPECT_EQ(target->setup[1].body, R"({"url":"{upstream}"})");
}

TEST(TargetFile, ClientListsMembersOfAnswersAndFeaturesOfRecordings) {
  const Result<TargetFile> sdk = loaded(kSdk);
  ASSERT_TRUE(sdk) << describe(sdk.error());
  EXPECT_EQ(sdk->client, "answer");
  EXPECT_EQ(sdk->upstream, "openai.chat");
  EXPECT_EQ(sdk->unreported, (std::vector<std::string>{"thinking", "usage"}));
  EXPECT_EQ(sdk->cannot, std::vector<std::string>{"text_blocks"});
  EXPECT_EQ(sdk->cannot_lines, std::vector<std::size_t>{7});
}

TEST(TargetFile, HasDefaults) {
  const Result<TargetFile> pipe = loaded(kPipe);
  ASSERT_TRUE(pipe) << describe(pipe.error());
  EXPECT_EQ(pipe->kind, TargetFile::Kind::pipe);
  EXPECT_EQ(pipe->timeout, milliseconds(10000));
  EXPECT_EQ(pipe->max_concurrency, 1U);
  EXPECT_TRUE(pipe->is_isolated);
  EXPECT_FALSE(loaded(std::string(kPipe) + "isolation: none\n")->is_isolated);
  const Result<TargetFile> library = loaded(kInProcess);
  ASSERT_TRUE(library) << describe(library.error());
  EXPECT_EQ(library->kind, TargetFile::Kind::in_process);
  EXPECT_EQ(library->library, "built/libmine.so");
  EXPECT_EQ(library->variant, "");
  EXPECT_EQ(library->max_concurrency, 1U);
  EXPECT_EQ(loaded(std::string(kInProcess) + "variant: strict\n")->variant, "strict");
  EXPECT_EQ(loaded(std::string(kInProcess) + "at_once: 8\n")->max_concurrency, 8U) << "the old name";
  const Result<TargetFile> elsewhere = loaded(kRunsAlready);
  ASSERT_TRUE(elsewhere) << describe(elsewhere.error());
  EXPECT_EQ(elsewhere->listen, "http://[::1]:3456");
  EXPECT_EQ(elsewhere->upstream_listen, "127.0.0.1:4000");
  EXPECT_EQ(elsewhere->ready_path, "");
  EXPECT_EQ(elsewhere->ready_within, milliseconds(20000));
  EXPECT_TRUE(elsewhere->command.empty());
  const Result<TargetFile> hard_wired =
      loaded(replaced(kHttp, "timeout: 3s", "upstream_listen: 127.0.0.1:4000"));
  ASSERT_TRUE(hard_wired) << describe(hard_wired.error());
  EXPECT_EQ(hard_wired->upstream_listen, "127.0.0.1:4000");
  const Result<TargetFile> somewhere =
      loaded(replaced(kHttp, "listen: \"http://127.0.0.1:{port}/base/\"\n", ""));
  ASSERT_TRUE(somewhere) << describe(somewhere.error());
  EXPECT_EQ(somewhere->listen, "");
}

struct Mistaken {
  const char* file;
  const char* what;  ///< Is replaced.
  const char* with;
  std::size_t line;
  const char* says;  ///< Part of the error.
};

TEST(TargetFile, ClientReadsStreamsOfAnyOrOneProtocol) {
  const Result<TargetFile> any = loaded(kClient);
  ASSERT_TRUE(any) << describe(any.error());
  EXPECT_EQ(any->client, observe::kEventReader);
  EXPECT_EQ(any->upstream, kAnyStream);
  const Result<TargetFile> one = loaded(replaced(kClient, "client: any", "client: openai.chat"));
  ASSERT_TRUE(one) << describe(one.error());
  EXPECT_EQ(one->upstream, "openai.chat");
}

TEST(TargetFile, EachSideHasATransport) {
  const std::string file = replaced(kRunsAlready, "client: anthropic.messages\nupstream: openai.chat",
                                    "client: openai.responses\nupstream: openai.responses");
  const Result<TargetFile> plain = loaded(file + "transport: {client: http}\n");
  ASSERT_TRUE(plain) << describe(plain.error());
  EXPECT_FALSE(plain->client_socket);
  EXPECT_FALSE(plain->upstream_socket);
  const Result<TargetFile> upstream = loaded(file + "transport: {upstream: websocket}\n");
  ASSERT_TRUE(upstream) << describe(upstream.error());
  EXPECT_FALSE(upstream->client_socket);
  EXPECT_TRUE(upstream->upstream_socket);
  EXPECT_TRUE(loaded(file + "transport: {client: websocket, upstream: websocket}\n")->client_socket);
}

TEST(TargetFile, NamesTheLineOfAMistakeAndHowToFixIt) {
  const std::vector<Mistaken> mistakes = {
      {kHttp, "timeout:", "time_out:", 16, "unknown key 'time_out'"},
      {kHttp, "timeout: 3s", "max_concurrency: 3", 17, "occurs twice"},
      {kHttp, "timeout: 3s", "at_once: 3", 16, "old name of 'max_concurrency'"},
      {kHttp, "within:", "before:", 15, "unknown key 'before'"},
      {kHttp, "model:", "modell:", 14, "unknown key 'modell'"},
      {kHttp, "target: ccr", "target: ../ccr", 1, "cannot be the name"},
      {kHttp, "target: ccr", "target: .ccr", 1, "cannot be the name"},
      {kHttp, "target: ccr", "target: [ccr]", 1, "must be a text"},
      {kHttp, "target: ccr\n", "", 1, "lacks the key 'target'"},
      {kHttp, "target: ccr", "target: reference", 1, "is the name of the built-in translator"},
      {kHttp, "kind: http", "kind: grpc", 2, "no kind 'grpc'"},
      {kHttp, "client: anthropic.messages", "client: ollama.chat", 3, "no client of ollama.chat"},
      {kPipe, "client: anthropic.messages", "client: sse", 3, "no client of sse"},
      {kHttp, "upstream: openai.chat", "upstream: sse", 4, "'sse' is a format"},
      {kHttp, "client: anthropic.messages", "client: anthropic", 3, "'anthropic' is not a protocol"},
      {kHttp, "upstream: openai.chat", "upstream: chat", 4, "'chat' is not a protocol"},
      {kHttp, "version: node", "version: ls {home} node", 6, "version has {home}"},
      {kHttp, "{dir}/cli.js", "{upstream_url}", 7,
       "there is no name {upstream_url}; use {dir}, {home}, {port}, {upstream} and {upstream_port}"},
      {kHttp, "{dir}/cli.js", "--at={base}", 7, "there is no name {base}"},
      {kHttp, "EMPTY: \"\"", "EMPTY: \"{proxy-port}\"", 12, "there is no name {proxy-port}"},
      {kHttp, "\"{upstream}/v1\"", "\"{upstream_url}/v1\"", 9, "there is no name {upstream_url}"},
      {kHttp, "\"{dir}/empty\"", "\"{folder}/empty\"", 11, "there is no name {folder}"},
      {kHttp, "install: npm", "install: \"{port}\"", 5, "not YAML"},
      {kHttp, "install: npm install", "install: echo {port}", 5, "install has {port}"},
      {kHttp, "command: [node, \"{dir}/cli.js\", start, \"\"]", "command: node cli.js", 7, "a list of words"},
      {kHttp, "command: [node, \"{dir}/cli.js\", start, \"\"]", "command: [\"\"]", 7, "first word is empty"},
      {kHttp, "command: [node, \"{dir}/cli.js\", start, \"\"]", "command: [a, [b]]", 7,
       "must be a text, not a list"},
      {kHttp, "command: [node, \"{dir}/cli.js\", start, \"\"]\n", "", 1, "lacks the key 'command'"},
      {kHttp, "\"{dir}/empty\"", "\"/etc/passwd\"", 11, "is outside the target's own folders"},
      {kHttp, "\"{dir}/empty\"", "\"{dir}/../empty\"", 11, "is outside the target's own folders"},
      {kHttp, "\"{dir}/empty\"", "\"{dir}/..\"", 11, "is outside the target's own folders"},
      {kHttp, "\"{dir}/empty\"", "\"{dir}/\"", 11, "is outside the target's own folders"},
      {kHttp, "\"{dir}/empty\"", "empty", 11, "is outside the target's own folders"},
      {kHttp, "EMPTY: \"\"", "EMPTY: ~", 12, "must be a text"},
      {kHttp, "EMPTY: \"\"", "EMPTY:", 12, "not YAML"},
      {kHttp, "EMPTY: \"\"", "A=B: c", 12, "environment variable"},
      {kHttp, "http://127.0.0.1:{port}/base/", "https://127.0.0.1:{port}", 13, "not an address to listen on"},
      {kHttp, "http://127.0.0.1:{port}/base/", "http://127.0.0.1", 13, "not an address to listen on"},
      {kHttp, "http://127.0.0.1:{port}/base/", "http://127.0.0.1:65536", 13, "not an address to listen on"},
      {kHttp, "http://127.0.0.1:{port}/base/", "http://:80", 13, "not an address to listen on"},
      {kHttp, "http://127.0.0.1:{port}/base/", "http://::1:80", 13, "not an address to listen on"},
      {kRunsAlready, "listen: http://[::1]:3456\n", "", 1, "lacks the key 'listen'"},
      {kHttp, "http://127.0.0.1:{port}/base/", "http://no-such-host.invalid:{port}", 13,
       "the host 'no-such-host.invalid' is unknown"},
      {kRunsAlready, "127.0.0.1:4000", "no-such-host.invalid:4000", 6, "is unknown"},
      {kHttp, "path: /v1/messages", "path: v1/messages", 14, "begin it with '/'"},
      {kHttp, "path: /v1/messages,", "path: /v1/my messages,", 14, "the request's path has a blank"},
      {kHttp, "path: /v1/messages,", "path: \"/v1/\\tmessages\",", 14, "the request's path has a blank"},
      {kHttp, "path: /v1/messages,", "path: /v1/\xC3\xA9,", 14, "the request's path has a blank"},
      {kHttp, "path: /health", "path: /healthy now", 15, "the path of ready has a blank"},
      {kHttp, "path: /v1/messages, ", "", 14, "lacks the key 'path'"},
      {kHttp, "model: fake-model, ", "", 14, "lacks the key 'model'"},
      {kHttp, "x-empty: \"\"", "x empty: a", 14, "the name of a header"},
      {kHttp, "x-empty: \"\"", "x-empty: \"a\\nb\"", 14, "must be one line"},
      {kHttp,
       "request: {path: /v1/messages, model: fake-model, headers: {x-api-key: sk-dummy, x-empty: \"\"}}\n",
       "", 1, "lacks the key 'request'"},
      {kHttp, "path: /health", "path: health", 15, "begin it with '/'"},
      {kHttp, "500ms", "500", 15, "is not a duration"},
      {kHttp, "500ms", "0ms", 15, "is not a duration"},
      {kHttp, "500ms", "-1s", 15, "is not a duration"},
      {kHttp, "500ms", "1.5s", 15, "is not a duration"},
      {kHttp, "500ms", "ms", 15, "is not a duration"},
      {kHttp, "500ms", "s", 15, "is not a duration"},
      {kHttp, "500ms", "3601s", 15, "is not a duration"},
      {kHttp, "500ms", "4294967297s", 15, "is not a duration"},
      {kHttp, "max_concurrency: 4", "isolation: full", 17, "isolation is 'full'"},
      {kHttp, "max_concurrency: 4", "network: none\nisolation: none", 18, "cannot have 'isolation: none'"},
      {kHttp, "max_concurrency: 4", "max_concurrency: 0", 17, "max_concurrency is '0'"},
      {kHttp, "max_concurrency: 4", "at_once: 0", 17, "at_once is '0'"},
      {kHttp, "max_concurrency: 4", "max_concurrency: many", 17, "max_concurrency is 'many'"},
      {kHttp, "max_concurrency: 4", "max_concurrency: 1025", 17, "max_concurrency is '1025'"},
      {kHttp, "max_concurrency: 4", "instances: 0", 17, "instances is '0'; write a number from 1 to 64"},
      {kHttp, "max_concurrency: 4", "instances: 65", 17, "instances is '65'"},
      {kHttp, "max_concurrency: 4", "instances: 2", 9, "2 instances cannot share the file '{dir}/empty'"},
      {kHttp, "listen: \"http://127.0.0.1:{port}/base/\"", "instances: 2\nlisten: http://127.0.0.1:80", 14,
       "2 instances cannot share one port; write http://127.0.0.1:{port}"},
      {kHttp, "timeout: 3s", "instances: 2\nupstream_listen: 127.0.0.1:4000", 17,
       "cannot share the address of"},
      {kRunsAlready, "listen: http://[::1]:3456\n", "listen: http://[::1]:3456\ninstances: 2\n", 6,
       "cannot have 'instances'"},
      {kHttp, "[thinking, parallel_tools]", "[]", 18, "the list is empty"},
      {kHttp, "timeout: 3s", "setup: {run: a}", 16, "setup must be a list of steps"},
      {kHttp, "timeout: 3s", "setup: [{run: a, body: b}]", 16, "both a command and a request"},
      {kHttp, "timeout: 3s", "setup: [{body: b}]", 16, "lacks the key 'request'"},
      {kHttp, "timeout: 3s", "setup: [{request: /a}]", 16, "the request of setup is '/a'"},
      {kHttp, "timeout: 3s", "setup: [{request: POST a}]", 16, "write its method and its path"},
      {kHttp, "timeout: 3s", "setup: [{request: POST /a b}]", 16, "write its method and its path"},
      {kPipe, "kind: pipe", "kind: pipe\nsetup: [{run: a}]", 3, "a pipe target cannot have 'setup'"},
      {kRunsAlready, "kind: http", "kind: http\nsetup: [{run: a}]", 3, "cannot have 'setup'"},
      {kRunsAlready, "kind: http", "kind: http\ninstall: a", 3, "or remove 'upstream_listen'"},
      {kRunsAlready, "upstream_listen: 127.0.0.1:4000\n", "", 1, "lacks the key 'command'"},
      {kRunsAlready, "3456", "{port}", 5, "not an address to listen on"},
      {kRunsAlready, "127.0.0.1:4000", "4000", 6, "not an address to listen on"},
      {kRunsAlready, "127.0.0.1:4000", "127.0.0.1:0", 6, "not an address to listen on"},
      {kPipe, "kind: pipe", "kind: pipe\nlisten: http://127.0.0.1:1", 3,
       "a pipe target cannot have 'listen'"},
      {kPipe, "kind: pipe", "kind: pipe\nready: {within: 1s}", 3, "a pipe target cannot have 'ready'"},
      {kPipe, "kind: pipe", "kind: pipe\nrequest: {path: /, model: m}", 3,
       "a pipe target cannot have 'request'"},
      {kPipe, "command: [python3, translate.py]\n", "", 1, "lacks the key 'command'"},
      {kPipe, "translate.py", "\"{upstream}\"", 5, "has {upstream}"},
      {kPipe, "kind: pipe", "kind: pipe\nlibrary: a.so", 3, "a pipe target cannot have 'library'"},
      {kHttp, "timeout: 3s", "variant: a", 16, "cannot have 'variant'"},
      {kRunsAlready, "kind: http", "kind: http\nlibrary: a.so", 3, "cannot have 'library'"},
      {kInProcess, "library: built/libmine.so\n", "", 1, "an in-process target lacks the key 'library'"},
      {kInProcess, "built/libmine.so", "\"{dir}/libmine.so\"", 5, "library has {dir}"},
      {kInProcess, "kind: in-process", "kind: in-process\ntimeout: 1s", 3,
       "an in-process target cannot have 'timeout'"},
      {kInProcess, "kind: in-process", "kind: in-process\ncommand: [a]", 3,
       "an in-process target cannot have 'command'"},
      {kClient, "tests: client", "tests: proxy", 2, "tests is 'proxy'"},
      {kClient, "tests: client\n", "", 3, "'reads' belongs to a target with 'tests: client'"},
      {kHttp, "timeout: 3s", "transport: {client: websocket}", 16, "is not spoken over WebSocket"},
      {kHttp, "timeout: 3s", "transport: {upstream: grpc}", 16, "the transport of the upstream is 'grpc'"},
      {kHttp, "timeout: 3s", "transport: {proxy: http}", 16, "unknown key 'proxy'"},
      {kPipe, "command:", "transport: {client: http}\ncommand:", 5, "a pipe target cannot have 'transport'"},
      {kClient, "kind: pipe", "kind: http\nrequest: {path: /, model: m}", 3, "is a program over a pipe"},
      {kClient, "reads: events\n", "", 1, "lacks the key 'reads'"},
      {kClient, "reads: events", "reads: answers", 4, "reads is 'answers'"},
      {kClient, "client: any", "client: any\nupstream: openai.chat", 6, "cannot have 'upstream'"},
      {kClient, "client: any", "client: ollama.chat", 5, "is not a protocol with event streams"},
      {kClient, "client: any", "client: some", 5, "is not a protocol with event streams"},
      {kSdk, "cannot:", "files: {\"{dir}/a\": {from: none.mjs}}\ncannot:", 7, "none.mjs cannot be read"},
      {kSdk, "cannot:", "files: {\"{dir}/a\": {of: a}}\ncannot:", 7, "unknown key 'of'"},
      {kSdk, "cannot:", "turns: 3\ncannot:", 7, "turns is '3'"},
      {kSdk, "client: openai.chat", "client: ollama.chat\nturns: 2", 6, "cannot continue a conversation"},
      {kClient, "reads: events", "reads: events\nturns: 2", 5, "belongs to a target with 'reads: answer'"},
      {kSdk, "kind: pipe", "kind: http\nrequest: {path: /, model: m}", 3, "is a program over a pipe"},
      {kSdk, "client: openai.chat", "client: any", 5, "'any' is not a protocol"},
      {kSdk, "client: openai.chat", "client: sse", 5, "is a format, not a protocol"},
  };
  for (const Mistaken& mistake : mistakes) {
    SCOPED_TRACE(std::string(mistake.what) + " -> " + mistake.with);
    const Result<TargetFile> target = loaded(replaced(mistake.file, mistake.what, mistake.with));
    if (target) {
      ADD_FAILURE() << "was accepted";
      continue;
    }
    EXPECT_NE(describe(target.error()).find(mistake.says), std::string::npos) << describe(target.error());
    EXPECT_EQ(target.error().line, mistake.line) << describe(target.error());
    EXPECT_NE(target.error().file.find("t.yaml"), std::string::npos);
  }
  EXPECT_FALSE(load_target_file("/no/such/file.yaml"));
}

// Scripts and the contents of files use braces for other purposes.
TEST(TargetFile, CoverageFitsTheKind) {
  using Agent = TargetCoverage::Agent;
  EXPECT_EQ(loaded(kPipe)->coverage.agent, Agent::none);
  EXPECT_EQ(loaded(std::string(kPipe) + "coverage: python\n")->coverage.agent, Agent::python);
  EXPECT_EQ(loaded(std::string(kHttp) + "coverage: node\n")->coverage.agent, Agent::node);
  EXPECT_EQ(loaded(std::string(kInProcess) + "coverage: sancov\n")->coverage.agent, Agent::sancov);
  const auto chosen = loaded(std::string(kPipe) + "coverage: {by: node, files: [src, lib/a.js]}\n");
  ASSERT_TRUE(chosen) << describe(chosen.error());
  EXPECT_EQ(chosen->coverage.files, (std::vector<std::string>{"src", "lib/a.js"}));
  const auto tcp = loaded(std::string(kRunsAlready) + "coverage: {by: tcp, at: '127.0.0.1:3001'}\n");
  ASSERT_TRUE(tcp) << describe(tcp.error());
  EXPECT_EQ(tcp->coverage.at, "127.0.0.1:3001");
  const auto why = [](const std::string& text) {
    const auto target = loaded(text);
    return target ? "" : target.error().what;
  };
  EXPECT_EQ(why(std::string(kHttp) + "coverage: tcp\n"), "'coverage: tcp' lacks 'at'");
  EXPECT_EQ(why(std::string(kHttp) + "coverage: {by: node, at: '127.0.0.1:3001'}\n"),
            "'coverage: node' has no 'at'");
  EXPECT_EQ(why(std::string(kPipe) + "instances: 2\ncoverage: {by: tcp, at: '127.0.0.1:3001'}\n"),
            "several instances cannot share the port of one agent");
  EXPECT_EQ(why(std::string(kPipe) + "coverage: ruby\n"), "there is no coverage 'ruby'");
  EXPECT_EQ(why(std::string(kPipe) + "coverage: {files: [a]}\n"), "coverage lacks the key 'by'");
  EXPECT_EQ(loaded(std::string(kPipe) + "coverage: sancov\n")->coverage.agent, Agent::sancov);
  EXPECT_EQ(why(std::string(kInProcess) + "coverage: node\n"),
            "an in-process target cannot have 'coverage: node'");
  EXPECT_EQ(why(std::string(kRunsAlready) + "coverage: node\n"),
            "splitproof does not start this target, so 'coverage: node' gives nothing");
  EXPECT_EQ(why(std::string(kInProcess) + "coverage: {by: sancov, files: [a]}\n"),
            "'coverage: sancov' has no 'files', because all counts that is reported");
}

TEST(TargetFile, OtherBracesStayInScripts) {
  for (const char* command : {"[sh, -c, \"awk '{print}' x\"]", "[sh, -c, \"echo ${port}\"]",
                              "[node, -e, \"{ }\"]", "[python3, -c, \"print(f'{name} {x}')\"]"}) {
    const Result<TargetFile> file = loaded(replaced(kPipe, "[python3, translate.py]", command));
    EXPECT_TRUE(file) << command << (file ? "" : describe(file.error()));
  }
}

TEST(TargetFile, FillsNamesInBraces) {
  const Places places{"/t/{home}", "/h", "1", "http://u:2", "2"};
  EXPECT_EQ(filled("{dir} {home} {port} {upstream} {upstream_port}", places), "/t/{home} /h 1 http://u:2 2");
  EXPECT_EQ(filled("{\"a\": {}, {{port}} ${HOME} {Port} {port", places),
            "{\"a\": {}, {1} ${HOME} {Port} {port");
  EXPECT_EQ(filled("", places), "");
}

TEST(TargetFile, TargetGetsTheAnswersOfTheProfile) {
  const std::string asking = replaced(
      replaced(replaced(kHttp, "{\"port\": {port},", "{\"knob\": \"{knob:a-b}{knob:c}\", {knob:}{knob: c},"),
               "EMPTY: \"\"", "KNOB: \"={knob:c}=\""),
      "start, \"\"", "\"--{knob:c}={knob:c}\"");
  const Result<TargetFile> target = loaded(asking);
  ASSERT_TRUE(target) << describe(target.error());
  const std::map<std::string, std::string> answers = {{"a-b", "one"}, {"c", "{knob:a-b}"}, {"unused", "x"}};
  const Result<TargetFile> told = with_knobs(*target, answers);
  ASSERT_TRUE(told) << describe(told.error());
  EXPECT_EQ(told->files.at("{home}/.proxy/config.json"),
            "{\"knob\": \"one{knob:a-b}\", {knob:}{knob: c}, \"upstream\": \"{upstream}/v1\"}\n");
  EXPECT_EQ(told->env.at("KNOB"), "={knob:a-b}=");
  EXPECT_EQ(told->command.back(), "--{knob:a-b}={knob:a-b}");
  const Result<TargetFile> not_told = with_knobs(*target, {{"c", "x"}});
  ASSERT_FALSE(not_told);
  EXPECT_EQ(not_told.error().what, "the target asks for the knob 'a-b', which the profile does not set");
  EXPECT_EQ(not_told.error().hint, "use one of: c");
}

}  // namespace
}  // namespace splitproof::testee::target_file_test
