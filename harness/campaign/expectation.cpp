#include "harness/campaign/expectation.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "harness/campaign/campaign.hpp"
#include "harness/campaign/glob.hpp"

namespace splitproof::campaign {
namespace {

constexpr std::string_view kKeyword = "VIOLATES";
constexpr std::string_view kBlanks = " \t";
constexpr const char* kForm = "a line is VIOLATES TARGET-GLOB RECORDING-GLOB OBLIGATION-GLOB # reason";
constexpr const char* kWordNames[] = {"keyword", "target", "recording", "obligation"};

bool is_blank(char c) { return kBlanks.find(c) != std::string_view::npos; }

std::string trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return std::string(text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1));
}

struct Words {
  std::vector<std::string> words;
  std::string reason;
  bool torn = false;  // a backslash has nothing behind it
};

Words words_of(std::string_view line) {
  Words found;
  for (std::size_t at = 0; at < line.size();) {
    if (is_blank(line[at])) {
      ++at;
      continue;
    }
    if (line[at] == '#') {
      found.reason = trimmed(line.substr(at + 1));
      break;
    }
    const std::size_t begin = at;
    while (at < line.size() && !is_blank(line[at])) at += line[at] == '\\' ? 2 : 1;
    found.torn |= at > line.size();
    found.words.emplace_back(line.substr(begin, at - begin));
  }
  return found;
}

// The expectation of a line, or nothing for a comment.
Result<std::optional<Expectation>> parse_line(std::string_view line, const std::string& file,
                                              std::size_t number) {
  const auto broken = [&](const std::string& what, const std::string& hint) {
    return tl::unexpected(Error{what, file, number, hint});
  };
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (line.find('\0') != std::string_view::npos) return broken("holds a zero byte, so it is not text", kForm);
  Words found = words_of(line);
  std::vector<std::string>& words = found.words;
  if (words.empty()) return std::optional<Expectation>();
  if (words.front() != kKeyword) return broken("'" + words.front() + "' begins no expectation", kForm);
  constexpr std::size_t kWords = std::size(kWordNames);
  if (words.size() < kWords) return broken(std::string("names no ") + kWordNames[words.size()], kForm);
  if (words.size() > kWords) {
    return broken("'" + words[kWords] + "' stands after the obligation",
                  "a reason begins with # after a blank");
  }
  if (found.torn) return broken("ends in a backslash", "a backslash itself is \\\\");
  return std::optional(Expectation{std::move(words[1]), std::move(words[2]), std::move(words[3]),
                                   std::move(found.reason), file, number});
}

}  // namespace

Result<ExpectationFile> parse_expectations(std::string_view text, const std::string& file) {
  ExpectationFile read;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    at = end + 1;
    read.lines.emplace_back(line);
    Result<std::optional<Expectation>> entry = parse_line(line, file, read.lines.size());
    if (!entry) return tl::unexpected(entry.error());
    if (*entry) read.entries.push_back(std::move(**entry));
  }
  return read;
}

std::string line_of(const Expectation& expectation) {
  std::string text = std::string(kKeyword) + " " + expectation.target + " " + expectation.recording + " " +
                     expectation.obligation;
  if (!expectation.reason.empty()) text += " # " + expectation.reason;
  return text;
}

std::string glob_of(std::string_view name) {
  std::string glob;
  for (const char c : name) {
    if (c == '\n' || c == '\r') {
      glob += '?';  // a line cannot hold it
      continue;
    }
    if (is_blank(c) || std::string_view("*?[\\#").find(c) != std::string_view::npos) glob += '\\';
    glob += c;
  }
  return glob;
}

bool fits(const Expectation& expectation, const std::string& target, const std::string& recording,
          const std::string& obligation) {
  return matches(expectation.target, target) && matches(expectation.recording, recording) &&
         matches(expectation.obligation, obligation);
}

void apply_expectations(RecordingResult& result, const std::vector<Expectation>& expectations) {
  for (Row& row : result.rows) {
    if (row.verdict != contract::Verdict::violated) continue;
    const auto found =
        std::find_if(expectations.begin(), expectations.end(), [&](const Expectation& expectation) {
          return fits(expectation, result.target, result.recording->id, row.obligation->id);
        });
    if (found != expectations.end()) row.expectation = *found;
  }
}

std::vector<StaleExpectation> stale(const std::vector<Expectation>& expectations,
                                    const std::vector<RecordingResult>& results) {
  std::vector<StaleExpectation> all;
  for (const Expectation& expectation : expectations) {
    bool target = false;
    bool any = false;
    bool met = false;
    bool violated = false;
    for (const RecordingResult& result : results) {
      if (!matches(expectation.target, result.target)) continue;
      target = true;
      if (!matches(expectation.recording, result.recording->id)) continue;
      for (const Row& row : result.rows) {
        if (!matches(expectation.obligation, row.obligation->id)) continue;
        any = true;
        met |= row.verdict == contract::Verdict::met;
        violated |= row.verdict == contract::Verdict::violated;
      }
    }
    if (!target || violated) continue;
    all.push_back({expectation, met   ? "it was met"
                                : any ? "it was not exercised, or could not be judged"
                                      : "nothing that was run fits it"});
  }
  return all;
}

}  // namespace splitproof::campaign
