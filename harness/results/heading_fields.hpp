#pragma once

#include <cstddef>
#include <string_view>

#include "harness/contract/clients.hpp"
#include "harness/results/fields.hpp"
#include "harness/results/plan.hpp"
#include "harness/results/run.hpp"

namespace splitproof::results {

// The members of the plan, of the clients and of tries, for run_fields.hpp.

template <>
struct Names<contract::Reaction> {
  static constexpr std::size_t kCount = 3;
  static std::string_view of(contract::Reaction reaction) { return contract::name(reaction); }
};
template <>
struct Fields<contract::ClientProgram> {
  static void each(auto& io) {
    io("id", &contract::ClientProgram::id);
    io("name", &contract::ClientProgram::name);
    io("version", &contract::ClientProgram::version);
    io("run", &contract::ClientProgram::run);
    io("tried", &contract::ClientProgram::tried);
  }
};
template <>
struct Fields<contract::ClientReaction> {
  static void each(auto& io) {
    io("client", &contract::ClientReaction::client);
    io("reaction", &contract::ClientReaction::reaction);
    io("says", &contract::ClientReaction::says);
  }
};
template <>
struct Fields<contract::ClientViolation> {
  static void each(auto& io) {
    io("obligation", &contract::ClientViolation::obligation);
    io("says", &contract::ClientViolation::says);
  }
};
template <>
struct Fields<contract::ClientStream> {
  static void each(auto& io) {
    io("protocol", &contract::ClientStream::protocol);
    io("name", &contract::ClientStream::name);
    io("says", &contract::ClientStream::says);
    io("violates", &contract::ClientStream::violates);
    io("does", &contract::ClientStream::does);
  }
};
template <>
struct Fields<contract::Clients> {
  static void each(auto& io) {
    io("programs", &contract::Clients::programs);
    io("streams", &contract::Clients::streams);
  }
};
template <>
struct Fields<Plan> {
  static void each(auto& io) {
    io("version", &Plan::version);
    io("corpus", &Plan::corpus);
    io("contracts", &Plan::contracts);
    io("profile", &Plan::profile);
    io("options", &Plan::options);
    io("seed", &Plan::seed);
    io("shards", &Plan::shards);
    io("targets", &Plan::targets);
  }
};
template <>
struct Fields<Tries> {
  static void each(auto& io) {
    io("violated", &Tries::violated);
    io("of", &Tries::of);
  }
};

}  // namespace splitproof::results
