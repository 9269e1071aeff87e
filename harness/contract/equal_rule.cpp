#include "harness/contract/equal_rule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "harness/observe/trimmed.hpp"

namespace splitproof::contract {
namespace {

constexpr std::array<std::pair<std::string_view, Operand::Kind>, 4> kDocuments = {{
    {"request.", Operand::Kind::request},
    {"response.", Operand::Kind::response},
    {"expected.", Operand::Kind::expected},
    {"got.", Operand::Kind::got},
}};

std::string missing(const Operand& operand, const Context& context) {
  if (operand.is_of_meaning() && !context.unread.empty()) return context.unread;
  switch (operand.kind) {
    case Operand::Kind::request:
      return "splitproof does not know the client's request";
    case Operand::Kind::response:
      return "splitproof does not know the head of the response";
    case Operand::Kind::expected:
      return "splitproof does not know the expected answer";
    default:
      return "splitproof does not know the message that a client assembles";
  }
}

/// Names the other slices whose texts are `value`, or its pieces in their order; "" if there are none.
std::string slices_with(std::string_view value, std::size_t slice, const Slices& slices,
                        const std::vector<Joined::Text>& texts) {
  constexpr std::size_t kMost = 3;
  if (value.empty()) return {};
  std::vector<std::size_t> holders;
  for (std::size_t other = 0; other < texts.size() && holders.empty(); ++other) {
    if (other != slice && texts[other].text == value) holders = {other};
  }
  for (std::size_t other = 0; other < texts.size() && !value.empty() && holders.empty(); ++other) {
    if (texts[other].text.empty() || !value.starts_with(texts[other].text)) continue;
    std::string_view rest = value;
    for (std::size_t next = other; next < texts.size() && !rest.empty(); ++next) {
      if (texts[next].text.empty() || !rest.starts_with(texts[next].text)) continue;
      rest.remove_prefix(texts[next].text.size());
      holders.push_back(next);
    }
    if (!rest.empty()) holders.clear();
  }
  std::string names;
  for (std::size_t i = 0; i < std::min(holders.size(), kMost); ++i)
    names += (i > 0 ? "; " : "") + slices.label(holders[i]);
  if (holders.size() > kMost) names += fmt::format("; and {} more", holders.size() - kMost);
  return names;
}

/// Names the other member of the meaning that contains a missing text, or "".
std::string member_with(const std::array<const Operand*, 2>& operands,
                        const std::array<FieldValue, 2>& values, const Context& context) {
  constexpr std::size_t kLeast = 3;  // shorter texts occur everywhere
  for (std::size_t side = 0; side < 2; ++side) {
    const Operand& holder = *operands[1 - side];
    const Json* document = holder.is_of_meaning() ? holder.document(context) : nullptr;
    const auto text = values[side].text();
    if (document == nullptr || !text || text->size() < kLeast) continue;
    for (const char* name : {"text", "thinking", "refusal"}) {
      if (holder.text.ends_with(std::string("/") + name)) continue;
      const Json* other = member(*document, name, std::nullopt);
      const auto held = other == nullptr ? std::nullopt : text_of(*other);
      if (!held || held->find(*text) == std::string_view::npos) continue;
      return fmt::format(
          "{} of {}", name,
          holder.kind == Operand::Kind::got ? "the client's message" : "the upstream's answer");
    }
  }
  return {};
}

/// Returns the reason why the operand's member of the meaning is open, or nullopt if it is not open or is
/// present.
std::optional<std::string> left_open(const Operand& operand, const Context& context) {
  const Json* document = operand.is_of_meaning() ? operand.document(context) : nullptr;
  if (document == nullptr || operand.in_document(context) != nullptr) return std::nullopt;
  const std::string path = operand.text.substr(operand.text.find('/') + 1);
  const Json* open = member(*document, "open", std::nullopt);
  const Json* reason =
      open == nullptr ? nullptr : member(*open, path.substr(0, path.find('/')), std::nullopt);
  const auto text = reason == nullptr ? std::nullopt : text_of(*reason);
  return text ? std::optional<std::string>(*text) : std::nullopt;
}

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
    operand.joined = Joined::parse(observe::trimmed(text.substr(7, comma - 7), " "),
                                   observe::trimmed(text.substr(comma + 1, text.size() - comma - 2), " "),
                                   node.line, alphabet);
    return operand;
  }
  if (!text.empty() && std::string_view("/@^").find(text[0]) == std::string_view::npos) {
    refuse(node.line, fmt::format("'{}' is not an operand", text),
           "write /field, @event, joined(CLASS, /field), request./pointer, response./pointer, "
           "expected./pointer or got./pointer");
  }
  operand.field = Field::parse(text, node.line);
  return operand;
}

const Json* Operand::document(const Context& context) const {
  switch (kind) {
    case Kind::request:
      return context.request;
    case Kind::response:
      return context.response;
    case Kind::expected:
      return context.expected;
    case Kind::got:
      return context.got;
    default:
      return nullptr;
  }
}

const Json* Operand::in_document(const Context& context) const {
  const Json* whole = document(context);
  return kind == Kind::response ? pointer.resolve_in_response(whole) : pointer.resolve(whole);
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
      refuse(equal.line,
             fmt::format("'{}' is a field of an event, and the rule names no event", operand->text),
             "add each: CLASS, or compare documents or joined( )");
    }
    alphabet.check_climb(operand->field, *each, equal.line);
  }
  if (at != nullptr) {
    if (!rule.is_of_documents())
      refuse(at->line, "'at' is next to fields, which already have a place", "remove 'at'");
    rule.at_.emplace();
    for (const std::string& name : scalar_texts(*at, "at")) rule.at_->add(alphabet.need(name, at->line));
  }
  return rule;
}

std::array<const Joined*, 2> EqualRule::joined() const {
  const auto joined = [](const Operand& operand) {
    return operand.kind == Operand::Kind::joined ? &operand.joined : nullptr;
  };
  return {joined(a_), joined(b_)};
}

/// A missing document matters only if there is something to compare with it.
const Operand* EqualRule::unknown(const Context& context) const {
  for (const Operand* operand : {&a_, &b_}) {
    if (operand->is_document() && operand->document(context) == nullptr) return operand;
  }
  return nullptr;
}

std::optional<ClauseResult> EqualRule::compare(std::optional<std::size_t> subject, std::size_t slice,
                                               const std::array<FieldValue, 2>& fields,
                                               const Context& context, const Slices& slices,
                                               const Texts& texts,
                                               std::optional<std::size_t> otherwise_at) const {
  std::optional<std::size_t> place = subject;
  std::optional<std::size_t> joined_at;
  std::array<FieldValue, 2> values = fields;
  for (std::size_t side = 0; side < 2; ++side) {
    const Operand& operand = side == 0 ? a_ : b_;
    if (operand.is_document()) values[side] = FieldValue(operand.in_document(context));
    if (operand.kind != Operand::Kind::joined) continue;
    const Joined::Text& joined = (*texts[side])[slice];
    if (joined.no_string)
      return ClauseResult::violated(joined.no_string, slice, operand.joined.no_string_detail());
    if (!place) place = joined.last;
    joined_at = joined.last;
    values[side] = FieldValue(std::string_view(joined.text));
  }
  if (!place) place = otherwise_at;
  if (same(values[0], values[1])) return std::nullopt;
  const auto [shown, other] = excerpts(values[0].get(), values[1].get());
  std::string elsewhere;
  for (std::size_t side = 0; side < 2; ++side) {
    if (texts[side] == nullptr) continue;
    const auto text = values[1 - side].text();
    if (text && !slices.whole()) elsewhere = slices_with(*text, slice, slices, *texts[side]);
  }
  if (elsewhere.empty()) elsewhere = member_with({&a_, &b_}, values, context);
  ClauseResult outcome = ClauseResult::violated(
      place, slice, fmt::format("{} is {}, but {} is {}", a_.text, shown, b_.text, other));
  outcome.found = shown;
  outcome.wanted = other;
  outcome.elsewhere = std::move(elsewhere);
  outcome.first = joined_at;
  return outcome;
}

void EqualRule::take(Progress& progress, const Reading& reading, const Slices& slices,
                     const Context& context) const {
  if (at_ && reading.occurs_here(*at_)) {
    std::size_t last = reading.end() - 1;
    while (!reading.is_any(last, *at_)) --last;
    progress.last_at = last;
  }
  if (!each_ || progress.violation || !reading.occurs_here(*each_)) return;
  const bool waits = a_.kind == Operand::Kind::joined || b_.kind == Operand::Kind::joined;
  const bool known = unknown(context) == nullptr;
  for (std::size_t i = reading.begin(); i < reading.end(); ++i) {
    if (!reading.is(i, *each_)) continue;
    const auto slice = slices.of(i);
    if (!slice) continue;
    progress.exercised = true;
    if (!known) return;
    const auto value = [&](const Operand& operand) {
      return operand.kind == Operand::Kind::field ? reading.value(i, operand.field) : FieldValue(nullptr);
    };
    if (waits) {
      progress.waiting.push_back({i, *slice, {value(a_).owned(), value(b_).owned()}});
      continue;
    }
    progress.violation = compare(i, *slice, {value(a_), value(b_)}, context, slices, {});
    if (progress.violation) return;
  }
}

ClauseResult EqualRule::finish(Progress& progress, const Slices& slices, const Context& context,
                               const Texts& texts) const {
  if (progress.violation) return std::move(*progress.violation);
  const Operand* missing_one = unknown(context);
  if (each_) {
    if (!progress.exercised) return ClauseResult::not_exercised("no event of the class that 'each' names");
    if (missing_one != nullptr) return ClauseResult::not_judged(missing(*missing_one, context));
    for (const auto& [subject, slice, values] : progress.waiting) {
      if (auto violation = compare(subject, slice, values, context, slices, texts)) return *violation;
    }
    return {};
  }
  if (missing_one != nullptr) return ClauseResult::not_judged(missing(*missing_one, context));
  for (const Operand* operand : {&a_, &b_})
    if (auto reason = left_open(*operand, context)) return ClauseResult::not_judged(*std::move(reason));
  const auto exercised_by = [&](const Operand& operand, std::size_t side, std::size_t slice) {
    return operand.kind == Operand::Kind::joined ? (*texts[side])[slice].last.has_value()
                                                 : operand.in_document(context) != nullptr;
  };
  bool exercised = false;
  for (std::size_t slice = 0; slice < slices.count(); ++slice) {
    if (!exercised_by(a_, 0, slice) && !exercised_by(b_, 1, slice)) continue;
    exercised = true;
    if (auto violation = compare(std::nullopt, slice, {FieldValue(nullptr), FieldValue(nullptr)}, context,
                                 slices, texts, progress.last_at))
      return *violation;
  }
  return exercised ? ClauseResult{}
                   : ClauseResult::not_exercised(fmt::format("neither {} nor {} exists", a_.text, b_.text));
}

}  // namespace splitproof::contract
