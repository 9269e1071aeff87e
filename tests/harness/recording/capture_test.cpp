// Finds the stream in captured files: in every complete wrapper, and never a wrapper as a stream.

#include "harness/recording/capture.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <nlohmann/json.hpp>
#include <random>
#include <utility>
#include <vector>

#include "harness/recording/base64.hpp"

namespace splitproof::recording::capture_test {
namespace {

using nlohmann::json;

constexpr const char* kFile = "capture.txt";

/// Returns streams of two protocols, sound and broken.
const std::vector<std::string>& streams() {
  static const std::vector<std::string> kStreams = {
      "event: message_start\ndata: {\"type\":\"message_start\"}\n\nevent: message_stop\ndata: {\"type\":\"message_stop\"}\n\n",
      "data: {\"choices\":[{\"delta\":{\"content\":\"h\\u00e9 \\\"quoted\\\"\"}}]}\n\ndata: [DONE]\n\n",
      ": comment\n\nid: 7\ndata: {\"a\":1}\n\ndata: broken {\n\n",
      "event: ping\ndata: {\"type\":\"ping\"}\n\nevent: error\ndata: {\"type\":\"error\"}\n\n"};
  return kStreams;
}

std::string each_line(const std::string& text, const std::function<std::string(std::string)>& change) {
  std::string made;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    made += change(text.substr(at, end - at)) + "\n";
    at = end + 1;
  }
  return made;
}

struct Wrapper {
  const char* name;
  std::function<std::string(const std::string&, std::mt19937&)> wrap;
};

std::string number(std::mt19937& random) { return std::to_string(random() % 9000 + 1000); }

const std::vector<Wrapper>& wrappers() {
  static const std::vector<Wrapper> kWrappers = {
      {"prefix",
       [](const std::string& text, std::mt19937& random) {
         return each_line(text, [&](const std::string& line) {
           return "2026-09-20T10:00:00." + number(random) + "Z " + line;
         });
       }},
      {"container",
       [](const std::string& text, std::mt19937&) {
         return each_line(text, [](const std::string& line) {
           return line.empty() ? "proxy-1  |" : "proxy-1  | " + line;
         });
       }},
      {"base64", [](const std::string& text, std::mt19937&) { return to_base64(text) + "\n"; }},
      {"string", [](const std::string& text, std::mt19937&) { return json(text).dump() + "\n"; }},
      {"escapes",
       [](const std::string& text, std::mt19937&) {
         const std::string quoted = json(text).dump();
         return quoted.substr(1, quoted.size() - 2) + "\n";
       }},
      {"fence",
       [](const std::string& text, std::mt19937& random) {
         return "Here, attempt " + number(random) + ":\n\n```sse\n" + text + "```\n\nThanks.\n";
       }},
      {"http",
       [](const std::string& text, std::mt19937&) {
         return "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n" + text;
       }},
      {"curl",
       [](const std::string& text, std::mt19937& random) {
         return "* Connected to h port " + number(random) +
                "\n> POST /v1 HTTP/1.1\n>\n< HTTP/1.1 200 OK\n<\n{ [" + number(random) + " bytes data]\n" +
                text + "* Closing connection\n";
       }},
      {"quote",
       [](const std::string& text, std::mt19937&) {
         return "As said:\n\n" + each_line(text, [](const std::string& line) { return "> " + line; }) +
                "\nHm.\n";
       }},
      {"list",
       [](const std::string& text, std::mt19937&) {
         return "1. run:\n\n" +
                each_line("```\n" + text + "```\n", [](const std::string& line) { return "   " + line; });
       }},
      {"chunks",
       [](const std::string& text, std::mt19937&) {
         return each_line(text, [](const std::string& line) {
           return json{{"log", line + "\n"}, {"stream", "stdout"}}.dump();
         });
       }},
      {"strings",
       [](const std::string& text, std::mt19937& random) {
         return each_line(text, [&](const std::string& line) {
           return "INFO:" + number(random) + ":got " + json(line + "\n").dump();
         });
       }},
      {"export",
       [](const std::string& text, std::mt19937&) {
         return json{{"item", {{{"name", "r"}, {"response", {{{"body", text}}}}}}}}.dump();
       }},
      {"command",
       [](const std::string& text, std::mt19937&) {
         return "$ curl -sN http://h/v1 \\\n  -d '{\n}'\n" + text + "$ exit\n";
       }},
      {"source",
       [](const std::string& text, std::mt19937& random) {
         return "A = " + number(random) + "\nSTREAM = r\"\"\"" + text + "\"\"\"\n";
       }},
      {"section",
       [](const std::string& text, std::mt19937&) { return "<log><![CDATA[" + text + "]]></log>\n"; }},
      {"document",
       [](const std::string& text, std::mt19937&) { return "$ cat > x <<'EOF'\n" + text + "EOF\n"; }},
  };
  return kWrappers;
}

TEST(Capture, TakesTheStreamOutOfEveryWrapperAsItWas) {
  std::mt19937 random(7);
  for (const Wrapper& wrapper : wrappers()) {
    for (const std::string& stream : streams()) {
      const auto found = read_capture(kFile, wrapper.wrap(stream, random));
      ASSERT_TRUE(found) << wrapper.name << ": " << describe(found.error());
      EXPECT_NE(found->wrapper, "") << wrapper.name;
      EXPECT_EQ(found->stream.substr(0, stream.size()), stream) << wrapper.name;
      EXPECT_EQ(found->stream.find_first_not_of('\n', stream.size()), std::string::npos) << wrapper.name;
    }
  }
}

TEST(Capture, TakesTheStreamOutOfATextThatWasSavedAfterIt) {
  for (const std::string tail :
       {"\nreal\t0m1.2s\nuser\t0m0.1s\n", "real 1.20\nuser 0.01\n",
        "curl -N h  0.01s user 0.02s system 2% cpu 1.2 total\n", "user@host:~$ \n", "me@Mac ~ % exit\n", "$ ",
        "[root@h x]# ls\na\nb\n", "(env) me@h:/a$ ", "-- \nJohn\nHead of x\n", "exit\n",
        "Script done on 2026-11-01\n", "\"\"\"\n", "'''\n\nassert x(STREAM)\n", "```\n", "`;\n"}) {
    for (const std::string& stream : streams()) {
      const auto found = read_capture(kFile, stream + tail);
      ASSERT_TRUE(found) << tail << describe(found.error());
      EXPECT_NE(found->wrapper, "") << tail;
      EXPECT_EQ(found->stream, stream) << tail;
    }
  }
}

// Text that a server may have sent is part of its stream.
TEST(Capture, LeavesATextAfterTheStreamThatAServerMaySend) {
  for (const std::string tail :
       {"Internal Server Error\n", "{\"error\":\"boom\"}\n",
        "upstream connect error, reset reason: timeout\n", "\"a\"\n", "Connection to upstream lost\n",
        "real data follows\n", "$5 are left\n", "100% done\n", "#\ta\n", "a@b.io: no\n"}) {
    for (const std::string& stream : streams()) {
      const auto found = read_capture(kFile, stream + tail);
      ASSERT_TRUE(found) << tail << describe(found.error());
      EXPECT_EQ(found->wrapper, "") << tail;
      EXPECT_EQ(found->stream, stream + tail) << tail;
    }
  }
}

// The stream in the wrapper, or the wrapper itself, was cut off anywhere.
TEST(Capture, NeverTakesAWrapperForAStream) {
  std::mt19937 random(11);
  for (int i = 0; i < 2000; ++i) {
    const Wrapper& wrapper = wrappers()[random() % wrappers().size()];
    const std::string& stream = streams()[random() % streams().size()];
    std::string inner = stream.substr(0, random() % stream.size() + 1);
    if (!inner.ends_with('\n')) inner += '\n';
    std::string text = wrapper.wrap(inner, random);
    if (random() % 2 == 0) text.resize(random() % text.size() + 1);
    const auto found = read_capture(kFile, text);
    if (!found) {
      EXPECT_NE(found.error().hint, "") << text;
      EXPECT_EQ(found.error().file, kFile);
      continue;
    }
    if (!found->wrapper.empty()) {
      EXPECT_TRUE(stream.starts_with(found->stream.substr(0, found->stream.find_last_not_of('\n') + 1)))
          << wrapper.name << "\n"
          << text << "\n"
          << found->stream;
      continue;
    }
    // If it is accepted unchanged, its lines are a stream's, or it is too short to decide.
    const bool begins_so = text.starts_with("data") || text.starts_with("event") || text.starts_with("id") ||
                           text.starts_with(":") || text.find('\n') >= text.size() - 1 ||
                           std::string(wrapper.name) == "prefix" || std::string(wrapper.name) == "container";
    EXPECT_TRUE(begins_so) << wrapper.name << "\n" << text;
  }
}

TEST(Capture, BrokenStreamIsAStream) {
  for (const std::string& stream : streams()) {
    for (std::size_t size = 1; size <= stream.size(); ++size) {
      const auto found = read_capture(kFile, stream.substr(0, size));
      if (size < 6 && !found) continue;  // too short to decide
      ASSERT_TRUE(found) << describe(found.error()) << "\n" << stream.substr(0, size);
      EXPECT_EQ(found->stream, stream.substr(0, size));
      EXPECT_EQ(found->wrapper, "");
    }
    const std::string torn = "ext\":\"lost\"}\n\n" + stream;
    const auto found = read_capture(kFile, torn);
    ASSERT_TRUE(found) << describe(found.error());
    EXPECT_EQ(found->stream, torn) << "its head was cut off";
  }
}

// A provider sends such a line.
TEST(Capture, StreamWithAnIndentedLineIsNotALog) {
  const std::string stream = " data: {}\n\ndata: {\"a\":1}\n\ndata: [DONE]\n\n";
  const auto found = read_capture(kFile, stream);
  ASSERT_TRUE(found) << describe(found.error());
  EXPECT_EQ(found->stream, stream);
  EXPECT_EQ(found->wrapper, "");
}

TEST(Capture, FileWithoutAStreamIsReportedWithAFix) {
  for (
      const auto& [text, what, hint] : std::vector<std::array<std::string, 3>>{
          {"\x1f\x8b\x08", "is compressed with gzip", "gzip -dc capture.txt > stream.sse"},
          {"\xfd\x37zXZ", "is compressed with xz", "xz -dc capture.txt"},
          {"\x89PNG\r\n", "is a picture", "stream"},
          {"  % Total    % Received % Xferd\n  0     0*   Trying\n> GET /\n< HTTP/1.1 200 OK\n\ndata: {}\n\n",
           "progress meter", "curl -sN"},
          {"Here:\n```sse\ndata: {\"a\":1}\n\ndata: {\"b\"", "breaks off in a fence", "whole stream"},
          {"```\ndata: {\"a\":1}\ndata: {\"b\":2}\n```\n", "stream without blank lines", "blank line"},
          {"<!DOCTYPE html><p>", "is an HTML page", "answered with a page"},
          {"{\"id\":\"a\",\"choices\":[]}", "is one JSON document, not an event stream", "\"stream\": true"},
          {"{\"type\":\"a\"}\n{\"type\":\"b\"}\n", "has JSON, one value a line", "curl"},
          {"data: {\"a\":1}\ndata: {\"b\":2}\n", "no blank line", "sed G capture.txt"},
          {"10:02 data: [DONE]\n10:02 \n10:01 data: {\"a\":1}\n10:01 \n", "newest line first",
           "tac capture.txt"},
          {"10:01 data: {\"a\":\"long te...\n10:01 \n10:02 data: {}\n10:02 \n", "shortens long lines",
           "curl"},
          {"10:01 data: {\"a\":\"x\n10:01 \n10:02 data: {\"b\":\"y\n10:02 \n", "shortens long lines", "curl"},
          {"data: {\"a\":\"1234\n5678\"}\n\ndata: {\"b\":\"1234\n5678\"}\n\n", "wrapped at 16 columns",
           "curl"},
          {"{\"splitproof\":1,\"protocol\":\"p\"}\n{\"at\":0,\"text\":\"\"}\n", "is a recording", "replay"},
          {"\xFF\xFE"
           "d",
           "is UTF-16", "iconv"},
          {"HTTP/1.1 200 OK\r\ncontent-encoding: br\r\n\r\nx", "whose body is compressed", "--compressed"},
          {"x\x9c\x4b", "is compressed with zlib", "zlib.decompress"},
          {std::string("\0\0\0\x7b\0\0\0\x57"
                       "aaaa\x0b",
                       13),
           "not begin with a whole frame of an AWS event stream", "decode capture.txt --as"},
          {std::string("d\0a\0t\0a\0", 8), "is UTF-16", "UTF-16LE"},
          {"\x05\xff\xfe\x01", "is binary", "-15"},
          {R"({"log":{"entries":[{"resp)", "JSON that breaks off", "curl"},
          {"ZGF0YTogeyJhIjoxfQoKZGF0", "base64 that breaks off", "base64 -d capture.txt"},
          {"1 data: {}\n2 \nother\n3 data: {}\n4 \n", "other lines between", "curl"},
          {"1 data: {}\n2 data: {}\n", "stream without blank lines", "blank line"},
          {"A(id='a')\n", "objects that a client library made", "curl"},
          {"I got:\n\ndata: {}\n\n", "begins with a line that is not part of an event stream", "its own"},
          {"data: {}\n\n...\n\n", "parts left out", "curl"},
          {"data: {&quot;a&quot;:1}\n\n", "HTML escapes", "html.unescape"},
          {"data: {\u201Ca\u201D:1}\n\n", "typographic quotes", "sed"},
          {"data:\u00A0{\"a\":1}\n\n", "non-breaking spaces", "sed"},
          {"data: {\"a\":\"=3D b=\nc\"}\n\n", "quoted-printable", "quopri -d capture.txt"},
          {"```\ndata: {&#34;a&#34;:1}\n\n```\n", "HTML escapes", "html.unescape"},
          {"data:text/event-stream;base64,ZGF0YTogeyJhIjoxfQoK", "is a data URI", "urlopen"},
          {"data:text/event-stream,data%3A%20%7B%7D%0A%0A", "is a data URI", "urlopen"},
          {"data: event: a\n\ndata: data: {\"a\":1}\n\n", "inside another data line", "sed -n"},
          {"646174613a207b7d0a0a", "is hexadecimal", "fromhex"},
          {"data%3A%20%7B%7D%0A%0A", "percent-encoding", "unquote"},
          {"\x1b[32mdata: {}\x1b[0m\n\n", "colours of a terminal", "sed"},
          {"\u00EF\u00BB\u00BFdata: {}\n\n", "decoded as Windows-1252", "iconv"},
          {"data: {}\n\n$ curl -N h\ndata: {}\n\n", "prompt of a shell between", "its own"},
          {"<a>data: {}\n\ndata: {}\n\n</a>\n", "begins with a line that is not part of an event stream",
           "its own"},
          {"S = \"\"\"data: {\"a\":\"\\\\n\"}\n\n\"\"\"\n", "may be escapes", "print the string"},
          {"A = `data: {}\n\n`\nB = `data: {}\n\n`\n", "several event streams", "its own"},
          {"A = `data: {}\n\n", "breaks off", "its own"},
          {"x.sse" + std::string(252, '\0') + "ustar", "is a tar archive", "tar -xOf capture.txt"},
          {R"({"model":"m","messages":[]})", "is a request", "--as"},
          {"hello\n", "has no event stream", "curl"}}) {
    const auto found = read_capture(kFile, text);
    ASSERT_FALSE(found) << text;
    EXPECT_NE(found.error().what.find(what), std::string::npos) << describe(found.error());
    EXPECT_NE(found.error().hint.find(hint), std::string::npos) << describe(found.error());
  }
}

}  // namespace
}  // namespace splitproof::recording::capture_test
