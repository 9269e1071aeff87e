#include "harness/recording/capture.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "harness/recording/stream_lines.hpp"
#include "harness/recording/wrappers.hpp"

namespace splitproof::recording {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// The number of a line that stands for something left out, or 0.
std::size_t ellipsis_in(const std::vector<std::string_view>& lines) {
  constexpr std::array<std::string_view, 6> kEllipses = {"...",   "....",  "\xE2\x80\xA6",
                                                         "[...]", "(...)", "<snip>"};
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::string_view line = lines[i];
    while (line.ends_with(' ')) line.remove_suffix(1);
    if (std::find(kEllipses.begin(), kEllipses.end(), line) != kEllipses.end()) return i + 1;
  }
  return 0;
}

// A file whose first line is one of an event stream.
Result<Capture> of_fields(const CapturedFile& file) {
  for (const auto kind : {escaped_line, curl_failure})
    if (auto found = kind(file)) return *std::move(found);
  if (const std::size_t line = ellipsis_in(file.lines); line > 0)
    return file.refuse("is a stream of which something was left out", kCaptureRawBody, line);
  const bool data_alone = std::all_of(file.lines.begin(), file.lines.end(), has_data);
  const bool of_json = std::all_of(file.lines.begin(), file.lines.end(), [](std::string_view line) {
    return line.find('{') != std::string_view::npos || line.find('[') != std::string_view::npos;
  });
  if (data_alone && of_json && file.lines.size() > 1) {
    return file.refuse("has lines of data and no blank line, so no event of it ends",
                       "if blank lines were lost on the way, put them back: sed G " + file.name);
  }
  return Capture{std::string(file.bytes), {}};
}

// True for the rest of a line of JSON: the head of a stream may be cut off.
bool may_end_json(std::string_view line) { return line.find_first_of("}]\"") != std::string_view::npos; }

}  // namespace

CapturedFile::CapturedFile(const std::string& file, std::string_view all)
    : name(file),
      bytes(all),
      text(all.starts_with(kByteOrderMark) ? all.substr(kByteOrderMark.size()) : all) {
  lines = lines_of(text);
  const auto found = std::find_if_not(lines.begin(), lines.end(), is_blank);
  if (found != lines.end()) first = *found;
}

Result<Capture> CapturedFile::refuse(std::string what, std::string hint, std::size_t line) const {
  return tl::unexpected(Error{std::move(what), name, line, std::move(hint)});
}

Result<Capture> CapturedFile::take_bytes(std::string stream, std::string wrapper) const {
  if (begins_stream(stream)) return Capture{std::move(stream), std::move(wrapper)};
  return refuse("is " + wrapper + " without an event stream in it", kCaptureRawBody);
}

Result<Capture> CapturedFile::take_text(std::string stream, std::string wrapper) const {
  if (lacks_blank_lines(stream)) {
    return refuse("is " + wrapper + ", and has a stream without blank lines: no event of it ends",
                  "save the stream as a file of its own, with a blank line after each event");
  }
  if (stream.ends_with("\n\n")) return Capture{std::move(stream), std::move(wrapper)};
  if (ends_in_whole_line(stream)) {
    stream += stream.ends_with('\n') ? "\n" : "\n\n";
    return Capture{std::move(stream),
                   std::move(wrapper) + ", and adds the blank line that ends its last event"};
  }
  if (!text.ends_with('\n'))
    return refuse("is " + wrapper + " that breaks off inside an event: the capture is cut", kCaptureRawBody);
  return Capture{std::move(stream), std::move(wrapper)};
}

std::string joined_chunks(const std::vector<std::string>& chunks) {
  const bool has_line_ends = std::any_of(chunks.begin(), chunks.end(), [](const std::string& chunk) {
    return chunk.find('\n') != std::string::npos;
  });
  std::string text;
  for (const std::string& chunk : chunks) {
    text += chunk;
    if (!has_line_ends) text += '\n';
  }
  return text;
}

Result<Capture> read_capture(const std::string& name, std::string_view bytes) {
  if (auto packed = refuse_packed(name, bytes)) return tl::unexpected(*std::move(packed));
  const CapturedFile file(name, bytes);
  if (is_field(file.first)) return of_fields(file);
  constexpr std::array kKinds = {
      http_response, curl_log, command_output, json_document,  json_lines,      broken_json, markup,
      cassette,      markdown, quoted_strings, prefixed_lines, printed_objects, base64_text, binary};
  for (const auto kind : kKinds)
    if (auto found = kind(file)) return *std::move(found);
  if (file.first.empty()) return Capture{std::string(bytes), {}};
  if (std::none_of(file.lines.begin(), file.lines.end(), has_data))
    return file.refuse("holds no event stream: no line of it begins with data:", kCaptureRawBody);
  if (!may_end_json(file.first)) {
    const auto line = std::find(file.lines.begin(), file.lines.end(), file.first) - file.lines.begin() + 1;
    return file.refuse("begins with a line that belongs to no event stream", kSaveStreamAlone,
                       static_cast<std::size_t>(line));
  }
  return Capture{std::string(bytes), {}};
}

}  // namespace splitproof::recording
