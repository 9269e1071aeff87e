#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <iostream>
#include <optional>
#include <system_error>

#include "harness/cli/commands.hpp"
#include "harness/cli/distiller.hpp"
#include "harness/cli/exit_code.hpp"
#include "harness/cli/nearest.hpp"
#include "harness/cli/sources.hpp"
#include "harness/dialect/registry.hpp"
#include "harness/import/importer.hpp"
#include "harness/import/to_recording.hpp"
#include "harness/recording/corpus.hpp"
#include "harness/recording/recording.hpp"
#include "harness/report/summary.hpp"

namespace splitproof::cli {
namespace {

struct ImportCommand {
  std::vector<std::string> what;  ///< [KIND] FILE, or map MAPPING FILE.
  std::string protocol;
  std::string out;
  std::string chunks;    ///< Sizes, separated by commas.
  std::string request;   ///< File with the client request.
  bool replace = false;  ///< Overwrite an existing recording.
  bool distil = false;   ///< Write only the recordings that differ.
};

std::vector<std::string> kinds() {
  std::vector<std::string> names;
  for (const imports::Importer& importer : imports::importers()) names.emplace_back(importer.kind);
  return names;
}

// Reads the file by the named importer, or by the one that recognises it.
Result<imports::ImportedFile> read_import(const ImportCommand& command) {
  const std::string kind = command.what.size() > 1 ? command.what.front() : "";
  const std::size_t most = kind == "map" ? 3 : 2;
  if (command.what.size() > most) {
    return tl::unexpected(Error{"import takes one file, not " + std::to_string(command.what.size() - 1),
                                {},
                                0,
                                "import each file by itself"});
  }
  const imports::Importer* importer = imports::importer_of(kind);
  std::error_code ignored;
  if (importer == nullptr && std::filesystem::exists(kind, ignored))
    return tl::unexpected(Error{"import takes one file, not 2", {}, 0, "import each file by itself"});
  if (importer == nullptr && !kind.empty()) {
    const auto near = nearest(kind, kinds());
    return tl::unexpected(
        Error{"there is no kind '" + kind + "'" + (near ? ", did you mean " + *near + "?" : ""),
              {},
              0,
              fmt::format("use one of: {}", fmt::join(kinds(), ", "))});
  }
  const Framing framing = dialect::format_of(command.protocol).framing;
  if (kind == "sse" || kind == "aws") {
    const bool is_aws = framing == Framing::aws_frames;
    if (is_aws != (kind == "aws")) {
      return tl::unexpected(
          Error{"a body of " + command.protocol + (is_aws ? " is" : " is not") + " an AWS event stream",
                {},
                0,
                is_aws ? "use splitproof import aws" : "use splitproof import sse"});
    }
  }
  if (kind == "json-lines" && framing != Framing::json_lines) {
    return tl::unexpected(Error{"a body of " + command.protocol + " is not in JSON lines",
                                {},
                                0,
                                "leave out the kind, so that the format is recognised"});
  }
  auto source = imports::open_source(command.what.back());
  if (!source) return tl::unexpected(source.error());
  source->framing = framing;
  if (command.what.size() == 3) source->mapping = command.what[1];
  if (!command.chunks.empty()) {
    const auto sizes = imports::parse_chunk_sizes(command.chunks);
    if (!sizes) return tl::unexpected(sizes.error());
    source->chunk_sizes = *sizes;
  }
  return imports::read_with(importer, *source);
}

// Returns the path of each recording, or an Error if one cannot be written.
Result<std::vector<std::string>> paths_of(const ImportCommand& command, std::size_t count) {
  const std::filesystem::path file(command.what.back());
  const std::string stem =
      file == "-" ? "stdin" : (file.has_filename() ? file : file.parent_path()).stem().string();
  if (!recording::can_be_id(stem))
    return tl::unexpected(
        Error{"the file's name cannot be part of a case id", file.string(), 0, recording::kNameOfRecording});
  std::vector<std::string> paths;
  for (std::size_t i = 1; i <= count; ++i) {
    const std::string id = count == 1 ? stem : fmt::format("{}-{:04}", stem, i);
    paths.push_back((std::filesystem::path(command.out) / (id + std::string(recording::kSuffix))).string());
    std::error_code ignored;
    if (!command.replace && std::filesystem::exists(paths.back(), ignored))
      return tl::unexpected(Error{"exists already", paths.back(), 0, "rename the capture, or add --replace"});
  }
  return paths;
}

// Leaves out streams of other protocols. If all are, returns the protocol of the first.
std::optional<std::string> keep_streams_of(const std::string& protocol, const contract::Contracts& contracts,
                                           imports::ImportedFile& found) {
  std::optional<std::string> first;
  std::erase_if(found.streams, [&](const imports::ImportedResponse& response) {
    observe::BodyStream stream(response.body, contracts.data_kind({}));
    const auto other = contracts.recognise(stream);
    if (!other || *other == protocol) return false;
    if (!first) first = other;
    found.left.push_back("a stream of " + *other + (response.place.empty() ? "" : " in " + response.place));
    return true;
  });
  return found.streams.empty() ? first : std::nullopt;
}

// Saves only the recordings that differ from each other. `save` returns the line about one.
int save_distilled(const std::vector<recording::Recording>& recordings, const std::vector<std::string>& paths,
                   const std::function<Result<std::string>(std::size_t)>& save) {
  auto distiller = Distiller::make();
  if (!distiller) return complain(distiller.error());
  for (std::size_t i = 0; i < recordings.size(); ++i) distiller->add(paths[i], recordings[i]);
  const std::vector<record::KeptRecording> kept = distiller->choose();
  for (const record::KeptRecording& one : kept) {
    const auto saved = save(one.candidate);
    if (!saved) return complain(saved.error());
    std::cout << *saved << "  " << features_added_by(one) << "\n";
  }
  std::cout << "splitproof: " << distiller->total_of(kept) << "\n";
  return kConforms;
}

int import(const ImportCommand& command) {
  auto found = read_import(command);
  if (!found) return complain(found.error());
  const dialect::UpstreamDialect* upstream = dialect::upstream_of(command.protocol);
  if (upstream != nullptr && framing_of(upstream->format().framing, {}) == Framing::sse) {
    const auto contracts = load_contracts({});
    if (!contracts) return complain(contracts.error());
    if (const auto other = keep_streams_of(command.protocol, *contracts, *found))
      return complain(Error{"has a stream of " + *other + ", not of " + command.protocol, command.what.back(),
                            0, "use --protocol " + *other});
  }
  report_wrapper(command.what.back(), *found);
  if (!command.request.empty() && found->streams.size() > 1) {
    return complain(Error{"has several streams, and --request names the request of one", command.what.back(),
                          0, "remove --request"});
  }
  const auto paths = paths_of(command, found->streams.size());
  if (!paths) return complain(paths.error());
  imports::RecordingHead head;
  head.protocol = command.protocol;
  head.request_file = command.request;
  head.content_type = upstream == nullptr ? "text/event-stream" : std::string(upstream->content_type());
  std::vector<recording::Recording> recordings;
  for (std::size_t i = 0; i < paths->size(); ++i) {
    const imports::ImportedResponse& response = found->streams[i];
    head.id = std::filesystem::path((*paths)[i]).filename().string();
    head.id.resize(head.id.size() - recording::kSuffix.size());
    auto recording = imports::recording_of(response, found->wrapper, head, command.what.back());
    if (!recording) return complain(recording.error());
    if (const auto known = check_recording(*recording); !known) return complain(known.error());
    recordings.push_back(*std::move(recording));
  }
  const auto save = [&](std::size_t i) -> Result<std::string> {
    const imports::ImportedResponse& response = found->streams[i];
    return recording::save(recordings[i], (*paths)[i]).map([&] {
      return fmt::format("{}  {}, {}, segments: {}{}", (*paths)[i],
                         report::counted(response.body.size(), "byte"),
                         report::counted(response.arrivals.size(), "chunk"), name(response.segments),
                         response.place.empty() || recordings.size() == 1 ? "" : ", " + response.place);
    });
  };
  if (command.distil) return save_distilled(recordings, *paths, save);
  for (std::size_t i = 0; i < recordings.size(); ++i) {
    const auto saved = save(i);
    if (!saved) return complain(saved.error());
    std::cout << *saved << "\n";
  }
  return kConforms;
}

void add_options(Options& options, ImportCommand& import) {
  options
      .texts(
          "FILE", import.what,
          fmt::format(
              "the file, or a kind and the file, if its format is not recognised: {}. A mapping file follows the kind map",
              fmt::join(kinds(), ", ")))
      .required();
  options.text("--protocol", import.protocol, "protocol of the streams").required().type("P");
  options
      .text("--out", import.out,
            "folder for the recordings, STEM.rec.jsonl, or STEM-0001.rec.jsonl of several")
      .required()
      .type("DIR");
  options
      .text("--chunks", import.chunks, "sizes of the chunks in which a raw body arrived, separated by commas")
      .type("SIZES");
  options.flag("--replace", import.replace, "replace an existing recording of the same name");
  options.flag("--distil", import.distil,
               "of several streams, write only those that differ in rules, seams and shapes");
  options.text("--request", import.request, "file with the request of this response, as JSON").type("FILE");
}

}  // namespace

const Command kImport = {"import", "Turn captured streams into recordings",
                         "splitproof import capture.har --protocol openai.chat --out corpus/openai.chat",
                         adding(add_options, import)};

}  // namespace splitproof::cli
