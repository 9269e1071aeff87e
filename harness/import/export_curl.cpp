#include <fmt/format.h>

#include <array>
#include <cmath>

#include "harness/import/exporter.hpp"
#include "harness/lower_case.hpp"

namespace splitproof::imports {
namespace {

using recording::End;

std::string clock_text(double seconds) {
  constexpr long long kMicroseconds = 1000000;
  constexpr double kDay = 86400;
  const long long all = std::llround(std::fmod(seconds, kDay) * 1e6);
  const long long whole = all / kMicroseconds;
  return fmt::format("{:02}:{:02}:{:02}.{:06}", whole / 3600 % 24, whole / 60 % 60, whole % 60,
                     all % kMicroseconds);
}

/// Writes one block of `curl --trace`.
std::string block_text(double at, std::string_view name, std::string_view bytes) {
  constexpr std::size_t kBytesPerLine = 16;
  std::string text =
      fmt::format("{} {}, {} bytes (0x{:x})\n", clock_text(at), name, bytes.size(), bytes.size());
  for (std::size_t begin = 0; begin < bytes.size(); begin += kBytesPerLine) {
    const std::string_view line = bytes.substr(begin, kBytesPerLine);
    text += fmt::format("{:04x}: ", begin);
    for (const char c : line) text += fmt::format("{:02x} ", static_cast<unsigned char>(c));
    text.append(3 * (kBytesPerLine - line.size()), ' ');
    for (const char c : line) text += c >= ' ' && c < 0x7f ? c : '.';
    text += '\n';
  }
  return text;
}

/// Returns curl's report of an end.
std::string end_text(const recording::Recording& recording) {
  switch (recording.end) {
    case End::complete:
      return "Connection #0 to host localhost left intact";
    case End::closed:
      return "transfer closed with outstanding read data remaining";
    case End::reset:
      return "Recv failure: Connection reset by peer";
    case End::stall:
      return fmt::format("Operation timed out after {:.0f} milliseconds with {} bytes received",
                         recording.ended_at * 1000, recording.body.size());
  }
  return {};
}

/// True for a header about the coding of the body, which the trace has without any.
bool is_about_coding(const std::string& header) {
  const std::string lower = lower_case(header);
  return lower == "content-length" || lower == "transfer-encoding" || lower == "content-encoding";
}

}  // namespace

ExportedRecording write_curl_trace(const recording::Recording& recording) {
  ExportedRecording made;
  const std::string url = url_text(recording);
  const std::size_t host = url.find("://") + 3;
  const std::size_t path = std::min(url.find('/', host), url.size());
  std::string text = clock_text(0) + " == Info: Connected to localhost (127.0.0.1) port 80 (#0)\n";
  const std::string asked = request_text(recording);
  std::string head =
      fmt::format("{} {} HTTP/1.1\r\nHost: {}\r\nContent-Length: {}\r\n", method_text(recording),
                  path == url.size() ? "/" : url.substr(path), url.substr(host, path - host), asked.size());
  for (const auto& [header, value] : request_headers(recording))
    if (!is_about_coding(header) && lower_case(header) != "host") head += header + ": " + value + "\r\n";
  text += block_text(0, "=> Send header", head + "\r\n");
  if (!asked.empty()) text += block_text(0, "=> Send data", asked);
  const double first = recording.arrivals.empty() ? 0 : recording.arrivals.front().at;
  text += block_text(first, "<= Recv header", fmt::format("HTTP/1.1 {} \r\n", recording.status));
  for (const auto& [header, value] : recording.headers) {
    if (is_about_coding(header)) {
      made.lost.push_back("the header " + header);
      continue;
    }
    text += block_text(first, "<= Recv header", header + ": " + value + "\r\n");
  }
  text += block_text(first, "<= Recv header", "\r\n");
  std::size_t begin = 0;
  for (const recording::Arrival& arrival : recording.arrivals) {
    text += block_text(arrival.at, "<= Recv data",
                       std::string_view(recording.body).substr(begin, arrival.end - begin));
    begin = arrival.end;
  }
  text += clock_text(recording.ended_at) + " == Info: " + end_text(recording) + "\n";
  made.files.push_back({"", std::move(text)});
  return made;
}

}  // namespace splitproof::imports
