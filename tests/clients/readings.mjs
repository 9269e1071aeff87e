// The ways in which a client can read one answer of the proxy. Each resolves to {events, message, error} with the
// available members: the events in that way's form, the message, and the exception.
import { createRequire } from 'node:module';
import path from 'node:path';

export async function load(folder) {
  const require = createRequire(path.join(folder, 'package.json'));
  return (await import(require.resolve('@anthropic-ai/sdk'))).default;
}

const ask = (model) => ({ model, max_tokens: 1000, messages: [{ role: 'user', content: 'Hi' }] });

// Uses `messages.stream(..).finalMessage()`; `snapshot` is the partial result at the last event.
export async function assembled(client, model) {
  const events = [];
  let snapshot;
  const stream = client.messages.stream(ask(model));
  stream.on('streamEvent', (event, so_far) => {
    events.push(structuredClone(event));  // the SDK later changes the first one
    snapshot = so_far;
  });
  try {
    return { events, message: await stream.finalMessage(), snapshot };
  } catch (error) {
    return { events, error, snapshot };
  }
}

// Uses `messages.create({stream: true})`, event by event.
export async function iterated(client, model) {
  const events = [];
  try {
    for await (const event of await client.messages.create({ ...ask(model), stream: true })) events.push(event);
    return { events };
  } catch (error) {
    return { events, error };
  }
}

// Uses `messages.create()`, which requests no stream.
export async function whole(client, model) {
  try {
    return { message: await client.messages.create(ask(model)) };
  } catch (error) {
    return { error };
  }
}

// Reads the wire without the SDK: {events, failure}; `failure` is the error at the end, if any. Each event of the proxy
// has two lines and a blank one.
export async function raw(url, model) {
  const headers = { 'content-type': 'application/json' };
  const request = { method: 'POST', headers, body: JSON.stringify({ ...ask(model), stream: true }) };
  const response = await fetch(`${url}/v1/messages`, request);
  const body = await response.text();
  if (response.status !== 200) return { events: [], failure: JSON.parse(body) };
  const said = body
    .split('\n\n')
    .slice(0, -1)
    .map((text) => JSON.parse(text.slice(text.indexOf('\ndata: ') + 7)));
  const events = said.filter((event) => event.type !== 'error' && event.type !== 'ping');
  return { events, failure: said.find((event) => event.type === 'error') };
}
