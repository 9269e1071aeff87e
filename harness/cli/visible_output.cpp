#include "harness/cli/visible_output.hpp"

#include <algorithm>
#include <string_view>

#include "harness/visible.hpp"

namespace splitproof::cli {
namespace {

constexpr std::string_view kEscapedColon = "\\x3a";
constexpr std::string_view kEscapedHash = "\\x23";

// Returns the length of the terminal control at the head of `text`: "\r\033[K", which erases a line, or a
// colour; otherwise 0.
std::size_t told_to_terminal(std::string_view text) {
  constexpr std::string_view kErase = "\r\033[K";
  if (text.starts_with(kErase)) return kErase.size();
  if (!text.starts_with("\033[")) return 0;
  const std::size_t end = text.find_first_not_of("0123456789;", 2);
  return end != text.npos && text[end] == 'm' ? end + 1 : 0;
}

}  // namespace

VisibleOutput::VisibleOutput(std::ostream& stream, bool is_terminal)
    : stream_(stream),
      printed_to_(stream.rdbuf()),
      is_terminal_(is_terminal),
      flushes_((stream.flags() & std::ios::unitbuf) != 0) {
  stream_.rdbuf(this);
  stream_ << std::nounitbuf;
}

VisibleOutput::~VisibleOutput() {
  sync();
  stream_.rdbuf(printed_to_);
}

VisibleOutput::int_type VisibleOutput::overflow(int_type byte) {
  if (traits_type::eq_int_type(byte, traits_type::eof())) return traits_type::not_eof(byte);
  const char one = traits_type::to_char_type(byte);
  return xsputn(&one, 1) == 1 ? byte : traits_type::eof();
}

std::streamsize VisibleOutput::xsputn(const char* bytes, std::streamsize size) {
  const std::string_view text(bytes, static_cast<std::size_t>(size));
  const std::size_t end = text.rfind('\n');
  waiting_ += text;
  if (end == text.npos) return size;
  const bool printed = print(waiting_.size() - (text.size() - end - 1));
  return printed && (!flushes_ || printed_to_->pubsync() == 0) ? size : 0;
}

int VisibleOutput::sync() { return print(waiting_.size()) ? printed_to_->pubsync() : -1; }

bool VisibleOutput::print(std::size_t size) {
  std::string shown;
  const std::string_view text = std::string_view(waiting_).substr(0, size);
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view rest = text.substr(at);
    std::size_t told = 0;
    if (rest[0] == '\n') {
      shown += '\n';
      at_line_start_ = true;
      ++at;
    } else if (rest[0] == ' ' || rest[0] == '\t') {
      shown += rest[0];
      ++at;
    } else if (is_terminal_ && (told = told_to_terminal(rest)) > 0) {
      shown += rest.substr(0, told);
      at += told;
    } else if (rest.starts_with("##[")) {
      shown += kEscapedHash;
      at_line_start_ = false;
      ++at;
    } else if (at_line_start_ && rest.starts_with("::")) {
      shown += kEscapedColon;
      at_line_start_ = false;
      ++at;
    } else {
      constexpr std::string_view kSpecial = "\n \t\r\033#";
      const std::size_t end = std::min(rest.find_first_of(kSpecial, 1), rest.size());
      shown += visible(rest.substr(0, end));
      at_line_start_ = false;
      at += end;
    }
  }
  waiting_.erase(0, size);
  const auto bytes = static_cast<std::streamsize>(shown.size());
  return printed_to_->sputn(shown.data(), bytes) == bytes;
}

}  // namespace splitproof::cli
