#include "harness/import/curl_blocks.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "harness/import/capture_time.hpp"
#include "harness/recording/stream_lines.hpp"

namespace splitproof::imports {

using recording::End;

namespace {

struct BlockName {
  std::string_view begin;
  CurlBlock::Kind kind;
};

constexpr std::array<BlockName, 7> kNames = {{
    {"== Info: ", CurlBlock::Kind::info},
    {"=> Send header, ", CurlBlock::Kind::sent_head},
    {"=> Send data, ", CurlBlock::Kind::sent_data},
    {"<= Recv header, ", CurlBlock::Kind::received_head},
    {"<= Recv data, ", CurlBlock::Kind::received_data},
    {"=> Send SSL data, ", CurlBlock::Kind::other},
    {"<= Recv SSL data, ", CurlBlock::Kind::other},
}};

/// The first line of a block.
struct BlockHead {
  CurlBlock block;
  std::size_t size = 0;  // of the bytes in the lines below
};

/// Takes the time and the ids from the front of a line.
void take_front(std::string_view& line, CurlBlock& block) {
  const std::size_t space = line.find(' ');
  if (space == line.npos) return;
  block.at = seconds_of_clock(line.substr(0, space));
  if (block.at) line.remove_prefix(space + 1);
  if (!line.starts_with('[')) return;
  const std::size_t end = line.find("] ");
  const std::string_view ids = line.substr(0, end);
  if (end == line.npos || ids.find_first_not_of("[0123456789x-") != ids.npos) return;
  block.transfer = ids.substr(1);
  line.remove_prefix(end + 2);
}

std::optional<BlockHead> block_head(std::string_view line) {
  BlockHead head;
  take_front(line, head.block);
  for (const BlockName& name : kNames) {
    if (!line.starts_with(name.begin)) continue;
    line.remove_prefix(name.begin.size());
    head.block.kind = name.kind;
    if (name.kind == CurlBlock::Kind::info) {
      head.block.bytes = line;
      return head;
    }
    const auto [end, failed] = std::from_chars(line.data(), line.data() + line.size(), head.size);
    const std::string_view rest(end, static_cast<std::size_t>(line.data() + line.size() - end));
    if (failed != std::errc() || !rest.starts_with(" bytes (0x") || !rest.ends_with(')')) return std::nullopt;
    return head;
  }
  return std::nullopt;
}

/// True if another block begins inside a line: its text came after output without a line end.
bool hides_block(std::string_view line) {
  return std::any_of(kNames.begin() + 1, kNames.end(),
                     [&](const BlockName& name) { return line.find(name.begin) != line.npos; });
}

/// One line with bytes: "0010: 48 54 54 50 ..." or "0010: HTTP...".
struct ByteLine {
  std::size_t offset = 0;
  std::string_view text;
};

std::optional<ByteLine> byte_line(std::string_view line) {
  ByteLine found;
  const auto [end, failed] = std::from_chars(line.data(), line.data() + line.size(), found.offset, 16);
  const auto digits = static_cast<std::size_t>(end - line.data());
  if (failed != std::errc() || digits < 4 || line.substr(digits, 1) != ":") return std::nullopt;
  found.text = line.substr(std::min(digits + 2, line.size()));
  return found;
}

/// Appends the bytes of "48 54 54 50 ...", at most 16; false if it has none.
bool append_hexadecimal(std::string_view text, std::size_t most, std::string& bytes) {
  constexpr std::size_t kBytesPerLine = 16;
  std::size_t count = 0;
  for (; count < std::min(kBytesPerLine, most); ++count) {
    unsigned value = 0;
    const char* begin = text.data() + 3 * count;
    if (text.size() < 3 * count + 3) return false;
    const auto [end, failed] = std::from_chars(begin, begin + 2, value, 16);
    if (failed != std::errc() || end != begin + 2 || *end != ' ') return false;
    bytes += static_cast<char>(value);
  }
  return count > 0;
}

/// True if a line of a stream, or the end, may follow a line end here.
bool precedes_line(std::string_view rest) {
  rest.remove_prefix(std::min(rest.find_first_not_of('.'), rest.size()));
  constexpr std::array<std::string_view, 6> kBegins = {"data:", "event:", "id:", "retry:", ":", "{"};
  return rest.empty() || std::any_of(kBegins.begin(), kBegins.end(),
                                     [&](std::string_view begin) { return rest.starts_with(begin); });
}

class TraceReader {
 public:
  explicit TraceReader(std::string_view text) : lines_(recording::lines_of(text)) {}

  CurlTrace read() {
    decide_form();
    while (at_ < lines_.size() && trace_.fault.empty()) read_block();
    return std::move(trace_);
  }

 private:
  // A line of hexadecimal bytes has 16 of them, or ends the block. So the first line with bytes shows the form.
  void decide_form() {
    for (std::size_t i = 0; i + 1 < lines_.size(); ++i) {
      const auto head = block_head(lines_[i]);
      if (!head || head->size == 0) continue;
      const auto line = byte_line(lines_[i + 1]);
      std::string ignored;
      trace_.is_ascii = line && !append_hexadecimal(line->text, head->size, ignored);
      return;
    }
  }

  void read_block() {
    const std::string_view line = lines_[at_];
    auto head = block_head(line);
    ++at_;
    if (!head) {
      if (hides_block(line)) return fail("has output and a block of the trace on one line", at_);
      if (!recording::is_blank(line)) ++trace_.other_lines;
      return;
    }
    const std::size_t first = at_;
    const bool is_whole = trace_.is_ascii ? read_ascii(*head) : read_hexadecimal(*head);
    if (!is_whole) return fail("breaks off, or has a damaged line, in a block", first);
    trace_.blocks.push_back(std::move(head->block));
  }

  bool read_hexadecimal(BlockHead& head) {
    std::string& bytes = head.block.bytes;
    if (head.block.kind == CurlBlock::Kind::info) return true;
    while (bytes.size() < head.size) {
      const auto line = at_ < lines_.size() ? byte_line(lines_[at_]) : std::nullopt;
      if (!line || line->offset != bytes.size()) return false;
      if (!append_hexadecimal(line->text, head.size - bytes.size(), bytes)) return false;
      ++at_;
    }
    return true;
  }

  // A line ends after 64 bytes, or before CR LF, which it omits. The next offset shows which.
  bool read_ascii(BlockHead& head) {
    std::string& bytes = head.block.bytes;
    if (head.block.kind == CurlBlock::Kind::info) return true;
    while (bytes.size() < head.size) {
      const auto line = at_ < lines_.size() ? byte_line(lines_[at_]) : std::nullopt;
      if (!line || line->offset != bytes.size()) return false;
      bytes += line->text;
      ++at_;
      std::size_t next = head.size;
      if (bytes.size() < head.size)
        if (const auto following = at_ < lines_.size() ? byte_line(lines_[at_]) : std::nullopt)
          next = following->offset;
      if (next == bytes.size() + 2) bytes += "\r\n";
      if (next != bytes.size()) return false;
    }
    return bytes.size() == head.size;
  }

  void fail(std::string what, std::size_t line) {
    trace_.fault = std::move(what);
    trace_.line = line;
  }

  std::vector<std::string_view> lines_;
  std::size_t at_ = 0;
  CurlTrace trace_;
};

}  // namespace

bool begins_curl_trace(std::string_view text) {
  const std::string_view rest = recording::without_head(text);
  return block_head(rest.substr(0, rest.find_first_of("\r\n"))).has_value();
}

CurlTrace read_curl_trace(std::string_view text) { return TraceReader(text).read(); }

std::optional<std::string> with_line_ends(std::string body) {
  bool in_string = false;
  std::size_t depth = 0;  // of the JSON in the line
  const auto is_digit = [&](std::size_t at) {
    return at < body.size() && body[at] >= '0' && body[at] <= '9';
  };
  for (std::size_t i = 0; i < body.size(); ++i) {
    const char c = body[i];
    if (in_string) {
      const bool is_unclear = c == '.' && i + 1 < body.size() && body[i + 1] == '.';
      if (is_unclear || (c == '\\' && i + 1 < body.size() && body[++i] == '.')) return std::nullopt;
      in_string = c != '"';
    } else if (c == '"') {
      in_string = depth > 0;
    } else if (c == '{' || c == '[') {
      ++depth;
    } else if (c == '}' || c == ']') {
      depth -= depth > 0 ? 1 : 0;
    } else if (c == '.' && depth == 0) {
      if (precedes_line(std::string_view(body).substr(i + 1))) body[i] = '\n';
    } else if (c == '.' && !(i > 0 && is_digit(i - 1) && is_digit(i + 1))) {
      return std::nullopt;
    }
  }
  return body;
}

std::optional<End> end_in(std::string_view info) {
  const auto has = [&](std::string_view words) { return info.find(words) != info.npos; };
  if (has("left intact") || has("Closing connection") || has("closing connection")) return End::complete;
  if (has("transfer closed with") || has("end of response with")) return End::closed;
  if (has("Recv failure") || has("was not closed cleanly") || has("SSL_read") || has("connection reset"))
    return End::reset;
  if (has("timed out")) return End::stall;
  return std::nullopt;
}

End end_in_log(std::string_view text) {
  bool has_begun = false;
  for (std::string_view line : recording::lines_of(text)) {
    has_begun = has_begun || recording::is_field(line);
    // The note may follow the last bytes of the body on their line.
    const std::size_t note = line.rfind("* transfer closed with");
    if (note != line.npos) line.remove_prefix(note);
    if (!has_begun || !(line.starts_with("* ") || line.starts_with("curl: ("))) continue;
    if (const auto end = end_in(line); end && *end != End::complete) return *end;
  }
  return End::complete;
}

}  // namespace splitproof::imports
