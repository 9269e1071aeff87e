// Compares a client's answer with the expected one from expected_meanings.
import assert from 'node:assert/strict';

// Types of the errors that providers report, read from the recordings by hand.
const reportedTypes = {
  'openai.chat/error-after-text': 'overloaded_error',
  'openai.chat/error-base-resp': 'api_error',
  'openai.chat/error-base-resp-in-place-of-a-stream': 'api_error',
  'openai.chat/error-beside-choices': 'api_error',
  'openai.chat/error-context-length': 'invalid_request_error',
  'openai.chat/error-first': 'overloaded_error',
  'openai.chat/error-first-then-done': 'rate_limit_error',
  'openai.chat/error-in-place-of-a-stream': 'rate_limit_error',
  'openai.chat/error-inside-arguments': 'overloaded_error',
  'openai.chat/error-internal-path': 'api_error',
  'openai.chat/error-named-event': 'invalid_request_error',
  'openai.chat/error-object-of-the-chunk': 'api_error',
  'openai.chat/error-quota': 'billing_error',
  'openai.chat/error-rate-limit': 'rate_limit_error',
  'openai.chat/error-without-choices': 'api_error',
};

// platform.claude.com/docs/en/api/errors; an upstream failure is the gateway's 502.
const statuses = {
  invalid_request_error: 400, billing_error: 402, rate_limit_error: 429, api_error: 502, overloaded_error: 529,
};

const stopReasons = { stop: 'end_turn', length: 'max_tokens', tool_calls: 'tool_use', content_filter: 'refusal' };

function blockOf({ kind, ...part }) {
  if (kind === 'call') return { type: 'tool_use', ...part };
  if (kind === 'thinking') return { type: 'thinking', thinking: part.text, signature: part.signature };
  return { type: 'text', text: part.text };
}

// Prompt tokens are divided by their origin from a cache.
function usageOf({ prompt, cached = 0, written = 0, completion }) {
  const usage = {};
  if (prompt !== undefined && cached + written <= prompt) {
    usage.input_tokens = prompt - cached - written;
    usage.cache_read_input_tokens = cached;
    usage.cache_creation_input_tokens = written;
  }
  if (completion !== undefined) usage.output_tokens = completion;
  return usage;
}

// Returns a line of expected_meanings in the form of Anthropic Messages.
export function inMessages({ parts, finish, usage, ...line }) {
  return { ...line, content: parts.map(blockOf), stop_reason: stopReasons[finish], usage: usageOf(usage) };
}

// Readers see neighbouring blocks of text or thinking as one text.
function joined(content) {
  const parts = [];
  for (const block of content) {
    const last = parts.at(-1);
    if (block.type === 'tool_use') parts.push(block);  // not copied: the SDK parses its input when it is first read
    else if (last?.type !== block.type) parts.push({ ...block });
    else for (const key of ['text', 'thinking', 'signature']) if (block[key]) last[key] += block[key];
  }
  return parts.filter((part) => part.type === 'tool_use' || part.text || part.thinking);
}

const calls = (content) => content.filter((block) => block.type === 'tool_use');

// Sorts the calls of `content` within the places of calls, for answers without a defined order.
function withCallsSorted(content) {
  const key = (call) => JSON.stringify([call.name, call.input]);
  const sorted = calls(content).sort((a, b) => (key(a) < key(b) ? -1 : 1));
  return content.map((block) => (block.type === 'tool_use' ? sorted.shift() : block));
}

// Arguments in a client's form: parsed, if complete.
const inputOf = (call) => (call.input === 'object' ? JSON.parse(call.arguments) : {});

// `content` is the client's result, `meaning` the expected one. `failing`: unsettled calls may be missing. The input of
// a truncated call is not compared.
function checkContent(content, meaning, failing) {
  let wanted = joined(meaning.content).map((block) =>
    block.type === 'tool_use' ? { ...block, input: inputOf(block), cut: block.input === 'cut' } : block,
  );
  let got = joined(content);
  if (failing) {
    const unsettled = [...meaning.unsettled];
    while (calls(got).length > calls(wanted).length && unsettled.includes(got.at(-1).name)) {
      unsettled.splice(unsettled.indexOf(got.at(-1).name), 1);
      got.pop();
    }
  }
  if (!meaning.calls_in_order) [wanted, got] = [withCallsSorted(wanted), withCallsSorted(got)];
  assert.deepEqual(got.map((block) => block.type), wanted.map((block) => block.type));
  wanted.forEach((block, i) => {
    if (block.type !== 'tool_use') {
      assert.equal(got[i][block.type], block[block.type]);
      if (block.signature) assert.equal(got[i].signature, block.signature);
      return;
    }
    assert.equal(got[i].name, block.name);
    if (block.id === null) assert.match(got[i].id, /^[a-zA-Z0-9_-]+$/);
    else assert.equal(got[i].id, block.id);
    if (!block.cut) assert.deepEqual(got[i].input, block.input);
  });
}

// Checks a message that the client reports as complete.
export function checkMessage(message, meaning) {
  assert.equal(meaning.failure, null, 'the answer fails, but the client got a message');
  checkContent(message.content, meaning, false);
  const ids = calls(message.content).map((call) => call.id);
  assert.equal(new Set(ids).size, ids.length, 'two calls have one id');
  assert.equal(message.stop_reason, meaning.stop_reason);
  if (meaning.model) assert.equal(message.model, meaning.model);
  for (const [key, count] of Object.entries(meaning.usage)) assert.equal(message.usage[key] ?? 0, count, key);
}

// Checks the same answer without a stream. Only a call with truncated arguments cannot occur.
export function checkWhole(whole, message, meaning) {
  const cut = (block, i) => {
    if (block.type !== 'tool_use') return false;
    const same = (call) => call.name === block.name && (call.id ?? block.id) === block.id;
    const wanted = calls(meaning.content).find(same);
    const last = i === message.content.length - 1 && meaning.stop_reason !== 'tool_use';
    return wanted.input === 'cut' || (wanted.input === 'none' && last);
  };
  // The SDK's own additions to a streamed message are not part of the API.
  const content = message.content.filter((block, i) => !cut(block, i));
  const wanted = { ...message, content, parsed_output: undefined };
  assert.deepEqual(JSON.parse(JSON.stringify(whole)), JSON.parse(JSON.stringify(wanted)));
}

// Checks an exception: it is the error on the wire, never one about a broken connection or of a reader. Clients decide
// by its type: the provider's, or api_error. Its message is the provider's. If no event came before it, it has the
// status of its type.
export function checkError(error, meaning, wire) {
  assert.ok(error, 'the answer fails, and nothing was thrown');
  assert.ok(meaning.failure, `thrown, where the answer is complete: ${error.stack}`);
  assert.equal(typeof error.error?.error, 'object', `no error of the API: ${error.stack}`);
  const type = meaning.failure === 'reported' ? reportedTypes[meaning.id] : 'api_error';
  assert.deepEqual(error.error, wire.failure);
  assert.equal(error.error.type, 'error');
  assert.equal(error.type, type);
  assert.equal(error.status, wire.events.length > 0 ? undefined : statuses[type]);
  if (reportedTypes[meaning.id]) assert.equal(error.apiMessage, meaning.reported);
  else assert.ok(error.apiMessage);
}

// Checks a client's partial result when an answer failed: all earlier content.
export function checkSoFar(snapshot, meaning) {
  checkContent(snapshot?.content ?? [], meaning, true);
}

// Checks that the hand-made table has a row for each reported error and no other.
export function checkTable(meanings) {
  const reported = meanings.filter((meaning) => meaning.failure === 'reported').map((meaning) => meaning.id);
  assert.deepEqual(Object.keys(reportedTypes).sort(), reported.sort());
}
