#include "harness/contract/contracts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <system_error>
#include <utility>

#include "harness/built_in.hpp"
#include "harness/contract/contract_file.hpp"
#include "harness/observe/event_json.hpp"

namespace splitproof::contract {
namespace {

namespace fs = std::filesystem;

std::string protocol_of(const ContractFile& file) {
  if (is_for_every_protocol(file.contract)) return "sse";
  const std::string_view protocol = downstream_protocol(file.contract);
  return protocol.empty() ? file.contract : std::string(protocol);
}

std::vector<fs::path> contract_paths(const fs::path& dir) {
  std::error_code error;
  std::vector<fs::path> paths = files_in(dir, error);
  std::erase_if(paths, [](const fs::path& path) { return path.extension() != ".yaml"; });
  if (error)
    throw Mistake{{"the folder of contracts cannot be read: " + error.message(), dir.string(), 0, ""}};
  if (paths.empty())
    throw Mistake{{"the folder has no contract files", dir.string(), 0, "their names end in .yaml"}};
  std::erase_if(paths, [](const fs::path& path) { return path.filename() == kLossyFile; });
  return paths;
}

void check_ids(const std::vector<ContractFile>& files) {
  std::map<std::string_view, const Obligation*> known;
  for (const ContractFile& file : files) {
    for (const CompiledObligation& obligation : file.obligations) {
      const Obligation& about = obligation.about;
      const auto [earlier, added] = known.emplace(about.id, &about);
      if (!added) {
        throw Mistake{{fmt::format("the id '{}' occurs twice", about.id), about.file, about.line,
                       fmt::format("choose another id; the first is at {}:{}", earlier->second->file,
                                   earlier->second->line)}};
      }
    }
  }
  for (const auto& entry : known) {
    for (const std::string& id : entry.second->follows) {
      const auto followed = known.find(id);
      if (followed != known.end() && id != entry.first) continue;
      throw Mistake{{followed == known.end()
                         ? fmt::format("'{}' follows '{}', which does not exist", entry.first, id)
                         : fmt::format("'{}' follows itself", entry.first),
                     entry.second->file, entry.second->line, "correct the id"}};
    }
    for (const Falsifier& falsifier : entry.second->falsifiers) {
      for (const std::string& id : falsifier.trips) {
        if (known.count(id) != 0) continue;
        throw Mistake{{fmt::format("a falsifier names the rule '{}', which does not exist", id),
                       entry.second->file, falsifier.line, "correct the id"}};
      }
    }
  }
}

/// Only one file may set a property of the whole contract. Otherwise a file could weaken the rules of others.
void check_stated(const std::vector<ContractFile>& files) {
  std::map<std::pair<std::string, std::string>, const ContractFile*> said;
  for (const ContractFile& file : files) {
    for (const auto& [key, line] : file.stated) {
      const auto [first, added] = said.emplace(std::pair(file.contract, key), &file);
      if (added) continue;
      throw Mistake{{fmt::format("'{}' of {} is already in {}", key, file.contract, first->second->path),
                     file.path, line, "remove it here"}};
    }
  }
}

void check_knobs(const CompiledObligation& obligation, const KnobValues& known) {
  for (const Clause& clause : obligation.clauses) {
    for (const Conditions& conditions : clause.conditions) conditions.check_values(known);
  }
  for (const Falsifier& falsifier : obligation.about.falsifiers) {
    for (const auto& [knob, value] : falsifier.knobs) check_value(known, knob, value, falsifier.line);
  }
}

void check_knobs(const std::vector<ContractFile>& files, const KnobValues& known) {
  for (const ContractFile& file : files) {
    try {
      for (const CompiledObligation& obligation : file.obligations) check_knobs(obligation, known);
    } catch (Mistake& mistake) {
      mistake.error.file = file.path;
      throw;
    }
  }
}

void check_folders(const std::vector<fs::path>& dirs) {
  std::set<fs::path> known;
  for (const fs::path& dir : dirs) {
    if (known.insert(fs::weakly_canonical(dir / "")).second) continue;
    throw Mistake{{fmt::format("the folder {} is given twice", dir.string()), "", 0,
                   "name each folder once, and do not name the built-in contracts"}};
  }
}

std::vector<std::string> marks_of(const std::vector<ContractFile>& files) {
  std::vector<std::string> marks;
  for (const ContractFile& file : files) {
    for (std::size_t id = 0; id < file.alphabet.size(); ++id) {
      for (const auto& [field, test] : file.alphabet.at(id).tests)
        if (file.alphabet.fields()[field].field.pseudo == Pseudo::data) test.add_texts(marks);
    }
  }
  std::erase_if(marks, [](const std::string& mark) { return observe::parse_event_json(mark).has_value(); });
  std::sort(marks.begin(), marks.end());
  marks.erase(std::unique(marks.begin(), marks.end()), marks.end());
  return marks;
}

bool any_of_classes(const Reading& reading, std::size_t i, const std::vector<std::size_t>& ids) {
  return std::any_of(ids.begin(), ids.end(), [&](std::size_t id) { return reading.is(i, id); });
}

}  // namespace

Result<Contracts> Contracts::load(const std::vector<fs::path>& dirs) {
  try {
    check_folders(dirs);
    auto files = std::make_shared<std::vector<ContractFile>>();
    for (const fs::path& dir : dirs) {
      for (const fs::path& path : contract_paths(dir)) files->push_back(read_contract(path.string()));
    }
    check_ids(*files);
    check_stated(*files);
    check_knobs(*files, default_values(dirs));
    Contracts contracts;
    contracts.marks_ = marks_of(*files);
    contracts.files_ = std::move(files);
    contracts.lossy_ = std::make_shared<const Lossy>(read_lossy(dirs));
    contracts.name_maps_ = std::make_shared<const observe::NameMaps>(read_name_maps(dirs));
    return contracts;
  } catch (const Mistake& mistake) {
    return tl::make_unexpected(mistake.error);
  } catch (const fs::filesystem_error& error) {
    return tl::make_unexpected(Error{error.what(), error.path1().string(), 0, ""});
  }
}

std::vector<const Obligation*> Contracts::obligations() const {
  std::vector<const Obligation*> all;
  for (const ContractFile& file : *files_) {
    for (const CompiledObligation& obligation : file.obligations) all.push_back(&obligation.about);
  }
  return all;
}

const Obligation* Contracts::find(std::string_view id) const {
  for (const Obligation* obligation : obligations()) {
    if (obligation->id == id) return obligation;
  }
  return nullptr;
}

std::vector<std::string> Contracts::protocols() const {
  std::vector<std::string> names;
  for (const ContractFile& file : *files_) {
    if (!is_of_evidence(file.contract) && file.contract != kUpstream) names.push_back(protocol_of(file));
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

std::vector<const ContractFile*> Contracts::files_for(std::string_view protocol) const {
  std::vector<const ContractFile*> found;
  const bool of_requests = protocol.ends_with(kUpstreamSide);
  for (const ContractFile& file : *files_) {
    const bool beside = of_requests ? file.contract == kUpstream
                                    : is_for_every_protocol(file.contract) && !is_of_evidence(protocol);
    if (beside || protocol_of(file) == protocol) found.push_back(&file);
  }
  return found;
}

const std::map<std::string, observe::LossPolicy>& Contracts::losses(const std::string& upstream,
                                                                    const std::string& client) const {
  static const std::map<std::string, observe::LossPolicy> kNone;
  const auto found = lossy_->find({upstream, client});
  return found == lossy_->end() ? kNone : found->second;
}

observe::DataKind Contracts::data_kind(std::string_view protocol) const {
  for (const ContractFile& file : *files_) {
    if (file.text_data && protocol_of(file) == protocol) return observe::DataKind::text;
  }
  return {true, marks_};
}

std::optional<std::string> Contracts::recognise(const observe::Trace& trace) const {
  observe::TraceStream stream(trace);
  return recognise(stream);
}

std::optional<std::string> Contracts::recognise(observe::EventStream& stream) const {
  std::map<const ContractFile*, std::size_t> matches;
  for (const ContractFile& file : *files_) {
    if (!file.recognised.empty()) matches[&file] = 0;
  }
  const auto fails = [this](const observe::Event& event) {
    return std::any_of(files_->begin(), files_->end(), [&event](const ContractFile& file) {
      return std::any_of(file.error.begin(), file.error.end(),
                         [&](std::size_t id) { return belongs(event, file.alphabet, id); });
    });
  };
  std::size_t counting = 0;
  for (std::size_t number = 0; const auto window = stream.window(number); ++number) {
    for (const observe::Event& event : window->events) {
      bool known = false;
      for (auto& [file, count] : matches) {
        const std::vector<std::size_t>& classes = file->recognised;
        const auto is_known = [&event, &alphabet = file->alphabet](std::size_t id) {
          return belongs(event, alphabet, id);
        };
        if (std::none_of(classes.begin(), classes.end(), is_known)) continue;
        known = true;
        ++count;
      }
      const bool mark = std::find(marks_.begin(), marks_.end(), event.data) != marks_.end();
      if (known || (!mark && !fails(event))) ++counting;
    }
  }
  std::optional<std::string> best;
  std::size_t most = counting / 2;
  for (const auto& [file, count] : matches) {
    if (count == most) best.reset();
    if (count <= most) continue;
    most = count;
    best = protocol_of(*file);
  }
  return best;
}

std::vector<std::size_t> Contracts::response_begins(std::string_view protocol,
                                                    const observe::Trace& trace) const {
  observe::TraceStream stream(trace);
  std::vector<std::size_t> begins;
  each_response(protocol, stream, [&begins](std::size_t event, bool) { begins.push_back(event); });
  return begins;
}

void Contracts::each_response(std::string_view protocol, observe::EventStream& stream,
                              const std::function<void(std::size_t, bool)>& begins) const {
  struct Marks {
    bool opens = false;
    bool succeeds = false;
    bool fails = false;
  };
  std::vector<std::pair<const ContractFile*, Reading>> readings;
  for (const ContractFile* file : files_for(protocol)) {
    if (file->begins.empty() && file->success.empty() && file->error.empty()) continue;
    readings.emplace_back(file, Reading(file->alphabet, stream, Ended::complete));
  }
  Marks before;
  std::size_t number = 0;
  for (; const auto window = stream.window(number); ++number) {
    std::vector<Marks> marks(window->events.size());
    for (auto& [file, reading] : readings) {
      reading.read(*window);
      for (std::size_t i = reading.begin(); i < reading.end(); ++i) {
        Marks& here = marks[reading.subject(i).event - window->first];
        here.opens = here.opens || any_of_classes(reading, i, file->begins);
        here.succeeds = here.succeeds || any_of_classes(reading, i, file->success);
        here.fails = here.fails || any_of_classes(reading, i, file->error);
      }
    }
    if (number == 0) begins(0, !marks.empty() && marks.front().opens);
    for (std::size_t i = 0; i < marks.size(); ++i) {
      if (((before.succeeds || before.fails) && marks[i].opens) || (before.succeeds && marks[i].fails)) {
        begins(window->first + i, marks[i].opens);
        before = {};
      }
      before.succeeds = before.succeeds || marks[i].succeeds;
      before.fails = before.fails || marks[i].fails;
    }
  }
  if (number == 0) begins(0, false);
}

std::vector<observe::Trace> Contracts::split_responses(std::string_view protocol,
                                                       observe::Trace trace) const {
  const std::vector<std::size_t> begins = response_begins(protocol, trace);
  std::vector<observe::Trace> responses;
  for (std::size_t k = 0; k < begins.size(); ++k) {
    const std::size_t end = k + 1 < begins.size() ? begins[k + 1] : trace.events.size();
    observe::Trace& response = responses.emplace_back();
    response.first_event = trace.first_event + begins[k];
    for (std::size_t i = begins[k]; i < end; ++i) response.events.push_back(std::move(trace.events[i]));
  }
  responses.back().message_end = trace.message_end;
  return responses;
}

}  // namespace splitproof::contract
