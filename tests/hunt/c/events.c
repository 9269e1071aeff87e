#include "events.h"

#include <stdlib.h>
#include <string.h>

size_t whole_event(const char* bytes, size_t size) {
  size_t line = 0;
  for (size_t at = 0; at < size; ++at) {
    if (bytes[at] != '\n') continue;
    if (at == line || (at == line + 1 && bytes[line] == '\r')) return at + 1;
    line = at + 1;
  }
  return 0;
}

/* Returns the bytes behind `name` in an event, or null. */
static const char* behind(const char* bytes, size_t size, const char* name) {
  const size_t length = strlen(name);
  for (size_t at = 0; at + length <= size; ++at)
    if (memcmp(bytes + at, name, length) == 0) return bytes + at + length;
  return NULL;
}

struct event read_event(const char* bytes, size_t size, const char* before, size_t before_size) {
  struct event event = {"", -1, 0, 0, 0};
  const char* const end = bytes + size;
  event.is_again = before_size == size && memcmp(before, bytes, size) == 0;
  const char* data = behind(bytes, size, "data:");
  if (data == NULL) return event;
  const char* last = end;
  while (last > data && (last[-1] == '\n' || last[-1] == '\r')) --last;
  while (data < last && *data == ' ') ++data;
  event.is_broken = data == last || *data != '{' || last[-1] != '}';
  const char* type = behind(data, (size_t)(last - data), "\"type\":\"");
  for (size_t at = 0; type != NULL && type + at < last && type[at] != '"' && at + 1 < sizeof event.type; ++at)
    event.type[at] = type[at];
  const char* index = behind(data, (size_t)(last - data), "\"output_index\":");
  if (index != NULL && index < last) event.index = atoi(index);
  const char* delta = behind(data, (size_t)(last - data), "\"delta\":\"");
  event.has_text = delta != NULL && delta < last && *delta != '"';
  return event;
}

void find_place(const char* bytes, size_t size, struct cut* cut) {
  size_t line = size;
  cut->where = BETWEEN;
  cut->key[0] = '\0';
  cut->size = 0;
  if (size == 0) return;
  while (line > 0 && bytes[line - 1] != '\n') --line;
  cut->where = line == size ? BLANK : FIELD;
  if (size - line < 5 || memcmp(bytes + line, "data:", 5) != 0) return;
  size_t begin = 0; /* of the string around; 0: none */
  size_t word = 0;  /* of the last string */
  size_t word_end = 0;
  int is_value = 0;
  int escape = 0; /* bytes that an escape or a character lacks */
  int more = 0;
  cut->where = OTHER;
  for (size_t at = line + 5; at < size; ++at) {
    const unsigned char byte = (unsigned char)bytes[at];
    if (begin == 0) {
      cut->where = (byte >= '0' && byte <= '9') || byte == '-' ? NUMBER : OTHER;
      if (byte == '"') begin = at;
      if (byte == ':') {
        const size_t length = word_end - word < sizeof cut->key ? word_end - word : sizeof cut->key - 1;
        memcpy(cut->key, bytes + word, length);
        cut->key[length] = '\0';
      }
      if (byte != '"' && byte != ' ') is_value = byte == ':';
    } else if (escape > 0) {
      escape += byte == 'u' && escape == 1 ? 3 : -1;
    } else if (byte == '\\') {
      escape = 1;
    } else if (byte == '"') {
      word = begin + 1;
      word_end = at;
      begin = 0;
    } else if (byte >= 0xC0) {
      more = byte >= 0xF0 ? 3 : byte >= 0xE0 ? 2 : 1;
    } else if (byte >= 0x80) {
      --more;
    }
  }
  if (begin == 0) return;
  cut->size = size - begin - 1;
  cut->where = escape > 0 ? ESCAPE : more > 0 ? CHARACTER : is_value ? STRING : KEY;
}
