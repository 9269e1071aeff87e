#include "tests/harness/import/import_files.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace splitproof::imports {

std::string har_entry(const std::string& body, const std::string& url) {
  nlohmann::json entry = {
      {"startedDateTime", "2026-09-20T10:00:00.000Z"},
      {"time", 1500},
      {"request", {{"method", "POST"}, {"url", url}, {"postData", {{"text", "{\"model\":\"m\"}"}}}}},
      {"response", {{"status", 200}, {"content", {{"size", body.size()}, {"text", body}}}}}};
  return entry.dump();
}

std::string har_of(const std::vector<std::string>& entries) {
  return fmt::format("{{\n \"log\": {{\"version\":\"1.2\",\"entries\":[{}]}}}}\n", fmt::join(entries, ",\n"));
}

namespace {

std::string hexadecimal_lines(const std::string& bytes) {
  std::string text;
  for (std::size_t at = 0; at < bytes.size(); at += 16) {
    text += fmt::format("{:04x}: ", at);
    std::string shown;
    for (std::size_t i = 0; i < 16; ++i) {
      const bool has_one = at + i < bytes.size();
      text += has_one ? fmt::format("{:02x} ", static_cast<unsigned char>(bytes[at + i])) : "   ";
      if (has_one) shown += bytes[at + i] >= ' ' && bytes[at + i] < 127 ? bytes[at + i] : '.';
    }
    text += shown + "\n";
  }
  return text;
}

std::string ascii_lines(const std::string& bytes) {
  std::string text;
  for (std::size_t at = 0; at < bytes.size();) {
    text += fmt::format("{:04x}: ", at);
    std::size_t count = 0;
    while (count < 64 && at < bytes.size() && bytes.compare(at, 2, "\r\n") != 0) {
      text += bytes[at] >= ' ' && bytes[at] < 127 ? bytes[at] : '.';
      ++at;
      ++count;
    }
    if (bytes.compare(at, 2, "\r\n") == 0) at += 2;
    text += "\n";
  }
  return text;
}

}  // namespace

std::string trace_of(const std::vector<std::string>& reads, bool is_ascii, const std::string& headers,
                     const std::string& last_info) {
  int count = 0;
  const auto block = [&](const std::string& name, const std::string& bytes) {
    return fmt::format("23:59:59.{}00000 {}, {} bytes (0x{:x})\n", std::min(count++, 9), name, bytes.size(),
                       bytes.size()) +
           (is_ascii ? ascii_lines(bytes) : hexadecimal_lines(bytes));
  };
  std::string text = "23:59:59.000000 == Info:   Trying 127.0.0.1:80...\n";
  text += block("=> Send header", "POST /v1/x?key=1 HTTP/1.1\r\nHost: h.org\r\n\r\n");
  text += block("=> Send data", "{\"model\":\"m\"}");
  text += block("<= Recv header", "HTTP/1.1 200 OK\r\n");
  text += block("<= Recv header", headers + "\r\n");
  for (const std::string& read : reads) text += block("<= Recv data", read);
  if (!last_info.empty()) text += "00:00:01.500000 == Info: " + last_info + "\n";
  return text;
}

std::vector<std::string> in_chunks(const std::string& body, std::size_t size) {
  std::vector<std::string> chunks;
  for (std::size_t at = 0; at < body.size(); at += size) {
    const std::string piece = body.substr(at, size);
    chunks.push_back(fmt::format("{:x}\r\n{}\r\n", piece.size(), piece));
  }
  chunks.push_back("0\r\n\r\n");
  return chunks;
}

}  // namespace splitproof::imports
