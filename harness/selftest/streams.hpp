#pragma once

#include <string>
#include <vector>

namespace splitproof::selftest {

/// A downstream body to change.
struct Stream {
  std::string protocol;
  std::string name;  ///< Its source: a recording's id, or a control's path.
  std::string body;
};

/// Returns the property of a stream that decides about its changes: the classes of its events in order, with
/// at most two of a run of equal ones. Streams that differ only in words and lengths have the same shape.
std::string shape_of(const Stream& stream);

/// Returns the shortest stream of each protocol and shape, the first of equals, in order. The others would be
/// changed in the same places.
std::vector<Stream> one_of_each_shape(const std::vector<Stream>& streams);

}  // namespace splitproof::selftest
