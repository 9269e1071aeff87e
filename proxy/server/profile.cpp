#include "proxy/server/profile.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "proxy/knobs.hpp"
#include "proxy/server/profile_files.hpp"
#include "proxy/server/yaml_reading.hpp"

namespace splitproof::server {
namespace {

namespace fs = std::filesystem;

constexpr const char* kDefault = "default";

// Message with file and line.
struct ProfileMistake {
  std::string what;
};

struct KnobAnswer {
  std::string knob;
  YAML::Node value;
  int line;
};

// The declared answers of a knob.
struct KnobAnswers {
  std::vector<std::string> values;
  int line = -1;
};

using Declared = std::map<std::string, KnobAnswers>;

struct ProfileFile {
  std::string path;
  std::string extends;
  int extends_line = -1;
  const proxy::dialect::UpstreamRow* upstream = nullptr;  // first upstream of the profile
  Declared declared;
  std::vector<KnobAnswer> answers;
};

bool names_file(const std::string& name_or_file) {
  return name_or_file.find('/') != std::string::npos || fs::path(name_or_file).extension() == ".yaml";
}

Declared declared_in(const YAML::Node& values) {
  Declared declared;
  each_member(values, [&](const YAML::Node& knob, const YAML::Node& answers) {
    if (!answers.IsSequence()) throw YamlMistake{answers.Mark().line, "the value must be a list"};
    KnobAnswers& known = declared[knob.Scalar()];
    known.line = knob.Mark().line;
    for (const auto& answer : answers) known.values.push_back(scalar(answer));
  });
  return declared;
}

// Returns the first of the upstreams' protocols. The proxy has to support it.
const proxy::dialect::UpstreamRow* usual_of(const YAML::Node& protocols) {
  if (protocols.IsSequence() && protocols.size() == 0)
    throw YamlMistake{protocols.Mark().line, "the list of upstreams is empty; name at least one"};
  const YAML::Node first = protocols.IsSequence() ? protocols[0] : protocols;
  const std::string protocol = scalar(first);
  if (const auto* row = proxy::dialect::find_upstream(protocol)) return row;
  std::vector<std::string_view> known;
  for (const auto& row : proxy::dialect::upstreams()) known.push_back(row.protocol);
  throw YamlMistake{first.Mark().line, fmt::format("the proxy has no upstream protocol '{}'; use one of: {}",
                                                   protocol, fmt::join(known, ", "))};
}

ProfileFile read_profile_file(const std::string& path, const std::string& text) {
  ProfileFile file;
  file.path = path;
  try {
    const YAML::Node document = only_document(text);
    bool named = false;
    if (document.IsNull()) throw YamlMistake{-1, "the key 'profile' with the name is missing"};
    read_map(document, {{"profile", [&](const YAML::Node& node) { named = !scalar(node).empty(); }},
                        {"extends",
                         [&](const YAML::Node& node) {
                           file.extends = scalar(node);
                           file.extends_line = node.Mark().line;
                         }},
                        {"upstreams", [&](const YAML::Node& node) { file.upstream = usual_of(node); }},
                        {"values", [&](const YAML::Node& node) { file.declared = declared_in(node); }},
                        {"knobs", [&](const YAML::Node& node) {
                           each_member(node, [&](const YAML::Node& key, const YAML::Node& value) {
                             scalar(value);
                             file.answers.push_back({key.Scalar(), value, key.Mark().line});
                           });
                         }}});
    if (!named) throw YamlMistake{-1, "the key 'profile' with the name is missing"};
    return file;
  } catch (const YamlMistake& mistake) {
    throw ProfileMistake{describe(mistake, path)};
  } catch (const YAML::Exception& error) {
    throw ProfileMistake{describe({error.mark.line, error.msg}, path)};
  }
}

// Reads profiles by name or path.
class Shelf {
 public:
  explicit Shelf(ProfileFiles files) : files_(std::move(files)) {}

  // `asked_by`: the file that extends this one; null for the command line.
  ProfileFile open(const std::string& wanted, const ProfileFile* asked_by = nullptr) const {
    const std::string path = locate(wanted, asked_by);
    const auto text = files_.text_of(path);
    if (!text) throw ProfileMistake{text.error()};
    return read_profile_file(path, *text);
  }

 private:
  std::string locate(const std::string& wanted, const ProfileFile* asked_by) const {
    const fs::path beside = asked_by == nullptr ? fs::path() : fs::path(asked_by->path).parent_path();
    if (names_file(wanted)) return (beside / wanted).string();
    std::error_code ignored;
    const fs::path neighbour = beside / (wanted + ".yaml");
    if (asked_by != nullptr && fs::is_regular_file(neighbour, ignored)) return neighbour.string();
    if (auto path = files_.path_of(wanted)) return *std::move(path);
    const std::string what =
        fmt::format("there is no profile '{}'; use one of: {}", wanted, fmt::join(files_.names(), ", "));
    throw ProfileMistake{asked_by == nullptr ? what
                                             : describe({asked_by->extends_line, what}, asked_by->path)};
  }

  ProfileFiles files_;
};

// Returns the profile's file, the file it extends, and so on.
std::vector<ProfileFile> read_chain(const Shelf& shelf, const std::string& name_or_file) {
  std::vector<ProfileFile> chain = {shelf.open(name_or_file)};
  std::set<std::string> seen = {fs::path(chain.back().path).lexically_normal().string()};
  while (!chain.back().extends.empty()) {
    ProfileFile base = shelf.open(chain.back().extends, &chain.back());
    if (!seen.insert(fs::path(base.path).lexically_normal().string()).second) {
      throw ProfileMistake{describe(
          {chain.back().extends_line, fmt::format("the profile '{}' extends itself", chain.back().extends)},
          chain.back().path)};
    }
    chain.push_back(std::move(base));
  }
  return chain;
}

void check_answer(const Declared& declared, const KnobAnswer& answer) {
  const auto values = declared.find(answer.knob);
  if (values == declared.end()) {
    std::vector<std::string_view> knobs;
    for (const auto& entry : declared) knobs.push_back(entry.first);
    throw YamlMistake{answer.line, fmt::format("there is no knob '{}'; use one of: {}", answer.knob,
                                               fmt::join(knobs, ", "))};
  }
  const std::string said = answer.value.Scalar();
  const std::vector<std::string>& known = values->second.values;
  if (std::find(known.begin(), known.end(), said) == known.end())
    throw YamlMistake{answer.line, fmt::format("the knob '{}' has no value '{}'; use one of: {}", answer.knob,
                                               said, fmt::join(known, ", "))};
}

void set_knob(TranslatorOptions& options, const KnobAnswer& answer) {
  each_knob(options, [&](const char* name, auto& value, const auto& values) {
    if (answer.knob == name) choice(value, values)(answer.value);
  });
  // This proxy cannot make such a promise.
  if (answer.knob == "signature" && answer.value.Scalar() != "optional")
    throw YamlMistake{answer.line, "the proxy cannot sign thinking without a signature from its upstream"};
}

// Runs `work`, and adds file and line to a mistake.
template <class Do>
void of_file(const ProfileFile& file, Do work) {
  try {
    work();
  } catch (const YamlMistake& mistake) {
    throw ProfileMistake{describe(mistake, file.path)};
  }
}

void play(const Shelf& shelf, const std::string& name_or_file, TranslatorOptions& options) {
  const std::vector<ProfileFile> chain = read_chain(shelf, name_or_file);
  const auto made_for = std::find_if(chain.begin(), chain.end(),
                                     [](const ProfileFile& file) { return file.upstream != nullptr; });
  if (made_for != chain.end()) options.upstream = made_for->upstream;
  Declared declared = shelf.open(kDefault).declared;
  for (const ProfileFile& file : chain) {
    for (const auto& [knob, values] : file.declared) {
      // `default` is part of most chains.
      const auto [at, added] = declared.emplace(knob, values);
      if (!added && at->second.values != values.values)
        throw ProfileMistake{
            describe({values.line, fmt::format("the values of '{}' are already declared as: {}", knob,
                                               fmt::join(at->second.values, ", "))},
                     file.path)};
    }
  }
  // first in the chain wins
  std::map<std::string, std::pair<const ProfileFile*, const KnobAnswer*>> counts;
  for (const ProfileFile& file : chain) {
    for (const KnobAnswer& answer : file.answers) {
      of_file(file, [&] { check_answer(declared, answer); });
      counts.try_emplace(answer.knob, &file, &answer);
    }
  }
  for (const auto& [knob, where] : counts)
    of_file(*where.first, [&, answer = where.second] { set_knob(options, *answer); });
}

}  // namespace

tl::expected<TranslatorOptions, std::string> play_profile(const std::string& name_or_file,
                                                          TranslatorOptions options) {
  auto files = ProfileFiles::find();
  if (!files) return tl::make_unexpected(files.error());
  try {
    play(Shelf(*std::move(files)), name_or_file, options);
    return options;
  } catch (const ProfileMistake& mistake) {
    return tl::make_unexpected(mistake.what);
  }
}

}  // namespace splitproof::server
