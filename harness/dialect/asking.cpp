#include "harness/dialect/asking.hpp"

#include <nlohmann/json.hpp>

#include "harness/json_member.hpp"

namespace splitproof::dialect {

using nlohmann::json;

std::optional<std::string> optional_text(const json& value) {
  if (!value.is_string()) return std::nullopt;
  return value.get<std::string>();
}

observe::AskedBlock block_of_string(const json& text, const std::string& at, observe::AskedKind kind) {
  observe::AskedBlock block{kind, at, &text};
  block.text = text.get<std::string>();
  return block;
}

observe::OfferedTool offered_tool(observe::AskedTool kind, const json& tool, const std::string& at,
                                  const json& declared, const char* schema) {
  const json& found = member(declared, schema);
  return {kind, at, &tool, optional_text(member(declared, "name")), found.is_null() ? nullptr : &found};
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

std::optional<observe::AskedChoice> choice_of_openai(const json& body) {
  const json& choice = member(body, "tool_choice");
  if (choice.is_null()) return std::nullopt;
  observe::AskedChoice asked{"/tool_choice", text_of(choice), std::nullopt};
  if (asked.mode == "required") asked.mode = "any";
  if (!choice.is_object()) return asked;
  asked.mode = string_at(choice, "type");
  if (asked.mode != "function" && asked.mode != "custom") return asked;
  const json& inner = member(choice, asked.mode.c_str());
  asked.name = optional_text(member(inner.is_object() ? inner : choice, "name"));
  asked.mode = "one";
  return asked;
}

}  // namespace splitproof::dialect
