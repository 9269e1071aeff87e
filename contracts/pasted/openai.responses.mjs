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
    const json = JSON.parse(data);
    const { type, delta, item, response } = json;
    if (type === 'response.output_text.delta') answer.text += delta;
    if (type === 'response.refusal.delta') answer.refusal += delta;
    if (/^response\.reasoning(_summary)?_text\.delta$/.test(type)) answer.thinking += delta;
    if (type === 'response.output_item.added' && item.type === 'function_call')
      calls.set(json.output_index, { id: item.call_id, name: item.name, text: item.arguments ?? '' });
    if (type === 'response.function_call_arguments.delta') calls.get(json.output_index).text += delta;
    if (type === 'error' || type === 'response.failed') answer.error = true;
    if (type === 'response.completed') answer.finish = 'stop';
    if (type === 'response.incomplete')
      answer.finish = response.incomplete_details?.reason === 'content_filter' ? 'content_filter' : 'length';
    if (response?.usage) {
      const cached = response.usage.input_tokens_details?.cached_tokens ?? 0;
      const written = response.usage.input_tokens_details?.cache_write_tokens ?? 0;
      answer.usage = { input: response.usage.input_tokens - cached - written, cached, written, output: response.usage.output_tokens };
    }
  }
  const all_calls = [...calls.values()];
  answer.names = all_calls.map((call) => call.name);
  answer.ids = all_calls.map((call) => call.id);
  answer.inputs = all_calls.map((call) => inputOf(call.text));
  answer.called = [...answer.names].sort();
  return { answer, problems: [] };
}
