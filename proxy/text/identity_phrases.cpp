#include "proxy/text/identity_phrases.hpp"

#include <algorithm>
#include <utility>

namespace splitproof::text {
namespace {

using Named = Phrase::Named;

constexpr std::string_view kAgents[] = {"Cascade", "Kiro", "Amazon Q", "Amazon Q Developer"};
constexpr std::string_view kVendors[] = {"Codeium", "Windsurf"};
constexpr std::string_view kApostrophes[] = {"'", "\xE2\x80\x99"};

std::vector<Phrase> all_phrases() {
  std::vector<Phrase> all;
  const auto add = [&](std::string text, Named named, std::string before = {}, std::string behind = {}) {
    all.push_back({std::move(text), named, std::move(before), std::move(behind)});
  };
  std::vector<std::string> of_vendors;
  for (const std::string_view vendor : kVendors) {
    for (const std::string_view agent : kAgents) {
      of_vendors.push_back(std::string(vendor).append(" ").append(agent));
      for (const std::string_view mark : kApostrophes)
        of_vendors.push_back(std::string(vendor).append(mark).append("s ").append(agent));
    }
  }
  std::vector<std::string> names(std::begin(kAgents), std::end(kAgents));
  names.insert(names.end(), of_vendors.begin(), of_vendors.end());
  std::vector<std::string> selves = names;
  selves.emplace_back("Windsurf");
  for (const std::string& self : selves) {
    for (const char* said : {"I am ", "my name is ", "My name is "}) add(said + self, Named::model, said);
    for (const std::string_view mark : kApostrophes) {
      const std::string said = "I" + std::string(mark) + "m ";
      add(said + self, Named::model, said);
    }
  }
  for (const std::string& name : names) {
    for (const char* what :
         {" is an assistant", " is a coding assistant", " is an AI assistant", " is an AI coding assistant"})
      add(name + what, Named::model, "", " is an AI assistant");
    for (const char* as : {"As ", "Acting as "}) add(as + name, Named::model, "As ");
  }
  for (const std::string& name : of_vendors) add(name, Named::model);
  for (const std::string_view agent : kAgents) {
    add(std::string(agent) + " workspace", Named::workspace);
    for (const std::string_view mark : kApostrophes)
      add(std::string(agent).append(mark) + "s workspace", Named::workspace);
  }
  std::vector<std::string> makers(std::begin(kVendors), std::end(kVendors));
  makers.insert(makers.end(), of_vendors.begin(), of_vendors.end());
  for (const std::string& maker : makers) {
    for (const char* made : {"developed by ", "created by ", "built by "})
      add(made + maker, Named::maker, made);
  }
  std::sort(all.begin(), all.end(), [](const Phrase& a, const Phrase& b) { return a.text < b.text; });
  return all;
}

}  // namespace

const std::vector<Phrase>& phrases() {
  static const std::vector<Phrase> all = all_phrases();
  return all;
}

bool PhraseMatch::take(char c) {
  const auto begin = phrases().begin();
  const auto byte_of = [&](const Phrase& phrase) {
    return size_ < phrase.text.size() ? static_cast<unsigned char>(phrase.text[size_]) : -1;
  };
  const int wanted = static_cast<unsigned char>(c);
  const auto first = begin + static_cast<std::ptrdiff_t>(first_);
  const auto last = begin + static_cast<std::ptrdiff_t>(last_);
  const auto from =
      std::partition_point(first, last, [&](const Phrase& one) { return byte_of(one) < wanted; });
  const auto to = std::partition_point(from, last, [&](const Phrase& one) { return byte_of(one) == wanted; });
  first_ = static_cast<std::size_t>(from - begin);
  last_ = static_cast<std::size_t>(to - begin);
  ++size_;
  return first_ != last_;
}

const Phrase* PhraseMatch::whole() const {
  if (first_ == last_ || phrases()[first_].text.size() != size_) return nullptr;
  return &phrases()[first_];
}

std::string_view maker_of(std::string_view model) {
  constexpr std::pair<std::string_view, std::string_view> kMakers[] = {
      {"claude", "Anthropic"},  {"gpt", "OpenAI"},   {"chatgpt", "OpenAI"},   {"o1", "OpenAI"},
      {"o3", "OpenAI"},         {"o4", "OpenAI"},    {"gemini", "Google"},    {"grok", "xAI"},
      {"deepseek", "DeepSeek"}, {"qwen", "Alibaba"}, {"kimi", "Moonshot AI"}, {"glm", "Zhipu AI"},
      {"mistral", "Mistral AI"}};
  std::string name(model.substr(model.rfind('/') + 1));
  for (char& c : name) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  for (const auto& [beginning, maker] : kMakers) {
    if (name.starts_with(beginning)) return maker;
  }
  return {};
}

}  // namespace splitproof::text
