// Calls a provider with official SDKs, directly and through `splitproof record`, and compares all that they return:
//     node recorded_calls.mjs SPLITPROOF CORPUS
//
// CLIENT_PACKAGES has the SDKs. The provider plays recordings of CORPUS. Prints the differences, and then exits with 1.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import readline from 'node:readline';
import { pathToFileURL } from 'node:url';

import { chunksOf, serveRecordings } from './recorded_upstream.mjs';

const require = createRequire(path.join(process.env.CLIENT_PACKAGES, 'package.json'));
const load = async (name) => import(pathToFileURL(require.resolve(name)).href);
const step = 4;  // every fourth recording
const together = 8;

const { default: OpenAI } = await load('openai');
const { default: Anthropic } = await load('@anthropic-ai/sdk');
const { GoogleGenAI } = await load('@google/genai');
const { Ollama } = await load('ollama');
const { streamText } = await load('ai');
const { createOpenAICompatible } = await load('@ai-sdk/openai-compatible');

const options = (url) => ({ baseURL: url, apiKey: 'none', maxRetries: 0, timeout: 30000 });
const messages = [{ role: 'user', content: 'Hi' }];

// Returns everything that a stream yields, and its error.
async function all(begin) {
  const events = [];
  try {
    for await (const event of await begin()) events.push(event);
    return { events };
  } catch (error) {
    return { events, error: `${error.constructor.name}: ${error.message}` };
  }
}

const sdks = [
  {
    name: 'openai',
    protocol: 'openai.chat',
    read: (url, model) =>
      all(() => new OpenAI(options(`${url}/v1`)).chat.completions.create({ model, messages, stream: true })),
  },
  {
    name: 'ai',
    protocol: 'openai.chat',
    read: (url, model) => {
      const provider = createOpenAICompatible({ name: 'p', baseURL: `${url}/v1`, apiKey: 'none' });
      const result = () => streamText({ model: provider(model), prompt: 'Hi', maxRetries: 0, onError: () => {} }).fullStream;
      // The package draws ids and the time itself.
      const plain = ({ id, response, error, toolCallId, ...part }) => ({ ...part, error: error && String(error.message ?? error) });
      return all(async function* () {
        for await (const part of result()) yield plain(part);
      }).then(({ events, error }) => ({ events: events.filter(({ type }) => !/^(start|finish)-step$/.test(type)), error }));
    },
  },
  {
    name: 'openai',
    protocol: 'openai.responses',
    read: (url, model) => all(() => new OpenAI(options(`${url}/v1`)).responses.create({ model, input: 'Hi', stream: true })),
  },
  {
    name: '@anthropic-ai/sdk',
    protocol: 'anthropic.messages',
    read: (url, model) =>
      all(() => new Anthropic(options(url)).messages.create({ model, messages, max_tokens: 64, stream: true })),
  },
  {
    name: '@google/genai',
    protocol: 'google.gemini',
    read: (url, model) => {
      const google = new GoogleGenAI({ apiKey: 'none', httpOptions: { baseUrl: url, timeout: 30000 } });
      return all(() => google.models.generateContentStream({ model, contents: 'Hi' }));
    },
  },
  {
    name: 'ollama',
    protocol: 'ollama.chat',
    read: (url, model) => all(() => new Ollama({ host: url }).chat({ model, messages, stream: true })),
  },
];

// Starts `splitproof record`. Resolves to its address and a function that ends it.
async function startRecorder(program, provider, protocol, folder) {
  const child = spawn(program, ['record', '--to', provider, '--protocol', protocol, '--out', folder]);
  const lines = [];  // all that it prints
  const output = readline.createInterface({ input: child.stdout });
  const url = await new Promise((resolve) => {
    output.on('line', (line) => {
      lines.push(line);
      const found = / at (http:\S+), to /.exec(line);
      if (found !== null) resolve(found[1]);
    });
  });
  // Ends it in order, so that every call is judged. Resolves to its lines.
  const stop = () => new Promise((resolve) => {
    output.on('close', () => resolve(lines));
    child.kill('SIGINT');
  });
  return { url, stop };
}

// The recordings that end in order or by a close: what a client gets before a reset depends on time.
function recordingsOf(corpus, protocol) {
  return readdirSync(path.join(corpus, protocol), { recursive: true })
    .filter((name) => name.endsWith('.rec.jsonl'))
    .sort()
    .filter((_, i) => i % step === 0)
    .map((name) => path.join(corpus, protocol, name))
    .filter((file) => ['complete', 'closed'].includes(chunksOf(file).end));
}

async function main(program, corpus) {
  let failed = 0;
  let calls = 0;
  for (const { name, protocol, read } of sdks) {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'recorded-calls-'));
    const files = new Map(recordingsOf(corpus, protocol).map((file) => [path.basename(file, '.rec.jsonl'), file]));
    assert.ok(files.size >= 4, `only ${files.size} recordings of ${protocol}`);
    const provider = new URL(await serveRecordings(files)).origin;
    const recorder = await startRecorder(program, provider, protocol, folder);
    const left = [...files.keys()];
    const work = async () => {
      for (let id = left.shift(); id !== undefined; id = left.shift()) {
        const direct = await read(provider, id);
        const recorded = await read(recorder.url, id);
        calls += 1;
        try {
          assert.deepEqual(recorded, direct);
        } catch (error) {
          failed += 1;
          console.log(`${name}, ${protocol}/${id}: ${error.message}`);
        }
      }
    };
    await Promise.all(Array.from({ length: together }, work));
    const lines = await recorder.stop();
    const recorded = readdirSync(folder).length;
    if (recorded !== files.size) {
      failed += 1;
      console.log(`${name}, ${protocol}: ${recorded} recordings of ${files.size} calls`);
      console.log(lines.filter((line) => line.startsWith('not recorded')).join('\n'));
    }
    rmSync(folder, { recursive: true });
  }
  console.log(`${calls} calls through the recorder, ${failed} differences`);
  process.exit(failed === 0 ? 0 : 1);
}

await main(...process.argv.slice(2));
