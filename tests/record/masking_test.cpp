// Secrets in texts and streams: 20 shapes and more in all places, for any pieces.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "harness/aws_frame.hpp"
#include "harness/dialect/registry.hpp"
#include "harness/record/masked_body.hpp"
#include "harness/record/secret_check.hpp"
#include "harness/record/secrets.hpp"
#include "harness/recording/base64.hpp"
#include "harness/recording/corpus.hpp"
#include "tests/record/planted_secrets.hpp"

namespace splitproof::record::masking_test {
namespace {

std::string masked(const std::string& text) {
  Secrets all{SecretShapes()};
  std::string copy = text;
  all.mask_text(copy);
  return copy;
}

bool same_classes(const std::string& a, const std::string& b) {
  const auto kind = [](unsigned char c) {
    return 'a' <= c && c <= 'z'   ? 'a'
           : 'A' <= c && c <= 'Z' ? 'A'
           : '0' <= c && c <= '9' ? '0'
           : c < 0x80             ? char(c)
                                  : 'x';
  };
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (kind(a[i]) != kind(b[i])) return false;
  return true;
}

// Ways in which a text may have a secret.
std::vector<std::string> texts_with(const std::string& secret) {
  std::string escaped;
  std::string percent;
  for (const char c : secret) {
    std::array<char, 8> code{};
    std::snprintf(code.data(), code.size(), "\\u%04x", static_cast<unsigned>(c));
    escaped += code.data();
    std::snprintf(code.data(), code.size(), "%%%02X", static_cast<unsigned>(c));
    percent += code.data();
  }
  return {
      "The key is " + secret + ".",
      R"({"messages":[{"role":"user","content":"use )" + secret + R"( please"}]})",
      R"({"content":")" + escaped + "\"}",
      R"({"arguments":"{\"key\":\")" + secret + R"(\"}"})",
      R"({"arguments":"{\"text\":\"a\\nb )" + secret + R"(\"}"})",
      "https://example.com/v1?key=" + percent + "&alt=sse",
      "curl -H 'Authorization: Bearer " + secret + "'",
      R"({"data":")" + recording::to_base64("{\"token\":\"" + secret + "\"}") + "\"}",
      R"({"data":")" + recording::to_base64("x " + recording::to_base64("ab " + secret + " cd")) + "\"}",
  };
}

TEST(Masking, MasksEveryShapeInEveryPlace) {
  ASSERT_GE(planted_secrets().size(), 20u);
  for (const std::string& secret : planted_secrets()) {
    for (const std::string& text : texts_with(secret)) {
      const std::string result = masked(text);
      EXPECT_EQ(result.size(), text.size());
      EXPECT_NE(result, text);
      std::vector<std::string> seen{result};
      for (const EscapedText& reading : readings_of(result)) seen.push_back(reading.text());
      for (std::size_t i = 0; i < seen.size(); ++i) {
        EXPECT_EQ(seen[i].find(secret), std::string::npos) << text << "\n" << result;
        if (i < 20)
          for (const Base64Run& run : base64_runs(std::string(seen[i]))) seen.push_back(run.decoded);
      }
      EXPECT_EQ(masked(result), result) << "a mask is masked again";
    }
  }
}

TEST(Masking, KeepsLengthAndClassOfEachCharacter) {
  for (const std::string& secret : planted_secrets()) {
    const std::string text = "a " + secret + " b";
    EXPECT_TRUE(same_classes(masked(text), text)) << masked(text);
  }
}

TEST(Masking, MasksEqualSecretsEquallyAndOthersDifferently) {
  Secrets all{SecretShapes()};
  const std::string key = planted_secrets().front();
  std::string first = "in text: " + key;
  std::string second = R"({"api_key":")" + key + "\"}";
  std::string other = "in text: " + key.substr(0, key.size() - 1) + (key.back() == 'a' ? "b" : "a");
  for (std::string* text : {&first, &second, &other}) all.mask_text(*text);
  EXPECT_EQ(first.substr(9), second.substr(12, key.size()));
  EXPECT_NE(first.substr(9, key.size() - 1), other.substr(9, key.size() - 1));
}

TEST(Masking, MasksValuesOfSecretNamesWhereverTheyOccur) {
  Secrets all{SecretShapes()};
  testee::Headers headers = {{"X-Api-Key", "tide-house-4711"},
                             {"Cookie", "sid=harbour99; theme=dark12345"},
                             {"Set-Cookie", "sid=harbour99; Path=/; HttpOnly"},
                             {"Authorization", "Bearer plain-0-key"},
                             {"x-ratelimit-remaining-tokens", "4711"},
                             {"content-type", "text/event-stream"}};
  all.mask_headers(headers);
  EXPECT_EQ(headers[0].value.find("4711"), std::string::npos);
  EXPECT_TRUE(headers[1].value.starts_with("sid=") && headers[1].value.find("; theme=") != std::string::npos);
  EXPECT_EQ(headers[1].value.substr(4, 9), headers[2].value.substr(4, 9));
  EXPECT_TRUE(headers[2].value.ends_with("; Path=/; HttpOnly")) << headers[2].value;
  EXPECT_TRUE(headers[3].value.starts_with("Bearer ") && headers[3].value.find("plain") == std::string::npos);
  EXPECT_EQ(headers[4].value, "4711");
  EXPECT_EQ(headers[5].value, "text/event-stream");
  std::string error = R"({"error":{"message":"Incorrect API key provided: tide-house-4711"}})";
  const std::string before = error;
  all.mask_text(error);
  EXPECT_EQ(error.find("tide-house"), std::string::npos);
  EXPECT_EQ(error.size(), before.size());
  std::string target = "/v1beta/models/m:streamGenerateContent?alt=sse&key=quay%2D12&x=1";
  all.mask_target(target);
  EXPECT_TRUE(target.starts_with("/v1beta/models/m:streamGenerateContent?alt=sse&key=")) << target;
  EXPECT_TRUE(target.ends_with("&x=1")) << target;
  EXPECT_EQ(target.find("quay"), std::string::npos) << target;
}

TEST(Masking, KeepsJsonValid) {
  for (const std::string value :
       {R"(pass\nword\"1234)", R"(\u00e9t\u00e9-2024)", R"(\ud83d\ude00key12)", "p\xC3\xA4sse12"}) {
    const std::string text = R"({"password":")" + value + "\"}";
    const std::string result = masked(text);
    EXPECT_NE(result, text);
    EXPECT_EQ(result.size(), text.size());
    const auto plain = EscapedText(result).without_json_escapes();
    EXPECT_EQ(result.find("1234"), std::string::npos);
    EXPECT_EQ(std::count(result.begin(), result.end(), '\\'), std::count(text.begin(), text.end(), '\\'))
        << result;
  }
}

TEST(Masking, DoesNotDependOnThePieces) {
  Secrets all{SecretShapes()};
  for (const std::string& secret : planted_secrets()) {
    const std::string body =
        "data: {\"a\":\"x\"}\n\ndata: {\"b\":\"my " + secret + " here\"}\n\ndata: [DONE]\n\n";
    std::string whole = body;
    all.mask_text(whole);
    ASSERT_EQ(whole.find(secret), std::string::npos);
    for (std::size_t cut = 0; cut <= body.size(); ++cut) {
      MaskedBody pieces(Framing::sse, all);
      std::string result = pieces.take(body.substr(0, cut));
      EXPECT_LE(result.size(), cut);
      result += pieces.take(body.substr(cut));
      result += pieces.finish();
      ASSERT_EQ(result, whole) << cut;
    }
    MaskedBody bytes(Framing::sse, all);
    std::string result;
    for (const char c : body) result += bytes.take({&c, 1});
    EXPECT_EQ(result + bytes.finish(), whole);
  }
}

TEST(Masking, MasksPrivateKeysOverSeveralLines) {
  const std::string key =
      "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC\nBKcwggSjAgEAAoIBAQC7\n-----END PRIVATE KEY-----\n";
  for (std::size_t cut = 0; cut < key.size(); ++cut) {
    Secrets all{SecretShapes()};
    MaskedBody body(Framing::sse, all);
    std::string result = body.take("before\n" + key.substr(0, cut));
    result += body.take(key.substr(cut) + "after\n");
    result += body.finish();
    EXPECT_EQ(result.size(), key.size() + 13);
    EXPECT_EQ(result.find("MIIEv"), std::string::npos) << cut;
    EXPECT_EQ(result.find("BKcwgg"), std::string::npos) << cut;
    EXPECT_TRUE(result.ends_with("-----END PRIVATE KEY-----\nafter\n")) << result;
  }
}

TEST(Masking, CorrectsTheChecksumsOfFrames) {
  const std::string secret = planted_secrets().front();
  const std::vector<AwsHeader> headers = {{":event-type", kAwsText, "chunk"}};
  const std::string frames =
      write_aws_frame(headers, R"({"bytes":")" + recording::to_base64("{\"t\":\"" + secret + "\"}") + "\"}") +
      write_aws_frame(headers, R"({"p":"plain"})");
  for (std::size_t cut = 0; cut < frames.size(); ++cut) {
    Secrets all{SecretShapes()};
    MaskedBody body(Framing::aws_frames, all);
    std::string result = body.take(frames.substr(0, cut));
    result += body.take(frames.substr(cut));
    result += body.finish();
    ASSERT_EQ(result.size(), frames.size());
    const std::size_t first = read_aws_prelude(result).size;
    EXPECT_EQ(read_aws_frame(std::string_view(result).substr(0, first)).fault, "");
    EXPECT_EQ(result.substr(first), frames.substr(first));
    const auto runs = base64_runs(result);
    ASSERT_FALSE(runs.empty());
    EXPECT_EQ(runs.front().decoded.find(secret), std::string::npos);
    EXPECT_TRUE(runs.front().decoded.starts_with("{\"t\":\"")) << runs.front().decoded;
  }
}

TEST(Masking, MasksMatchesOfTheUser) {
  SecretShapes shapes;
  ASSERT_TRUE(shapes.add("acme-[0-9]{4}"));
  ASSERT_TRUE(shapes.add("customer=([a-z]+)"));
  EXPECT_FALSE(shapes.add("("));
  EXPECT_FALSE(shapes.add("a*"));
  Secrets all(shapes);
  std::string text = "acme-1234 customer=harbour acme-99";
  all.mask_text(text);
  EXPECT_EQ(text.find("acme-1234"), std::string::npos);
  EXPECT_EQ(text.find("harbour"), std::string::npos);
  EXPECT_NE(text.find("customer="), std::string::npos);
  EXPECT_TRUE(text.ends_with(" acme-99"));
}

TEST(Masking, ChangesNothingInTheCorpus) {
  const char* root = std::getenv("SPLITPROOF_SOURCE_ROOT");
  std::vector<std::string> folders{(std::filesystem::path(root) / "corpus").string()};
  const auto corpus = recording::load_corpus(folders);
  ASSERT_GT(corpus.recordings.size(), 300u);
  for (const recording::Recording& recording : corpus.recordings) {
    Secrets all{SecretShapes()};
    MaskedBody body(dialect::format_of(recording.protocol).framing, all);
    std::string result = body.take(recording.body);
    result += body.finish();
    EXPECT_EQ(result, recording.body) << recording.id;
    const auto found = secrets_in(recording.path, SecretShapes());
    ASSERT_TRUE(found);
    EXPECT_TRUE(found->empty()) << recording.id << ": " << found->front().kind << " "
                                << found->front().beginning;
  }
}

}  // namespace
}  // namespace splitproof::record::masking_test
