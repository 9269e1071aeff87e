#include "proxy/request/conversation.hpp"

#include <algorithm>
#include <utility>

namespace splitproof::request {
namespace {

bool is_empty_text(const Block& block) {
  const auto* text = std::get_if<Text>(&block);
  return text != nullptr && text->text.empty();
}

}  // namespace

void Conversation::add_system(std::vector<Text> texts) {
  std::erase(texts, Text());
  if (texts.empty()) return;
  if (turns_.empty()) {
    for (Text& text : texts) system_.push_back(std::move(text.text));
  } else {
    turns_.push_back({Role::system, {texts.begin(), texts.end()}});
  }
}

void Conversation::add_user(std::vector<Block> blocks) {
  turns_.push_back({Role::user, without_empty_texts(std::move(blocks))});
}

void Conversation::add_assistant(Block block) {
  if (turns_.empty() || turns_.back().role != Role::assistant) turns_.push_back({Role::assistant, {}});
  turns_.back().blocks.push_back(std::move(block));
  results_ = turns_.size();
  any_results_ = false;
}

void Conversation::add_result(Result result) {
  const auto place = turns_.begin() + static_cast<std::ptrdiff_t>(results_);
  if (!any_results_) turns_.insert(place, Turn{Role::user, {}});
  any_results_ = true;
  turns_[results_].blocks.emplace_back(std::move(result));
}

void Conversation::move_to(Asked& asked) {
  for (std::string& text : system_) asked.system.push_back(std::move(text));
  for (Turn& turn : turns_) {
    if (turn.role == Role::assistant) turn.blocks = without_empty_texts(std::move(turn.blocks));
    asked.turns.push_back(std::move(turn));
  }
}

std::vector<Block> without_empty_texts(std::vector<Block> blocks) {
  const bool all = std::all_of(blocks.begin(), blocks.end(), is_empty_text);
  if (all && !blocks.empty()) {
    blocks.resize(1);
  } else {
    std::erase_if(blocks, is_empty_text);
  }
  return blocks;
}

Image image_of(std::string_view url) {
  constexpr std::string_view kData = "data:";
  constexpr std::string_view kBase64 = ";base64,";
  const std::size_t at = url.find(kBase64);
  Image image;
  if (url.starts_with(kData) && at != std::string_view::npos) {
    image.media_type = url.substr(kData.size(), at - kData.size());
    image.data = url.substr(at + kBase64.size());
  } else {
    image.url = url;
  }
  return image;
}

std::string object_of(const std::string& arguments, std::size_t depth) {
  const std::string text = plain(arguments);
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) return "{}";
  const wire::JsonDocument document(text, depth);
  if (document.root().is(wire::JsonKind::object)) return text;
  return "{\"unparsed_arguments\":\"" + arguments + "\"}";
}

Tool custom_tool(std::string_view name, std::string_view description, std::string_view syntax,
                 std::string_view grammar) {
  Tool tool;
  tool.name = name;
  if (!description.empty()) tool.description = description;
  tool.schema =
      R"({"type":"object","properties":{"input":{"type":"string","description":"The whole input, as it is.)";
  if (!grammar.empty()) {
    tool.schema.append(R"(\n\nIt has to match this grammar ()").append(syntax);
    tool.schema.append(R"():\n)").append(grammar);
  }
  tool.schema += R"("}},"required":["input"],"additionalProperties":false})";
  return tool;
}

std::string custom_input(std::string_view text) { return "{\"input\":\"" + std::string(text) + "\"}"; }

}  // namespace splitproof::request
