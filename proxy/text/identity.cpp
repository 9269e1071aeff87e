#include "proxy/text/identity.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <utility>

namespace splitproof::text {
namespace {

constexpr std::size_t kDeepest = 32;
constexpr std::size_t kBefore = 8;  // bytes to remember: one byte, the longest article, a space

constexpr std::string_view kArticles[] = {"the",  "The",  "a",   "A",   "my",   "My",
                                          "your", "Your", "our", "Our", "this", "This"};

// The first two bytes of every phrase. They exclude most words.
constexpr std::string_view kBeginnings[] = {"Ac", "Am", "As", "Ca", "Co", "I ", "I'", "I\xE2",
                                            "Ki", "My", "Wi", "bu", "cr", "de", "my"};

// Classes of bytes. All text is looked up here, byte by byte.
enum : std::uint8_t { kOfWord = 1, kBeginsPhrase = 2, kEndsRun = 4 };

constexpr std::array<std::uint8_t, 256> kBytes = [] {
  std::array<std::uint8_t, 256> bytes{};
  for (std::size_t c = 0x80; c < bytes.size(); ++c) bytes[c] = kOfWord;
  for (unsigned char c = 'a'; c <= 'z'; ++c) bytes[c] = bytes[c - 'a' + 'A'] = kOfWord;
  for (const unsigned char c : std::string_view("0123456789_")) bytes[c] = kOfWord;
  for (const std::string_view two : kBeginnings) bytes[static_cast<unsigned char>(two[0])] |= kBeginsPhrase;
  for (const unsigned char c : std::string_view("`\n")) bytes[c] |= kEndsRun;
  return bytes;
}();

bool is(std::uint8_t what, char c) { return (kBytes[static_cast<unsigned char>(c)] & what) != 0; }
bool is_word_byte(char c) { return is(kOfWord, c); }

// True if the text may begin a phrase, or is too short to know.
bool may_begin_phrase(std::string_view text) {
  if (text.empty() || !is(kBeginsPhrase, text.front())) return false;
  return text.size() < 2 || std::any_of(std::begin(kBeginnings), std::end(kBeginnings),
                                        [&](std::string_view two) { return text.starts_with(two); });
}

}  // namespace

void Identity::feed(std::string_view model, std::string& text) {
  CodeSpans code = code_;
  if (held_.empty() && !json_ && pass_plain(text, 0, code) == text.size()) {
    code_ = code;
    remember(text);
  } else {
    read(model, std::exchange(text, {}), false, text);
  }
}

// Takes bytes outside of code that begin neither a phrase nor code nor a line with JSON. Returns their end.
std::size_t Identity::pass_plain(std::string_view text, std::size_t at, CodeSpans& code) const {
  if (!code.plain() || !code.outside()) return at;
  const std::size_t from = at;
  for (bool within = in_word(); at < text.size(); ++at) {
    const char c = text[at];
    if (is(kEndsRun, c)) {
      const bool goes_on =
          c == '\n' && !may_begin_phrase(text.substr(at + 1)) && code.pass_line_end(text, at);
      if (!goes_on) break;
    }
    if (!within && may_begin_phrase(text.substr(at))) break;
    within = is_word_byte(c);
  }
  if (at > from) code.leave_run();
  return at;
}

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
    if (!json_) {
      const std::string_view plain = text.substr(at, pass_plain(text, at, code_) - at);
      out += plain;
      remember(plain);
      at += plain.size();
      if (at == text.size()) return;
    }
    const char c = text[at];
    if (json_ && pass_json(c, out)) {
      ++at;
      continue;
    }
    if ((c == '{' || c == '[') && code_.blank()) {
      json_.emplace();
      code_.take('x');
      continue;
    }
    if (!code_.outside() || in_word() || !may_begin_phrase(text.substr(at))) {
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
    for (const char read : longest->text) code_.take(read);
    remember(longest->text);
    at += longest->text.size();
  }
}

void Identity::pass(char c, std::string& out) {
  out += c;
  code_.take(c);
  remember({&c, 1});
}

void Identity::remember(std::string_view read) {
  if (read.size() >= kBefore) {
    before_.assign(read, read.size() - kBefore);
    return;
  }
  before_ += read;
  before_.erase(0, before_.size() - std::min(before_.size(), kBefore));
}

bool Identity::in_word() const { return !before_.empty() && is_word_byte(before_.back()); }

// Returns false if the JSON ended before this byte.
bool Identity::pass_json(char c, std::string& out) {
  json_->feed(std::string_view(&c, 1));
  if (json_->lost() || json_->depth() > kDeepest) {
    json_.reset();
    return false;
  }
  if (json_->complete()) json_.reset();
  out += c;
  remember({&c, 1});
  return true;
}

// True if the text so far ends with an article and a space.
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
