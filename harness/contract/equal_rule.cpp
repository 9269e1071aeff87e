#include "harness/contract/equal_rule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace splitproof::contract {
namespace {

constexpr std::array<std::pair<std::string_view, Operand::Kind>, 4> kDocuments = {{
    {"request.", Operand::Kind::request},
    {"response.", Operand::Kind::response},
    {"expected.", Operand::Kind::expected},
    {"got.", Operand::Kind::got},
}};

std::string_view trimmed(std::string_view text) {
  const auto begin = std::min(text.find_first_not_of(' '), text.size());
  const auto end = text.find_last_not_of(' ');
  return end == std::string_view::npos ? std::string_view() : text.substr(begin, end + 1 - begin);
}

std::string missing(const Operand& operand, const Evidence& evidence) {
  const bool of_meaning = operand.kind == Operand::Kind::expected || operand.kind == Operand::Kind::got;
  if (of_meaning && !evidence.unread.empty()) return evidence.unread;
  switch (operand.kind) {
    case Operand::Kind::request:
      return "the client's request is not known";
    case Operand::Kind::response:
      return "the response's head is not known";
    case Operand::Kind::expected:
      return "what must come out is not known";
    default:
      return "what a client assembled is not known";
  }
}

/// The values of one operand, for every subject or slice that is asked for.
class OperandReader {
 public:
  OperandReader(const Operand& operand, const Reading& reading, const Slices& slices,
                const Evidence& evidence)
      : operand_(operand), reading_(reading) {
    if (operand.kind == Operand::Kind::joined) joined_ = operand.joined.read(reading, slices);
    if (operand.is_document()) {
      const Json* document = operand.document(evidence);
      document_ = operand.kind == Operand::Kind::response ? operand.pointer.resolve_in_response(document)
                                                          : operand.pointer.resolve(document);
    }
  }

  /// The value for a slice and, where the operand is a field, for the subject in it.
  FieldValue value(std::optional<std::size_t> subject, std::size_t slice) const {
    if (operand_.kind == Operand::Kind::field) return reading_.value(*subject, operand_.field);
    if (operand_.kind == Operand::Kind::joined) return FieldValue(std::string_view(joined_[slice].text));
    return FieldValue(document_);
  }

  /// The joined text of the slice; none for other operands.
  const Joined::Text* text(std::size_t slice) const { return joined_.empty() ? nullptr : &joined_[slice]; }

  /// Whether there is anything in the slice, or in the document, to compare.
  bool exercised(std::size_t slice) const {
    return document_ != nullptr || (!joined_.empty() && joined_[slice].last.has_value());
  }

 private:
  const Operand& operand_;
  const Reading& reading_;
  std::vector<Joined::Text> joined_;
  const Json* document_ = nullptr;
};

}  // namespace

Operand Operand::parse(const YamlNode& node, const Alphabet& alphabet) {
  Operand operand;
  if (!node.is_scalar()) refuse(node.line, "an operand of 'equal' must be a text");
  operand.text = node.text;
  const std::string_view text = node.text;
  for (const auto& [prefix, kind] : kDocuments) {
    if (text.substr(0, prefix.size()) != prefix) continue;
    operand.kind = kind;
    operand.pointer = Pointer::parse(text.substr(prefix.size()), node.line);
    return operand;
  }
  if (text.substr(0, 7) == "joined(") {
    const std::size_t comma = text.find(',');
    if (comma == std::string_view::npos || text.back() != ')') {
      refuse(node.line, fmt::format("'{}' is not an operand", text), "write joined(CLASS, /field)");
    }
    operand.kind = Kind::joined;
    operand.joined =
        Joined::parse(trimmed(text.substr(7, comma - 7)),
                      trimmed(text.substr(comma + 1, text.size() - comma - 2)), node.line, alphabet);
    return operand;
  }
  if (!text.empty() && std::string_view("/@^").find(text[0]) == std::string_view::npos) {
    refuse(
        node.line, fmt::format("'{}' is not an operand", text),
        "there are /field, @event and the like, joined(CLASS, /field), request./pointer, response./pointer, "
        "expected./pointer and got./pointer");
  }
  operand.field = Field::parse(text, node.line);
  return operand;
}

const Json* Operand::document(const Evidence& evidence) const {
  switch (kind) {
    case Kind::request:
      return evidence.request;
    case Kind::response:
      return evidence.response;
    case Kind::expected:
      return evidence.expected;
    case Kind::got:
      return evidence.got;
    default:
      return nullptr;
  }
}

EqualRule EqualRule::parse(std::optional<std::size_t> each, const YamlNode& equal, const YamlNode* at,
                           const Alphabet& alphabet) {
  if (!equal.is_list() || equal.items.size() != 2) {
    refuse(equal.line, "'equal' must be a list of two operands", "write equal: [A, B]");
  }
  EqualRule rule;
  rule.each_ = each;
  rule.a_ = Operand::parse(equal.items[0], alphabet);
  rule.b_ = Operand::parse(equal.items[1], alphabet);
  for (const Operand* operand : {&rule.a_, &rule.b_}) {
    if (operand->kind != Operand::Kind::field) continue;
    if (!each) {
      refuse(equal.line, fmt::format("'{}' is a field of an event, but of which?", operand->text),
             "add each: CLASS, or put documents or joined( ) on both sides");
    }
    alphabet.check_climb(operand->field, *each, equal.line);
  }
  if (at != nullptr) {
    if (!rule.is_of_documents())
      refuse(at->line, "'at' stands beside fields, which have a place", "leave it out");
    rule.at_ = alphabet.need(*at);
  }
  return rule;
}

Outcome EqualRule::judge(const Reading& reading, const Slices& slices, const Evidence& evidence) const {
  const OperandReader a(a_, reading, slices, evidence);
  const OperandReader b(b_, reading, slices, evidence);

  // A document that is missing matters only where there is something to compare with it.
  const auto unknown = [&]() -> const Operand* {
    for (const Operand* operand : {&a_, &b_}) {
      if (operand->is_document() && operand->document(evidence) == nullptr) return operand;
    }
    return nullptr;
  }();
  const auto compare = [&](std::optional<std::size_t> subject, std::size_t slice) -> std::optional<Outcome> {
    std::optional<std::size_t> place = subject;
    std::optional<std::size_t> joined_at;
    for (const auto& [reader, operand] : {std::pair(&a, &a_), std::pair(&b, &b_)}) {
      const Joined::Text* joined = reader->text(slice);
      if (joined == nullptr) continue;
      if (joined->no_string)
        return Outcome::violated(joined->no_string, slice, operand->joined.no_string_detail());
      if (!place) place = joined->last;
      joined_at = joined->last;
    }
    for (std::size_t i = reading.size(); at_ && !place && i-- > 0;)
      if (reading.is(i, *at_)) place = i;
    const FieldValue left = a.value(subject, slice);
    const FieldValue right = b.value(subject, slice);
    if (same(left, right)) return std::nullopt;
    const auto [shown, other] = excerpts(left.get(), right.get());
    Outcome outcome = Outcome::violated(
        place, slice, fmt::format("{} is {}, but {} is {}", a_.text, shown, b_.text, other));
    outcome.found = shown;
    outcome.wanted = other;
    outcome.first = joined_at;
    return outcome;
  };

  bool exercised = false;
  if (each_) {
    for (std::size_t i = 0; reading.occurs(*each_) && i < reading.size(); ++i) {
      if (!reading.is(i, *each_)) continue;
      const auto slice = slices.of(i);
      if (!slice) continue;
      if (unknown != nullptr) return Outcome::not_judged(missing(*unknown, evidence));
      exercised = true;
      if (auto violation = compare(i, *slice)) return *violation;
    }
    return exercised ? Outcome{} : Outcome::not_exercised("no event of the class that 'each' names");
  }
  if (unknown != nullptr) return Outcome::not_judged(missing(*unknown, evidence));
  for (std::size_t slice = 0; slice < slices.count(); ++slice) {
    if (!a.exercised(slice) && !b.exercised(slice)) continue;
    exercised = true;
    if (auto violation = compare(std::nullopt, slice)) return *violation;
  }
  return exercised ? Outcome{}
                   : Outcome::not_exercised(fmt::format("neither {} nor {} is there", a_.text, b_.text));
}

}  // namespace splitproof::contract
