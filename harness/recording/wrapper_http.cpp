#include <algorithm>
#include <charconv>

#include "harness/lower_case.hpp"
#include "harness/recording/stream_lines.hpp"
#include "harness/recording/wrappers.hpp"

namespace splitproof::recording {
namespace {

constexpr const char* kHttp = "an HTTP response";
constexpr const char* kCurlLog = "the log of curl -v";

// Returns the value of a header in a lower-case head, or "".
std::string header_in(const std::string& head, const std::string& name) {
  const std::size_t at = head.find("\n" + name + ":");
  if (at == std::string::npos) return {};
  const std::size_t begin = head.find_first_not_of(" \t", at + name.size() + 2);
  const std::size_t end = std::min(head.find_first_of("\r\n", begin), head.size());
  return begin < end ? head.substr(begin, end - begin) : std::string();
}

struct DechunkedBody {
  std::string body;
  bool whole = false;  // it has the last chunk
};

// Reads a body in the chunks of HTTP/1.1; nullopt if it does not begin with one.
std::optional<DechunkedBody> read_chunks(std::string_view rest) {
  DechunkedBody found;
  for (bool any = false;; any = true) {
    std::size_t size = 0;
    const auto [end, failed] = std::from_chars(rest.data(), rest.data() + rest.size(), size, 16);
    const std::size_t begin = rest.find('\n');
    if (failed != std::errc() || begin == std::string_view::npos)
      return any ? std::optional(found) : std::nullopt;
    if (*end != '\r' && *end != '\n' && *end != ';') return std::nullopt;
    found.whole = size == 0;
    if (found.whole) return found;
    rest.remove_prefix(begin + 1);
    found.body += rest.substr(0, size);
    if (rest.size() <= size) return found;
    rest.remove_prefix(size);
    rest = rest.substr(rest.starts_with("\r\n") ? 2 : rest.starts_with('\n') ? 1 : 0);
  }
}

bool is_curl_line(std::string_view line) {
  return line == "*" || line.starts_with("* ") || line == ">" || line.starts_with("> ") || line == "<" ||
         line.starts_with("< ") ||
         ((line.starts_with("{ [") || line.starts_with("} [")) && line.ends_with("]"));
}

// Returns the offset of curl's note that the response is over, or npos. The note may follow the end of a body
// on its line.
std::size_t closing_note(std::string_view line) {
  for (const std::string_view note : {"* Connection #", "* Closing connection", "* transfer closed"})
    if (const std::size_t at = line.rfind(note); at != std::string_view::npos) return at;
  return std::string_view::npos;
}

// Returns the length of the prompt before a client's name at the start of a line, or npos without a client.
std::size_t prompt_before_client(std::string_view line) {
  constexpr std::size_t kLongestPrompt = 80;
  for (const std::string_view client : {"curl ", "curl.exe ", "http ", "https ", "xh ", "wget ", "nc "}) {
    const std::size_t at = line.find(client);
    if (at > kLongestPrompt) continue;
    if (at == 0) return at;
    const std::string_view before = line.substr(0, at);
    if (before.ends_with("$ ") || before.ends_with("% ") || before.ends_with("# ") || before.ends_with("> "))
      return at;
  }
  return std::string_view::npos;
}

// Returns the number of lines of a command: a backslash or an open quote continues it.
std::size_t lines_of_command(const std::vector<std::string_view>& lines, std::size_t begin) {
  char quote = '\0';
  for (std::size_t i = begin; i < lines.size(); ++i) {
    bool carried = false;
    for (std::size_t at = 0; at < lines[i].size(); ++at) {
      const char c = lines[i][at];
      if (c == '\\' && quote != '\'') {
        carried = at + 1 == lines[i].size();
        ++at;
      } else if (quote != '\0') {
        quote = c == quote ? '\0' : quote;
      } else if (c == '\'' || c == '"') {
        quote = c;
      }
    }
    if (quote == '\0' && !carried) return i + 1 - begin;
  }
  return lines.size() - begin;
}

// Returns a body without text that was saved after it.
std::string_view without_tail(const CapturedFile& file, std::string_view body) {
  const auto tail = tail_of(CapturedFile(file.name, body));
  return tail ? body.substr(0, tail->begin) : body;
}

bool is_curl_failure(std::string_view line) {
  return line.starts_with("curl: (") && line.find(')') != std::string_view::npos;
}

}  // namespace

Found http_response(const CapturedFile& file) {
  if (!file.first.starts_with("HTTP/")) return std::nullopt;
  std::string_view rest = without_head(file.text);
  std::string head;
  // Interim answers of status 100, and answers of proxies, come first.
  while (rest.starts_with("HTTP/")) {
    const std::size_t end = std::min({rest.find("\r\n\r\n"), rest.find("\n\n"), rest.size()});
    head = lower_case(std::string(rest.substr(0, end)));
    rest.remove_prefix(end);
    rest = without_head(rest);
  }
  const std::string encoding = header_in(head, "content-encoding");
  if (!encoding.empty() && encoding != "identity" && !begins_stream(rest)) {
    return file.refuse("is an HTTP response whose body is compressed",
                       "capture it with curl --compressed -sN URL > FILE");
  }
  if (!begins_stream(rest)) {
    if (const auto chunked = read_chunks(rest)) {
      if (!chunked->whole)
        return file.refuse("is an HTTP response whose last chunk is missing: the capture is cut",
                           kCaptureRawBody);
      return file.take_bytes(chunked->body, "an HTTP response in chunks");
    }
  }
  std::size_t length = 0;
  const std::string stated = header_in(head, "content-length");
  std::from_chars(stated.data(), stated.data() + stated.size(), length);
  if (begins_stream(rest) && rest.size() < length && encoding.empty()) {
    return file.refuse("is an HTTP response with " + std::to_string(rest.size()) + " of the " +
                           std::to_string(length) + " bytes of its body: the capture is cut",
                       kCaptureRawBody);
  }
  return file.take_bytes(std::string(length > 0 ? rest.substr(0, length) : without_tail(file, rest)), kHttp);
}

Found curl_log(const CapturedFile& file) {
  // The meter also interrupts lines of the stream.
  if (file.first.find("% Total") != std::string_view::npos &&
      file.first.find("% Received") != std::string_view::npos)
    return file.refuse("is the log of curl with a progress meter between its lines", kCaptureRawBody);
  const bool asked = std::any_of(file.lines.begin(), file.lines.end(), [](std::string_view line) {
    // Quotes in Markdown begin like a request's lines.
    return line.starts_with("< HTTP/") ||
           (line.starts_with("> ") && line.find(" HTTP/") != std::string_view::npos);
  });
  if (!is_curl_line(file.first) || !asked) return std::nullopt;
  std::string body;
  for (std::string_view line : file.lines) {
    if (is_curl_line(line) || is_curl_failure(line)) continue;
    const std::size_t note = closing_note(line);
    body.append(line.substr(0, note));
    if (note == std::string_view::npos) body += '\n';
  }
  body = without_tail(file, without_head(body));
  if (is_stream(body)) {
    const bool is_whole = closing_note(file.lines.back()) != std::string_view::npos;
    return is_whole ? file.take_bytes(std::move(body), kCurlLog) : file.take_text(std::move(body), kCurlLog);
  }
  return file.refuse("is the log of curl -v without a whole event stream", kCaptureRawBody);
}

Found command_output(const CapturedFile& file) {
  const std::size_t prompt = prompt_before_client(file.first);
  if (prompt == std::string_view::npos) return std::nullopt;
  const auto begin = std::find(file.lines.begin(), file.lines.end(), file.first) - file.lines.begin();
  const std::size_t command = lines_of_command(file.lines, static_cast<std::size_t>(begin));
  std::vector<std::string_view> rest(file.lines.begin() + begin + static_cast<std::ptrdiff_t>(command),
                                     file.lines.end());
  // The next prompt, with its command, ends the output.
  std::string_view shown = file.first.substr(0, prompt);
  while (shown.ends_with(' ')) shown.remove_suffix(1);
  const auto next =
      shown.empty() ? rest.end() : std::find_if(rest.begin(), rest.end(), [&](std::string_view line) {
        return line.starts_with(shown) && !is_field(line);
      });
  const bool ends_line = next != rest.end() || file.text.ends_with('\n');
  rest.erase(next, rest.end());
  std::string output = joined(rest);
  if (!ends_line && !output.empty()) output.pop_back();
  output.resize(without_tail(file, output).size());
  const CapturedFile inner(file.name, output);
  for (const auto kind : {http_response, curl_log, curl_failure})
    if (auto found = kind(inner)) return found;
  if (is_stream(without_head(output)))
    return file.take_text(std::string(without_head(output)), "the output of a command");
  return file.refuse("is the output of a command, and no whole event stream", kCaptureRawBody);
}

Found curl_failure(const CapturedFile& file) {
  const auto last = std::find_if_not(file.lines.rbegin(), file.lines.rend(), is_blank);
  if (last == file.lines.rend() || !is_curl_failure(*last)) return std::nullopt;
  const std::string_view body =
      file.text.substr(0, static_cast<std::size_t>(last->data() - file.text.data()));
  if (!begins_stream(body)) return std::nullopt;
  return file.take_bytes(std::string(body), "the output of curl, with its error");
}

}  // namespace splitproof::recording
