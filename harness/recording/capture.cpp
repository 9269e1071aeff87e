#include "harness/recording/capture.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "harness/recording/stream_lines.hpp"
#include "harness/recording/wrappers.hpp"

namespace splitproof::recording {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// Returns the number of a line that marks an omission, or 0.
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

// Returns the number of the first line that goes on in the next one, or 0. Such a line has the length of the longest
// line, ends inside its JSON, and precedes a line that belongs to no stream. One such line may be a broken stream.
std::size_t wrapped_line(const std::vector<std::string_view>& lines) {
  std::size_t longest = 0;
  for (const std::string_view line : lines) longest = std::max(longest, line.size());
  std::size_t first = 0;
  std::size_t count = 0;
  for (std::size_t i = 0; i + 1 < lines.size(); ++i) {
    const std::string_view next = lines[i + 1];
    const bool goes_on = lines[i].size() == longest && has_data(lines[i]) && !ends_in_whole_line(lines[i]) &&
                         !is_blank(next) && !is_field(next);
    if (goes_on && count++ == 0) first = i + 1;
  }
  return count > 1 ? first : 0;
}

Result<Capture> of_fields(const CapturedFile& file);

// Extracts a stream from before its tail.
Result<Capture> before_tail(const CapturedFile& file, const Tail& tail) {
  auto found = of_fields(CapturedFile(file.name, file.bytes.substr(0, tail.begin)));
  if (!found || !found->wrapper.empty()) return found;
  const std::string wrapper = "a text with " + tail.what + " after the stream";
  return tail.is_copied ? file.take_text(std::move(found->stream), wrapper)
                        : file.take_bytes(std::move(found->stream), wrapper);
}

// Reads a file whose first line belongs to an event stream.
Result<Capture> of_fields(const CapturedFile& file) {
  if (const auto tail = tail_of(file)) return before_tail(file, *tail);
  if (const std::size_t line = prompt_inside(file); line > 0)
    return file.refuse("has the prompt of a shell between lines of a stream", kSaveStreamAlone, line);
  for (const auto kind : {escaped_line, curl_failure})
    if (auto found = kind(file)) return *std::move(found);
  if (const std::size_t line = ellipsis_in(file.lines); line > 0)
    return file.refuse("is a stream with parts left out", kCaptureRawBody, line);
  if (const std::size_t line = wrapped_line(file.lines); line > 0) {
    return file.refuse("is a stream whose lines a terminal wrapped at " +
                           std::to_string(file.lines[line - 1].size()) + " columns",
                       kCaptureRawBody, line);
  }
  const bool data_alone = std::all_of(file.lines.begin(), file.lines.end(), has_data);
  const bool of_json = std::all_of(file.lines.begin(), file.lines.end(), [](std::string_view line) {
    return line.find('{') != std::string_view::npos || line.find('[') != std::string_view::npos;
  });
  if (data_alone && of_json && file.lines.size() > 1) {
    return file.refuse("has lines of data and no blank line, so no event ends",
                       "if the capture lost blank lines, insert them again: sed G " + file.name);
  }
  return Capture{std::string(file.bytes), {}};
}

// True for the end of a line of data, so that the stream's head may be missing. If the data is complete, only
// blanks may precede it.
bool ends_data(std::string_view line) {
  while (line.ends_with(' ')) line.remove_suffix(1);
  const std::size_t data = line.find("data:");
  const bool is_whole = data != line.npos && ends_in_whole_line(line.substr(data));
  return (line.ends_with('}') || line.ends_with(']')) && (!is_whole || is_blank(line.substr(0, data)));
}

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
    return refuse("is " + wrapper + ", and has a stream without blank lines, so no event ends",
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

namespace {

Result<Capture> read_text(const CapturedFile& file) {
  if (is_field(file.first)) return of_fields(file);
  constexpr std::array kKinds = {
      http_response, curl_log, command_output, json_document,  json_lines,      broken_json, markup,
      enclosed_text, markdown, quoted_strings, prefixed_lines, printed_objects, base64_text, binary};
  for (const auto kind : kKinds)
    if (auto found = kind(file)) return *std::move(found);
  if (file.first.empty()) return Capture{std::string(file.bytes), {}};
  if (std::none_of(file.lines.begin(), file.lines.end(), has_data))
    return file.refuse("has no event stream: no line begins with data:", kCaptureRawBody);
  const auto first = std::find(file.lines.begin(), file.lines.end(), file.first);
  const bool alone = first + 1 == file.lines.end() || is_blank(first[1]) || is_field(first[1]);
  if (!alone || !ends_data(file.first)) {
    return file.refuse("begins with a line that is not part of an event stream", kSaveStreamAlone,
                       static_cast<std::size_t>(first - file.lines.begin()) + 1);
  }
  return Capture{std::string(file.bytes), {}};
}

}  // namespace

Result<Capture> read_capture(const std::string& name, std::string_view bytes) {
  if (auto packed = refuse_packed(name, bytes)) return tl::unexpected(*std::move(packed));
  const CapturedFile file(name, bytes);
  if (auto encoded = refuse_encoded(name, file.text)) return tl::unexpected(*std::move(encoded));
  auto found = read_text(file);
  if (!found || found->wrapper.empty()) return found;
  if (auto encoded = refuse_encoded(name, found->stream)) return tl::unexpected(*std::move(encoded));
  return found;
}

}  // namespace splitproof::recording
