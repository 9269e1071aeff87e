// Rules for a testee whose clients use its upstream's protocol.

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "harness/testee/in_process.hpp"
#include "project.hpp"

namespace splitproof::campaign::relay_test {

using results::RecordingResult;
using results::Row;
namespace {

using contract::Verdict;

constexpr const char* kResponses = "openai.responses";

// Relays its input.
class Passed final : public testee::TranslatorStream {
 public:
  void feed(std::string_view chunk, std::string& out) override { out += chunk; }
  void finish(recording::End, std::string&) override {}
};

// Relays everything at the end, with one item under another id in its later events, and then fails.
class Renaming final : public testee::TranslatorStream {
 public:
  void feed(std::string_view chunk, std::string&) override { body_ += chunk; }
  void finish(recording::End, std::string& out) override {
    body_.replace(body_.rfind("\"item_id\":\"fc_"), 14, "\"item_id\":\"nc_");
    out += body_ + "event: error\ndata: {\"type\":\"error\",\"message\":\"cut off\"}\n\n";
  }

 private:
  std::string body_;
};

// Returns the rows, by obligation, for the cases of a recording that a pattern selects.
std::map<std::string, Row> rows(const testee::StreamFactory& relay, const std::string& recording,
                                const std::string& only) {
  const testee::InProcess testee("relay", relay, kResponses, kResponses);
  CampaignSettings settings = project().settings(testee);
  settings.recordings.clear();
  for (const recording::Recording& one : project().of_all_upstreams)
    if (one.id == recording) settings.recordings.push_back(&one);
  settings.trials.recuts = 0;
  settings.trials.faults = true;
  settings.only = only;
  std::map<std::string, Row> rows;
  for (const RecordingResult& result : run_quietly(settings))
    for (const Row& row : result.rows) rows[row.rule] = row;
  return rows;
}

// A call without `output_item.done` does not exist for clients that read no other event.
TEST(Relay, IsNotHeldToAMessageThatItsUpstreamDoesNotSend) {
  const auto same_meaning = [](const std::string& recut) {
    return rows([] { return std::make_unique<Passed>(); }, "openai.responses/custom-and-function",
                "*&recut=" + recut + "&gen=whole")
        .at("META-04");
  };
  EXPECT_EQ(same_meaning("items:whole").verdict, Verdict::met);
  const Row row = same_meaning("items:never-done");
  EXPECT_EQ(row.verdict, Verdict::not_judged);
  EXPECT_EQ(row.reason, "a client of the upstream's protocol also assembles a different message");
}

// The upstream names an item that was never added, and before that leaves one open. The relay's error excuses the
// latter.
TEST(Relay, IsNotBlamedForEventsThatItPassedOnBeforeItFails) {
  const std::string recording = "openai.responses/end-without-completed-call";
  const auto reference = testee::reference_streams(project().profile, kResponses, kResponses).value();
  const auto passed = rows(reference, recording, "*&fault=flip@111[0-9]*");
  EXPECT_EQ(passed.at("RSP-04").verdict, Verdict::passed_on);
  for (const auto& [id, row] : passed) EXPECT_NE(row.verdict, Verdict::violated) << id;

  const auto renamed = rows([] { return std::make_unique<Renaming>(); }, recording, "*&gen=whole");
  EXPECT_EQ(renamed.at("RSP-04").verdict, Verdict::violated);
}

}  // namespace
}  // namespace splitproof::campaign::relay_test
