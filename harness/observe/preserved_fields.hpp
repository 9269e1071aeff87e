#pragma once

#include <nlohmann/json_fwd.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "harness/observe/asked.hpp"
#include "harness/observe/said.hpp"

namespace splitproof::observe {

/// A feature of the client's request and of the upstream's request, in one form.
using Kept = std::pair<nlohmann::json, nlohmann::json>;

/// Removes functions from `got` that replace tools of the client's server. They have the tool's name, and
/// `got` has more of them than the client offers. Returns the purposes of these tools.
std::set<std::string> take_out_stand_ins(const std::vector<HostedTool>& hosted, const Said& said, Said& got);

/// Returns the purposes of hosted tools. `always` selects the tools that clients offer in every request,
/// otherwise the other tools. The upstream's request has `carried` in another form.
Kept hosted_uses(const std::vector<HostedTool>& asked, const std::vector<HostedTool>& got,
                 const std::set<std::string>& carried, bool always);

/// Returns the settings by name. If some differ, returns only these. The upstream may get more list elements
/// and object members.
Kept kept_settings(const std::vector<AskedSetting>& asked, const std::vector<AskedSetting>& got);

/// Returns the settings of each tool by the tool's name and the word. If some differ, returns only these.
/// Both lists have the same tools in the same order.
Kept kept_of_tools(const std::vector<SaidTool>& asked, const std::vector<SaidTool>& got);

/// Returns settings that change the answer and that the client did not set, with their value in the
/// upstream's request.
nlohmann::json made_up_settings(const AskedRequest& asked, const AskedRequest& got);

/// Returns the purposes of provider tools that the client did not request.
nlohmann::json made_up_uses(const std::vector<HostedTool>& asked, const std::vector<HostedTool>& got);

/// Returns the kinds of the assistant's parts in order. Adjacent texts count as one. `sealed` includes
/// thinking.
nlohmann::json order_of(const AskedRequest& asked, bool sealed);

/// Returns a tool's schema without members that have no effect.
nlohmann::json schema_of(nlohmann::json schema);

/// Removes an order of properties from each place of two schemas where only one of them has it. JSON Schema has no such
/// keyword.
void ignore_missing_hints(nlohmann::json& one, nlohmann::json& other);

/// True if the schema describes a single text.
bool wraps_text(const nlohmann::json& schema);

/// Returns the parts and members that only one dialect has, without cache marks. Examples are hosted tools,
/// inputs of custom tools, parts of other kinds, image detail, names of speakers and refusals.
nlohmann::json own_of(const AskedRequest& asked);

/// Returns the marks. The upstream may get more.
Kept kept_marks(const std::vector<AskedMark>& asked, const std::vector<AskedMark>& got);

/// Returns the length of the text before each image, by turn of the user. Omits a turn if texts or images
/// differ, or if results have images. Accepts any order if all images are at one end of the text on both
/// sides.
Kept places_of_images(const Said& said, const Said& got);

/// Keeps only the members of two objects that differ.
void keep_differing(nlohmann::json& wanted, nlohmann::json& sent);

/// Keeps only the members that differ, and in each the places that differ, by JSON pointer.
void keep_differences(nlohmann::json& wanted, nlohmann::json& sent);

}  // namespace splitproof::observe
