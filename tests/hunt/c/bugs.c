#include "bugs.h"

#include <string.h>

static int is(const struct event* event, const char* type) { return strcmp(event->type, type) == 0; }

static int is_delta(const struct event* event) {
  const size_t length = strlen(event->type);
  return length > 6 && strcmp(event->type + length - 6, ".delta") == 0;
}

/* Text after an escape in pieces is counted from the wrong place, if chunks of 3, 2 and 4 bytes and a blank line follow. */
static enum effect bug_28(struct state* state, const struct event* event, const struct cut* cut) {
  if (event != NULL) return NOTHING;
  const int stage = state->stage;
  state->stage = 0;
  if (cut->where == ESCAPE) {
    state->stage = 1;
  } else if (stage == 1) {
    if (cut->length == 3) {
      state->stage = 2;
    }
  } else if (stage == 2) {
    if (cut->length == 2) {
      state->stage = 3;
    }
  } else if (stage == 3) {
    if (cut->length == 4) {
      state->stage = 4;
    }
  } else if (stage == 4) {
    if (cut->where == BLANK) {
      return LOSE;
    }
  }
  return NOTHING;
}

/* Two characters in pieces in two deltas share a buffer, if each delta ended its chunk. */
static enum effect bug_29(struct state* state, const struct event* event, const struct cut* cut) {
  if (event != NULL) return NOTHING;
  if (cut->where == CHARACTER) {
    if (state->stage == 0) {
      state->stage = 1;
    } else if (state->stage == 2) {
      state->stage = 3;
    }
  } else if (cut->where == BETWEEN && cut->events == 1) {
    if (state->stage == 1) {
      state->stage = 2;
    } else if (state->stage == 3) {
      state->stage = 0;
      return TWICE;
    }
  } else {
    state->stage = 0;
  }
  return NOTHING;
}

/* An item that is added twice keeps its old index, which the next index in pieces and the next repeated delta reveal. */
static enum effect bug_30(struct state* state, const struct event* event, const struct cut* cut) {
  if (cut != NULL) {
    if (state->stage == 1) {
      if (strcmp(cut->key, "output_index") == 0) {
        if (cut->where == NUMBER) {
          state->stage = 2;
        }
      }
    }
    return NOTHING;
  }
  if (is(event, "response.output_item.added")) {
    if (event->is_again) {
      state->stage = 1;
    }
  } else if (state->stage == 2) {
    if (is_delta(event)) {
      if (event->is_again) {
        state->stage = 0;
        return LOSE;
      }
    }
  }
  return NOTHING;
}

/* A delta that begins a chunk is joined with the text before, after an escape in pieces, 3 bytes, a field's name in pieces, and
 * a long chunk that ends in a key. */
static enum effect bug_31(struct state* state, const struct event* event, const struct cut* cut) {
  if (event != NULL) return NOTHING;
  if (state->stage == 0) {
    if (cut->where == STRING && strcmp(cut->key, "delta") == 0) {
      if (cut->size == 0) {
        state->stage = 1;
      }
    }
  } else if (state->stage == 1) {
    state->stage = 0;
    if (cut->where == ESCAPE) {
      state->stage = 2;
    }
  } else if (state->stage == 2) {
    state->stage = 0;
    if (cut->length == 3) {
      if (cut->where == STRING) {
        state->stage = 3;
      }
    }
  } else if (state->stage == 3) {
    state->stage = 0;
    if (cut->where == FIELD) {
      state->stage = 4;
    }
  } else {
    state->stage = 0;
    if (cut->where == KEY && cut->length > 20) {
      return GARBLE;
    }
  }
  return NOTHING;
}

/* An event that is no object, and then a delta that comes twice, free the item; cuts in a key and in a number use it again. */
static enum effect bug_32(struct state* state, const struct event* event, const struct cut* cut) {
  if (cut != NULL) {
    if (state->stage == 2) {
      if (cut->where == KEY) {
        if (cut->size == 2) {
          state->stage = 3;
        }
      }
    } else if (state->stage == 3) {
      state->stage = 2;
      if (cut->where == NUMBER) {
        state->stage = 0;
        return CRASH;
      }
    }
    return NOTHING;
  }
  if (event->is_broken) {
    state->stage = 1;
  } else if (state->stage == 1) {
    if (is_delta(event)) {
      if (event->is_again) {
        state->stage = 2;
      }
    }
  }
  return NOTHING;
}

/* A done text before its delta is taken for the text, if two more chunks are equally long. */
static enum effect bug_33(struct state* state, const struct event* event, const struct cut* cut) {
  if (event != NULL) {
    if (is(event, "response.output_text.done")) {
      state->stage = 1;
    } else if (is(event, "response.output_text.delta")) {
      if (state->stage == 1) {
        state->stage = 2;
      }
    }
    return NOTHING;
  }
  if (state->stage == 2) {
    if (cut->length > 4) {
      if (cut->length == state->length) {
        state->stage = 3;
      }
    }
  } else if (state->stage == 3) {
    if (cut->length > 20 && cut->where == BLANK) {
      state->stage = 0;
      return TWICE;
    }
  }
  state->length = cut->length;
  return NOTHING;
}

/* Five chunks of the lengths 6, 5, 4, 3, 2, and a field's name in pieces, walk off the end of a table. */
static enum effect bug_34(struct state* state, const struct event* event, const struct cut* cut) {
  if (event != NULL) return NOTHING;
  const int stage = state->stage;
  state->stage = 0;
  if (cut->length == 6) {
    state->stage = 1;
  } else if (stage == 1) {
    if (cut->length == 5) {
      state->stage = 2;
    }
  } else if (stage == 2) {
    if (cut->length == 4) {
      state->stage = 3;
    }
  } else if (stage == 3) {
    if (cut->length == 3) {
      state->stage = 4;
    }
  } else if (stage == 4) {
    if (cut->length == 2) {
      state->stage = 5;
    }
  } else if (stage == 5) {
    if (cut->where == FIELD) {
      return LOSE;
    }
  }
  return NOTHING;
}

/* A delta of an older item while a newer one is open goes to the newer one, if a type, an index and a blank line are cut. */
static enum effect bug_35(struct state* state, const struct event* event, const struct cut* cut) {
  if (event != NULL) {
    if (is(event, "response.output_item.added")) {
      if (event->index > 0) {
        state->index = event->index;
      }
    } else if (is_delta(event)) {
      if (event->index < state->index) {
        if (state->stage == 0) {
          state->stage = 1;
        }
      }
    }
    return NOTHING;
  }
  if (state->stage == 1) {
    if (cut->where == STRING && strcmp(cut->key, "type") == 0) {
      if (cut->length > 20) {
        state->stage = 2;
      }
    }
  } else if (state->stage == 2) {
    if (cut->where == NUMBER) {
      if (cut->length > 20) {
        state->stage = 3;
      }
    }
  } else if (state->stage == 3) {
    state->stage = 1;
    if (cut->where == BLANK) {
      return LOSE;
    }
  }
  return NOTHING;
}

/* A part that is done twice, with the second in the same chunk as two more events, is counted twice if the next chunk is
 * short. */
static enum effect bug_36(struct state* state, const struct event* event, const struct cut* cut) {
  if (event != NULL) {
    if (is(event, "response.content_part.done")) {
      if (event->is_again) {
        state->stage = 1;
      }
    }
    return NOTHING;
  }
  if (state->stage == 1) {
    state->stage = 0;
    if (cut->events >= 3) {
      if (cut->where == FIELD) {
        state->stage = 2;
      }
    }
  } else if (state->stage == 2) {
    state->stage = 0;
    if (cut->length == 3) {
      return TWICE;
    }
  }
  return NOTHING;
}

/* Long chunks that end in the sequence numbers of two events that follow one another, and then in a blank line. */
static enum effect bug_37(struct state* state, const struct event* event, const struct cut* cut) {
  if (event != NULL) {
    if (++state->index > 1) {
      state->stage = 0;
    }
    return NOTHING;
  }
  if (state->stage == 2) {
    if (cut->where == BLANK) {
      if (cut->length > 20) {
        state->stage = 0;
        return LOSE;
      }
    }
  }
  if (cut->where == NUMBER && cut->length > 20 && strcmp(cut->key, "sequence_number") == 0) {
    if (state->stage == 1) {
      if (state->index == 1) {
        state->stage = 2;
      }
    } else {
      state->stage = 1;
    }
    state->index = 0;
  }
  return NOTHING;
}

/* A second answer in one stream keeps the usage of the first, if its name is cut. */
static enum effect bug_38(struct state* state, const struct event* event, const struct cut* cut) {
  if (event != NULL) {
    if (is(event, "response.created")) {
      if (state->stage == 1) {
        state->stage = 2;
      } else if (state->stage == 0) {
        state->stage = 1;
      }
    }
    return NOTHING;
  }
  if (state->stage == 2) {
    if (cut->where == FIELD) {
      if (cut->length > 20) {
        state->stage = 3;
      }
    }
  } else if (state->stage == 3) {
    if (cut->where == ESCAPE || cut->where == CHARACTER) {
      if (cut->length > 20) {
        state->stage = 0;
        return GARBLE;
      }
    }
  }
  return NOTHING;
}

/* An empty delta, and a delta that comes twice, make the next chunk of a multiple of 32 bytes fill the buffer. */
static enum effect bug_39(struct state* state, const struct event* event, const struct cut* cut) {
  if (event != NULL) {
    if (is_delta(event)) {
      if (!event->has_text) {
        state->stage = 1;
      } else if (state->stage == 1) {
        if (event->is_again) {
          state->stage = 2;
        }
      }
    }
    return NOTHING;
  }
  if (state->stage == 2) {
    if (cut->length % 32 == 0) {
      state->stage = 0;
      return CRASH;
    }
  }
  return NOTHING;
}

/* A call that is done before its last piece is closed; the piece opens a new one, whose key and value are cut. */
static enum effect bug_40(struct state* state, const struct event* event, const struct cut* cut) {
  if (event != NULL) {
    if (is(event, "response.function_call_arguments.done")) {
      if (state->stage == 0) {
        state->stage = 1;
        state->index = event->index;
      }
    } else if (is(event, "response.function_call_arguments.delta")) {
      if (state->stage == 1) {
        if (event->index == state->index) {
          state->stage = 2;
        }
      }
    }
    return NOTHING;
  }
  if (state->stage == 2) {
    if (cut->where == KEY) {
      if (cut->length > 20) {
        state->stage = 3;
      }
    }
  } else if (state->stage == 3) {
    if (cut->where == STRING) {
      if (cut->length > 20) {
        state->stage = 0;
        return LOSE;
      }
    }
  }
  return NOTHING;
}

const bug bugs[BUGS] = {bug_28, bug_29, bug_30, bug_31, bug_32, bug_33, bug_34,
                        bug_35, bug_36, bug_37, bug_38, bug_39, bug_40};
