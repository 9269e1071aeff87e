#include "harness/observe/answer.hpp"

#include <algorithm>
#include <initializer_list>
#include <string_view>
#include <utility>

#include "harness/observe/surrogates.hpp"
#include "harness/observe/wire_json.hpp"
#include "harness/utf8.hpp"

namespace splitproof::observe {
namespace {

/// Replaces each id by its place in the order of ids.
class PartPlaces {
 public:
  std::string of(const std::string& id) {
    if (id.empty()) return id;
    return std::to_string(places_.try_emplace(id, places_.size() + 1).first->second);
  }

 private:
  std::map<std::string, std::size_t> places_;
};

bool is_prose(const Part& part) { return part.kind != PartKind::call && part.kind != PartKind::other; }

const char* word(PartKind kind) {
  switch (kind) {
    case PartKind::text:
      return "text";
    case PartKind::thinking:
      return "thinking";
    case PartKind::refusal:
      return "refusal";
    case PartKind::call:
      return "call";
    case PartKind::other:
      break;
  }
  return "another kind";
}

/// Returns an excerpt of `text` around byte `from`, short enough for a sentence.
std::string excerpt(const std::string& text, std::size_t from) {
  constexpr std::size_t kBefore = 12;
  constexpr std::size_t kLength = 40;
  const auto continues = [&](std::size_t at) { return at < text.size() && continues_character(text[at]); };
  std::size_t begin = from < kBefore ? 0 : from - kBefore;
  std::size_t end = std::min(text.size(), begin + kLength);
  while (begin > 0 && continues(begin)) --begin;
  while (continues(end)) ++end;
  return (begin > 0 ? "\"..." : "\"") + text.substr(begin, end - begin) +
         (end < text.size() ? "...\"" : "\"");
}

std::string shown(const std::string& text) { return excerpt(text, 0); }
std::string shown(bool value) { return value ? "seen" : "missing"; }
std::string shown(std::uint64_t value) { return std::to_string(value); }
std::string shown(PartKind kind) { return word(kind); }
std::string shown(const FinishReason& finish) { return shown(finish.word); }
template <class Value>
std::string shown(const std::optional<Value>& value) {
  return value ? shown(*value) : "absent";
}

std::string first_of(std::initializer_list<std::string> sentences) {
  for (const std::string& sentence : sentences) {
    if (!sentence.empty()) return sentence;
  }
  return "";
}

/// Describes two values that differ, each with the name of its side. Returns "" if they are equal.
class Comparison {
 public:
  explicit Comparison(const NormalisedAnswers& sides) : sides_(sides) {}

  template <class Value>
  std::string operator()(const std::string& what, const Value& a, const Value& b) const {
    return a == b ? "" : differ(what, shown(a), shown(b));
  }

  std::string operator()(const std::string& what, const std::string& a, const std::string& b) const {
    if (a == b) return "";
    const auto at =
        static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
    return differ(what, excerpt(a, at), excerpt(b, at)) + ", first at byte " + std::to_string(at);
  }

  std::string operator()(const std::string& what, const Part& a, const Part& b) const {
    const Comparison& compare = *this;
    return first_of({compare(what + "'s kind", a.kind, b.kind), compare(what + "'s type", a.type, b.type),
                     compare(what + "'s name", a.name, b.name), compare(what + "'s id", a.id, b.id),
                     compare(what + "'s text", a.text, b.text),
                     compare(what + "'s arguments", a.arguments, b.arguments),
                     compare(what + "'s signature", a.signature, b.signature),
                     compare(what + "'s index", a.rank, b.rank), compare(what + "'s end", a.ended, b.ended)});
  }

 private:
  std::string differ(const std::string& what, const std::string& a, const std::string& b) const {
    return what + " is " + a + " " + sides_.a + " and " + b + " " + sides_.b;
  }

  const NormalisedAnswers& sides_;
};

std::optional<std::string> value_of(const Answer& answer, const std::string& what) {
  const auto found = answer.extra.find(what);
  return found == answer.extra.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace

std::string kind_of(const Part& part) {
  if (part.kind == PartKind::other) return part.type;
  return part.kind == PartKind::call && part.custom ? "custom_call" : word(part.kind);
}

std::set<std::string> kinds_of(const Answer& answer) {
  std::set<std::string> kinds;
  for (const Part& part : answer.parts) {
    kinds.insert(kind_of(part));
    if (!part.signature.empty()) kinds.insert("signature");
  }
  kinds.merge(notes_of(answer));
  return kinds;
}

std::string note_of(const std::string& what) {
  constexpr std::string_view kArticle = "the ";
  std::string note = what.substr(0, what.find(" of "));
  if (note.starts_with(kArticle)) note.erase(0, kArticle.size());
  return note;
}

std::set<std::string> notes_of(const Answer& answer) {
  std::set<std::string> notes;
  for (const auto& [what, value] : answer.extra) {
    std::string note = note_of(what);
    const auto members = note == "members" ? parse_wire_json(value) : tl::unexpected(JsonFault());
    if (!members) {
      notes.insert(std::move(note));
      continue;
    }
    for (const WireJson& member : members->children)
      notes.insert(note + "." + replace_surrogates(member.key));
  }
  return notes;
}

void forget_unread(Answer& answer) {
  std::erase_if(answer.extra, [](const auto& note) {
    return note.first == "usage" ||
           (note.first.starts_with("the ") &&
            note.first.substr(0, note.first.find(" of ")).find('.') != std::string::npos);
  });
}

std::string describe_difference(const Answer& a, const Answer& b, const NormalisedAnswers& sides) {
  const Comparison compare(sides);
  for (std::size_t i = 0; i < std::min(a.parts.size(), b.parts.size()); ++i) {
    if (a.parts[i] != b.parts[i]) return compare("part " + std::to_string(i), a.parts[i], b.parts[i]);
  }
  const std::string found =
      first_of({compare("the number of parts", std::uint64_t{a.parts.size()}, std::uint64_t{b.parts.size()}),
                compare("the error", a.error, b.error),
                compare("whose fault the error is", words_for(a.error_classes), words_for(b.error_classes)),
                compare("the finish", a.finish, b.finish), compare("the closing mark", a.done, b.done),
                compare("the model", a.model, b.model),
                compare("text coming first", a.begins_with_text, b.begins_with_text),
                compare("the count of input tokens", a.usage.prompt, b.usage.prompt),
                compare("the count of cached tokens", a.usage.cached, b.usage.cached),
                compare("the count of tokens written to a cache", a.usage.written, b.usage.written),
                compare("the count of tokens of an unclear kind", a.usage.unclear, b.usage.unclear),
                compare("the count of output tokens", a.usage.completion, b.usage.completion),
                compare("the count of reasoning tokens", a.usage.reasoning, b.usage.reasoning),
                compare("the count of all tokens", a.usage.total, b.usage.total)});
  if (!found.empty()) return found;
  for (const Answer* side : {&a, &b}) {
    for (const auto& [what, value] : side->extra) {
      const std::string difference = compare(what, value_of(a, what), value_of(b, what));
      if (!difference.empty()) return difference;
    }
  }
  return a == b ? "" : "the answers differ";
}

Answer canonical_form(Answer answer) {
  std::vector<Part> parts;
  PartPlaces ids;
  for (Part& part : answer.parts) {
    if (part.kind == PartKind::text && part.text.empty()) continue;
    if (!part.signature.empty()) part.signature = "signed";
    if (is_prose(part) && !parts.empty() && parts.back().kind == part.kind) {
      Part& open = parts.back();
      open.text += part.text;
      open.ended = open.ended && part.ended;
      if (!part.signature.empty()) open.signature = std::move(part.signature);
      continue;
    }
    part.id = ids.of(part.id);
    parts.push_back(std::move(part));
  }
  answer.parts = std::move(parts);
  if (answer.error) answer.error->clear();
  return answer;
}

}  // namespace splitproof::observe
