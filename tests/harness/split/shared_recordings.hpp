#pragma once

#include <string>
#include <vector>

namespace splitproof::split {

/// One recorded body and its file name.
struct SharedBody {
  std::string name;
  std::string body;
};

/// Returns the Chat Completions streams by file name, possibly none. They are under `recordings/openai-chat` of the
/// folder SPLITPROOF_SHARED, or of `../shared` next to the source root.
const std::vector<SharedBody>& shared_chat_bodies();

}  // namespace splitproof::split

/// Skips a test without shared recordings.
#define SKIP_WITHOUT_SHARED_RECORDINGS()                                   \
  if (shared_chat_bodies().empty()) GTEST_SKIP() << "../shared is absent"; \
  static_assert(true)
