#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "harness/observe/answer.hpp"
#include "harness/observe/wire_json.hpp"

namespace splitproof::observe {

using MemberNames = std::span<const std::string_view>;

/// True if a member has a value. null, false, "", [] and {} are no values.
bool has_value(const WireJson& value);

/// Calls `take` for each member of `object` that has a value and is not in `known`. Does nothing if it is not
/// an object.
void for_each_unread(const WireJson& object, MemberNames known,
                     const std::function<void(const WireJson& member)>& take);

/// Returns a type as the name of a note has it: without spaces, as " of " ends that name.
std::string type_in_note(std::string_view type);
/// Adds a member that no reader knows to the notes of an answer, with its previous values. `object` is its
/// owner's name in messages, `of` is a suffix if there are several (" of block 2").
void note_unread(const std::string& object, const WireJson& member, const std::string& of, Answer& answer);

/// Notes each member of `object` that has a value and is not in `known`. Returns true if there is one.
bool note_unread_of(const std::string& name, const WireJson& object, MemberNames known, const std::string& of,
                    Answer& answer);

}  // namespace splitproof::observe
