#include "harness/dialect/openai_responses/reading.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <utility>

#include "harness/dialect/error_words.hpp"
#include "harness/dialect/json_events.hpp"
#include "harness/dialect/openai_responses/shapes.hpp"
#include "harness/dialect/openai_responses/words.hpp"
#include "harness/observe/call_arguments.hpp"
#include "harness/observe/finish_words.hpp"
#include "harness/observe/think_tags.hpp"
#include "harness/observe/unread.hpp"

namespace splitproof::dialect {
namespace {

using namespace responses_words;
using Kind = observe::WireJson::Kind;
using observe::FinishKind;
using observe::PartKind;

bool is_documented_event(std::string_view type) {
  constexpr std::array<std::string_view, 9> kFamilies = {"web_search_call",
                                                         "file_search_call",
                                                         "code_interpreter_call",
                                                         "image_generation_call",
                                                         "mcp_call",
                                                         "mcp_list_tools",
                                                         "shell_call",
                                                         "apply_patch_call",
                                                         "audio"};
  constexpr std::string_view kPrefix = "response.";
  if (!type.starts_with(kPrefix)) return false;
  const std::string_view rest = type.substr(kPrefix.size());
  return rest == "output_text.annotation.added" ||
         std::any_of(kFamilies.begin(), kFamilies.end(),
                     [&](std::string_view family) { return rest.starts_with(family); });
}

/// True for an event of the model's speech, which no item repeats.
bool is_audio_event(std::string_view type) { return type.starts_with("response.audio."); }

/// True if the item of a built-in tool repeats the contents of the event.
bool is_step_of_tool(std::string_view type) {
  constexpr auto kSteps = std::to_array<std::string_view>(
      {"response.code_interpreter_call_code", "response.mcp_call_arguments", "response.mcp_call.arguments",
       "response.shell_call_command", "response.shell_call_output_content",
       "response.apply_patch_call_operation_diff"});
  const std::size_t dot = type.rfind('.');
  const std::string_view step = dot == type.npos ? type : type.substr(dot);
  const bool is_step = step == ".added" || step == ".delta" || step == ".done";
  return is_step && is_one_of(type.substr(0, dot), kSteps);
}

/// True for metadata of OpenAI's server for Codex, which no client shows.
bool is_metadata_event(std::string_view type) {
  return type == "response.metadata" || type == "codex.rate_limits";
}

// Members of an event that are read here, or whose content the item repeats at its end.
constexpr auto kResponsesEvent = std::to_array<std::string_view>({"type",
                                                                  "sequence_number",
                                                                  "response",
                                                                  "item",
                                                                  "part",
                                                                  "item_id",
                                                                  "output_index",
                                                                  "content_index",
                                                                  "summary_index",
                                                                  "annotation_index",
                                                                  "command_index",
                                                                  "delta",
                                                                  "text",
                                                                  "refusal",
                                                                  "arguments",
                                                                  "name",
                                                                  "input",
                                                                  "code",
                                                                  "command",
                                                                  "diff",
                                                                  "output",
                                                                  "annotation",
                                                                  "logprobs",
                                                                  "error",
                                                                  "partial_image_index",
                                                                  "partial_image_b64",
                                                                  "obfuscation"});
// Members of the response that are read here, that repeat settings of the request, or that are metadata.
constexpr auto kResponseMembers = std::to_array<std::string_view>({"id",
                                                                   "object",
                                                                   "created_at",
                                                                   "completed_at",
                                                                   "status",
                                                                   "error",
                                                                   "incomplete_details",
                                                                   "model",
                                                                   "output",
                                                                   "output_text",
                                                                   "usage",
                                                                   "background",
                                                                   "billing",
                                                                   "conversation",
                                                                   "frequency_penalty",
                                                                   "instructions",
                                                                   "max_output_tokens",
                                                                   "max_tool_calls",
                                                                   "metadata",
                                                                   "parallel_tool_calls",
                                                                   "presence_penalty",
                                                                   "previous_response_id",
                                                                   "prompt",
                                                                   "prompt_cache_key",
                                                                   "prompt_cache_retention",
                                                                   "reasoning",
                                                                   "safety_identifier",
                                                                   "service_tier",
                                                                   "store",
                                                                   "temperature",
                                                                   "text",
                                                                   "tool_choice",
                                                                   "tools",
                                                                   "top_logprobs",
                                                                   "top_p",
                                                                   "truncation",
                                                                   "user"});

// Members of the settings that a response repeats.
constexpr auto kReasoningMembers =
    std::to_array<std::string_view>({"effort", "summary", "generate_summary", "context", "mode"});
constexpr auto kTextMembers = std::to_array<std::string_view>({"format", "verbosity"});
constexpr auto kFormatMembers =
    std::to_array<std::string_view>({"type", "name", "description", "schema", "strict"});

/// Adds the unread members of an item or a part to the notes of the answer. Each member in `alone` gets its own note.
/// All others share one note.
void keep_members(const std::string& of, MemberTexts members, std::initializer_list<const char*> alone,
                  observe::Answer& answer) {
  for (const char* key : alone) {
    const auto found = members.find(key);
    if (found == members.end()) continue;
    answer.extra["the " + found->first + of] = found->second;
    members.erase(found);
  }
  if (!members.empty()) answer.extra["the members" + of] = object_of(members);
}

/// Returns the shapes of a finished answer. shapes.hpp marks them with "Ends".
std::vector<const char*> ending_shapes(const observe::Answer& answer) {
  std::vector<const char*> shapes;
  const auto add = [&](const char* shape, bool holds) {
    if (holds) shapes.push_back(shape);
  };
  const auto is = [&](FinishKind kind) { return answer.finish && answer.finish->kind == kind; };
  const bool cut_short = !answer.finish || answer.error || cuts_short(answer.finish->kind);
  for (const observe::Part& part : answer.parts) {
    add("think_tag", part.kind == PartKind::text && observe::think_span(part.text).opens);
    if (part.kind != PartKind::call) continue;
    add("id_never", part.id.empty());
    add("name_never", part.name.empty());
    const observe::Arguments kind = observe::kind_of_arguments(part.arguments);
    const bool whole = part.custom || kind == observe::Arguments::object || kind == observe::Arguments::none;
    add("arguments_never", observe::leading_blanks(part.arguments) == part.arguments.size());
    add(cut_short ? "arguments_cut" : "arguments_unreadable", !whole);
  }
  add("finish_stop", is(FinishKind::stop));
  add("finish_length", is(FinishKind::length));
  add("content_filter", is(FinishKind::filter));
  add("finish_stop_with_tools", is(FinishKind::stop) && answer.shapes.contains("tools"));
  add("no_done", !answer.done);
  add("nothing", !answer.done && !answer.error);
  const observe::Tokens& usage = answer.usage;
  add("no_usage", !usage.prompt && !usage.cached && !usage.completion);
  return shapes;
}

}  // namespace

void ResponsesReading::take(const observe::SseEvent& event) {
  if (answer_.done) return note("after_done");
  const JsonEvent read = read_json_event(event, kMaxResponsesEvent);
  if (read.kind == JsonEvent::Kind::nothing) return;
  const std::string type(read.json.at("type").string());
  if (answer_.error) {
    answer_.done = ends_response(type);
    return;
  }
  if (read.kind == JsonEvent::Kind::done) return note("unknown_keys");
  if (read.kind == JsonEvent::Kind::unreadable) return fail(read.fault);
  if (!event.terminated) note("no_final_blank_line");
  if (is_unnamed(event)) note("unnamed_event");
  take_event(read.json, event.event == "error" ? "error" : type);
}

void ResponsesReading::take_plain_body(std::string_view body) {
  if (answer_.done || answer_.error) return;
  const auto document = read_document(body, kMaxResponsesEvent);
  if (!document) return;
  const observe::WireJson& error = document->at("error");
  if (!error.absent() && !error.is(Kind::null)) take_event(*document, "error");
}

void ResponsesReading::take_event(const observe::WireJson& event, const std::string& type) {
  const observe::WireJson& error = event.at("error");
  if (type == "error" || (type.empty() && (error.is(Kind::object) || error.is(Kind::string)))) {
    const observe::WireJson& said = error.absent() || error.is(Kind::null) ? event : error;
    const std::string code = text_at(said, "code");
    if (!code.empty()) answer_.extra["the error's code"] = code;
    answer_.error_classes = classes_of_error(said);
    return fail(reported_message(said));
  }
  if (type == "keepalive" || type == "ping") return note("keepalive");
  const auto sequence = integer(event.at("sequence_number"));
  if (!sequence) note("no_sequence");
  if (sequence && sequence_ && *sequence != *sequence_ + 1) note("sequence_gap");
  if (sequence) sequence_ = sequence;
  if (!event.at("obfuscation").absent()) note("obfuscation");
  if (is_metadata_event(type)) return note("unknown_keys");
  keep_unread(event, type);
  if (is_audio_event(type)) return take_audio(event, type);
  if (type == "response.created") {
    if (started_) note("started_twice");
    started_ = true;
    const std::string id = text_at(event.at("response"), "id");
    if (!id_.empty() && !id.empty() && id != id_) return fail("another response begins before this one ends");
    if (!id.empty()) id_ = id;
    return take_response(event.at("response"));
  }
  if (type == "response.in_progress" || type == "response.queued") return take_response(event.at("response"));
  if (ends_response(type)) return end(event, type);
  const bool item_added = type == "response.output_item.added";
  if (item_added || type == "response.output_item.done") {
    if (!started_) note("no_start");
    const observe::WireJson& item = event.at("item");
    std::string item_type = text_at(item, "type");
    if (item_type.empty()) return note("unknown_keys");
    if (!item_added && is_ambiguous(event, item, item_type)) note("ambiguous");
    const auto found = item_added ? find_early(event, item, item_type) : find(event, item, item_type);
    if (!item_added && !found) note("item_never_added");
    if (item_added && found) name_item(*found, event, item);
    const auto number = found ? found : begin_item(event, item, std::move(item_type));
    if (number) take_item(*number, item, item_added ? Stage::start : Stage::all);
    if (!number || item_added || answer_.error) return;
    close_item(*number);
    take_start(*number);
    end_item(*number);
    items_[*number].done = true;
    return;
  }
  if (take_said(event, type) || take_part_event(event, type)) return;
  if (!is_documented_event(type)) note("unknown_keys");
  if (is_step_of_tool(type)) return;
  // A translator may drop an unknown event, unless the event has content.
  for (const char* key : {"delta", "text", "item", "part"}) {
    if (!observe::has_value(event.at(key))) continue;
    observe::WireJson named = event.at(key);
    named.key = type.empty() ? "untyped" : observe::type_in_note(type);
    observe::note_unread("event", named, {}, answer_);
    note("unknown_block");
  }
}

/// Notes audio and its transcript. No item has them. An end of audio that never came leaves open whether some is missing.
void ResponsesReading::take_audio(const observe::WireJson& event, const std::string& type) {
  const std::string what =
      type.starts_with("response.audio.transcript.") ? "the audio.transcript" : "the audio.data";
  for (const char* key : {"delta", "transcript"}) {
    const observe::WireJson& said = event.at(key);
    if (observe::has_value(said)) answer_.extra[what] += observe::compact(said) + "\n";
  }
  if (!answer_.extra.contains(what)) note("ambiguous");
}

/// Notes unknown members of the settings that the response repeats. Returns true if it found any.
bool ResponsesReading::note_settings(const observe::WireJson& response, const std::string& of) {
  bool any = false;
  const auto note_those_of = [&](const char* name, const observe::WireJson& object,
                                 observe::MemberNames known) {
    any |= observe::note_unread_of(name, object, known, of, answer_);
  };
  note_those_of("response.reasoning", response.at("reasoning"), kReasoningMembers);
  note_those_of("response.text", response.at("text"), kTextMembers);
  note_those_of("response.text.format", response.at("text").at("format"), kFormatMembers);
  return any;
}

/// Notes the unknown members of an event and its response. Also notes annotations and logprobs of the event.
void ResponsesReading::keep_unread(const observe::WireJson& event, const std::string& type) {
  const std::string of = " of " + type;
  std::vector<std::string_view> known(kResponsesEvent.begin(), kResponsesEvent.end());
  if (is_audio_event(type)) known.insert(known.end(), {"transcript", "response_id"});
  const bool any = observe::note_unread_of("event", event, known, of, answer_);
  const bool any_of_response =
      observe::note_unread_of("response", event.at("response"), kResponseMembers, of, answer_);
  const bool any_of_settings = note_settings(event.at("response"), of);
  if (any || any_of_response || any_of_settings) note("unknown_block");
  for (const auto& [key, what] : {std::pair("annotation", "annotations"), {"logprobs", "logprobs"}}) {
    const observe::WireJson& said = event.at(key);
    if (observe::has_value(said))
      answer_.extra["the " + std::string(what) + of] += observe::compact(said) + "\n";
  }
}

void ResponsesReading::take_response(const observe::WireJson& response) {
  const std::string model = text_at(response, "model");
  if (!model.empty()) answer_.model = model;
  const observe::WireJson& usage = response.at("usage");
  if (!usage.is(Kind::object)) return;
  counts_.take(usage);
  answer_.usage = counts_.tokens();
  if (answer_.usage.cached.value_or(0) > 0) note("cached_tokens");
  const auto rest = members_of(usage, {"input_tokens", "output_tokens"});
  if (!rest.empty()) answer_.extra["usage"] = object_of(rest);
}

/// Ends the response. A failed response adds nothing to its answer.
void ResponsesReading::end(const observe::WireJson& event, const std::string& type) {
  const observe::WireJson& response = event.at("response");
  if (!started_) note("no_start");
  take_response(response);
  // The status and the type of the event may differ. A failure or truncation in either of them counts. Otherwise
  // the status decides.
  const std::string event_status = type.substr(type.find('.') + 1);
  const std::string stated = text_at(response, "status");
  const std::string status = stated.empty() ? event_status : stated;
  if (status != event_status) note("status_differs");
  const auto says = [&](std::string_view word) { return status == word || event_status == word; };
  if (says("failed") || says("cancelled")) {
    const std::string code = text_at(response.at("error"), "code");
    if (!code.empty()) answer_.extra["the error's code"] = code;
    answer_.error_classes = classes_of_error(response.at("error"));
    fail(reported_message(response.at("error")));
    answer_.done = true;
    return;
  }
  const observe::WireJson& output = response.at("output");
  if (output.children.empty() && !items_.empty()) note("output_empty");
  if (output.is(Kind::array)) {
    for (const observe::WireJson& item : output.children) repeat(item);
  }
  answer_.done = true;
  if (answer_.error) return;
  note_held();
  for (std::size_t number = 0; number < items_.size(); ++number) {
    close_item(number);
    take_start(number);
    if (!items_[number].done) note("item_never_done");
  }
  const std::string reason = text_at(response.at("incomplete_details"), "reason");
  answer_.finish = observe::FinishReason{FinishKind::stop, "completed"};
  if (says("incomplete")) {
    answer_.finish = reason.empty() ? observe::FinishReason{FinishKind::length, "incomplete"}
                                    : observe::read_finish("openai.responses", reason);
  } else if (status != "completed") {
    answer_.finish = observe::FinishReason{FinishKind::unknown, status};
  }
}

/// Takes an item that the last event repeats.
void ResponsesReading::repeat(const observe::WireJson& item) {
  if (answer_.error || item.at("type").string().empty()) return;
  auto number = find_repeated(item);
  if (!number) {
    note("item_never_added");
    number = begin_item(observe::WireJson(), item, text_at(item, "type"));
    if (!number) return;
  }
  items_[*number].repeated = true;
  take_item(*number, item, Stage::all);
  end_item(*number);
}

/// Takes an event with a text or a piece of it. Returns false for any other event.
bool ResponsesReading::take_said(const observe::WireJson& event, const std::string& type) {
  const bool piecewise = type.ends_with(".delta");
  if (!piecewise && !type.ends_with(".done")) return false;
  const std::string_view name = std::string_view(type).substr(0, type.rfind('.'));
  const auto said = std::find_if(kStringEvents.begin(), kStringEvents.end(),
                                 [&](const StringEvents& one) { return one.event == name; });
  if (said == kStringEvents.end()) return false;
  if (!started_) note("no_start");
  if (is_ambiguous(event, observe::WireJson(), said->item)) note("ambiguous");
  auto number = find(event, observe::WireJson(), said->item);
  if (!number) {
    note("item_never_added");
    number = begin_item(event, observe::WireJson(), std::string(said->item));
    if (!number) return true;
  }
  const Item& item = items_[*number];
  const std::string_view id = event.at("item_id").string();
  if (!id.empty() && !item.id.empty() && observe::replace_surrogates(id) != item.id) note("id_drift");
  if (*number + 1 != items_.size()) note("interleaved_items");
  const List list = said->kind == PartKind::call     ? List::call
                    : said->index == "summary_index" ? List::summary
                                                     : List::content;
  const auto piece = piece_of(*number, list, said->kind,
                              said->index.empty() ? 0 : integer(event.at(said->index)).value_or(0));
  if (!piece) return true;
  if (piecewise) {
    say(*number, *piece, event.at("delta"));
  } else {
    say_all(*number, *piece, event.at(said->all));
  }
  return true;
}

/// Takes an event that starts or ends a part. Returns false for any other event.
bool ResponsesReading::take_part_event(const observe::WireJson& event, const std::string& type) {
  const bool starts = type.ends_with("_part.added");
  if (!starts && !type.ends_with("_part.done")) return false;
  constexpr std::array<std::string_view, 3> kParts = {"response.content_part", "response.reasoning_part",
                                                      "response.reasoning_summary_part"};
  const std::string_view name = std::string_view(type).substr(0, type.rfind('.'));
  if (!is_one_of(name, kParts)) return false;
  if (!started_) note("no_start");
  const observe::WireJson& part = event.at("part");
  if (part.at("type").string().empty()) return true;
  const PartKind kind = kind_of_part(part.at("type").string());
  const bool may_reason = kind == PartKind::other && !find(event, observe::WireJson(), "message") &&
                          find(event, observe::WireJson(), "reasoning");
  const std::string_view item_type = kind == PartKind::thinking || may_reason ? "reasoning" : "message";
  if (is_ambiguous(event, observe::WireJson(), item_type)) note("ambiguous");
  auto number = find(event, observe::WireJson(), item_type);
  if (!number) {
    note("item_never_added");
    number = begin_item(event, observe::WireJson(), std::string(item_type));
    if (!number) return true;
  }
  const bool summary = name.ends_with("summary_part");
  take_part(*number, summary ? List::summary : List::content,
            integer(event.at(summary ? "summary_index" : "content_index")).value_or(0), part,
            starts ? Stage::start : Stage::all);
  return true;
}

void ResponsesReading::fail(std::string reason) {
  answer_.error = std::move(reason);
  note("error");
  for (std::size_t number = 0; number < items_.size(); ++number) close_item(number);
}

observe::Answer ResponsesReading::finished() const {
  ResponsesReading last = *this;
  observe::Answer& answer = last.answer_;
  std::vector<observe::Part> parts;
  std::vector<std::pair<std::size_t, observe::Part>> unsettled;
  for (std::size_t number = 0; number < last.items_.size(); ++number) last.close_item(number);
  last.note_held();
  last.name_opaque_items();
  for (const std::size_t number : last.order_) {
    const Item& item = last.items_[number];
    const std::string name = " of item " + std::to_string(number);
    if (!is_opaque(item.type)) keep_members(name, item.members, {"phase"}, answer);
    std::string sealed = item.sealed;
    for (std::size_t i = 0; i < item.pieces.size(); ++i) {
      Piece& piece = last.pieces_[item.pieces[i]];
      observe::Part part = std::move(last.part_of(piece));
      const PartKind kind = part.kind;
      (kind == PartKind::call ? part.arguments : part.text) += piece.late;
      if (kind == PartKind::other) part.text = piece.start;
      // The text of an opaque part already contains its members.
      if (kind != PartKind::other)
        keep_members(" of part " + std::to_string(i) + name, piece.members, {"annotations", "logprobs"},
                     answer);
      if (kind == PartKind::thinking && item.reasons && *item.reasons != piece.list) {
        answer.extra["the other reasoning" + name] += part.text;
        continue;
      }
      if (part.text.empty() && kind != PartKind::call) continue;
      if (piece.goes_on && !parts.empty() && parts.back().kind == kind) {
        parts.back().text += part.text;
        continue;
      }
      if (kind != PartKind::call) {
        if (kind == PartKind::thinking) part.signature = std::exchange(sealed, {});
        parts.push_back(std::move(part));
        continue;
      }
      if (part.id.empty() || part.name.empty()) {
        unsettled.emplace_back(piece.begun, std::move(part));
        continue;
      }
      answer.begun.push_back(piece.begun);
      parts.push_back(std::move(part));
    }
    if (sealed.empty()) continue;
    observe::Part& part = parts.emplace_back();
    part.kind = PartKind::thinking;
    part.signature = std::move(sealed);
    part.rank = item.rank;
    part.ended = item.done || item.repeated;
  }
  for (auto& [begun, call] : unsettled) {
    answer.begun.push_back(begun);
    parts.push_back(std::move(call));
  }
  answer.parts = std::move(parts);
  for (const char* shape : ending_shapes(answer)) last.note(shape);
  return std::move(answer);
}

}  // namespace splitproof::dialect
