#include "proxy/request/environment.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <variant>

#include "proxy/request/escaped.hpp"
#include "proxy/wire/ascii.hpp"

namespace splitproof::request {
namespace {

using Fact = std::string EnvironmentFacts::*;

struct Key {
  std::string_view words;  // in lower case
  Fact fact;
};

constexpr std::array kKeys = {
    Key{"working directory", &EnvironmentFacts::directory},
    Key{"primary working directory", &EnvironmentFacts::directory},
    Key{"current working directory", &EnvironmentFacts::directory},
    Key{"cwd", &EnvironmentFacts::directory},
    Key{"is directory a git repo", &EnvironmentFacts::repository},
    Key{"is the directory a git repo", &EnvironmentFacts::repository},
    Key{"is a git repository", &EnvironmentFacts::repository},
    Key{"platform", &EnvironmentFacts::platform},
    Key{"os version", &EnvironmentFacts::system},
};

constexpr std::string_view kBlanks = " \t\r";

// Replacements for removed paths: they name no directory, and a model would look for them.
constexpr std::array<std::string_view, 2> kMarkers = {"\xE2\x80\xA6", "<workspace>"};

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

bool is_path(std::string_view value) {
  const bool drive = value.size() > 2 && wire::is_letter(value[0]) && value[1] == ':' &&
                     (value[2] == '\\' || value[2] == '/');
  return value.starts_with('/') || value.starts_with('~') || drive;
}

bool is_sound(std::string_view value) {
  return !value.empty() && std::none_of(value.begin(), value.end(), [](char c) {
    return static_cast<unsigned char>(c) < ' ' || c == '\x7F';
  }) && std::none_of(kMarkers.begin(), kMarkers.end(), [&](std::string_view marker) {
    return value.find(marker) != std::string_view::npos;
  });
}

void take(std::string_view value, Fact fact, EnvironmentFacts& facts) {
  std::string& known = facts.*fact;
  if (!known.empty() || !is_sound(value)) return;
  if (fact == &EnvironmentFacts::directory && !is_path(value)) return;
  known = value;
}

// Returns the text between backticks at the start of `text`; all of it without backticks.
std::string_view unquoted(std::string_view text) {
  if (!text.starts_with('`')) return text;
  const std::string_view inside = text.substr(1);
  return trimmed(inside.substr(0, inside.find('`')));
}

void read_pair(std::string_view line, EnvironmentFacts& facts) {
  line = trimmed(line);
  if (line.starts_with("- ") || line.starts_with("* ")) line = trimmed(line.substr(2));
  const std::size_t sign = line.find_first_of(":=");
  if (sign == std::string_view::npos) return;
  const std::string words = wire::lowered(trimmed(line.substr(0, sign)));
  for (const Key& key : kKeys) {
    if (key.words == words) take(unquoted(trimmed(line.substr(sign + 1))), key.fact, facts);
  }
}

// Without a closing tag, the directory ends with its line.
void read_tag(std::string_view line, EnvironmentFacts& facts) {
  constexpr std::string_view kOpen = "<cwd>";
  const std::size_t open = line.find(kOpen);
  if (open == std::string_view::npos) return;
  const std::string_view inside = line.substr(open + kOpen.size());
  take(trimmed(inside.substr(0, inside.find("</cwd>"))), &EnvironmentFacts::directory, facts);
}

// In a sentence the path ends at a blank. Punctuation after it is not part of it.
void read_sentence(std::string_view line, EnvironmentFacts& facts) {
  constexpr std::string_view kWords = "current working directory is ";
  const std::size_t words = wire::lowered(line).find(kWords);
  if (words == std::string::npos) return;
  const std::string_view rest = trimmed(line.substr(words + kWords.size()));
  std::string_view path = unquoted(rest);
  if (!rest.starts_with('`')) {
    path = path.substr(0, path.find_first_of(kBlanks));
    const std::size_t last = path.find_last_not_of(".,;:!?)\"'");
    path = path.substr(0, last == std::string_view::npos ? 0 : last + 1);
  }
  take(path, &EnvironmentFacts::directory, facts);
}

EnvironmentFacts facts_of(const Asked& asked) {
  EnvironmentFacts facts;
  for (const std::string& text : asked.system) find_facts(plain(text), facts);
  for (const Turn& turn : asked.turns) {
    if (turn.role == Role::assistant) continue;
    for (const Block& block : turn.blocks) {
      if (const auto* text = std::get_if<Text>(&block)) find_facts(plain(text->text), facts);
    }
  }
  return facts;
}

}  // namespace

void find_facts(std::string_view text, EnvironmentFacts& facts) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    read_pair(line, facts);
    read_tag(line, facts);
    read_sentence(line, facts);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

void lift_environment(Asked& asked) {
  if (asked.tools.empty() || asked.choice == Choice::none) return;
  const EnvironmentFacts facts = facts_of(asked);
  if (facts.directory.empty()) return;
  std::string text = "## Environment facts\n";
  for (const auto& [words, value] :
       {std::pair("Working directory", &facts.directory),
        std::pair("Is the directory a git repo", &facts.repository), std::pair("Platform", &facts.platform),
        std::pair("OS version", &facts.system)}) {
    if (!value->empty()) text.append("\n- ").append(words).append(": ").append(*value);
  }
  asked.system.push_back(escaped(text));
}

}  // namespace splitproof::request
