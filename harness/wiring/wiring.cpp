#include "harness/wiring/wiring.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "harness/dialect/endpoints.hpp"
#include "harness/dialect/registry.hpp"
#include "harness/testee/client_request.hpp"
#include "harness/testee/installation.hpp"
#include "harness/testee/last_lines.hpp"
#include "harness/testee/running_target.hpp"
#include "harness/testee/target_setup.hpp"

namespace splitproof::wiring {
namespace {

using nlohmann::json;

constexpr std::size_t kMostOfAnswer = 200;
constexpr std::chrono::milliseconds kEnds{300};  // for the end of a process to be noticed

bool by_shell(const testee::TargetFile& target) {
  return target.command.size() == 3 && target.command[0] == "sh" && target.command[1] == "-c";
}

std::string port_of(const std::string& url) { return url.substr(url.rfind(':') + 1); }

bool works(const ClientProbe& probe) {
  return probe.reach >= ProbeReach::answered && probe.call() != nullptr;
}

bool translates(const ClientProbe& probe) { return probe.call()->protocol != probe.client; }

class Wiring {
 public:
  Wiring(testee::TargetFile draft, Advised advised, testee::Supervisor& supervisor,
         const testee::StopToken& stop, const std::function<void(const Step&)>& on_step)
      : advised_(advised), supervisor_(supervisor), stop_(stop), on_step_(on_step) {
    wired_.target = std::move(draft);
  }

  Wired run() {
    for (const auto step : {&Wiring::leave_network, &Wiring::start_stand_in, &Wiring::install, &Wiring::start,
                            &Wiring::set_up, &Wiring::ask})
      if (!(this->*step)()) break;
    return std::move(wired_);
  }

 private:
  bool end_step(Step step) {
    wired_.steps.push_back(std::move(step));
    on_step_(wired_.steps.back());
    return !wired_.steps.back().failed();
  }

  bool leave_network() {
    if (wired_.target.has_network) return true;
    const auto apart = supervisor_.without_network();
    if (apart) runs_on_ = *apart;
    return apart || end_step({"network", "make a network without a way out", apart.error().what,
                              apart.error().hint.empty() ? "remove `network: none`" : apart.error().hint});
  }

  bool set_up() {
    const testee::TargetFile& target = wired_.target;
    if (target.setup.empty()) return true;
    const auto done = testee::set_up(target, running_->places(), address_, *runs_on_, stop_);
    Step step{"setup", fmt::format("do {} steps", target.setup.size()), "all succeeded", {}};
    if (!done) {
      step.saw = done.error().what;
      step.change = done.error().hint;
    }
    return end_step(std::move(step));
  }

  bool start_stand_in() {
    const testee::TargetFile& target = wired_.target;
    Step step{"stand-in", "listen at a free port of 127.0.0.1", {}, {}};
    testee::StandInSettings settings;
    settings.network = &runs_on_->network();
    if (!target.upstream_listen.empty()) {
      step.tried = "listen at " + target.upstream_listen;
      const auto address = testee::http_address("http://" + target.upstream_listen);
      if (!address) {
        step.saw = address.error().what;
        step.change = "write HOST:PORT, such as 127.0.0.1:4000";
        return end_step(std::move(step));
      }
      settings.host = address->host;
      settings.port = address->port;
    }
    auto stand_in = testee::StandIn::start(std::move(settings));
    if (!stand_in) {
      step.saw = stand_in.error().what;
      step.change = "end what listens at " + target.upstream_listen + ", or give the proxy another upstream";
      return end_step(std::move(step));
    }
    stand_in_ = *std::move(stand_in);
    step.saw = "the stand-in plays the provider at " + stand_in_->base_url();
    return end_step(std::move(step));
  }

  bool install() {
    const testee::TargetFile& target = wired_.target;
    auto installed = testee::install(target, supervisor_, stop_);
    if (installed) installation_ = *std::move(installed);
    if (installed && target.install.empty()) return true;
    Step step{"install", target.install, {}, {}};
    if (installed) {
      step.saw = "installed in " + installation_.dir;
    } else {
      step.saw = installed.error().what;
      step.change = installed.error().hint.empty() ? "correct `install`" : installed.error().hint;
    }
    return end_step(std::move(step));
  }

  bool start() {
    testee::TargetFile& target = wired_.target;
    const Deadline began = std::chrono::steady_clock::now();
    Step step{"start", {}, {}, {}};
    testee::Places places;
    places.port = "PORT";
    places.upstream = stand_in_->base_url();
    if (by_shell(target)) step.tried = testee::filled(target.command.back(), places);
    for (const std::string& word : by_shell(target) ? std::vector<std::string>() : target.command)
      step.tried += (step.tried.empty() ? "" : " ") + testee::filled(word, places);
    if (target.command.empty()) step.tried = "connect to " + target.listen;
    auto running =
        testee::RunningTarget::start(target, installation_, stand_in_->base_url(), *runs_on_, stop_);
    if (!running) {
      const std::string& what = running.error().what;
      const std::size_t sentence = what.find(": ");
      std::string why = what.substr(0, what.find('\n'));
      if (why.ends_with(testee::kLastOutput)) why.erase(why.size() - testee::kLastOutput.size());
      const std::string said = what.find('\n') == what.npos ? "" : what.substr(what.find('\n'));
      step.saw = why.substr(sentence == what.npos ? 0 : sentence + 2);
      if (!said.empty()) step.saw += ": " + clipped(error_line(said), kMostOfAnswer);
      step.change = target.command.empty()         ? "start the proxy, or correct " + target.listen
                    : running.error().hint.empty() ? advice_on_start(what, advised_)
                                                   : running.error().hint;
      return end_step(std::move(step));
    }
    running_ = *std::move(running);
    address_ = *testee::http_address(running_->base_url(), runs_on_->network());
    target.listen = running_->listen();
    step.saw = fmt::format("listens at {} after {:.1f} s", running_->base_url(),
                           testee::seconds(began, std::chrono::steady_clock::now()));
    return end_step(std::move(step));
  }

  // The protocols and paths to ask: the draft's, or the usual paths of all clients.
  using Places = std::vector<std::pair<std::string, std::string>>;

  // Each protocol at its usual paths; `below_vendor`: below the name of its vendor.
  Places places_to_ask(bool below_vendor) const {
    const testee::TargetFile& target = wired_.target;
    Places places;
    for (const dialect::Dialect& dialect : dialect::all()) {
      const std::string protocol(dialect.protocol);
      if (dialect.client == nullptr || (!target.client.empty() && target.client != protocol)) continue;
      if (!target.request_path.empty()) {
        if (!below_vendor) places.emplace_back(protocol, target.request_path);
        continue;
      }
      const std::string prefix = below_vendor ? "/" + protocol.substr(0, protocol.find('.')) : "";
      for (const std::string& path : dialect::client_paths_of(protocol))
        places.emplace_back(protocol, prefix + path);
    }
    return places;
  }

  std::vector<ClientProbe> ask_all(const std::string& model) {
    std::vector<ClientProbe> probes = ask_at(places_to_ask(false), model);
    if (std::any_of(probes.begin(), probes.end(), works) || !running_->running()) return probes;
    std::vector<ClientProbe> more = ask_at(places_to_ask(true), model);
    if (std::any_of(more.begin(), more.end(), works)) return more;
    return probes;
  }

  // Asks until each protocol has one path that works.
  std::vector<ClientProbe> ask_at(const Places& places, const std::string& model) {
    std::vector<ClientProbe> probes;
    const ClientProber prober(*stand_in_, address_, stop_);
    for (const auto& [protocol, path] : places) {
      const bool known =
          std::any_of(probes.begin(), probes.end(), [&, client = protocol](const ClientProbe& probe) {
            return probe.client == client && probe.reach >= ProbeReach::streamed;
          });
      if (known) continue;
      probes.push_back(prober.ask(protocol, path, model, filled_headers()));
      const testee::Deadline deadline = testee::within(kEnds);
      const bool lost = probes.back().reply.ending != testee::Ending::complete;
      while (lost && running_->running() && !testee::has_passed(deadline))
        testee::sleep_until(stop_, testee::within(std::chrono::milliseconds(5)));
      if (!running_->running()) break;
    }
    return probes;
  }

  testee::Headers filled_headers() const {
    testee::Headers headers = wired_.target.headers;
    for (testee::Header& header : headers) header.value = testee::filled(header.value, running_->places());
    return headers;
  }

  bool ask() {
    std::vector<ClientProbe> probes = ask_all(wired_.target.model);
    const auto any_works = [&] { return std::any_of(probes.begin(), probes.end(), works); };
    if (!any_works() && wired_.target.model.empty() && running_->running()) {
      const auto models = ClientProber(*stand_in_, address_, stop_).models(filled_headers());
      if (!models.empty()) {
        wired_.target.model = models.front();
        probes = ask_all(models.front());
      }
    }
    if (!running_->running()) return report_end(probes);
    if (!any_works()) {
      const std::optional<ClientProbe> elsewhere = ask_elsewhere();
      return elsewhere ? report_other_place(probes.back(), *elsewhere) : report_failure(probes);
    }
    choose_directions(std::move(probes));
    return report_direction();
  }

  // Asks at the usual places if the draft named one that does not work.
  std::optional<ClientProbe> ask_elsewhere() {
    testee::TargetFile& target = wired_.target;
    if (target.client.empty() && target.request_path.empty()) return std::nullopt;
    const std::string client = std::exchange(target.client, "");
    const std::string path = std::exchange(target.request_path, "");
    std::vector<ClientProbe> probes = ask_all(target.model);
    target.client = client;
    target.request_path = path;
    const auto found = std::find_if(probes.begin(), probes.end(), [](const ClientProbe& probe) {
      return works(probe) && probe.reach >= ProbeReach::streamed;
    });
    return found == probes.end() ? std::nullopt : std::optional(std::move(*found));
  }

  bool report_other_place(const ClientProbe& failed, const ClientProbe& works) {
    const std::string change =
        advised_ == Advised::command_line
            ? fmt::format("it serves another place: --client {} --path {}", works.client, works.path)
            : fmt::format("it serves another place: write `client: {}` and `request: {{path: {}}}`",
                          works.client, works.path);
    return end_step({"request", asked(failed), seen(failed), change});
  }

  bool report_end(const std::vector<ClientProbe>& probes) {
    Step step{"request", asked(probes.back()), {}, {}};
    const std::string said = running_->said_last();
    step.saw = "the proxy ended with " + running_->end();
    if (!said.empty()) step.saw += ": " + clipped(error_line(said), kMostOfAnswer);
    step.change = "correct the proxy: a plain request ends it";
    return end_step(std::move(step));
  }

  static std::string asked(const ClientProbe& probe) {
    return fmt::format("POST {} ({})", probe.path, probe.client);
  }

  static std::string seen(const ClientProbe& probe) {
    if (!probe.reply.http) return probe.reply.detail.empty() ? "no answer" : probe.reply.detail;
    return fmt::format("status {}{}{}", probe.status(), probe.reply.body.empty() ? "" : ": ",
                       clipped(probe.reply.body, kMostOfAnswer));
  }

  // Explains the failure by the question that got furthest.
  bool report_failure(const std::vector<ClientProbe>& probes) {
    const ClientProbe& best =
        *std::max_element(probes.begin(), probes.end(),
                          [](const ClientProbe& a, const ClientProbe& b) { return a.reach < b.reach; });
    Step request{"request", {}, seen(best), {}};
    if (best.reach == ProbeReach::nothing) {
      for (const ClientProbe& probe : probes)
        request.tried += (request.tried.empty() ? "" : ", ") + asked(probe);
    } else {
      request.tried = asked(best);
    }
    const FailedProbe failed{best,
                             wired_.target,
                             running_->said_last(),
                             {port_of(running_->base_url()), port_of(stand_in_->base_url())}};
    const std::string change = advice_on_probe(failed, advised_);
    if (best.reach == ProbeReach::nothing) {
      request.change = change;
      return end_step(std::move(request));
    }
    end_step(std::move(request));
    Step upstream{"upstream", "wait for its request at " + stand_in_->base_url(), {}, {}};
    if (best.calls.empty()) {
      upstream.saw = "no request";
      upstream.change = change;
      return end_step(std::move(upstream));
    }
    upstream.saw = best.calls.front().method + " " + best.calls.front().target;
    if (best.call() == nullptr) {
      upstream.saw += ", a path that belongs to no known protocol";
      upstream.change = change;
      return end_step(std::move(upstream));
    }
    end_step(std::move(upstream));
    return end_step({"answer", "send a plain answer of " + best.call()->protocol, seen(best), change});
  }

  // Directions that the client can read come before others, translations before relays.
  void choose_directions(std::vector<ClientProbe> probes) {
    std::erase_if(probes, [](const ClientProbe& probe) { return !works(probe); });
    const bool readable = std::any_of(probes.begin(), probes.end(), [](const ClientProbe& probe) {
      return probe.reach >= ProbeReach::streamed;
    });
    if (readable)
      std::erase_if(probes, [](const ClientProbe& probe) { return probe.reach < ProbeReach::streamed; });
    const std::string& wanted = wired_.target.upstream;
    const auto rank = [&](const ClientProbe& probe) {
      return (wanted.empty() || probe.call()->protocol == wanted ? 4 : 0) + (translates(probe) ? 2 : 0) +
             (probe.reach == ProbeReach::read ? 1 : 0);
    };
    std::stable_sort(probes.begin(), probes.end(),
                     [&](const ClientProbe& a, const ClientProbe& b) { return rank(a) > rank(b); });
    wired_.directions = std::move(probes);
  }

  bool report_direction() {
    testee::TargetFile& target = wired_.target;
    const ClientProbe& best = wired_.directions.front();
    const Call& call = *best.call();
    end_step({"request", asked(best), fmt::format("status {}", best.status()), {}});
    Step upstream{"upstream",
                  "wait for its request at " + stand_in_->base_url(),
                  fmt::format("{} {} ({})", call.method, call.target, call.protocol),
                  {}};
    if (!target.upstream.empty() && target.upstream != call.protocol)
      upstream.change = advised_ == Advised::command_line
                            ? "it speaks another protocol: --upstream " + call.protocol
                            : "it speaks another protocol: write `upstream: " + call.protocol + "`";
    if (!end_step(std::move(upstream))) return false;
    target.client = best.client;
    target.upstream = call.protocol;
    target.request_path = best.path;
    if (target.model.empty()) target.model = json::parse(best.request).value("model", "any-model");
    Step answer{"answer", "read its answer as a client of " + best.client, {}, {}};
    answer.saw = best.reach == ProbeReach::read
                     ? fmt::format("the text '{}' of the stand-in", dialect::kTinyText)
                 : best.reach == ProbeReach::streamed
                     ? fmt::format("a stream of {}, without the text '{}' of the stand-in", best.client,
                                   dialect::kTinyText)
                     : "no events of " + best.client;
    if (best.reach == ProbeReach::answered) {
      const FailedProbe failed{best, target, {}, {}};
      answer.change = advice_on_probe(failed, advised_);
    }
    return end_step(std::move(answer));
  }

  using Deadline = testee::Deadline;

  const Advised advised_;
  testee::Supervisor& supervisor_;
  testee::Supervisor* runs_on_ = &supervisor_;  // it runs the proxy
  const testee::StopToken& stop_;
  const std::function<void(const Step&)>& on_step_;
  Wired wired_;
  testee::Installation installation_;
  std::unique_ptr<testee::StandIn> stand_in_;
  std::unique_ptr<testee::RunningTarget> running_;
  testee::HttpAddress address_;
};

}  // namespace

Wired wire(testee::TargetFile draft, Advised advised, testee::Supervisor& supervisor,
           const testee::StopToken& stop, const std::function<void(const Step&)>& on_step) {
  return Wiring(std::move(draft), advised, supervisor, stop, on_step).run();
}

}  // namespace splitproof::wiring
