#include "proxy/text/identity.hpp"

#include <cstddef>

namespace splitproof::text {
namespace {

constexpr std::size_t kDeepest = 32;
constexpr std::size_t kBefore = 8;  // bytes that are remembered: a byte, the longest article, a space

constexpr std::string_view kArticles[] = {"the",  "The",  "a",   "A",   "my",   "My",
                                          "your", "Your", "our", "Our", "this", "This"};

bool is_word_byte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

// The bytes with which phrases begin.
bool may_begin(char c) { return std::string_view("ACIKMWbcdm").find(c) != std::string_view::npos; }

}  // namespace

void Identity::finish(std::string_view model, std::string& out) {
  read(model, {}, true, out);
  const bool changed = changed_;
  *this = {};
  changed_ = changed;
}

void Identity::read(std::string_view model, std::string_view piece, bool last, std::string& out) {
  const std::string joined = held_.empty() ? std::string() : held_ + std::string(piece);
  const std::string_view text = held_.empty() ? piece : std::string_view(joined);
  held_.clear();
  std::size_t at = 0;
  while (at < text.size()) {
    const char c = text[at];
    if (json_ && pass_json(c, out)) {
      ++at;
      continue;
    }
    if ((c == '{' || c == '[') && code_.blank()) {
      json_.emplace();
      code_.take('x', 0);
      continue;
    }
    if (!may_begin(c) || !code_.outside() || (!before_.empty() && is_word_byte(before_.back()))) {
      pass(c, out);
      ++at;
      continue;
    }
    PhraseMatch match;
    const Phrase* longest = nullptr;
    std::size_t end = at;
    bool alive = true;
    while (alive && end < text.size()) {
      alive = match.take(text[end]);
      if (!alive) break;
      ++end;
      const bool bounded = end < text.size() ? !is_word_byte(text[end]) : last;
      if (const Phrase* whole = match.whole(); whole != nullptr && bounded) longest = whole;
    }
    if (alive && !last) {
      held_ = text.substr(at);
      return;
    }
    if (longest == nullptr) {
      pass(c, out);
      ++at;
      continue;
    }
    say(*longest, model, out);
    for (const char read : longest->text) note(read);
    at += longest->text.size();
  }
}

void Identity::pass(char c, std::string& out) {
  out += c;
  note(c);
}

void Identity::note(char c) {
  code_.take(c, 0);
  if (before_.size() == kBefore) before_.erase(0, 1);
  before_ += c;
}

// False: the JSON was over before this byte.
bool Identity::pass_json(char c, std::string& out) {
  json_->feed(std::string_view(&c, 1));
  if (json_->lost() || json_->depth() > kDeepest) {
    json_.reset();
    return false;
  }
  if (json_->complete()) json_.reset();
  out += c;
  if (before_.size() == kBefore) before_.erase(0, 1);
  before_ += c;
  return true;
}

// What was read ends in an article and a space.
bool Identity::article_before() const {
  for (const std::string_view article : kArticles) {
    const std::size_t size = article.size() + 1;
    if (!before_.ends_with(' ') ||
        !std::string_view(before_).substr(0, before_.size() - 1).ends_with(article))
      continue;
    if (before_.size() == size || !is_word_byte(before_[before_.size() - size - 1])) return true;
  }
  return false;
}

void Identity::say(const Phrase& phrase, std::string_view model, std::string& out) {
  const std::string_view maker = maker_of(model);
  switch (phrase.named) {
    case Phrase::Named::workspace:
      out += article_before() ? "workspace" : "the workspace";
      break;
    case Phrase::Named::maker:
      if (maker.empty()) {
        out += phrase.text;
        return;
      }
      out.append(phrase.before).append(maker);
      break;
    case Phrase::Named::model:
      out.append(phrase.before).append(model).append(phrase.behind);
  }
  changed_ = true;
}

}  // namespace splitproof::text
