// A client's result in tests/clients/ask.mjs, in one form for all of them: {text, thinking, calls, finish, usage}.
// `finish` is stop, tool_calls, length or content_filter. Members that a client does not keep are absent.

const finishes = {
  end_turn: 'stop', stop_sequence: 'stop', stop: 'stop', completed: 'stop',
  tool_use: 'tool_calls', tool_calls: 'tool_calls', 'tool-calls': 'tool_calls',
  max_tokens: 'length', length: 'length', max_output_tokens: 'length',
  refusal: 'content_filter', content_filtered: 'content_filter', guardrail_intervened: 'content_filter',
  content_filter: 'content_filter', 'content-filter': 'content_filter',
};

// Truncated arguments stay text.
function parsed(text) {
  try {
    return JSON.parse(text || '{}');
  } catch {
    return text;
  }
}

const joined = (pieces) => pieces.filter((piece) => piece).join('');

function ofMessage({ content, stop_reason, usage }) {
  const of = (type) => content.filter((block) => block.type === type);
  return {
    text: joined(of('text').map((block) => block.text)),
    thinking: joined(of('thinking').map((block) => block.thinking)),
    calls: of('tool_use').map(({ id, name, input }) => ({ id, name, input })),
    finish: finishes[stop_reason],
    usage: {
      prompt: usage.input_tokens + (usage.cache_read_input_tokens ?? 0) + (usage.cache_creation_input_tokens ?? 0),
      completion: usage.output_tokens,
    },
  };
}

function ofCompletion({ choices, usage }) {
  const { message, finish_reason } = choices[0];
  return {
    text: joined([message.content, message.refusal]),
    calls: (message.tool_calls ?? []).map(({ id, function: called }) =>
      ({ id, name: called.name, input: parsed(called.arguments) })),
    finish: finishes[finish_reason],
    usage: usage && { prompt: usage.prompt_tokens, completion: usage.completion_tokens },
  };
}

function ofResponse({ output, status, incomplete_details, usage }) {
  const of = (type) => output.filter((item) => item.type === type);
  return {
    failed: status === 'failed',
    text: joined(of('message').flatMap((item) => item.content.map((part) => part.text ?? part.refusal))),
    thinking: joined(of('reasoning').flatMap((item) =>
      [...item.summary, ...(item.content ?? [])].map((part) => part.text))),
    calls: of('function_call').map(({ call_id, name, arguments: text }) =>
      ({ id: call_id, name, input: parsed(text) })),
    finish: finishes[incomplete_details?.reason ?? status],
    usage: usage && { prompt: usage.input_tokens, completion: usage.output_tokens },
  };
}

function ofConverse({ blocks, reason, usage }) {
  const all = blocks.filter((block) => block);
  return {
    text: joined(all.map(({ text }) => text)),
    thinking: joined(all.map(({ thinking }) => thinking)),
    calls: all.filter(({ toolUseId }) => toolUseId).map(({ toolUseId: id, name, input }) => ({ id, name, input: parsed(input) })),
    finish: finishes[reason],
    usage: usage && {
      prompt: usage.inputTokens + (usage.cacheReadInputTokens ?? 0) + (usage.cacheWriteInputTokens ?? 0),
      completion: usage.outputTokens,
    },
  };
}

function ofAiSdk({ text, reasoning, calls, finish, usage }) {
  return {
    failed: finish === 'error',
    text,
    thinking: reasoning,
    calls: calls.map(({ id, name, input }) => ({ id, name, input })),
    finish: finishes[finish],
    usage: usage && { prompt: usage.inputTokens, completion: usage.outputTokens },
  };
}

export const told = {
  'anthropic-sdk': ofMessage,
  'aws-sdk': ofConverse,
  'ai-sdk': ofAiSdk,
  'openai-sdk': ofCompletion,
  'ai-sdk-compatible': ofAiSdk,
  'openai-responses': ofResponse,
  // A completed response does not report that calls ended it: the AI SDK concludes it.
  'ai-sdk-responses': (made) => {
    const { finish, ...rest } = ofAiSdk(made);
    return { ...rest, finish: finish === 'tool_calls' ? 'stop' : finish };
  },
};
