/* Seeded bugs of the relay, which tests/hunt/bugs.json describes. */
#ifndef HUNT_BUGS_H
#define HUNT_BUGS_H

#include "events.h"

#define FIRST_BUG 28
#define BUGS 13

/* What a bug does to the next event. */
enum effect { NOTHING, LOSE, TWICE, GARBLE, CRASH };

/* The memory of a bug in one exchange. */
struct state {
  int stage;
  int index;
  size_t length;
};

/* Takes the next step of an exchange: an event that is whole, or the end of a chunk. The other one is null. */
typedef enum effect (*bug)(struct state* state, const struct event* event, const struct cut* cut);

/* Bug number FIRST_BUG + i is bugs[i]. */
extern const bug bugs[BUGS];

#endif
