// `check` judges broken streams of Responses by the documented protocol, and under a client's profile by the client's
// reaction. Exceptions are listed here with the reason.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "harness/contract/profile.hpp"
#include "tests/contracts/built_in.hpp"
#include "tests/harness/observe/shared_streams.hpp"

namespace splitproof::contract::responses_streams_test {
namespace {

namespace fs = std::filesystem;

using Ids = std::set<std::string>;
using Reasons = std::map<std::string, std::string>;  // file without its ending, reason

constexpr const char* kProtocol = "openai.responses";

class BrokenResponses : public testing::Test {
 protected:
  void SetUp() override {
    const fs::path recordings = observe::shared_recordings();
    folder_ = recordings.parent_path() / "peers/violations/responses";
    if (recordings.empty() || !fs::exists(folder_ / "EXPECT.json")) GTEST_SKIP() << "../shared is absent";
  }

  nlohmann::json table(const char* name) const {
    return nlohmann::json::parse(observe::file_bytes(folder_ / name))["files"];
  }

  Ids musts(const std::string& file, const Profile& profile = default_profile()) const {
    Ids musts;
    const auto trace = trace_of(kProtocol, observe::file_bytes(folder_ / file));
    for (const std::string& id : ids_with(Verdict::violated, kProtocol, trace, profile)) {
      if (built_in_contracts().find(id)->level == Level::must) musts.insert(id);
    }
    return musts;
  }

  fs::path folder_;
};

std::string stem(const std::string& file) { return fs::path(file).stem().string(); }

TEST_F(BrokenResponses, AreToldFromGoodOnes) {
  const Reasons contested = {
      {"084_done_sentinel",
       "no document forbids a [DONE] behind the end, and every client reads on: RSP-23, should"},
      {"086_no_event_lines", "no document asks for event lines, and no client looks at them: RSP-22, should"},
      {"087_event_lines_message", "as 086"},
      {"088_event_line_differs", "as 086"},
      {"092_ping_event_numbered", "an unknown type is a should where types are allowed to be new: RSP-25"},
      {"132_sse_as_json_type", "its fault is in the head, which a body does not show: TRN-01 in `run`"},
  };
  const auto expected = table("EXPECT.json");
  EXPECT_EQ(expected.size(), 134U);
  for (const auto& [file, ids] : expected.items()) {
    const Ids violated = musts(file);
    const bool agrees =
        ids.empty() ? violated.empty() : std::any_of(ids.begin(), ids.end(), [&](const std::string& id) {
          return violated.contains(id);
        });
    EXPECT_EQ(agrees, !contested.contains(stem(file)))
        << file << ": expected " << ids << ", violated " << testing::PrintToString(violated);
  }
}

// Reasons for each stream that the profile and its client judge differently.
struct Agreement {
  const char* profile;
  const char* client;  ///< name in CLIENTS.json
  Reasons conforms;    ///< although the client misread it
  Reasons violates;    ///< although the client read it
};

const std::vector<Agreement>& agreements() {
  const std::string rightly = "the upstream said so, and the client tells it";
  const std::string request = "only the request tells";
  const std::string upstream = "only the upstream tells";
  const std::string bytes = "legal by the document of server-sent events";
  const std::string lost = "the client reads on, but something is lost, or doubled, that others read";
  static const std::vector<Agreement> kAgreements = {
      {"codex",
       "codex",
       {{"006_base_refusal", "a refusal is the model's to give"},
        {"008_base_incomplete", rightly},
        {"009_base_failed", rightly},
        {"080_failed_rate_limit", rightly},
        {"081_failed_context_length", rightly},
        {"053_custom_as_function_call", request},
        {"054_function_as_custom_call", request},
        {"114_encrypted_content_missing", request},
        {"073_cut_short_as_completed", upstream},
        {"112_summary_without_item",
         "it reads no summary but that of a done item: a reasoning that is not there"},
        {"125_cr_only", bytes},
        {"126_bom", bytes}},
       {{"082_error_then_completed", "an error was told: Codex ignores it, and nobody else does"}}},
      {"openai-sdk",
       "openai-sdk",
       {{"010_base_error_event", rightly},
        {"076_error_event_nested", rightly},
        {"077_error_event_flat_and_nested", rightly},
        {"053_custom_as_function_call", request},
        {"054_function_as_custom_call", request},
        {"073_cut_short_as_completed", upstream}},
       {{"023_item_id_wrong_in_args_delta",
         "the helper goes by output_index alone; the event names a wrong item"},
        {"024_item_id_wrong_in_text_delta", "as 023"},
        {"025_item_id_differs_in_done", "as 023"},
        {"026_item_id_missing", "as 023"},
        {"029_output_index_wrong_in_done", "the place is wrong until the last event sets it right"},
        {"074_incomplete_without_reason", lost},
        {"079_failed_without_error", lost},
        {"101_created_twice", lost},
        {"104_completed_twice", lost},
        {"105_response_id_changes", lost},
        {"108_usage_strings", "the counts are handed on as text"},
        {"111_usage_chat_names", "the counts are handed on under names that nobody asks for"},
        {"118_delta_number", lost},
        {"120_annotations_missing", lost},
        {"121_role_missing", lost}}},
      {"ai-sdk",
       "ai-sdk",
       {{"053_custom_as_function_call", request},
        {"054_function_as_custom_call", request},
        {"073_cut_short_as_completed", upstream},
        {"125_cr_only", bytes}},
       {{"016_name_empty_in_added", "the call is shown without its name until it is done"},
        {"023_item_id_wrong_in_args_delta", "the event names a wrong item"},
        {"028_call_item_added_missing", "the call is not shown until it is done"},
        {"050_args_in_added_and_deltas", lost},
        {"083_failed_then_completed", lost},
        {"104_completed_twice", lost},
        {"121_role_missing", lost}}}};
  return kAgreements;
}

TEST_F(BrokenResponses, AreJudgedByAClientsProfileAsThatClientDid) {
  const auto clients = table("CLIENTS.json");
  for (const Agreement& agreement : agreements()) {
    SCOPED_TRACE(agreement.profile);
    const auto profile = load_profile(agreement.profile, {contract_folder()});
    ASSERT_TRUE(profile);
    std::size_t agreed = 0;
    for (const auto& [file, of_clients] : clients.items()) {
      const bool broken = of_clients[agreement.client]["outcome"] != "accepts";
      const Ids violated = musts(file, *profile);
      EXPECT_EQ(violated.empty() && broken, agreement.conforms.contains(stem(file))) << file;
      EXPECT_EQ(!violated.empty() && !broken, agreement.violates.contains(stem(file)))
          << file << ": " << testing::PrintToString(violated);
      agreed += violated.empty() != broken ? 1 : 0;
    }
    RecordProperty(agreement.profile, static_cast<int>(agreed));
    EXPECT_EQ(agreed + agreement.conforms.size() + agreement.violates.size(), 134U);
  }
}

}  // namespace
}  // namespace splitproof::contract::responses_streams_test
