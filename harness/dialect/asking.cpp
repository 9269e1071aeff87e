#include "harness/dialect/asking.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "harness/json_member.hpp"

namespace splitproof::dialect {

using nlohmann::json;

namespace {

/// Purpose of tools whose type or name contains the word. The first match counts.
struct Use {
  std::string_view word;
  std::string_view does;
};
constexpr std::array<Use, 13> kUses = {{{"web_search", "web_search"},
                                        {"web_fetch", "web_fetch"},
                                        {"tool_search", "tool_search"},
                                        {"file_search", "file_search"},
                                        {"code_execution", "code_execution"},
                                        {"code_interpreter", "code_execution"},
                                        {"image_generation", "image_generation"},
                                        {"text_editor", "text_editor"},
                                        {"computer", "computer"},
                                        {"shell", "shell"},
                                        {"bash", "shell"},
                                        {"memory", "memory"},
                                        {"mcp", "mcp"}}};

std::string use_of(const std::string& type) {
  for (const Use& use : kUses)
    if (type.find(use.word) != type.npos) return std::string(use.does);
  return type;
}

void add_mark(const json& raw, std::string on, observe::AskedRequest& asked) {
  if (const json* mark = given_value(raw, "cache_control")) asked.marks.push_back({std::move(on), mark});
}

void add_mark(const observe::AskedBlock& block, const char* where, observe::AskedRequest& asked) {
  std::string on = where;
  if (block.id) {
    on += " " + *block.id;
  } else if (block.text) {
    on += " " + *block.text;
  }
  add_mark(*block.raw, on, asked);
  if (block.kind != observe::AskedKind::result) return;
  for_each_of(member(*block.raw, "content"), on,
              [&asked](const json& part, const std::string& place) { add_mark(part, place, asked); });
}

}  // namespace

std::optional<std::string> optional_text(const json& value) {
  if (!value.is_string()) return std::nullopt;
  return value.get<std::string>();
}

observe::AskedBlock block_of_string(const json& text, const std::string& at, observe::AskedKind kind) {
  observe::AskedBlock block{kind, at, &text};
  block.text = text.get<std::string>();
  return block;
}

const json* given_value(const json& body, const char* name) {
  const json& value = member(body, name);
  return value.is_null() ? nullptr : &value;
}

observe::OfferedTool offered_tool(observe::AskedTool kind, const json& tool, const std::string& at,
                                  const json& declared, const char* schema) {
  return {kind,
          at,
          &tool,
          optional_text(member(declared, "name")),
          given_value(declared, schema),
          given_value(declared, "description"),
          member(declared, "strict") == true,
          {}};
}

void read_words_on(const json& declared, std::initializer_list<const char*> words,
                   observe::OfferedTool& tool) {
  for (const char* word : words) {
    const json* value = given_value(declared, word);
    if (value != nullptr && *value != false) tool.settings.push_back({word, value});
  }
}

void for_each_of(const json& array, const std::string& at,
                 const std::function<void(const json& element, const std::string& at)>& take) {
  if (!array.is_array()) return;
  for (std::size_t i = 0; i < array.size(); ++i) take(array[i], at + "/" + std::to_string(i));
}

std::optional<std::string> joined_text(const json& content) {
  std::optional<std::string> text = optional_text(content);
  for_each_of(content, "", [&text](const json& part, const std::string&) {
    if (const auto said = optional_text(member(part, "text"))) text = text.value_or("") + *said;
  });
  return text;
}

std::vector<observe::AskedPiece> pieces_in(const json& content, const PieceReader& piece_of) {
  std::vector<observe::AskedPiece> pieces;
  for_each_of(content, "", [&](const json& part, const std::string&) {
    if (auto piece = piece_of(part)) pieces.push_back(*std::move(piece));
  });
  return pieces;
}

std::string base64_of(const std::string& url) {
  return url.starts_with("data:") ? url.substr(url.find(',') + 1) : url;
}

std::vector<std::string> texts_of(const json& value) {
  std::vector<std::string> texts;
  if (value.is_string()) texts.push_back(value);
  for_each_of(value, "", [&texts](const json& one, const std::string&) {
    if (one.is_string()) texts.push_back(one);
  });
  return texts;
}

void read_sampling(const json& body, observe::AskedRequest& asked) {
  asked.stream = member(body, "stream") == true;
  asked.temperature = given_value(body, "temperature");
  asked.top_p = given_value(body, "top_p");
}

void read_hosted(observe::AskedRequest& asked, std::initializer_list<std::string_view> always) {
  for (const observe::OfferedTool& tool : asked.tools) {
    if (tool.kind != observe::AskedTool::hosted) continue;
    const std::string type = string_at(*tool.raw, "type");
    const bool is_always = std::find(always.begin(), always.end(), type) != always.end();
    asked.hosted.push_back({use_of(type), type, is_always});
  }
}

void read_settings(const json& body, std::initializer_list<const char*> names, observe::AskedRequest& asked) {
  for (const char* name : names)
    if (const json* value = given_value(body, name)) asked.settings.push_back({name, value});
}

void read_marks(observe::AskedRequest& asked) {
  for (const observe::AskedBlock& block : asked.system) add_mark(block, "system prompt", asked);
  for (const observe::AskedTurn& turn : asked.turns)
    for (const observe::AskedBlock& block : turn.blocks)
      if (block.raw->is_object()) add_mark(block, turn.role.c_str(), asked);
  for (const observe::OfferedTool& tool : asked.tools)
    add_mark(*tool.raw, "tool " + tool.name.value_or(tool.at), asked);
}

std::optional<observe::AskedFormat> format_of(const json& format, const json& declared) {
  const std::string kind = string_at(format, "type");
  if (kind.empty() || kind == "text") return std::nullopt;
  return observe::AskedFormat{kind, given_value(declared, "schema"), member(declared, "strict") == true};
}

std::vector<std::string> images_in(
    const json& content, const std::function<std::optional<std::string>(const json& part)>& source_of) {
  std::vector<std::string> images;
  for_each_of(content, "", [&](const json& part, const std::string&) {
    if (auto source = source_of(part)) images.push_back(*std::move(source));
  });
  return images;
}

std::optional<observe::AskedChoice> choice_of_openai(const json& body) {
  const json& choice = member(body, "tool_choice");
  if (choice.is_null()) return std::nullopt;
  observe::AskedChoice asked{"/tool_choice", text_of(choice), std::nullopt};
  // This is another protocol's word, which these protocols do not have.
  if (asked.mode == "any") asked.mode = "unknown any";
  if (asked.mode == "required") asked.mode = "any";
  if (!choice.is_object()) return asked;
  asked.mode = string_at(choice, "type");
  if (asked.mode == "allowed_tools") {
    const json& inner = member(choice, "allowed_tools");
    const json& allowed = inner.is_object() ? inner : choice;
    asked.within = string_at(allowed, "mode") == "required" ? "any" : string_at(allowed, "mode");
    asked.allowed.emplace();
    for_each_of(member(allowed, "tools"), "", [&asked](const json& tool, const std::string&) {
      const json& named = member(tool, string_at(tool, "type").c_str());
      asked.allowed->push_back(string_at(named.is_object() ? named : tool, "name"));
    });
    return asked;
  }
  if (asked.mode != "function" && asked.mode != "custom") return asked;
  const json& inner = member(choice, asked.mode.c_str());
  asked.name = optional_text(member(inner.is_object() ? inner : choice, "name"));
  asked.mode = "one";
  return asked;
}

std::optional<bool> parallel_of_openai(const json& body) {
  const json& parallel = member(body, "parallel_tool_calls");
  if (!parallel.is_boolean()) return std::nullopt;
  return parallel.get<bool>();
}

}  // namespace splitproof::dialect
