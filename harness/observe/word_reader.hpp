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

/// Makes two requests comparable: prose_encoding.cpp reads back what stands in words, word_comparison.cpp compares what only
/// the rules on words are about.
class WordReader {
 public:
  WordReader(const AskedRequest& asked, const AskedRequest& got, const AskedRules& rules);
  ProseEncoding result() &&;

 private:
  using json = nlohmann::json;

  static std::vector<std::string> declared(const AskedRequest& asked);

  /// Where nothing may come, "nothing" is what comes.
  void put(const char* name, json wanted, json found);

  /// What there is none of on either side is absent.
  void put_any(const char* name, json wanted, json found);
  const json* keep(json value);
  std::string upstream_name(const std::string& name) const;
  void rename();
  void retain();

  /// What stands in words goes back to what it stands for, in both, as a model reads both alike.
  void read_words();
  static std::vector<AskedBlock*> results_of(std::vector<AskedTurn>& turns);

  /// Results may have ids of the proxy's own, such as those that the upstream gave: no two calls share one.
  void tolerate_ids(const std::vector<std::string>& ids);

  /// Finds the blocks of the proxy's own, and takes them out.
  void read_system();

  /// A fact that only some know how to find may be said again or not.
  void compare_environment();
  std::vector<std::string> offered() const;

  /// Tools that are described are those that are offered; of those that are offered as such, too, it is noted.
  void read_tools();
  SaidTurn* last_turn_of_user();

  /// Takes a text out of the last turn of the user that demands a call, and that the client did not say.
  std::optional<std::string> take_directive();

  /// Which tool a directive names: the longest name in it that stands behind the word.
  std::optional<std::string> named_in(std::string_view directive) const;
  void read_choice();

  /// A tool that is demanded, and that the upstream was not told of.
  json dangling() const;
  void compare_names();
  std::string proxy_words() const;

  /// Which of `names` a text says, as whole words.
  static json said_of(const std::vector<std::string>& names, const std::string& text);
  void compare_preamble();
  bool is_banner_on_result(std::size_t turn) const;

  /// Images whose bytes stand in a text.
  void compare_images();

  /// What a result says must neither be taken for its end nor for a call.
  void compare_results();
  static json exchanges(const AskedRequest& request);

  /// Texts of one side that hold such words where the client's own, as they have to arrive, hold none.
  template <class Words>
  json with_words(const char* role, const Words& words) const;
  void compare_history();

  /// Paragraphs that do not say who the client is.
  void compare_paragraphs();

  /// Where no tool may be called, calls and results are told in whatever words.
  void flatten();

  const AskedRequest& client_;
  const AskedRequest& sent_;
  const AskedRules& rules_;
  Renaming names_;
  std::vector<Banner> banners_;
  std::vector<std::string> own_ids_;  // of results, where they are the proxy's
  SystemBlocks blocks_;
  ProseEncoding result_;
};

}  // namespace splitproof::observe
