// A request without any use for a knob is not affected by it: the upstream request is byte for byte the one without the
// knob.

#include "proxy/upstream_request.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "proxy/names/request_names.hpp"
#include "proxy/request/twin_calls.hpp"

namespace splitproof::upstream_request_test {
namespace {

using nlohmann::ordered_json;
using proxy::dialect::ClientRow;
using proxy::dialect::UpstreamRow;

constexpr std::size_t kDepth = 128;

struct ClientRequest {
  std::string name;
  const ClientRow* client;
  std::string body;
};

// Returns the corpus's requests, by the client's protocol.
const std::vector<ClientRequest>& requests() {
  static const std::vector<ClientRequest> all = [] {
    std::vector<ClientRequest> read;
    const std::filesystem::path corpus = std::getenv("SPLITPROOF_CORPUS");
    for (const ClientRow& client : proxy::dialect::clients()) {
      const auto folder = corpus / "requests" / client.protocol;
      for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        std::ifstream file(entry.path());
        const ordered_json request = ordered_json::parse(file);
        read.push_back({entry.path().filename().string(), &client, request["body"].dump()});
      }
    }
    return read;
  }();
  return all;
}

// A proxy without the knobs, written here a second time.
std::string asked_plainly(const ClientRequest& request, const UpstreamRow& upstream) {
  auto asked = request.client->read_request(request.body, Limits{});
  if (!asked) return "refused: " + asked.error().message;
  if (const auto apart = request::tell_calls_apart(*asked); !apart)
    return "refused: " + apart.error().message;
  request::rename_tools(upstream.tool_names, *asked);
  const auto written = upstream.write_request(*asked, {});
  return written ? *written : "refused: " + written.error().message;
}

std::string asked_under(const TranslatorOptions& knobs, const ClientRequest& request,
                        const UpstreamRow& upstream) {
  TranslatorOptions options = knobs;
  options.client = request.client;
  options.upstream = &upstream;
  const auto written = upstream_request(options, request.body, [](request::Asked&) {});
  return written ? written->body : "refused: " + written.error().message;
}

using Has = std::function<bool(const request::Asked&, const std::string& body)>;

// Counts all requests without a use for the knobs, between all translated protocols.
std::size_t count_alike(const TranslatorOptions& knobs, const Has& has_use) {
  std::size_t alike = 0;
  for (const ClientRequest& request : requests()) {
    const auto asked = request.client->read_request(request.body, Limits{});
    if (asked && has_use(*asked, request.body)) continue;
    for (const UpstreamRow& upstream : proxy::dialect::upstreams()) {
      if (upstream.protocol == request.client->protocol) continue;
      EXPECT_EQ(asked_under(knobs, request, upstream), asked_plainly(request, upstream))
          << request.name << " " << upstream.protocol;
      ++alike;
    }
  }
  return alike;
}

bool has_calls(const request::Asked& asked) {
  return std::any_of(asked.turns.begin(), asked.turns.end(), [](const request::Turn& turn) {
    return std::any_of(turn.blocks.begin(), turn.blocks.end(), [](const request::Block& block) {
      return std::holds_alternative<request::Call>(block) || std::holds_alternative<request::Result>(block);
    });
  });
}

bool says(const std::string& body, std::initializer_list<const char*> words) {
  return std::any_of(words.begin(), words.end(),
                     [&](const char* word) { return body.find(word) != std::string::npos; });
}

TEST(UpstreamRequest, WithoutKnobsNothingIsDifferent) {
  const std::size_t all = count_alike({}, [](const request::Asked&, const std::string&) { return false; });
  EXPECT_GT(all, 200U);
  std::cout << all << " requests\n";
}

TEST(UpstreamRequest, ChoiceThatIsAutomaticIsNotPutIntoWords) {
  TranslatorOptions options;
  options.request.tool_choice = request::ToolChoice::emulate;
  EXPECT_GT(
      count_alike(options, [](const request::Asked& asked,
                              const std::string&) { return asked.choice != request::Choice::automatic; }),
      100U);
}

TEST(UpstreamRequest, NamesThatTheMapDoesNotHaveStay) {
  TranslatorOptions options;
  options.names = names::Names::opencode;
  EXPECT_GT(count_alike(options,
                        [](const request::Asked&, const std::string& body) {
                          return std::any_of(
                              names::map_of(names::Names::opencode).begin(),
                              names::map_of(names::Names::opencode).end(),
                              [&](const names::MappedTool& tool) {
                                return body.find("\"" + tool.client + "\"") != std::string::npos ||
                                       body.find("\"mcp_" + tool.client + "\"") != std::string::npos;
                              });
                        }),
            100U);
}

TEST(UpstreamRequest, NoDirectoryIsLiftedIfNoneIsNamed) {
  TranslatorOptions options;
  options.request.environment = request::EnvironmentRule::lift;
  EXPECT_GT(count_alike(options,
                        [](const request::Asked&, const std::string& body) {
                          return says(body, {"cwd", "CWD", "orking directory"});
                        }),
            100U);
}

TEST(UpstreamRequest, WithoutToolsThereIsNoPreamble) {
  TranslatorOptions options;
  options.request.preamble = request::Preamble::pr54;
  EXPECT_GT(count_alike(options, [](const request::Asked& asked,
                                    const std::string&) { return !asked.tools.empty() || has_calls(asked); }),
            50U);
}

TEST(UpstreamRequest, HistoryWithoutMarkupStays) {
  TranslatorOptions options;
  options.request.retention = request::Retention::structured;
  const auto is_odd = [](const request::Turn& turn) {
    const auto says_odd = [](const request::Block& block) {
      const auto* text = std::get_if<request::Text>(&block);
      if (text == nullptr) return false;
      const std::string said = request::plain(text->text);
      return said == "." || said.find_first_not_of(" \t\r\n") == std::string::npos ||
             says(said, {"<tool_", "[Called"});
    };
    return turn.role == request::Role::assistant &&
           (turn.blocks.empty() || std::any_of(turn.blocks.begin(), turn.blocks.end(), says_odd));
  };
  EXPECT_GT(count_alike(options,
                        [&](const request::Asked& asked, const std::string&) {
                          return std::any_of(asked.turns.begin(), asked.turns.end(), is_odd);
                        }),
            100U);
}

// Within one protocol a request without use for a knob is relayed, signed thinking included: the client's bytes pass.
// With a use for it, the request differs in the common form too.
TEST(UpstreamRequest, WithinAProtocolARequestWithoutUseForAKnobIsRelayed) {
  std::map<std::string, TranslatorOptions> knobs;
  knobs["tool-choice"].request.tool_choice = request::ToolChoice::emulate;
  knobs["environment"].request.environment = request::EnvironmentRule::lift;
  knobs["preamble"].request.preamble = request::Preamble::pr54;
  knobs["retention"].request.retention = request::Retention::structured;
  knobs["names"].names = names::Names::opencode;
  for (const auto& [knob, options] : knobs) {
    std::map<std::string_view, std::size_t> relayed;
    std::size_t touched = 0;
    for (const ClientRequest& request : requests()) {
      SCOPED_TRACE(knob + " " + request.name);
      const UpstreamRow& own = *proxy::dialect::find_upstream(request.client->protocol);
      const auto asked = request.client->read_request(request.body, Limits{});
      if (!asked) continue;
      request::Asked made = *asked;
      names::name_for_upstream(names::map_of(options.names), kDepth, made);
      made.aliases = asked->aliases;
      request::reshape(options.request, own.says_choice, made);
      const bool same = asked_under(options, request, own) == request.body;
      EXPECT_EQ(same, made == *asked);
      same ? ++relayed[request.client->protocol] : ++touched;
    }
    for (const ClientRow& client : proxy::dialect::clients()) {
      EXPECT_GT(relayed[client.protocol], 10U) << knob << " " << client.protocol;
      std::cout << knob << " " << client.protocol << ": " << relayed[client.protocol] << " relayed\n";
    }
    EXPECT_GT(touched, 2U) << knob;
  }
}

TEST(UpstreamRequest, WithinAProtocolAnotherModelIsAllThatChanges) {
  TranslatorOptions options;
  options.upstream = proxy::dialect::find_upstream("anthropic.messages");
  options.request.environment = request::EnvironmentRule::lift;
  const std::string before =
      R"({ "model" : "a", "max_tokens": 5, "messages": [{"role":"assistant","content":[)"
      R"({"type":"thinking","thinking":"Hm.","signature":"c2ln"}]},)"
      R"({"role":"user","content":"Tide?"}], "metadata": {"user_id":"u"} })";
  const auto written = upstream_request(options, before, [](request::Asked& asked) { asked.model = "b"; });
  ASSERT_TRUE(written);
  EXPECT_TRUE(written->as_it_came);
  std::string after = before;
  after.replace(after.find("\"a\""), 3, "\"b\"");
  EXPECT_EQ(written->body, after);
}

// A relay would leave in an answer what the knob removes.
TEST(UpstreamRequest, WithinAProtocolAKnobOfAnswersTranslates) {
  TranslatorOptions options;
  options.upstream = proxy::dialect::find_upstream("anthropic.messages");
  options.request.environment = request::EnvironmentRule::lift;
  const std::string body = R"({"model":"a","max_tokens":5,"messages":[{"role":"user","content":"Tide?"}]})";
  const auto comes = [&] { return upstream_request(options, body, [](request::Asked&) {})->as_it_came; };
  EXPECT_TRUE(comes());
  options.cleaning.marker = text::Marker::ellipsis;
  EXPECT_FALSE(comes());
  options.cleaning.marker = text::Marker::none;
  options.leaked_markup = text::LeakedMarkup::rescue;
  EXPECT_FALSE(comes());
}

TEST(UpstreamRequest, CallWithTwoResultsIsRefusedIfTranslated) {
  const std::string body = R"({"model":"m","messages":[{"role":"user","content":"Tide?"},
      {"role":"assistant","tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]},
      {"role":"tool","tool_call_id":"a","content":"1"},{"role":"tool","tool_call_id":"a","content":"2"}]})";
  for (const UpstreamRow& upstream : proxy::dialect::upstreams()) {
    TranslatorOptions options;
    options.client = proxy::dialect::find_client("openai.chat");
    options.upstream = &upstream;
    const auto written = upstream_request(options, body, [](request::Asked&) {});
    ASSERT_EQ(written.has_value(), options.relays()) << upstream.protocol;
    if (written) continue;
    EXPECT_EQ(written.error().message, "history: a call has more than one result");
  }
}

// All of them at once, on every request: the result is JSON, or the same refusal.
TEST(UpstreamRequest, AllKnobsTogetherAskForJson) {
  TranslatorOptions options;
  options.names = names::Names::opencode;
  options.request = {request::ToolChoice::emulate, request::EnvironmentRule::lift, request::Preamble::pr54,
                     request::Retention::structured};
  std::size_t asked = 0;
  for (const ClientRequest& request : requests()) {
    for (const UpstreamRow& upstream : proxy::dialect::upstreams()) {
      SCOPED_TRACE(request.name + " " + std::string(upstream.protocol));
      const std::string body = asked_under(options, request, upstream);
      if (body.starts_with("refused: ")) continue;
      EXPECT_TRUE(nlohmann::json::accept(body)) << body;
      for (const char* word : {"\"tools\"", "\"tool_choice\"", "\"tool_calls\"", "\"tool_use\"",
                               "\"toolUses\"", "\"function_call\"", "\"tool_result\"", "\"role\":\"tool\""})
        EXPECT_EQ(body.find(word), std::string::npos) << word << body;
      ++asked;
    }
  }
  EXPECT_GT(asked, 200U);
}

}  // namespace
}  // namespace splitproof::upstream_request_test
