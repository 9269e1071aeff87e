#include "proxy/text/markup_grammar.hpp"

namespace splitproof::text {
namespace {

constexpr std::array<Grammar, kGrammars> kGrammarTable = {{
    {.open = {"<invoke name=\"", "<antml:invoke name=\""},
     .name_end = "\">",
     .key_open = {"<parameter name=\"", "<antml:parameter name=\""},
     .key_end = "\">",
     .value_open = "",
     .value_close = {"</parameter>", "</antml:parameter>"},
     .close = {"</invoke>", "</antml:invoke>"}},
    {.open = {"<tool name=\"", "<antml:tool name=\""},
     .name_end = "\">",
     .key_open = {"<param name=\"", "<antml:param name=\""},
     .key_end = "\">",
     .value_open = "",
     .value_close = {"</param>", "</antml:param>"},
     .close = {"</tool>", "</antml:tool>"}},
    {.open = {"<function=", ""},
     .name_end = ">",
     .key_open = {"<parameter=", ""},
     .key_end = ">",
     .value_open = "",
     .value_close = {"</parameter>", ""},
     .close = {"</function>", ""},
     .object = Grammar::Object::arguments,
     .lines = true},
    {.open = {"<tool_call>", ""},
     .name_ends = Grammar::NameEnd::blank,
     .name_end = "",
     .key_open = {"<arg_key>", ""},
     .key_end = "</arg_key>",
     .value_open = "<arg_value>",
     .value_close = {"</arg_value>", ""},
     .close = {"</tool_call>", ""},
     .object = Grammar::Object::call},
    {.open = {"<|tool_call_begin|>functions.", ""},
     .name_ends = Grammar::NameEnd::number,
     .name_end = "<|tool_call_argument_begin|>",
     .key_open = {"", ""},
     .key_end = "",
     .value_open = "",
     .value_close = {"", ""},
     .close = {"<|tool_call_end|>", ""},
     .object = Grammar::Object::arguments},
}};

constexpr std::array<Wrapper, kWrappers> kWrapperTable = {{
    {"<function_calls>", "</function_calls>", GrammarId::invoke},
    {"<antml:function_calls>", "</antml:function_calls>", GrammarId::invoke},
    {"<minimax:tool_call>", "</minimax:tool_call>", GrammarId::invoke},
    {"<tool_call>", "</tool_call>", GrammarId::function},
    {"<|tool_calls_section_begin|>", "<|tool_calls_section_end|>", GrammarId::special},
}};

}  // namespace

const Grammar& grammar(GrammarId id) { return kGrammarTable[static_cast<std::size_t>(id)]; }

std::span<const Wrapper, kWrappers> wrappers() { return kWrapperTable; }

std::optional<std::uint8_t> wrapper_opened_by(GrammarId id) {
  for (std::size_t number = 0; number < kWrappers; ++number) {
    if (kWrapperTable[number].open == grammar(id).open.front()) return static_cast<std::uint8_t>(number);
  }
  return std::nullopt;
}

TagMatch::Is TagMatch::take(std::span<const std::string_view> spellings, char c) {
  for (std::size_t i = 0; i < spellings.size(); ++i) {
    const std::uint32_t bit = std::uint32_t{1} << i;
    if ((possible_ & bit) == 0) continue;
    const std::string_view spelling = spellings[i];
    if (taken_ >= spelling.size() || spelling[taken_] != c) {
      possible_ &= ~bit;
    } else if (taken_ + 1 == spelling.size()) {
      *this = {};
      found_ = i;
      return Is::whole;
    }
  }
  possible_ &= spellings.size() < 32 ? (std::uint32_t{1} << spellings.size()) - 1 : ~std::uint32_t{0};
  if (possible_ == 0) {
    *this = {};
    return Is::none;
  }
  ++taken_;
  return Is::possible;
}

TagMatch::Is TagMatch::seek(std::span<const std::string_view> spellings, char c) {
  const bool inside = taken_ > 0;
  const Is is = take(spellings, c);
  return is == Is::none && inside && c == '<' ? take(spellings, c) : is;
}

}  // namespace splitproof::text
