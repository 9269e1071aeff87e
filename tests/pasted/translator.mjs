// A small translator from Chat Completions to Anthropic Messages, with an optional bug:
//
//   decodes-each-chunk  treats the result of each read as whole characters
//   starts-again        starts a call's block again for each of its pieces
//   needs-the-name      starts a call only if its id and its name come in one piece

export async function translate(upstream, request, bug = '') {
  const answer = await fetch(`${upstream}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...request, stream: true }),
  });
  let said = '';
  const say = (type, rest) => (said += `event: ${type}\ndata: ${JSON.stringify({ type, ...rest })}\n\n`);
  const message = { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [], stop_reason: null,
                    stop_sequence: null, usage: { input_tokens: 0, output_tokens: 0 } };
  say('message_start', { message });
  const words = { stop: 'end_turn', tool_calls: 'tool_use', length: 'max_tokens', content_filter: 'refusal' };
  const calls = new Map();
  let open = null, count = 0, finish = null, usage = {}, done = false;
  const close = () => {
    if (open !== null) say('content_block_stop', { index: open.index });
    open = null;
  };
  const start = (kind, content_block) => {
    close();
    open = { kind, index: count++ };
    say('content_block_start', { index: open.index, content_block });
  };
  const take = (data) => {
    if (data === '[DONE]') return void (done = true);
    const chunk = JSON.parse(data);
    if (chunk.usage) usage = chunk.usage;
    const choice = chunk.choices?.[0];
    if (choice?.finish_reason) finish = choice.finish_reason;
    const delta = choice?.delta ?? {};
    if (delta.content) {
      if (open?.kind !== 'text') start('text', { type: 'text', text: '' });
      say('content_block_delta', { index: open.index, delta: { type: 'text_delta', text: delta.content } });
    }
    for (const piece of delta.tool_calls ?? []) {
      const call = calls.get(piece.index) ?? { held: '' };
      calls.set(piece.index, call);
      const knew = call.id && call.name;
      if (bug !== 'needs-the-name' || (piece.id && piece.function?.name)) {
        call.id ??= piece.id;
        call.name ??= piece.function?.name;
      }
      call.held += piece.function?.arguments ?? '';
      if (!call.id || !call.name) continue;
      const block = { type: 'tool_use', id: call.id, name: call.name, input: {} };
      if (!knew) start(call, block);
      else if (bug === 'starts-again') say('content_block_start', { index: open.index, content_block: block });
      if (call.held) {
        const delta = { type: 'input_json_delta', partial_json: call.held };
        say('content_block_delta', { index: open.index, delta });
      }
      call.held = '';
    }
  };
  let text = '';
  const decoder = new TextDecoder();
  for await (const bytes of answer.body) {
    text += bug === 'decodes-each-chunk' ? new TextDecoder().decode(bytes) : decoder.decode(bytes, { stream: true });
    for (let end; (end = text.indexOf('\n\n')) >= 0; text = text.slice(end + 2)) {
      const line = text.slice(0, end);
      if (line.startsWith('data: ')) take(line.slice('data: '.length));
    }
  }
  close();
  if (finish === null && !done) {
    say('error', { error: { type: 'api_error', message: 'the upstream broke off' } });
    return said;
  }
  const cached = usage.prompt_tokens_details?.cached_tokens ?? 0;
  say('message_delta', {
    delta: { stop_reason: words[finish] ?? 'end_turn', stop_sequence: null },
    usage: { input_tokens: (usage.prompt_tokens ?? 0) - cached, cache_read_input_tokens: cached,
             output_tokens: usage.completion_tokens ?? 0 },
  });
  say('message_stop', {});
  return said;
}
