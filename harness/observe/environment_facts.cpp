#include "harness/observe/environment_facts.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "harness/lower_case.hpp"
#include "harness/observe/preamble_words.hpp"
#include "harness/observe/trimmed.hpp"

namespace splitproof::observe {
namespace {

constexpr std::string_view kReminderOpens = "<system-reminder>";
constexpr std::string_view kReminderCloses = "</system-reminder>";
constexpr std::string_view kTagOpens = "<cwd>";
constexpr std::string_view kTagCloses = "</cwd>";
constexpr const char* kDirectory = "cwd";

struct FactKey {
  const char* fact;
  std::string_view key;  ///< In lower case.
  FactForms known_in;
};

/// Keys before a colon, or before an equals sign if a client writes it so.
constexpr std::array kKeys = {
    FactKey{kDirectory, "working directory", FactForms::agreed},
    FactKey{kDirectory, "primary working directory", FactForms::agreed},
    FactKey{kDirectory, "current working directory", FactForms::any},
    FactKey{kDirectory, "cwd", FactForms::agreed},
    FactKey{"git", "is directory a git repo", FactForms::agreed},
    FactKey{"git", "is the directory a git repo", FactForms::any},
    FactKey{"git", "is a git repository", FactForms::agreed},
    FactKey{"git", "is git repo", FactForms::any},
    FactKey{"platform", "platform", FactForms::agreed},
    FactKey{"os", "os version", FactForms::agreed},
};

constexpr std::array kProse = {
    std::pair(std::string_view("current working directory is "), FactForms::agreed),
    std::pair(std::string_view("working directory is "), FactForms::any)};
constexpr std::string_view kSpokenOf = "working directory";

bool knows(FactForms forms, FactForms known_in) {
  return forms == FactForms::any || known_in == FactForms::agreed;
}

bool is_marked(std::string_view value) {
  return std::any_of(std::begin(kMarkers), std::end(kMarkers),
                     [&](std::string_view marker) { return value.find(marker) != value.npos; });
}

bool has_control(std::string_view value) {
  return std::any_of(value.begin(), value.end(),
                     [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; });
}

bool is_directory(std::string_view value) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  const bool drive =
      value.size() > 2 && letter(value[0]) && value[1] == ':' && (value[2] == '\\' || value[2] == '/');
  return drive || value.starts_with('/') || value.starts_with('~');
}

bool is_fit(std::string_view fact, std::string_view value) {
  return !value.empty() && !has_control(value) && !is_marked(value) &&
         (fact != kDirectory || is_directory(value));
}

struct Saying {
  const char* fact;
  std::string value;
};

/// Reads the facts of one text in order, valid or not.
class FactReader {
 public:
  FactReader(std::string_view text, FactForms forms) : forms_(forms) {
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      read_line(trimmed(text.substr(begin, end - begin)));
      begin = end + 1;
    }
  }

  std::vector<Saying> sayings() && { return std::move(sayings_); }

 private:
  void add(const char* fact, std::string_view value) {
    sayings_.push_back({fact, std::string(trimmed(trimmed(value), "`"))});
  }

  void read_line(std::string_view line) {
    if (read_tag(line)) return;
    if (line.starts_with("- ") || line.starts_with("* ")) line = trimmed(line.substr(2));
    const std::size_t mark = line.find_first_of(":=");
    if (mark != line.npos) {
      const std::string key = lower_case(std::string(trimmed(trimmed(line.substr(0, mark)), "`")));
      for (const FactKey& one : kKeys)
        if (one.key == key && knows(forms_, one.known_in)) return add(one.fact, line.substr(mark + 1));
    }
    read_prose(line);
  }

  bool read_tag(std::string_view line) {
    const std::size_t opens = line.find(kTagOpens);
    if (opens == line.npos) return false;
    const std::string_view behind = line.substr(opens + kTagOpens.size());
    add(kDirectory, behind.substr(0, behind.find(kTagCloses)));
    return true;
  }

  /// Reads a directory in a sentence, up to the next white space.
  void read_prose(std::string_view line) {
    const std::string lower = lower_case(std::string(line));
    for (const auto& [words, known_in] : kProse) {
      const std::size_t at = lower.find(words);
      if (at == lower.npos || !knows(forms_, known_in)) continue;
      const std::string_view behind = line.substr(at + words.size());
      const bool quoted = behind.starts_with('`');
      const std::string_view value = quoted ? behind.substr(1, behind.find('`', 1) - 1)
                                            : trimmed(behind.substr(0, behind.find_first_of(" \t,")), ".;!?");
      if (is_directory(value)) return add(kDirectory, value);
    }
  }

  FactForms forms_;
  std::vector<Saying> sayings_;
};

/// Returns the texts in which a client may state facts, in order.
std::vector<std::string> texts_of(const AskedRequest& asked, FactForms forms) {
  std::vector<std::string> texts;
  const auto add_all = [&texts](const std::vector<AskedBlock>& blocks) {
    for (const AskedBlock& block : blocks)
      if (block.kind == AskedKind::text && block.text) texts.push_back(*block.text);
  };
  const auto add_reminders = [&texts](std::string_view text) {
    for (std::size_t at = text.find(kReminderOpens); at != text.npos;
         at = text.find(kReminderOpens, at + 1)) {
      const std::string_view behind = text.substr(at + kReminderOpens.size());
      texts.emplace_back(behind.substr(0, behind.find(kReminderCloses)));
    }
  };
  add_all(asked.system);
  for (const AskedTurn& turn : asked.turns) {
    const bool of_user = turn.role == "user";
    if (turn.role == "system" || turn.role == "developer" || (of_user && forms == FactForms::any)) {
      add_all(turn.blocks);
    } else if (of_user) {
      for (const AskedBlock& block : turn.blocks)
        if (block.kind == AskedKind::text && block.text) add_reminders(*block.text);
    }
  }
  return texts;
}

std::vector<Saying> sayings_in(const AskedRequest& asked, FactForms forms) {
  std::vector<Saying> all;
  for (const std::string& text : texts_of(asked, forms))
    for (Saying& one : FactReader(text, forms).sayings()) all.push_back(std::move(one));
  return all;
}

}  // namespace

EnvironmentFacts facts_said_in(const AskedRequest& asked, FactForms forms) {
  EnvironmentFacts facts;
  for (const Saying& one : sayings_in(asked, forms))
    if (is_fit(one.fact, one.value)) facts.emplace(one.fact, one.value);
  return facts;
}

UnfitFacts unfit_facts_in(const AskedRequest& asked) {
  UnfitFacts unfit;
  std::set<std::string> directories;
  for (const Saying& one : sayings_in(asked, FactForms::any)) {
    if (one.fact != std::string_view(kDirectory)) continue;
    unfit.marked = unfit.marked || is_marked(one.value);
    if (is_fit(one.fact, one.value)) directories.insert(one.value);
  }
  unfit.several = directories.size() > 1;
  for (const std::string& text : texts_of(asked, FactForms::any))
    unfit.in_prose = unfit.in_prose || lower_case(text).find(kSpokenOf) != std::string::npos;
  unfit.in_prose = unfit.in_prose && directories.empty() && !unfit.marked;
  return unfit;
}

EnvironmentFacts facts_in_block(std::string_view block) {
  EnvironmentFacts facts;
  for (Saying& one : FactReader(block, FactForms::any).sayings())
    facts.emplace(one.fact, std::move(one.value));
  return facts;
}

}  // namespace splitproof::observe
