#include "harness/observe/sse_reader.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <system_error>
#include <utility>

#include "harness/utf8.hpp"

namespace splitproof::observe {
namespace {

/// Returns `line` without its leading blanks and byte order marks.
std::string_view without_margin(std::string_view line) {
  while (true) {
    if (line.starts_with(kByteOrderMark)) {
      line.remove_prefix(kByteOrderMark.size());
    } else if (line.starts_with(' ') || line.starts_with('\t')) {
      line.remove_prefix(1);
    } else {
      return line;
    }
  }
}

/// True if a line that is not a field was meant as data: `Data: x`, ` data: x`, `data : x`, `{"a":1}`.
bool means_data(std::string_view line) {
  constexpr std::string_view kName = "data";
  line = without_margin(line);
  if (line.starts_with('{')) return true;
  if (line.size() < kName.size()) return false;
  for (std::size_t i = 0; i < kName.size(); ++i) {
    if ((line[i] | 0x20) != kName[i]) return false;
  }
  return without_margin(line.substr(kName.size())).starts_with(':');
}

/// Returns the first CR or LF at or after `at`, or the end. `lf` caches the first LF at or after `at`, or an
/// earlier one. So each byte is read at most twice, however many lines end in a CR.
std::size_t line_end(std::string_view bytes, std::size_t at, std::size_t& lf) {
  if (lf < at) lf = std::min(bytes.find('\n', at), bytes.size());
  return at + std::min(bytes.substr(at, lf - at).find('\r'), lf - at);
}

/// Adds `odd`, unless one of its kind came before.
void add_first(std::vector<OddLine>& to, const OddLine& odd) {
  const auto same_kind = [&odd](const OddLine& known) { return known.kind == odd.kind; };
  if (std::none_of(to.begin(), to.end(), same_kind)) to.push_back(odd);
}

std::optional<std::uint64_t> parse_retry(std::string_view value) {
  if (value.empty() || value.find_first_not_of("0123456789") != value.npos) return std::nullopt;
  std::uint64_t milliseconds = 0;
  const auto result = std::from_chars(value.data(), value.data() + value.size(), milliseconds);
  if (result.ec == std::errc::result_out_of_range) return std::numeric_limits<std::uint64_t>::max();
  return milliseconds;
}

}  // namespace

void SseReader::feed(std::string_view bytes) {
  std::size_t at = 0;
  std::size_t lf = std::min(bytes.find('\n'), bytes.size());
  while (at < bytes.size()) {
    if (std::exchange(after_cr_, false)) {
      if (bytes[at] == '\n') {
        ++at;
        if (!events_.empty() && events_.back().end == fed_) ++events_.back().end;
        line_begin_ = ++fed_;
        continue;
      }
      keep_lone_cr();
    }
    const std::size_t end = line_end(bytes, at, lf);
    std::string_view line = bytes.substr(at, end - at);
    fed_ += line.size();
    if (!line_.empty() || end == bytes.size()) line = line_ += line;
    if (end == bytes.size()) return;
    after_cr_ = bytes[end] == '\r';
    at = end + 1;
    ++fed_;
    read_line(line);
    line_.clear();
    line_begin_ = fed_;
  }
}

std::vector<SseEvent> SseReader::take_settled() {
  std::vector<SseEvent> settled = std::exchange(events_, {});
  if (settled.empty()) return settled;
  events_.push_back(std::move(settled.back()));
  settled.pop_back();
  return settled;
}

void SseReader::finish() {
  if (std::exchange(after_cr_, false)) keep_lone_cr();
  if (!line_.empty()) {
    read_line(line_);
    // A character cut by the end is unterminated, but not invalid.
    const auto at = block_.ill_formed_at;
    if (at && *at >= line_begin_ &&
        utf8_step(std::string_view(line_).substr(*at - line_begin_)).kind == Utf8Step::Kind::truncated) {
      block_.ill_formed_at.reset();
    }
    line_.clear();
    line_begin_ = fed_;
  }
  if (block_speaks_) {
    block_.terminated = false;
    if (block_.data.empty()) block_.data = "\n";  // yielded even without data
    dispatch();
  }
  if (events_.empty()) return;
  for (const OddLine& odd : std::exchange(odd_, {})) add_first(events_.back().odd, odd);
  events_.back().lone_cr |= std::exchange(lone_cr_, false);
}

void SseReader::keep_odd(OddLine line) {
  constexpr std::size_t kMost = 160;
  std::size_t length = std::min(line.text.size(), kMost);
  while (length < line.text.size() && length > 0 && continues_character(line.text[length])) --length;
  line.text = decode_utf8(std::string_view(line.text).substr(0, length));
  add_first(odd_, line);
}

void SseReader::keep_lone_cr() {
  const bool ended_event = !events_.empty() && events_.back().end == fed_;
  (ended_event ? events_.back().lone_cr : lone_cr_) = true;
}

void SseReader::read_line(std::string_view line) {
  std::size_t at = line_begin_;
  ++lines_;
  if (at == 0 && line.starts_with(kByteOrderMark)) {
    line.remove_prefix(kByteOrderMark.size());
    at += kByteOrderMark.size();
  }
  if (line.empty()) return dispatch();
  if (!block_begun_ && line.front() == ':') return;
  if (!std::exchange(block_begun_, true)) {
    block_.begin = at;
    block_.line = lines_;
  }
  const std::size_t ill_formed = find_ill_formed_utf8(line);
  const bool well_formed = ill_formed == line.npos;
  if (!well_formed && !block_.ill_formed_at) block_.ill_formed_at = at + ill_formed;
  const std::size_t colon = std::min(line.find(':'), line.size());
  if (colon == 0) return;
  std::size_t value_at = std::min(colon + 1, line.size());
  if (line.substr(value_at).starts_with(' ')) ++value_at;
  const std::string_view name = line.substr(0, colon);
  block_speaks_ |= name != "id" && name != "retry";
  if (!read_field(name, line.substr(value_at), at + value_at, well_formed))
    keep_odd({means_data(line) ? OddLine::Kind::lost : OddLine::Kind::stray, std::string(line), lines_, at,
              at + line.size()});
}

bool SseReader::read_field(std::string_view name, std::string_view value, std::size_t value_at,
                           bool well_formed) {
  if (name == "data") {
    if (well_formed) {
      block_.data += value;
    } else {
      block_.ill_formed_data |= find_ill_formed_utf8(value) != value.npos;
      block_.data += decode_utf8(value);
    }
    block_.data += '\n';
    block_.data_at.push_back(value_at);
  } else if (name == "event") {
    block_.event = decode_utf8(value);
  } else if (name == "id") {
    if (value.find('\0') == value.npos) last_event_id_ = decode_utf8(value);
  } else if (name == "retry") {
    if (const auto milliseconds = parse_retry(value)) block_.retry = milliseconds;
  } else {
    return false;
  }
  return true;
}

void SseReader::dispatch() {
  SseEvent event = std::exchange(block_, {});
  block_begun_ = block_speaks_ = false;
  if (event.data.empty()) {
    if (event.event && !event.event->empty())
      keep_odd({OddLine::Kind::dataless, *event.event, event.line, event.begin, fed_});
    return;
  }
  event.odd = std::exchange(odd_, {});
  event.lone_cr = std::exchange(lone_cr_, false);
  event.data.pop_back();
  event.id = last_event_id_;
  event.end = fed_;
  events_.push_back(std::move(event));
}

}  // namespace splitproof::observe
