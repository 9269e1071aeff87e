#include "harness/dialect/openai_chat/recut_chunk.hpp"

#include <array>
#include <nlohmann/json.hpp>

namespace splitproof::dialect {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array kProse = {ChatVoice::content, ChatVoice::reasoning_content, ChatVoice::reasoning,
                               ChatVoice::refusal};

const Json* find(const Json& object, std::string_view key) {
  const auto found = object.find(key);
  return found == object.end() || found->is_null() ? nullptr : &*found;
}

/// True for null, "", [] and {}.
bool is_empty(const Json& value) {
  if (value.is_string()) return value.get_ref<const std::string&>().empty();
  return value.empty();
}

bool is_scalar(const Json& value) { return !value.is_structured(); }

/// Reads an optional string member. Returns false if it has another type.
bool read_string(const Json& object, std::string_view key, std::string& text) {
  const Json* value = find(object, key);
  if (value == nullptr) return true;
  if (!value->is_string()) return false;
  text = value->get<std::string>();
  return true;
}

bool is_error(const Json& object) {
  const Json* error = find(object, "error");
  if (error != nullptr && !is_empty(*error)) return true;
  const Json* object_name = find(object, "object");
  const Json* type = find(object, "type");
  return (object_name != nullptr && *object_name == "error") || (type != nullptr && *type == "error");
}

std::optional<ChatCallPiece> read_call(const Json& element) {
  if (!element.is_object()) return std::nullopt;
  ChatCallPiece piece;
  if (const Json* index = find(element, "index")) {
    if (!index->is_number_integer()) return std::nullopt;
    piece.index = index->get<std::int64_t>();
  }
  if (!read_string(element, "id", piece.id)) return std::nullopt;
  const Json* function = find(element, "function");
  if (function == nullptr) return piece;
  if (!function->is_object()) return std::nullopt;
  if (!read_string(*function, "name", piece.name)) return std::nullopt;
  if (!read_string(*function, "arguments", piece.arguments)) return std::nullopt;
  return piece;
}

bool is_voice_key(std::string_view key) {
  if (key == "tool_calls") return true;
  for (const ChatVoice voice : kProse) {
    if (key == key_of(voice)) return true;
  }
  return false;
}

bool read_delta(const Json& delta, ChatSaid& said) {
  if (!delta.is_object()) return false;
  for (const auto& [key, value] : delta.items()) {
    if (!is_voice_key(key) && !is_scalar(value) && !value.empty()) return false;
  }
  std::string role;
  if (!read_string(delta, "role", role)) return false;
  said.role = !role.empty();

  std::size_t voices = 0;
  for (const ChatVoice voice : kProse) {
    std::string text;
    if (!read_string(delta, key_of(voice), text)) return false;
    if (text.empty()) continue;
    said.voice = voice;
    said.text = std::move(text);
    ++voices;
  }
  if (const Json* calls = find(delta, "tool_calls")) {
    if (!calls->is_array()) return false;
    for (const Json& element : *calls) {
      auto piece = read_call(element);
      if (!piece) return false;
      said.voice = ChatVoice::call;
      said.text = piece->arguments;
      said.calls.push_back(*std::move(piece));
      ++voices;
    }
  }
  if (voices > 1) {
    said.voice = ChatVoice::several;
    said.text.clear();
  }
  return true;
}

bool read_choice(const Json& choice, ChatSaid& said) {
  if (!choice.is_object() || is_error(choice)) return false;
  for (const std::string_view whole : {"message", "text"}) {
    const Json* value = find(choice, whole);
    if (value != nullptr && !is_empty(*value)) return false;
  }
  const Json* index = find(choice, "index");
  if (index != nullptr && *index != 0) return false;
  std::string finish;
  if (!read_string(choice, "finish_reason", finish)) return false;
  said.choice = true;
  said.finish = !finish.empty();
  if (find(choice, "usage") != nullptr) said.other_usage = true;
  const Json* delta = find(choice, "delta");
  return delta == nullptr || read_delta(*delta, said);
}

void set_all(Json& delta, const Json& keys) {
  for (const auto& [key, value] : keys.items()) delta[key] = value;
}

Json& delta_of(Json& chunk) {
  Json& delta = chunk["choices"][0]["delta"];
  if (delta.is_null()) delta = Json::object();
  return delta;
}

}  // namespace

std::string_view key_of(ChatVoice prose) {
  switch (prose) {
    case ChatVoice::content:
      return "content";
    case ChatVoice::reasoning_content:
      return "reasoning_content";
    case ChatVoice::reasoning:
      return "reasoning";
    case ChatVoice::refusal:
      return "refusal";
    default:
      return {};
  }
}

std::optional<ChatSaid> said_by(const Json& chunk) {
  if (!chunk.is_object() || is_error(chunk)) return std::nullopt;
  ChatSaid said;
  said.usage = find(chunk, "usage") != nullptr;
  for (const auto& [key, value] : chunk.items()) {
    if (value.is_object() && find(value, "usage") != nullptr) said.other_usage = true;
  }
  const Json* choices = find(chunk, "choices");
  if (choices == nullptr || !choices->is_array() || choices->size() > 1) return std::nullopt;
  if (!choices->empty() && !read_choice(choices->front(), said)) return std::nullopt;
  return said;
}

Json head_of(const Json& chunk) {
  Json head = Json::object();
  for (const auto& [key, value] : chunk.items()) {
    if (key == "choices") {
      Json choice = Json::object();
      for (const auto& [name, old] : value[0].items()) {
        if (name == "index") choice[name] = old;
        if (name == "delta") choice[name] = Json::object();
        if (name == "finish_reason" || name == "logprobs") choice[name] = nullptr;
      }
      head[key] = Json::array({std::move(choice)});
    } else if (is_scalar(value)) {
      head[key] = value;
    }
  }
  delta_of(head);
  return head;
}

Json opening_of(const Json& chunk) {
  Json opening = head_of(chunk);
  if (const Json* delta = find(chunk["choices"][0], "delta")) set_all(delta_of(opening), *delta);
  return opening;
}

Json ending_of(const Json& chunk) {
  Json ending = chunk;
  delta_of(ending) = Json::object();
  return ending;
}

bool says_nothing(const Json& chunk, bool role_was_said) {
  const auto said = said_by(chunk);
  if (!said || said->voice != ChatVoice::none || said->finish || said->any_usage()) return false;
  if (said->role && !role_was_said) return false;
  for (const auto& [key, value] : chunk.items()) {
    if (key != "choices" && !is_scalar(value) && !value.empty()) return false;
  }
  if (!said->choice) return true;
  for (const auto& [key, value] : chunk["choices"][0].items()) {
    if (key != "delta" && !is_scalar(value) && !value.empty()) return false;
  }
  return true;
}

Json saying(ChatVoice prose, const std::string& text) {
  Json delta = Json::object();
  delta[std::string(key_of(prose))] = text;
  return delta;
}

Json calling(const std::vector<Json>& elements) {
  Json delta = Json::object();
  delta["tool_calls"] = elements;
  return delta;
}

Json emptied(const Json& chunk) {
  Json silent = chunk;
  Json& delta = delta_of(silent);
  delta.erase("tool_calls");
  for (const ChatVoice voice : kProse) {
    const auto found = delta.find(key_of(voice));
    if (found != delta.end() && !found->is_null()) *found = "";
  }
  return silent;
}

Json dealt(const Json& chunk, const Json& delta, bool first, bool last) {
  Json made = first && last ? chunk : first ? opening_of(chunk) : last ? ending_of(chunk) : head_of(chunk);
  set_all(delta_of(made), delta);
  return made;
}

std::vector<Json> dealt(const Json& chunk, const std::vector<Json>& deltas) {
  std::vector<Json> chunks;
  for (std::size_t i = 0; i < deltas.size(); ++i)
    chunks.push_back(dealt(chunk, deltas[i], i == 0, i + 1 == deltas.size()));
  return chunks;
}

}  // namespace splitproof::dialect
