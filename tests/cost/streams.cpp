#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "tests/cost/dimension.hpp"
#include "tests/cost/stream.hpp"

namespace splitproof::cost {
namespace stream_inputs {
namespace {

// Returns how many events of one piece cost as much as this many pieces in one event.
std::size_t events_of(std::size_t pieces) { return std::max<std::size_t>(pieces / 20, 60); }

// Adds one text in one event, and the same in events of one piece.
void add_texts(std::vector<Dimension>& all, const std::string& name, std::size_t size,
               const std::string& piece) {
  all.push_back(made<Stream>(name + " in one event", size, [piece](Stream& s, std::size_t n) {
    s.text("So: " + repeated(piece, n));
    return true;
  }));
  all.push_back(growing<Stream>(name + " in events", events_of(size),
                                [piece](Stream& s, std::size_t) { s.text(piece); }));
}

void add_arguments(std::vector<Dimension>& all, const std::string& name, std::size_t size,
                   const std::string& before, const std::string& piece, const std::string& behind,
                   const std::string& tool = "look") {
  all.push_back(made<Stream>(name + " of a call in one event", size, [=](Stream& s, std::size_t n) {
    if (s.ollama()) return false;
    s.call(0, "call", tool, before + repeated(piece, n) + behind, "");
    return true;
  }));
  all.push_back(made<Stream>(name + " of a call in events", events_of(size), [=](Stream& s, std::size_t n) {
    if (s.ollama()) return false;
    s.begin_call(0, "call", tool);
    s.call_piece(0, before);
    for (std::size_t i = 0; i < n; ++i) s.call_piece(0, piece);
    s.call_piece(0, behind);
    s.end_call(0);
    return true;
  }));
}

std::vector<Dimension> texts() {
  std::vector<Dimension> all;
  add_texts(all, "words", 4'000, "word ");
  add_texts(all, "escapes", 2'000, R"(\n\u00e9)");
  add_texts(all, "lone surrogates", 2'000, R"(\ud83d)");
  add_texts(all, "brackets", 4'000, "<");
  add_texts(all, "braces in lines", 2'000, R"(\n{)");
  add_texts(all, "backticks", 2'000, R"(`)");
  add_texts(all, "fences", 2'000, R"(\n```)");
  add_texts(all, "thinking tags", 1'000, "<think>");
  add_texts(all, "calls in markup", 80,
            R"(<invoke name=\"look\"><parameter name=\"a\">b</parameter></invoke>)");
  add_texts(all, "calls in markup without an end", 500, R"(<invoke name=\"look\"><parameter name=\"a\">)");
  add_texts(all, "parameters of a call", 400, R"(<parameter name=\"a\">b</parameter>)");
  add_texts(all, "calls in JSON", 80, R"(\n{\"name\":\"look\",\"arguments\":{}}\n)");
  add_texts(all, "internal paths", 800, "/tmp/windsurf-workspace/a ");
  add_texts(all, "beginnings of internal paths", 1'000, "/tmp/windsurf-work");
  add_texts(all, "names of the upstream", 800, "I am Cascade. ");
  add_texts(all, "blocks of the upstream", 400, "<user_information>a</user_information>");
  add_texts(all, "beginnings of a stop sequence", 4'000, "a");
  for (std::size_t last : {all.size() - 1, all.size() - 2}) {
    all[last].prepare = [](TranslatorOptions& options, std::size_t n) {
      options.cleaning.stops = {repeated("a", n / 2) + "b"};
    };
  }
  add_texts(all, "beginnings of many stop sequences", 800, "word ");
  for (std::size_t last : {all.size() - 1, all.size() - 2}) {
    all[last].prepare = [](TranslatorOptions& options, std::size_t n) {
      for (std::size_t i = 0; i < n / 4; ++i) options.cleaning.stops.push_back("wor" + number(i));
    };
  }
  all.push_back(growing<Stream>("thinking", 100, [](Stream& s, std::size_t) { s.thinking("word "); }));
  all.push_back(growing<Stream>("text and thinking by turns", 100, [](Stream& s, std::size_t i) {
    i % 2 == 0 ? s.text("word ") : s.thinking("word ");
  }));
  all.push_back(made<Stream>("an open call before text", 100, [](Stream& s, std::size_t n) {
    if (s.ollama() || s.anthropic()) return false;
    s.begin_call(0, "call", "look");
    for (std::size_t i = 0; i < n; ++i) s.text("word ");
    return true;
  }));
  return all;
}

// Returns a piece of a call's arguments for Gemini, at a path.
std::string arguments_at(const std::string& path) {
  return R"("functionCall":{"partialArgs":[{"jsonPath":")" + path +
         R"(","numberValue":1}],"willContinue":true})";
}

Dimension calls_of(std::string name, std::size_t size, std::string (*id_of)(std::size_t),
                   std::string (*name_of)(std::size_t)) {
  return growing<Stream>(std::move(name), size, [=](Stream& s, std::size_t i) {
    s.call(i, id_of(i), name_of(i), R"({\"a\":1})", R"({"a":1})");
  });
}

std::vector<Dimension> calls() {
  const auto look = [](std::size_t) { return std::string("look"); };
  std::vector<Dimension> all = {
      calls_of("calls", 60, id, look),
      calls_of(
          "calls without an id", 60, [](std::size_t) { return std::string(); }, look),
      calls_of(
          "calls of one id", 60, [](std::size_t) { return std::string("call"); }, look),
      calls_of("calls without a name", 60, id, [](std::size_t) { return std::string(); }),
      calls_of(
          "calls of long ids", 60, [](std::size_t i) { return repeated("a", 200) + number(i); }, look),
      calls_of("calls of mapped tools", 60, id, [](std::size_t) { return std::string("Read"); }),
      calls_of("calls of many tools", 60, id, [](std::size_t i) { return "tool" + number(i); }),
      calls_of("calls of many custom tools", 150, id, [](std::size_t i) { return "tool" + number(i); }),
      made<Stream>("calls side by side", 150,
                   [](Stream& s, std::size_t n) {
                     if (s.ollama() || s.gemini()) return false;
                     for (std::size_t i = 0; i < n; ++i) s.begin_call(i, id(i), "look");
                     for (std::size_t i = 0; i < n; ++i) s.call_piece(i, R"({\"a\":)");
                     for (std::size_t i = 0; i < n; ++i) s.call_piece(i, R"(1})");
                     for (std::size_t i = 0; i < n; ++i) s.end_call(i);
                     return true;
                   }),
      made<Stream>("pieces of calls by their ids", 150,
                   [](Stream& s, std::size_t n) {
                     if (!s.chat()) return false;
                     for (const char* piece : {R"({\"a\":)", R"(1})"})
                       for (std::size_t i = 0; i < n; ++i)
                         s.delta(R"("tool_calls":[{"id":")" + id(i) +
                                 R"(","function":{"name":"look","arguments":")" + piece + "\"}}]");
                     return true;
                   }),
      made<Stream>("calls under one index", 150,
                   [](Stream& s, std::size_t n) {
                     if (!s.chat()) return false;
                     for (std::size_t i = 0; i < n; ++i)
                       s.delta(R"("tool_calls":[{"index":0,"id":")" + id(i) +
                               R"(","function":{"name":"look","arguments":"{}"}}])");
                     return true;
                   }),
      made<Stream>("calls in one event", 60,
                   [](Stream& s, std::size_t n) {
                     const bool chat = s.chat();
                     const std::string list = each(n, ",", [&](std::size_t i) {
                       return R"({"id":")" + id(i) + R"(","function":{"name":"look","arguments":)" +
                              (chat ? "\"{}\"}}" : "{}}}");
                     });
                     if (chat) s.delta(R"("tool_calls":[)" + list + "]");
                     if (s.ollama()) s.event(R"({"message":{"tool_calls":[)" + list + R"(]},"done":false})");
                     return chat || s.ollama();
                   }),
      made<Stream>("members of arguments in pieces", 400,
                   [](Stream& s, std::size_t n) {
                     if (!s.gemini()) return false;
                     s.begin_call(0, "call", "look");
                     for (std::size_t i = 0; i < n; ++i) s.part(arguments_at("$.a" + number(i)));
                     s.end_call(0);
                     return true;
                   }),
      made<Stream>("elements of arguments in pieces", 400,
                   [](Stream& s, std::size_t n) {
                     if (!s.gemini()) return false;
                     s.begin_call(0, "call", "look");
                     for (std::size_t i = 0; i < n; ++i) s.part(arguments_at("$.a[" + number(i) + "].b"));
                     s.end_call(0);
                     return true;
                   }),
      made<Stream>("a long name of a call", 4'000,
                   [](Stream& s, std::size_t n) {
                     s.call(0, repeated("a", n), repeated("b", n), "{}", "{}");
                     return true;
                   }),
      made<Stream>("written calls behind calls", 100,
                   [](Stream& s, std::size_t n) {
                     if (s.ollama() || s.anthropic() || s.gemini()) return false;
                     for (std::size_t i = 0; i < n; ++i) s.begin_call(i, id(i), "tool" + number(i));
                     for (std::size_t i = 0; i < n; ++i) s.text(R"(<invoke name=\"look\"></invoke> )");
                     for (std::size_t i = 0; i < n; ++i) s.call_piece(i, "{}");
                     for (std::size_t i = 0; i < n; ++i) s.end_call(i);
                     return true;
                   }),
  };
  all[7].prepare = [](TranslatorOptions& options, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) options.reply.aliases.add({"tool" + number(i), true, {}, "own"});
    for (std::size_t i = 0; i < n; ++i) options.functions.push_back({"tool" + number(i), "{}"});
  };
  add_arguments(all, "words", 4'000, R"({\"a\":\")", "word ", R"(\"})");
  add_arguments(all, "blanks at the begin", 4'000, "", " ", "{}");
  add_arguments(all, "blanks in the head", 4'000, "{", " ", R"(\"input\":\"a\"})", "custom");
  add_arguments(all, "members", 1'000, R"({\"b\":1)", R"(,\"a\":1)", "}");
  add_arguments(all, "lists in lists", 3'000, R"({\"a\":)", "[", "");
  add_arguments(all, "paths", 100, R"({\"a\":\")", "/tmp/windsurf-workspace/a ", R"(\"})");
  add_arguments(all, "mapped members", 100, R"({\"file_path\":\"a\")", R"(,\"pages\":1)", "}", "Read");
  all.push_back(made<Stream>("nested arguments of a call", 50, [](Stream& s, std::size_t n) {
    s.call(0, "call", "look", repeated(R"({\"a\":)", n) + "{}" + repeated("}", n),
           repeated(R"({"a":)", n) + "{}" + repeated("}", n));
    return true;
  }));
  return all;
}

std::vector<Dimension> events() {
  const auto sse = [](const Stream& s) { return !s.ollama() && !s.framed(); };
  const auto failing = [](std::string text) {
    return [text](Stream& s, std::size_t n) {
      const std::string message = "\"" + repeated(text, n) + "\"";
      if (s.kiro() || s.converse()) return false;
      s.event(s.anthropic()   ? R"({"type":"error","error":{"type":"api_error","message":)" + message + "}}"
              : s.responses() ? R"({"type":"error","message":)" + message + "}"
                              : R"({"error":{"message":)" + message + R"(,"type":"a","code":"b"}})");
      return true;
    };
  };
  return {
      made<Stream>("comments", 1'000,
                   [=](Stream& s, std::size_t n) {
                     if (!sse(s)) return false;
                     s.bytes(repeated(": ping\n\n", n));
                     return true;
                   }),
      made<Stream>("blank lines", 4'000,
                   [](Stream& s, std::size_t n) {
                     if (s.framed()) return false;
                     s.bytes(repeated("\r\n", n));
                     return true;
                   }),
      made<Stream>("lines of a comment", 1'000,
                   [=](Stream& s, std::size_t n) {
                     if (!sse(s)) return false;
                     s.bytes(repeated(": ping\n", n) + "\n");
                     return true;
                   }),
      made<Stream>("lines of an event", 1'000,
                   [=](Stream& s, std::size_t n) {
                     if (!sse(s)) return false;
                     s.bytes("data: {\n" + repeated("data: \n", n) + "data: \"type\":\"ping\"}\n\n");
                     return true;
                   }),
      made<Stream>("unknown fields", 1'000,
                   [=](Stream& s, std::size_t n) {
                     if (!sse(s)) return false;
                     s.bytes(repeated("x: 1\n", n) + "\n");
                     return true;
                   }),
      growing<Stream>("unknown events", 100,
                      [](Stream& s, std::size_t) { s.event(R"({"type":"ping"})", "codeEvent"); }),
      made<Stream>("unknown members of an event", 1'000,
                   [](Stream& s, std::size_t n) {
                     const std::string members =
                         each(n, ",", [](std::size_t i) { return "\"x_" + number(i) + R"(":{"usage":1})"; });
                     s.event(R"({"type":"ping",)" + members + "}",
                             s.converse() ? "contentBlockStop" : "assistantResponseEvent");
                     return true;
                   }),
      made<Stream>("other choices", 100,
                   [](Stream& s, std::size_t n) {
                     if (!s.chat()) return false;
                     for (std::size_t i = 1; i <= n; ++i)
                       s.event(R"({"choices":[{"index":)" + number(i) +
                               R"(,"delta":{"content":"a"},"finish_reason":"stop"}]})");
                     return true;
                   }),
      made<Stream>("choices of an event", 300,
                   [](Stream& s, std::size_t n) {
                     if (!s.chat()) return false;
                     s.event(R"({"choices":[)" +
                             each(n, ",",
                                  [](std::size_t i) {
                                    return R"({"index":)" + number(i) +
                                           R"(,"delta":{"content":"a"},"finish_reason":"stop"})";
                                  }) +
                             "]}");
                     return true;
                   }),
      made<Stream>("usage", 100,
                   [](Stream& s, std::size_t n) {
                     if (s.responses() || s.ollama()) return false;
                     for (std::size_t i = 0; i < n; ++i) {
                       if (s.chat()) s.event(R"({"choices":[],"usage":{"prompt_tokens":1}})");
                       if (s.anthropic())
                         s.event(R"({"type":"message_delta","delta":{},"usage":{"output_tokens":1}})");
                       if (s.kiro()) s.event(R"({"usage":1})", "meteringEvent");
                       if (s.gemini()) s.event(R"({"usageMetadata":{"promptTokenCount":1}})");
                       if (s.converse()) s.event(R"({"usage":{"inputTokens":1}})", "metadata");
                     }
                     return true;
                   }),
      Dimension{
          "ends at stop sequences", 100,
          [](const std::string& protocol, std::size_t n) {
            Stream s(protocol);
            if (!s.chat()) return std::string();
            for (std::size_t i = 0; i < n; ++i)
              s.event(
                  R"({"choices":[{"index":0,"delta":{},"finish_reason":"length","stop_reason":"none"}]})");
            return s.body();
          },
          [](TranslatorOptions& options, std::size_t n) {
            for (std::size_t i = 0; i < n; ++i) options.rules.stop_sequences.push_back("st" + number(10 + i));
          }},
      made<Stream>("signatures", 100,
                   [](Stream& s, std::size_t n) {
                     if (!s.kiro() && !s.converse()) return false;
                     s.thinking("word ");
                     for (std::size_t i = 0; i < n; ++i) {
                       if (s.kiro())
                         s.event(R"({"signature":"abcdefgh"})", "reasoningContentEvent");
                       else
                         s.block_delta(0, R"("reasoningContent":{"signature":"abcdefgh"})");
                     }
                     return true;
                   }),
      made<Stream>("a long error", 20'000, failing("word ")),
      made<Stream>("keys in an error", 4'000, failing("sk-12345678 ")),
      made<Stream>("beginnings of a key in an error", 4'000, failing("sk-123")),
  };
}

// Content that Responses repeat.
std::vector<Dimension> repeats() {
  const auto part = [](std::size_t i, const char* how) {
    return R"({"type":"response.content_part.)" + std::string(how) +
           R"(","item_id":"item_0","output_index":0,"content_index":)" + number(i) +
           R"(,"part":{"type":"output_text","text":")" + (how[0] == 'd' ? "word" : "") + "\"}}";
  };
  const auto message = [](Stream& s) { s.item("added", 0, R"("type":"message","content":[])"); };
  const auto output = [](Stream& s, const std::string& items) {
    s.event(R"({"type":"response.completed","response":{"id":"resp","output":[)" + items + "]}}");
  };
  return {
      made<Stream>("parts of an item", 400,
                   [=](Stream& s, std::size_t n) {
                     if (!s.responses()) return false;
                     message(s);
                     for (std::size_t i = 0; i < n; ++i) s.event(part(i, "added"));
                     for (std::size_t i = 0; i < n; ++i) s.event(part(i, "done"));
                     return true;
                   }),
      made<Stream>("ends of an item of many parts", 500,
                   [=](Stream& s, std::size_t n) {
                     if (!s.responses()) return false;
                     message(s);
                     for (std::size_t i = 0; i < n; ++i) s.event(part(i, "added"));
                     for (std::size_t i = 0; i < n; ++i) s.event(part(i, "done"));
                     for (std::size_t i = 0; i < n; ++i) s.item("done", 0, R"("type":"message")");
                     return true;
                   }),
      made<Stream>("parts of an item without text, and its ends", 500,
                   [=](Stream& s, std::size_t n) {
                     if (!s.responses()) return false;
                     message(s);
                     for (std::size_t i = 0; i < n; ++i) s.event(part(i, "added"));
                     for (std::size_t i = 0; i < n; ++i)
                       s.item("done", 0, R"("type":"message","content":[{"type":"output_text","text":""}])");
                     return true;
                   }),
      made<Stream>("items that end again", 500,
                   [](Stream& s, std::size_t n) {
                     if (!s.responses()) return false;
                     for (std::size_t i = 0; i < n; ++i)
                       s.event(R"({"type":"response.output_item.done","item":{"type":"message"}})");
                     return true;
                   }),
      made<Stream>("items in the last event", 400,
                   [=](Stream& s, std::size_t n) {
                     if (!s.responses()) return false;
                     for (std::size_t i = 0; i < n; ++i) s.call(i, id(i), "look", "{}", "{}");
                     output(s, each(n, ",", [](std::size_t i) {
                              return R"({"type":"function_call","id":")" + Stream::item_id(i) +
                                     R"(","call_id":")" + id(i) + R"(","name":"look","arguments":"{}"})";
                            }));
                     return true;
                   }),
      made<Stream>("items in the last event by other ids", 400,
                   [=](Stream& s, std::size_t n) {
                     if (!s.responses()) return false;
                     for (std::size_t i = 0; i < n; ++i) s.call(i, id(i), "look", "{}", "{}");
                     output(s, each(n, ",", [](std::size_t i) {
                              return R"({"type":"function_call","id":"other_)" + number(i) +
                                     R"(","call_id":")" + id(i) + R"(","name":"look","arguments":"{}"})";
                            }));
                     return true;
                   }),
      made<Stream>("items in the last event alone", 400,
                   [=](Stream& s, std::size_t n) {
                     if (!s.responses()) return false;
                     output(s, each(n, ",", [](std::size_t i) {
                              return R"({"type":"message","id":")" + Stream::item_id(i) +
                                     R"(","content":[{"type":"output_text","text":"a"}]})";
                            }));
                     return true;
                   }),
      made<Stream>("parts in the last event", 500,
                   [=](Stream& s, std::size_t n) {
                     if (!s.responses()) return false;
                     output(s, R"({"type":"message","content":[)" + each(n, ",", [](std::size_t) {
                                 return std::string(R"({"type":"output_text","text":"a"})");
                               }) + "]}");
                     return true;
                   }),
  };
}

}  // namespace
}  // namespace stream_inputs

const std::vector<Dimension>& streams() {
  static const std::vector<Dimension> kAll = [] {
    using namespace stream_inputs;
    std::vector<Dimension> all;
    for (auto* family : {texts, calls, events, repeats})
      for (Dimension& dimension : family()) all.push_back(std::move(dimension));
    return all;
  }();
  return kAll;
}

}  // namespace splitproof::cost
