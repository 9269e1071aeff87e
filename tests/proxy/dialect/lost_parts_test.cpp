// Answers with a part that a client's protocol lacks never become a success without it, streamed or whole.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "proxy/translator.hpp"

namespace splitproof::proxy::dialect::lost_parts_test {
namespace {

// Translates a body towards a client and returns the whole answer, which is made of the stream.
Answer answer_of(std::string_view upstream, const ClientRow& client, const std::string& body) {
  TranslatorOptions options;
  options.upstream = find_upstream(upstream);
  options.client = &client;
  Translator translator(options);
  std::string out;
  translator.feed(body, out);
  translator.finish(turn::BodyEnd::complete, out);
  return client.whole_answer(out);
}

// Runs a test for each client of another protocol.
template <class Test>
void with_others(std::string_view upstream, const Test& test) {
  for (const ClientRow& client : clients()) {
    if (client.protocol != upstream) test(client);
  }
}

std::string event(const std::string& data) { return "data: " + data + "\n\n"; }

std::string chat(const std::string& delta, const std::string& rest = "") {
  return event(R"({"choices":[{"index":0,"delta":{)" + delta + "}" + rest + "}]}");
}

const std::string kDone = event("[DONE]");
const std::string kStop = chat("", R"(,"finish_reason":"stop")") + kDone;
const std::string kText = R"("content":"Low tide.")";

struct Row {
  std::string alone;
  bool with_text_too;  // It is an error next to text too.
};

// Chat Completions.
TEST(LostParts, PartsOfChat) {
  const std::vector<Row> rows = {
      {R"("images":[{"type":"image_url","image_url":{"url":"data:"}}])", true},
      {R"("audio":{"id":"a","data":"QQ=="})", true},
      {R"("content":[{"type":"tide","text":"a"}])", true},
      {R"("content":[{"type":"image_url","image_url":{"url":"data:"}}])", true},
      {R"("audio_content":"QQ==")", true},
      {R"("tool_calls":[{"index":0,"id":"c","type":"custom","custom":{"name":"f","input":"a"}}])", true},
      {R"("tool_calls":[{"index":0,"id":"c","name":"f","arguments":"{}"}])", true},
      {R"("content":[{"type":"text","text":{"value":"a"}}])", false},
      {R"("tide":{"url":"data:"})", false},
      {R"("tide":"a")", false},
      {R"("content":{"type":"text","text":"a"})", false},
  };
  with_others("openai.chat", [&](const ClientRow& client) {
    EXPECT_EQ(answer_of("openai.chat", client, chat(kText) + kStop).status, 200);
    for (const auto& [alone, with_text_too] : rows) {
      EXPECT_NE(answer_of("openai.chat", client, chat(alone) + kStop).status, 200)
          << client.protocol << alone;
      const int status = answer_of("openai.chat", client, chat(kText) + chat(alone) + kStop).status;
      EXPECT_EQ(status != 200, with_text_too) << client.protocol << alone;
    }
  });
}

TEST(LostParts, MetadataOfChatIsNoContent) {
  for (const char* metadata :
       {R"("annotations":[{"type":"url_citation"}])", R"("provider_metadata":{"a":1})",
        R"("reasoning_details":[{"type":"reasoning.encrypted","data":"x","format":"google"}])"}) {
    with_others("openai.chat", [&](const ClientRow& client) {
      EXPECT_EQ(answer_of("openai.chat", client, chat(metadata) + kStop).status, 200)
          << client.protocol << metadata;
    });
  }
}

TEST(LostParts, ChatStreamWithoutContentOrFinishIsAnError) {
  const std::string role = chat(R"("role":"assistant","content":"")");
  for (const ClientRow& client : clients()) {
    for (const std::string& body :
         {kDone, role + kDone, role + role + kDone, event(R"({"choices":[]})") + kDone})
      EXPECT_NE(answer_of("openai.chat", client, body).status, 200) << client.protocol << body;
  }
  with_others("openai.chat", [&](const ClientRow& client) {
    for (const std::string& body : {role + chat(kText) + kDone, role + kStop})
      EXPECT_EQ(answer_of("openai.chat", client, body).status, 200) << client.protocol << body;
  });
}

TEST(LostParts, BaseRespOfMiniMax) {
  const std::string error =
      R"({"choices":[],"base_resp":{"status_code":1008,"status_msg":"insufficient balance"}})";
  for (const ClientRow& client : clients()) {
    for (const std::string& body :
         {event(error), error, chat(kText) + event(error) + kDone, event(error) + kStop}) {
      const Answer answer = answer_of("openai.chat", client, body);
      EXPECT_NE(answer.status, 200) << client.protocol << body;
      EXPECT_NE(answer.body.find("insufficient balance"), std::string::npos) << client.protocol << body;
    }
  }
}

// Arguments in pieces after a placeholder are the same arguments.
TEST(LostParts, PlaceholderArgumentsInAnyPieces) {
  std::mt19937 random(35);
  const std::string arguments = R"({\"tide\":[1,{},{\"low\":\"{}\"}]})";
  const auto piece = [](const std::string& said, const std::string& head = "") {
    return chat(R"("tool_calls":[{"index":0,)" + head + R"("function":{"name":"f","arguments":")" + said +
                R"("}}])");
  };
  const auto body = [&](bool placeholder) {
    std::string sent = piece(placeholder ? "{}" : "", R"("id":"c",)");
    for (std::size_t begin = 0; begin < arguments.size();) {
      std::size_t size = 1 + random() % 6;
      while (begin + size < arguments.size() && arguments[begin + size - 1] == '\\') ++size;
      sent += piece(arguments.substr(begin, size));
      begin += size;
    }
    return sent + chat("", R"(,"finish_reason":"tool_calls")") + kDone;
  };
  with_others("openai.chat", [&](const ClientRow& client) {
    const Answer wanted = answer_of("openai.chat", client, body(false));
    EXPECT_EQ(wanted.status, 200);
    for (int round = 0; round < 200; ++round)
      ASSERT_EQ(answer_of("openai.chat", client, body(true)).body, wanted.body) << client.protocol;
  });
}

// Responses.
std::string item(const std::string& json) {
  return event(R"({"type":"response.output_item.done","output_index":0,"item":)" + json + "}");
}

std::string responses(const std::string& items, const std::string& output) {
  return event(R"({"type":"response.created","response":{"id":"r","model":"m"}})") + items +
         event(
             R"({"type":"response.completed","response":{"id":"r","model":"m","status":"completed","output":[)" +
             output + "]}}");
}

TEST(LostParts, ItemsOfResponses) {
  const std::vector<Row> rows = {
      {R"({"type":"computer_call","id":"i","call_id":"c","action":{"type":"click"}})", true},
      {R"({"type":"apply_patch_call","id":"i","call_id":"c","operation":{"type":"delete_file"}})", true},
      {R"({"type":"shell_call","id":"i","call_id":"c","action":{"commands":["ls"]}})", true},
      {R"({"type":"local_shell_call","id":"i","call_id":"c","action":{"command":["ls"]}})", true},
      {R"({"type":"mcp_approval_request","id":"i","name":"f","arguments":"{}"})", true},
      {R"({"type":"tool_search_call","id":"i","call_id":"c","execution":"client","arguments":{}})", true},
      {R"({"type":"image_generation_call","id":"i","status":"completed","result":"QQ=="})", true},
      {R"({"type":"image_generation_call","id":"i","status":"failed","result":null})", false},
      {R"({"type":"message","id":"i","content":[{"type":"text","text":"a"}]})", false},
      {R"({"type":"message","id":"i","content":"a"})", false},
      {R"({"type":"tide","id":"i","text":"a"})", false},
      {R"({"type":"message","id":"i","content":[{"type":"output_audio","data":"QQ==","transcript":"a"}]})",
       true},
  };
  const std::string text =
      R"({"type":"message","id":"t","content":[{"type":"output_text","text":"Low tide."}]})";
  with_others("openai.responses", [&](const ClientRow& client) {
    for (const auto& [alone, with_text_too] : rows) {
      for (const std::string& body :
           {responses(item(alone), ""), responses("", alone), responses(item(alone), alone)})
        EXPECT_NE(answer_of("openai.responses", client, body).status, 200) << client.protocol << alone;
      for (const std::string& both : {alone + "," + text, text + "," + alone}) {
        const Answer answer = answer_of("openai.responses", client, responses("", both));
        EXPECT_EQ(answer.status != 200, with_text_too) << client.protocol << alone;
      }
    }
  });
}

TEST(LostParts, OddFormsOfResponses) {
  const std::string created = event(R"({"type":"response.created","response":{"id":"r","model":"m"}})");
  const auto completed = [&](const std::string& members) {
    return created + event(R"({"type":"response.completed","response":{"status":"completed","output":[])" +
                           members + "}}");
  };
  with_others("openai.responses", [&](const ClientRow& client) {
    for (const std::string& body :
         {completed(R"(,"output_text":"a")"), completed(R"(,"error":{"code":"server_error","message":"no"})"),
          responses(event(R"({"type":"response.text.delta","delta":"a"})"), "")})
      EXPECT_NE(answer_of("openai.responses", client, body).status, 200) << client.protocol << body;
    EXPECT_EQ(answer_of("openai.responses", client, completed(R"(,"error":null)")).status, 200);
  });
}

TEST(LostParts, AudioOfResponses) {
  const std::string audio = event(R"({"type":"response.audio.delta","delta":"QQ=="})");
  with_others("openai.responses", [&](const ClientRow& client) {
    EXPECT_NE(answer_of("openai.responses", client, responses(audio, "")).status, 200) << client.protocol;
  });
}

// Anthropic Messages.
TEST(LostParts, DeltaForABlockThatNeverStarted) {
  const std::string start = event(R"({"type":"message_start","message":{"id":"m","model":"m"}})");
  const std::string stop = event(R"({"type":"message_delta","delta":{"stop_reason":"end_turn"}})") +
                           event(R"({"type":"message_stop"})");
  for (const ClientRow& client : clients()) {
    for (const char* delta :
         {R"({"type":"text_delta","text":"a"})", R"({"type":"thinking_delta","thinking":"a"})",
          R"({"type":"input_json_delta","partial_json":"{}"})"}) {
      const std::string stray =
          event(R"({"type":"content_block_delta","index":0,"delta":)" + std::string(delta) + "}");
      EXPECT_NE(answer_of("anthropic.messages", client, start + stray + stop).status, 200)
          << client.protocol << delta;
    }
  }
}

TEST(LostParts, BlocksAndDeltasOfUnknownKinds) {
  const auto body = [](const std::string& block, const std::string& delta) {
    return event(R"({"type":"message_start","message":{"id":"m","model":"m"}})") +
           event(R"({"type":"content_block_start","index":0,"content_block":)" + block + "}") +
           event(R"({"type":"content_block_delta","index":0,"delta":)" + delta + "}") +
           event(R"({"type":"content_block_stop","index":0})") +
           event(R"({"type":"message_delta","delta":{"stop_reason":"end_turn"}})") +
           event(R"({"type":"message_stop"})");
  };
  const std::string text_block = R"({"type":"text","text":""})";
  const std::string text_delta = R"({"type":"text_delta","text":"a"})";
  const std::string sealed = R"({"type":"redacted_thinking","data":"x"})";
  with_others("anthropic.messages", [&](const ClientRow& client) {
    for (const std::string& good : {body(text_block, text_delta), body(sealed, "{}")})
      EXPECT_EQ(answer_of("anthropic.messages", client, good).status, 200) << client.protocol << good;
    for (const std::string& odd :
         {body(R"({"type":"image","source":{"data":"QQ=="}})", "{}"), body("{}", text_delta),
          body(text_block, R"({"type":"tide_delta","text":"a"})"),
          body(text_block, R"({"type":"thinking_delta","thinking":"a"})")})
      EXPECT_NE(answer_of("anthropic.messages", client, odd).status, 200) << client.protocol << odd;
  });
}

// Ollama.
TEST(LostParts, OddFormsOfOllama) {
  const std::string end = R"({"model":"m","message":{"role":"assistant","content":""},"done":true})";
  for (const ClientRow& client : clients()) {
    const char* odd = R"({"model":"m","message":{"content":[{"type":"text","text":"a"}]},"done":false})";
    EXPECT_NE(answer_of("ollama.chat", client, odd + ("\n" + end) + "\n").status, 200) << client.protocol;
    EXPECT_EQ(answer_of("ollama.chat", client, end + "\n").status, 200) << client.protocol;
  }
}

TEST(LostParts, OllamaStreamOfOnlyImagesIsAnError) {
  const std::string image =
      R"({"model":"m","message":{"role":"assistant","content":"","images":["QQ=="]},"done":false})";
  const std::string end =
      R"({"model":"m","message":{"role":"assistant","content":""},"done":true,"done_reason":"stop"})";
  for (const ClientRow& client : clients())
    EXPECT_NE(answer_of("ollama.chat", client, image + "\n" + end + "\n").status, 200) << client.protocol;
}

}  // namespace
}  // namespace splitproof::proxy::dialect::lost_parts_test
