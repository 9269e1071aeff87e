// The ways in which a client can read one answer of the proxy. Each resolves to {events, message, error}, of which it
// has what there is: the events as that way shows them, the message, and what was thrown.
import { createRequire } from 'node:module';
import path from 'node:path';

export async function load(folder) {
  const require = createRequire(path.join(folder, 'package.json'));
  return (await import(require.resolve('@anthropic-ai/sdk'))).default;
}

const ask = (model) => ({ model, max_tokens: 1000, messages: [{ role: 'user', content: 'Hi' }] });

// `messages.stream(..).finalMessage()`; `snapshot` is what had been assembled at the last event.
export async function assembled(client, model) {
  const events = [];
  let snapshot;
  const stream = client.messages.stream(ask(model));
  stream.on('streamEvent', (event, so_far) => {
    events.push(structuredClone(event));  // the SDK goes on to write into the first
    snapshot = so_far;
  });
  try {
    return { events, message: await stream.finalMessage(), snapshot };
  } catch (error) {
    return { events, error, snapshot };
  }
}

// `messages.create({stream: true})`, event by event.
export async function iterated(client, model) {
  const events = [];
  try {
    for await (const event of await client.messages.create({ ...ask(model), stream: true })) events.push(event);
    return { events };
  } catch (error) {
    return { events, error };
  }
}

// `messages.create()`, which asks for no stream.
export async function whole(client, model) {
  try {
    return { message: await client.messages.create(ask(model)) };
  } catch (error) {
    return { error };
  }
}

// What is on the wire, read without the SDK: {events, failure}; `failure` is the error that ends it, if one does. Each
// event of the proxy is two lines and a blank one.
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
