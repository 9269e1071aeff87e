#include "proxy/text/tag_call.hpp"

#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

#include "proxy/wire/json_text.hpp"

namespace splitproof::text {
namespace {

using Is = TagMatch::Is;

constexpr std::array kIds = {GrammarId::invoke, GrammarId::tool, GrammarId::function, GrammarId::pairs,
                             GrammarId::special};
constexpr std::size_t kFirstWrapper = 2 * kGrammars;
constexpr std::size_t kEnding = kFirstWrapper + kWrappers;

using Heads = std::array<std::string_view, kEnding + 1>;

// Returns the opening tags of all grammars, two places each, of wrappers, and the closing tag of an open wrapper.
Heads heads_with(int ending) {
  Heads tags;
  std::size_t at = 0;
  for (const GrammarId id : kIds) {
    for (const std::string_view tag : grammar(id).open) tags[at++] = tag;
  }
  for (const Wrapper& wrapper : wrappers()) tags[at++] = wrapper.open;
  if (ending >= 0) tags[kEnding] = wrappers()[static_cast<std::size_t>(ending)].close;
  return tags;
}

const Heads& heads(int ending) {
  static const auto kAll = [] {
    std::array<Heads, kWrappers + 1> all;
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = heads_with(static_cast<int>(i) - 1);
    return all;
  }();
  return kAll[static_cast<std::size_t>(ending) + 1];
}

// Appends a value as raw JSON if it has the schema's type, and otherwise as a string.
void append_value(std::string& json, std::string_view value, std::string_view type) {
  const std::size_t begin = value.find_first_not_of(turn::kBlanks);
  if (begin != std::string_view::npos && !type.empty() && type != "string") {
    const std::string_view bare = value.substr(begin, value.find_last_not_of(turn::kBlanks) + 1 - begin);
    if (is_of_type(bare, type)) {
      json += bare;
      return;
    }
  }
  wire::append_quoted(json, value);
}

}  // namespace

Verdict TagCall::take(char c, const HeldText& text, const Functions& functions, ParameterRuns& runs) {
  ++at_;
  Verdict verdict = Verdict::possible;
  switch (stage_) {
    case Stage::head:
      verdict = take_head(c);
      break;
    case Stage::wrapped:
      verdict = take_wrapped(c, functions);
      break;
    case Stage::name:
      verdict = take_name(c, functions, runs);
      break;
    case Stage::name_end: {
      const Is is = tag_.take(std::array{grammar(id_).name_end}, c);
      if (is == Is::none) return Verdict::none;
      if (is == Is::whole) stage_ = Stage::body;
      break;
    }
    case Stage::body:
      verdict = take_body(c, runs);
      break;
    case Stage::own:
      verdict = take_own(c, text, functions, runs);
      break;
    case Stage::common: {
      ParameterRun& run = *runs[static_cast<std::size_t>(id_)];
      run.take(c);
      if (run.dead() || (run.has_key() && !run.distinct(from_, own_key_))) return Verdict::none;
      if (run.whole()) verdict = end_pairs(run, text, functions);
      break;
    }
    case Stage::object:
      verdict = take_object(c, text, functions);
      break;
    case Stage::close: {
      if (is_blank(c) && tag_.begins()) break;
      const Is is = tag_.take(grammar(id_).close, c);
      if (is == Is::none) return Verdict::none;
      if (is == Is::whole) verdict = Verdict::call;
      break;
    }
  }
  const bool sized = stage_ != Stage::head && stage_ != Stage::wrapped;
  return sized && at_ - call_begin_ > kMostBytes ? Verdict::none : verdict;
}

Verdict TagCall::take_head(char c) {
  if (wrapper_ >= 0) {  // it holds only calls of one grammar
    const GrammarId inside = wrappers()[static_cast<std::size_t>(wrapper_)].around;
    const Is is = tag_.take(grammar(inside).open, c);
    if (is == Is::none) return Verdict::none;
    if (is == Is::whole) {
      id_ = inside;
      stage_ = Stage::name;
    }
    return Verdict::possible;
  }
  switch (tag_.take(heads(ending_), c)) {
    case Is::none:
      return Verdict::none;
    case Is::possible:
      return Verdict::possible;
    case Is::whole:
      break;
  }
  const std::size_t found = tag_.found();
  if (found == kEnding) return Verdict::wrapper_end;
  if (found >= kFirstWrapper) {
    wrapper_ = static_cast<int>(found - kFirstWrapper);
    stage_ = Stage::wrapped;
    return Verdict::possible;
  }
  id_ = kIds[found / 2];
  stage_ = Stage::name;
  if (const auto other = wrapper_opened_by(id_)) {
    // The next bytes decide between a wrapper and the call itself.
    wrapper_ = *other;
    stage_ = Stage::wrapped;
  }
  return Verdict::possible;
}

// Handles bytes after a wrapper's opening tag.
Verdict TagCall::take_wrapped(char c, const Functions& functions) {
  const bool of_call = wrapper_opened_by(id_) == wrapper_;  // the tag is also a call's
  if (is_blank(c)) return ++blanks_ > kMostBytes ? Verdict::none : Verdict::possible;
  if (c == '<') {
    call_begin_ = at_ - 1;
    ending_ = -1;
    stage_ = Stage::head;
    tag_ = {};
    return take_head(c);
  }
  if (!of_call) return Verdict::none;
  wrapper_ = -1;
  if (c == '{') {
    stage_ = Stage::object;
    object_.emplace(true);
    object_begin_ = at_ - 1;
    object_->take(c);
    return Verdict::possible;
  }
  if (blanks_ > 0) return Verdict::none;
  stage_ = Stage::name;
  call_.name = c;
  return functions.may_become(call_.name) ? Verdict::possible : Verdict::none;
}

Verdict TagCall::take_name(char c, const Functions& functions, ParameterRuns& runs) {
  const Grammar& row = grammar(id_);
  if (row.name_ends == Grammar::NameEnd::number) return take_numbered(c, functions);
  const bool by_blank = row.name_ends == Grammar::NameEnd::blank;
  if (by_blank ? !is_blank(c) && c != '<' : c != row.name_end.front()) {
    call_.name += c;
    return functions.may_become(call_.name) ? Verdict::possible : Verdict::none;
  }
  if (!functions.has(call_.name)) return Verdict::none;
  stage_ = Stage::body;
  if (by_blank) return take_body(c, runs);
  if (tag_.take(std::array{row.name_end}, c) != Is::whole) stage_ = Stage::name_end;
  return Verdict::possible;
}

Verdict TagCall::take_numbered(char c, const Functions& functions) {
  const bool digit = c >= '0' && c <= '9';
  if (c == grammar(id_).name_end.front()) {
    if (colon_ == 0 || colon_ + 1 == call_.name.size()) return Verdict::none;
    call_.name.resize(colon_);
    stage_ = Stage::name_end;
    tag_.take(std::array{grammar(id_).name_end}, c);
    return Verdict::possible;
  }
  if (c == ':') {
    colon_ = functions.has(call_.name) ? call_.name.size() : 0;
  } else if (!digit) {
    colon_ = 0;
  }
  call_.name += c;
  return colon_ > 0 || functions.may_become(call_.name) ? Verdict::possible : Verdict::none;
}

// Handles bytes after the name: white space, and then a tag or an object.
Verdict TagCall::take_body(char c, ParameterRuns& runs) {
  if (is_blank(c)) return Verdict::possible;
  const Grammar& row = grammar(id_);
  if (c == '{' && row.object == Grammar::Object::arguments) {
    stage_ = Stage::object;
    object_.emplace(false);
    object_begin_ = at_ - 1;
    object_->take(c);
    return Verdict::possible;
  }
  if (c != '<' || row.key_open[0].empty()) return Verdict::none;
  auto& run = runs[static_cast<std::size_t>(id_)];
  if (run && run->covers(call_begin_)) {
    stage_ = Stage::own;
    own_.emplace(id_, at_ - 1);
    own_->take(c);
  } else {
    stage_ = Stage::common;
    run.emplace(id_, at_ - 1);
    run->take(c);
  }
  return Verdict::possible;
}

Verdict TagCall::take_own(char c, const HeldText& text, const Functions& functions, ParameterRuns& runs) {
  own_->take(c);
  if (own_->dead()) return Verdict::none;
  if (own_->whole()) return end_pairs(*own_, text, functions);
  if (!own_->in_value()) return Verdict::possible;
  const ParameterRun& run = *runs[static_cast<std::size_t>(id_)];
  own_key_ = own_->key();
  own_begin_ = own_->value_begin();
  from_ = run.meets(own_begin_) + 1;
  own_.reset();
  stage_ = Stage::common;
  at_ = run.at();
  if (run.dead() || !run.distinct(from_, own_key_)) return Verdict::none;
  return run.whole() ? end_pairs(run, text, functions) : Verdict::possible;
}

Verdict TagCall::take_object(char c, const HeldText& text, const Functions& functions) {
  if (!object_->take(c)) return Verdict::none;
  if (!object_->complete()) return Verdict::possible;
  const std::string_view json = text.slice(object_begin_, at_);
  stage_ = Stage::close;
  object_.reset();
  if (grammar(id_).object == Grammar::Object::call) {
    auto call = read_call(json, functions);
    if (!call) return Verdict::none;
    call_ = *std::move(call);
  } else {
    if (!is_arguments(json)) return Verdict::none;
    call_.arguments = json;
  }
  return Verdict::possible;
}

Verdict TagCall::end_pairs(const ParameterRun& run, const HeldText& text, const Functions& functions) {
  if (at_ - call_begin_ > kMostBytes || !run.distinct(from_, own_key_)) return Verdict::none;
  std::string& json = call_.arguments;
  const auto add = [&](const std::string& key, std::size_t begin, std::size_t end) {
    std::string_view value = text.slice(begin, end);
    if (grammar(id_).lines && value.starts_with('\n')) value.remove_prefix(1);
    if (grammar(id_).lines && value.ends_with('\n')) value.remove_suffix(1);
    json += json.empty() ? '{' : ',';
    wire::append_quoted(json, key);
    json += ':';
    append_value(json, value, functions.type_of(call_.name, key));
  };
  if (!own_key_.empty()) add(own_key_, own_begin_, run.pair(from_ - 1).value_end);
  for (std::size_t number = from_; number < run.pairs(); ++number) {
    const ParameterRun::Pair& pair = run.pair(number);
    add(pair.key, pair.value_begin, pair.value_end);
  }
  json += json.empty() ? "{}" : "}";
  return Verdict::call;
}

}  // namespace splitproof::text
