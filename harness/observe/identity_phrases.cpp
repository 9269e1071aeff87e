#include "harness/observe/identity_phrases.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <utility>
#include <vector>

#include "harness/lower_case.hpp"

namespace splitproof::observe {
namespace {

constexpr std::array<std::string_view, 2> kApostrophes = {"'", "\u2019"};

using Texts = std::vector<std::string>;

Texts pairs_of(const Texts& first, const Texts& second) {
  Texts all;
  for (const std::string& a : first)
    for (const std::string& b : second) all.push_back(a + b);
  return all;
}

Texts together(std::initializer_list<Texts> lists) {
  Texts all;
  for (const Texts& list : lists) all.insert(all.end(), list.begin(), list.end());
  return all;
}

std::string_view maker_of(std::string_view model) {
  static constexpr std::pair<std::string_view, std::string_view> kMakers[] = {
      {"claude", "Anthropic"},  {"gpt", "OpenAI"},   {"chatgpt", "OpenAI"},   {"o1", "OpenAI"},
      {"o3", "OpenAI"},         {"o4", "OpenAI"},    {"gemini", "Google"},    {"grok", "xAI"},
      {"deepseek", "DeepSeek"}, {"qwen", "Alibaba"}, {"kimi", "Moonshot AI"}, {"glm", "Zhipu AI"},
      {"mistral", "Mistral AI"}};
  const std::string name = lower_case(std::string(model.substr(model.rfind('/') + 1)));
  for (const auto& [begin, maker] : kMakers)
    if (name.starts_with(begin)) return maker;
  return {};
}

// No article is inserted after one of these words and a space.
bool article_before(std::string_view text, std::size_t at) {
  for (const std::string_view article :
       {"the", "The", "a", "A", "my", "My", "your", "Your", "our", "Our", "this", "This"}) {
    const std::string behind = std::string(article) + " ";
    if (!text.substr(0, at).ends_with(behind)) continue;
    const std::size_t begin = at - behind.size();
    if (begin == 0 || !is_word_byte(text[begin - 1])) return true;
  }
  return false;
}

}  // namespace

const std::vector<IdentityPhrase>& identity_phrases() {
  static const std::vector<IdentityPhrase> kAll = [] {
    const Texts agents = {"Cascade", "Kiro", "Amazon Q", "Amazon Q Developer"};
    const Texts vendors = {"Codeium", "Windsurf"};
    Texts possessive;
    Texts am;
    for (const std::string_view mark : kApostrophes) {
      possessive.push_back(std::string(mark) + "s");
      am.push_back("I" + std::string(mark) + "m ");
    }
    const Texts owned = together({pairs_of(vendors, pairs_of({" "}, agents)),
                                  pairs_of(vendors, pairs_of(possessive, pairs_of({" "}, agents)))});
    const Texts names = together({agents, owned});
    const Texts self = together({names, {"Windsurf"}});
    std::vector<IdentityPhrase> all;
    for (const std::string& head : together({{"I am ", "my name is ", "My name is "}, am}))
      for (const std::string& name : self) all.push_back({head + name, head + "$M"});
    for (const char* what :
         {" is an assistant", " is a coding assistant", " is an AI assistant", " is an AI coding assistant"})
      for (const std::string& name : names) all.push_back({name + what, "$M is an AI assistant"});
    for (const char* head : {"As ", "Acting as "})
      for (const std::string& name : names) all.push_back({head + name, "As $M"});
    for (const std::string& name : owned) all.push_back({name, "$M"});
    for (const std::string& agent : agents)
      for (const std::string& end : together({{" workspace"}, pairs_of(possessive, {" workspace"})}))
        all.push_back({agent + end, "$W"});
    for (const std::string head : {"developed by ", "created by ", "built by "})
      for (const std::string& maker : together({vendors, owned})) all.push_back({head + maker, head + "$P"});
    return all;
  }();
  return kAll;
}

const IdentityPhrase* phrase_at(std::string_view text, std::size_t at) {
  const IdentityPhrase* longest = nullptr;
  for (const IdentityPhrase& phrase : identity_phrases()) {
    if (!text.substr(at).starts_with(phrase.text)) continue;
    const std::size_t end = at + phrase.text.size();
    if (end < text.size() && is_word_byte(text[end])) continue;
    if (longest == nullptr || phrase.text.size() > longest->text.size()) longest = &phrase;
  }
  return longest;
}

bool begins_phrase(std::string_view begun) {
  return std::any_of(identity_phrases().begin(), identity_phrases().end(),
                     [&](const IdentityPhrase& phrase) { return phrase.text.starts_with(begun); });
}

std::string said_instead(const IdentityPhrase& phrase, std::string_view text, std::size_t at,
                         std::string_view model) {
  std::string said = phrase.told;
  const std::size_t mark = said.find('$');
  if (mark == said.npos) return said;
  switch (said[mark + 1]) {
    case 'M':
      return said.replace(mark, 2, model);
    case 'P':
      return maker_of(model).empty() ? phrase.text : said.replace(mark, 2, maker_of(model));
    default:
      return said.replace(mark, 2, article_before(text, at) ? "workspace" : "the workspace");
  }
}

}  // namespace splitproof::observe
