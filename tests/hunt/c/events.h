/* Reads server-sent events, and finds the place in an event at which a chunk ends. */
#ifndef HUNT_EVENTS_H
#define HUNT_EVENTS_H

#include <stddef.h>

enum place { BETWEEN, FIELD, BLANK, OTHER, NUMBER, KEY, STRING, ESCAPE, CHARACTER };

/* The parts of an event that bugs look at. */
struct event {
  char type[48]; /* "response.output_text.delta" */
  int index;     /* output_index, or -1 */
  int has_text;  /* its `delta` is not empty */
  int is_again;  /* the same bytes as the event before */
  int is_broken; /* its data is no object */
};

/* The end of a chunk. */
struct cut {
  enum place where;
  char key[32];  /* the last member's name */
  size_t size;   /* bytes since the string began */
  size_t length; /* bytes of the chunk */
  int events;    /* events that the chunk completed */
};

/* Returns the size of the first whole event in these bytes, with its blank line, or 0. */
size_t whole_event(const char* bytes, size_t size);

/* Reads an event. `before` is the event before it, of `before_size` bytes. */
struct event read_event(const char* bytes, size_t size, const char* before, size_t before_size);

/* Fills in the place after the bytes so far of an unfinished event. */
void find_place(const char* bytes, size_t size, struct cut* cut);

#endif
