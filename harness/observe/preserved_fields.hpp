#pragma once

#include <nlohmann/json_fwd.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "harness/observe/asked.hpp"
#include "harness/observe/said.hpp"

namespace splitproof::observe {

/// What a client's request has and what an upstream's has of it, in one form of both.
using Kept = std::pair<nlohmann::json, nlohmann::json>;

/// Takes functions out of `got` that stand for tools which the client's server would run: they bear its name, and there are
/// more than the client offers. Returns what those are for.
std::set<std::string> take_out_stand_ins(const std::vector<HostedTool>& hosted, const Said& said, Said& got);

/// What the hosted tools are for that clients offer with every request, or those that they do not; `carried` are in the
/// upstream's request in another form.
Kept hosted_uses(const std::vector<HostedTool>& asked, const std::vector<HostedTool>& got,
                 const std::set<std::string>& carried, bool always);

/// The settings by name, where any differs those alone. More elements of a list and more members of an object may go upstream.
Kept kept_settings(const std::vector<AskedSetting>& asked, const std::vector<AskedSetting>& got);

/// What is said of each tool alone, by the tool's place and the word; where any differs those alone. The tools are the same,
/// in one order.
Kept kept_of_tools(const std::vector<SaidTool>& asked, const std::vector<SaidTool>& got);

/// The words for it that change what is answered, and that the client did not say, with what is asked of the upstream.
nlohmann::json made_up_settings(const AskedRequest& asked, const AskedRequest& got);

/// What tools of the provider's are for that the client did not ask for.
nlohmann::json made_up_uses(const std::vector<HostedTool>& asked, const std::vector<HostedTool>& got);

/// What the assistant's parts are, in their order; text that stands in several pieces is one. `sealed`: with thinking.
nlohmann::json order_of(const AskedRequest& asked, bool sealed);

/// A tool's schema without what says nothing.
nlohmann::json schema_of(nlohmann::json schema);

/// Whether arguments of the schema are one text.
bool wraps_text(const nlohmann::json& schema);

/// What only one dialect has, as it stands but for marks of the cache: tools that the server runs, what custom tools take,
/// parts of other kinds, also those of results, how closely images are to be looked at, names of those who speak, and that a
/// text is a refusal.
nlohmann::json own_of(const AskedRequest& asked);

/// The marks. More may go upstream.
Kept kept_marks(const std::vector<AskedMark>& asked, const std::vector<AskedMark>& got);

/// By turn of the user, how much text stands before each of its images. A turn is left out where the two do not have the
/// same texts and images, where results have images too, and where images stand ahead of or behind all text on either side:
/// then their order says nothing.
Kept places_of_images(const Said& said, const Said& got);

/// Of two objects whose values differ somewhere, the members that do.
void keep_differing(nlohmann::json& wanted, nlohmann::json& sent);

/// The same, and of each such member the places within it that differ, by JSON pointer.
void keep_differences(nlohmann::json& wanted, nlohmann::json& sent);

}  // namespace splitproof::observe
