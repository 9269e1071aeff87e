#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/observe/preamble_reading.hpp"
#include "harness/observe/prose_encoding.hpp"

namespace splitproof::observe {

/// Makes two requests comparable. prose_encoding.cpp reads back what is in words. word_comparison.cpp
/// compares what only the rules on words require.
class WordReader {
 public:
  WordReader(const AskedRequest& asked, const AskedRequest& got, const AskedRules& rules);
  ProseEncoding result() &&;

 private:
  using json = nlohmann::json;

  static std::vector<std::string> declared(const AskedRequest& asked);

  /// Adds a member. An empty `found` becomes "nothing" if nothing may come.
  void put(const char* name, json wanted, json found);

  /// Adds a member, unless it is empty on both sides.
  void put_any(const char* name, json wanted, json found);
  const json* keep(json value);
  std::string upstream_name(const std::string& name) const;
  void rename();
  void retain();

  /// Replaces words by the blocks that they describe, in both requests, because a model reads both alike.
  void read_words();
  static std::vector<AskedBlock*> results_of(std::vector<AskedTurn>& turns);

  /// Accepts the proxy's own ids of results, such as the upstream's ids, if no two calls share one.
  void tolerate_ids(const std::vector<std::string>& ids);

  /// Finds and removes the proxy's own blocks.
  void read_system();

  /// Accepts a fact with or without repetition if only some proxies can find it.
  void compare_environment();
  std::vector<std::string> offered() const;

  /// Treats described tools as offered tools. Notes the tools that are also offered as such.
  void read_tools();
  SaidTurn* last_turn_of_user();

  /// Removes a text from the user's last turn that requires a call and is not the client's.
  std::optional<std::string> take_directive();

  /// Returns the tool that a directive names: the longest name after the word.
  std::optional<std::string> named_in(std::string_view directive) const;
  void read_choice();

  /// Returns a required tool that the upstream does not know.
  json dangling() const;
  void compare_names();
  std::string proxy_words() const;

  /// Returns the members of `names` that a text contains as whole words.
  static json said_of(const std::vector<std::string>& names, const std::string& text);
  void compare_preamble();
  bool is_banner_on_result(std::size_t turn) const;

  /// Compares images whose bytes are in a text.
  void compare_images();

  /// Compares results. Their text must not look like the end of a result, or like a call.
  void compare_results();
  static json exchanges(const AskedRequest& request);

  /// Returns texts of one role with such words that the client's own text lacks, as it must arrive.
  template <class Words>
  json with_words(const char* role, const Words& words) const;
  void compare_history();

  /// Compares paragraphs that do not identify the client.
  void compare_paragraphs();

  /// If no tool may be called, accepts any words for calls and results.
  void flatten();

  const AskedRequest& client_;
  const AskedRequest& sent_;
  const AskedRules& rules_;
  Renaming names_;
  std::vector<Banner> banners_;
  std::vector<std::string> own_ids_;  // ids of results, if they are the proxy's
  SystemBlocks blocks_;
  ProseEncoding result_;
};

}  // namespace splitproof::observe
