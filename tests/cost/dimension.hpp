#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "proxy/translator.hpp"

/// Inputs that grow in one way each, to measure the proxy's cost.
namespace splitproof::cost {

/// One way in which an input grows.
struct Dimension {
  std::string name;
  std::size_t size = 0;  ///< at which the growing part dominates the cost
  /// Returns the input of a protocol; empty if the protocol has no such thing.
  std::function<std::string(const std::string& protocol, std::size_t size)> make;
  /// Sets the parts of a client's request that a stream depends on; null: none.
  std::function<void(TranslatorOptions& options, std::size_t size)> prepare = nullptr;
};

/// Returns requests, by the client's protocol.
const std::vector<Dimension>& requests();

/// Returns bodies, by the upstream's protocol.
const std::vector<Dimension>& streams();

/// Returns `text` repeated.
inline std::string repeated(std::string_view text, std::size_t times) {
  std::string all;
  for (; times > 0; --times) all += text;
  return all;
}

/// Returns the joined results of `one` for 0, 1, 2 and so on.
template <class One>
std::string each(std::size_t size, std::string_view between, One one) {
  std::string all;
  for (std::size_t i = 0; i < size; ++i) all.append(i == 0 ? "" : between).append(one(i));
  return all;
}

inline std::string number(std::size_t i) { return std::to_string(i); }

/// Returns the id of a call.
inline std::string id(std::size_t i) { return "call_" + number(i); }

/// Returns a dimension that adds to an input, a Request or a Stream, for 0, 1, 2 and so on.
template <class Input, class Add>
Dimension growing(std::string name, std::size_t size, Add add) {
  return {std::move(name), size, [add](const std::string& protocol, std::size_t n) {
            Input input(protocol);
            for (std::size_t i = 0; i < n; ++i) add(input, i);
            return input.body();
          }};
}

/// Returns a dimension whose input is made at once; none if `make` returns false.
template <class Input, class Make>
Dimension made(std::string name, std::size_t size, Make make) {
  return {std::move(name), size, [make](const std::string& protocol, std::size_t n) {
            Input input(protocol);
            return make(input, n) ? input.body() : std::string();
          }};
}

}  // namespace splitproof::cost
