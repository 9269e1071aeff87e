#include <string>
#include <utility>
#include <vector>

#include "tests/cost/dimension.hpp"
#include "tests/cost/request.hpp"

namespace splitproof::cost {
namespace request_inputs {
namespace {

Dimension text_of(std::string name, std::size_t size, std::string piece, std::string_view role = "user") {
  return made<Request>(std::move(name), size, [piece, role](Request& request, std::size_t n) {
    request.say(role, {request.text_part(role, repeated(piece, n))});
    return true;
  });
}

Dimension arguments_of(std::string name, std::size_t size,
                       std::function<std::string(std::size_t)> arguments) {
  return made<Request>(std::move(name), size, [arguments](Request& request, std::size_t n) {
    request.tool("look");
    request.calls({{"call", "look", arguments(n)}});
    request.result("call");
    return true;
  });
}

Dimension schema_of(std::string name, std::size_t size, std::function<std::string(std::size_t)> schema) {
  return made<Request>(std::move(name), size, [schema](Request& request, std::size_t n) {
    request.tool("read", schema(n));
    return true;
  });
}

std::string nested(std::size_t depth) { return repeated(R"({"a":)", depth) + "{}" + repeated("}", depth); }

std::string wide(std::size_t n) {
  return "{" + each(n, ",", [](std::size_t i) { return "\"key" + number(i) + "\":1"; }) + "}";
}

std::vector<Dimension> conversations() {
  return {
      growing<Request>("turns", 120,
                       [](Request& r, std::size_t i) { i % 2 == 0 ? r.assistant("Yes.") : r.user("And?"); }),
      growing<Request>("messages of the user", 120, [](Request& r, std::size_t) { r.user("And?"); }),
      growing<Request>("messages of the assistant", 120,
                       [](Request& r, std::size_t) { r.assistant("Yes."); }),
      growing<Request>("messages of the system", 120, [](Request& r, std::size_t) { r.system("Be brief."); }),
      made<Request>("parts of a message", 120,
                    [](Request& r, std::size_t n) {
                      r.say("user", std::vector(n, r.text_part("user", "Yes.")));
                      return true;
                    }),
      made<Request>("parts of an answer", 120,
                    [](Request& r, std::size_t n) {
                      r.say("assistant", std::vector(n, r.text_part("assistant", "Yes.")));
                      return true;
                    }),
      made<Request>("images", 120,
                    [](Request& r, std::size_t n) {
                      r.say("user", std::vector(n, r.image_part()));
                      return true;
                    }),
      made<Request>("images of a result", 120,
                    [](Request& r, std::size_t n) {
                      r.tool("look");
                      r.calls({{"call", "look"}});
                      if (r.is("openai.chat")) return false;
                      r.result("call", std::vector(n, r.image_part()));
                      return true;
                    }),
      made<Request>("images of a result with a long id", 120,
                    [](Request& r, std::size_t n) {
                      const std::string call = repeated("a", 10 * n);
                      r.tool("look");
                      r.calls({{call, "look"}});
                      if (r.is("openai.chat")) return false;
                      r.result(call, std::vector(n, r.image_part()));
                      return true;
                    }),
      made<Request>("parts of a result", 120,
                    [](Request& r, std::size_t n) {
                      r.tool("look");
                      r.calls({{"call", "look"}});
                      r.result("call", std::vector(n, r.text_part("user", "Yes.")));
                      return true;
                    }),
      text_of("a long text", 20'000, "word "),
      text_of("a long answer", 20'000, "word ", "assistant"),
      text_of("escapes", 10'000, R"(\n\u00e9)"),
      text_of("lone surrogates", 5'000, R"(\ud83d)"),
      text_of("blanks", 20'000, " "),
  };
}

std::vector<Dimension> markup() {
  return {
      text_of("brackets", 10'000, "<"),
      text_of("brackets and blanks", 10'000, "< "),
      text_of("written calls", 1'000, "<tool_call>{}</tool_call> ", "assistant"),
      text_of("written calls without an end", 1'000, "<tool_call> ", "assistant"),
      text_of("written results", 1'000, "<tool_result>ok</tool_result> ", "assistant"),
      text_of("written results without an end", 1'000, "<tool_result> ", "assistant"),
      text_of("narrated calls", 1'000, R"([Called tool x with input {}]\n)", "assistant"),
      text_of("narrated calls without an end", 1'000, R"([Called tool x\n)", "assistant"),
      text_of("narrated calls in a line", 1'000, "[Called tool x ", "assistant"),
      made<Request>("blank parts of an answer", 300,
                    [](Request& r, std::size_t n) {
                      std::vector<std::string> parts(n, r.text_part("assistant", " "));
                      parts.push_back(r.text_part("assistant", "<tool_call>{}</tool_call>"));
                      r.say("assistant", parts);
                      return true;
                    }),
      made<Request>("lines of an environment", 1'000,
                    [](Request& r, std::size_t n) {
                      r.tool("look");
                      r.user(repeated(R"(Platform: linux\n)", n) + repeated(R"(<cwd>)", n) +
                             repeated(R"(\ncwd)", n));
                      return true;
                    }),
      made<Request>("markup in a result", 1'000,
                    [](Request& r, std::size_t n) {
                      r.tool("look");
                      r.calls({{"call", "look", R"({"a":")" + repeated("<tool_call>", n) + "\"}"}});
                      r.result("call", {r.text_part("user", repeated("<tool_result>", n))});
                      return true;
                    }),
  };
}

// Calls in one turn of the history, with their results.
Dimension calls_of(std::string name, std::size_t size, std::string (*id_of)(std::size_t),
                   bool results = true) {
  return made<Request>(std::move(name), size, [id_of, results](Request& r, std::size_t n) {
    r.tool("look");
    std::vector<Request::Call> calls;
    for (std::size_t i = 0; i < n; ++i) calls.push_back({id_of(i), "look"});
    r.calls(calls);
    for (std::size_t i = 0; results && i < n; ++i) r.result(id_of(i));
    return true;
  });
}

std::vector<Dimension> calls() {
  const auto same = [](std::size_t) { return std::string("call"); };
  return {
      calls_of("calls of a turn", 150, id),
      calls_of("calls of one id", 250, same),
      calls_of("calls of one id without results", 250, same, false),
      calls_of("calls of long ids", 150, [](std::size_t i) { return repeated("a", 200) + number(i); }),
      growing<Request>("calls", 150,
                       [](Request& r, std::size_t i) {
                         if (i == 0) r.tool("look");
                         r.calls({{id(i), "look"}});
                         r.result(id(i));
                       }),
      growing<Request>("calls of one id in turns of their own", 250,
                       [](Request& r, std::size_t i) {
                         if (i == 0) r.tool("look");
                         r.calls({{"call", "look"}});
                         r.result("call");
                       }),
      growing<Request>("calls of one id and its numbers", 250,
                       [](Request& r, std::size_t i) {
                         if (i == 0) r.tool("look");
                         r.calls({{"call_" + number(i + 2), "look"}, {"call", "look"}});
                       }),
      growing<Request>("results of no call", 150, [](Request& r, std::size_t i) { r.result(id(i)); }),
      made<Request>("results far behind their calls", 150,
                    [](Request& r, std::size_t n) {
                      r.tool("look");
                      for (std::size_t i = 0; i < n; ++i) r.calls({{id(i), "look"}});
                      for (std::size_t i = 0; i < n; ++i) r.user("And?");
                      for (std::size_t i = 0; i < n; ++i) r.result(id(i));
                      return true;
                    }),
      arguments_of("long arguments", 20'000,
                   [](std::size_t n) { return R"({"a":")" + repeated("word ", n) + "\"}"; }),
      arguments_of("wide arguments", 500, wide),
      made<Request>("nested arguments", 50,
                    [](Request& r, std::size_t n) {
                      r.tool("look");
                      for (std::size_t i = 0; i < 20; ++i) r.calls({{id(i), "look", nested(n)}});
                      return true;
                    }),
      made<Request>("mapped calls", 150,
                    [](Request& r, std::size_t n) {
                      r.tool("read");
                      for (std::size_t i = 0; i < n; ++i)
                        r.calls({{id(i), "read", R"({"filePath":"a","offset":1})"}});
                      return true;
                    }),
      made<Request>("a mapped list", 500,
                    [](Request& r, std::size_t n) {
                      r.tool("todowrite");
                      const std::string items = each(n, ",", [](std::size_t) {
                        return R"({"content":"a","status":"pending","id":"1"})";
                      });
                      r.calls({{"call", "todowrite", R"({"todos":[)" + items + "]}"}});
                      return true;
                    }),
  };
}

std::vector<Dimension> tools() {
  return {
      growing<Request>("tools", 300, [](Request& r, std::size_t i) { r.tool("tool" + number(i)); }),
      growing<Request>("tools with calls", 300,
                       [](Request& r, std::size_t i) {
                         r.tool("tool_" + number(i));
                         r.calls({{id(i), "tool_" + number(i)}});
                         r.result(id(i));
                       }),
      made<Request>("custom tools", 300,
                    [](Request& r, std::size_t n) {
                      if (r.is("anthropic.messages")) return false;
                      for (std::size_t i = 0; i < n; ++i) r.custom_tool("tool" + number(i));
                      return true;
                    }),
      made<Request>("tools of a namespace", 300,
                    [](Request& r, std::size_t n) {
                      if (!r.is("openai.responses")) return false;
                      const std::string tools = each(n, ",", [](std::size_t i) {
                        return R"({"type":"function","name":"tool)" + number(i) + "\"}";
                      });
                      r.raw_tool(R"({"type":"namespace","name":"space","tools":[)" + tools + "]}");
                      return true;
                    }),
      growing<Request>("tools of long names", 300,
                       [](Request& r, std::size_t i) { r.tool(repeated("a", 58) + number(100'000 + i)); }),
      // Names that become equal when they are fitted to an upstream.
      growing<Request>("tools of like names", 300,
                       [](Request& r, std::size_t i) {
                         std::string name = "tool";
                         for (std::size_t bit = 0; bit < 14; ++bit) name += (i >> bit & 1) != 0 ? "-" : "_";
                         r.tool(name);
                       }),
      growing<Request>("tools of like long names", 250,
                       [](Request& r, std::size_t i) {
                         const std::string name = repeated("a", 61) + number(1000 + i).substr(1);
                         r.tool(name + "-");
                         r.tool(name + "_");
                       }),
      made<Request>("allowed tools", 300,
                    [](Request& r, std::size_t n) {
                      if (r.is("anthropic.messages")) return false;
                      const bool chat = r.is("openai.chat");
                      for (std::size_t i = 0; i < n; ++i) r.tool("tool" + number(i));
                      const std::string names = each(n, ",", [&](std::size_t i) {
                        const std::string name = R"("name":"tool)" + number(i) + "\"";
                        return R"({"type":"function",)" + (chat ? R"("function":{)" + name + "}" : name) +
                               "}";
                      });
                      const std::string list = R"("mode":"auto","tools":[)" + names + "]";
                      r.member("tool_choice", R"({"type":"allowed_tools",)" +
                                                  (chat ? R"("allowed_tools":{)" + list + "}" : list) + "}");
                      return true;
                    }),
      made<Request>("a chosen tool of many", 300,
                    [](Request& r, std::size_t n) {
                      for (std::size_t i = 0; i <= n; ++i) r.tool("tool" + number(i));
                      const std::string name = R"("name":"tool)" + number(n) + "\"";
                      r.member("tool_choice", r.is("anthropic.messages") ? R"({"type":"tool",)" + name + "}"
                                              : r.is("openai.chat")
                                                  ? R"({"type":"function","function":{)" + name + "}}"
                                                  : R"({"type":"function",)" + name + "}");
                      return true;
                    }),
      schema_of("properties of a schema", 300,
                [](std::size_t n) {
                  return R"({"type":"object","properties":{)" +
                         each(n, ",",
                              [](std::size_t i) { return "\"p" + number(i) + R"(":{"type":"string"})"; }) +
                         R"(},"required":[)" +
                         each(n, ",", [](std::size_t i) { return "\"p" + number(i) + "\""; }) + "]}";
                }),
      made<Request>("nested schemas", 25,
                    [](Request& r, std::size_t n) {
                      for (std::size_t i = 0; i < 20; ++i)
                        r.tool("tool" + number(i), repeated(R"({"type":"object","properties":{"a":)", n) +
                                                       "{}" + repeated("}}", n));
                      return true;
                    }),
      schema_of("a schema of many members", 300, wide),
      made<Request>("a long description", 20'000,
                    [](Request& r, std::size_t n) {
                      r.tool("look", R"({"type":"object"})", repeated("word ", n));
                      return true;
                    }),
      growing<Request>("long descriptions", 300,
                       [](Request& r, std::size_t i) {
                         r.tool("tool" + number(i), R"({"type":"object"})", repeated("a", 300));
                       }),
  };
}

std::vector<Dimension> others() {
  const auto stops = [](Request& r, const std::string& list) {
    if (r.is("openai.responses")) return false;
    r.member(r.is("openai.chat") ? "stop" : "stop_sequences", list);
    return true;
  };
  return {
      made<Request>("stop sequences", 100,
                    [stops](Request& r, std::size_t n) {
                      return stops(r, "[" + each(n, ",", [](std::size_t i) {
                                        return "\"stop" + number(i) + "\"";
                                      }) + "]");
                    }),
      made<Request>(
          "a long stop sequence", 5'000,
          [stops](Request& r, std::size_t n) { return stops(r, "[\"" + repeated("a", n) + "\"]"); }),
      made<Request>("a long name of a model", 250,
                    [](Request& r, std::size_t n) {
                      r.model(repeated("a", n));
                      return true;
                    }),
      made<Request>("a long number", 20'000,
                    [](Request& r, std::size_t n) {
                      r.member("top_p", "0." + repeated("1", n));
                      return true;
                    }),
      made<Request>("unknown members", 1'000,
                    [](Request& r, std::size_t n) {
                      for (std::size_t i = 0; i < n; ++i) r.member("x" + number(i), "1");
                      return true;
                    }),
      made<Request>("unknown members with escapes", 1'000,
                    [](Request& r, std::size_t n) {
                      for (std::size_t i = 0; i < n; ++i) r.member(R"(a\u006eunknown)" + number(i), "1");
                      return true;
                    }),
      made<Request>("one member many times", 1'000,
                    [](Request& r, std::size_t n) {
                      for (std::size_t i = 0; i < n; ++i) r.member("model", "\"model\"");
                      return true;
                    }),
      made<Request>("metadata", 1'000,
                    [](Request& r, std::size_t n) {
                      r.member("metadata", wide(n));
                      return true;
                    }),
      made<Request>(
          "a schema of the answer", 1'000,
          [](Request& r, std::size_t n) {
            const std::string format = R"("type":"json_schema","name":"answer","schema":)" + wide(n);
            if (r.is("openai.responses"))
              r.member("text", R"({"format":{)" + format + "}}");
            else if (r.is("openai.chat"))
              r.member("response_format",
                       R"({"type":"json_schema","json_schema":{"name":"answer","schema":)" + wide(n) + "}}");
            else
              r.member("output_config", R"({"format":{)" + format + "}}");
            return true;
          }),
  };
}

}  // namespace
}  // namespace request_inputs

const std::vector<Dimension>& requests() {
  static const std::vector<Dimension> kAll = [] {
    using namespace request_inputs;
    std::vector<Dimension> all;
    for (auto* family : {conversations, markup, calls, tools, others})
      for (Dimension& dimension : family()) all.push_back(std::move(dimension));
    return all;
  }();
  return kAll;
}

}  // namespace splitproof::cost
