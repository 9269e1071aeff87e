#include "harness/contract/pointer.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <utility>

namespace splitproof::contract {
namespace {

constexpr std::array<std::pair<std::string_view, Pseudo>, 14> kPseudos = {{
    {"@event", Pseudo::event},
    {"@data", Pseudo::data},
    {"@id", Pseudo::id},
    {"@ended", Pseudo::ended},
    {"@fault", Pseudo::fault},
    {"@fault-reason", Pseudo::fault_reason},
    {"@half-pair", Pseudo::lone_surrogate},
    {"@line-ends", Pseudo::line_ends},
    {"@lost", Pseudo::lost},
    {"@lost-line", Pseudo::lost_line},
    {"@stray", Pseudo::stray},
    {"@stray-line", Pseudo::stray_line},
    {"@dataless", Pseudo::dataless},
    {"@dataless-line", Pseudo::dataless_line},
}};

/// Parses an array index by RFC 6901: digits without a leading zero.
std::optional<std::size_t> array_index(const std::string& name) {
  if (name.empty() || (name.size() > 1 && name[0] == '0')) return std::nullopt;
  std::size_t index = 0;
  const auto [rest, error] = std::from_chars(name.data(), name.data() + name.size(), index);
  if (error != std::errc() || rest != name.data() + name.size()) return std::nullopt;
  return index;
}

std::string unescaped(std::string_view step, std::string_view whole, std::size_t line) {
  std::string name;
  for (std::size_t i = 0; i < step.size(); ++i) {
    if (step[i] != '~') {
      name += step[i];
    } else if (i + 1 < step.size() && (step[i + 1] == '0' || step[i + 1] == '1')) {
      name += step[++i] == '0' ? '~' : '/';
    } else {
      refuse(line, fmt::format("'{}' is not a JSON pointer", whole),
             "write '~' as '~0' and '/' in a name as '~1'");
    }
  }
  return name;
}

}  // namespace

Pointer Pointer::parse(std::string_view text, std::size_t line) {
  Pointer pointer;
  if (text.empty()) return pointer;
  if (text[0] != '/') {
    refuse(line, fmt::format("'{}' is not a JSON pointer", text),
           "a pointer begins with '/'; \"\" is the whole document");
  }
  for (std::size_t begin = 1; begin <= text.size();) {
    const std::size_t end = std::min(text.find('/', begin), text.size());
    Step step;
    step.name = unescaped(text.substr(begin, end - begin), text, line);
    step.index = array_index(step.name);
    pointer.steps_.push_back(std::move(step));
    begin = end + 1;
  }
  return pointer;
}

const Json* Pointer::resolve(const Json* document) const {
  for (const Step& step : steps_) {
    if (document == nullptr) return nullptr;
    document = member(*document, step.name, step.index);
  }
  return document;
}

const Json* Pointer::resolve_in_response(const Json* head) const {
  if (head == nullptr || steps_.size() != 2 || steps_[0].name != "headers") return resolve(head);
  const Json* headers = member(*head, "headers", std::nullopt);
  return headers == nullptr ? nullptr : header(*headers, steps_[1].name);
}

Pointer Pointer::parent() const {
  Pointer shorter = *this;
  shorter.steps_.pop_back();
  return shorter;
}

Field Field::parse(std::string_view text, std::size_t line) {
  Field field;
  field.text = text;
  if (!text.empty() && text[0] == '@') {
    for (const auto& entry : kPseudos) {
      if (entry.first == text) field.pseudo = entry.second;
    }
    if (!field.pseudo) {
      std::string known;
      for (const auto& entry : kPseudos) known += fmt::format("{}{}", known.empty() ? "" : ", ", entry.first);
      refuse(line, fmt::format("there is no '{}'", text), "use one of " + known);
    }
    return field;
  }
  while (!text.empty() && text[0] == '^') {
    ++field.climb;
    text.remove_prefix(1);
  }
  field.pointer = Pointer::parse(text, line);
  return field;
}

}  // namespace splitproof::contract
