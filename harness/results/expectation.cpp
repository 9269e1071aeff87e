#include "harness/results/expectation.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <optional>
#include <utility>

#include "harness/glob.hpp"
#include "harness/observe/trimmed.hpp"
#include "harness/results/result.hpp"
#include "harness/results/rule.hpp"

namespace splitproof::results {
namespace {

constexpr std::string_view kKeyword = "VIOLATES";
constexpr std::string_view kSays = "says=\"";
constexpr std::string_view kBlanks = " \t";
constexpr const char* kForm =
    "write VIOLATES TARGET-GLOB RECORDING-GLOB OBLIGATION-GLOB # reason, or DIES, HANGS or "
    "GARBLES TARGET-GLOB # reason";
constexpr const char* kWordNames[] = {"keyword", "target", "recording", "obligation"};

// A failure of a whole target.
struct OfTarget {
  std::string_view keyword;
  std::string_view obligation;
};
constexpr OfTarget kOfTarget[] = {{"DIES", kCrashed}, {"HANGS", kHung}, {"GARBLES", kGarbage}};

bool is_blank(char c) { return kBlanks.find(c) != std::string_view::npos; }

struct LineWords {
  std::vector<std::string> words;
  std::string reason;
  bool torn = false;  // a trailing backslash, or an open quote
};

LineWords words_of(std::string_view line) {
  LineWords found;
  for (std::size_t at = 0; at < line.size();) {
    if (is_blank(line[at])) {
      ++at;
      continue;
    }
    if (line[at] == '#') {
      found.reason = observe::trimmed(line.substr(at + 1), kBlanks);
      break;
    }
    const std::size_t begin = at;
    const bool quoted = line.substr(at).starts_with(kSays);
    if (quoted) at += kSays.size();
    while (at < line.size() && (quoted ? line[at] != '"' : !is_blank(line[at])))
      at += line[at] == '\\' ? 2 : 1;
    found.torn |= at > line.size() || (quoted && at == line.size());
    at = std::min(at + (quoted ? 1 : 0), line.size());
    found.words.emplace_back(line.substr(begin, at - begin));
  }
  return found;
}

// Returns the text in quotes of a word `says="..."`.
std::string unquoted(std::string_view word) {
  std::string text;
  for (std::size_t at = kSays.size(); at + 1 < word.size(); ++at) {
    if (word[at] == '\\') ++at;
    text += word[at];
  }
  return text;
}

bool is_date(const std::string& text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return false;
  const auto number = [&](std::size_t at, std::size_t size) {
    int value = -1;
    const char* end = text.data() + at + size;
    return std::from_chars(text.data() + at, end, value).ptr == end ? value : -1;
  };
  return std::chrono::year_month_day{std::chrono::year(number(0, 4)),
                                     std::chrono::month(static_cast<unsigned>(number(5, 2))),
                                     std::chrono::day(static_cast<unsigned>(number(8, 2)))}
      .ok();
}

// Parses a word with `=` into the entry. Returns the error or "".
std::string take_option(const std::string& word, Expectation& entry) {
  const std::string value = word.substr(word.find('=') + 1);
  if (word.starts_with(kSays) && !entry.of_target) {
    entry.says = unquoted(word);
    return entry.says.empty() ? "'says' is empty" : "";
  }
  if (word.starts_with("until=")) {
    entry.until = value;
    return is_date(value) ? "" : "'" + value + "' is not a date";
  }
  if (word.starts_with("ticket=")) {
    entry.ticket = value;
    return value.empty() ? "'ticket' is empty" : "";
  }
  return "'" + word + "' is after the " + (entry.of_target ? "target" : "obligation");
}

// Returns the expectation of a line, or nullopt for a comment.
Result<std::optional<Expectation>> parse_line(std::string_view line, const std::string& file,
                                              std::size_t number) {
  const auto broken = [&](const std::string& what, const std::string& hint) {
    return tl::unexpected(Error{what, file, number, hint});
  };
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (line.find('\0') != std::string_view::npos) return broken("has a zero byte, so it is not text", kForm);
  if (line.find('\r') != std::string_view::npos)
    return broken("has a carriage return", "end each line with LF, or with one CR and LF");
  LineWords found = words_of(line);
  std::vector<std::string>& words = found.words;
  if (words.empty()) return std::optional<Expectation>();
  const auto* whole = std::find_if(std::begin(kOfTarget), std::end(kOfTarget),
                                   [&](const OfTarget& one) { return one.keyword == words.front(); });
  const bool of_target = whole != std::end(kOfTarget);
  if (words.front() != kKeyword && !of_target)
    return broken("'" + words.front() + "' is not the beginning of an expectation", kForm);
  const std::size_t fixed = of_target ? 2 : std::size(kWordNames);
  if (words.size() < fixed) return broken(std::string("lacks its ") + kWordNames[words.size()], kForm);
  if (found.torn)
    return broken("ends in a backslash or within quotes", "write a backslash as \\\\ and a quote as \\\"");
  Expectation entry{std::move(words[1]), "*", {}, std::move(found.reason), file, number};
  entry.of_target = of_target;
  if (of_target) {
    entry.obligation = whole->obligation;
  } else {
    entry.recording = std::move(words[2]);
    entry.obligation = std::move(words[3]);
  }
  for (std::size_t i = fixed; i < words.size(); ++i) {
    const std::string wrong = take_option(words[i], entry);
    if (!wrong.empty())
      return broken(
          wrong,
          "write says=\"TEXT\", until=2026-12-31 or ticket=WORD; a reason begins with # after a blank");
  }
  return std::optional(std::move(entry));
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
  std::string text;
  if (expectation.of_target) {
    const auto* whole = std::find_if(std::begin(kOfTarget), std::end(kOfTarget), [&](const OfTarget& one) {
      return one.obligation == expectation.obligation;
    });
    text = std::string(whole->keyword) + " " + expectation.target;
  } else {
    text = std::string(kKeyword) + " " + expectation.target + " " + expectation.recording + " " +
           expectation.obligation;
  }
  if (!expectation.says.empty()) {
    text += " " + std::string(kSays);
    for (const char c : expectation.says) {
      if (c == '"' || c == '\\') text += '\\';
      text += c;
    }
    text += '"';
  }
  if (!expectation.until.empty()) text += " until=" + expectation.until;
  if (!expectation.ticket.empty()) text += " ticket=" + expectation.ticket;
  if (!expectation.reason.empty()) text += " # " + expectation.reason;
  return text;
}

std::string beginning_of(std::string_view message) {
  constexpr std::size_t kMost = 100;
  const auto plain = [](char c) {
    return c >= ' ' && c <= '~' && std::string_view("0123456789\"[{\\").find(c) == std::string_view::npos;
  };
  const auto chosen = std::find_if_not(message.begin(), message.end(), plain);
  std::string_view beginning =
      message.substr(0, std::min(static_cast<std::size_t>(chosen - message.begin()), kMost));
  beginning = beginning.substr(0, beginning.find("..."));
  const std::size_t end = beginning.find_last_not_of(" -,;:(");
  return std::string(beginning.substr(0, end == std::string_view::npos ? 0 : end + 1));
}

std::string glob_of(std::string_view name) {
  std::string glob;
  for (const char c : name) {
    if (c == '\n' || c == '\r') {
      glob += '?';  // not representable in a line
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

bool accepts(const Expectation& expectation, const std::string& message, bool by_chance) {
  return (by_chance || !expectation.of_target) && message.starts_with(expectation.says);
}

void apply_expectations(RecordingResult& result, const std::vector<Expectation>& expectations) {
  for (Row& row : result.rows) {
    if (row.verdict != contract::Verdict::violated) continue;
    std::vector<const Expectation*> about;
    for (const Expectation& expectation : expectations)
      if (fits(expectation, result.target, result.recording.id, row.rule)) about.push_back(&expectation);
    row.expectation.reset();
    const auto accepting = [&](const std::string& message, bool by_chance) {
      const auto found = std::find_if(about.begin(), about.end(), [&](const Expectation* one) {
        return accepts(*one, message, by_chance);
      });
      return found == about.end() ? nullptr : *found;
    };
    const Expectation* const of_first = accepting(row.first->message, !row.first->alone);
    std::optional<Reproducer> unexpected;  // of another case
    for (Behaviour& behaviour : result.behaviours) {
      for (Symptom& symptom : behaviour.symptoms) {
        if (symptom.rule != row.rule) continue;
        symptom.expected = accepting(symptom.message, false) != nullptr;
        if (!symptom.expected && !unexpected) unexpected = reproducer_of(behaviour, symptom);
      }
    }
    if (of_first != nullptr && !unexpected) row.expectation = *of_first;
    if (of_first != nullptr && unexpected) row.first = std::move(unexpected);
  }
}

std::vector<Expectation> take_expired(std::vector<Expectation>& expectations, const std::string& today) {
  std::vector<Expectation> expired;
  std::erase_if(expectations, [&](const Expectation& one) {
    const bool is_over = !one.until.empty() && one.until < today;
    if (is_over) expired.push_back(one);
    return is_over;
  });
  return expired;
}

std::vector<StaleExpectation> stale(const std::vector<Expectation>& expectations,
                                    const std::vector<RecordingResult>& results) {
  std::vector<StaleExpectation> all;
  for (const Expectation& expectation : expectations) {
    bool target = false;
    bool any = false;
    bool met = false;
    bool violated = false;
    bool accepted = false;
    for (const RecordingResult& result : results) {
      if (!matches(expectation.target, result.target)) continue;
      target = true;
      for (const Row& row : result.rows) {
        if (!fits(expectation, result.target, result.recording.id, row.rule)) continue;
        any = true;
        met |= row.verdict == contract::Verdict::met;
        if (row.verdict != contract::Verdict::violated) continue;
        violated = true;
        accepted |= accepts(expectation, row.first->message, !row.first->alone);
        for (const Behaviour& behaviour : result.behaviours)
          for (const Symptom& symptom : behaviour.symptoms)
            accepted |= symptom.rule == row.rule && accepts(expectation, symptom.message, false);
      }
    }
    if (!target || accepted || expectation.of_target) continue;
    all.push_back({expectation, violated ? "no violation has this beginning"
                                : met    ? "the rule was met"
                                : any    ? "the rule was not exercised or not judged"
                                         : "no result matches it"});
  }
  return all;
}

}  // namespace splitproof::results
