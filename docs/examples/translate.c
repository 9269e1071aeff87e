/* A translator as a shared library: docs/without-http.md. It turns the text of Chat Completions streams into Anthropic
 * Messages, and knows no tools, no thinking and no errors.
 *
 * It parses no JSON, because a JSON string can be copied unchanged from one protocol to the other. */
#include <stdlib.h>
#include <string.h>

#include "splitproof_testee.h"

struct exchange {
  const splitproof_host* host;
  char* line; /* the bytes of the current line so far */
  size_t size;
  int started, open, over;
  char input[24], output[24]; /* token counts, as written */
};

static void say(struct exchange* x, const char* text) { x->host->out(x->host->self, text, strlen(text)); }

/* Returns the beginning of a key's value, or null without the key. */
static const char* value_of(const char* json, const char* key) {
  const char* at = strstr(json, key);
  return at ? at + strlen(key) : NULL;
}

/* Returns the number of bytes of a JSON string before its closing quote. */
static size_t string_size(const char* text) {
  size_t size = 0;
  while (text[size] && text[size] != '"') size += text[size] == '\\' && text[size + 1] ? 2 : 1;
  return size;
}

static void keep_count(const char* json, const char* key, char* count) {
  const char* digits = value_of(json, key);
  size_t size = digits ? strspn(digits, "0123456789") : 0;
  if (size == 0 || size >= 24) return;
  memcpy(count, digits, size);
  count[size] = '\0';
}

static void start(struct exchange* x, const char* chunk) {
  const char* model = value_of(chunk, "\"model\":\"");
  if (x->started) return;
  x->started = 1;
  say(x,
      "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"id\":\"msg_example\",\"type\":\"message\","
      "\"role\":\"assistant\",\"model\":\"");
  if (model) x->host->out(x->host->self, model, string_size(model));
  say(x,
      "\",\"content\":[],\"stop_reason\":null,\"stop_sequence\":null,"
      "\"usage\":{\"input_tokens\":0,\"output_tokens\":0}}}\n\n");
}

static void finish(struct exchange* x) {
  if (x->open) say(x, "event: content_block_stop\ndata: {\"type\":\"content_block_stop\",\"index\":0}\n\n");
  say(x,
      "event: message_delta\ndata: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\","
      "\"stop_sequence\":null},\"usage\":{");
  if (x->input[0]) {
    say(x, "\"input_tokens\":");
    say(x, x->input);
    say(x, ",");
  }
  say(x, "\"output_tokens\":");
  say(x, x->output[0] ? x->output : "0");
  say(x, "}}\n\nevent: message_stop\ndata: {\"type\":\"message_stop\"}\n\n");
  x->over = 1;
}

static void take_line(struct exchange* x) {
  const char* text = NULL;
  if (x->over || strncmp(x->line, "data:", 5) != 0) return;
  if (strstr(x->line, "[DONE]")) {
    finish(x);
    return;
  }
  keep_count(x->line, "\"prompt_tokens\":", x->input);
  keep_count(x->line, "\"completion_tokens\":", x->output);
  start(x, x->line);
  text = value_of(x->line, "\"content\":\"");
  if (!text || string_size(text) == 0) return;
  if (!x->open) {
    say(x,
        "event: content_block_start\ndata: {\"type\":\"content_block_start\",\"index\":0,"
        "\"content_block\":{\"type\":\"text\",\"text\":\"\"}}\n\n");
  }
  x->open = 1;
  say(x,
      "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,"
      "\"delta\":{\"type\":\"text_delta\",\"text\":\"");
  x->host->out(x->host->self, text, string_size(text));
  say(x, "\"}}\n\n");
}

/* Returns the number of bytes of a JSON value without blanks. */
static size_t value_size(const char* json) {
  size_t size = 0;
  int depth = 0;
  if (*json != '"' && *json != '{' && *json != '[') return strcspn(json, ",]}");
  do {
    if (json[size] == '"') size += string_size(json + size + 1) + 1;
    if (json[size] == '{' || json[size] == '[') ++depth;
    if (json[size] == '}' || json[size] == ']') --depth;
    ++size;
  } while (depth > 0 && json[size]);
  return size;
}

/* Reports the request to the upstream for a client's request, if its turns are plain text. */
static void ask(const splitproof_host* host, const char* request) {
  static const char kBegin[] = "{\"body\":{";
  static const char kEnd[] = "\"stream\":true,\"stream_options\":{\"include_usage\":true}}}";
  char* json = malloc(strlen(request) + sizeof kBegin + sizeof kEnd + 1);
  const char* member = request + 1;
  if (json == NULL) return;
  memcpy(json, kBegin, sizeof kBegin);
  for (size_t size; *member == '"'; member += size + (member[size] == ',')) {
    const int carried = strncmp(member, "\"model\":", 8) == 0 ||
                        strncmp(member, "\"max_tokens\":", 13) == 0 ||
                        strncmp(member, "\"messages\":", 11) == 0;
    if (!carried && strncmp(member, "\"stream\":true", 13) != 0) break;
    size = string_size(member + 1) + 3;
    size += value_size(member + size);
    if (carried) strncat(strncat(json, member, size), ",", 2);
  }
  if (*member == '}' && strstr(json, "\"content\":[") == NULL) host->ask(host->self, strcat(json, kEnd));
  free(json);
}

unsigned splitproof_abi(void) { return SPLITPROOF_TESTEE_ABI; }

void* splitproof_open(const char* variant, const char* opening, const splitproof_host* host) {
  struct exchange* x = calloc(1, sizeof *x);
  (void)variant;
  if (x == NULL || strstr(opening, "\"upstream\":\"openai.chat\"") == NULL) {
    host->error(host->self, x ? "this reads Chat Completions only" : "out of memory");
    splitproof_close(x);
    return NULL;
  }
  x->host = host;
  ask(host, value_of(opening, "\"request\":"));
  return x;
}

/* A read may end anywhere, so it joins lines first. */
void splitproof_feed(void* exchange, const char* bytes, size_t size) {
  struct exchange* x = exchange;
  char* line = realloc(x->line, x->size + size + 1);
  if (line == NULL) {
    x->host->error(x->host->self, "out of memory");
    return;
  }
  x->line = line;
  for (size_t i = 0; i < size; ++i) {
    const int ends = bytes[i] == '\n';
    x->line[x->size] = ends ? '\0' : bytes[i];
    if (ends) take_line(x);
    x->size = ends ? 0 : x->size + 1;
  }
}

void splitproof_finish(void* exchange, const char* end) {
  struct exchange* x = exchange;
  (void)end;
  if (x->over) return;
  if (x->open) say(x, "event: content_block_stop\ndata: {\"type\":\"content_block_stop\",\"index\":0}\n\n");
  say(x,
      "event: error\ndata: {\"type\":\"error\",\"error\":{\"type\":\"api_error\","
      "\"message\":\"the upstream broke off\"}}\n\n");
}

/* The last two functions are for `splitproof prove`. */
void* splitproof_fork(const void* exchange) {
  const struct exchange* x = exchange;
  struct exchange* copy = malloc(sizeof *copy);
  if (copy == NULL) return NULL;
  *copy = *x;
  if (x->line != NULL && (copy->line = malloc(x->size + 1)) != NULL) memcpy(copy->line, x->line, x->size);
  if (x->line == NULL || copy->line != NULL) return copy;
  free(copy);
  return NULL;
}

size_t splitproof_digest(const void* exchange, void* out, size_t size) {
  const struct exchange* x = exchange;
  const char flags[] = {(char)x->started, (char)x->open, (char)x->over};
  const size_t used = sizeof flags + sizeof x->input + sizeof x->output + x->size;
  char* to = out;
  if (size < used) return used;
  memcpy(to, flags, sizeof flags);
  memcpy(to += sizeof flags, x->input, sizeof x->input);
  memcpy(to += sizeof x->input, x->output, sizeof x->output);
  if (x->size > 0) memcpy(to + sizeof x->output, x->line, x->size);
  return used;
}

void splitproof_close(void* exchange) {
  struct exchange* x = exchange;
  if (x != NULL) free(x->line);
  free(x);
}
