// Streams within one protocol: conforming ones pass unchanged for any cuts, and others get no worse.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <iostream>
#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "harness/contract/contracts.hpp"
#include "harness/contract/judge.hpp"
#include "harness/contract/profile.hpp"
#include "harness/observe/json_progress.hpp"
#include "harness/observe/trace.hpp"
#include "harness/observe/wire_json.hpp"
#include "harness/recording/corpus.hpp"
#include "proxy/translator.hpp"
#include "tests/harness/observe/shared_streams.hpp"
#include "tests/sanitized.hpp"

namespace splitproof::relay::streams_test {
namespace {

using turn::BodyEnd;

constexpr BodyEnd kEnds[] = {BodyEnd::complete, BodyEnd::closed, BodyEnd::reset, BodyEnd::stall};

struct Protocol {
  std::string_view name;
  const char* shared;           // its folder of real streams
  std::size_t conforming;       // at least this many of them
  std::size_t breaking;         // the others
  std::set<std::string> never;  // rules of order and frames that no upstream makes it violate
};

struct Stream {
  std::string name;
  std::string body;
  BodyEnd end = BodyEnd::complete;
};

template <class T>
T loaded(Result<T> result) {
  if (!result) throw std::runtime_error(describe(result.error()));
  return std::move(*result);
}

// Returns some offsets in increasing order.
std::vector<std::size_t> random_cuts(std::size_t size, std::mt19937& random) {
  std::vector<std::size_t> cuts(1 + random() % 12);
  for (std::size_t& cut : cuts) cut = random() % (size + 1);
  std::sort(cuts.begin(), cuts.end());
  return cuts;
}

class RelayedStreams : public testing::TestWithParam<Protocol> {
 protected:
  Translator relay(Form form) const {
    TranslatorOptions options;
    options.upstream = proxy::dialect::find_upstream(GetParam().name);
    options.client = proxy::dialect::find_client(GetParam().name);
    options.relay = form;
    EXPECT_TRUE(options.relays());
    return Translator(options);
  }

  std::string relayed(const Stream& stream, Form form, std::vector<std::size_t> cuts = {}) const {
    Translator translator = relay(form);
    std::string out;
    std::size_t from = 0;
    cuts.push_back(stream.body.size());
    for (const std::size_t cut : cuts) {
      const std::vector<char> exact(stream.body.begin() + static_cast<std::ptrdiff_t>(from),
                                    stream.body.begin() + static_cast<std::ptrdiff_t>(cut));
      translator.feed({exact.data(), exact.size()}, out);
      from = cut;
    }
    translator.finish(stream.end, out);
    return out;
  }

  // Returns the rules that a stream violates.
  std::set<std::string> violated(const std::string& stream,
                                 observe::MessageEnd end = observe::MessageEnd::complete) const {
    std::set<std::string> ids;
    observe::Trace trace = observe::read_trace(stream, contracts().data_kind(std::string(GetParam().name)));
    trace.message_end = end;
    for (const contract::Judged& judged :
         contract::judge(contracts(), std::string(GetParam().name), profile(), trace, {})) {
      if (judged.obligation->level == contract::Level::must && judged.verdict == contract::Verdict::violated)
        ids.insert(judged.obligation->id);
    }
    return ids;
  }

  std::vector<Stream> corpus() const {
    std::vector<Stream> streams;
    recording::Corpus corpus = recording::load_corpus({std::getenv("SPLITPROOF_CORPUS")});
    for (recording::Recording& one : corpus.recordings) {
      if (one.protocol == GetParam().name && one.status == 200)
        streams.push_back({one.id, std::move(one.body), static_cast<BodyEnd>(one.end)});
    }
    EXPECT_GE(streams.size(), 50U);
    return sampled(streams, 3);
  }

  std::vector<Stream> conforming(std::vector<Stream> streams) const {
    std::erase_if(streams, [&](const Stream& stream) {
      return stream.end != BodyEnd::complete || !violated(stream.body).empty();
    });
    std::cout << streams.size() << " streams conform\n";
    return streams;
  }

  void expect_as_it_came(const std::vector<Stream>& streams) const {
    std::mt19937 random(7);
    for (const Stream& stream : streams) {
      std::vector<std::size_t> each(stream.body.size());
      for (std::size_t i = 0; i < each.size(); ++i) each[i] = i;
      ASSERT_EQ(relayed(stream, Form::raw), stream.body) << stream.name;
      ASSERT_EQ(relayed(stream, Form::raw, each), stream.body) << stream.name;
      const std::string anew = relayed(stream, Form::encode);
      ASSERT_EQ(relayed(stream, Form::encode, each), anew) << stream.name;
      for (int i = 0; i < 8; ++i)
        ASSERT_EQ(relayed(stream, Form::raw, random_cuts(stream.body.size(), random)), stream.body)
            << stream.name;
      expect_same_events(anew, stream);
    }
  }

  // Keeps the form of numbers, repeated keys and the order of keys.
  static std::string told(const observe::Event& event) {
    const auto json = observe::parse_wire_json(event.data);
    if (json) return event.event.value_or("") + "\n" + observe::compact(*json);
    // such as "[DONE] "
    return event.event.value_or("") + "\n" + std::string(observe::trim_json(event.data));
  }

  static bool told_in_part(const observe::Event& event) {
    return !observe::parse_wire_json(event.data) && observe::trim_json(event.data) != "[DONE]";
  }

  static bool ends_answer(const observe::Event& event) {
    const auto json = observe::parse_wire_json(event.data);
    if (!json) return observe::trim_json(event.data) == "[DONE]";
    const std::string_view type = json->at("type").string();
    return type == "message_stop" || type == "response.completed" || !json->at("error").absent();
  }

  static void expect_same_events(const std::string& anew, const Stream& stream) {
    const observe::Trace wanted = observe::read_trace(stream.body, observe::DataKind::json);
    const observe::Trace got = observe::read_trace(anew, observe::DataKind::json);
    ASSERT_EQ(got.events.size(), wanted.events.size()) << stream.name;
    for (std::size_t i = 0; i < got.events.size(); ++i)
      ASSERT_EQ(told(got.events[i]), told(wanted.events[i])) << stream.name;
  }

  static const contract::Contracts& contracts() {
    static const auto contracts = loaded(contract::Contracts::load({std::getenv("SPLITPROOF_CONTRACTS")}));
    return contracts;
  }
  static const contract::Profile& profile() {
    static const auto profile =
        loaded(contract::load_profile("default", {std::getenv("SPLITPROOF_CONTRACTS")}));
    return profile;
  }
};

TEST_P(RelayedStreams, LeaveAsTheyCame) { expect_as_it_came(conforming(corpus())); }

TEST_P(RelayedStreams, OfProvidersLeaveAsTheyCame) {
  if (observe::shared_recordings().empty()) GTEST_SKIP() << "../shared is absent";
  std::vector<Stream> streams;
  for (const observe::SharedStream& stream : sampled(observe::shared_streams(GetParam().shared), 8))
    streams.push_back({stream.name, stream.body});
  streams = conforming(std::move(streams));
  EXPECT_GE(streams.size(), GetParam().conforming / (kSanitized ? 16 : 1));
  expect_as_it_came(streams);
}

// Events of a broken stream pass too, up to the end of its answer. At most a missing end is added.
TEST_P(RelayedStreams, OfProvidersThatBreakRulesLoseNoEventOfTheirAnswer) {
  if (observe::shared_recordings().empty()) GTEST_SKIP() << "../shared is absent";
  std::size_t broken = 0;
  for (const observe::SharedStream& shared : sampled(observe::shared_streams(GetParam().shared), 8)) {
    const Stream stream{shared.name, shared.body};
    if (violated(stream.body).empty()) continue;
    ++broken;
    auto wanted = observe::read_trace(stream.body, observe::DataKind::json).events;
    if (!wanted.back().terminated && told_in_part(wanted.back())) wanted.pop_back();
    for (const Form form : {Form::raw, Form::encode}) {
      const auto got = observe::read_trace(relayed(stream, form), observe::DataKind::json).events;
      std::size_t same = 0;
      while (same < std::min(got.size(), wanted.size()) && told(got[same]) == told(wanted[same])) ++same;
      const bool over = same > 0 && ends_answer(wanted[same - 1]);
      EXPECT_TRUE(same == wanted.size() || over) << stream.name << ", lost at event " << same;
      EXPECT_LE(got.size(), same + (over ? 0 : 1)) << stream.name << ", with more than was said";
    }
  }
  std::cout << broken << " streams break rules\n";
  if (!kSanitized) {
    EXPECT_EQ(broken, GetParam().breaking);
  }
}

// Output and state are the same for one and two pieces.
TEST_P(RelayedStreams, DependOnTheirBytesAlone) {
  const std::size_t step = kSanitized ? 97 : 7;
  std::size_t number = 0;
  for (const Stream& stream : corpus()) {
    const Form form = ++number % 2 == 0 ? Form::raw : Form::encode;
    Translator bytewise = relay(form);
    std::string bytewise_out;
    for (std::size_t i = 0; i < stream.body.size(); ++i) {
      bytewise.feed({&stream.body[i], 1}, bytewise_out);
      if (i % step != number % step && stream.body[i] != '\n' && stream.body[i] != '\r') continue;
      Translator whole = relay(form);
      std::string out;
      whole.feed(std::string_view(stream.body).substr(0, i + 1), out);
      ASSERT_EQ(out, bytewise_out) << stream.name << " up to byte " << i;
      ASSERT_EQ(whole, bytewise) << stream.name << " up to byte " << i;
    }
  }
}

// For a stream with a changed byte, a truncation, or both.
TEST_P(RelayedStreams, BreakNoRuleThatTheirUpstreamKeeps) {
  std::mt19937 random(11);
  std::size_t errors = 0;
  const std::vector<Stream> streams = corpus();
  for (int i = 0; i < (kSanitized ? 300 : 6000); ++i) {
    Stream stream = streams[random() % streams.size()];
    if (stream.body.empty()) continue;
    stream.end = kEnds[random() % 4];
    if (random() % 2 == 0) stream.body.resize(random() % stream.body.size() + 1);
    if (random() % 4 != 0) stream.body[random() % stream.body.size()] = static_cast<char>(random());
    const std::string out = relayed(stream, Form::raw, random_cuts(stream.body.size(), random));
    ASSERT_EQ(out, relayed(stream, Form::raw)) << stream.name;
    std::set<std::string> own = violated(stream.body);
    own.merge(violated(stream.body + "\n\n"));  // the relay accepts an event that lacks its blank line
    if (own.contains("SSE-06")) continue;       // other rules do not apply to such bytes
    own.insert("SSE-16");                       // a block without data, if the upstream sends nothing more
    // Some rules do not apply either if unreadable bytes follow the relayed part.
    const std::string left(
        out.begin(), std::mismatch(out.begin(), out.end(), stream.body.begin(), stream.body.end()).first);
    own.merge(violated(left + "\n\n", observe::MessageEnd::cut));
    own.merge(violated(left.substr(0, left.rfind("\n\n") + 1) + "\n", observe::MessageEnd::cut));
    for (const std::string& id : violated(out)) {
      EXPECT_TRUE(own.contains(id) && !GetParam().never.contains(id))
          << id << " in " << stream.name << "\n--- of\n"
          << stream.body << "\n--- is\n"
          << out;
    }
    errors += out.ends_with(stream.body) ? 0 : 1;
    if (HasFailure()) return;
  }
  EXPECT_GE(errors, kSanitized ? 50U : 1000U) << "that were not passed on whole";
}

INSTANTIATE_TEST_SUITE_P(
    Of, RelayedStreams,
    testing::Values(Protocol{"openai.chat", "openai-chat", 310, 265, {}},
                    Protocol{"anthropic.messages",
                             "anthropic-messages",
                             81,
                             5,
                             {"SSE-01", "ANT-03", "ANT-05", "ANT-06", "ANT-07", "ANT-08", "END-06"}},
                    Protocol{"openai.responses", "openai-responses", 102, 14, {"SSE-01", "RSP-12"}}),
    [](const auto& protocol) {
      std::string name(protocol.param.name);
      std::replace(name.begin(), name.end(), '.', '_');
      return name;
    });

}  // namespace
}  // namespace splitproof::relay::streams_test
