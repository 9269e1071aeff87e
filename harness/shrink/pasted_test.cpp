#include "harness/shrink/pasted_test.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string_view>
#include <utility>

#include "harness/campaign/meta.hpp"
#include "harness/dialect/registry.hpp"
#include "harness/observe/documents.hpp"
#include "harness/observe/event_stream.hpp"
#include "harness/read_file.hpp"
#include "harness/recording/base64.hpp"
#include "harness/shrink/source_text.hpp"
#include "harness/split/split.hpp"
#include "harness/testee/client_request.hpp"
#include "harness/utf8.hpp"

namespace splitproof::shrink {
namespace {

using nlohmann::json;
using recording::End;

/// Syntax of a framework's language.
struct Language {
  std::string_view framework;
  std::string_view file;    ///< name of the frame file
  std::string_view reader;  ///< suffix of reader files
  std::string_view yes, no;
  std::string_view null;                 ///< empty: JSON is parsed from a string
  std::string_view bytes;                ///< a chunk that is not text; `@` is its base64
  std::string_view text;                 ///< a text chunk; `@` is its literal
  std::array<std::string_view, 4> ends;  ///< end of a body, by recording::End
};

// These servers hide the socket option for a reset, so a reset becomes a close.
constexpr std::array<Language, 3> kLanguages = {{
    {"vitest",
     "vitest.mjs",
     ".mjs",
     "true",
     "false",
     "null",
     "Buffer.from(@, 'base64')",
     "@",
     {"answer.end();", "answer.destroy();", "answer.destroy();", ""}},
    {"pytest",
     "pytest.py",
     ".py",
     "True",
     "False",
     "None",
     "base64.b64decode(@)",
     "@.encode()",
     {"self.wfile.write(b\"0\\r\\n\\r\\n\")", "self.close_connection = True", "self.close_connection = True",
      "time.sleep(3600)"}},
    {"go",
     "go.go",
     ".go",
     "true",
     "false",
     "",
     "bytesOf(@)",
     "[]byte(@)",
     {"", "panic(http.ErrAbortHandler)", "panic(http.ErrAbortHandler)", "<-asked.Context().Done()"}},
}};

std::string replaced(std::string text, std::string_view what, std::string_view by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != text.npos; at += by.size())
    text.replace(at, what.size(), by);
  return text;
}

std::string text_of(const json& value) { return value.dump(-1, ' ', false, json::error_handler_t::replace); }

/// Returns a key of an object. In JavaScript `"__proto__": value` would set the object's prototype.
std::string key_literal(const std::string& key, const Language& language) {
  const std::string literal = string_literal(key);
  return language.framework == "vitest" && key == "__proto__" ? "[" + literal + "]" : literal;
}

/// Returns JSON as an expression of the language. All languages write numbers as JSON does.
std::string literal(const json& value, const Language& language, const std::string& indent = "") {
  if (language.null.empty()) return string_literal(text_of(value));
  if (value.is_string()) return string_literal(value.get_ref<const std::string&>());
  if (value.is_boolean()) return std::string(value.get<bool>() ? language.yes : language.no);
  if (value.is_null()) return std::string(language.null);
  if (!value.is_structured()) return text_of(value);
  if (value.empty()) return value.is_object() ? "{}" : "[]";
  const std::string inner = indent + "  ";
  std::string text = value.is_object() ? "{" : "[";
  for (const auto& [key, member] : value.items()) {
    text += (text.size() > 1 ? ",\n" : "\n") + inner;
    if (value.is_object()) text += key_literal(key, language) + ": ";
    text += literal(member, language, inner);
  }
  return text + "\n" + indent + (value.is_object() ? "}" : "]");
}

bool is_text(std::string_view chunk) { return find_ill_formed_utf8(chunk) >= chunk.size(); }

std::string chunk_literal(std::string_view chunk, const Language& language) {
  const bool as_text = is_text(chunk);
  const std::string content = as_text ? std::string(chunk) : recording::to_base64(chunk);
  return replaced(std::string(as_text ? language.text : language.bytes), "@", string_literal(content));
}

/// Returns the id of the original case if the recording names it.
std::string made_of(const Shrunk& shrunk) {
  const auto& provenance = shrunk.recording.provenance;
  if (!provenance || !provenance->contains("case")) return shrunk.one.recording;
  const json& one = (*provenance)["case"];
  return one.is_string() ? one.get<std::string>() : shrunk.one.recording;
}

/// True if the servers of all three languages send the header unchanged.
bool can_be_sent(const std::string& header) {
  return std::all_of(header.begin(), header.end(),
                     [](char c) { return c == '\t' || (c >= ' ' && c <= '~'); });
}

/// Returns the members that a reader of such a test reports.
json known_members(const json& document) {
  json known = json::object();
  for (const char* member : {"text", "thinking", "refusal", "names", "called", "inputs", "finish", "error"})
    if (document.contains(member)) known[member] = document[member];
  const json ids = document.value("ids", json::array());
  if (!ids.empty() && std::none_of(ids.begin(), ids.end(), [](const json& id) { return id.is_null(); }))
    known["ids"] = ids;
  if (document.contains("usage")) known["usage"] = document["usage"];
  return known;
}

/// Returns the assertions: the correct members, and unless the rule is about order, the wrong ones. A wrong
/// usage is asserted only if nothing more is wrong.
json asked_of(const Shrunk& shrunk, const testee::Traits& testee, bool of_order, bool& differs) {
  const dialect::Client* client = dialect::client_of(testee.client);
  const observe::Trace trace = observe::read_trace(shrunk.seen.body, observe::DataKind::json);
  observe::TraceStream stream(trace);
  const observe::Documents documents = observe::documents(shrunk.reading.expected, client->side(stream));
  const json wanted = known_members(*documents.expected), got = known_members(*documents.got);
  json agreed = json::object(), missed = json::object();
  for (const auto& [member, value] : wanted.items())
    (got.contains(member) && got[member] == value ? agreed : missed)[member] = value;
  json usage = json::object();
  if (missed.contains("usage")) {
    usage = missed["usage"];
    missed.erase("usage");
  }
  differs = !missed.empty() || !usage.empty();
  if (of_order) return agreed;
  if (missed.empty() && !usage.empty()) missed["usage"] = usage;
  agreed.update(missed);
  return agreed;
}

using Values = std::map<std::string_view, std::string>;

/// Substitutes each placeholder once, so that values are not scanned.
std::string filled_line(std::string_view line, const Values& values) {
  std::string text;
  while (!line.empty()) {
    const auto place = std::find_if(values.begin(), values.end(),
                                    [&](const auto& value) { return line.starts_with(value.first); });
    text += place == values.end() ? std::string(1, line.front()) : place->second;
    line.remove_prefix(place == values.end() ? 1 : place->first.size());
  }
  return text;
}

/// Fills in the frame. Keeps a line with a condition only if the condition holds, without its prefix. Drops a
/// line with only an empty placeholder.
std::string filled(const std::string& frame, const Values& values,
                   const std::map<std::string_view, bool>& conditions) {
  std::string text;
  std::istringstream lines(frame);
  for (std::string line; std::getline(lines, line);) {
    const auto condition = std::find_if(conditions.begin(), conditions.end(),
                                        [&](const auto& one) { return line.starts_with(one.first); });
    if (condition != conditions.end()) {
      if (!condition->second) continue;
      line.erase(0, condition->first.size());
    }
    const std::string out = filled_line(line, values);
    const bool was_blank = line.find_first_not_of(" \t") == std::string::npos;
    if (was_blank || out.find_first_not_of(" \t") != std::string::npos) text += out + "\n";
  }
  return text;
}

}  // namespace

Result<std::string> pasted_test(const Shrunk& shrunk, const testee::Traits& testee,
                                const std::string& framework, const std::string& folder) {
  const auto* language = std::find_if(kLanguages.begin(), kLanguages.end(),
                                      [&](const Language& one) { return one.framework == framework; });
  const std::string& rule = shrunk.judged.obligation->id;
  const auto refuse = [&rule](const std::string& why) {
    return tl::unexpected(
        Error{"splitproof cannot write a test for " + rule + ": " + why, {}, 0, "use splitproof replay"});
  };
  if (language == kLanguages.end()) return refuse("it has no template for " + framework);
  const auto frame = read_file(folder + "/" + std::string(language->file));
  const auto reader = read_file(folder + "/" + testee.client + std::string(language->reader));
  if (!frame) return tl::unexpected(frame.error());
  if (!reader) return refuse("it has no reader for clients of " + testee.client);
  std::istringstream covers(read_file(folder + "/" + testee.client + ".covers").value_or(""));
  std::set<std::string> orders;
  for (std::string id; covers >> id;) orders.insert(id);

  const bool of_order = orders.contains(rule);
  if (!shrunk.reading.unread.empty() || shrunk.reading.relayed)
    return refuse("the rule compares with the upstream's own stream");
  bool differs = false;
  const json expected = asked_of(shrunk, testee, of_order, differs);
  const bool runs = rule.starts_with("RUN-");
  if (!of_order && !differs && !runs)
    return refuse("the rule is not about the meaning or the order of the answer");

  const auto request = testee::client_request(testee.client, &shrunk.recording, "", "");
  if (!request) return tl::unexpected(request.error());
  const std::string indent = "  ";
  std::string chunks;
  bool has_bytes = false;
  for (const std::string_view chunk : split::chunks(shrunk.upstream.body, shrunk.upstream.cuts)) {
    if (chunk.empty()) continue;
    has_bytes |= !is_text(chunk);
    chunks += (chunks.empty() ? "" : "\n") + indent + chunk_literal(chunk, *language) + ",";
  }
  const auto found = shrunk.recording.headers.find("content-type");
  const std::string type = found == shrunk.recording.headers.end() ? "text/event-stream" : found->second;
  if (!can_be_sent(type))
    return refuse("the upstream's content type has characters that servers do not send");
  const std::string& says = shrunk.judged.obligation->says;
  const Values values = {
      {"@RULE@", comment_text(rule)},
      {"@SAYS@", comment_text(says)},
      {"@MESSAGE@", comment_text(shrunk.judged.message)},
      {"@CASE@", comment_text(made_of(shrunk))},
      {"@TITLE@", string_literal(rule + ": " + says)},
      {"@REQUEST@", literal(json::parse(*request), *language)},
      {"@CHUNKS@", chunks},
      {"@EXPECTED@", literal(expected, *language)},
      {"@STATUS@", std::to_string(shrunk.recording.status)},
      {"@CONTENT_TYPE@", string_literal(type)},
      {"@ENDING@", std::string(language->ends[static_cast<std::size_t>(shrunk.upstream.end)])},
      {"@READER@", reader->substr(0, reader->find_last_not_of('\n') + 1)},
  };
  const std::map<std::string_view, bool> conditions = {
      {"@OF_ORDER@", of_order}, {"@NOT_OF_ORDER@", !of_order}, {"@WITH_BYTES@", has_bytes}};
  return filled(*frame, values, conditions);
}

}  // namespace splitproof::shrink
