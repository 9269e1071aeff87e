#include "harness/campaign/growth.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "harness/dialect/registry.hpp"
#include "harness/observe/event_stream.hpp"
#include "harness/observe/trace.hpp"
#include "harness/split/recut.hpp"
#include "harness/split/split.hpp"
#include "harness/testee/processor_time.hpp"

namespace splitproof::campaign {
namespace {

using dialect::Many;
using nlohmann::json;
using std::chrono::steady_clock;

constexpr double kLeastCost = 0.05;  // seconds: five ticks of processor time
constexpr double kLeastFactor = 3;   // for each doubling, on average: 2 is linear, 4 is quadratic
constexpr double kLeastStep = 2.25;  // for each single doubling: other load changes a cost by half
constexpr double kEnoughCost = kLeastCost * kLeastFactor * kLeastFactor;
constexpr double kMostCost = 4;                        // of one dimension, all sizes together
constexpr double kWholeCost = 20;                      // of all dimensions
constexpr auto kMostTime = std::chrono::seconds(120);  // clock time: a busy machine is slow at low cost
constexpr std::size_t kPiece = 1024;                   // bytes of a long line that arrive together

/// A client's request and the upstream's answer.
struct Probe {
  json request;
  std::string body;
  split::Cuts cuts;
};

/// A size that can grow.
struct Dimension {
  std::string of;
  std::size_t first = 0;
  std::size_t most = 0;
  std::function<Probe(std::size_t count)> make;  ///< Empty body or null request: no such probe.
};

std::string joined(const std::vector<std::string>& pieces) {
  std::string text;
  for (const std::string& piece : pieces) text += piece;
  return text;
}

// Returns the tiny answer of a dialect with another text.
std::string answer_with_text(const dialect::UpstreamDialect& upstream, const std::string& said) {
  std::string body = joined(upstream.tiny_answer());
  for (std::size_t at = 0; (at = body.find(dialect::kTinyText, at)) != body.npos; at += said.size())
    body.replace(at, dialect::kTinyText.size(), said);
  return body;
}

json messages(const json& request, const dialect::Client& client, std::size_t count) {
  const dialect::MessageForm form = client.message_form();
  json more = request;
  json& list = more[std::string(form.list)];
  for (std::size_t i = 0; i + 1 < count; i += 2) {
    list.push_back(dialect::text_message(form, form.model_role, {"The tide turns at noon."}));
    list.push_back(dialect::text_message(form, "user", {"And after that?"}));
  }
  return more;
}

json parts(const json& request, const dialect::Client& client, std::size_t count) {
  const dialect::MessageForm form = client.message_form();
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < count; ++i) texts.push_back("Part " + std::to_string(i));
  json more = request;
  more[std::string(form.list)] = json::array({dialect::text_message(form, "user", texts)});
  return more;
}

json tools(const dialect::Client& client, std::size_t count) {
  dialect::Wants wants;
  for (std::size_t i = 0; i < count; ++i) wants.tools.push_back({"tool_" + std::to_string(i)});
  return client.request(wants);
}

json nested_schema(const dialect::Client& client, std::size_t levels) {
  std::string schema;
  for (std::size_t i = 0; i < levels; ++i) schema += R"({"type":"object","properties":{"a":)";
  schema += R"({"type":"string"})";
  for (std::size_t i = 0; i < levels; ++i) schema += "}}";
  return client.request({{{std::string(dialect::kManyTool), "", schema}}});
}

json stop_sequences(const json& request, const dialect::Client& client, std::size_t count) {
  std::string path = "/" + std::string(client.stop_member());
  if (path.size() == 1) return nullptr;
  std::replace(path.begin(), path.end(), '.', '/');
  json more = request;
  json& list = more[json::json_pointer(path)] = json::array();
  for (std::size_t i = 0; i < count; ++i) list.push_back("stop " + std::to_string(i));
  return more;
}

// Returns a request whose history has this many calls, a few in each turn, with a result for each.
json history(const json& request, const std::string& protocol, std::size_t calls) {
  constexpr std::size_t kOfTurn = 256;
  const dialect::UpstreamDialect* own = dialect::upstream_of(protocol);
  json more = request;
  for (std::size_t first = 0; first < calls && own != nullptr && !more.is_null(); first += kOfTurn) {
    const std::string told = own->stream_of_many(Many::calls, std::min(calls - first, kOfTurn), first);
    const observe::Trace trace = observe::read_trace(told, observe::DataKind::json);
    observe::TraceStream stream(trace);
    more = dialect::client_of(protocol)->next_request(more, stream, false);
  }
  return own == nullptr ? json() : more;
}

std::vector<Dimension> dimensions_of(const std::string& protocol, const dialect::Client& client,
                                     const dialect::UpstreamDialect& upstream) {
  const json plain = client.request({});
  const json with_tool = client.request({{{std::string(dialect::kManyTool)}}});
  const std::string tiny = joined(upstream.tiny_answer());
  std::vector<Dimension> dimensions;
  const auto add_request = [&](const char* of, std::size_t first, std::size_t most,
                               std::function<json(std::size_t)> make) {
    dimensions.push_back({of, first, most, [=](std::size_t count) { return Probe{make(count), tiny, {}}; }});
  };
  const auto add_stream = [&](const char* of, std::size_t most, std::function<Probe(std::size_t)> make) {
    dimensions.push_back({of, 32, most, std::move(make)});
  };
  add_request("tools", 32, 8192, [&](std::size_t n) { return tools(client, n); });
  add_request("messages", 32, 8192, [&client, plain](std::size_t n) { return messages(plain, client, n); });
  add_request("calls in the history", 32, 4096,
              [protocol, with_tool](std::size_t n) { return history(with_tool, protocol, n); });
  add_request("parts of a message", 32, 8192,
              [&client, plain](std::size_t n) { return parts(plain, client, n); });
  add_request("stop sequences", 32, 8192,
              [&client, plain](std::size_t n) { return stop_sequences(plain, client, n); });
  add_request("levels of a schema", 8, 512, [&](std::size_t n) { return nested_schema(client, n); });
  // These need text that can grow in place, which frames with lengths do not allow.
  if (upstream.format().framing != Framing::aws_frames) {
    add_stream("events of a stream", split::kMaxCuts, [&upstream, plain](std::size_t n) {
      const std::string body = answer_with_text(upstream, std::string(n, 'a'));
      if (upstream.dealer() == nullptr) return Probe{};
      auto recut = split::recut(*upstream.dealer(), body, "char");
      return recut ? Probe{plain, std::move(recut->body), {}} : Probe{};
    });
    add_stream("kilobytes of one line", 4096, [&upstream, plain](std::size_t n) {
      Probe probe{plain, answer_with_text(upstream, std::string(n * kPiece, 'a')), {}};
      for (std::size_t cut = kPiece; cut < probe.body.size(); cut += kPiece) probe.cuts.push_back(cut);
      return probe;
    });
  }
  for (const auto& [many, of] :
       {std::pair(Many::calls, "calls of a stream"), std::pair(Many::blocks, "blocks of a stream"),
        std::pair(Many::choices, "answers side by side in a stream")}) {
    add_stream(of, 8192, [&upstream, with_tool, many = many](std::size_t n) {
      return Probe{with_tool, upstream.stream_of_many(many, n, 0), {}};
    });
  }
  return dimensions;
}

/// Sends probes to a target.
class Prober {
 public:
  Prober(const std::string& client, const std::string& upstream, const ProbeCost& cost_of,
         const std::function<bool()>& stop)
      : client_(client), cost_of_(cost_of), stop_(stop) {
    recording_.protocol = upstream;
    recording_.headers = {{"content-type", std::string(dialect::upstream_of(upstream)->content_type())}};
  }

  /// Returns seconds, or nullopt if the target did not answer or must not be used.
  std::optional<double> cost_of(const Probe& probe) {
    if (probe.body.empty() || probe.request.is_null() || stop_()) return std::nullopt;
    recording_.body = probe.body;
    recording_.requests = std::make_shared<const json>(json{{client_, probe.request}});
    testee::Exchange exchange;
    exchange.chunks = split::chunks(recording_.body, probe.cuts);
    exchange.recording = &recording_;
    const Cost cost = cost_of_(exchange);
    is_lost_ = cost.is_lost;
    spent_ += cost.seconds.value_or(0);
    return cost.seconds;
  }

  /// Total cost of all probes, in seconds.
  double spent() const { return spent_; }

  /// True if the last probe ended the target or left it silent.
  bool is_lost() const { return is_lost_; }

 private:
  const std::string client_;
  const ProbeCost& cost_of_;
  const std::function<bool()>& stop_;
  recording::Recording recording_;
  bool is_lost_ = false;
  double spent_ = 0;
};

bool is_square(const std::array<double, 3>& seconds) {
  return seconds[0] >= kLeastCost && seconds[2] >= kLeastFactor * kLeastFactor * seconds[0] &&
         seconds[1] >= kLeastStep * seconds[0] && seconds[2] >= kLeastStep * seconds[1];
}

/// Doubles one dimension until its cost is measurable, and notes the result.
void look_at(const Dimension& dimension, Prober& prober, Growth& growth) {
  const Probe smallest = dimension.make(dimension.first);
  if (smallest.body.empty() || smallest.request.is_null()) return;
  if (!prober.cost_of(smallest)) {  // also warms up
    growth.tried.push_back({dimension.of});
    return;
  }
  const double base = std::min(prober.cost_of(smallest).value_or(0), prober.cost_of(smallest).value_or(0));
  SquareCost found{dimension.of, {0, 0, dimension.first}, {}};
  double spent = 0;
  for (std::size_t count = 2 * dimension.first; count <= dimension.most && spent < kMostCost; count *= 2) {
    const auto cost = prober.cost_of(dimension.make(count));
    if (!cost) break;
    spent += *cost;
    found.sizes = {found.sizes[1], found.sizes[2], count};
    found.seconds = {found.seconds[1], found.seconds[2], std::max(*cost - base, 0.0)};
    if (found.seconds[0] >= kLeastCost && found.seconds[2] >= kEnoughCost) break;
  }
  growth.tried.push_back({dimension.of, found.sizes[2], found.seconds[2]});
  // Other load only adds to a cost, so the minimum is the best estimate.
  constexpr std::array<int, 3> kAgain = {2, 2, 1};
  for (std::size_t i = 0; i < kAgain.size() && is_square(found.seconds); ++i) {
    const Probe probe = dimension.make(found.sizes[i]);
    for (int again = 0; again < kAgain[i]; ++again)
      found.seconds[i] =
          std::min(found.seconds[i], std::max(prober.cost_of(probe).value_or(base) - base, 0.0));
  }
  if (is_square(found.seconds)) growth.square.push_back(found);
}

}  // namespace

Growth growth_of(const std::string& client, const std::string& upstream, const ProbeCost& cost_of,
                 const std::function<bool()>& stop) {
  Growth growth;
  const dialect::Client* asking = dialect::client_of(client);
  const dialect::UpstreamDialect* answering = dialect::upstream_of(upstream);
  if (asking == nullptr || answering == nullptr) {
    growth.ended = "splitproof cannot make requests or streams of its protocols";
    return growth;
  }
  Prober prober(client, upstream, cost_of, stop);
  const steady_clock::time_point began = steady_clock::now();
  for (const Dimension& dimension : dimensions_of(client, *asking, *answering)) {
    if (stop()) growth.ended = "the run ended";
    if (prober.spent() >= kWholeCost || steady_clock::now() - began >= kMostTime)
      growth.ended = "it took too long";
    if (!growth.ended.empty()) break;
    look_at(dimension, prober, growth);
    if (prober.is_lost()) growth.ended = "it crashed or hung when splitproof sent more " + dimension.of;
  }
  return growth;
}

Growth growth_of(const testee::Testee& testee, const std::function<bool()>& stop) {
  const bool of_processor = testee.traits().is_started_here;
  const auto now = [of_processor] {
    using Seconds = std::chrono::duration<double>;
    return of_processor ? Seconds(testee::processor_time_below(getpid())).count()
                        : Seconds(steady_clock::now().time_since_epoch()).count();
  };
  const auto cost_of = [&](const testee::Exchange& exchange) {
    using testee::Ending;
    const double before = now();
    const testee::Observation seen = testee.observe(exchange);
    Cost cost{now() - before, seen.ending == Ending::hung || seen.ending == Ending::crashed ||
                                  seen.ending == Ending::unavailable};
    const bool answered =
        seen.ending == Ending::complete && seen.http && seen.http->status / 100 == 2 && !seen.calls.empty();
    if (!answered) cost.seconds.reset();
    return cost;
  };
  Growth growth = growth_of(testee.client(), testee.upstream(), cost_of, stop);
  growth.of_processor = of_processor;
  return growth;
}

}  // namespace splitproof::campaign
