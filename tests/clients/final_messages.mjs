// Compares the harness's reading of Anthropic Messages streams with `finalMessage()` of Anthropic's TypeScript SDK:
//     node final_messages.mjs READINGS
//
// READINGS is the output of upstream_readings, CLIENT_PACKAGES has the SDK. Prints the differences, and then exits with
// 1.
import assert from 'node:assert/strict';

import { compareEach, parsed } from './each_reading.mjs';
import { load } from './readings.mjs';

// Streams that the SDK does not read as one answer.
const severalResponses = 'several responses, one behind the other, in one file: the harness reads the first';
const exceptions = {
  'anthropic__rig__anthropic-prompt-caching-streaming-prompt-caching-reuses-tool-cache-i1.sse':
    'no blank line ends message_stop, so the SDK never sees it: the harness counts a last event that is whole',
  'anthropic__ai__anthropic-anthropic-programmatic-tool-calling-1.sse': severalResponses,
  'anthropic__ai__anthropic-anthropic-tool-search-bm25-1.sse': severalResponses,
  'openrouter__rig__anthropic-streaming-gateway-message-delta-metadata.sse':
    'an event with the data [DONE] comes behind message_stop, and the SDK throws over what is no JSON',
};

// Checks the parts of blocks. Blocks of empty text or thinking have none.
function checkContent(content, { parts, extra }) {
  const left = [...parts];
  content.forEach((block, i) => {
    const { type, ...rest } = block;
    const members = parsed(extra[`the members of block ${i}`], {});
    if (type === 'text') {
      const { text, citations, ...others } = rest;
      if (text) assert.deepEqual(left.shift(), { text });
      assert.deepEqual(citations ?? [], parsed(extra[`the citations of block ${i}`], []));
      assert.deepEqual(others, members);
    } else if (type === 'thinking') {
      const { thinking, signature = '', ...others } = rest;
      if (thinking || signature) assert.deepEqual(left.shift(), { thinking, signature });
      assert.deepEqual(others, members);
    } else if (type === 'tool_use') {
      const { id, name, input, ...others } = rest;
      const { arguments: joined, ...call } = left.shift();
      assert.deepEqual(call, { id, name });
      assert.deepEqual(parsed(joined, {}), input);
      assert.deepEqual(others, members);
    } else {
      const { input = {}, ...others } = block;
      const part = left.shift();
      assert.deepEqual(JSON.parse(part.block), others);
      assert.deepEqual(parsed(part.arguments, {}), input);
    }
  });
  assert.deepEqual(left, []);
}

function checkUsage(usage, reading) {
  const counted = parsed(reading.extra.usage, {});
  const { prompt, cached, completion } = reading.usage;
  const written = counted.cache_creation_input_tokens ?? 0;
  assert.equal(completion, usage.output_tokens);
  assert.equal(cached ?? 0, usage.cache_read_input_tokens ?? 0);
  assert.equal(written, usage.cache_creation_input_tokens ?? 0);
  assert.equal(prompt - (cached ?? 0) - written, usage.input_tokens);
  for (const rest of ['server_tool_use', 'output_tokens_details', 'iterations'])
    assert.deepEqual(counted[rest] ?? null, usage[rest] ?? null, rest);
}

function check(message, reading) {
  assert.equal(reading.error, null);
  assert.equal(reading.done, true);
  assert.equal(reading.model, message.model);
  assert.equal(reading.stop_reason, message.stop_reason);
  assert.equal(reading.extra.stop_sequence ?? null, message.stop_sequence ?? null);
  for (const member of ['stop_details', 'container', 'context_management'])
    assert.deepEqual(parsed(reading.extra[member], null), message[member] ?? null, member);
  checkContent(message.content, reading);
  checkUsage(message.usage, reading);
}

async function finalMessage(SDK, body) {
  const headers = { 'content-type': 'text/event-stream' };
  const client = new SDK({ apiKey: 'none', maxRetries: 0, logLevel: 'off', fetch: async () => new Response(body, { headers }) });
  const ask = { model: 'any', max_tokens: 1000, messages: [{ role: 'user', content: 'Hi' }] };
  return client.beta.messages.stream(ask).finalMessage();
}

async function main(file) {
  const SDK = await load(process.env.CLIENT_PACKAGES);
  await compareEach(file, 80, exceptions, async (body, reading) =>
    check(JSON.parse(JSON.stringify(await finalMessage(SDK, body))), reading));
}

await main(...process.argv.slice(2));
