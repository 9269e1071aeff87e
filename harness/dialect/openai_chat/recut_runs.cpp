#include "harness/dialect/openai_chat/recut_runs.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "harness/split/utf16.hpp"

namespace splitproof::dialect {
namespace {

using Json = nlohmann::ordered_json;

class RunFinder {
 public:
  RunFinder(const ChatBody& body, const RechunkedCalls& calls)
      : body_(body), calls_(calls), arguments_(calls.calls.size()) {}

  std::vector<ChatRun> find() {
    for (std::size_t i = 0; i < body_.frames.size() && i <= body_.finish; ++i) {
      const ChatFrame& frame = body_.frames[i];
      if (frame.is_transparent()) continue;
      if (!frame.is_chunk() || frame.said.voice == ChatVoice::several) {
        open_ = false;
      } else if (frame.said.voice == ChatVoice::call) {
        read_call(i);
      } else if (frame.said.voice != ChatVoice::none) {
        read_prose(i);
      }
      if (frame.said.finish || frame.said.any_usage()) open_ = false;
    }
    std::erase_if(runs_, [this](const ChatRun& run) { return run.call && repeated_.contains(*run.call); });
    return std::move(runs_);
  }

 private:
  void open(ChatVoice voice, std::optional<std::size_t> call) {
    if (open_ && runs_.back().voice == voice && runs_.back().call == call) return;
    ChatRun& run = runs_.emplace_back();
    run.voice = voice;
    run.call = call;
    run.json = call.has_value();
    if (call) run.before = arguments_[*call];
    open_ = true;
  }

  void add(std::size_t frame) {
    const std::u16string text = split::wide(body_.frames[frame].said.text);
    if (text.empty()) return;
    runs_.back().events.push_back(frame);
    runs_.back().text += text;
    if (!runs_.back().call) return;
    std::u16string& arguments = arguments_[*runs_.back().call];
    if (text == arguments && text.starts_with(u'{') && Json::accept(body_.frames[frame].said.text))
      repeated_.insert(*runs_.back().call);
    arguments += text;
  }

  void read_prose(std::size_t frame) {
    open(body_.frames[frame].said.voice, std::nullopt);
    add(frame);
  }

  void read_call(std::size_t frame) {
    const auto call = calls_.of_frame[frame];
    if (!call) {
      open_ = false;
      return;
    }
    const bool starts = calls_.calls[*call].first == frame;
    // A new id or name must not change places with arguments.
    if (!starts && brings_news(frame, *call)) open_ = false;
    known_[*call].merge(body_.frames[frame].said.calls[0]);
    open(ChatVoice::call, call);
    if (starts) runs_.back().starts_call = true;
    add(frame);
  }

  bool brings_news(std::size_t frame, std::size_t call) {
    const ChatCallPiece& piece = body_.frames[frame].said.calls[0];
    return (!piece.id.empty() && !known_[call].id) || (!piece.name.empty() && !known_[call].name);
  }

  struct Known {
    bool id = false;
    bool name = false;
    void merge(const ChatCallPiece& piece) {
      id = id || !piece.id.empty();
      name = name || !piece.name.empty();
    }
  };

  const ChatBody& body_;
  const RechunkedCalls& calls_;
  std::vector<ChatRun> runs_;
  bool open_ = false;                      ///< The last run may continue.
  std::vector<std::u16string> arguments_;  ///< By call, so far.
  std::set<std::size_t> repeated_;         ///< Calls with arguments that come whole again.
  std::vector<Known> known_{calls_.calls.size()};
};

}  // namespace

std::vector<ChatRun> find_runs(const ChatBody& body, const RechunkedCalls& calls) {
  return RunFinder(body, calls).find();
}

Json with_arguments(const Json& chunk, const std::string& arguments) {
  Json element = chunk["choices"][0]["delta"]["tool_calls"][0];
  element["function"]["arguments"] = arguments;
  return element;
}

Json continuation(const RechunkedCall& call, const std::string& arguments) {
  Json element = Json::object();
  if (call.index) {
    element["index"] = *call.index;
  } else {
    element["id"] = call.id;
  }
  element["function"]["arguments"] = arguments;
  return element;
}

}  // namespace splitproof::dialect
