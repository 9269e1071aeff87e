// Prints the results of official clients for a stream: `with_clients ask.mjs [--as PROTOCOL] FILE...`. PROTOCOL is
// anthropic.messages, bedrock.converse, google.gemini, openai.chat or openai.responses; without it the file's first bytes
// decide. For each file and client it prints the exception or the assembled result.
import http from 'node:http';
import path from 'node:path';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const kTimeout = 5000; // ms; later a client counts as waiting for more

const require = createRequire(path.join(process.env.CLIENT_PACKAGES, 'package.json'));
const load = async (name) => import(pathToFileURL(require.resolve(name)).href);

// The length of an AWS frame begins with a zero byte.
const isFrames = (body) => body[0] === 0;

// Serves `body` as the answer to any request, once and whole.
async function serve(body, use) {
  const server = http.createServer((request, response) => {
    request.resume();
    request.on('end', () => {
      response.writeHead(200, { 'content-type': isFrames(body) ? 'application/vnd.amazon.eventstream' : 'text/event-stream' });
      response.end(body);
    });
  });
  await new Promise((ready) => server.listen(0, '127.0.0.1', ready));
  try {
    return await use(`http://127.0.0.1:${server.address().port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

// Every name in the body, so that the AI SDK knows each called tool.
function names(body) {
  const found = [...body.toString().matchAll(/"name":\s*("(?:[^"\\]|\\.)+")/g)].map((match) => JSON.parse(match[1]));
  return [...new Set(found)].filter((name) => /^[\w-]{1,64}$/.test(name));
}

// The parts of the AI SDK's fullStream, without what differs from run to run.
async function throughAiSdk(model, body) {
  const { streamText, jsonSchema } = await load('ai');
  const tools = Object.fromEntries(
    names(body).map((name) => [name, { inputSchema: jsonSchema({ type: 'object' }) }]));
  const result = streamText({ model, prompt: 'Hi', tools, maxRetries: 0, onError() {} });
  const told = { text: '', reasoning: '', calls: [], finish: null };
  for await (const part of result.fullStream) {
    if (part.type === 'error') throw part.error;
    if (part.type === 'text-delta') told.text += part.text;
    if (part.type === 'reasoning-delta') told.reasoning += part.text;
    if (part.type === 'tool-call') {
      const call = { id: part.toolCallId, name: part.toolName, input: part.input };
      if (part.invalid) call.invalid = String(part.error?.message ?? part.error);
      told.calls.push(call);
    }
    if (part.type === 'source') (told.sources ??= []).push(part.url ?? part.title ?? part.sourceType);
    if (part.type === 'tool-result') (told.results ??= []).push({ id: part.toolCallId, output: part.output });
    if (part.type === 'finish') {
      told.finish = part.finishReason;
      told.usage = part.totalUsage;
    }
  }
  return told;
}

// Each reads one answer of `url`, the base without the version, and resolves to its result, or throws. `body` is the
// answer, from which the AI SDK gets the tools.
const key = 'none';
export const clients = {
  'anthropic.messages': {
    'anthropic-sdk': async (url, body, model) => {
      const { default: Anthropic } = await load('@anthropic-ai/sdk');
      const client = new Anthropic({ apiKey: key, baseURL: url, maxRetries: 0 });
      return client.messages.stream({ model, max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }] }).finalMessage();
    },
    'anthropic-sdk-raw': async (url, body, model) => {
      const { default: Anthropic } = await load('@anthropic-ai/sdk');
      const client = new Anthropic({ apiKey: key, baseURL: url, maxRetries: 0 });
      const events = [];
      const ask = { model, max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }], stream: true };
      for await (const event of await client.messages.create(ask)) events.push(event);
      return events;
    },
    'ai-sdk': async (url, body, model) => {
      const { createAnthropic } = await load('@ai-sdk/anthropic');
      return throughAiSdk(createAnthropic({ apiKey: key, baseURL: `${url}/v1` })(model), body);
    },
  },
  'bedrock.converse': {
    // The content of each block by its index, and the members of the last events.
    'aws-sdk': async (url, body, model) => {
      const { BedrockRuntimeClient, ConverseStreamCommand } = await load('@aws-sdk/client-bedrock-runtime');
      const { NodeHttpHandler } = await load('@smithy/node-http-handler');
      const client = new BedrockRuntimeClient({
        region: 'us-east-1', endpoint: url, credentials: { accessKeyId: key, secretAccessKey: key }, maxAttempts: 1,
        requestHandler: new NodeHttpHandler(),  // its own default is HTTP/2
      });
      const messages = [{ role: 'user', content: [{ text: 'Hi' }] }];
      const { stream } = await client.send(new ConverseStreamCommand({ modelId: model, messages }));
      const made = { blocks: [] };
      for await (const event of stream) {
        const { contentBlockIndex: index, start, delta } = event.contentBlockStart ?? event.contentBlockDelta ?? {};
        if (index !== undefined) made.blocks[index] ??= { text: '', thinking: '', input: '' };
        if (start?.toolUse) Object.assign(made.blocks[index], start.toolUse);
        if (delta?.text) made.blocks[index].text += delta.text;
        if (delta?.reasoningContent?.text) made.blocks[index].thinking += delta.reasoningContent.text;
        if (delta?.reasoningContent?.signature) made.blocks[index].signature = delta.reasoningContent.signature;
        if (delta?.toolUse) made.blocks[index].input += delta.toolUse.input;
        if (event.messageStart) made.role = event.messageStart.role;
        if (event.messageStop) made.reason = event.messageStop.stopReason;
        if (event.metadata) made.usage = event.metadata.usage;
      }
      return made;
    },
    'ai-sdk-bedrock': async (url, body, model) => {
      const { createAmazonBedrock } = await load('@ai-sdk/amazon-bedrock');
      return throughAiSdk(createAmazonBedrock({ region: 'us-east-1', apiKey: key, baseURL: url })(model), body);
    },
  },
  'google.gemini': {
    // The text, the calls and the last of every other value: what a program reads from the chunks.
    'google-genai': async (url, body, model) => {
      const { GoogleGenAI } = await load('@google/genai');
      const client = new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: url } });
      const told = { text: '', thinking: '', calls: [], signatures: [] };
      for await (const chunk of await client.models.generateContentStream({ model, contents: 'Hi' })) {
        told.text += chunk.text ?? '';
        for (const part of chunk.candidates?.[0]?.content?.parts ?? []) {
          if (part.thought) told.thinking += part.text;
          if (part.thoughtSignature) told.signatures.push(part.thoughtSignature);
        }
        told.calls.push(...chunk.functionCalls ?? []);
        told.finish = chunk.candidates?.[0]?.finishReason ?? told.finish;
        told.blocked = chunk.promptFeedback?.blockReason ?? told.blocked;
        told.usage = chunk.usageMetadata ?? told.usage;
        told.model = chunk.modelVersion ?? told.model;
        told.id = chunk.responseId ?? told.id;
      }
      return told;
    },
    // A chat keeps the answer for its next request. It never returns if the answer has another role.
    'google-genai-chat': async (url, body, model) => {
      const { GoogleGenAI } = await load('@google/genai');
      const chat = new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: url } }).chats.create({ model });
      for await (const chunk of await chat.sendMessageStream({ message: 'Hi' })) void chunk;
      const strange = chat.getHistory().find(({ role }) => role !== 'user' && role !== 'model');
      if (strange) throw new Error(`loops for ever at the role ${strange.role}`);
      return chat.getHistory(true);
    },
    'ai-sdk-google': async (url, body, model) => {
      const { createGoogleGenerativeAI } = await load('@ai-sdk/google');
      return throughAiSdk(createGoogleGenerativeAI({ apiKey: key, baseURL: `${url}/v1beta` })(model), body);
    },
  },
  'openai.chat': {
    'openai-sdk': async (url, body, model) => {
      const { default: OpenAI } = await load('openai');
      const client = new OpenAI({ apiKey: key, baseURL: `${url}/v1`, maxRetries: 0 });
      const ask = { model, messages: [{ role: 'user', content: 'Hi' }], stream_options: { include_usage: true } };
      const stream = client.chat.completions.stream(ask);
      const done = [];  // content of the events at the ends of texts and calls
      stream.on('content.done', ({ content }) => done.push(content));
      stream.on('tool_calls.function.arguments.done', ({ name, arguments: text }) => done.push(`${name} ${text}`));
      return { ...await stream.finalChatCompletion(), done };
    },
    'ai-sdk-compatible': async (url, body, model) => {
      const { createOpenAICompatible } = await load('@ai-sdk/openai-compatible');
      return throughAiSdk(createOpenAICompatible({ name: 'x', apiKey: key, baseURL: `${url}/v1`, includeUsage: true })(model), body);
    },
    'ai-sdk-openai': async (url, body, model) => {
      const { createOpenAI } = await load('@ai-sdk/openai');
      return throughAiSdk(createOpenAI({ apiKey: key, baseURL: `${url}/v1` }).chat(model), body);
    },
  },
  'openai.responses': {
    'openai-responses': async (url, body, model) => {
      const { default: OpenAI } = await load('openai');
      const client = new OpenAI({ apiKey: key, baseURL: `${url}/v1`, maxRetries: 0 });
      return client.responses.stream({ model, input: 'Hi' }).finalResponse();
    },
    'openai-raw': async (url, body, model) => {
      const { default: OpenAI } = await load('openai');
      const client = new OpenAI({ apiKey: key, baseURL: `${url}/v1`, maxRetries: 0 });
      const events = [];
      for await (const event of await client.responses.create({ model, input: 'Hi', stream: true })) events.push(event);
      return events;
    },
    'ai-sdk-responses': async (url, body, model) => {
      const { createOpenAI } = await load('@ai-sdk/openai');
      return throughAiSdk(createOpenAI({ apiKey: key, baseURL: `${url}/v1` }).responses(model), body);
    },
  },
};

function guess(body) {
  if (isFrames(body)) return 'bedrock.converse';
  const head = body.toString().slice(0, 20000);
  if (/"type":\s*"response\./.test(head)) return 'openai.responses';
  if (/"candidates"|"promptFeedback"|"status":\s*"[A-Z_]+"/.test(head)) return 'google.gemini';
  if (/"choices"|"object":\s*"chat/.test(head)) return 'openai.chat';
  return 'anthropic.messages';
}

// Returns the results of each client of the protocol for the body: {client: {throws} or {result}}.
export async function ask(protocol, body) {
  const told = {};
  for (const [id, read] of Object.entries(clients[protocol])) {
    told[id] = await serve(body, async (url) => {
      let timer;
      const late = new Promise((_, fail) => { timer = setTimeout(() => fail(new Error('says nothing and waits')), kTimeout); });
      try {
        return { result: await Promise.race([read(url, body, 'm'), late]) };
      } catch (error) {
        return { throws: `${error?.name ?? 'Error'}: ${error?.message ?? JSON.stringify(error)}` };
      } finally {
        clearTimeout(timer);
      }
    });
  }
  return told;
}

// Clients leave unawaited promises that fail.
process.on('unhandledRejection', () => {});
process.on('uncaughtException', () => {});
globalThis.AI_SDK_LOG_WARNINGS = false;

if (process.argv[1] === new URL(import.meta.url).pathname) {
  const args = process.argv.slice(2);
  const as = args[0] === '--as' ? args.splice(0, 2)[1] : undefined;
  for (const file of args) {
    const body = readFileSync(file);
    console.log(file);
    for (const [client, made] of Object.entries(await ask(as ?? guess(body), body))) {
      const text = made.throws ? `throws ${made.throws}` : JSON.stringify(made.result);
      console.log(`  ${client.padEnd(18)} ${text.length > 600 ? text.slice(0, 600) + '...' : text}`);
    }
  }
  process.exit(0);
}
