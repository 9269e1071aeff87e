#pragma once

#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "harness/recording/corpus.hpp"
#include "proxy/translator.hpp"

namespace splitproof::server {

/// Returns the Chat Completions recordings of the project's corpus.
inline std::vector<recording::Recording> corpus() {
  const char* folder = std::getenv("SPLITPROOF_CORPUS");
  recording::Corpus corpus = recording::load_corpus({folder == nullptr ? "corpus" : folder});
  std::vector<recording::Recording> chat;
  for (recording::Recording& recording : corpus.recordings) {
    if (recording.protocol == "openai.chat") chat.push_back(std::move(recording));
  }
  return chat;
}

inline turn::BodyEnd body_end(recording::End end) {
  return end == recording::End::closed  ? turn::BodyEnd::closed
         : end == recording::End::reset ? turn::BodyEnd::reset
         : end == recording::End::stall ? turn::BodyEnd::stall
                                        : turn::BodyEnd::complete;
}

/// Returns the translator's output for a recording in this process, with seed 1.
inline std::string translated_here(const recording::Recording& recording, recording::End end) {
  Translator translator{TranslatorOptions{}};
  std::string out;
  translator.feed(recording.body, out);
  translator.finish(body_end(end), out);
  return out;
}

}  // namespace splitproof::server
