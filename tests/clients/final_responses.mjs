// Compares the harness's reading of Responses streams with `finalResponse()` of OpenAI's TypeScript SDK:
//     node final_responses.mjs READINGS
//
// READINGS is the output of upstream_readings, CLIENT_PACKAGES has the SDK. Prints the differences, and then exits with
// 1.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import path from 'node:path';

import { compareEach, parsed } from './each_reading.mjs';

const exceptions = {
  'openai__ai__openai-responses-openai-phase-1.sse':
    'events were taken out by hand, and the SDK throws over the gap in output_index: the harness counts items as they come',
};

// Changed streams for the SDK, and the reasons. A stream that it reads correctly without a change fails.
const events = (body) => body.split(/(?<=\n\n)/);
const without = (type) => (body) => events(body).filter((event) => !event.includes(`"type":"response.${type}`)).join('');
const first = (body) => body.slice(0, body.indexOf('event: response.created', 1));
const untilTheLast = (body) => events(body).filter((event) => !event.includes('"type":"response.completed"')).join('');
const changes = {
  // It throws on unknown event types, and on parts that are not counted from 0.
  'aws-bedrock__ruby_llm__providers-bedrock-mantle-responses-chat-streams-through-the-responses-surface.sse': (body) =>
    body.replaceAll('response.reasoning_part.', 'response.content_part.').replaceAll('"content_index":1', '"content_index":0'),
  'openai__ai__openai-responses-openai-apply-patch-tool-1.sse': without('apply_patch_call_operation_diff.'),
  'openai__ai__openai-responses-openai-shell-skills-1.sse': without('shell_call_'),
  'openai__ai__openai-responses-openai-shell-tool-1.sse': (body) => first(without('shell_call_')(body)),
  // It needs response.created first.
  'openai__pydantic-ai__test-openai-responses-test-background-mode-streaming-starting-after-vcr-i1.sse': (body) =>
    body.replaceAll('response.queued', 'response.created'),
  // Several responses, one after another, in one file: the harness reads the first, the SDK the last.
  'azure__ai__azure-azure-reasoning-encrypted-content-1.sse': first,
  'openai__ai__openai-responses-openai-reasoning-encrypted-content-1.sse': first,
  // The last event repeats no item, and the SDK takes it for the answer.
  'chatgpt__rig__chatgpt-codex-sessions-parallel-tool-calls-single-turn-nonstreaming.sse': untilTheLast,
  'chatgpt__rig__chatgpt-codex-sessions-reasoning-session-two-tool-calls-streaming.sse': untilTheLast,
  'chatgpt__rig__chatgpt-codex-tool-args-zero-argument-tool-call-nonstreaming.sse': untilTheLast,
  'chatgpt__rig__chatgpt-codex-tool-choice-none-suppresses-tool-calls.sse': untilTheLast,
  'chatgpt__rig__chatgpt-streaming-tools-tool-call-completed-response-without-output.sse': untilTheLast,
  // It throws the error event unchanged.
  'openai__ai__openai-responses-openai-error-1.sse': (body) => body.replace(/event: error\n.*\n\n/, ''),
};

// The SDK's additions, and empty members.
function clean(value) {
  if (Array.isArray(value)) return value.map(clean);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, member]) => member !== null && key !== 'parsed' && key !== 'parsed_arguments')
      .map(([key, member]) => [key, clean(member)]),
  );
}

// Checks the parts of items. Empty items have none, except calls.
function checkOutput(output, { parts, extra }) {
  const left = [...parts];
  const names = Object.keys(extra);
  output.forEach((item, i) => {
    const { type, content = [], summary = [], encrypted_content: sealed, phase, ...rest } = item;
    const members = parsed(extra[`the members of item ${i}`], null);
    if (type === 'message' || type === 'reasoning') {
      let signature = sealed ?? '';
      [...summary, ...content].forEach((part, j) => {
        const { type: kind, text, refusal, annotations = [], logprobs = [], ...others } = part;
        const at = `of part ${j} of item ${i}`;
        if (text || refusal) {
          const said = { output_text: { text }, refusal: { refusal } }[kind] ?? { thinking: text, signature };
          assert.deepEqual(left.shift(), said);
          if ('signature' in said) signature = '';
        }
        assert.deepEqual(others, parsed(extra[`the members ${at}`], {}));
        assert.deepEqual(annotations, parsed(extra[`the annotations ${at}`], []));
        assert.deepEqual(logprobs, parsed(extra[`the logprobs ${at}`], []));
      });
      if (signature) assert.deepEqual(left.shift(), { thinking: '', signature });
      assert.equal(parsed(extra[`the phase of item ${i}`]), phase);
      assert.deepEqual(members, { type, ...rest });
    } else if (type === 'function_call' || type === 'custom_tool_call') {
      const { call_id, name, arguments: joined, input, ...others } = rest;
      const custom = type === 'custom_tool_call';
      const call = { id: call_id, name, arguments: custom ? input : joined };
      assert.deepEqual(left.shift(), custom ? { ...call, custom } : call);
      assert.deepEqual(members, { type, ...others });
    } else {
      assert.equal(members, null);
      assert.deepEqual(clean(JSON.parse(left.shift().block)), item);
    }
  });
  assert.deepEqual(left, []);
  assert.ok(!names.includes(`the members of item ${output.length}`));
}

function checkUsage(usage, reading) {
  const { prompt, cached, completion } = reading.usage ?? {};
  assert.equal(prompt, usage?.input_tokens);
  assert.equal(cached, usage?.input_tokens_details?.cached_tokens);
  assert.equal(completion, usage?.output_tokens);
  const { input_tokens, output_tokens, ...rest } = usage ?? {};
  assert.deepEqual(parsed(reading.extra.usage, {}), rest);
}

function check(response, reading) {
  assert.equal(reading.done, true);
  assert.equal(reading.model, response.model);
  assert.equal(reading.error, response.error?.message ?? null);
  assert.equal(reading.extra["the error's code"], response.error?.code);
  const finish = { completed: 'completed', incomplete: response.incomplete_details?.reason, failed: null };
  assert.equal(reading.stop_reason, finish[response.status]);
  checkOutput(response.output, reading);
  checkUsage(response.usage, reading);
}

async function finalResponse(SDK, body) {
  const headers = { 'content-type': 'text/event-stream' };
  const client = new SDK({ apiKey: 'none', maxRetries: 0, logLevel: 'off', fetch: async () => new Response(body, { headers }) });
  return clean(JSON.parse(JSON.stringify(await client.responses.stream({ model: 'any', input: 'Hi' }).finalResponse())));
}

// Throws if the reading differs from the SDK's result for `text`. `rest` has the members of a stream whose last event
// was removed.
async function compare(SDK, text, reading, rest = {}) {
  check({ ...(await finalResponse(SDK, text)), ...rest }, reading);
}

async function main(file) {
  const require = createRequire(path.join(process.env.CLIENT_PACKAGES, 'package.json'));
  const SDK = (await import(require.resolve('openai'))).default;
  await compareEach(file, 110, exceptions, async (body, reading, name) => {
    const change = changes[name];
    if (!change) return compare(SDK, body, reading);
    await assert.rejects(compare(SDK, body, reading), 'it is given otherwise than it is, and is read alike');
    const { output, ...rest } = change === untilTheLast ? await finalResponse(SDK, body) : {};
    await compare(SDK, change(body.toString()), reading, rest);
  });
}

await main(...process.argv.slice(2));
