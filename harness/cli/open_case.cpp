#include "harness/cli/open_case.hpp"

#include <iostream>
#include <utility>

#include "harness/campaign/case.hpp"
#include "harness/cli/exit_code.hpp"
#include "harness/cli/sources.hpp"
#include "harness/cli/targets.hpp"
#include "harness/testee/in_process.hpp"

namespace splitproof::cli {

tl::expected<OpenCase, int> open_case(const std::string& what, const std::string& target,
                                      const Selection& selection) {
  const auto wrong = [](const Error& error) { return tl::unexpected(complain(error)); };
  auto supervisor = supervisor_for({target});
  if (!supervisor) return wrong(supervisor.error());
  auto contracts = load_contracts(selection.contracts);
  if (!contracts) return wrong(contracts.error());
  auto profile = load_profile(selection.profile, selection.contracts);
  if (!profile) return wrong(profile.error());
  auto found = find_case(what, selection.corpus);
  if (!found) return wrong(found.error());
  const bool is_open = found->one.client.empty() && selection.client.empty();
  if (found->one.client.empty())
    found->one.client = selection.client.empty() ? testee::reference_clients().front() : selection.client;
  const std::string& upstream = found->recording.protocol;
  if (const auto listed = check_losses(found->recording, found->one.client, *contracts); !listed)
    return wrong(listed.error());
  warn(found->recording);
  auto never = std::make_unique<const testee::StopToken>();
  auto made = make_target(target, *profile, supervisor->get(), *never, selection.corpus,
                          {found->one.client, upstream}, InstanceCount::one);
  if (!made) return wrong(made.error());
  if (is_open && (*made)->traits().is_client()) found->one.client = (*made)->client();
  if (found->one.client != (*made)->client() || !(*made)->traits().takes(upstream)) {
    return wrong(Error{"target " + target + " translates " + (*made)->upstream() + " for clients of " +
                           (*made)->client() + ", and this case is for another direction",
                       {},
                       0,
                       {}});
  }
  if ((!selection.client.empty() && selection.client != found->one.client) ||
      (!selection.upstream.empty() && selection.upstream != upstream) ||
      !campaign::selects(selection.only, found->one)) {
    std::cerr << "splitproof: --client, --upstream or --only excludes this case\n";
    return tl::unexpected(static_cast<int>(kNothingSelected));
  }
  return OpenCase{*std::move(contracts),  *std::move(profile), *std::move(found),
                  *std::move(supervisor), std::move(never),    *std::move(made)};
}

}  // namespace splitproof::cli
