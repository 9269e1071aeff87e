// Request translators with one bug each, inserted into the reference's request. Each is found by its rule, and without
// its bug nothing is found. The file is long because each bug is a few lines next to its rule, and all run the same
// way.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "harness/campaign/asked_judge.hpp"
#include "harness/testee/in_process.hpp"
#include "tests/contracts/built_in.hpp"
#include "tests/harness/observe/shared_streams.hpp"

namespace splitproof::contract::askers_test {
namespace {

using nlohmann::json;

// Changes the body of the call; `asked` is the client's.
using Bug = std::function<void(json& body, const json& asked)>;

struct Asker {
  std::string name;
  std::string id;  // of the rule that finds it
  std::string client;
  std::string upstream;
  std::string request;  // of the corpus
  Bug bug;
};

constexpr const char* kChat = "openai.chat";
constexpr const char* kMessages = "anthropic.messages";
constexpr const char* kResponses = "openai.responses";
constexpr const char* kGemini = "google.gemini";
constexpr const char* kConverse = "bedrock.converse";
constexpr const char* kProtocols[] = {kChat, kMessages, kResponses, kGemini, kConverse};

// Returns the body that a client of the protocol sends. In one protocol the path has the model and the choice of a stream.
json body_on_the_wire(const std::string& protocol, json body) {
  if (protocol == kGemini || protocol == kConverse) {
    body.erase("model");
    body.erase("stream");
  }
  return body;
}

// True for names with a different meaning in each dialect.
bool is_of_one_dialect(const std::string& name) {
  static const std::set<std::string> kNames = {"custom-tool",
                                               "choice-allowed",
                                               "refusal",
                                               "file",
                                               "format-object",
                                               "developer",
                                               "reasoning-effort",
                                               "system-within",
                                               "calls-foreign-id",
                                               "calls-ids-alike",
                                               "results-dealt-out",
                                               "results-image",
                                               "results-text-and-image",
                                               "results-text-before"};
  return kNames.contains(name);
}

json& messages(json& body) { return body["messages"]; }

void erase_role(json& body, const std::string& role) {
  json kept = json::array();
  for (const json& message : messages(body))
    if (message["role"] != role) kept.push_back(message);
  messages(body) = kept;
}

json& first_of(json& body, const std::string& role) {
  for (json& message : messages(body))
    if (message["role"] == role) return message;
  return body;
}

const std::vector<Asker>& askers() {
  static const std::vector<Asker> kAll = {
      {"loses the system prompt", "REQ-38", kMessages, kChat, "system-plain",
       [](json& body, const json&) { erase_role(body, "system"); }},
      {"keeps the last block of the system prompt", "REQ-38", kMessages, kChat, "system-parts",
       [](json& body, const json& asked) {
         first_of(body, "system")["content"] = asked["system"].back()["text"];
       }},
      {"speaks before the client", "REQ-39", kMessages, kChat, "system-plain",
       [](json& body, const json&) {
         messages(body).insert(messages(body).begin(),
                               json{{"role", "system"}, {"content", "You are a gateway."}});
       }},
      {"merges all turns into one", "REQ-41", kMessages, kChat, "turns-three",
       [](json& body, const json&) {
         std::string all;
         for (const json& message : messages(body)) all += message["content"].get<std::string>() + "\n";
         messages(body) = json::array({{{"role", "user"}, {"content", all}}});
       }},
      {"trims what the user says", "REQ-42", kChat, kResponses, "text-long",
       [](json& body, const json&) { body["input"][0]["content"][0]["text"] = "tide"; }},
      {"drops words beside calls", "REQ-43", kMessages, kChat, "calls-text-before",
       [](json& body, const json&) { first_of(body, "assistant")["content"] = nullptr; }},
      {"puts an image into text", "REQ-44", kMessages, kChat, "images-one",
       [](json& body, const json&) {
         json& content = first_of(body, "user")["content"];
         content.back() = {{"type", "text"}, {"text", content.back().dump()}};
       }},
      {"loses the image of a result", "REQ-44", kMessages, kResponses, "results-image",
       [](json& body, const json&) { body["input"].back()["output"] = "[image]"; }},
      {"puts a result before its call", "RET-05", kMessages, kChat, "calls-one",
       [](json& body, const json&) { std::swap(messages(body)[1], messages(body)[2]); }},
      {"deals results out over turns", "RET-17", kChat, kMessages, "calls-parallel",
       [](json& body, const json&) {
         const json second = messages(body)[2]["content"][1];
         messages(body)[2]["content"].erase(1);
         messages(body).push_back({{"role", "assistant"}, {"content", "Next."}});
         messages(body).push_back({{"role", "user"}, {"content", json::array({second})}});
       }},
      {"gives two tools one name", "REQ-10", kMessages, kChat, "tools-alike",
       [](json& body, const json&) {
         for (json& tool : body["tools"]) tool["function"]["name"] = "read";
       }},
      {"drops keys of schemas", "REQ-47", kMessages, kChat, "tools-nested",
       [](json& body, const json&) { body["tools"][0]["function"]["parameters"].erase("$defs"); }},
      {"offers tools of its own", "REQ-46", kMessages, kChat, "tools-one",
       [](json& body, const json&) {
         body["tools"].push_back(body["tools"][0]);
         body["tools"][1]["function"]["name"] = "respond_in_prose";
       }},
      {"takes no notice of none", "TCH-01", kMessages, kResponses, "choice-none",
       [](json& body, const json&) { body.erase("tool_choice"); }},
      {"makes any of one", "TCH-04", kChat, kMessages, "choice-one",
       [](json& body, const json&) {
         body["tool_choice"] = {{"type", "any"}};
       }},
      {"forgets that calls come one by one", "TCH-07", kMessages, kChat, "choice-not-parallel",
       [](json& body, const json&) { body.erase("parallel_tool_calls"); }},
      {"drops the limit", "REQ-50", kResponses, kChat, "limit-small",
       [](json& body, const json&) {
         body.erase("max_tokens");
         body.erase("max_completion_tokens");
       }},
      {"drops the stop sequences", "REQ-51", kMessages, kChat, "stop-three",
       [](json& body, const json&) { body.erase("stop"); }},
      {"drops the form of the text", "REQ-52", kChat, kResponses, "format-schema",
       [](json& body, const json&) { body.erase("text"); }},
      {"empties a signature", "RET-14", kMessages, kMessages, "thinking-signed",
       [](json& body, const json&) { messages(body)[1]["content"][0]["signature"] = ""; }},
      {"drops thinking", "RET-22", kMessages, kMessages, "thinking-redacted",
       [](json& body, const json&) { messages(body)[1]["content"].erase(0); }},
      {"drops encrypted reasoning", "RET-22", kResponses, kResponses, "reasoning-sealed",
       [](json& body, const json&) { body["input"].erase(1); }},
      {"declares custom tools as functions of anything", "REQ-49", kResponses, kChat, "custom-tool",
       [](json& body, const json&) {
         body["tools"][1]["function"]["parameters"] = {{"type", "object"}};
       }},
      {"makes ids anew within a protocol", "RET-21", kChat, kChat, "calls-one",
       [](json& body, const json&) {
         messages(body)[1]["tool_calls"][0]["id"] = "call_x";
         messages(body)[2]["tool_call_id"] = "call_x";
       }},
      {"empties arguments", "RET-19", kMessages, kResponses, "calls-odd-arguments",
       [](json& body, const json&) { body["input"][1]["arguments"] = "{}"; }},
      {"gives results to the other call", "RET-20", kMessages, kChat, "calls-parallel",
       [](json& body, const json&) {
         std::swap(messages(body)[2]["content"], messages(body)[3]["content"]);
       }},
      {"writes two parts as one word", "REQ-42", kMessages, kChat, "text-parts",
       [](json& body, const json&) {
         first_of(body, "user")["content"] = "When is high tidein Leith?\nAnd in Oban?";
       }},
      {"puts images behind all that is said", "REQ-44", kMessages, kChat, "images-two",
       [](json& body, const json&) {
         json& content = first_of(body, "user")["content"];
         std::stable_partition(content.begin(), content.end(),
                               [](const json& part) { return part["type"] == "text"; });
       }},
      {"drops a seed within a protocol", "REQ-64", kChat, kChat, "seed",
       [](json& body, const json&) { body.erase("seed"); }},
      {"asks for one choice of two", "REQ-64", kChat, kChat, "choices-two",
       [](json& body, const json&) { body["n"] = 1; }},
      {"drops top_k within a protocol", "REQ-64", kMessages, kMessages, "top-k",
       [](json& body, const json&) { body.erase("top_k"); }},
      {"has stored what was not to be", "REQ-64", kResponses, kResponses, "text-plain",
       [](json& body, const json&) { body.erase("store"); }},
      {"does not include what the client goes on from", "REQ-64", kResponses, kResponses, "reasoning-sealed",
       [](json& body, const json&) { body.erase("include"); }},
      {"drops the effort", "REQ-65", kResponses, kChat, "reasoning-effort",
       [](json& body, const json&) { body.erase("reasoning_effort"); }},
      {"drops the marks for the cache", "REQ-66", kMessages, kMessages, "cache-marks",
       [](json& body, const json&) { body["system"][0].erase("cache_control"); }},
      {"drops the marks of tools", "REQ-66", kChat, kChat, "cache-marks-four",
       [](json& body, const json&) { body["tools"][1].erase("cache_control"); }},
      {"indents what a tool printed", "RET-20", kMessages, kChat, "calls-one",
       [](json& body, const json&) {
         json& content = messages(body)[2]["content"];
         content = "  " + content.get<std::string>();
       }},
      {"says that an empty result failed", "RET-20", kMessages, kChat, "results-empty",
       [](json& body, const json&) {
         for (json& message : messages(body))
           if (message["role"] == "tool") message["content"] = "Error: permission denied";
       }},
      {"cuts blank space off what the user says", "REQ-42", kMessages, kChat, "text-plain",
       [](json& body, const json&) {
         json& content = first_of(body, "user")["content"];
         if (content.is_array()) content = content[0]["text"];
         content = content.get<std::string>() + "\n";
       }},
      {"lowers the limit further than any model does", "REQ-50", kMessages, kChat, "text-plain",
       [](json& body, const json&) { body["max_tokens"] = 1; }},
      {"sends a text of another protocol in a result", "REQ-58", kMessages, kMessages, "calls-one",
       [](json& body, const json&) {
         messages(body)[2]["content"][0]["content"] =
             json::array({{{"type", "input_text"}, {"text", "04:10"}}});
       }},
      {"sends an output in parts that are no input", "REQ-31", kMessages, kResponses, "calls-one",
       [](json& body, const json&) {
         json& output = body["input"].back()["output"];
         output = json::array({{{"type", "output_text"}, {"text", output}}});
       }},
      {"leaves an output out", "REQ-77", kMessages, kResponses, "calls-one",
       [](json& body, const json&) { body["input"].back().erase("output"); }},
      {"puts the bytes of an image into its address", "REQ-70", kChat, kMessages, "images-one",
       [](json& body, const json&) {
         for (json& part : first_of(body, "user")["content"])
           if (part["type"] == "image")
             part["source"] = {{"type", "url"}, {"url", "data:image/png;base64,AAAA"}};
       }},
      {"enables thinking with the budget of an effort", "REQ-71", kChat, kMessages, "text-plain",
       [](json& body, const json&) {
         body["thinking"] = {{"type", "enabled"}, {"budget_tokens", 512}};
       }},
      {"marks thinking for the cache", "REQ-74", kMessages, kMessages, "thinking-signed",
       [](json& body, const json&) {
         messages(body)[1]["content"][0]["cache_control"] = {{"type", "ephemeral"}};
       }},
      {"gives calls no type", "REQ-76", kMessages, kChat, "calls-one",
       [](json& body, const json&) { messages(body)[1]["tool_calls"][0].erase("type"); }},
      {"asks for three choices", "REQ-78", kMessages, kChat, "text-plain",
       [](json& body, const json&) { body["n"] = 3; }},
      {"offers a search of the server's", "REQ-78", kMessages, kResponses, "tools-one",
       [](json& body, const json&) {
         body["tools"].push_back({{"type", "web_search"}});
       }},
      {"leaves it to Responses whether functions are strict", "REQ-79", kMessages, kResponses, "tools-one",
       [](json& body, const json&) { body["tools"][0].erase("strict"); }},
      {"puts text behind the calls that it comes before", "RET-30", kMessages, kResponses,
       "calls-text-before",
       [](json& body, const json&) {
         json& input = body["input"];
         for (std::size_t i = 0; i + 1 < input.size(); ++i)
           if (input[i + 1]["type"] == "function_call" && input[i]["role"] == "assistant")
             return std::swap(input[i], input[i + 1]);
       }},
      {"sends a call of a custom tool as a function's", "RET-19", kResponses, kResponses, "custom-call",
       [](json& body, const json&) {
         for (json& item : body["input"]) {
           if (item["type"] == "custom_tool_call_output") item["type"] = "function_call_output";
           if (item["type"] != "custom_tool_call") continue;
           item["type"] = "function_call";
           item["arguments"] = json{{"input", item["input"]}}.dump();
           item.erase("input");
         }
       }},
      {"makes a success of an error", "RET-20", kMessages, kMessages, "results-failed",
       [](json& body, const json&) { messages(body)[2]["content"][0].erase("is_error"); }},
  };
  return kAll;
}

// Corpus requests of the same name have the same meaning in every protocol. So each can serve as a correct translation
// of another.
TEST(CorpusRequests, MeanTheSameInEveryProtocolIfNamesAreEqual) {
  // They differ in a limit, which Anthropic Messages requires. Chat Completions describes images of results in words,
  // and does not order content next to calls.
  const std::set<std::string> told_otherwise = {"REQ-50", "RET-20"};
  std::size_t pairs = 0;
  for (const std::string client : kProtocols) {
    const auto folder = contract_folder().parent_path() / "corpus" / "requests";
    for (const auto& entry : std::filesystem::directory_iterator(folder / client)) {
      for (const std::string upstream : kProtocols) {
        const auto other = folder / upstream / entry.path().filename();
        if (!std::filesystem::exists(other) || is_of_one_dialect(entry.path().stem().stem().string()))
          continue;
        dialect::RequestMessage message;
        message.client = client;
        message.asked = std::make_shared<const json>(json::parse(observe::file_bytes(entry.path()))["body"]);
        message.body = std::make_shared<const json>(
            body_on_the_wire(upstream, json::parse(observe::file_bytes(other))["body"]));
        const auto side = upstream + ".upstream";
        for (const Judged& judged : campaign::judge_request(built_in_contracts(), default_profile(),
                                                            *dialect::request_reader_of(side), message)) {
          if (told_otherwise.contains(judged.obligation->id) || judged.obligation->level != Level::must)
            continue;
          EXPECT_NE(judged.verdict, Verdict::violated) << entry.path() << " beside " << other << ": "
                                                       << judged.obligation->id << " " << judged.message;
        }
        ++pairs;
      }
    }
  }
  EXPECT_GE(pairs, 400u);
}

json request_of(const Asker& asker) {
  const auto file =
      contract_folder().parent_path() / "corpus" / "requests" / asker.client / (asker.request + ".req.json");
  return json::parse(observe::file_bytes(file))["body"];
}

// Returns the verdicts if the reference sends `played` for a client's request `asked`; none if it refuses.
std::vector<Judged> judged_by_playing(const json& played, const json& asked, const std::string& client,
                                      const std::string& upstream, const Profile& profile) {
  recording::Recording recording;
  recording.protocol = upstream;
  recording.requests = std::make_shared<const json>(json{{client, played}});
  const auto streams = testee::reference_streams(default_profile(), upstream, client);
  const testee::InProcess reference("reference", *streams, upstream, client);
  testee::Observation seen = reference.asks(recording);
  if (seen.calls.empty()) return {};
  seen.request = asked.dump();
  const testee::Traits traits = reference.traits();
  return campaign::AskedJudge(built_in_contracts(), profile, traits, recording).judge(seen);
}

std::set<std::string> violated_by_playing(const json& played, const json& asked, const std::string& client,
                                          const std::string& upstream, const Profile& profile) {
  const std::vector<Judged> judged = judged_by_playing(played, asked, client, upstream, profile);
  if (judged.empty()) return {"refused"};
  return ids_with(Verdict::violated, judged);
}

std::set<std::string> violated(const Asker& asker, bool sound) {
  recording::Recording recording;
  recording.protocol = asker.upstream;
  const json asked = request_of(asker);
  recording.requests = std::make_shared<const json>(json{{asker.client, asked}});
  const auto streams = testee::reference_streams(default_profile(), asker.upstream, asker.client);
  const testee::InProcess reference("reference", *streams, asker.upstream, asker.client);
  testee::Observation seen = reference.asks(recording);
  if (seen.calls.empty()) return {"refused: " + seen.body};
  json body = json::parse(seen.calls.front().body);
  if (!sound) asker.bug(body, asked);
  seen.calls.front().body = body.dump();
  const testee::Traits traits = reference.traits();
  return ids_with(
      Verdict::violated,
      campaign::AskedJudge(built_in_contracts(), default_profile(), traits, recording).judge(seen));
}

TEST(CorpusRequests, AreCarriedByTheReferenceWithoutAViolationOrRefused) {
  std::size_t carried = 0;
  for (const std::string client : kProtocols) {
    const auto folder = contract_folder().parent_path() / "corpus" / "requests" / client;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      for (const std::string upstream : kProtocols) {
        std::set<std::string> found =
            violated({"", "", client, upstream, entry.path().stem().stem().string(), {}}, true);
        if (upstream == kGemini || upstream == kConverse)
          found.erase("REQ-40");  // it has one system prompt, at the beginning
        const bool refused = found.size() == 1 && found.begin()->starts_with("refused: ");
        carried += refused ? 0 : 1;
        EXPECT_TRUE(refused || found.empty())
            << entry.path() << " to " << upstream << ": " << testing::PrintToString(found);
      }
    }
  }
  EXPECT_GE(carried, 740u);
}

TEST(Askers, EachIsFoundUnderTheIdThatWasNamed) {
  for (const Asker& asker : askers()) {
    SCOPED_TRACE(asker.name);
    EXPECT_EQ(violated(asker, true), std::set<std::string>());
    EXPECT_EQ(violated(asker, false).count(asker.id), 1u)
        << "found: " << testing::PrintToString(violated(asker, false));
  }
  EXPECT_GE(askers().size(), 53u);
}

// Returns the message of REQ-47 about it; empty: none.
std::string told_of_schemas(const json& played, const json& asked) {
  for (const Judged& judged : judged_by_playing(played, asked, kMessages, kChat, default_profile()))
    if (judged.obligation->id == "REQ-47") return judged.message;
  return {};
}

TEST(Askers, FindingNamesTheToolWithTheChangedSchema) {
  const json asked = request_of({"", "", kMessages, kChat, "tools-many", {}});
  ASSERT_GE(asked["tools"].size(), 10u);
  for (std::size_t i = 0; i < asked["tools"].size(); ++i) {
    json played = asked;
    played["tools"][i]["input_schema"]["properties"]["depth"] = {{"type", "integer"}};
    const std::string told = told_of_schemas(played, asked);
    const auto names = [&](std::size_t tool) {
      return told.find(asked["tools"][tool]["name"].dump()) != told.npos;
    };
    EXPECT_TRUE(names(i)) << told;
    EXPECT_FALSE(names(i == 0 ? 1 : 0)) << told;
    EXPECT_NE(told.find("/properties/depth"), told.npos) << told;
  }
}

TEST(Askers, NumbersOfSchemasCountAsTheDoublesThatTheyAreReadAs) {
  const json asked = request_of({"", "", kMessages, kChat, "tools-schema-numbers", {}});
  const auto told = [&](const char* bound, const json& value) {
    json played = asked;
    played["tools"][0]["input_schema"]["properties"]["n"][bound] = value;
    return told_of_schemas(played, asked);
  };
  EXPECT_EQ(told("maximum", 9007199254740992), "");
  EXPECT_EQ(told("minimum", -9007199254740992), "");
  EXPECT_EQ(told("maximum", 9007199254740992.0), "");
  EXPECT_NE(told("maximum", 9007199254740990), "");
  EXPECT_NE(told("minimum", 0), "");
}

TEST(Askers, ObjectThatIsOpenByDefaultMayBeWrittenEitherWay) {
  const json asked = request_of({"", "", kMessages, kChat, "tools-schema-numbers", {}});
  using Change = std::function<void(json & schema)>;
  const auto told = [&](const Change& client, const Change& upstream) {
    json wanted = asked;
    json played = asked;
    client(wanted["tools"][0]["input_schema"]);
    upstream(played["tools"][0]["input_schema"]);
    return told_of_schemas(played, wanted);
  };
  const Change none = [](json&) {};
  for (const char* at : {"", "/properties/n", "/anyOf/0"}) {
    for (const json& open : {json(true), json::object()}) {
      const Change opens = [&](json& schema) {
        schema[json::json_pointer(at)]["additionalProperties"] = open;
      };
      const Change same = [&](json& schema) { schema[json::json_pointer(at)]["title"] = "x"; };
      const Change both = [&](json& schema) { same(schema), opens(schema); };
      EXPECT_EQ(told(both, same), "") << at;
      EXPECT_EQ(told(same, both), "") << at;
      const Change uses = [&](json& schema) { schema["unevaluatedProperties"] = false; };
      EXPECT_NE(told([&](json& schema) { both(schema), uses(schema); },
                     [&](json& schema) { same(schema), uses(schema); }),
                "");
    }
  }
  EXPECT_NE(told([](json& schema) { schema["additionalProperties"] = false; }, none), "");
  // Here it is the name of a property, or a value.
  EXPECT_NE(told([](json& schema) { schema["properties"]["additionalProperties"] = true; }, none), "");
  EXPECT_NE(told(
                [](json& schema) {
                  schema["default"] = {{"additionalProperties", true}};
                },
                [](json& schema) { schema["default"] = json::object(); }),
            "");
}

// A server-side tool that a translation between protocols drops.
struct LeftOut {
  std::string client;
  std::string upstream;
  std::string request;
  std::string type;  // replaces the type and the place of the last tool
  std::string searches;
  std::set<std::string> found;
};

TEST(Askers, LeavingOutAToolOfTheServerIsFound) {
  for (const auto& [client, upstream, request, type, searches, found] : std::vector<LeftOut>{
           {kMessages, kChat, "server-tool", "web_search_20250305", "left-out", {"REQ-62"}},
           {kMessages, kResponses, "server-tool", "web_search_20250305", "left-out", {"REQ-62"}},
           {kMessages, kResponses, "server-tool", "code_execution_20250825", "left-out", {"REQ-62"}},
           {kResponses, kMessages, "hosted-tool", "code_interpreter", "left-out", {"REQ-62"}},
           {kResponses, kChat, "hosted-tool", "file_search", "left-out", {"REQ-62"}},
           {kResponses, kMessages, "hosted-tool", "web_search", "left-out", {}},
           {kResponses, kMessages, "hosted-tool", "web_search", "kept", {"REQ-63"}},
           {kResponses, kChat, "hosted-tool", "tool_search", "kept", {"REQ-63"}}}) {
    SCOPED_TRACE(client + " to " + upstream + ": " + type);
    json asked = request_of({"", "", client, upstream, request, {}});
    asked["tools"].back()["type"] = type;
    json played = asked;
    played["tools"].erase(played["tools"].size() - 1);
    Profile profile = default_profile();
    profile.knobs["hosted-searches"] = searches;
    EXPECT_EQ(violated_by_playing(played, asked, client, upstream, profile), found);
    EXPECT_EQ(violated_by_playing(played, played, client, upstream, profile), std::set<std::string>());
  }
}

// Sensible changes by some proxies. The played request contains them already, so that the reference makes them.
TEST(Askers, SensibleChangesAreNotBlamed) {
  struct Sensible {
    std::string name;
    std::string upstream;
    std::string request;  // of Anthropic Messages
    std::function<void(json& asked)> asks;
    std::function<void(json& played)> plays;
  };
  const auto text = [](const char* said) { return json{{"type", "text"}, {"text", said}}; };
  const std::vector<Sensible> all = {
      {"keeps a line on billing to itself", kChat, "text-plain",
       [&](json& asked) {
         asked["system"] =
             json::array({text("x-anthropic-billing-header: cc_version=2.1.0;"), text("Be short.")});
       },
       [&](json& played) { played["system"] = json::array({text("Be short.")}); }},
      {"lowers a limit to the model's maximum", kMessages, "text-plain",
       [](json& asked) { asked["max_tokens"] = 64000; }, [](json& played) { played["max_tokens"] = 8192; }},
      {"sends a document as its text", kChat, "text-plain",
       [](json& asked) {
         asked["messages"][0]["content"] = {
             {{"type", "document"},
              {"source", {{"type", "text"}, {"media_type", "text/plain"}, {"data", "Leith: 04:10"}}}},
             {{"type", "text"}, {"text", "When is high tide?"}}};
       },
       [&](json& played) {
         played["messages"][0]["content"] = json::array({text("Leith: 04:10"), text("When is high tide?")});
       }},
      {"forgets what was thought before the last question", kMessages, "thinking-signed",
       [](json& asked) {
         json& all_said = asked["messages"];
         all_said.push_back({{"role", "assistant"}, {"content", "At 04:10."}});
         all_said.push_back({{"role", "user"}, {"content", "And in Oban?"}});
       },
       [](json& played) { played["messages"][1]["content"].erase(0); }}};
  for (const Sensible& one : all) {
    SCOPED_TRACE(one.name);
    json asked = request_of({"", "", kMessages, one.upstream, one.request, {}});
    one.asks(asked);
    json played = asked;
    one.plays(played);
    ASSERT_NE(played, asked);
    EXPECT_EQ(violated_by_playing(played, asked, kMessages, one.upstream, default_profile()),
              std::set<std::string>());
  }
}

// A history with an unanswered call: servers refuse it, so it may be repaired in either way.
TEST(Askers, RepairOfAnUnansweredCallIsNotBlamed) {
  for (const std::string upstream : {kChat, kMessages, kResponses}) {
    for (const std::string client : {kChat, kMessages, kResponses}) {
      if (client == upstream) continue;
      SCOPED_TRACE(client + " to " + upstream);
      const json whole = request_of({"", "", client, upstream, "calls-one", {}});
      json open = whole;  // the result is missing, and the user continues
      json& turns = open[client == kResponses ? "input" : "messages"];
      turns.back() = {{"role", "user"}, {"content", "Never mind."}};
      json closed = whole;
      closed[client == kResponses ? "input" : "messages"].push_back(turns.back());
      EXPECT_EQ(violated_by_playing(closed, open, client, upstream, default_profile()),
                std::set<std::string>());
      json left_out = open;
      json& rest = left_out[client == kResponses ? "input" : "messages"];
      rest.erase(rest.size() - 2);
      EXPECT_EQ(violated_by_playing(left_out, open, client, upstream, default_profile()),
                std::set<std::string>());
    }
  }
}

}  // namespace
}  // namespace splitproof::contract::askers_test
