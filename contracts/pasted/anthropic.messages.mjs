function inputOf(text) {
  try {
    return text.trim() === '' ? {} : JSON.parse(text);
  } catch {
    return text;
  }
}

// What a client assembles, and what breaks the order of events.
function read(all) {
  const words = { end_turn: 'stop', tool_use: 'tool_calls', max_tokens: 'length', refusal: 'content_filter' };
  const answer = { text: '', thinking: '', names: [], inputs: [], ids: [], error: false, usage: {} };
  const problems = [];
  const open = new Map(), begun = new Set(), blocks = [];
  let started = false, stopped = false, deltas = 0;
  const count = (usage) => {
    for (const [name, key] of [['input', 'input_tokens'], ['cached', 'cache_read_input_tokens'],
                               ['written', 'cache_creation_input_tokens'], ['output', 'output_tokens']])
      if (typeof usage?.[key] === 'number') answer.usage[name] = usage[key];
  };
  for (const { event, data } of all) {
    const json = inputOf(data);
    if (typeof json?.type !== 'string') {
      problems.push(`no event: ${data}`);
      continue;
    }
    if (event !== json.type) problems.push(`the event of ${json.type} is named ${event}`);
    if (answer.error) problems.push(`${json.type} follows the error`);
    if (json.type === 'error') {
      answer.error = true;
      continue;
    }
    if (stopped) problems.push(`${json.type} follows message_stop`);
    if (json.type === 'message_start') {
      if (started) problems.push('a second message_start');
      started = true;
      count(json.message?.usage);
      continue;
    }
    if (!started) problems.push(`${json.type} comes before message_start`);
    const block = open.get(json.index);
    if (json.type === 'content_block_start') {
      if (begun.has(json.index)) problems.push(`block ${json.index} starts again`);
      if (open.size > 0) problems.push(`block ${json.index} starts while another is open`);
      if (json.index !== begun.size) problems.push(`block ${json.index} starts as number ${begun.size}`);
      begun.add(json.index);
      const made = { type: json.content_block?.type, name: json.content_block?.name, id: json.content_block?.id,
                     text: json.content_block?.text ?? json.content_block?.thinking ?? '' };
      open.set(json.index, made);
      blocks.push(made);
    } else if (json.type === 'content_block_delta') {
      if (!block) problems.push(`a delta comes for block ${json.index}, which is not open`);
      const { text, thinking, partial_json } = json.delta ?? {};
      if (block) block.text += text ?? thinking ?? partial_json ?? '';
    } else if (json.type === 'content_block_stop') {
      if (!block) problems.push(`block ${json.index} stops, and is not open`);
      open.delete(json.index);
    } else if (json.type === 'message_delta') {
      if (open.size > 0) problems.push('message_delta comes while a block is open');
      const reason = json.delta?.stop_reason;
      if (++deltas > 1) problems.push('a second message_delta');
      if (typeof reason === 'string') answer.finish = words[reason] ?? reason;
      count(json.usage);
    } else if (json.type === 'message_stop') {
      if (!answer.finish) problems.push('no message_delta said a stop_reason');
      stopped = true;
    }
  }
  if (!answer.error) {
    for (const index of open.keys()) problems.push(`block ${index} never stops`);
    if (!stopped) problems.push('no message_stop came');
  }
  for (const block of blocks) {
    if (block.type === 'text') answer.text += block.text;
    if (block.type === 'thinking') answer.thinking += block.text;
    if (block.type !== 'tool_use') continue;
    answer.names.push(block.name);
    answer.ids.push(block.id);
    answer.inputs.push(inputOf(block.text));
  }
  answer.called = [...answer.names].sort();
  return { answer, problems };
}
