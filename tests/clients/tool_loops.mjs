// Tool loops of official SDKs through a running splitproof-proxy, with recorded upstreams of each protocol:
//     node tool_loops.mjs PROXY CORPUS
//
// The upstream calls tools, gets their results, and answers. Prints each loop that ends differently, and then exits
// with 1.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import { startProxy } from './proxy.mjs';
import { serveChosen } from './recorded_upstream.mjs';

const timeout = 20000; // ms
globalThis.AI_SDK_LOG_WARNINGS = false;
const require = createRequire(path.join(process.env.CLIENT_PACKAGES, 'package.json'));
const load = async (name) => import(pathToFileURL(require.resolve(name)).href);

const schema = { type: 'object', properties: {}, additionalProperties: true };
const prompt = 'How is the sea?';
const key = 'none';

// Content of the upstreams: the calls of the first turn and the text of the second, read from the recordings by hand.
const tide = { name: 'read_tide', input: { harbour: 'Leith' } };
const wind = { name: 'read_wind', input: { knots: true } };
const ports = [{ name: 'tide', input: { port: 'Brest' } }, { name: 'wind', input: { at: 'Ouessant' } }];
const answers = {
  'anthropic.messages': 'The tide turns at nine.',
  'kiro.eventstream': 'The tide turns at noon.',
  'ollama.chat': 'The tide turns at nine.',
  'openai.chat': 'The tide turns.',
  'openai.responses': 'The tide is high.',
};
const turns = [
  { id: 'anthropic.messages/tool-parallel', calls: [tide, wind] },
  { id: 'kiro.eventstream/tool-parallel', text: 'Both.', calls: ports },
  { id: 'kiro.eventstream/tool-interleaved', calls: ports },
  { id: 'ollama.chat/tool-parallel', calls: [tide, wind] },
  { id: 'openai.chat/tool-parallel', calls: [tide, wind] },
  { id: 'openai.responses/tool-parallel', calls: [tide, wind] },
  // Clients refer to reasoning that they believe to be stored.
  { id: 'anthropic.messages/thinking-then-tool', calls: [tide] },
  { id: 'kiro.eventstream/thinking-call', text: 'Wait.', calls: [{ name: 'look', input: { port: 'Brest' } }] },
  { id: 'openai.chat/thinking-then-tool', calls: [tide] },
  { id: 'openai.responses/reasoning-between-tools', calls: [{ ...tide, input: {} }, { ...wind, input: {} }] },
];

// Each takes {url, tools, whole}, runs the loop and resolves to the text of the last answer. A tool is {name, run(input)}.
const loops = {
  'anthropic-tool-runner': {
    protocol: 'anthropic.messages',
    async run({ url, tools, whole }) {
      const { default: Anthropic } = await load('@anthropic-ai/sdk');
      const { betaTool } = await load('@anthropic-ai/sdk/helpers/beta/json-schema');
      const client = new Anthropic({ baseURL: url, apiKey: key, maxRetries: 0 });
      const runner = client.beta.messages.toolRunner({
        model: 'any', max_tokens: 1000, messages: [{ role: 'user', content: prompt }], stream: !whole,
        tools: tools.map(({ name, run }) => betaTool({ name, description: name, inputSchema: schema, run })),
      });
      const message = await runner.runUntilDone();
      return message.content.filter(({ type }) => type === 'text').map(({ text }) => text).join('');
    },
  },
  'openai-run-tools': {
    protocol: 'openai.chat',
    async run({ url, tools, whole }) {
      const { default: OpenAI } = await load('openai');
      const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: key, maxRetries: 0 });
      return client.chat.completions.runTools({
        model: 'any', messages: [{ role: 'user', content: prompt }], stream: !whole,
        tools: tools.map(({ name, run }) => ({
          type: 'function', function: { name, description: name, parameters: schema, parse: JSON.parse, function: run },
        })),
      }).finalContent();
    },
  },
  'ai-sdk-openai': {
    protocol: 'openai.responses',
    run: (asked) => aiSdk(asked, '@ai-sdk/openai', 'createOpenAI', {}),
  },
  'ai-sdk-openai-reasoning': {
    protocol: 'openai.responses',
    run: (asked) => aiSdk({ ...asked, model: 'gpt-5' }, '@ai-sdk/openai', 'createOpenAI', {}),
  },
  'ai-sdk-openai-no-store': {
    protocol: 'openai.responses',
    run: (asked) => aiSdk(asked, '@ai-sdk/openai', 'createOpenAI', { providerOptions: { openai: { store: false } } }),
  },
  'ai-sdk-anthropic': {
    protocol: 'anthropic.messages',
    run: (asked) => aiSdk(asked, '@ai-sdk/anthropic', 'createAnthropic', {}),
  },
  'ai-sdk-compatible': {
    protocol: 'openai.chat',
    run: (asked) => aiSdk(asked, '@ai-sdk/openai-compatible', 'createOpenAICompatible', {}),
  },
  'openai-agents': {
    protocol: 'openai.responses',
    run: (asked) => agents(asked, 'OpenAIResponsesModel'),
  },
  'openai-agents-chat': {
    protocol: 'openai.chat',
    run: (asked) => agents(asked, 'OpenAIChatCompletionsModel'),
  },
  'langchain-openai': {
    protocol: 'openai.responses',
    run: (asked) => langchain(asked, '@langchain/openai', 'ChatOpenAI', (url) => (
      { apiKey: key, useResponsesApi: true, configuration: { baseURL: `${url}/v1` } })),
  },
  'langchain-openai-chat': {
    protocol: 'openai.chat',
    run: (asked) => langchain(asked, '@langchain/openai', 'ChatOpenAI', (url) => (
      { apiKey: key, configuration: { baseURL: `${url}/v1` } })),
  },
  'langchain-anthropic': {
    protocol: 'anthropic.messages',
    run: (asked) => langchain(asked, '@langchain/anthropic', 'ChatAnthropic', (url) => (
      { apiKey: key, anthropicApiUrl: url, maxTokens: 1000 })),
  },
};

async function aiSdk({ url, tools, whole, model = 'any' }, name, create, options) {
  const { generateText, jsonSchema, stepCountIs, streamText } = await load('ai');
  const provider = (await load(name))[create]({ name: 'proxy', baseURL: `${url}/v1`, apiKey: key });
  let failure;
  const asked = {
    model: provider(model), prompt, maxRetries: 0, stopWhen: stepCountIs(3), ...options,
    tools: Object.fromEntries(
      tools.map(({ name: tool, run }) => [tool, { description: tool, inputSchema: jsonSchema(schema), execute: run }])),
  };
  if (whole) return (await generateText(asked)).text;
  const result = streamText({ ...asked, onError({ error }) { failure = error; } });
  await result.consumeStream();
  if (failure) throw failure;
  return result.text;
}

async function agents({ url, tools, whole }, model) {
  const sdk = await load('@openai/agents');
  const { default: OpenAI } = await load('openai');
  sdk.setTracingDisabled(true);
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: key, maxRetries: 0 });
  const agent = new sdk.Agent({
    name: 'sailor', instructions: 'Be brief.', model: new sdk[model](client, 'any'),
    tools: tools.map(({ name, run }) =>
      sdk.tool({ name, description: name, parameters: { ...schema, required: [] }, strict: false, execute: run })),
  });
  const result = await sdk.run(agent, prompt, { stream: !whole });
  if (!whole) await result.completed;
  return result.finalOutput;
}

async function langchain({ url, tools, whole }, name, type, fields) {
  const Model = (await load(name))[type];
  const { HumanMessage, ToolMessage } = await load('@langchain/core/messages');
  const model = new Model({ model: 'any', maxRetries: 0, ...fields(url) }).bindTools(
    tools.map(({ name: tool }) => ({ type: 'function', function: { name: tool, description: tool, parameters: schema } })));
  const messages = [new HumanMessage(prompt)];
  for (;;) {
    let said;
    if (whole) said = await model.invoke(messages);
    else for await (const chunk of await model.stream(messages)) said = said ? said.concat(chunk) : chunk;
    if (said.tool_calls.length === 0) return said.text;
    messages.push(said);
    for (const call of said.tool_calls) {
      const content = await tools.find((tool) => tool.name === call.name).run(call.args);
      messages.push(new ToolMessage({ content, tool_call_id: call.id }));
    }
  }
}

function late() {
  return new Promise((_, fail) => { setTimeout(() => fail(new Error('does not end')), timeout).unref(); });
}

// Runs one loop of one client. Throws if it does not complete.
async function check(program, corpus, turn, loop, whole) {
  const protocol = turn.id.split('/')[0];
  const requests = [];
  const fileOf = (id) => path.join(corpus, `${id}.rec.jsonl`);
  const upstream = await serveChosen((request) => {
    requests.push(request);
    return fileOf(requests.length === 1 ? turn.id : `${protocol}/text-plain`);
  });
  const proxy = await startProxy(program, upstream, ['--upstream-protocol', protocol, '--seed', '1']);
  const ran = [];
  const tools = turn.calls.map(({ name }) => ({
    name,
    async run(input) {
      ran.push({ name, input });
      return `The result of ${name}.`;
    },
  }));
  try {
    const text = await Promise.race([loop.run({ url: proxy.url, tools, whole }), late()]);
    assert.equal(text, answers[protocol]);
  } finally {
    proxy.stop();
  }
  const byName = (a, b) => (a.name < b.name ? -1 : 1);
  assert.deepEqual(ran.sort(byName), turn.calls);
  assert.equal(requests.length, 2);
  const asked = JSON.stringify(requests[1]);
  for (const { name, input } of turn.calls) {
    assert.ok(asked.includes(`The result of ${name}.`), `the upstream gets no result of ${name}`);
    if (requests[1].thread) continue;  // it is relayed, and keeps the calls upstream
    for (const value of Object.values(input)) assert.ok(asked.includes(String(value)), `the call of ${name} is lost`);
  }
  if (turn.text) assert.ok(asked.includes(turn.text), 'the text before the calls is lost');
}

async function main(program, corpus) {
  let failed = 0;
  let completed = 0;
  for (const turn of turns) {
    const text = readFileSync(path.join(corpus, `${turn.id}.rec.jsonl`), 'utf8');
    const { protocol } = JSON.parse(text.slice(0, text.indexOf('\n')));
    for (const [client, loop] of Object.entries(loops)) {
      // A whole answer is relayed within one protocol, and the recordings are streams.
      for (const whole of loop.protocol === protocol ? [false] : [false, true]) {
        const name = `${client} ${turn.id}`;
        let problem;
        await check(program, corpus, turn, loop, whole).catch((error) => { problem = error; });
        if (!problem) {
          completed += 1;
          continue;
        }
        failed += 1;
        console.log(`${name}, ${whole ? 'whole' : 'streamed'}: ${problem.stack}\n`);
      }
    }
  }
  console.log(`${completed} loops completed, ${failed} failed`);
  process.exitCode = failed > 0 ? 1 : 0;
}

await main(...process.argv.slice(2));
