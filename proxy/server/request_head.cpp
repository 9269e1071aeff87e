#include "proxy/server/request_head.hpp"

#include <algorithm>
#include <charconv>

#include "proxy/wire/ascii.hpp"

namespace splitproof::server {
namespace {

constexpr std::size_t kLineBytes = 8192;  // limit of the request line and of each field
constexpr std::size_t kHeadBytes = 65536;
constexpr std::size_t kFields = 128;

using wire::lowered;

bool is_alnum(char c) { return (c >= '0' && c <= '9') || (wire::lower(c) >= 'a' && wire::lower(c) <= 'z'); }

bool is_token(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return is_alnum(c) || std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
  });
}

bool is_value(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) {
    return c == '\t' || (static_cast<unsigned char>(c) >= ' ' && c != '\x7F');
  });
}

// True for an authority: a name or an address, with an optional port.
bool is_host(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return is_alnum(c) || std::string_view("-._~%!$&'()*+;=:[]").find(c) != std::string_view::npos;
  });
}

tl::unexpected<RequestFault> wrong(std::string message, int status = 400) {
  return tl::make_unexpected(RequestFault{status, std::move(message)});
}

// Reads the path and the query of a target. Returns false if the target has another form.
bool read_target(std::string_view target, RequestHead& head) {
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (lowered(target.substr(0, scheme.size())) != scheme) continue;
    target.remove_prefix(scheme.size());
    const std::size_t path = std::min(target.find_first_of("/?"), target.size());
    if (!is_host(target.substr(0, path))) return false;
    target.remove_prefix(path);
    if (target.empty() || target.front() == '?') {
      head.path = "/";
      head.query = target.substr(std::min<std::size_t>(1, target.size()));
      return true;
    }
  }
  const bool visible =
      std::all_of(target.begin(), target.end(), [](char c) { return c > ' ' && c < '\x7F'; });
  const bool asterisk = target == "*";  // for OPTIONS
  if (!visible || !(asterisk || target.starts_with('/')) || target.find('#') != std::string_view::npos)
    return false;
  const std::size_t end = std::min(target.find('?'), target.size());
  head.path = target.substr(0, end);
  head.query = target.substr(std::min(end + 1, target.size()));
  return true;
}

tl::expected<RequestHead, RequestFault> parse_request_line(std::string_view line) {
  const std::size_t first = line.find(' ');
  const std::size_t second = first == std::string_view::npos ? first : line.find(' ', first + 1);
  if (second == std::string_view::npos) return wrong("the request line is not METHOD TARGET VERSION");
  RequestHead head;
  const std::string_view method = line.substr(0, first);
  const std::string_view version = line.substr(second + 1);
  // Methods are words in upper case, all that are registered.
  if (!is_token(method) || lowered(method) == method) return wrong("the method is not an HTTP method");
  const bool some_http = version.size() == 8 && version.starts_with("HTTP/") && version[6] == '.';
  if (some_http && version.substr(5) != "1.1" && version.substr(5) != "1.0")
    return wrong("the proxy accepts only the HTTP versions 1.1 and 1.0", 505);
  if (!some_http) return wrong("the request line does not end with an HTTP version");
  if (!read_target(line.substr(first + 1, second - first - 1), head))
    return wrong("the target of the request is not a path");
  head.method = method;
  head.old = version.ends_with('0');
  return head;
}

// Counts the fields of this name in the head.
std::size_t count(const RequestHead& head, std::string_view name) {
  return static_cast<std::size_t>(std::count_if(head.fields.begin(), head.fields.end(),
                                                [&](const auto& field) { return field.first == name; }));
}

// Reads the fields that define the end of the body.
std::optional<RequestFault> read_framing(RequestHead& head) {
  const std::size_t codings = count(head, "transfer-encoding");
  const std::size_t lengths = count(head, "content-length");
  if (codings > 0) {
    if (head.old) return RequestFault{400, "HTTP/1.0 does not allow a transfer-encoding"};
    if (lengths > 0)
      return RequestFault{400, "the request has both a content-length and a transfer-encoding"};
    if (codings > 1) return RequestFault{400, "the request has more than one transfer-encoding"};
    if (lowered(head.field("transfer-encoding")) != "chunked")
      return RequestFault{501, "the proxy accepts only the transfer-encoding 'chunked'"};
    head.chunked = true;
  }
  if (lengths > 1) return RequestFault{400, "the request has more than one content-length"};
  if (lengths == 1) {
    const std::string_view digits = head.field("content-length");
    std::size_t length = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), length);
    if (error != std::errc() || end != digits.data() + digits.size())
      return RequestFault{400, "the content-length is not a number"};
    head.length = length;
  }
  return std::nullopt;
}

std::optional<RequestFault> read_connection(RequestHead& head) {
  const std::size_t hosts = count(head, "host");
  if (hosts > 1) return RequestFault{400, "the request has more than one host"};
  if (hosts == 0 && !head.old) return RequestFault{400, "the host is missing"};
  if (hosts == 1 && !is_host(head.field("host")))
    return RequestFault{400, "the host is not a name and a port"};
  for (const auto& [name, value] : head.fields) {
    if (name != "expect") continue;
    if (lowered(value) != "100-continue")
      return RequestFault{417, "the proxy accepts only 'expect: 100-continue'"};
    head.expects_continue = !head.old;
  }
  head.keep_alive = !head.old;
  for (const auto& [name, value] : head.fields) {
    if (name != "connection") continue;
    const std::string words = lowered(value);
    if (head.old && words.find("keep-alive") != std::string::npos) head.keep_alive = true;
    if (words.find("close") == std::string::npos) continue;
    head.keep_alive = false;
    break;
  }
  return std::nullopt;
}

// Returns the path of a head, which may be incomplete; empty if it has none.
std::string path_in(std::string_view text) {
  const std::size_t end = text.find("\r\n");
  if (end == std::string_view::npos) return {};
  const auto head = parse_request_line(text.substr(0, end));
  return head ? head->path : std::string();
}

}  // namespace

std::string_view RequestHead::field(std::string_view name) const {
  for (const auto& [known, value] : fields) {
    if (known == name) return value;
  }
  return {};
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") + 1 - first);
}

bool is_field(std::string_view line) {
  const std::size_t colon = line.find(':');
  return colon != std::string_view::npos && is_token(line.substr(0, colon)) &&
         is_value(line.substr(colon + 1));
}

tl::expected<RequestHead, RequestFault> parse_head(std::string_view text) {
  const auto next_line = [&] {
    const std::size_t end = std::min(text.find("\r\n"), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 2, text.size()));
    return line;
  };
  auto head = parse_request_line(next_line());
  if (!head) return head;
  for (std::string_view line = next_line(); !line.empty(); line = next_line()) {
    if (line.front() == ' ' || line.front() == '\t') return wrong("a header field is folded over two lines");
    if (!is_field(line)) return wrong("a line of the head is not a header field");
    const std::size_t colon = line.find(':');
    head->fields.emplace_back(lowered(line.substr(0, colon)), trimmed(line.substr(colon + 1)));
  }
  if (auto fault = read_connection(*head)) return tl::make_unexpected(std::move(*fault));
  if (auto fault = read_framing(*head)) return tl::make_unexpected(std::move(*fault));
  return head;
}

std::optional<tl::expected<RequestHead, RequestFault>> RequestHeadReader::take(std::string_view& bytes) {
  while (!bytes.empty() && !whole_) {
    const char c = bytes.front();
    bytes.remove_prefix(1);
    if (auto fault = look_at(c)) {
      fault->path = path_in(text_);
      return tl::make_unexpected(std::move(*fault));
    }
  }
  if (!whole_) return std::nullopt;
  auto head = parse_head(text_);
  if (!head) head.error().path = path_in(text_);
  *this = {};
  return head;
}

std::optional<RequestFault> RequestHeadReader::look_at(char c) {
  const bool after_cr = text_.size() > line_ && text_.back() == '\r';
  if (c == '\0') return RequestFault{400, "the head has a NUL"};
  if ((c == '\n') != after_cr) return RequestFault{400, "a line of the head does not end with CR LF"};
  text_ += c;
  if (c != '\n') {
    if (text_.size() - line_ > kLineBytes)
      return lines_ == 0 ? RequestFault{414, "the target of the request is too long"}
                         : RequestFault{431, "a header field is too long"};
    return text_.size() > kHeadBytes ? std::optional(RequestFault{431, "the head is too long"})
                                     : std::nullopt;
  }
  const bool empty = text_.size() - line_ == 2;
  line_ = text_.size();
  if (empty && lines_ == 0) {
    // RFC 9112, 2.2: one that is left over from the request before is no harm.
    if (std::exchange(empty_before_, true)) return RequestFault{400, "the request line is missing"};
    text_.clear();
    line_ = 0;
    return std::nullopt;
  }
  whole_ = empty;
  return ++lines_ > kFields + 1 ? std::optional(RequestFault{431, "the head has too many header fields"})
                                : std::nullopt;
}

}  // namespace splitproof::server
