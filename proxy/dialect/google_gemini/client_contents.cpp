#include <cstddef>
#include <deque>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "proxy/dialect/google_gemini/client_request_parts.hpp"
#include "proxy/request/escaped.hpp"

namespace splitproof::proxy::dialect {
namespace {

using request::Block;
using request::given;
using request::inner;
using request::need_string;
using request::refuse;
using request::Text;
using wire::Json;
using wire::JsonKind;

constexpr const char* kUntranslatable = "is a kind of content that cannot be translated";

std::string member_text(const Json& object, std::string_view name, const std::string& field) {
  return std::string(inner(need_string(gemini_member(object, name), field + "." + std::string(name))));
}

// Reads an image from a part's data or file.
request::Image read_image(const Json& part, const std::string& field) {
  request::Image image;
  const Json data = gemini_member(part, "inlineData");
  const std::string place = field + (given(data) ? ".inlineData" : ".fileData");
  const Json source = given(data) ? data : gemini_member(part, "fileData");
  image.media_type = member_text(source, "mimeType", place);
  if (!image.media_type.starts_with("image/")) refuse(place + ".mimeType", kUntranslatable);
  if (given(data)) {
    image.data = member_text(source, "data", place);
    return image;
  }
  image.url = member_text(source, "fileUri", place);
  if (!image.url.starts_with("https://") && !image.url.starts_with("http://"))
    refuse(place + ".fileUri", "names a file that only the provider has");
  image.media_type.clear();
  return image;
}

bool is_image(const Json& part) {
  return given(gemini_member(part, "inlineData")) || given(gemini_member(part, "fileData"));
}

// Returns a result's text. By the documents of the protocol, `output` has the result and `error` the error. Without
// both, the whole object is the result.
std::string text_of_result(const Json& response, request::Result& result) {
  const Json only = response.first_key();
  if (only && !only.next() && (only.text() == "output" || only.text() == "error")) {
    result.error = only.text() == "error";
    const Json value = only.value();
    return value.is(JsonKind::string) ? std::string(inner(value)) : request::escaped(value.raw());
  }
  return request::escaped(response.raw());
}

class Contents {
 public:
  explicit Contents(request::Conversation& conversation) : conversation_(conversation) {}

  void take(const Json& content, const std::string& field) {
    const std::string role =
        given(content["role"]) ? need_string(content["role"], field + ".role").text() : "user";
    const Json parts = content["parts"];
    const std::string parts_field = field + ".parts";
    if (role == "model") {
      if (std::exchange(user_spoke_, false)) forget_calls();
      for_each_element(parts, parts_field,
                       [&](const Json& part, const std::string& place) { take_model_part(part, place); });
    } else if (role == "user" || role == "function") {
      user_spoke_ = true;
      std::vector<Block> said;
      for_each_element(parts, parts_field, [&](const Json& part, const std::string& place) {
        take_user_part(part, place, said);
      });
      if (!said.empty()) conversation_.add_user(std::move(said));
    } else {
      refuse(field + ".role", "has to be user or model");
    }
  }

 private:
  // A call of the model's last content.
  struct OpenCall {
    std::string id;
    std::string name;
    bool answered = false;
  };

  using Places = std::map<std::string, std::deque<std::size_t>>;

  void take_model_part(const Json& part, const std::string& field) {
    if (const Json call = gemini_member(part, "functionCall"); given(call)) {
      conversation_.add_assistant(read_call(call, field + ".functionCall"));
    } else if (given(part["text"])) {
      const bool thought = part["thought"].raw() == "true";
      Text text{std::string(request::text_in(part, "text", field))};
      if (!thought) conversation_.add_assistant(std::move(text));
    } else if (!has_only_marks(part)) {
      refuse(field, is_image(part) ? "holds an image, which only a user can send" : kUntranslatable);
    }
  }

  void take_user_part(const Json& part, const std::string& field, std::vector<Block>& said) {
    if (const Json result = gemini_member(part, "functionResponse"); given(result)) {
      conversation_.add_result(read_result(result, field + ".functionResponse"));
    } else if (given(part["text"])) {
      said.emplace_back(Text{std::string(request::text_in(part, "text", field))});
    } else if (is_image(part)) {
      said.emplace_back(read_image(part, field));
    } else {
      refuse(field, kUntranslatable);
    }
  }

  // True for a part that has nothing but a signature or the mark of a thought.
  static bool has_only_marks(const Json& part) {
    for (Json key = part.first_key(); key; key = key.next()) {
      const std::string name = key.text();
      if (name != "thought" && name != "thoughtSignature" && name != "thought_signature") return false;
    }
    return true;
  }

  request::Call read_call(const Json& call, const std::string& field) {
    request::Call read;
    read.name = request::text_in(call, "name", field);
    read.id = request::text_if_given(call, "id", field);
    if (read.id.empty()) read.id = "unnamed_call_" + std::to_string(++unnamed_);
    const Json args = call["args"];
    if (given(args) && !args.is(JsonKind::object)) refuse(field + ".args", "has to be an object");
    read.input = given(args) ? args.raw() : "{}";
    by_id_[read.id].push_back(open_.size());
    by_name_[read.name].push_back(open_.size());
    open_.push_back({read.id, read.name});
    return read;
  }

  void forget_calls() {
    open_.clear();
    by_id_.clear();
    by_name_.clear();
  }

  // Returns the first call of this id or name without a result; null if there is none.
  OpenCall* first_open(Places& places, const std::string& word) {
    const auto found = places.find(word);
    if (found == places.end()) return nullptr;
    std::deque<std::size_t>& numbers = found->second;
    while (!numbers.empty() && open_[numbers.front()].answered) numbers.pop_front();
    return numbers.empty() ? nullptr : &open_[numbers.front()];
  }

  request::Result read_result(const Json& response, const std::string& field) {
    const std::string id = request::text_if_given(response, "id", field);
    const std::string name = request::text_if_given(response, "name", field);
    OpenCall* call = first_open(by_id_, id);
    if (call == nullptr) call = first_open(by_name_, name);
    if (call == nullptr) refuse(field, "is the result of no call in the content before it");
    call->answered = true;
    request::Result result;
    result.call = call->id;
    const Json told = response["response"];
    if (given(told) && !told.is(JsonKind::object)) refuse(field + ".response", "has to be an object");
    if (given(told)) result.content.emplace_back(Text{text_of_result(told, result)});
    for_each_element(response["parts"], field + ".parts", [&](const Json& part, const std::string& place) {
      if (!is_image(part)) refuse(place, kUntranslatable);
      result.content.emplace_back(read_image(part, place));
    });
    return result;
  }

  request::Conversation& conversation_;
  std::vector<OpenCall> open_;
  Places by_id_;             // places in `open_`
  Places by_name_;           // the same
  std::size_t unnamed_ = 0;  // calls without an id so far
  bool user_spoke_ = false;  // since the last content of the model
};

}  // namespace

Json gemini_member(const Json& object, std::string_view name) {
  if (const Json own = object[name]) return own;
  std::string snake;
  for (const char c : name) {
    const bool upper = c >= 'A' && c <= 'Z';
    if (upper) snake += '_';
    snake += upper ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return object[snake];
}

void read_gemini_contents(const Json& body, const Limits& limits, request::Conversation& conversation) {
  const std::string system_field = "systemInstruction";
  const Json system = gemini_member(body, system_field);
  std::vector<Text> texts;
  if (system.is(JsonKind::string)) texts.push_back({std::string(inner(system))});
  for_each_element(system["parts"], system_field + ".parts", [&](const Json& part, const std::string& field) {
    if (is_image(part)) refuse(field, "holds an image, which only a user can send");
    texts.push_back({std::string(request::text_in(part, "text", field))});
  });
  conversation.add_system(std::move(texts));
  const Json contents = body["contents"];
  if (!given(contents)) refuse("contents", "field required");
  request::need_at_most(limits.messages, contents, "contents", "messages", "messages");
  Contents reader(conversation);
  for_each_element(contents, "contents",
                   [&](const Json& content, const std::string& field) { reader.take(content, field); });
}

}  // namespace splitproof::proxy::dialect
