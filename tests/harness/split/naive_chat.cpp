#include "tests/harness/split/naive_chat.hpp"

#include <map>
#include <nlohmann/json.hpp>

namespace splitproof::split {
namespace {

using Json = nlohmann::json;

// Half H of a pair is read as the private character U+100000 + (H - U+D800): F4 80-9F xx xx.
constexpr unsigned kHalves = 0x100000;

std::string utf8_of(unsigned code) {
  return {static_cast<char>(0xF0 | (code >> 18U)), static_cast<char>(0x80 | ((code >> 12U) & 0x3FU)),
          static_cast<char>(0x80 | ((code >> 6U) & 0x3FU)), static_cast<char>(0x80 | (code & 0x3FU))};
}

/// The code unit of the escape at `text[at]`, 0 where there is none.
unsigned escaped_unit(const std::string& text, std::size_t at) {
  if (text.compare(at, 2, "\\u") != 0 || at + 6 > text.size()) return 0;
  return static_cast<unsigned>(std::strtoul(text.substr(at + 2, 4).c_str(), nullptr, 16));
}

bool high(unsigned unit) { return unit >= 0xD800 && unit < 0xDC00; }
bool low(unsigned unit) { return unit >= 0xDC00 && unit < 0xE000; }

std::string without_half_escapes(const std::string& json) {
  std::string text;
  for (std::size_t at = 0; at < json.size();) {
    if (json[at] != '\\') {
      text += json[at++];
      continue;
    }
    const unsigned unit = escaped_unit(json, at);
    if (high(unit) && at + 12 <= json.size() && low(escaped_unit(json, at + 6))) {
      text += json.substr(at, 12);
      at += 12;
    } else if (high(unit) || low(unit)) {
      text += utf8_of(kHalves + unit - 0xD800);
      at += 6;
    } else {
      text += json.substr(at, 2);
      at += 2;
    }
  }
  return text;
}

/// The half that stands at `text[at]`, 0 where none does.
unsigned half_at(std::string_view text, std::size_t at) {
  if (at + 4 > text.size() || static_cast<unsigned char>(text[at]) != 0xF4) return 0;
  unsigned code = 0x100000;
  for (std::size_t i = 1; i < 4; ++i)
    code |= (static_cast<unsigned char>(text[at + i]) & 0x3FU) << (6 * (3 - i));
  return code < kHalves + 0x800 ? code - kHalves + 0xD800 : 0;
}

std::string join_halves(const std::string& text) {
  std::string joined;
  for (std::size_t at = 0; at < text.size();) {
    const unsigned first = half_at(text, at);
    const unsigned second = half_at(text, at + 4);
    if (high(first) && low(second)) {
      joined += utf8_of(0x10000 + ((first - 0xD800) << 10U) + (second - 0xDC00));
      at += 8;
    } else {
      joined += text[at++];
    }
  }
  return joined;
}

std::string text_of(const Json& object, const char* key) {
  if (!object.is_object() || !object.contains(key) || object[key].empty()) return {};
  return object[key].is_string() ? object[key].get<std::string>() : object[key].dump();
}

class Reader {
 public:
  void read(const std::string& data) {
    if (answer_.done) {
      answer_.rest += data + "\n";
      return;
    }
    if (data.starts_with("[DONE]")) {
      answer_.done = true;
      return;
    }
    const Json chunk = Json::parse(data, nullptr, false);
    if (!chunk.is_object() || !chunk.contains("choices") || !chunk["choices"].is_array() ||
        chunk["choices"].size() > 1 || chunk.contains("error")) {
      answer_.rest += data + "\n";
      return;
    }
    if (const std::string usage = text_of(chunk, "usage"); !usage.empty()) answer_.usage = usage;
    if (chunk["choices"].empty()) return;
    if (!chosen_) answer_.model = text_of(chunk, "model");
    chosen_ = true;
    const Json& choice = chunk["choices"][0];
    if (text_of(choice, "index") != "0" && !text_of(choice, "index").empty()) {
      answer_.rest += data + "\n";
      return;
    }
    if (choice.contains("delta") && choice["delta"].is_object()) read_delta(choice["delta"]);
    const std::string finish = text_of(choice, "finish_reason");
    if (!finish.empty() && !answer_.finishes.ends_with(finish + " ")) answer_.finishes += finish + " ";
  }

  NaiveAnswer take() {
    for (auto& part : answer_.parts) part.second = join_halves(part.second);
    for (NaiveAnswer::Call& call : answer_.calls) call.arguments = join_halves(call.arguments);
    return answer_;
  }

 private:
  void read_delta(const Json& delta) {
    for (const char* key : {"reasoning_content", "reasoning", "reasoning_details", "content", "refusal"})
      say(key, text_of(delta, key));
    if (!delta.contains("tool_calls") || !delta["tool_calls"].is_array()) return;
    for (const Json& element : delta["tool_calls"]) {
      NaiveAnswer::Call& call = call_of(element);
      const Json function = element.value("function", Json());
      if (call.id.empty()) call.id = text_of(element, "id");
      if (call.name.empty()) call.name = text_of(function, "name");
      call.arguments += text_of(function, "arguments");
    }
  }

  void say(const std::string& key, const std::string& text) {
    if (text.empty()) return;
    if (answer_.parts.empty() || answer_.parts.back().first != key) answer_.parts.push_back({key, ""});
    answer_.parts.back().second += text;
  }

  NaiveAnswer::Call& call_of(const Json& element) {
    const std::string index = text_of(element, "index");
    const std::string id = text_of(element, "id");
    for (std::size_t i = answer_.calls.size(); i-- > 0;) {
      NaiveAnswer::Call& call = answer_.calls[i];
      const bool same_id = id.empty() || call.id.empty() || id == call.id;
      if (call.index == index && same_id) return call;
    }
    answer_.parts.push_back({"call", std::to_string(answer_.calls.size())});
    answer_.calls.push_back({index, "", "", ""});
    return answer_.calls.back();
  }

  NaiveAnswer answer_;
  bool chosen_ = false;
};

}  // namespace

std::vector<std::string> data_lines(std::string_view body) {
  std::vector<std::string> data;
  for (std::size_t at = 0; at < body.size();) {
    const std::size_t end = std::min(body.find_first_of("\r\n", at), body.size());
    const std::string_view line = body.substr(at, end - at);
    at = end + 1;
    if (!line.starts_with("data:")) continue;
    data.push_back(without_half_escapes(std::string(line.substr(line.starts_with("data: ") ? 6 : 5))));
  }
  return data;
}

bool holds_half(std::string_view text) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (half_at(text, at) != 0) return true;
  }
  return false;
}

NaiveAnswer read_naively(std::string_view body) {
  Reader reader;
  for (const std::string& data : data_lines(body)) reader.read(data);
  return reader.take();
}

std::string describe(const NaiveAnswer& answer) {
  std::string text = "model " + answer.model + "\n";
  for (const auto& [key, value] : answer.parts) text += key + ": " + value + "\n";
  for (const auto& call : answer.calls)
    text += "call " + call.index + " " + call.id + " " + call.name + " " + call.arguments + "\n";
  text += "finish " + answer.finishes + "\nusage " + answer.usage + "\nrest " + answer.rest;
  return text + (answer.done ? "done" : "open");
}

}  // namespace splitproof::split
