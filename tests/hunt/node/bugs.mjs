// Seeded bugs of the relay. Each is a function of its own state in an exchange and of the next step: an event that is whole,
// or a chunk that has ended (`cut`). It returns what it does to the next event: 'lose', 'twice' or 'garble'. Each needs
// several steps that follow one another. `tests/hunt/bugs.json` describes them.
export const bugs = new Map();

// Text after an escape that a chunk cuts is counted in bytes of the next chunk.
bugs.set(1, (state, {event, cut}) => {
  if (event) return '';
  if (cut.where === 'escape') {
    state.kept = 1;
    return '';
  }
  if (state.kept === 1) {
    state.kept = 0;
    if (cut.length === 3) {
      state.kept = 2;
    }
    return '';
  }
  if (state.kept === 2) {
    state.kept = 0;
    if (cut.where === 'blank') {
      return 'lose';
    }
  }
  return '';
});

// A second character in pieces takes the first one's bytes, if the chunk between them ended an event.
bugs.set(2, (state, {event, cut}) => {
  if (event) return '';
  const was = state.was;
  state.was = 0;
  if (cut.where === 'character') {
    if (was === 2) {
      return 'twice';
    }
    state.was = 1;
    return '';
  }
  if (was === 1) {
    if (cut.where === 'between') {
      state.was = 2;
    }
  }
  return '';
});

// A ping resets the check for repeated events, and the next repeated event is taken for a retry.
bugs.set(3, (state, {event, cut}) => {
  if (event) {
    if (event.type === 'ping') {
      state.pinged = true;
      state.again = false;
      return '';
    }
    if (state.pinged && event.is_again) {
      state.again = true;
    }
    return '';
  }
  if (state.again) {
    if (cut.where === 'name') {
      state.again = false;
      return 'lose';
    }
  }
  return '';
});

// Arguments that begin a chunk are joined with the chunk before, if an escape is cut next, and then a field's name.
bugs.set(4, (state, {event, cut}) => {
  if (event) {
    if (event.block === 'tool_use') state.called = true;
    return '';
  }
  const began = state.began;
  state.began = false;
  if (!state.called) return '';
  if (cut.key === 'partial_json' && cut.where === 'string') {
    if (cut.size === 0) {
      state.began = true;
    }
    return '';
  }
  const escaped = state.escaped;
  state.escaped = false;
  if (began) {
    if (cut.where === 'escape') {
      state.escaped = true;
    }
    return '';
  }
  if (escaped) {
    if (cut.where === 'field' || cut.where === 'name') {
      return 'garble';
    }
  }
  return '';
});

// A block that is stopped twice leaves its index in the table; the next start that is cut in its index takes it.
bugs.set(5, (state, {event, cut}) => {
  if (event) {
    if (event.type === 'content_block_stop') {
      if (event.is_again) {
        state.left = true;
      }
    }
    return '';
  }
  if (state.left) {
    if (cut.key === 'index') {
      if (cut.where === 'number') {
        state.left = false;
        return 'lose';
      }
    }
  }
  return '';
});

// A delta before its block's start is kept until the start, and the next key in pieces overwrites it.
bugs.set(6, (state, {event, cut}) => {
  if (event) {
    if (event.type === 'content_block_start') {
      if (state.early === event.index) {
        state.kept = true;
      }
      state.open = event.index;
    } else if (event.type === 'content_block_delta') {
      if (state.open !== event.index) {
        state.early = event.index;
      }
    }
    return '';
  }
  if (state.kept) {
    if (cut.where === 'key') {
      state.kept = false;
      return 'twice';
    }
  }
  return '';
});

// After an event that is no JSON, the next repeated event is skipped too, if it was one chunk.
bugs.set(7, (state, {event, cut}) => {
  if (cut) {
    if (cut.where === 'between') {
      state.whole = cut.events === 1;
    } else {
      state.whole = false;
    }
    return '';
  }
  if (event.is_broken) {
    state.broken = true;
    return '';
  }
  if (state.broken) {
    if (event.is_again) {
      if (state.whole) {
        state.broken = false;
        return 'lose';
      }
    }
  }
  return '';
});

// The buffer is used again if two chunks are equally long, the next has half of that, and then a key is cut.
bugs.set(8, (state, {event, cut}) => {
  if (event) return '';
  const before = state.length ?? 0;
  state.length = cut.length;
  if (state.same) {
    const half = state.same >> 1;
    state.same = 0;
    if (cut.length === half) {
      state.halved = true;
    }
    return '';
  }
  if (state.halved) {
    state.halved = false;
    if (cut.where === 'key') {
      return 'lose';
    }
  }
  if (cut.length > 8) {
    if (cut.length === before) {
      state.same = cut.length;
    }
  }
  return '';
});

// Usage that comes twice is added up, in the read after a blank line in pieces.
bugs.set(9, (state, {event, cut}) => {
  if (cut) {
    if (cut.where === 'blank') {
      if (state.usage === 1) {
        state.usage = 2;
      }
    }
    return '';
  }
  if (event.type === 'message_delta') {
    if (state.usage === 2) {
      state.usage = 0;
      return 'twice';
    }
    state.usage = 1;
  }
  return '';
});

// Events that come together after a key in pieces fill the buffer, and the next field's name in pieces reads it again.
bugs.set(10, (state, {event, cut}) => {
  if (event) return '';
  const keyed = state.keyed;
  const full = state.full;
  state.keyed = false;
  state.full = false;
  if (full) {
    if (cut.where === 'field') {
      return 'garble';
    }
  }
  if (cut.where === 'key') {
    state.keyed = true;
    return '';
  }
  if (keyed) {
    if (cut.events >= 2) {
      if (cut.length % 16 === 0) {
        state.full = true;
      }
    }
  }
  return '';
});

// An event of an unknown type inside a call is forwarded with the old buffer, if the next event is cut in its data.
bugs.set(11, (state, {event, cut}) => {
  const known = /^(message_(start|delta|stop)|content_block_(start|delta|stop)|ping|error)$/;
  if (event) {
    if (event.block === 'tool_use') {
      state.called = true;
    } else if (event.type === 'content_block_stop') {
      state.called = false;
    }
    state.unknown = false;
    if (state.called) {
      if (!event.is_broken && !known.test(event.type)) {
        state.unknown = true;
      }
    }
    return '';
  }
  if (state.unknown) {
    if (cut.where === 'json' || cut.where === 'string') {
      state.unknown = false;
      return 'lose';
    }
  }
  return '';
});

// A piece without text, and then two equal pieces, are merged if the chunk ends inside the second one's name.
bugs.set(12, (state, {event, cut}) => {
  if (cut) {
    if (state.empty === 2) {
      if (cut.where === 'field') {
        state.empty = 0;
        return 'lose';
      }
    }
    return '';
  }
  if (event.type === 'content_block_delta') {
    if (event.piece === '') {
      state.empty = 1;
    } else if (state.empty === 1) {
      if (event.is_again) {
        state.empty = 2;
      }
    }
  }
  return '';
});

// Two chunks of three bytes in arguments, and then a blank line in pieces, are taken for a chunk header.
bugs.set(13, (state, {event, cut}) => {
  if (event) return '';
  const threes = state.threes ?? 0;
  state.threes = 0;
  if (threes === 2) {
    if (cut.where === 'blank') {
      return 'lose';
    }
  }
  if (cut.key === 'partial_json') {
    if (cut.length === 3) {
      if (threes === 1) {
        state.threes = 2;
      } else {
        state.threes = 1;
      }
    }
  }
  return '';
});

// A block that is never stopped gets the next block's delta again, after a number in pieces.
bugs.set(14, (state, {event, cut}) => {
  if (event) {
    if (event.type === 'content_block_start') {
      if (state.open) {
        state.under = true;
      }
      state.open = true;
    } else if (event.type === 'content_block_stop') {
      state.open = false;
    } else if (state.under === true) {
      if (event.is_again) {
        state.under = 'twice';
      }
    }
    return '';
  }
  if (state.under === 'twice') {
    if (cut.where === 'number') {
      state.under = false;
      return 'twice';
    }
  }
  return '';
});
