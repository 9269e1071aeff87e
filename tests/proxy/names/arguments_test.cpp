#include "proxy/names/arguments.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

namespace splitproof::names::arguments_test {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t kDepth = 128;

const MappedTool& tool(const std::string& upstream) {
  for (const MappedTool& mapped : map_of(Names::opencode)) {
    if (mapped.upstream == upstream) return mapped;
  }
  ADD_FAILURE() << upstream;
  return map_of(Names::opencode).front();
}

struct Row {
  const char* tool;
  std::string upstream;
  std::string client;
};

// Upstream calls of the bridge's own tests.
const Row kToClient[] = {
    {"Read", R"({"file_path":"/tmp/x.txt"})", R"({"filePath":"/tmp/x.txt"})"},
    {"Read", R"({"file\u005fpath":"/a"})", R"({"filePath":"/a"})"},
    {"Read", R"({"pages":"1-2","file_path":"/a"})", R"({"filePath":"/a"})"},
    {"Read", R"({ "file_path" : "/a" , "pages" : "1" })", R"({ "filePath" : "/a" })"},
    {"Read", R"({"pages":"1"})", "{}"},
    {"Read", R"({"pages":"1","pages":"2"})", "{}"},
    {"Read", R"({"pages":"1","file_path":"/a","pages":"2","limit":3,"pages":"3"})",
     R"({"filePath":"/a","limit":3})"},
    {"Edit", R"({"file_path":"f","old_string":"a","new_string":"b","replace_all":true})",
     R"({"filePath":"f","oldString":"a","newString":"b","replaceAll":true})"},
    {"Write", "{\"file_path\":\"f\",\n \"content\":\"x\"}", "{\"filePath\":\"f\",\n \"content\":\"x\"}"},
    {"Grep",
     R"({"pattern":"x","glob":"*.c","output_mode":"content","-B":1,"-n":true,"head_limit":5,"type":"c"})",
     R"({"pattern":"x","include":"*.c"})"},
    {"Bash", R"({"command":"ls","run_in_background":true})", R"({"command":"ls"})"},
    {"Agent", R"({"prompt":"p","subagent_type":"general-purpose","model":"m"})",
     R"({"prompt":"p","subagent_type":"general"})"},
    {"Agent", R"({"subagent_type":"Explore"})", R"({"subagent_type":"explore"})"},
    {"Agent", R"({"subagent_type":"my-own"})", R"({"subagent_type":"my-own"})"},
    {"Agent", R"({"prompt":"p"})", R"({"prompt":"p","subagent_type":"general"})"},
    {"Agent", "{}", R"({"subagent_type":"general"})"},
    {"Agent", R"({"model":"m"})", R"({"subagent_type":"general"})"},
    {"Agent", R"({"prompt":"p","model":"m"})", R"({"prompt":"p","subagent_type":"general"})"},
    {"Skill", R"({"skill":"pdf","args":"x"})", R"({"name":"pdf"})"},
    {"WebFetch", R"({"url":"u","prompt":"p"})", R"({"url":"u","format":"markdown"})"},
    {"WebFetch", R"({"url":"u","format":"html"})", R"({"url":"u","format":"html"})"},
    {"TodoWrite",
     R"({"todos":[{"content":"c","activeForm":"high"},{"activeForm":"low","status":"completed"}]})",
     R"({"todos":[{"content":"c","priority":"high"},{"priority":"low","status":"completed"}]})"},
    {"TodoWrite", R"({"activeForm":"x","todos":[["activeForm"],"activeForm",7]})",
     R"({"activeForm":"x","todos":[["activeForm"],"activeForm",7]})"},
    {"AskUserQuestion", R"({"questions":[{"question":"q","multiSelect":true}]})",
     R"({"questions":[{"question":"q","multiple":true}]})"},
    // Text contains no keys.
    {"Write", R"({"content":"file_path \"old_string\": activeForm"})",
     R"({"content":"file_path \"old_string\": activeForm"})"},
    {"Bash", R"({"command":"cat <<E\n{\"file_path\": 1, \"run_in_background\": 2}\nE"})",
     R"({"command":"cat <<E\n{\"file_path\": 1, \"run_in_background\": 2}\nE"})"},
    {"Read", R"({"filePathx":{"file_path":1}})", R"({"filePathx":{"file_path":1}})"},
    // Numbers, repeated keys and escapes stay as they are written.
    {"Read", R"({"file_path":"\u002fa","offset":12345678901234567890,"limit":1.0e+2})",
     R"({"filePath":"\u002fa","offset":12345678901234567890,"limit":1.0e+2})"},
    {"Read", R"({"file_path":"a","file_path":"b"})", R"({"filePath":"a","filePath":"b"})"},
    // Anything but an object stays unchanged.
    {"Read", "{not valid json", "{not valid json"},
    {"Read", R"({"file_path":"/a")", R"({"file_path":"/a")"},
    {"Read", R"(["file_path"])", R"(["file_path"])"},
    {"Read", R"("file_path")", R"("file_path")"},
    {"Read", "null", "null"},
    {"Read", "", ""},
};

TEST(ToldArguments, TowardsTheClient) {
  for (const Row& row : kToClient)
    EXPECT_EQ(told_arguments(tool(row.tool), Towards::client, row.upstream, kDepth), row.client)
        << row.upstream;
}

const Row kToUpstream[] = {
    {"Read", R"({"file_path":"/a"})", R"({"filePath":"/a"})"},
    {"Grep", R"({"pattern":"x","glob":"*.c"})", R"({"pattern":"x","include":"*.c"})"},
    {"Agent", R"({"prompt":"p","subagent_type":"general-purpose"})",
     R"({"task_id":"t","prompt":"p","subagent_type":"general","command":"c"})"},
    {"Agent", R"({"prompt":"p"})", R"({"prompt":"p"})"},
    {"WebFetch", R"({"url":"u","prompt":"Return the content of the page."})",
     R"({"url":"u","format":"html","timeout":3})"},
    {"WebFetch", R"({"url":"u","prompt":"mine"})", R"({"url":"u","prompt":"mine"})"},
    {"TodoWrite",
     R"({"todos":[{"status":"completed","activeForm":"low"},{"status":"completed"},{"status":"pending"}]})",
     R"({"todos":[{"status":"cancelled","priority":"low"},{"status":"completed"},{"status":"pending"}]})"},
    {"Skill", R"({"skill":"pdf"})", R"({"name":"pdf"})"},
};

TEST(ToldArguments, TowardsTheUpstream) {
  for (const Row& row : kToUpstream)
    EXPECT_EQ(told_arguments(tool(row.tool), Towards::upstream, row.client, kDepth), row.upstream)
        << row.client;
}

TEST(ToldArguments, StaysWhereItIsNestedTooDeep) {
  const std::string deep = R"({"file_path":)" + std::string(9, '[') + std::string(9, ']') + "}";
  EXPECT_NE(told_arguments(tool("Read"), Towards::client, deep, 10), deep);
  EXPECT_EQ(told_arguments(tool("Read"), Towards::client, deep, 9), deep);
}

// The same in a slow way, on parsed JSON.
ordered_json told_slowly(const MappedTool& mapped, bool to_client, const ordered_json& object) {
  const SideMembers& side = to_client ? mapped.for_client : mapped.for_upstream;
  const auto member = [&](const std::string& list, const std::string& key, ordered_json value,
                          ordered_json& into) {
    std::string told = key;
    for (const KeyNames& keys : mapped.keys) {
      if (keys.list == list && (to_client ? keys.upstream : keys.client) == key)
        told = to_client ? keys.client : keys.upstream;
    }
    const std::string client_key = to_client ? told : key;
    for (const ValueNames& word : mapped.values) {
      if (word.list != list || word.key != client_key || value != (to_client ? word.upstream : word.client))
        continue;
      value = to_client ? word.client : word.upstream;
      break;
    }
    into[told] = value;
  };
  ordered_json told = ordered_json::object();
  for (const auto& [key, value] : object.items()) {
    if (std::find(side.strip.begin(), side.strip.end(), key) != side.strip.end()) continue;
    ordered_json inner = value;
    if (value.is_array()) {
      for (ordered_json& item : inner) {
        if (!item.is_object()) continue;
        ordered_json renamed = ordered_json::object();
        for (const auto& [name, of] : item.items()) member(key, name, of, renamed);
        item = renamed;
      }
    }
    member("", key, inner, told);
  }
  for (const DefaultMember& missing : side.defaults) {
    if (!told.contains(missing.key)) told[missing.key] = missing.text;
  }
  return told;
}

// Objects with known and unknown keys of a tool's map, but no key of both sides at once.
class Objects {
 public:
  Objects(const MappedTool& mapped, bool to_client, std::mt19937& random) : random_(random) {
    std::vector<std::string> keys = {"x", "prompt2", "a\"b", "\xC3\xA9"};
    for (const KeyNames& names : mapped.keys) {
      (names.list.empty() ? keys : inner_).push_back(to_client ? names.upstream : names.client);
      if (!names.list.empty()) keys.push_back(names.list);
    }
    for (const ValueNames& names : mapped.values) {
      words_.push_back(to_client ? names.upstream : names.client);
      (names.list.empty() ? keys : inner_).push_back(names.key);
    }
    const SideMembers& side = to_client ? mapped.for_client : mapped.for_upstream;
    keys.insert(keys.end(), side.strip.begin(), side.strip.end());
    for (const DefaultMember& member : side.defaults) keys.push_back(member.key);
    keys_ = keys;
  }

  ordered_json next() {
    ordered_json object = ordered_json::object();
    for (std::size_t left = random_() % 6; left > 0; --left) object[one_of(keys_)] = value();
    return object;
  }

 private:
  const std::string& one_of(const std::vector<std::string>& texts) { return texts[random_() % texts.size()]; }

  ordered_json value() {
    switch (random_() % 6) {
      case 0:
        return 12345678901234567890U;
      case 1:
        return one_of(keys_);
      case 2:
        return words_.empty() ? ordered_json(nullptr) : ordered_json(one_of(words_));
      case 3:
        return {{one_of(keys_), 1}};
      default: {
        ordered_json list = ordered_json::array();
        for (std::size_t left = random_() % 3; left > 0; --left) {
          ordered_json item = ordered_json::object();
          if (!inner_.empty()) item[one_of(inner_)] = words_.empty() ? "w" : one_of(words_);
          item["y"] = list.size();
          list.push_back(item);
        }
        return list;
      }
    }
  }

  std::mt19937& random_;
  std::vector<std::string> keys_;
  std::vector<std::string> inner_;
  std::vector<std::string> words_;
};

TEST(ToldArguments, AreThoseOfParsedJson) {
  constexpr std::uint32_t kSeed = 7;
  std::mt19937 random(kSeed);
  std::size_t tried = 0;
  for (const MappedTool& mapped : map_of(Names::opencode)) {
    for (const bool to_client : {true, false}) {
      Objects objects(mapped, to_client, random);
      for (int i = 0; i < 300; ++i, ++tried) {
        const ordered_json object = objects.next();
        const std::string text = object.dump(i % 3 == 0 ? 1 : -1);
        const std::string told =
            told_arguments(mapped, to_client ? Towards::client : Towards::upstream, text, kDepth);
        ASSERT_EQ(ordered_json::parse(told), told_slowly(mapped, to_client, object))
            << mapped.upstream << text;
      }
    }
  }
  std::cout << tried << " objects, seed " << kSeed << "\n";
}

// A call survives the way to the client and back in its history, for all keys that both sides have.
TEST(ToldArguments, ComeBackAsTheyWere) {
  for (const Row& row : kToClient) {
    const MappedTool& mapped = tool(row.tool);
    if (mapped.for_client != SideMembers() || mapped.for_upstream != SideMembers()) continue;
    const std::string client = told_arguments(mapped, Towards::client, row.upstream, kDepth);
    const std::string back = told_arguments(mapped, Towards::upstream, client, kDepth);
    if (row.upstream.find("\\u005f") != std::string::npos) continue;  // an escaped key does not come back
    EXPECT_EQ(back, row.upstream);
  }
  const std::string agent = R"({"prompt":"p","subagent_type":"statusline-setup"})";
  EXPECT_EQ(told_arguments(tool("Agent"), Towards::upstream,
                           told_arguments(tool("Agent"), Towards::client, agent, kDepth), kDepth),
            agent);
}

TEST(ToldSchema, RenamesProperties) {
  EXPECT_EQ(
      told_schema(tool("Read"),
                  R"({"type":"object","required":["filePath"],"properties":{"filePath":{"type":"string",)"
                  R"("description":"filePath"},"offset":{"type":"number"}},"additionalProperties":false})",
                  kDepth),
      R"({"type":"object","required":["file_path"],"properties":{"file_path":{"type":"string",)"
      R"("description":"filePath"},"offset":{"type":"number"}},"additionalProperties":false})");
  EXPECT_EQ(told_schema(
                tool("TodoWrite"),
                R"({"properties":{"todos":{"type":"array","items":{"type":"object","properties":{"priority":)"
                R"({"enum":["priority"]}},"required":["priority","id"]}},"priority":{}}})",
                kDepth),
            R"({"properties":{"todos":{"type":"array","items":{"type":"object","properties":{"activeForm":)"
            R"({"enum":["priority"]}},"required":["activeForm","id"]}},"priority":{}}})");
  for (const char* other :
       {"{}", R"({"properties":["filePath"],"required":"filePath"})", R"({"required":[1,{}]})", "[", ""})
    EXPECT_EQ(told_schema(tool("Read"), other, kDepth), other);
}

}  // namespace
}  // namespace splitproof::names::arguments_test
