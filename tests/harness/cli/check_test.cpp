#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/harness/cli/process.hpp"

namespace splitproof::cli::check_test {
namespace {

using nlohmann::ordered_json;

std::string example(const std::string& name) {
  return (source_root() / "contracts/falsifiers" / (name + ".sse")).string();
}

TEST(Check, LastLineIsTheVerdictAndTheCodeAgrees) {
  const Finished good = splitproof({"check", example("plain-text")});
  EXPECT_EQ(good.code, 0);
  EXPECT_EQ(lines_of(good.out).size(), 1u);
  EXPECT_TRUE(good.out.starts_with("splitproof: CONFORMS  1 stream, ")) << good.out;
  EXPECT_EQ(good.err, "");

  const Finished bad = splitproof({"check", example("plain-text"), example("ant-05-started-twice")});
  EXPECT_EQ(bad.code, 1);
  EXPECT_NE(bad.out.find("ant-05-started-twice.sse: ANT-05 must: "), std::string::npos) << bad.out;
  EXPECT_EQ(bad.out.find("plain-text.sse"), std::string::npos);
  EXPECT_TRUE(last_line(bad.out).starts_with("splitproof: VIOLATES  2 streams, ")) << bad.out;
}

TEST(Check, JsonLinesHaveTheKeysThatScriptsRelyOn) {
  const Finished finished =
      splitproof({"check", "--json", example("ant-05-started-twice"), example("ant-01-never-started")});
  EXPECT_EQ(finished.code, 1);
  EXPECT_TRUE(last_line(finished.err).starts_with("splitproof: VIOLATES  2 streams, ")) << finished.err;
  const auto lines = lines_of(finished.out);
  EXPECT_GE(lines.size(), 3u);
  for (const std::string& line : lines) {
    const auto finding = ordered_json::parse(line);
    std::vector<std::string> keys;
    for (const auto& [key, value] : finding.items()) keys.push_back(key);
    EXPECT_EQ(keys,
              (std::vector<std::string>{"file", "obligation", "level", "event", "bytes", "line", "message"}))
        << line;
    EXPECT_TRUE(finding["event"].is_number_unsigned() || finding["event"].is_null());
    EXPECT_LE(finding["bytes"].at(0), finding["bytes"].at(1));
  }
}

TEST(Check, ReadsStandardInput) {
  const Finished finished =
      splitproof({"check", "-"}, {"event: ping\ndata: {\"type\":\"ping\"}\n\n", {}, {}});
  EXPECT_EQ(finished.code, 1);
  EXPECT_NE(finished.out.find("-: ANT-01 must"), std::string::npos) << finished.out;
}

TEST(Check, FileThatCannotBeJudgedDoesNotStopTheOthers) {
  const Finished finished = splitproof({"check", "/none.sse", example("plain-text")});
  EXPECT_EQ(finished.code, 2);
  EXPECT_NE(finished.err.find("/none.sse"), std::string::npos);
  EXPECT_TRUE(finished.out.starts_with("splitproof: VIOLATES  1 stream, ")) << finished.out;
}

TEST(Check, StreamWithoutAnyJudgedRuleDoesNotConform) {
  const Finished finished =
      splitproof({"check", "--as", "sse", "-"}, {": nothing but a comment\n\n", {}, {}});
  EXPECT_EQ(finished.code, 1);
  EXPECT_NE(last_line(finished.out).find("no rule judged in 1 stream"), std::string::npos) << finished.out;
}

TEST(Check, SeveralResponsesAreJudgedEachForItself) {
  const Folder folder;
  const std::string one = run_program({"/bin/cat", example("plain-text")}).out;
  const std::string two = folder.put("two.sse", one + one);
  const Finished whole = splitproof({"check", two});
  EXPECT_EQ(whole.code, 1);
  EXPECT_NE(whole.err.find("two.sse seems to hold 2 responses; add --several to judge"), std::string::npos)
      << whole.err;
  const Finished several = splitproof({"check", "--several", two});
  EXPECT_EQ(several.code, 0) << several.out;
  EXPECT_EQ(several.err, "");
  EXPECT_TRUE(several.out.starts_with("splitproof: CONFORMS  2 streams, ")) << several.out;
}

TEST(Check, ResponseThatEndsTwiceIsOneResponse) {
  const Folder folder;
  const std::string one = run_program({"/bin/cat", example("responses-text")}).out;
  const std::string error =
      "event: error\ndata: {\"type\":\"error\",\"code\":\"server_error\",\"message\":\"m\",\"param\":null,"
      "\"sequence_number\":99}\n\n";
  const Finished twice = splitproof({"check", folder.put("error.sse", one + error)});
  EXPECT_EQ(twice.code, 1) << twice.out;
  EXPECT_EQ(twice.err.find("--several"), std::string::npos) << twice.err;
  const std::string chat = run_program({"/bin/cat", example("chat-text")}).out;
  const std::string tail = chat.substr(chat.rfind("data: {"));
  const Finished goes_on = splitproof({"check", folder.put("chat.sse", chat + tail)});
  EXPECT_EQ(goes_on.code, 1) << goes_on.out;
  EXPECT_EQ(goes_on.err.find("--several"), std::string::npos) << goes_on.err;
}

TEST(Decode, ReadsEventsAsTheStandardDoes) {
  const Folder folder;
  const std::string head =
      "id: 7\r\nretry: 1500\r\nevent: greet\r\ndata: one\r\ndata:  two\r\n: passed over\r\n\r\n";
  const std::string file = folder.put("x.sse", head + "data: three\r\n\r\ndata: lost");
  const Finished finished = splitproof({"decode", file});
  EXPECT_EQ(finished.code, 0);
  const auto lines = lines_of(finished.out);
  ASSERT_EQ(lines.size(), 2u) << finished.out;
  EXPECT_EQ(lines[0], R"({"event":"greet","data":"one\n two","id":"7","bytes":[0,)" +
                          std::to_string(head.size()) + R"(],"retry":1500})");
  const std::string end = std::to_string(head.size() + 15);
  EXPECT_EQ(lines[1], R"({"event":"message","data":"three","id":"7","bytes":[)" +
                          std::to_string(head.size()) + "," + end + "]}");
  EXPECT_NE(finished.err.find(file), std::string::npos) << "what no blank line ended is told";
}

TEST(Decode, UnreadableFrameIsAnError) {
  const Folder folder;
  const std::string file = folder.put("x.bin", std::string("\0\0\0\x10\0\0\0\0\0\0\0\0\0\0\0\0", 16));
  const Finished finished = splitproof({"decode", "--as", "kiro.eventstream", file});
  EXPECT_EQ(finished.code, 2);
  EXPECT_NE(finished.err.find(file + ": bytes 0-12: the CRC"), std::string::npos) << finished.err;
}

TEST(Decode, FirstFrameDecidesTheFormat) {
  const Folder folder;
  const auto decoded = [&](const std::string& bytes, const std::vector<std::string>& as = {}) {
    std::vector<std::string> words = {"decode", folder.put("x.bin", bytes)};
    words.insert(words.end(), as.begin(), as.end());
    return splitproof(words);
  };
  // A frame with the header `:event-type`, `chunk`, and a frame without a header.
  const std::string first(
      "\x00\x00\x00\x34\x00\x00\x00\x14\x2B\x59\x15\x52\x0B\x3A\x65\x76\x65\x6E\x74\x2D\x74\x79\x70\x65"
      "\x07\x00\x05\x63\x68\x75\x6E\x6B\x7B\x22\x62\x79\x74\x65\x73\x22\x3A\x22\x65\x33\x30\x3D\x22\x7D"
      "\x57\x6E\x3E\x41",
      52);
  const std::string body =
      first + std::string("\x00\x00\x00\x12\x00\x00\x00\x00\x7F\x02\x1B\x8B\x7B\x7D\x2F\x92\x61\xFA", 18);
  const Finished whole = decoded(body);
  EXPECT_EQ(whole.code, 0) << whole.err;
  EXPECT_EQ(whole.err, "");
  EXPECT_EQ(lines_of(whole.out).size(), 2U) << whole.out;
  EXPECT_EQ(whole.out, decoded(body, {"--as", "kiro.eventstream"}).out);
  EXPECT_EQ(whole.out.find("invalid-utf8"), std::string::npos);
  // Any damage is an error, and never an invented event.
  for (std::size_t size = 1; size < body.size(); ++size) {
    const Finished cut = decoded(body.substr(0, size));
    EXPECT_EQ(cut.code, size == first.size() ? 0 : 2) << size << cut.out;
    EXPECT_EQ(lines_of(cut.out).size(), size < first.size() ? 0U : 1U) << size;
  }
  for (std::size_t at = 0; at < body.size(); ++at) {
    std::string wrong = body;
    wrong[at] = static_cast<char>(wrong[at] ^ 0x41);
    EXPECT_EQ(decoded(wrong).code, 2) << at;
  }
  const Finished torn = decoded(body.substr(0, 7));
  EXPECT_NE(torn.err.find("x.bin: is not text"), std::string::npos) << torn.err;
  EXPECT_NE(torn.err.find("--as PROTOCOL"), std::string::npos) << torn.err;
  const Finished as_text = decoded(body, {"--as", "sse"});
  EXPECT_EQ(as_text.code, 2);
  EXPECT_NE(as_text.err.find("x.bin: is an AWS event stream"), std::string::npos) << as_text.err;
  EXPECT_EQ(decoded("data: a\n\n").code, 0);
  const Finished empty = decoded("");
  EXPECT_EQ(empty.code, 2);
  EXPECT_NE(empty.err.find("x.bin: is empty, so it has no stream"), std::string::npos) << empty.err;
}

TEST(Check, UnusablePartsOfACapturedRequestAreReported) {
  const Folder folder;
  const std::string body = R"("body":{"model":"m","messages":[{"role":"user","content":"y"}]})";
  const auto said = [&](const std::string& json) {
    const Finished finished =
        splitproof({"check", "--as", "openai.chat.upstream", folder.put("x.json", json)});
    EXPECT_EQ(finished.code, 2) << json << finished.out;
    return finished.err;
  };
  EXPECT_NE(said(R"({"client":"x",)" + body + "}").find("client is not an object"), std::string::npos);
  EXPECT_NE(said(R"({"client":{"protocol":"gemini","body":{}},)" + body + "}").find("\"gemini\""),
            std::string::npos);
  EXPECT_NE(said(R"({"client":{"protocol":"openai.chat"},)" + body + "}").find("client/body"),
            std::string::npos);
  EXPECT_NE(said(R"({"client":{"protocol":"openai.chat","body":"{"},)" + body + "}").find("client/body"),
            std::string::npos);
  EXPECT_NE(said(R"({"path":"/v1/chat/completions","answered":5,)" + body + "}").find("answered"),
            std::string::npos);
  EXPECT_NE(said(R"({"method":5,)" + body + "}").find("method is not a string"), std::string::npos);
  EXPECT_NE(said(R"({"path":7,)" + body + "}").find("path is not a string"), std::string::npos);
  EXPECT_NE(said(R"({"headers":"x",)" + body + "}").find("headers is neither"), std::string::npos);
  EXPECT_NE(said(R"({"files":[]})").find("neither the body of a request"), std::string::npos);
  EXPECT_NE(said(R"({"method":"POST","path":"/v1/chat/completions"})").find("neither the body"),
            std::string::npos);
}

TEST(Check, ReadsAClientsRequestThatIsText) {
  const Folder folder;
  const auto code = [&](const std::string& asked) {
    return splitproof(
               {"check", "--as", "openai.chat.upstream",
                folder.put(
                    "x.json",
                    R"({"client":{"protocol":"openai.chat","body":"{\"model\":\"m\",\"stream\":true,)"
                    R"(\"messages\":[{\"role\":\"user\",\"content\":\")" +
                        asked +
                        R"(\"}]}"},"body":{"model":"m","stream":true,"stream_options":{"include_usage":true},)"
                        R"("messages":[{"role":"user","content":"y"}]}})")})
        .code;
  };
  EXPECT_EQ(code("y"), 0);
  EXPECT_EQ(code("x"), 1);
}

}  // namespace
}  // namespace splitproof::cli::check_test
