#include "harness/observe/said.hpp"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>

#include "harness/json_member.hpp"
#include "harness/strict_json.hpp"

namespace splitproof::observe {
namespace {

using nlohmann::json;

constexpr std::string_view kBlank = " \t\r\n";
constexpr const char* kApart = "\n";  // no other piece is blank

bool is_of_word(char c) { return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') || ('0' <= c && c <= '9'); }

/// Appends a piece. Separates it if it belongs to another message, or would continue the last word.
void add_piece(TextPieces& pieces, const std::string& text, bool is_of_another) {
  const bool fuses = !pieces.empty() && is_of_word(pieces.back()[pieces.back().find_last_not_of(kBlank)]) &&
                     is_of_word(text[text.find_first_not_of(kBlank)]);
  if (!pieces.empty() && (is_of_another || fuses)) pieces.emplace_back(kApart);
  pieces.push_back(text);
}

bool is_of_system(const std::string& role) { return role == "system" || role == "developer"; }

/// Returns the object of the arguments, or `{}` without any. Returns their text if they are not an object or nest
/// too deep.
json input_of(const AskedBlock& call) {
  const std::string text = call.arguments.value_or("");
  if (call.takes_text) return text;
  if (is_blank(text)) return json::object();
  const auto input = parse_strict_json(text);
  return input && (*input)->is_object() ? **input : json(text);
}

class Listener {
 public:
  Said listen(const AskedRequest& asked) && {
    add_system(asked.system);
    for (const AskedTurn& turn : asked.turns) {
      if (is_of_system(turn.role)) {
        if (!said_.turns.empty()) said_.late.push_back(said_.turns.size());
        add_system(turn.blocks);
        continue;
      }
      begins_ = true;
      if (asks(turn)) said_.question = message_;
      for (const AskedBlock& block : turn.blocks) add(block, turn.role == "assistant");
      ++message_;
    }
    std::stable_sort(said_.results.begin(), said_.results.end(),
                     [](const SaidResult& a, const SaidResult& b) { return a.call < b.call; });
    for (const OfferedTool& tool : asked.tools) add(tool);
    if (asked.choice) {
      said_.choice = asked.choice->allowed ? asked.choice->within : asked.choice->mode;
      said_.chosen = asked.choice->name;
      if (asked.choice->allowed) allow_only(*asked.choice->allowed);
    }
    return std::move(said_);
  }

 private:
  static bool asks(const AskedTurn& turn) {
    const auto is_a = [](AskedKind kind) {
      return [kind](const AskedBlock& block) { return block.kind == kind; };
    };
    return turn.role == "user" && !turn.blocks.empty() &&
           std::none_of(turn.blocks.begin(), turn.blocks.end(), is_a(AskedKind::result));
  }

  void add_system(const std::vector<AskedBlock>& blocks) {
    for (const AskedBlock& block : blocks)
      if (block.text && !is_blank(*block.text)) add_piece(said_.system, *block.text, false);
  }

  SaidTurn& turn_of(bool assistant) {
    if (said_.turns.empty() || said_.turns.back().by_assistant != assistant)
      said_.turns.push_back({assistant, {}, {}, {}, false});
    return said_.turns.back();
  }

  // The user's messages and parts never join to one word. The assistant's may.
  void add_text(const std::string& text, bool by_assistant) {
    TextPieces& texts = turn_of(by_assistant).texts;
    const bool begins = std::exchange(begins_, false);
    if (by_assistant) return texts.push_back(text);
    add_piece(texts, text, begins);
  }

  void add(const AskedBlock& block, bool by_assistant) {
    switch (block.kind) {
      case AskedKind::text:
        if (block.text && !is_blank(*block.text)) {
          add_text(*block.text, by_assistant);
        } else if (!by_assistant) {
          said_.leaves_out_blanks = true;
        }
        break;
      case AskedKind::thinking:
        (block.seal.empty() ? said_.unsealed : said_.thoughts)
            .push_back({block.text.value_or(""), block.seal, message_});
        break;
      case AskedKind::image:
        add_images(block, by_assistant);
        said_.turns.back().images_behind.resize(said_.turns.back().images_behind.size() + block.images.size(),
                                                visible_bytes(said_.turns.back().texts));
        break;
      case AskedKind::call:
        turn_of(true);
        said_.calls.push_back(
            {said_.turns.size() - 1, block.name.value_or(""), input_of(block), block.takes_text, block.id});
        break;
      case AskedKind::result:
        add_images(block, false);
        if (!block.images.empty()) said_.turns.back().has_shown_results = true;
        add_result(block);
        break;
      case AskedKind::other:
        turn_of(by_assistant).others.push_back(block.data);
        break;
    }
  }

  void add_result(const AskedBlock& block) {
    SaidResult result{call_of(block.id), "", block.failed, !block.images.empty(), block.as_object};
    for (const AskedPiece& piece : block.pieces) {
      if (!piece.text) {
        ++result.others;
        continue;
      }
      result.pieces.push_back(*piece.text);
      result.documents += piece.is_document ? 1 : 0;
      if (!piece.is_document) result.bare.push_back(*piece.text);
    }
    if (block.pieces.empty()) result.pieces = result.bare = {block.text.value_or("")};
    for (const std::string& piece : result.pieces) result.text += piece;
    said_.results.push_back(std::move(result));
  }

  void add_images(const AskedBlock& block, bool by_assistant) {
    SaidTurn& turn = turn_of(by_assistant);
    turn.images.insert(turn.images.end(), block.images.begin(), block.images.end());
  }

  // Returns the last unanswered call with this id, otherwise the last answered one.
  std::optional<std::size_t> call_of(const std::optional<std::string>& id) const {
    std::optional<std::size_t> found;
    for (std::size_t i = 0; id && i < said_.calls.size(); ++i) {
      if (said_.calls[i].id != id) continue;
      found = i;
      const bool answered = std::any_of(said_.results.begin(), said_.results.end(),
                                        [i](const SaidResult& result) { return result.call == i; });
      if (!answered) break;
    }
    return found;
  }

  void allow_only(const std::vector<std::string>& names) {
    std::erase_if(said_.tools, [&names](const SaidTool& tool) {
      return std::count(names.begin(), names.end(), tool.name) == 0;
    });
  }

  void add(const OfferedTool& tool) {
    if (tool.kind == AskedTool::hosted) return;
    said_.tools.push_back({tool.name.value_or(""),
                           tool.kind == AskedTool::text,
                           tool.schema != nullptr ? *tool.schema : json(),
                           tool.description != nullptr ? *tool.description : json(""),
                           tool.strict,
                           {}});
    for (const AskedSetting& setting : tool.settings)
      said_.tools.back().settings[setting.name] = *setting.value;
  }

  Said said_;
  std::size_t message_ = 0;
  bool begins_ = false;  // no text of the current message was read yet
};

}  // namespace

bool is_blank(std::string_view text) { return text.find_first_not_of(kBlank) == text.npos; }

Said said_in(const AskedRequest& asked) { return Listener().listen(asked); }

std::string joined(const TextPieces& pieces) {
  std::string text;
  for (const std::string& piece : pieces) {
    if (!is_blank(piece)) text += (text.empty() ? "" : "\n") + piece;
  }
  return text;
}

std::size_t visible_bytes(const TextPieces& pieces) {
  std::size_t count = 0;
  for (const std::string& piece : pieces)
    count += static_cast<std::size_t>(
        std::count_if(piece.begin(), piece.end(), [](char c) { return kBlank.find(c) == kBlank.npos; }));
  return count;
}

namespace {

/// Walks over pieces, one character at a time.
class Walk {
 public:
  explicit Walk(const TextPieces& pieces) : pieces_(pieces) { settle(); }

  bool at_end() const { return piece_ == pieces_.size(); }
  char here() const { return pieces_[piece_][at_]; }
  bool at_joint() const { return at_ == 0; }
  void step() {
    ++at_;
    settle();
  }
  /// Kind of the skipped text.
  enum class Passed : std::uint8_t { nothing, blanks, apart };
  Passed skip_blanks() {
    Passed passed = Passed::nothing;
    while (!at_end() && kBlank.find(here()) != kBlank.npos) {
      if (passed != Passed::apart) passed = pieces_[piece_] == kApart ? Passed::apart : Passed::blanks;
      step();
    }
    return passed;
  }

 private:
  void settle() {
    while (piece_ < pieces_.size() && at_ == pieces_[piece_].size()) {
      ++piece_;
      at_ = 0;
    }
  }

  const TextPieces& pieces_;
  std::size_t piece_ = 0;
  std::size_t at_ = 0;
};

}  // namespace

bool meet(const TextPieces& a, const TextPieces& b) {
  Walk in_a(a);
  Walk in_b(b);
  while (true) {
    if (in_a.at_joint() || in_b.at_joint() || in_a.at_end() || in_b.at_end()) {
      using Passed = Walk::Passed;
      const bool a_is_open = in_a.at_joint() || in_a.at_end();
      const bool b_is_open = in_b.at_joint() || in_b.at_end();
      const Passed of_a = in_a.skip_blanks();
      const Passed of_b = in_b.skip_blanks();
      if (of_a == Passed::apart && of_b == Passed::nothing && !b_is_open) return false;
      if (of_b == Passed::apart && of_a == Passed::nothing && !a_is_open) return false;
    }
    if (in_a.at_end() || in_b.at_end()) return in_a.at_end() && in_b.at_end();
    if (in_a.here() != in_b.here()) return false;
    in_a.step();
    in_b.step();
  }
}

bool begin_alike(const TextPieces& a, const TextPieces& b) {
  if (a.empty() || b.empty() || is_blank(a.front()) || is_blank(b.front())) return true;
  const auto blanks = [](const std::string& text) { return text.substr(0, text.find_first_not_of(kBlank)); };
  return blanks(a.front()) == blanks(b.front());
}

bool end_alike(const TextPieces& a, const TextPieces& b) {
  if (a.empty() || b.empty() || is_blank(a.back()) || is_blank(b.back())) return true;
  const auto blanks = [](const std::string& text) { return text.substr(text.find_last_not_of(kBlank) + 1); };
  return blanks(a.back()) == blanks(b.back());
}

bool holds(const TextPieces& whole, const TextPieces& part, std::string& rest) {
  const std::string text = joined(whole);
  std::size_t at = 0;
  std::size_t apart = 0;  // bytes that must precede the next piece
  rest.clear();
  for (const std::string& piece : part) {
    const std::size_t begin = piece.find_first_not_of(kBlank);
    if (begin == piece.npos) {
      apart = 1;
      continue;
    }
    const std::string core = piece.substr(begin, piece.find_last_not_of(kBlank) + 1 - begin);
    const std::size_t found = text.find(core, at + std::exchange(apart, 0));
    if (found == text.npos) return false;
    rest += text.substr(at, found - at);
    at = found + core.size();
  }
  rest += text.substr(at);
  if (is_blank(rest)) rest.clear();
  return true;
}

}  // namespace splitproof::observe
