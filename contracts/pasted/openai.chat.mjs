function inputOf(text) {
  try {
    return text.trim() === '' ? {} : JSON.parse(text);
  } catch {
    return text;
  }
}

// What a client assembles, and what breaks the order of events.
// What a client assembles.
function read(all) {
  const answer = { text: '', thinking: '', refusal: '', error: false, usage: {} };
  const calls = new Map();
  for (const { data } of all) {
    if (data === '[DONE]') break;
    const json = JSON.parse(data);
    if (json.error) answer.error = true;
    if (answer.error) break;
    const delta = json.choices?.[0]?.delta ?? {};
    answer.text += delta.content ?? '';
    answer.thinking += delta.reasoning_content ?? delta.reasoning ?? '';
    answer.refusal += delta.refusal ?? '';
    for (const piece of delta.tool_calls ?? []) {
      const call = calls.get(piece.index) ?? { text: '' };
      calls.set(piece.index, call);
      call.id ??= piece.id;
      call.name ??= piece.function?.name;
      call.text += piece.function?.arguments ?? '';
    }
    const reason = json.choices?.[0]?.finish_reason;
    if (typeof reason === 'string') answer.finish = reason;
    if (json.usage) {
      const cached = json.usage.prompt_tokens_details?.cached_tokens ?? 0;
      const written = json.usage.prompt_tokens_details?.cache_write_tokens ?? 0;
      answer.usage = { input: json.usage.prompt_tokens - cached - written, cached, written, output: json.usage.completion_tokens };
    }
  }
  const all_calls = [...calls.values()];
  answer.names = all_calls.map((call) => call.name);
  answer.ids = all_calls.map((call) => call.id);
  answer.inputs = all_calls.map((call) => inputOf(call.text));
  answer.called = [...answer.names].sort();
  return { answer, problems: [] };
}
