#include "harness/recording/capture.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/json_member.hpp"
#include "harness/lower_case.hpp"
#include "harness/recording/base64.hpp"
#include "harness/strict_json.hpp"

namespace splitproof::recording {
namespace {

using nlohmann::json;

constexpr std::string_view kBlanks = " \t\r\n";
constexpr const char* kRaw = "capture the raw body, for example with curl -sN URL > FILE";

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  lines.reserve(static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) + 1);
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.push_back(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

bool is_blank(std::string_view text) { return text.find_first_not_of(kBlanks) == std::string_view::npos; }

/// True for a line of an event stream that is not blank.
bool is_field(std::string_view line) {
  constexpr std::array<std::string_view, 4> kFields = {"data", "event", "id", "retry"};
  if (line.starts_with(':')) return true;
  return std::any_of(kFields.begin(), kFields.end(), [&](std::string_view field) {
    return line.starts_with(field) && (line.size() == field.size() || line[field.size()] == ':');
  });
}

bool has_data(std::string_view line) { return line.starts_with("data:"); }

/// True if every line is one of an event stream, and some have data. The last line may be cut off.
bool is_stream(std::string_view text) {
  const std::vector<std::string_view> lines = lines_of(text);
  bool data = false;
  for (const std::string_view& line : lines) {
    const bool cut_off = &line == &lines.back() && !text.ends_with('\n');
    if (!line.empty() && !is_field(line) && !cut_off) return false;
    data = data || has_data(line);
  }
  return data;
}

bool is_object(std::string_view text) {
  const auto value = parse_strict_json(text);
  return value && (*value)->is_object();
}

std::string joined(const std::vector<std::string_view>& lines) {
  std::string text;
  for (const std::string_view line : lines) text.append(line) += '\n';
  return text;
}

/// The text without the blank lines that it begins with.
std::string_view without_head(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of("\r\n"), text.size()));
}

struct Compression {
  std::string_view magic;
  std::string_view name;
  std::string_view program;
};

constexpr std::array<Compression, 5> kCompressions = {{{"\x1f\x8b", "gzip", "gzip -dc"},
                                                       {"\xfd\x37zXZ", "xz", "xz -dc"},
                                                       {"\x28\xb5\x2f\xfd", "zstd", "zstd -dc"},
                                                       {"BZh", "bzip2", "bzip2 -dc"},
                                                       {"PK\x03\x04", "zip", "unzip -p"}}};

/// What is found of a file.
class Finder {
 public:
  Finder(const std::string& file, std::string_view bytes) : file_(file), bytes_(bytes), text_(bytes) {
    if (text_.starts_with("\xEF\xBB\xBF")) text_.remove_prefix(3);
    lines_ = lines_of(text_);
    const auto first = std::find_if_not(lines_.begin(), lines_.end(), is_blank);
    if (first != lines_.end()) first_ = *first;
  }

  Result<Capture> find() {
    for (const Compression& one : kCompressions) {
      if (!bytes_.starts_with(one.magic)) continue;
      return refuse("is compressed with " + std::string(one.name),
                    std::string(one.program) + " " + file_ + " | splitproof check -");
    }
    if (bytes_.starts_with("\x89PNG"))
      return refuse("is a picture", "give the stream that a server answered with");
    if (bytes_.starts_with("\xFF\xFE") || bytes_.starts_with("\xFE\xFF"))
      return refuse("is UTF-16", "an event stream is UTF-8: iconv -f UTF-16 -t UTF-8 " + file_);
    if (is_field(first_)) return of_fields();
    const std::array<std::optional<Result<Capture>> (Finder::*)(), 9> kinds = {
        &Finder::http,     &Finder::curl,   &Finder::json_document, &Finder::json_lines, &Finder::html,
        &Finder::cassette, &Finder::fenced, &Finder::prefixed,      &Finder::base64};
    for (const auto kind : kinds)
      if (auto found = (this->*kind)()) return *std::move(found);
    const bool any = bytes_.find('\0') != std::string_view::npos ||
                     std::any_of(lines_.begin(), lines_.end(), has_data) || first_.empty();
    if (!any) return refuse("holds no event stream: no line of it begins with data:", kRaw);
    return Capture{std::string(bytes_), {}};
  }

 private:
  static Result<Capture> taken(std::string_view stream, std::string wrapper) {
    return Capture{std::string(stream), std::move(wrapper)};
  }

  Result<Capture> refuse(std::string what, std::string hint) const {
    return tl::unexpected(Error{std::move(what), file_, 0, std::move(hint)});
  }

  Result<Capture> of_fields() {
    // One line of text with \n in it, as a log or a program's source has it.
    if (lines_.size() == 1 && text_.find("\\n") != std::string_view::npos) {
      std::string plain(first_);
      if (first_.find("\\\"") == std::string_view::npos) {
        plain.clear();
        for (const char c : first_) c == '"' ? plain += "\\\"" : plain += c;
      }
      const auto value = parse_strict_json("\"" + plain + "\"");
      if (value && is_stream(text_of(**value))) return taken(text_of(**value), "a text with escapes");
    }
    std::size_t data = 0;
    const bool data_alone = std::all_of(lines_.begin(), lines_.end(), [&](std::string_view line) {
      if (!has_data(line)) return false;
      ++data;
      const std::string_view said = line.substr(5);
      return is_object(said) || said.find('[') != std::string_view::npos;
    });
    if (data_alone && data > 1)
      return refuse("has lines of data and no blank line, so no event of it ends",
                    "if blank lines were lost on the way, put them back: sed G " + file_);
    return Capture{std::string(bytes_), {}};
  }

  std::optional<Result<Capture>> http() {
    if (!first_.starts_with("HTTP/")) return std::nullopt;
    std::string_view rest = without_head(text_);
    std::string head;
    // The answers of status 100, and of proxies, come before the one that is meant.
    while (rest.starts_with("HTTP/")) {
      const std::size_t end = std::min({rest.find("\r\n\r\n"), rest.find("\n\n"), rest.size()});
      head = lower_case(std::string(rest.substr(0, end)));
      rest.remove_prefix(end);
      rest = without_head(rest);
    }
    if (head.find("\ncontent-encoding:") != std::string::npos)
      return refuse("is an HTTP response whose body is compressed",
                    "capture it with curl --compressed -sN URL > FILE");
    if (is_stream(rest)) return taken(rest, "an HTTP response");
    return refuse("is an HTTP response without a whole event stream", kRaw);
  }

  std::optional<Result<Capture>> curl() {
    // The meter stands within lines, in those of the stream, too.
    if (first_.find("% Total") != std::string_view::npos &&
        first_.find("% Received") != std::string_view::npos)
      return refuse("is the log of curl with a progress meter between its lines", kRaw);
    const auto is_log = [](std::string_view line) {
      return line == "*" || line.starts_with("* ") || line == ">" || line.starts_with("> ") || line == "<" ||
             line.starts_with("< ") ||
             ((line.starts_with("{ [") || line.starts_with("} [")) && line.ends_with("]"));
    };
    const bool asked = std::any_of(lines_.begin(), lines_.end(), [](std::string_view line) {
      return line.starts_with("> ") || line.starts_with("< HTTP/");
    });
    if (!is_log(first_) || !asked) return std::nullopt;
    std::vector<std::string_view> rest;
    std::copy_if(lines_.begin(), lines_.end(), std::back_inserter(rest),
                 [&](std::string_view line) { return !is_log(line); });
    const std::string body = joined(rest);
    if (is_stream(without_head(body))) return taken(without_head(body), "the log of curl -v");
    return refuse("is the log of curl -v without a whole event stream", kRaw);
  }

  std::optional<Result<Capture>> json_document() {
    if (first_.empty() || std::string_view("{[\"").find(first_.front()) == std::string_view::npos)
      return std::nullopt;
    const auto parsed = parse_strict_json(text_);
    if (!parsed) return std::nullopt;
    const json& value = **parsed;
    if (value.is_string()) {
      if (is_stream(text_of(value))) return taken(text_of(value), "a JSON string");
      return refuse("is a JSON string that holds no event stream", kRaw);
    }
    const json& entries = member(member(value, "log"), "entries");
    if (entries.is_array()) return har(entries);
    if (value.contains("splitproof"))
      return refuse("is the head of a recording", "see splitproof replay --help");
    const std::string found = value.is_array() ? "is a JSON array" : "is one JSON document";
    return refuse(found + ", and no event stream",
                  "ask for a stream (\"stream\": true), and " + std::string(kRaw));
  }

  Result<Capture> har(const json& entries) {
    std::vector<std::pair<std::size_t, std::string>> streams;
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const json& content = member(member(entries[i], "response"), "content");
      std::string text = string_at(content, "text");
      if (string_at(content, "encoding") == "base64") text = from_base64(text).value_or("");
      if (is_stream(text)) streams.emplace_back(i + 1, std::move(text));
    }
    if (streams.size() == 1)
      return taken(streams[0].second, "a HAR file (entry " + std::to_string(streams[0].first) + ")");
    std::string numbers;
    for (const auto& [number, text] : streams)
      numbers += (numbers.empty() ? "" : ", ") + std::to_string(number);
    if (streams.empty()) return refuse("is a HAR file without the body of an event stream", kRaw);
    return refuse("is a HAR file with several event streams, in entries " + numbers,
                  "take one out: jq -r '.log.entries[" + std::to_string(streams[0].first - 1) +
                      "].response.content.text' " + file_);
  }

  std::optional<Result<Capture>> json_lines() {
    if (!first_.starts_with('{')) return std::nullopt;
    if (first_.starts_with("{\"splitproof\":"))
      return refuse("is a recording, and no captured body",
                    "see splitproof replay --help, or splitproof run --corpus DIR");
    std::size_t events = 0;
    for (const std::string_view& line : lines_) {
      if (is_blank(line)) continue;
      const auto value = parse_strict_json(line);
      const bool last = &line == &lines_.back();
      if (!value && last && events > 0) continue;
      if (!value || !(*value)->is_object()) return std::nullopt;
      if ((*value)->contains("done")) return std::nullopt;  // such lines are themselves a stream
      ++events;
    }
    return refuse("has JSON, one object a line, without the event stream around it", kRaw);
  }

  std::optional<Result<Capture>> html() {
    const std::string begin = lower_case(std::string(first_.substr(0, 15)));
    if (!begin.starts_with("<!doctype") && !begin.starts_with("<html")) return std::nullopt;
    return refuse("is an HTML page",
                  "the server, or something before it, answered with a page: ask it again");
  }

  std::optional<Result<Capture>> cassette() {
    const bool is_one = std::any_of(lines_.begin(), lines_.end(), [](std::string_view line) {
      return line.starts_with("interactions:") || line.starts_with("http_interactions:");
    });
    if (!is_one) return std::nullopt;
    return refuse("is a cassette of recorded HTTP, in YAML",
                  "take the text of response.body out of it, and save that");
  }

  std::optional<Result<Capture>> fenced() {
    std::vector<std::string> streams;
    std::optional<std::vector<std::string_view>> inside;
    bool any = false;
    for (const std::string_view line : lines_) {
      if (line.starts_with("```") || line.starts_with("~~~")) {
        any = true;
        if (inside && is_stream(joined(*inside))) streams.push_back(joined(*inside));
        inside = inside ? std::nullopt : std::optional(std::vector<std::string_view>());
      } else if (inside) {
        inside->push_back(line);
      }
    }
    if (!any) return std::nullopt;
    if (inside)
      return refuse("is a text that breaks off in a fence", "save the whole stream as a file of its own");
    if (streams.size() == 1 && streams[0].find("\n\n") == std::string::npos)
      return refuse("has a stream without blank lines in a fence, so no event of it ends",
                    "save the stream as a file of its own, with a blank line behind each event");
    if (streams.size() == 1) return taken(streams[0], "a fence in Markdown");
    return refuse("is a text with " +
                      (streams.empty() ? std::string("no event stream") : "several event streams") +
                      " between fences",
                  "save one stream as a file of its own");
  }

  /// The same before each line, but for its digits: a time, the name of a container, the level of a log.
  std::optional<Result<Capture>> prefixed() {
    std::size_t length = std::string_view::npos;
    for (const char* field : {"event:", "data:", ": "}) length = std::min(length, first_.find(field));
    if (length == std::string_view::npos || length == 0) return std::nullopt;
    const auto shape = [](std::string_view text) {
      std::string made(text);
      for (char& c : made)
        if (c >= '0' && c <= '9') c = '0';
      return made;
    };
    const std::string prefix = shape(first_.substr(0, length));
    const std::string bare = prefix.substr(0, prefix.find_last_not_of(" \t") + 1);
    std::vector<std::string_view> rest;
    std::size_t alike = 0;
    for (const std::string_view line : lines_) {
      const bool is_prefixed = shape(line.substr(0, length)) == prefix;
      if (!is_prefixed && shape(line) != bare && !is_blank(line)) return std::nullopt;
      rest.push_back(is_prefixed ? line.substr(length) : std::string_view());
      alike += is_prefixed ? 1 : 0;
    }
    if (alike < 2) return std::nullopt;  // one line shows no prefix
    const std::string body = joined(rest);
    if (!is_stream(body)) return std::nullopt;
    return taken(body, "a log with a prefix before each line");
  }

  std::optional<Result<Capture>> base64() {
    std::string packed;
    for (const std::string_view line : lines_) packed += line;
    constexpr std::size_t kLeast = 16;
    if (packed.size() < kLeast) return std::nullopt;
    // What was cut off lacks no more than its last bytes.
    const auto bytes = from_base64(packed.size() % 4 == 0 ? packed : packed.substr(0, packed.size() / 4 * 4));
    if (!bytes) return std::nullopt;
    if (is_stream(*bytes)) return taken(*bytes, "base64");
    return refuse("is base64 of something that is no event stream", "base64 -d " + file_);
  }

  const std::string& file_;
  std::string_view bytes_;
  std::string_view text_;  ///< without a byte order mark
  std::vector<std::string_view> lines_;
  std::string_view first_;  ///< of the lines, the first that is not blank
};

}  // namespace

Result<Capture> read_capture(const std::string& file, std::string_view bytes) {
  return Finder(file, bytes).find();
}

}  // namespace splitproof::recording
