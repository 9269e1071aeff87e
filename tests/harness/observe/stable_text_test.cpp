// Tests what filters hold back, and what is due meanwhile. Texts grow byte by byte. The oracle for whole texts checks
// them with all continuations.

#include "harness/observe/stable_text.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "harness/observe/hidden_names.hpp"
#include "harness/observe/identity_phrases.hpp"
#include "harness/observe/internal_paths.hpp"
#include "harness/observe/own_identity.hpp"
#include "harness/observe/redacted.hpp"
#include "harness/observe/stable_arguments.hpp"
#include "harness/observe/stop_texts.hpp"
#include "harness/observe/taken_out.hpp"
#include "tests/harness/observe/meanings.hpp"
#include "tests/sanitized.hpp"

namespace splitproof::observe::stable_text_test {
namespace {

constexpr std::uint64_t kSeed = 20251125;
constexpr const char* kMarker = "\u2026";
constexpr const char* kModel = "claude-4";
const std::vector<std::string> kStops = {"END", "NDE", "D EN", "\n\nHuman:", ""};

using Texts = std::vector<std::string>;

// A filter: its result for a whole text, and its reading of a growing text.
struct Filter {
  std::string name;
  std::function<std::string(const std::string&)> whole;
  // Makes a reading that returns the settled part of each text. Each text begins with the one before.
  std::function<std::function<std::string(const std::string&)>()> grows;
  // True if all held bytes of a text have to wait. `told` is its settled part.
  std::function<bool(const std::string& text, const std::string& told)> excused;
  Texts words;
  std::string begins;  // prefix of every second text
};

bool is_begun(std::string_view tail, std::string_view word) {
  return tail.size() < word.size() && word.starts_with(tail);
}

template <class Words>
bool is_begun_of(std::string_view tail, const Words& words) {
  return std::any_of(words.begin(), words.end(), [&](const auto& word) { return is_begun(tail, word); });
}

std::string until_stop(const std::string& text) {
  return text.substr(0, first_stop(text, kStops).value_or(text.size()));
}

bool path_may_wait(std::string_view tail, const std::string& told) {
  const bool dots = tail.size() <= kMostPathDots && tail.find_first_not_of('.') == tail.npos;
  return tail.empty() || is_begun_of(tail, kInternalPaths) || (dots && told.ends_with(kMarker));
}

// Returns the end of arguments after decoding, without an incomplete escape.
std::string read_tail(std::string tail) {
  for (std::size_t length = std::min<std::size_t>(5, tail.size()); length > 0; --length) {
    const std::string end = tail.substr(tail.size() - length);
    if (!is_begun(end, "\\u002f") && !is_begun(end, "\\\"")) continue;
    tail.resize(tail.size() - length);
    break;
  }
  for (const char* slash : {"\\/", "\\u002f"})
    for (std::size_t at = tail.find(slash); at != tail.npos; at = tail.find(slash))
      tail.replace(at, std::string_view(slash).size(), "/");
  return tail;
}

Filter paths() {
  return {"paths",
          [](const std::string& text) { return redacted(text, kMarker); },
          [] {
            return [paths = StablePaths(), read = std::size_t{0},
                    told = std::string()](const std::string& text) mutable {
              for (; read < text.size(); ++read)
                paths.take(text[read], std::string_view(text).substr(read, 1), kMarker, told);
              return told;
            };
          },
          [](const std::string& text, const std::string& told) {
            return path_may_wait(redacted(text, kMarker).substr(told.size()), told);
          },
          {"/tmp/windsurf-workspace", "/opt/windsurf", "/opt/", "windsurf", "/home/user/projects/workspace-",
           "/tmp/windsurf", "x.y/z", ".", "..", "/", "\\", "a", " ", "\u00e9", "\n"},
          ""};
}

Filter arguments() {
  return {"arguments",
          [](const std::string& text) { return redacted_arguments(text, kMarker); },
          [] {
            return [reading = StableArguments(), read = std::size_t{0},
                    told = std::string()](const std::string& text) mutable {
              reading.take(std::string_view(text).substr(read), kMarker, told);
              read = text.size();
              return told;
            };
          },
          [](const std::string& text, const std::string& told) {
            return path_may_wait(read_tail(redacted_arguments(text, kMarker).substr(told.size())), told);
          },
          {"{",
           "}",
           "[",
           "]",
           "\"",
           "\"",
           "\"",
           ":",
           ",",
           "1",
           "true",
           "{\"p\":\"",
           "{\"p\":\"",
           "\",\"q\":\"",
           "\\/",
           "\\u002f",
           "\\u002e",
           "\\\"",
           "\\",
           "\\n",
           "/opt/windsurf",
           "/opt/",
           "\\u002fopt\\/",
           "windsurf",
           "x.y/z",
           ".",
           "..",
           "/",
           "a",
           " "},
          "{\"p\":\""};
}

Filter identity() {
  const auto whole = [](const std::string& text) { return with_identity_of(kModel, text); };
  return {
      "identity",
      whole,
      [] {
        return [reading = StableIdentity(), told = std::string()](const std::string& text) mutable {
          reading.read(text, kModel, told);
          return told;
        };
      },
      [whole](const std::string& text, const std::string& told) {
        if (told == whole(text)) return true;
        for (std::size_t begin = 0; begin < text.size(); ++begin) {
          const std::string before = text.substr(0, begin);
          const std::string tail = text.substr(begin);
          if (!begins_phrase(tail) || told != whole(before)) continue;
          // A phrase with this beginning is recognised in this place.
          for (const IdentityPhrase& phrase : identity_phrases()) {
            if (!phrase.text.starts_with(tail)) continue;
            const std::string all = before + phrase.text + ".";
            if (whole(all) == told + said_instead(phrase, all, begin, kModel) + ".") return true;
          }
        }
        return false;
      },
      {"I am ",      "I'm ",     "I\u2019m ", "my name is ", "My name", "Cascade",    "Kiro",    "Amazon Q",
       " Developer", "Windsurf", "Codeium",   "'s ",         " is an ", "AI ",        "coding ", "assistant",
       "As ",        "Acting ",  "as ",       "built by ",   "As",      " workspace", "the ",    "this ",
       "`",          "```",      "````",      "\n",          " ",       "\t",         "{",       "}",
       "[",          "]",        "\"",        "\\",          ":",       ",",          "1",       "true",
       "a",          "\u00e9",   ".",         "{\"p\":\"",   "I"},
      "{}\n{\"p\":\""};
}

Filter blocks() {
  return {"blocks",
          [](const std::string& text) { return without_hidden_blocks(text); },
          [] {
            return [reading = StableBlocks(), told = std::string()](const std::string& text) mutable {
              reading.read(text, told);
              return told;
            };
          },
          [](const std::string& text, const std::string& told) {
            const std::string tail = without_hidden_blocks(text).substr(told.size());
            return tail.empty() || std::any_of(kHiddenBlocks.begin(), kHiddenBlocks.end(), [&](auto name) {
                     // A complete tag would open a block there.
                     const std::string tag = "<" + std::string(name) + ">";
                     return is_begun(tail, tag) &&
                            without_hidden_blocks(text + tag.substr(tail.size())) == told;
                   });
          },
          {"<", ">", "</", "<user_information>", "</user_information>", "<workspace_layout>",
           "</workspace_layout>", "<workspace_", "user_", "information", "information>", "`", "```", "\n",
           " ", "a"},
          "<user_information>a</user_information>"};
}

Filter stops() {
  return {"stops",
          until_stop,
          [] {
            return [reading = StableStops()](const std::string& text) mutable {
              reading.read(text, kStops);
              return text.substr(0, reading.settled());
            };
          },
          [](const std::string& text, const std::string& told) {
            const std::string tail = until_stop(text).substr(told.size());
            return tail.empty() || is_begun_of(tail, kStops);
          },
          {"END", "EN", "D", "NDE", "E", " ", "N", "\n", "\nHu", "man:", "a"},
          ""};
}

TextFilters all_filters() {
  TextFilters filters;
  filters.choices.marker = Choices::Marker::ellipsis;
  filters.choices.rewrites_identity = filters.choices.strips_blocks = filters.choices.cuts_at_stops = true;
  filters.model = kModel;
  filters.stops = kStops;
  return filters;
}

// Returns the text of a part after all filters.
std::string left_of(const std::string& whole) {
  std::vector<Part> parts = {text(whole)};
  take_out(parts, all_filters().choices, kModel);
  cut_at_stops(parts, kStops);
  return parts.empty() ? "" : parts[0].text;
}

// All filters in sequence: only the size of the settled part is known.
Filter together() {
  Filter all{"together",
             left_of,
             [] {
               return [reading = StableText(PartKind::text),
                       read = std::size_t{0}](const std::string& text) mutable {
                 reading.take(std::string_view(text).substr(read), all_filters());
                 read = text.size();
                 // After a stop nothing is left. Before the end, more may be settled than a text that ends here has.
                 const std::string left = left_of(text + "\n");
                 EXPECT_LE(reading.settled(), left.size()) << text;
                 return left.substr(0, reading.settled());
               };
             },
             [](const std::string&, const std::string&) { return true; },
             {},
             ""};
  for (const Filter& filter : {paths(), identity(), blocks(), stops()})
    all.words.insert(all.words.end(), filter.words.begin(), filter.words.end());
  return all;
}

// Returns continuations of a text: some complete the word at its end, others do not.
Texts continuations(const std::string& text) {
  static const Texts kSpecial = [] {
    Texts special(kStops);
    for (const std::string_view path : kInternalPaths) special.emplace_back(path);
    for (const std::string_view name : kHiddenBlocks) special.push_back("<" + std::string(name) + ">");
    for (const IdentityPhrase& phrase : identity_phrases()) special.push_back(phrase.text);
    return special;
  }();
  Texts all = {"",
               "x",
               " ",
               ".",
               "..a",
               "\n",
               "`",
               "```\n",
               "/",
               "\"",
               "\\",
               "\"}",
               "}",
               "]",
               "</user_information>\nz",
               "</workspace_layout>"};
  for (const std::string& word : kSpecial) {
    for (std::size_t length = 1; length <= std::min(text.size(), word.size()); ++length) {
      if (!text.ends_with(std::string_view(word).substr(0, length))) continue;
      all.push_back(word.substr(length) + ".");
      all.push_back(word.substr(length) + "s");
    }
  }
  return all;
}

struct Tally {
  std::size_t prefixes = 0;
  std::size_t continued = 0;
  std::size_t waited = 0;  // prefixes with held bytes
};

void try_text(const Filter& filter, const std::string& text, Tally& tally) {
  auto grows = filter.grows();
  for (std::size_t length = 0; length <= text.size(); ++length) {
    const std::string begun = text.substr(0, length);
    const std::string told = grows(begun);
    ASSERT_EQ(filter.grows()(begun), told) << "in pieces or at once: " << begun;
    ASSERT_TRUE(filter.excused(begun, told))
        << "more waits than has to\nof    " << begun << "\nis told " << told;
    Texts behind = continuations(begun);
    behind.push_back(text.substr(length));
    for (const std::string& more : behind) {
      const std::string whole = filter.whole(begun + more);
      ASSERT_EQ(whole.substr(0, told.size()), told) << "of " << begun << "\nand  " << more;
    }
    ++tally.prefixes;
    tally.continued += behind.size();
    tally.waited += told.size() < filter.whole(begun).size() ? 1 : 0;
  }
}

class SettledTexts : public testing::TestWithParam<Filter> {};

TEST_P(SettledTexts, NothingThatIsSettledChangesAndNothingWaitsThatNeedNot) {
  const Filter& filter = GetParam();
  std::mt19937_64 random(kSeed);
  Tally tally;
  for (int n = 0; n < (kSanitized ? 20 : 250); ++n) {
    std::string text = n % 2 == 0 ? filter.begins : "";
    for (std::size_t words = 1 + random() % 9; words > 0; --words)
      text += filter.words[random() % filter.words.size()];
    ASSERT_NO_FATAL_FAILURE(try_text(filter, text, tally));
  }
  std::printf("seed %llu, %s: %zu beginnings, %zu of them wait; %zu continuations\n",
              static_cast<unsigned long long>(kSeed), filter.name.c_str(), tally.prefixes, tally.waited,
              tally.continued);
  EXPECT_GT(tally.waited, tally.prefixes / 40);
}

INSTANTIATE_TEST_SUITE_P(OfEachFilter, SettledTexts,
                         testing::Values(paths(), arguments(), identity(), blocks(), stops(), together()),
                         [](const auto& one) { return one.param.name; });

TEST(StableText, JsonIsReadNoDeeperThanTheOracleReadsIt) {
  Tally tally;
  for (const std::size_t depth : {kMostJsonLevels, kMostJsonLevels + 1})
    try_text(identity(), std::string(depth, '[') + "\"I am Kiro.\"", tally);
  EXPECT_GT(tally.waited, 0u);
}

TEST(StableText, OfAnEndIsWhatTheOracleLeaves) {
  std::mt19937_64 random(kSeed);
  const Filter all = together();
  for (int n = 0; n < 2000; ++n) {
    StableText reading(PartKind::text);
    std::string text;
    for (std::size_t words = random() % 9; words > 0; --words) {
      const std::string& word = all.words[random() % all.words.size()];
      reading.take(word, all_filters());
      text += word;
    }
    reading.end(all_filters());
    ASSERT_EQ(reading.settled(), left_of(text).size()) << text;
  }
}

// Without promises, each byte is settled at once.
TEST(StableText, WithoutFiltersAllIs) {
  StableText reading(PartKind::text);
  std::size_t size = 0;
  for (const std::string& word : together().words) {
    reading.take(word, {});
    EXPECT_EQ(reading.settled(), size += word.size());
  }
  reading.end({});
  EXPECT_EQ(reading.settled(), size);
}

TEST(StableText, StopsEndTextAlone) {
  for (const PartKind kind : {PartKind::text, PartKind::thinking, PartKind::refusal}) {
    StableText reading(kind);
    reading.take("a END b.", all_filters());
    EXPECT_EQ(reading.stopped(), kind == PartKind::text);
    EXPECT_EQ(reading.settled(), kind == PartKind::text ? 2u : 8u);
  }
}

// Plain text contains the beginnings of all searched texts, and leaves almost at once.
TEST(StableText, OfPlainTextIsNearlyAll) {
  const std::string plain =
      "I think that a < b holds, as usual. I am sure of it: As the tide turns, a / b grows.\n"
      "See /usr/bin, /opt/local and /home/user; <b>bold</b> and <user> are tags.\n"
      "My neighbour's name is Kirill, created by nobody. Amazon is a river. END\xC3\x89.\n"
      "```\nI am Cascade <user_information> in code\n```\n"
      "{\"said\": \"I am Cascade\", \"list\": [1, 2]} and on it goes, E N D.\n";
  TextFilters filters = all_filters();
  filters.stops = {"\n\nHuman:", "THE END"};
  StableText reading(PartKind::text);
  std::size_t waits = 0;
  std::size_t most = 0;
  for (std::size_t read = 0; read < plain.size(); ++read) {
    reading.take(plain.substr(read, 1), filters);
    waits += read + 1 - reading.settled();
    most = std::max(most, read + 1 - reading.settled());
  }
  std::printf("of %zu bytes, %.2f wait on average, %zu at most\n", plain.size(),
              static_cast<double>(waits) / static_cast<double>(plain.size()), most);
  EXPECT_LT(waits, plain.size());
  EXPECT_LE(most, std::string_view("created by ").size());
}

// If these were read again for every later piece, this would exceed the test's time limit.
TEST(StableText, EachByteIsReadOnce) {
  constexpr std::size_t kBytes = kSanitized ? 1 << 17 : 1 << 21;
  constexpr std::size_t kPieces = kSanitized ? 20'000 : 200'000;
  const TextFilters filters = all_filters();
  for (const char* begin : {"", "`", "{\"k\":\"", "<user_information>", "/opt/windsurf", "```\n"}) {
    StableText reading(PartKind::text);
    reading.take(begin + std::string(kBytes, 'a'), filters);
    const std::size_t before = reading.settled();
    for (std::size_t piece = 0; piece < kPieces; ++piece) reading.take("b", filters);
    const bool hidden = begin[0] == '<' || begin[0] == '/';
    EXPECT_EQ(reading.settled(), before + (hidden ? 0 : kPieces)) << begin;
  }
  StableArguments arguments;
  std::string told;
  arguments.take("{\"k\":\"" + std::string(kBytes, 'a'), kMarker, told);
  for (std::size_t piece = 0; piece < kPieces; ++piece) arguments.take("b", kMarker, told);
  EXPECT_EQ(told.size(), 6 + kBytes + kPieces);
}

}  // namespace
}  // namespace splitproof::observe::stable_text_test
