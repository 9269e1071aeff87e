#include "harness/dialect/openai_chat/chat_rechunker.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "harness/dialect/openai_chat/call_layouts.hpp"
#include "harness/dialect/openai_chat/delta_layouts.hpp"
#include "harness/dialect/openai_chat/recut_body.hpp"
#include "harness/dialect/openai_chat/recut_calls.hpp"
#include "harness/dialect/openai_chat/recut_runs.hpp"

namespace splitproof::dialect {
namespace {

using Json = nlohmann::ordered_json;

class ChatParts final : public split::Parts {
 public:
  explicit ChatParts(std::string_view body)
      : body_(read_chat_body(body)), calls_(find_calls(body_)), chat_runs_(find_runs(body_, calls_)) {
    for (const ChatFrame& frame : body_.frames) events_.push_back(frame.bytes);
    runs_.assign(chat_runs_.begin(), chat_runs_.end());
  }

  void say(std::size_t run, std::size_t event, std::span<const std::string> pieces,
           split::Recut& recut) const override {
    const ChatFrame& frame = body_.frames[event];
    const auto append = [&](const Json& chunk, bool alone) {
      recut.append(alone && chunk == *frame.chunk ? std::string(frame.bytes) : frame.with(chunk));
    };
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      const bool first = i == 0;
      const bool last = i + 1 == pieces.size();
      append(dealt(*frame.chunk, delta(chat_runs_[run], *frame.chunk, pieces[i], first), first, last),
             first && last);
    }
    if (!pieces.empty()) return;
    for (const Json& chunk : kept(body_, event, emptied(*frame.chunk))) append(chunk, true);
  }

  split::Recut deal_by(std::string_view label) const override {
    for (const CallLayout& deal : all_call_deals()) {
      if (label == label_of(deal)) return rewrite(body_, deal_calls(body_, calls_, chat_runs_, deal));
    }
    for (std::size_t i = 0; i < kDeltaLayouts; ++i) {
      const auto packing = static_cast<DeltaLayout>(i);
      if (label == label_of(packing)) return rewrite(body_, pack(body_, calls_, chat_runs_, packing));
    }
    return split::Parts::deal_by(label);
  }

  /// Returns the first run of a voice.
  std::optional<std::size_t> first_of(ChatVoice voice) const {
    const auto found = std::find_if(chat_runs_.begin(), chat_runs_.end(),
                                    [&](const ChatRun& run) { return run.voice == voice; });
    if (found == chat_runs_.end()) return std::nullopt;
    return static_cast<std::size_t>(found - chat_runs_.begin());
  }

  bool ends_well() const { return body_.done < body_.frames.size() && body_.finishes(); }

 private:
  Json delta(const ChatRun& run, const Json& chunk, const std::string& piece, bool first) const {
    if (run.voice != ChatVoice::call) return saying(run.voice, piece);
    return calling({first ? with_arguments(chunk, piece) : continuation(calls_.calls[*run.call], piece)});
  }

  ChatBody body_;
  RechunkedCalls calls_;
  std::vector<ChatRun> chat_runs_;
};

class ChatDealer final : public split::Rechunker {
 public:
  std::unique_ptr<split::Parts> take_apart(std::string_view body) const override {
    return std::make_unique<ChatParts>(body);
  }

  std::vector<std::string> labels() const override {
    std::vector<std::string> labels;
    for (const CallLayout& deal : all_call_deals()) labels.push_back(label_of(deal));
    for (std::size_t i = 0; i < kDeltaLayouts; ++i)
      labels.emplace_back(label_of(static_cast<DeltaLayout>(i)));
    return labels;
  }
};

}  // namespace

const split::Rechunker& chat_dealer() {
  static const ChatDealer kDealer;
  return kDealer;
}

std::optional<CanaryStream> chat_canary(std::string_view body, std::size_t number) {
  const ChatParts parts(body);
  const auto run = parts.first_of(ChatVoice::content);
  return run && parts.ends_well() ? make_canary(parts, *run, number) : std::nullopt;
}

}  // namespace splitproof::dialect
