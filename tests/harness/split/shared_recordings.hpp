#pragma once

#include <string>
#include <vector>

namespace splitproof::split {

/// One recorded body, by file name.
struct SharedBody {
  std::string name;
  std::string body;
};

/// The Chat Completions streams under `recordings/openai-chat` of the folder that SPLITPROOF_SHARED names,
/// else of
/// `../shared` beside the source root; by name. Empty where there are none.
const std::vector<SharedBody>& shared_chat_bodies();

}  // namespace splitproof::split

/// Skips a test for want of shared recordings.
#define SKIP_WITHOUT_SHARED_RECORDINGS()                                                    \
  if (shared_chat_bodies().empty()) {                                                       \
    GTEST_SKIP() << "../shared is absent" \
                    "recordings/openai-chat";                                               \
  }                                                                                         \
  static_assert(true)
