#pragma once

#include <string>
#include <vector>

namespace splitproof::selftest {

/// A downstream body to make changes of.
struct Stream {
  std::string protocol;
  std::string name;  ///< where it comes from: a recording's id, or a control's path
  std::string body;
};

/// What of a stream decides which changes there are: the classes of its events in order, of a run of equal ones the first
/// two. Equal for streams that differ in words and lengths only.
std::string shape_of(const Stream& stream);

/// Of the streams of each protocol and shape the shortest, of equals the first, in their order: the others would be
/// changed in the same places.
std::vector<Stream> one_of_each_shape(const std::vector<Stream>& streams);

}  // namespace splitproof::selftest
