#include "harness/observe/expected.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "harness/observe/answer_shapes.hpp"
#include "harness/observe/call_arguments.hpp"
#include "harness/observe/rescue.hpp"
#include "harness/observe/stop_texts.hpp"
#include "harness/observe/surrogates.hpp"
#include "harness/observe/taken_out.hpp"
#include "harness/observe/think_tags.hpp"
#include "harness/observe/wire_json.hpp"

namespace splitproof::observe {
namespace {

/// The type of parts of a second answer, which may have been spliced into the stream of the first.
constexpr std::string_view kAnotherAnswer = "another answer";

FinishKind finish_of(const Answer& meaning) {
  return meaning.finish ? meaning.finish->kind : FinishKind::stop;
}

bool end_was_said(const Answer& meaning, recording::End end, const Choices& choices) {
  if (meaning.done) return meaning.finish.has_value() || !choices.done_needs_finish;
  if (!meaning.finish || choices.only_done_ends) return false;
  return end == recording::End::complete || (end == recording::End::closed && !meaning.finish->if_complete);
}

/// Thinking directly after thinking is one part, wherever the upstream put it.
void add_part(std::vector<Part>& parts, Part part) {
  const bool goes_on = part.kind == PartKind::thinking && !parts.empty() && parts.back().kind == part.kind;
  if (!goes_on) return parts.push_back(std::move(part));
  parts.back().text += part.text;
  if (!part.signature.empty()) parts.back().signature = std::move(part.signature);
}

/// Splits text into thinking and text, if the answer begins with a think tag. Parts of other kinds inside the
/// span keep their kind, and the span continues after them.
std::vector<Part> rerouted(std::vector<Part> parts, bool begins_with_text) {
  std::vector<Part> divided;
  bool inside = false;
  for (Part& part : parts) {
    const bool leads = begins_with_text && &part == &parts.front();
    if (part.kind != PartKind::text || (!leads && !inside)) {
      // Parts that the upstream separates stay separate.
      const bool apart = &part != &parts.front() && (&part)[-1].kind == part.kind;
      apart ? divided.push_back(std::move(part)) : add_part(divided, std::move(part));
      continue;
    }
    const ThinkSpan span = inside ? open_think_span(part.text) : think_span(part.text);
    inside = span.opens && !span.closes;
    for (const auto& [kind, words] :
         {std::pair(PartKind::thinking, span.thinking), {PartKind::text, span.rest}}) {
      if (words.empty()) continue;
      Part piece;
      piece.kind = kind;
      piece.text = words;
      add_part(divided, std::move(piece));
    }
  }
  return divided;
}

/// Returns the input of a custom tool that the provider saw as a function with one text argument. Other
/// arguments are returned unchanged.
std::string custom_input(const std::string& arguments) {
  constexpr std::size_t kLongestTail = 11;  // a surrogate pair with incomplete escapes
  constexpr std::size_t kSurrogate = 3;     // bytes of a surrogate in WTF-8
  for (std::size_t cut = 0; cut <= std::min(kLongestTail, arguments.size()); ++cut) {
    const std::string begun = arguments.substr(0, arguments.size() - cut);
    for (const char* rest : {"", "}", "\"}"}) {
      const std::string text = begun + rest;
      const auto object = parse_wire_json(text);
      if (!object || !object->is(WireJson::Kind::object) || object->children.size() != 1) continue;
      const WireJson& input = object->children[0];
      // The other half of a pair might have followed at the end.
      const bool half =
          *rest != '\0' &&
          first_surrogate(input.text.substr(input.text.size() - std::min(kSurrogate, input.text.size())));
      if (input.is(WireJson::Kind::string) && !half) return replace_surrogates(input.text);
    }
  }
  return begins_object(arguments) ? "" : arguments;
}

/// Adds one call as the choices require. `ids` has those of earlier calls.
void take_call(Part call, const Choices& choices, const ClientCapabilities& carries, bool cut_short,
               std::set<std::string>& ids, Expected& expected) {
  const bool nothing = call.id.empty() && call.name.empty() && call.arguments.empty();
  const bool settled = !call.id.empty() && !call.name.empty();
  if (nothing || (call.id.empty() && choices.drop_idless_calls)) return;
  if (call.name.empty()) {
    if (choices.nameless_call == Choices::Nameless::error && !expected.failure) {
      expected.failure = Failure::nameless;
    }
    if (choices.nameless_call != Choices::Nameless::synthesize) return;
  }
  const bool taken = !ids.insert(call.id).second;
  // An id after the finish is too late for clients that end the message there.
  const bool too_late = expected.shapes.contains("id_after_finish");
  if (taken || too_late || call.id_open || !carries.accepts_id(call.id)) call.id.clear();

  const Arguments kind = kind_of_arguments(call.arguments);
  const bool whole = kind == Arguments::none || kind == Arguments::object;
  if (!whole && !cut_short && !expected.failure) expected.failure = Failure::arguments;
  if (kind == Arguments::none) call.arguments.clear();
  call.custom = carries.custom_tools.contains(carries.renaming.name(Towards::client, call.name));
  if (call.custom) {
    if (kind == Arguments::foreign) call.arguments.clear();
    call.wrapped = std::move(call.arguments);
    call.arguments = custom_input(call.wrapped);
  }
  (settled ? expected.parts : expected.unsettled).push_back(std::move(call));
}

/// Clears arguments that do not begin an object. Until here they distinguish their call from a call without
/// arguments.
void clear_foreign_arguments(std::vector<Part>& parts) {
  for (Part& part : parts) {
    const bool of_object = part.kind == PartKind::call && !part.custom;
    if (of_object && kind_of_arguments(part.arguments) == Arguments::foreign) part.arguments.clear();
  }
}

/// Leaves out calls that cannot be sent as one piece, because their arguments are not one JSON object. Without such a
/// call, an error is as good as the end. A translator may still wait for the end of any call in a failing answer, and
/// for the arguments of a call without any in an answer that a limit cut short.
void keep_whole_calls(bool cut_short, Expected& expected) {
  const auto is_call = [](const Part& part) { return part.kind == PartKind::call; };
  const auto is_torn = [&](const Part& part) {
    const Arguments kind = kind_of_arguments(part.arguments);
    return is_call(part) && !part.custom && kind != Arguments::none && kind != Arguments::object;
  };
  const auto may_be_omitted = [&](const Part& part) {
    const std::string& arguments = part.custom ? part.wrapped : part.arguments;
    const bool waits = cut_short && kind_of_arguments(arguments) == Arguments::none;
    return is_call(part) && (expected.failure || waits);
  };
  const bool is_incomplete = std::erase_if(expected.parts, is_torn) > 0;
  expected.ambiguous = expected.ambiguous || is_incomplete;
  std::erase_if(expected.unsettled, is_torn);
  std::copy_if(expected.parts.begin(), expected.parts.end(), std::back_inserter(expected.unsettled),
               may_be_omitted);
  std::erase_if(expected.parts, may_be_omitted);
  if (!expected.with_think_tags) return;
  std::erase_if(*expected.with_think_tags, is_torn);
  std::erase_if(*expected.with_think_tags, may_be_omitted);
}

Finish finish_for(const Answer& meaning, const Expected& expected, const Choices& choices,
                  const ClientCapabilities& carries) {
  const auto any = [&](PartKind kind) {
    return std::any_of(expected.parts.begin(), expected.parts.end(),
                       [&](const Part& part) { return part.kind == kind; });
  };
  const FinishKind kind = finish_of(meaning);
  if (kind == FinishKind::length) return Finish::length;
  if (kind == FinishKind::filter)
    return carries.filter || choices.filtered_is_refusal ? Finish::filter : Finish::stop;
  if (any(PartKind::call)) return carries.calls ? Finish::calls : Finish::stop;
  return any(PartKind::refusal) && !expected.refusals ? Finish::filter : Finish::stop;
}

/// Makes calls of text, and notes the shapes that this shows.
void rescue(const DeclaredFunctions& functions, Expected& expected) {
  const Rescue rescue = rescue_calls(expected.parts, functions);
  if (expected.with_think_tags) rescue_calls(*expected.with_think_tags, functions);
  for (const auto& [shape, holds] : {std::pair("rescued", rescue.any),
                                     {"said_twice", rescue.said_twice},
                                     {"markup_left", rescue.words_left},
                                     {"markup_in_code", rescue.left.in_code},
                                     {"markup_undeclared", rescue.left.undeclared},
                                     {"markup_unclosed", rescue.left.unclosed}}) {
    if (holds) expected.shapes.insert(shape);
  }
}

/// Renames calls to the client's tools.
void rename_calls(const Renaming& renaming, std::vector<Part>& parts, std::set<std::string>& shapes) {
  for (Part& part : parts) {
    if (part.kind != PartKind::call) continue;
    if (part.name.empty()) continue;
    if (part.custom || !renaming.knows(Towards::client, part.name)) {
      shapes.insert("names_unknown");
      continue;
    }
    const bool whole = kind_of_arguments(part.arguments) == Arguments::object;
    shapes.insert(whole ? "names_known" : "names_known_arguments_not");
    if (renaming.fills(Towards::client, part.name, part.arguments)) shapes.insert("names_filled");
    if (whole) part.arguments = renaming.arguments(Towards::client, part.name, part.arguments);
    part.name = renaming.name(Towards::client, part.name);
  }
}

/// Ignores everything after the text, including an error or a missing end. Invalid arguments of an earlier
/// call are still an error.
void end_at_stop(Expected& expected) {
  expected.unsettled.clear();
  expected.with_think_tags.reset();
  const bool unreadable = std::any_of(expected.parts.begin(), expected.parts.end(), [](const Part& part) {
    return part.kind == PartKind::call && kind_of_arguments(part.arguments) != Arguments::none &&
           kind_of_arguments(part.arguments) != Arguments::object;
  });
  if (!unreadable) expected.failure.reset();
}

Finish finish_at_stop(const Expected& expected, const ClientCapabilities& carries) {
  const bool called = std::any_of(expected.parts.begin(), expected.parts.end(),
                                  [](const Part& part) { return part.kind == PartKind::call; });
  if (called) return carries.calls ? Finish::calls : Finish::stop;
  return carries.stop_text ? Finish::stop_text : Finish::stop;
}

/// Notes of data that only the provider can read are lines of JSON strings.
void add_sealed(const Answer& meaning, const ClientCapabilities& carries, Expected& expected) {
  if (carries.sealed_block == nullptr) return;
  for (const auto& [what, value] : meaning.extra) {
    if (carries.becomes_of(note_of(what)) != LossPolicy::sealed) continue;
    for (std::size_t begin = 0; begin < value.size();) {
      const std::size_t end = std::min(value.find('\n', begin), value.size());
      const std::string line = value.substr(begin, end - begin);
      const auto data = parse_wire_json(line);
      if (data && data->is(WireJson::Kind::string))
        expected.sealed.push_back(carries.sealed_block(replace_surrogates(data->text)));
      begin = end + 1;
    }
  }
}

void add_text(Expected& expected) {
  const bool only_thinking = !expected.parts.empty() &&
                             std::all_of(expected.parts.begin(), expected.parts.end(),
                                         [](const Part& part) { return part.kind == PartKind::thinking; });
  if (!only_thinking) return;
  Part text;
  for (const Part& part : expected.parts) text.text += part.text;
  expected.parts.push_back(std::move(text));
}

/// Returns the end of an answer, as its upstream reported it.
std::string ending_of(const Answer& meaning) {
  if (!meaning.finish)
    return meaning.done ? "its closing mark, and no word that can be read" : "no word for the end";
  const bool calls = std::any_of(meaning.parts.begin(), meaning.parts.end(),
                                 [](const Part& part) { return part.kind == PartKind::call; });
  std::string ending = "\"" + meaning.finish->word + "\"";
  if (meaning.finish->kind == FinishKind::calls && !calls) ending += " without a call";
  if (meaning.finish->kind == FinishKind::stop && calls) ending += " after a call";
  return ending;
}

/// Stores the texts for messages on an upstream's answer.
void describe_answer(const Answer& meaning, Expected& expected) {
  expected.ending = ending_of(meaning);
  expected.reported = meaning.error.value_or("it ended with " + expected.ending);
  const auto call = std::find_if(meaning.parts.begin(), meaning.parts.end(), [](const Part& part) {
    if (part.kind != PartKind::call || part.custom) return false;
    const Arguments kind = kind_of_arguments(part.arguments);
    return kind != Arguments::object && kind != Arguments::none;
  });
  if (call != meaning.parts.end())
    expected.unreadable_call = "\"" + call->name + "\" with the arguments " + call->arguments;
}

/// Notes that the client's protocol has no place for a kind of part or note.
void refuse_part(const std::string& kind, Expected& expected) {
  expected.shapes.insert("refused");
  if (expected.refused_part.empty()) expected.refused_part = kind;
  if (!expected.failure) expected.failure = Failure::refused;
}

/// True if the answer has a kind that no row of lossy.yaml decides. Within one protocol there are no rows.
bool has_unlisted_kind(const Answer& meaning, const ClientCapabilities& carries) {
  if (carries.losses.size() < 2) return false;
  const std::set<std::string> kinds = kinds_of(meaning);
  return std::any_of(kinds.begin(), kinds.end(),
                     [&](const std::string& kind) { return !carries.losses.contains(kind); });
}

/// True if an answer ended without content, though nothing says that it should have none.
bool has_nothing(const Answer& meaning, const Expected& expected) {
  return meaning.shapes.contains("done_alone") ||
         (expected.parts.empty() && meaning.shapes.contains("failed_image"));
}

}  // namespace

std::string_view name(Finish finish) {
  switch (finish) {
    case Finish::stop:
      return "stop";
    case Finish::length:
      return "length";
    case Finish::calls:
      return "tool_calls";
    case Finish::filter:
      return "content_filter";
    case Finish::stop_text:
      return "stop_text";
  }
  return "";
}

Expected expected_of(const Answer& meaning, recording::End end, const Choices& choices,
                     const ClientCapabilities& carries) {
  Expected expected;
  describe_answer(meaning, expected);
  expected.refusals = carries.becomes_of("refusal") == LossPolicy::carried;
  if (carries.usage) expected.usage = meaning.usage;
  expected.shapes = meaning.shapes;
  const FinishKind finish = finish_of(meaning);
  if (meaning.error || finish == FinishKind::breakdown) {
    expected.failure = Failure::reported;
    expected.error_classes = meaning.error_classes;
  } else if (meaning.shapes.contains("no_first_choice")) {
    expected.failure = Failure::elsewhere;
  } else if (!end_was_said(meaning, end, choices)) {
    expected.failure = Failure::cut_off;
  }
  std::size_t calls = 0;
  std::set<std::string> ids;
  for (const Part& part : meaning.parts) {
    const LossPolicy becomes = carries.becomes_of(kind_of(part));
    const std::size_t number = part.kind == PartKind::call ? calls++ : 0;
    if (becomes == LossPolicy::dropped) {
      expected.shapes.insert("dropped");
    } else if (becomes == LossPolicy::refused) {
      refuse_part(kind_of(part), expected);
    } else if (part.kind == PartKind::call) {
      Part call = part;
      call.begun = number < meaning.begun.size() ? meaning.begun[number] : number;
      take_call(std::move(call), choices, carries, cuts_short(finish), ids, expected);
    } else {
      expected.parts.push_back(part);
      if (carries.becomes_of("signature") != LossPolicy::carried) expected.parts.back().signature.clear();
    }
  }
  for (const std::string& note : notes_of(meaning)) {
    if (carries.becomes_of(note) != LossPolicy::refused) continue;
    refuse_part(note, expected);
  }
  add_sealed(meaning, carries, expected);
  if (!expected.failure && has_nothing(meaning, expected)) {
    expected.failure = Failure::nothing;
    expected.shapes.insert("ended_empty");
  }
  // A closing mark alone does not prove that a call is complete.
  const auto is_bare = [](const Part& part) { return part.kind == PartKind::call && part.arguments.empty(); };
  const auto has_bare = [&](const std::vector<Part>& parts) {
    return std::any_of(parts.begin(), parts.end(), is_bare);
  };
  if (!expected.failure && !meaning.finish && (has_bare(expected.parts) || has_bare(expected.unsettled)))
    expected.failure = Failure::arguments;
  if (!expected.failure) {
    // Unsettled calls become settled when the answer ends.
    std::move(expected.unsettled.begin(), expected.unsettled.end(), std::back_inserter(expected.parts));
    expected.unsettled.clear();
  }
  expected.kinds_apart = !carries.order;
  expected.ambiguous = meaning.shapes.contains("ambiguous");
  expected.order_open = meaning.shapes.contains("prose_meanwhile") && !expected.kinds_apart;
  if (choices.reroute_think_tags) {
    std::vector<Part> divided = rerouted(expected.parts, meaning.begins_with_text);
    const bool has_tags = !divided.empty() && divided.front().kind != expected.parts.front().kind;
    // One part, or several with a part of a tag in each: only its end shows that.
    if (has_tags && expected.shapes.contains("number_counts_up"))
      expected.shapes.insert({"text_unclear", "thinking_unclear"});
    if (choices.think_tags_may_stay) expected.with_think_tags = std::move(expected.parts);
    expected.parts = std::move(divided);
    if (expected.with_think_tags == expected.parts) expected.with_think_tags.reset();
  }
  if (choices.rescue_markup) rescue(carries.functions, expected);
  if (carries.whole_calls) keep_whole_calls(cuts_short(finish), expected);
  clear_foreign_arguments(expected.parts);
  clear_foreign_arguments(expected.unsettled);
  if (expected.with_think_tags) clear_foreign_arguments(*expected.with_think_tags);
  if (carries.renaming.any()) {
    std::set<std::string> ignored;
    rename_calls(carries.renaming, expected.parts, expected.shapes);
    rename_calls(carries.renaming, expected.unsettled, expected.shapes);
    if (expected.with_think_tags) rename_calls(carries.renaming, *expected.with_think_tags, ignored);
  }
  take_out(expected.parts, choices, carries.model);
  if (expected.with_think_tags) take_out(*expected.with_think_tags, choices, carries.model);
  const bool cut = choices.cuts_at_stops && cut_at_stops(expected.parts, carries.stops);
  if (cut) end_at_stop(expected);
  if (!expected.failure && choices.add_text_to_thinking) add_text(expected);
  if (meaning.finish) expected.finish_word = meaning.finish->word;
  if (!cut && !expected.failure && finish == FinishKind::unknown) {
    expected.finish_unknown = !expected.parts.empty();
    if (expected.parts.empty()) expected.failure = Failure::nothing;
    expected.shapes.insert(expected.finish_unknown ? "finish_unknown" : "finish_unknown_alone");
  }
  expected.finish = cut ? finish_at_stop(expected, carries) : finish_for(meaning, expected, choices, carries);
  expected.may_be_incomplete = carries.incomplete && expected.failure == Failure::cut_off;
  add_answer_shapes(meaning, end, choices, expected);
  // An error is as good as an empty answer that no finish explains, or that lacks content of an unknown or unlisted kind.
  const bool is_empty_success = !expected.failure && expected.parts.empty();
  const bool lacks_content = meaning.shapes.contains("unknown_block") || has_unlisted_kind(meaning, carries);
  if (is_empty_success && (!meaning.finish || lacks_content)) expected.ambiguous = true;
  if (meaning.shapes.contains("spliced")) {
    // The first of two answers alone is as good as both.
    Answer first = meaning;
    std::erase_if(first.parts, [](const Part& part) { return part.type == kAnotherAnswer; });
    first.begun.clear();
    first.shapes.erase("spliced");
    expected.with_think_tags = expected_of(first, end, choices, carries).parts;
  }
  return expected;
}

}  // namespace splitproof::observe
