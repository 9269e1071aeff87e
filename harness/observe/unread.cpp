#include "harness/observe/unread.hpp"

#include <algorithm>

#include "harness/observe/surrogates.hpp"

namespace splitproof::observe {

bool has_value(const WireJson& value) {
  using Kind = WireJson::Kind;
  switch (value.kind) {
    case Kind::null:
      return false;
    case Kind::boolean:
      return value.raw == "true";
    case Kind::string:
      return !value.text.empty();
    case Kind::array:
    case Kind::object:
      return !value.children.empty();
    case Kind::number:
      break;
  }
  return true;
}

void for_each_unread(const WireJson& object, MemberNames known,
                     const std::function<void(const WireJson& member)>& take) {
  if (!object.is(WireJson::Kind::object)) return;
  for (const WireJson& member : object.children)
    if (has_value(member) && std::find(known.begin(), known.end(), member.key) == known.end()) take(member);
}

std::string type_in_note(std::string_view type) {
  std::string word = replace_surrogates(type);
  std::replace(word.begin(), word.end(), ' ', '_');
  return word;
}

void note_unread(const std::string& object, const WireJson& member, const std::string& of, Answer& answer) {
  answer.extra["the " + object + "." + replace_surrogates(member.key) + of] += compact(member) + "\n";
}

bool note_unread_of(const std::string& name, const WireJson& object, MemberNames known, const std::string& of,
                    Answer& answer) {
  bool any = false;
  for_each_unread(object, known, [&](const WireJson& member) {
    note_unread(name, member, of, answer);
    any = true;
  });
  return any;
}

}  // namespace splitproof::observe
