// Reads server-sent events, and finds the place in an event at which a chunk ends.

// Splits bytes after each blank line.
export function splitEvents(bytes) {
  const events = [];
  let from = 0;
  let line = 0;
  for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, end + 1)) {
    const blank = end === line || end === line + 1 && bytes[line] === 13;
    line = end + 1;
    if (!blank) continue;
    events.push(bytes.subarray(from, line));
    from = line;
  }
  return {events, rest: bytes.subarray(from)};
}

// Returns the parts of an event that bugs look at.
export function readEvent(bytes, before) {
  const text = bytes.toString('utf8');
  const data = text.split('\n').filter(line => line.startsWith('data:')).map(line => line.slice(5)).join('\n');
  const event = {
    text,
    is_again: before !== undefined && before.text === text,
    type: '',
    index: -1,
    delta: '',
    piece: '',
    block: '',
    is_broken: false,
    is_comment: data === '',
  };
  if (event.is_comment) return event;
  try {
    const json = JSON.parse(data);
    event.type = String(json.type);
    event.index = json.index ?? -1;
    event.delta = json.delta?.type ?? '';
    event.piece = json.delta?.text ?? json.delta?.partial_json ?? json.delta?.thinking ?? '';
    event.block = json.content_block?.type ?? '';
  } catch {
    event.is_broken = true;
  }
  return event;
}

// Returns the place in an unfinished event after its bytes so far: `where` is between, field, name, blank, json, number, key,
// string, escape or character; `key` is the last member's name; `size` is the number of bytes since the string began.
export function placeOf(bytes) {
  const place = {where: 'between', key: '', size: 0};
  if (bytes.length === 0) return place;
  const line = bytes.subarray(bytes.lastIndexOf(10) + 1);
  if (line.length === 0) return {...place, where: 'blank'};
  const colon = line.indexOf(58);
  if (colon < 0) return {...place, where: 'field'};
  if (line.subarray(0, colon).toString() !== 'data') return {...place, where: 'name'};
  let begin = -1;  // of the string around
  let word = '';
  let escape = 0;
  let more = 0;  // bytes of a character that are missing
  place.where = 'json';
  for (let at = colon + 1; at < line.length; ++at) {
    const byte = line[at];
    if (begin < 0) {
      place.where = byte >= 48 && byte <= 57 || byte === 45 ? 'number' : 'json';
      if (byte === 34) begin = at;
      if (byte === 58) place.key = word;
      continue;
    }
    if (escape > 0) {
      escape += byte === 117 && escape === 1 ? 4 : 0;
      --escape;
    } else if (byte === 92) {
      escape = 1;
    } else if (byte === 34) {
      word = line.subarray(begin + 1, at).toString('utf8');
      begin = -1;
    } else if (byte >= 192) {
      more = byte >= 240 ? 3 : byte >= 224 ? 2 : 1;
    } else if (byte >= 128) {
      --more;
    }
  }
  if (begin < 0) return place;
  place.size = line.length - begin - 1;
  const is_value = /:\s*$/.test(line.subarray(0, begin).toString('latin1'));
  place.where = escape > 0 ? 'escape' : more > 0 ? 'character' : is_value ? 'string' : 'key';
  return place;
}
