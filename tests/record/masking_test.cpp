// Secrets in texts and streams: 20 shapes and more in all places, for any pieces.

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
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

TEST(Masking, LearnsAllHeadersBeforeItMasks) {
  Secrets all{SecretShapes()};
  testee::Headers headers = {{"x-debug", "tide-house-4711"}, {"authorization", "Bearer tide-house-4711"}};
  all.mask_headers(headers);
  EXPECT_EQ(headers[0].value.find("4711"), std::string::npos) << headers[0].value;
  EXPECT_EQ(headers[1].value, "Bearer " + headers[0].value);
  Secrets other{SecretShapes()};
  std::string target = "/v1?x=tide-house-4711";
  other.learn(target, {{"api-key", "tide-house-4711"}});
  other.mask_target(target);
  EXPECT_EQ(target.find("4711"), std::string::npos) << target;
  std::string text = R"({"note":"harbour-4711","password":"harbour-4711"})";
  other.mask_text(text);
  EXPECT_EQ(text.find("harbour"), std::string::npos) << text;
}

TEST(Masking, KeepsKeysOfRequestsAfterManyCookies) {
  Secrets all{SecretShapes()};
  for (int i = 0; i < 1500; ++i) {
    testee::Headers response = {{"set-cookie", "sid=quay-harbour-" + std::to_string(i)}};
    all.mask_headers(response);
  }
  all.learn("/", {{"x-api-key", "tide-house-4711"}});
  for (int i = 0; i < 1500; ++i) {
    testee::Headers response = {{"set-cookie", "sid=pier-harbour-" + std::to_string(i)}};
    all.mask_headers(response);
  }
  std::string text = "tide-house-4711 pier-harbour-1499";
  all.mask_text(text);
  EXPECT_EQ(text.find("tide"), std::string::npos) << text;
  EXPECT_EQ(text.find("pier"), std::string::npos) << text;
}

TEST(Masking, MasksFieldsOfFormsAndMoreNames) {
  for (
      const std::string text :
      {"password=harbour22&user=x",
       "user=x&password=harbourtide",
       "api_key=harbour22&a=1",
       "--b\r\nContent-Disposition: form-data; name=\"api_key\"\r\n\r\nharbour\r\n--b--\r\n",
       "--b\r\nContent-Disposition: form-data; name=\"pwd\"\r\nContent-Type: text/plain\r\n\r\nharbour\r\n--b--\r\n",
       R"({"pwd":"harbour"})",
       R"({"pass":"harbour"})",
       R"({"passcode":"harbour"})",
       R"({"myApiKey":"harbour"})",
       R"({"dbPassword":"harbour"})",
       R"({"password_2":"harbour"})",
       R"({"private_key_pem":"harbour"})",
       R"({"encryption_key":"harbour"})",
       R"({"secretKeyBase":"harbour"})",
       R"({"signing_secret_v2":"harbour"})",
       R"({"api_keys":["x1", "harbour"]})",
       "AccountKey=harbour22harbour",
       "PGPASSWORD=harbour22harbour",
       "export DB_PASSWORD='harbour22harbour'",
       "/v1?Signature=harbour22",
       "/v1?a=1&SIG=harbour22"}) {
    const std::string result = masked(text);
    EXPECT_EQ(result.find("harbour"), std::string::npos) << result;
    EXPECT_EQ(result.size(), text.size());
    EXPECT_EQ(masked(result), result);
  }
  EXPECT_EQ(masked(R"({"password":47114711})").find("711"), std::string::npos);
  EXPECT_TRUE(masked(R"({"password":47114711})").starts_with(R"({"password":4)"));
  EXPECT_EQ(masked(R"({"compass":"north","max_tokens":4096,"is_valid_token":"no"})"),
            R"({"compass":"north","max_tokens":4096,"is_valid_token":"no"})");
}

TEST(Masking, GivesASecretBeforeAFullStopTheSameMask) {
  std::string text = "Set API_KEY=tide-house-4711. Then api_key: tide-house-4711 works.";
  const std::string result = masked(text);
  EXPECT_EQ(result.substr(12, 15), result.substr(43, 15)) << result;
  EXPECT_EQ(result.find("4711"), std::string::npos) << result;
}

TEST(Masking, KnowsItsOwnMasks) {
  for (
      const std::string text :
      {R"({"password":"t\u00e9te-2024"})", R"({"a":"{\"password\":\"t\\u00e9te-2024\"}"})",
       "/v1?password=t%c3%a9te2024",
       R"({"k":"-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkq\nBKcwggSjAgEA\n-----END PRIVATE KEY-----\n"})"}) {
    const std::string result = masked(text);
    EXPECT_NE(result, text);
    for (const EscapedText& reading : readings_of(result))
      EXPECT_TRUE(SecretShapes().find(reading.text()).empty()) << result;
  }
}

TEST(Masking, MasksBase64WithLineEndsAndWithAPrefix) {
  const std::string secret = planted_secrets().front();
  const std::string packed =
      recording::to_base64("{\"note\":\"" + std::string(70, 'a') + " token " + secret + " here\"}");
  std::string lines;
  for (std::size_t at = 0; at < packed.size(); at += 76) lines += packed.substr(at, 76) + "\r\n";
  for (const std::string& text : {lines, "/" + packed, "v1" + packed, "abc" + packed, packed}) {
    const std::string result = masked(text);
    EXPECT_EQ(result.size(), text.size());
    EXPECT_EQ(std::count(result.begin(), result.end(), '\n'), std::count(text.begin(), text.end(), '\n'));
    const auto runs = base64_runs(result);
    EXPECT_TRUE(std::any_of(runs.begin(), runs.end(), [](const Base64Run& run) {
      return run.decoded.find(" token ") != std::string::npos;
    }));
    for (const Base64Run& run : runs) EXPECT_EQ(run.decoded.find(secret), std::string::npos) << text;
  }
}

TEST(Masking, FindsSecretsInPiecesOverEvents) {
  const std::string secret = planted_secrets().front();
  const auto event = [](int choice, const std::string& text) {
    return R"(data: {"id":"c","choices":[{"index":)" + std::to_string(choice) + R"(,"delta":{"content":")" +
           text + "\"}}]}\n\n";
  };
  recording::Recording call;
  call.protocol = "openai.chat";
  const std::string finish =
      "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n";
  for (const int choice : {0, 1}) {
    call.body = event(choice, "my " + secret.substr(0, 9)) + event(1 - choice, "x") + finish +
                event(choice, secret.substr(9) + " ok");
    EXPECT_EQ(secrets_in_answer(call, SecretShapes(), {}).size(), 1u) << call.body;
  }
  call.body = event(0, "my tide-") + event(0, "house-4711");
  EXPECT_TRUE(secrets_in_answer(call, SecretShapes(), {}).empty());
  EXPECT_EQ(secrets_in_answer(call, SecretShapes(), {"tide-house-4711"}).size(), 1u);
  call.protocol = "sse";
  call.body = "data: my " + secret.substr(0, 9) + "\n\ndata: " + secret.substr(9) + "\n\n";
  EXPECT_EQ(secrets_in_answer(call, SecretShapes(), {}).size(), 1u);
}

TEST(Masking, ChecksALastLineThatBreaksOff) {
  const auto path = std::filesystem::temp_directory_path() /
                    ("torn-" + std::to_string(::getpid()) + std::string(recording::kSuffix));
  std::ofstream(path) << R"({"splitproof":1,"protocol":"sse","response":{"status":200,"headers":{}}})"
                      << "\n"
                      << R"({"at":0,"text":"data: a\n\n"})"
                      << "\n"
                      << R"({"at":0,"text":"data: )" << planted_secrets().front();
  const auto found = secrets_in(path.string(), SecretShapes());
  std::filesystem::remove(path);
  ASSERT_TRUE(found) << describe(found.error());
  ASSERT_EQ(found->size(), 1u);
  EXPECT_EQ(found->front().line, 3u);
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
