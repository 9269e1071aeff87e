#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/contract/lossy.hpp"
#include "harness/contract/name_maps.hpp"
#include "harness/contract/obligation.hpp"
#include "harness/observe/event_stream.hpp"
#include "harness/result.hpp"

namespace splitproof::contract {

struct ContractFile;

/// The contract about properties that only the HTTP message shows. It judges separate traces
/// (evidence/transport_trace.hpp) of testees over HTTP, for every protocol.
inline constexpr std::string_view kTransport = "transport";

/// The contract about libraries that read event streams. It judges separate traces (evidence/reader_trace.hpp) of
/// testees that report events.
inline constexpr std::string_view kLibrary = "library";

/// The contract about clients that read a stream and report the answer. It judges separate traces
/// (evidence/answer_trace.hpp).
inline constexpr std::string_view kSdk = "sdk";

/// True for a contract whose events are made from evidence, and not from a stream.
constexpr bool is_of_evidence(std::string_view contract) {
  return contract == kTransport || contract == kLibrary || contract == kSdk;
}

/// The contracts in force: files of rules, loaded once, compiled, immutable. Copies share them; pointers to
/// obligations are valid as long as any copy exists. Thread-safe.
class Contracts {
 public:
  /// Loads every `*.yaml` in each folder, without subfolders, by folder and file name; and kLossyFile
  /// separately. Several files with separate classes may belong to one contract, so that users can add rules.
  /// Only one file of a contract may set `data`, `ends`, `begins` or `recognised`. The Error names the file,
  /// the line and a fix. Folders without contracts, folders given twice and duplicate ids are errors. So are
  /// a falsifier that trips an unknown rule, a `profile:` condition on a value that `profiles/default.yaml`
  /// does not list, and every mistake in the language.
  static Result<Contracts> load(const std::vector<std::filesystem::path>& dirs);

  /// Returns all obligations, in the order of the files.
  std::vector<const Obligation*> obligations() const;

  /// Returns the obligation with that id, or null.
  const Obligation* find(std::string_view id) const;

  /// Returns the protocols with contracts: "a.b" for `a.b.downstream`, and "sse". Contracts of
  /// evidence are omitted, because they have no stream format.
  std::vector<std::string> protocols() const;

  /// Returns the files for a protocol, in their order: `sse` and `text` for all, `P.downstream` for P. For a
  /// contract of evidence it returns only that contract's files.
  std::vector<const ContractFile*> files_for(std::string_view protocol) const;

  /// Returns the fate of each kind of content of an upstream's answer, for clients of a protocol. Empty if
  /// both protocols are equal or no row names them.
  const std::map<std::string, observe::LossPolicy>& losses(const std::string& upstream,
                                                           const std::string& client) const;

  /// Returns the maps of tool names for renaming proxies, by name. They are valid as long as any copy exists.
  const observe::NameMaps& name_maps() const { return *name_maps_; }

  /// Returns how to read a protocol's traces: the key `data` of its contract, or json. For `{}` the protocol
  /// is unknown. Data that a class of any contract names completely (`"@data": TEXT`) is a mark if it is not
  /// JSON.
  observe::DataKind data_kind(std::string_view protocol) const;

  /// Returns the protocol of a trace (read as json). It has the most events of its `recognised` class, and
  /// more than half of the events that count. Marks and errors (any contract's `ends: error`) do not count,
  /// because protocols share them. Returns nullopt for ties.
  std::optional<std::string> recognise(const observe::Trace& trace) const;
  std::optional<std::string> recognise(observe::EventStream& stream) const;

  /// Returns where the responses of a trace begin, one index for each. The first begins at the first event,
  /// others at the first opening event (`begins`) after a terminal one (`ends`). An error after a successful
  /// end also begins a response, which failed at once.
  std::vector<std::size_t> response_begins(std::string_view protocol, const observe::Trace& trace) const;

  /// Calls `begins` with each index, in their order, after its window was read. `opens` is true for an
  /// opening event. It is false if the stream begins otherwise or the response is only an error.
  void each_response(std::string_view protocol, observe::EventStream& stream,
                     const std::function<void(std::size_t event, bool opens)>& begins) const;

  /// Cuts a trace into one for each response. Byte ranges and event numbers stay the same. The end of the
  /// message belongs to the last response.
  std::vector<observe::Trace> split_responses(std::string_view protocol, observe::Trace trace) const;

 private:
  std::shared_ptr<const std::vector<ContractFile>> files_;
  std::shared_ptr<const Lossy> lossy_;
  std::shared_ptr<const observe::NameMaps> name_maps_;
  std::vector<std::string> marks_;  ///< Marks of observe::DataKind, for all protocols.
};

}  // namespace splitproof::contract
