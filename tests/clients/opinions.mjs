// Official clients that read a response of an upstream. All return their reading in one form:
//     {text, refusal, thinking, signature, calls, order, served, files, end, word,
//      usage: {prompt, cached, written, completion, reasoning}}
//
// `served` counts the calls that the provider runs itself. `end` is stop, calls, length, filter, failed, none (no word
// came) or unknown (a word that the client does not know); `word` is the provider's own. Members that a client does not
// keep are absent.
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const require = createRequire(path.join(process.env.CLIENT_PACKAGES, 'package.json'));
const load = async (name) => import(pathToFileURL(require.resolve(name)).href);

// A fetch that answers any request with the recorded response: its chunks as they arrived, and an error if it was cut off.
function fetchOf({ status, headers, chunks, end }) {
  const given = [...chunks];
  const pull = (controller) => {
    const chunk = given.shift();
    if (chunk !== undefined) controller.enqueue(new Uint8Array(chunk));
    else if (end === 'complete') controller.close();
    else controller.error(new TypeError('terminated'));
  };
  return async () => new Response(new ReadableStream({ pull }), { status, headers });
}

// Arguments that are not JSON stay text.
export function parsed(text) {
  if (typeof text !== 'string') return text ?? {};
  try {
    return JSON.parse(text || '{}');
  } catch {
    return text;
  }
}

// A half of a surrogate pair has no UTF-8; the harness reads U+FFFD.
function wellFormed(value) {
  if (typeof value === 'string') return value.toWellFormed();
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(wellFormed);
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, wellFormed(member)]));
}

// True if a block or an item of this type is a call that the provider runs itself.
export const isServed = (type) =>
  /^(server|mcp)_tool_use$|_call$|^(executableCode|toolCall)$/.test(type) && !/^(function|custom_tool)_call$/.test(type);

const joined = (pieces) => pieces.filter((piece) => typeof piece === 'string').join('');
const finishes = {
  stop: 'stop', end_turn: 'stop', stop_sequence: 'stop', completed: 'stop',
  tool_calls: 'calls', tool_use: 'calls', function_call: 'calls', 'tool-calls': 'calls',
  length: 'length', max_tokens: 'length', max_output_tokens: 'length', model_context_window_exceeded: 'length',
  content_filter: 'filter', 'content-filter': 'filter', refusal: 'filter',
  pause_turn: 'paused',
  error: 'failed', failed: 'failed',
};
const endOf = (word) => (word ? finishes[word] ?? 'unknown' : 'none');

const failure = (error) => ({ end: 'failed', why: String(error?.message ?? JSON.stringify(error)) });
const callOf = (id, { name, arguments: text }) => ({ id, name, input: parsed(text) });

// Reads with a provider package of the AI SDK. Content before a failure is kept.
async function throughAiSdk(model) {
  const made = { text: '', thinking: '', signature: '', calls: [], order: [], served: 0, files: 0, end: 'none', usage: {} };
  let open;  // id of the current part
  // `kind` is text or thinking.
  const say = (kind, { delta, id }) => {
    made[kind] += delta;
    if (delta && (made.order.at(-1) !== kind || open !== id)) made.order.push(kind);
    if (delta) open = id;
  };
  const begun = () => made.order.filter((kind) => kind === 'call').length;
  const signed = ({ providerMetadata = {} }) => {
    for (const own of Object.values(providerMetadata)) {
      const said = own?.signature ?? own?.reasoningEncryptedContent ??
        own?.reasoning_details?.findLast((detail) => detail.signature)?.signature;
      if (typeof said === 'string') made.signature = said;
    }
  };
  try {
    const prompt = [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }];
    // A client without stored answers at the provider gets the signatures.
    const providerOptions = Object.fromEntries(['openai', 'azure', 'xai'].map((name) => [name, { store: false }]));
    const { stream } = await model.doStream({ prompt, providerOptions });
    for await (const part of stream) {
      signed(part);
      if (part.type === 'text-delta') say('text', part);
      if (part.type === 'reasoning-delta') say('thinking', part);
      if (part.type === 'tool-input-start' && !part.providerExecuted) made.order.push('call');
      if (part.type === 'file') ++made.files;
      if (part.type === 'tool-call' && part.providerExecuted) ++made.served;
      if (part.type === 'tool-call' && !part.providerExecuted) {
        made.calls.push({ id: part.toolCallId, name: part.toolName, input: parsed(part.input) });
        if (begun() < made.calls.length) made.order.push('call');
      }
      if (part.type === 'error') return { ...made, ...failure(part.error) };
      if (part.type !== 'finish') continue;
      const { unified, raw } = part.finishReason;
      made.word = raw;
      made.end = unified === 'other' ? (raw ? 'unknown' : 'none') : endOf(unified);
      const { inputTokens: input, outputTokens: output } = part.usage;
      made.usage = {
        prompt: input.total, cached: input.cacheRead, written: input.cacheWrite,
        completion: output.total, reasoning: output.reasoning,
      };
    }
    return made;
  } catch (error) {
    return { ...made, ...failure(error) };
  }
}

// Reads the client's final object with `read`. A client that throws keeps nothing.
async function assembled(final, read) {
  try {
    return read(JSON.parse(JSON.stringify(await final())));
  } catch (error) {
    return failure(error);
  }
}

function ofCompletion({ choices, usage }) {
  const { message, finish_reason: word } = choices[0];
  return {
    text: joined([message.content]),
    refusal: joined([message.refusal]),
    calls: (message.tool_calls ?? []).map(({ id, function: called }) => callOf(id, called)),
    end: endOf(word),
    word,
    usage: {
      prompt: usage?.prompt_tokens, cached: usage?.prompt_tokens_details?.cached_tokens,
      completion: usage?.completion_tokens, reasoning: usage?.completion_tokens_details?.reasoning_tokens,
    },
  };
}

function ofMessage({ content, stop_reason: word, usage }) {
  const of = (type) => content.filter((block) => block.type === type);
  return {
    text: joined(of('text').map((block) => block.text)),
    thinking: joined(of('thinking').map((block) => block.thinking)),
    signature: joined([content.findLast((block) => block.signature)?.signature]),
    calls: of('tool_use'),
    served: content.filter(({ type }) => isServed(type)).length,
    end: endOf(word),
    word,
    usage: {
      prompt: usage.input_tokens + (usage.cache_read_input_tokens ?? 0) + (usage.cache_creation_input_tokens ?? 0),
      cached: usage.cache_read_input_tokens, written: usage.cache_creation_input_tokens,
      completion: usage.output_tokens,
      reasoning: usage.output_tokens_details?.thinking_tokens,
    },
  };
}

function ofResponse({ output, status, incomplete_details: cut, usage }) {
  const of = (type) => output.filter((item) => item.type === type);
  const said = of('message').flatMap((item) => item.content);
  return {
    text: joined(said.map((part) => part.text)),
    refusal: joined(said.map((part) => part.refusal)),
    thinking: joined(of('reasoning').flatMap(({ summary = [], content = [] }) => [...summary, ...content]).map((part) => part.text)),
    signature: joined([output.findLast((item) => item.encrypted_content)?.encrypted_content]),
    calls: output.filter((item) => /^(function|custom_tool)_call$/.test(item.type)).map((item) => ({
      id: item.call_id, name: item.name, input: item.type === 'function_call' ? parsed(item.arguments) : item.input,
    })),
    served: output.filter(({ type }) => isServed(type)).length,
    end: endOf(cut?.reason ?? status),
    usage: {
      prompt: usage?.input_tokens, cached: usage?.input_tokens_details?.cached_tokens,
      completion: usage?.output_tokens, reasoning: usage?.output_tokens_details?.reasoning_tokens,
    },
  };
}

async function ofOllama(fetch) {
  const { Ollama } = await load('ollama');
  const made = { text: '', thinking: '', calls: [], end: 'none', usage: {} };
  try {
    const ask = { model: 'm', messages: [{ role: 'user', content: 'Hi' }], stream: true };
    for await (const { message, done_reason: word, prompt_eval_count: prompt, eval_count: completion } of
      await new Ollama({ host: 'http://127.0.0.1', fetch }).chat(ask)) {
      made.text += message?.content ?? '';
      made.thinking += message?.thinking ?? '';
      for (const call of message?.tool_calls ?? []) made.calls.push(callOf(call.id, call.function));
      if (word) Object.assign(made, { end: endOf(word), word });
      if (completion !== undefined) made.usage = { prompt, completion };
    }
    return made;
  } catch (error) {
    return { ...made, ...failure(error) };
  }
}

// Google's words for an end. A filter and a failure have many.
const googleEnds = {
  STOP: 'stop', MAX_TOKENS: 'length',
  MALFORMED_FUNCTION_CALL: 'failed', UNEXPECTED_TOOL_CALL: 'failed', TOO_MANY_TOOL_CALLS: 'failed',
  MISSING_THOUGHT_SIGNATURE: 'failed', MALFORMED_RESPONSE: 'failed', NO_IMAGE: 'failed',
};
const googleFilters = /^(SAFETY|RECITATION|LANGUAGE|BLOCKLIST|PROHIBITED_CONTENT|SPII|IMAGE_.*|MODEL_ARMOR)$/;

// Google's SDK yields the frames of the stream. Their parts are read here.
async function ofGoogle(fetch) {
  const { GoogleGenAI } = await load('@google/genai');
  const made = { text: '', thinking: '', calls: [], files: 0, end: 'none', usage: {} };
  const { fetch: before } = globalThis;
  globalThis.fetch = fetch;
  try {
    const client = new GoogleGenAI({ apiKey: 'none', httpOptions: { baseUrl: 'http://127.0.0.1' } });
    for await (const { candidates = [], promptFeedback, usageMetadata: usage } of
      await client.models.generateContentStream({ model: 'm', contents: 'Hi' })) {
      if (candidates.length === 0 && promptFeedback?.blockReason) Object.assign(made, { end: 'filter', word: promptFeedback.blockReason });
      for (const { index = 0, content, finishReason: word } of candidates) {
        if (index !== 0) continue;
        for (const part of content?.parts ?? []) {
          made[part.thought ? 'thinking' : 'text'] += part.text ?? '';
          if (part.functionCall) made.calls.push({ id: part.functionCall.id, name: part.functionCall.name, input: part.functionCall.args ?? {} });
          if (part.inlineData || part.fileData) ++made.files;
        }
        if (!word || word === 'FINISH_REASON_UNSPECIFIED') continue;
        Object.assign(made, { end: googleEnds[word] ?? (googleFilters.test(word) ? 'filter' : 'unknown'), word });
      }
      if (usage?.promptTokenCount === undefined) continue;
      made.usage = {
        prompt: usage.promptTokenCount + (usage.toolUsePromptTokenCount ?? 0), cached: usage.cachedContentTokenCount,
        completion: (usage.candidatesTokenCount ?? 0) + (usage.thoughtsTokenCount ?? 0), reasoning: usage.thoughtsTokenCount,
      };
    }
    return made;
  } catch (error) {
    return { ...made, ...failure(error) };
  } finally {
    globalThis.fetch = before;
  }
}

const ask = [{ role: 'user', content: 'Hi' }];
const options = (fetch) => ({ apiKey: 'none', baseURL: 'http://127.0.0.1/v1', fetch });
const sdk = (fetch) => ({ ...options(fetch), maxRetries: 0, logLevel: 'off' });

// Makes a reader of a provider package of the AI SDK.
const package_ = (name, create, model) => async (fetch) => throughAiSdk(model((await load(name))[create](options(fetch))));
const chat = (provider) => (provider.chat ?? provider.chatModel)('m');
const plain = (provider) => provider('m');
const responses = (provider) => provider.responses('m');
const compatible = async (fetch) => {
  const { createOpenAICompatible } = await load('@ai-sdk/openai-compatible');
  return throughAiSdk(createOpenAICompatible({ ...options(fetch), name: 'any', includeUsage: true })('m'));
};
const openResponses = async (fetch) => {
  const { createOpenResponses } = await load('@ai-sdk/open-responses');
  return throughAiSdk(createOpenResponses({ name: 'any', url: 'http://127.0.0.1/v1/responses', fetch })('m'));
};
const bedrock = (name, create) => async (fetch) =>
  throughAiSdk((await load(name))[create]({ region: 'us-east-1', apiKey: 'none', fetch })('m'));

// `body` has one character for each byte.
const isArray = (body) => /^(\xef\xbb\xbf)?\s*\[/.test(body);

// The readers of each dialect. A reader with `of` reads recordings of that provider. A reader with `reads` also reads bodies
// for which that is true. A reader without either reads all recordings.
export const readers = {
  'openai.chat': {
    openai: {
      read: async (fetch) => {
        const { default: OpenAI } = await load('openai');
        const request = { model: 'm', messages: ask, stream_options: { include_usage: true } };
        return assembled(() => new OpenAI(sdk(fetch)).chat.completions.stream(request).finalChatCompletion(), ofCompletion);
      },
    },
    '@ai-sdk/openai-compatible': { read: compatible },
    '@ai-sdk/openai': { read: package_('@ai-sdk/openai', 'createOpenAI', chat) },
    '@ai-sdk/alibaba': { of: /alibaba|qwen/i, read: package_('@ai-sdk/alibaba', 'createAlibaba', chat) },
    '@ai-sdk/azure': { of: /azure/i, read: package_('@ai-sdk/azure', 'createAzure', chat) },
    '@ai-sdk/cerebras': { of: /cerebras/i, read: package_('@ai-sdk/cerebras', 'createCerebras', chat) },
    '@ai-sdk/deepseek': { of: /deepseek/i, read: package_('@ai-sdk/deepseek', 'createDeepSeek', chat) },
    '@ai-sdk/groq': { of: /groq/i, read: package_('@ai-sdk/groq', 'createGroq', plain) },
    '@ai-sdk/mistral': { of: /(?<![a-z])mistral(?![a-z])/i, read: package_('@ai-sdk/mistral', 'createMistral', chat) },
    '@ai-sdk/moonshotai': { of: /moonshot|kimi/i, read: package_('@ai-sdk/moonshotai', 'createMoonshotAI', chat) },
    '@ai-sdk/perplexity': { of: /perplexity/i, read: package_('@ai-sdk/perplexity', 'createPerplexity', plain) },
    '@ai-sdk/togetherai': { of: /together(__| ai)/i, read: package_('@ai-sdk/togetherai', 'createTogetherAI', chat) },
    '@ai-sdk/xai': { of: /(?<![a-z])xai(?![a-z])/i, read: package_('@ai-sdk/xai', 'createXai', chat) },
    '@openrouter/ai-sdk-provider': {
      of: /openrouter/i,
      reads: (body) => /"(images|reasoning_details)":/.test(body),
      read: package_('@openrouter/ai-sdk-provider', 'createOpenRouter', chat),
    },
  },
  'openai.responses': {
    openai: {
      read: async (fetch) => {
        const { default: OpenAI } = await load('openai');
        const client = new OpenAI(sdk(fetch));
        return assembled(() => client.responses.stream({ model: 'm', input: 'Hi' }).finalResponse(), ofResponse);
      },
    },
    '@ai-sdk/openai': { read: package_('@ai-sdk/openai', 'createOpenAI', responses) },
    '@ai-sdk/open-responses': { read: openResponses },
    '@ai-sdk/azure': { of: /azure/i, read: package_('@ai-sdk/azure', 'createAzure', responses) },
    '@ai-sdk/xai': { of: /(?<![a-z])xai(?![a-z])/i, read: package_('@ai-sdk/xai', 'createXai', responses) },
  },
  'anthropic.messages': {
    '@anthropic-ai/sdk': {
      read: async (fetch) => {
        const { default: Anthropic } = await load('@anthropic-ai/sdk');
        const request = { model: 'm', max_tokens: 1000, messages: ask };
        return assembled(() => new Anthropic(sdk(fetch)).beta.messages.stream(request).finalMessage(), ofMessage);
      },
    },
    '@ai-sdk/anthropic': { read: package_('@ai-sdk/anthropic', 'createAnthropic', plain) },
  },
  'ollama.chat': { ollama: { read: ofOllama } },
  // Both ask for server-sent events, so they never get an array.
  'google.gemini': {
    '@google/genai': { reads: (body) => !isArray(body), read: ofGoogle },
    '@ai-sdk/google': {
      reads: (body) => !isArray(body),
      read: package_('@ai-sdk/google', 'createGoogleGenerativeAI', plain),
    },
  },
  'bedrock.converse': { '@ai-sdk/amazon-bedrock': { read: bedrock('@ai-sdk/amazon-bedrock', 'createAmazonBedrock') } },
  // Only Anthropic's events in these frames have an official reader: they begin with {"type":"message_start, in base64.
  'bedrock.invoke': {
    '@ai-sdk/amazon-bedrock/anthropic': {
      reads: (body) => body.includes('eyJ0eXBlIjoibWVzc2FnZV9zdGFydC'),
      read: bedrock('@ai-sdk/amazon-bedrock/anthropic', 'createBedrockAnthropic'),
    },
  },
};

const kTimeout = 20000;  // ms; for a client that waits for more than the response has

// Resolves to the reading of a response.
export async function opinion(reader, response) {
  let timer;
  const late = new Promise((resolve) => {
    timer = setTimeout(() => resolve(failure('waits for more')), kTimeout);
  });
  try {
    return wellFormed(await Promise.race([reader.read(fetchOf(response)), late]));
  } finally {
    clearTimeout(timer);
  }
}

// True if the reader reads a recording. `provider` is text that names the provider.
export function isFor({ of, reads }, provider, body) {
  return (!of && !reads) || Boolean(of?.test(provider)) || Boolean(reads?.(body));
}
