#include "harness/observe/own_identity.hpp"

#include <array>
#include <cstddef>
#include <initializer_list>
#include <utility>
#include <vector>

#include "harness/lower_case.hpp"
#include "harness/observe/code_bytes.hpp"
#include "harness/observe/json_progress.hpp"

namespace splitproof::observe {
namespace {

constexpr std::size_t kLevels = 32;
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

// What stands in place of a phrase: `$M` the model, `$P` who makes it, `$W` the workspace.
struct Phrase {
  std::string text;
  std::string told;
};

const std::vector<Phrase>& phrases() {
  static const std::vector<Phrase> kAll = [] {
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
    std::vector<Phrase> all;
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

bool is_of_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

// Where the JSON ends that begins at `at`.
std::size_t end_of_json(std::string_view text, std::size_t at) {
  JsonProgress progress;
  std::size_t depth = 0;
  bool in_string = false;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    progress.take(text.substr(at, 1));
    if (!progress.possible()) return at;
    if (in_string) {
      if (c == '\\' && at + 1 < text.size()) {
        progress.take(text.substr(at + 1, 1));
        if (!progress.possible()) return at + 1;
        ++at;
      }
      in_string = c != '"';
      continue;
    }
    in_string = c == '"';
    if ((c == '{' || c == '[') && ++depth > kLevels) return at;
    if ((c == '}' || c == ']') && --depth == 0) return at + 1;
  }
  return at;
}

// Behind one of these and a space no article is put.
bool article_before(std::string_view text, std::size_t at) {
  for (const std::string_view article :
       {"the", "The", "a", "A", "my", "My", "your", "Your", "our", "Our", "this", "This"}) {
    const std::string behind = std::string(article) + " ";
    if (!text.substr(0, at).ends_with(behind)) continue;
    const std::size_t begin = at - behind.size();
    if (begin == 0 || !is_of_word(text[begin - 1])) return true;
  }
  return false;
}

const Phrase* phrase_at(std::string_view text, std::size_t at) {
  const Phrase* longest = nullptr;
  for (const Phrase& phrase : phrases()) {
    if (!text.substr(at).starts_with(phrase.text)) continue;
    const std::size_t end = at + phrase.text.size();
    if (end < text.size() && is_of_word(text[end])) continue;
    if (longest == nullptr || phrase.text.size() > longest->text.size()) longest = &phrase;
  }
  return longest;
}

}  // namespace

std::string with_identity_of(std::string_view model, std::string_view text) {
  if (model.empty()) return std::string(text);
  const std::string maker(maker_of(model));
  std::string told;
  CodeBytes code;
  for (std::size_t at = 0; at < text.size();) {
    const bool bracket = text[at] == '{' || text[at] == '[';
    if (bracket && !code.in_code() && code.line_is_blank()) {
      const std::size_t end = end_of_json(text, at);
      told.append(text.substr(at, end - at));
      code.take('x');  // all of it is as one letter
      at = end;
      continue;
    }
    const bool begins_word = at == 0 || !is_of_word(text[at - 1]);
    const Phrase* phrase = begins_word && !code.in_code() ? phrase_at(text, at) : nullptr;
    if (phrase == nullptr) {
      told += text[at];
      code.take(text[at++]);
      continue;
    }
    std::string said = phrase->told;
    if (const std::size_t mark = said.find('$'); mark != said.npos) {
      const char which = said[mark + 1];
      if (which == 'P' && maker.empty()) {
        said = phrase->text;
      } else {
        const std::string workspace = article_before(text, at) ? "workspace" : "the workspace";
        said.replace(mark, 2, which == 'M' ? std::string(model) : which == 'P' ? maker : workspace);
      }
    }
    told += said;
    for (const char c : phrase->text) code.take(c);
    at += phrase->text.size();
  }
  return told;
}

}  // namespace splitproof::observe
