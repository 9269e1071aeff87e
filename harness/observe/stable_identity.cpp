#include "harness/observe/stable_identity.hpp"

#include "harness/observe/identity_phrases.hpp"

namespace splitproof::observe {

void StableIdentity::read(std::string_view text, std::string_view model, std::string& told) {
  if (model.empty()) {
    told += text.substr(at_);
    at_ = text.size();
  }
  while (at_ < text.size()) {
    const char c = text[at_];
    if (json_) {
      if (json_->take(c)) {
        told += c;
        ++at_;
        if (!json_->closed()) continue;
      }
      json_.reset();
      code_.take('x');  // JSON counts as one letter
      continue;
    }
    if ((c == '{' || c == '[') && !code_.in_code() && code_.line_is_blank()) {
      json_ = LineJson();
      continue;
    }
    const bool begins_word = at_ == 0 || !is_word_byte(text[at_ - 1]);
    if (begins_word && is_word_byte(c) && !code_.in_code()) {
      if (begins_phrase(text.substr(at_))) return;
      if (const IdentityPhrase* phrase = phrase_at(text, at_)) {
        told += said_instead(*phrase, text, at_, model);
        for (const char of : phrase->text) code_.take(of);
        at_ += phrase->text.size();
        continue;
      }
    }
    told += c;
    code_.take(c);
    ++at_;
  }
}

bool StableIdentity::LineJson::take(char c) {
  progress_.take(std::string_view(&c, 1));
  if (!progress_.possible()) return false;
  if (escapes_) {
    escapes_ = false;
  } else if (in_string_) {
    escapes_ = c == '\\';
    in_string_ = c != '"';
  } else {
    in_string_ = c == '"';
    if ((c == '{' || c == '[') && ++depth_ > kMostJsonLevels) return false;
    closed_ = (c == '}' || c == ']') && --depth_ == 0;
  }
  return true;
}

}  // namespace splitproof::observe
