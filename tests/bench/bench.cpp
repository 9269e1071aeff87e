// `make bench`: costs as ratios within one run, because machines are shared and noisy. The floor is a copy of the same
// bytes. Parsing every event's JSON is the cost of any reader.
//
// usage: bench CORPUS CONTRACTS

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <functional>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "harness/campaign/campaign.hpp"
#include "harness/contract/contracts.hpp"
#include "harness/observe/sse_reader.hpp"
#include "harness/observe/trace.hpp"
#include "harness/recording/corpus.hpp"
#include "harness/testee/in_process.hpp"
#include "proxy/translator.hpp"
#include "proxy/wire/sse_reader.hpp"

using namespace splitproof;

namespace {

constexpr int kRounds = 7;
constexpr std::size_t kMegabyte = 1 << 20;

// Returns the seconds of the fastest round of each, which other load disturbed least. They take turns, so that a
// disturbance affects all.
std::vector<double> fastest_of(const std::vector<std::function<void()>>& works, int rounds) {
  std::vector<double> best(works.size(), 1e9);
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t i = 0; i < works.size(); ++i) {
      const auto begin = std::chrono::steady_clock::now();
      works[i]();
      const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
      best[i] = std::min(best[i], took.count());
    }
  }
  return best;
}

double fastest(const std::function<void()>& work) { return fastest_of({work}, kRounds).front(); }

// Returns a Chat Completions stream of about `size` bytes: text in small pieces, as models send it.
std::string stream_of(std::size_t size) {
  const std::string piece =
      "data: {\"id\":\"chatcmpl-bench01\",\"object\":\"chat.completion.chunk\",\"created\":1760000000,\"model\":\"fable-large\","
      "\"system_fingerprint\":\"fp_0\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"The tide \\u201cturns\\u201d, \\n"
      "quietly\"},\"logprobs\":null,\"finish_reason\":null}]}\n\n";
  std::string body;
  while (body.size() + piece.size() < size) body += piece;
  return body +
         "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n";
}

std::string translate(std::string_view body, std::size_t step, const TranslatorOptions& options = {}) {
  Translator translator{options};
  std::string out;
  for (std::size_t at = 0; at < body.size(); at += step) translator.feed(body.substr(at, step), out);
  translator.finish(turn::BodyEnd::complete, out);
  return out;
}

template <class T>
T loaded(Result<T> result) {
  if (result) return std::move(*result);
  std::cerr << describe(result.error()) << "\n";
  std::exit(2);
}

void throughput() {
  const std::string body = stream_of(4 * kMegabyte);
  std::vector<wire::Frame> frames;
  wire::SseReader(kMegabyte).feed(body, frames);
  std::string copy(body.size(), '\0');

  const double floor = fastest([&] {
    std::memcpy(copy.data(), body.data(), body.size());
    benchmark::DoNotOptimize(copy.data());
  });
  const double parse = fastest([&] {
    for (const wire::Frame& frame : frames)
      benchmark::DoNotOptimize(nlohmann::json::parse(frame.data, nullptr, false));
  });
  fmt::print("{:<46} {:>9} {:>12} {:>14}\n", "4 MB of Chat Completions", "MB/s", "x memcpy", "x parse alone");
  const auto row = [&](const char* what, double seconds) {
    const double megabytes = static_cast<double>(body.size()) / static_cast<double>(kMegabyte);
    fmt::print("{:<46} {:>9.1f} {:>12.1f} {:>14.2f}\n", what, megabytes / seconds, seconds / floor,
               seconds / parse);
  };
  row("memcpy", floor);
  row("nlohmann parse of every event, alone", parse);
  row("proxy SSE reader, whole", fastest([&] {
        std::vector<wire::Frame> read;
        wire::SseReader(kMegabyte).feed(body, read);
      }));
  row("strict SSE reader, whole", fastest([&] {
        observe::SseReader reader;
        reader.feed(body);
        reader.finish();
      }));
  row("strict reader and JSON (a trace)",
      fastest([&] { benchmark::DoNotOptimize(observe::read_trace(body, observe::DataKind::json)); }));
  row("translator, whole", fastest([&] { benchmark::DoNotOptimize(translate(body, body.size())); }));
  TranslatorOptions rescue;
  rescue.leaked_markup = text::LeakedMarkup::rescue;
  rescue.functions = {{"read_tide", "{}"}};
  TranslatorOptions all = rescue;
  all.cleaning.marker = text::Marker::structural;
  all.cleaning.identity = text::OwnIdentity::rewrite;
  all.cleaning.model = "claude-bench";
  all.cleaning.upstream_blocks = text::UpstreamBlocks::strip;
  all.cleaning.stop_sequences = text::StopRule::cut;
  all.cleaning.stops = {"\n\nHuman:", "END"};
  const auto in_segments = [&body](const TranslatorOptions& options) {
    return [&body, &options] { benchmark::DoNotOptimize(translate(body, 1460, options)); };
  };
  const TranslatorOptions none;
  const std::vector<double> seconds =
      fastest_of({in_segments(none), in_segments(rescue), in_segments(all)}, 3 * kRounds);
  row("translator, 1460 bytes at a time", seconds[0]);
  row("translator that looks for calls, 1460 bytes", seconds[1]);
  row("translator with all filters, 1460 bytes", seconds[2]);
  row("translator, byte by byte", fastest([&] { benchmark::DoNotOptimize(translate(body, 1)); }));
  fmt::print("\nall filters cost {:.2f} times the translator without (at most 1.3 is wanted)\n",
             seconds[2] / seconds[0]);
}

void linearity() {
  const auto per_byte = [](std::size_t size) {
    const std::string body = stream_of(size);
    return fastest([&] { benchmark::DoNotOptimize(translate(body, 1)); }) / static_cast<double>(body.size());
  };
  const double one = per_byte(kMegabyte);
  const double ten = per_byte(10 * kMegabyte);
  fmt::print(
      "\nbyte by byte: {:.1f} ns a byte of 1 MB, {:.1f} of 10 MB: {:.2f} times (at most 3 is promised)\n",
      one * 1e9, ten * 1e9, ten / one);
}

void campaigns(const char* corpus_folder, const char* contract_folder) {
  const recording::Corpus corpus = recording::load_corpus({corpus_folder});
  const auto contracts = loaded(contract::Contracts::load({contract_folder}));
  campaign::CampaignSettings settings;
  settings.profile = loaded(contract::load_profile("default", {contract_folder}));
  const testee::InProcess reference("reference", loaded(testee::reference_streams(settings.profile)));
  settings.testees = {&reference};
  for (const recording::Recording& recording : corpus.recordings) settings.recordings.push_back(&recording);
  settings.contracts = &contracts;
  settings.trials.splits = {64, false, 1};
  for (const unsigned jobs : {1U, std::thread::hardware_concurrency()}) {
    settings.jobs = jobs;
    std::size_t cases = 0;
    const double seconds = fastest([&] {
      cases = 0;
      for (const auto& result : campaign::run(
                                    settings, [](const campaign::CampaignProgress&) {}, [] { return false; })
                                    .recordings) {
        cases += result.cases;
      }
    });
    fmt::print("campaign over the corpus, {} thread{}: {:.0f} cases a second ({} cases)\n", jobs,
               jobs == 1 ? "" : "s", static_cast<double>(cases) / seconds, cases);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: bench CORPUS CONTRACTS\n";
    return 2;
  }
  throughput();
  linearity();
  std::cout << std::flush;
  campaigns(argv[1], argv[2]);
}
