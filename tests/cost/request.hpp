#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace splitproof::cost {

/// Assembles a request of a client's protocol. Texts are escaped already.
class Request {
 public:
  explicit Request(std::string protocol) : protocol_(std::move(protocol)) { user("Hello."); }

  bool is(std::string_view protocol) const { return protocol_ == protocol; }

  void user(const std::string& text) { message("user", quoted(text)); }
  void assistant(const std::string& text) { message("assistant", quoted(text)); }
  void system(const std::string& text) { message("system", quoted(text)); }
  void say(std::string_view role, const std::vector<std::string>& parts) { message(role, list(parts)); }

  std::string text_part(std::string_view role, const std::string& text) const {
    if (is(kGemini) || is(kConverse)) return R"({"text":)" + quoted(text) + "}";
    const bool responses = is("openai.responses");
    const std::string type = !responses ? "text" : role == "assistant" ? "output_text" : "input_text";
    return R"({"type":")" + type + R"(","text":)" + quoted(text) + "}";
  }

  std::string image_part() const {
    if (is("openai.chat")) return R"({"type":"image_url","image_url":{"url":"data:image/png;base64,AA"}})";
    if (is("openai.responses")) return R"({"type":"input_image","image_url":"data:image/png;base64,AA"})";
    if (is(kGemini)) return R"({"inlineData":{"mimeType":"image/png","data":"AA"}})";
    if (is(kConverse)) return R"({"image":{"format":"png","source":{"bytes":"AA=="}}})";
    return R"({"type":"image","source":{"type":"base64","media_type":"image/png","data":"AA"}})";
  }

  struct Call {
    std::string id;
    std::string name;
    std::string arguments = "{}";
  };

  void calls(const std::vector<Call>& calls) {
    std::vector<std::string> parts;
    for (const Call& call : calls) {
      if (is("anthropic.messages"))
        parts.push_back(R"({"type":"tool_use","id":)" + quoted(call.id) + R"(,"name":)" + quoted(call.name) +
                        R"(,"input":)" + call.arguments + "}");
      else if (is("openai.chat"))
        parts.push_back(R"({"id":)" + quoted(call.id) + R"(,"type":"function","function":{"name":)" +
                        quoted(call.name) + R"(,"arguments":)" + encoded(call.arguments) + "}}");
      else if (is(kGemini))
        parts.push_back(R"({"functionCall":{"id":)" + quoted(call.id) + R"(,"name":)" + quoted(call.name) +
                        R"(,"args":)" + call.arguments + "}}");
      else if (is(kConverse))
        parts.push_back(R"({"toolUse":{"toolUseId":)" + quoted(call.id) + R"(,"name":)" + quoted(call.name) +
                        R"(,"input":)" + call.arguments + "}}");
      else
        messages_.push_back(R"({"type":"function_call","call_id":)" + quoted(call.id) + R"(,"name":)" +
                            quoted(call.name) + R"(,"arguments":)" + encoded(call.arguments) + "}");
    }
    if (is("anthropic.messages") || is(kGemini) || is(kConverse)) say("assistant", parts);
    if (is("openai.chat"))
      messages_.push_back(R"({"role":"assistant","content":null,"tool_calls":)" + list(parts) + "}");
  }

  /// Without `parts` it is the text "ok".
  void result(const std::string& id, const std::vector<std::string>& parts = {}) {
    const std::string content = parts.empty() ? "\"ok\"" : list(parts);
    if (is("anthropic.messages"))
      say("user",
          {R"({"type":"tool_result","tool_use_id":)" + quoted(id) + R"(,"content":)" + content + "}"});
    else if (is("openai.chat"))
      messages_.push_back(R"({"role":"tool","tool_call_id":)" + quoted(id) + R"(,"content":)" + content +
                          "}");
    else if (is(kGemini))
      say("user", {R"({"functionResponse":{"id":)" + quoted(id) + R"(,"response":{"output":"ok"},"parts":)" +
                   list(parts) + "}}"});
    else if (is(kConverse))
      say("user", {R"({"toolResult":{"toolUseId":)" + quoted(id) + R"(,"content":)" +
                   (parts.empty() ? R"([{"text":"ok"}])" : list(parts)) + "}}"});
    else
      messages_.push_back(R"({"type":"function_call_output","call_id":)" + quoted(id) + R"(,"output":)" +
                          content + "}");
  }

  void tool(const std::string& name, const std::string& schema = R"({"type":"object"})",
            const std::string& description = "Does it.") {
    const std::string about = R"("name":)" + quoted(name) + R"(,"description":)" + quoted(description);
    if (is("anthropic.messages"))
      tools_.push_back("{" + about + R"(,"input_schema":)" + schema + "}");
    else if (is("openai.chat"))
      tools_.push_back(R"({"type":"function","function":{)" + about + R"(,"parameters":)" + schema + "}}");
    else if (is(kGemini))
      tools_.push_back("{" + about + R"(,"parametersJsonSchema":)" + schema + "}");
    else if (is(kConverse))
      tools_.push_back(R"({"toolSpec":{)" + about + R"(,"inputSchema":{"json":)" + schema + "}}}");
    else
      tools_.push_back(R"({"type":"function",)" + about + R"(,"parameters":)" + schema + "}");
  }

  void custom_tool(const std::string& name) {
    tools_.push_back(is("openai.chat") ? R"({"type":"custom","custom":{"name":)" + quoted(name) + "}}"
                                       : R"({"type":"custom","name":)" + quoted(name) + "}");
  }

  /// Adds a tool as raw JSON.
  void raw_tool(std::string tool) { tools_.push_back(std::move(tool)); }

  /// Adds a member of the request, as JSON.
  void member(const std::string& name, const std::string& value) { members_ += ",\"" + name + "\":" + value; }

  void model(std::string name) { model_ = std::move(name); }

  std::string body() {
    user("Go on.");
    const bool responses = is("openai.responses");
    const bool gemini = is(kGemini);
    std::string body = R"({"model":)" + quoted(model_) +
                       (responses || gemini || is(kConverse) ? "" : R"(,"max_tokens":1000)") +
                       (responses ? R"(,"input":)"
                        : gemini  ? R"(,"contents":)"
                                  : R"(,"messages":)") +
                       list(messages_);
    if (!tools_.empty() && is(kConverse))
      body += R"(,"toolConfig":{"tools":)" + list(tools_) + "}";
    else if (!tools_.empty())
      body += R"(,"tools":)" + (gemini ? R"([{"functionDeclarations":)" + list(tools_) + "}]" : list(tools_));
    return body + members_ + R"(,"stream":true})";
  }

  static std::string list(const std::vector<std::string>& elements) {
    std::string json;
    for (const std::string& element : elements) json.append(json.empty() ? "" : ",").append(element);
    return "[" + json + "]";
  }

  static std::string quoted(const std::string& text) { return "\"" + text + "\""; }

 private:
  static constexpr std::string_view kGemini = "google.gemini";
  static constexpr std::string_view kConverse = "bedrock.converse";

  // Returns JSON within a JSON string.
  static std::string encoded(const std::string& json) {
    std::string text = "\"";
    for (const char c : json) {
      if (c == '"' || c == '\\') text += '\\';
      text += c;
    }
    return text + "\"";
  }

  void message(std::string_view role, const std::string& content) {
    if (is(kGemini)) {
      const std::string parts = content.starts_with('"') ? R"([{"text":)" + content + "}]" : content;
      if (role == "system") return member("systemInstruction", R"({"parts":)" + parts + "}");
      messages_.push_back(R"({"role":")" + std::string(role == "user" ? "user" : "model") + R"(","parts":)" +
                          parts + "}");
      return;
    }
    if (is(kConverse)) {
      const std::string blocks = content.starts_with('"') ? R"([{"text":)" + content + "}]" : content;
      if (role == "system") return member("system", blocks);
      messages_.push_back(R"({"role":")" + std::string(role) + R"(","content":)" + blocks + "}");
      return;
    }
    messages_.push_back((is("openai.responses") ? R"({"type":"message","role":")" : R"({"role":")") +
                        std::string(role) + R"(","content":)" + content + "}");
  }

  std::string protocol_;
  std::string model_ = "model";
  std::vector<std::string> messages_;
  std::vector<std::string> tools_;
  std::string members_;
};

}  // namespace splitproof::cost
