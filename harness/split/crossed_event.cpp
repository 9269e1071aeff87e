#include "harness/split/crossed_event.hpp"

#include <zlib.h>

#include <algorithm>

#include "harness/recording/base64.hpp"

namespace splitproof::split {
namespace {

// zlib looks back so far.
constexpr std::size_t kMostDictionary = 32768;

// zlib's interface has no const.
Bytef* bytes_of(std::string_view text) {
  return const_cast<Bytef*>(reinterpret_cast<const Bytef*>(text.data()));
}

std::string_view dictionary_of(std::string_view body) {
  return body.substr(body.size() - std::min(body.size(), kMostDictionary));
}

std::string named(std::string word) {
  while (!word.empty() && word.back() == '=') word.pop_back();
  for (char& c : word) c = c == '+' ? '-' : c == '/' ? '_' : c;
  return word;
}

std::string padded(std::string_view name) {
  std::string word(name);
  for (char& c : word) c = c == '-' ? '+' : c == '_' ? '/' : c;
  while (word.size() % 4 != 0) word += '=';
  return word;
}

}  // namespace

std::string crossed_word(std::string_view event, std::string_view body) {
  const std::string_view dictionary = dictionary_of(body);
  z_stream stream{};
  if (deflateInit(&stream, Z_BEST_COMPRESSION) != Z_OK) return {};
  if (!dictionary.empty())
    deflateSetDictionary(&stream, bytes_of(dictionary), static_cast<uInt>(dictionary.size()));
  std::string packed(deflateBound(&stream, static_cast<uLong>(event.size())) + 16, '\0');
  stream.next_in = bytes_of(event);
  stream.avail_in = static_cast<uInt>(event.size());
  stream.next_out = bytes_of(packed);
  stream.avail_out = static_cast<uInt>(packed.size());
  const int ended = deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return ended == Z_STREAM_END ? named(recording::to_base64(packed)) : std::string();
}

std::optional<std::string> crossed_event(std::string_view word, std::string_view body) {
  const auto packed = recording::from_base64(padded(word));
  if (!packed || named(recording::to_base64(*packed)) != word) return std::nullopt;
  const std::string_view dictionary = dictionary_of(body);
  z_stream stream{};
  stream.next_in = bytes_of(*packed);
  stream.avail_in = static_cast<uInt>(packed->size());
  if (inflateInit(&stream) != Z_OK) return std::nullopt;
  std::string event(kMostCrossed, '\0');
  stream.next_out = bytes_of(event);
  stream.avail_out = static_cast<uInt>(event.size());
  int ended = inflate(&stream, Z_FINISH);
  if (ended == Z_NEED_DICT &&
      inflateSetDictionary(&stream, bytes_of(dictionary), static_cast<uInt>(dictionary.size())) == Z_OK)
    ended = inflate(&stream, Z_FINISH);
  event.resize(stream.total_out);
  const bool whole = ended == Z_STREAM_END && stream.avail_in == 0;
  inflateEnd(&stream);
  return whole ? std::optional(std::move(event)) : std::nullopt;
}

}  // namespace splitproof::split
