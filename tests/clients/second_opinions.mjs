// Compares the harness's reading of upstream responses with official clients' readings:
//     node second_opinions.mjs UPSTREAM_READINGS CORPUS SHARED [--counts]
//
// second_opinions.json explains the differences. CLIENT_PACKAGES is the folder of the clients. Prints unexplained
// differences, unnecessary rows and changed counts, and then exits with 1. `--counts` updates the counts.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';

import { Table } from './opinion_table.mjs';
import { isFor, isServed, opinion, parsed, readers } from './opinions.mjs';
import { chunksOf } from './recorded_upstream.mjs';

const filesIn = (folder, wanted) =>
  (existsSync(folder) ? readdirSync(folder) : []).filter((name) => wanted.test(name)).map((name) => path.join(folder, name));

// True if the frames of Bedrock contain another protocol's events: then all have the type `chunk`.
const isInvoke = (file) => readFileSync(file).includes('chunk\r:content-type');

// The files of each dialect.
function filesOf(dialect, corpus, shared) {
  const folder = {
    'openai.chat': 'openai-chat', 'openai.responses': 'openai-responses',
    'anthropic.messages': 'anthropic-messages', 'ollama.chat': 'ollama', 'google.gemini': 'gemini',
  }[dialect];
  const frames = filesIn(path.join(shared, 'recordings', 'bedrock-eventstream'), /\.bin$/)
    .filter((file) => isInvoke(file) === (dialect === 'bedrock.invoke'));
  const reports = filesIn(path.join(shared, 'reports'), /./)
    .filter((report) => existsSync(path.join(report, 'upstream.sse')))
    .filter((report) => JSON.parse(readFileSync(path.join(report, 'case.json'))).upstream === dialect)
    .map((report) => path.join(report, 'upstream.sse'));
  return [
    ...filesIn(path.join(corpus, dialect), /\.rec\.jsonl$/),
    ...(folder ? filesIn(path.join(shared, 'recordings', folder), /\.(sse|ndjson|(?<!\.meta\.)json)$/) : []),
    ...(dialect.startsWith('bedrock.') ? frames : []),
    ...reports,
  ];
}

function responseOf(file, dialect) {
  if (file.endsWith('.rec.jsonl')) {
    const { head, chunks, end } = chunksOf(file);
    return { status: head.response.status, headers: head.response.headers, chunks, end };
  }
  const type = { 'ollama.chat': 'application/x-ndjson' }[dialect]
    ?? (dialect.startsWith('bedrock.') ? 'application/vnd.amazon.eventstream' : 'text/event-stream');
  return { status: 200, headers: { 'content-type': type }, chunks: [readFileSync(file)], end: 'complete' };
}

// Converts the harness's reading to the form of opinions.mjs. `cut`: the connection ended early.
function ofHarness({ parts, finish, stop_reason: word, error, extra, usage = {} }, cut) {
  const images = (extra['the delta.images'] ?? '').split('\n').filter((line) => line);
  const all = (member) => parts.map((part) => part[member]).filter((text) => typeof text === 'string').join('');
  return {
    text: all('text'),
    refusal: all('refusal'),
    thinking: all('thinking'),
    signature: parts.findLast((part) => part.signature)?.signature ?? '',
    calls: parts.filter((part) => 'name' in part)
      .map(({ id, name, arguments: text, custom }) => ({ id, name, input: custom ? text : parsed(text) })),
    order: orderOf(parts),
    served: parts.filter(({ block, type }) => block && (isServed(JSON.parse(block).type) || isServed(type))).length,
    files: images.flatMap((line) => JSON.parse(line)).length + parts.filter(({ type }) => /^(inline|file)Data$/.test(type)).length,
    end: error !== null || finish === 'breakdown' || (finish === null && cut) ? 'failed' : finish ?? 'none',
    word: word ?? undefined,
    usage,
  };
}

// The order of parts: text, thinking and calls.
function orderOf(parts) {
  const kinds = parts.map((part) => ('name' in part ? 'call' : part.text ? 'text' : part.thinking ? 'thinking' : null));
  return kinds.filter((kind) => kind !== null);
}

// Members that need another comparison: a client may invent an id that the provider does not send.
const alike = {
  calls: (ours, theirs) => {
    if (ours.length !== theirs.length) return false;
    return ours.every(({ id, name, input }, i) =>
      (!id || id === theirs[i].id) && name === theirs[i].name && isDeepStrictEqual(input, theirs[i].input));
  },
  // Some servers send a number as the word.
  word: (ours, theirs) => (ours ?? '').toLowerCase() === String(theirs ?? '').toLowerCase(),
};
const counts = ['prompt', 'cached', 'written', 'completion', 'reasoning'];

// Returns the differences: [{what, ours, theirs}].
function differences(ours, theirs, dialect) {
  const found = [];
  const compare = (what, a, b, same = isDeepStrictEqual) => {
    if (!same(a, b)) found.push({ what, ours: a, theirs: b });
  };
  // Responses and Gemini have no word for calls.
  const hasNoWord = ['openai.responses', 'google.gemini'].includes(dialect);
  const end = (one) => (hasNoWord && one === 'calls' ? 'stop' : one);
  compare('end', end(ours.end), end(theirs.end));
  if (ours.end === 'failed' || theirs.end === 'failed') {
    // A failing client's progress depends on the moment.
    const begins = (a, b) => a.startsWith(b);
    for (const what of ['text', 'thinking'])
      if (what in theirs && ours.end === theirs.end) compare(what, ours[what], theirs[what], begins);
    return found;
  }
  for (const what of ['text', 'refusal', 'thinking', 'signature', 'calls', 'served', 'files', 'word']) {
    // Responses have a status and no word.
    if (what === 'word' && dialect === 'openai.responses') continue;
    if (what in theirs) compare(what, ours[what], theirs[what], alike[what]);
  }
  // Different parts also have a different order.
  const parts = ['text', 'refusal', 'thinking', 'calls'];
  if ('order' in theirs && !found.some(({ what }) => parts.includes(what))) compare('order', ours.order, theirs.order);
  for (const count of counts)
    if (count in theirs.usage) compare(count, ours.usage[count] ?? 0, theirs.usage[count] ?? 0);
  return found;
}

// Text that names the provider, if anything does: the first word of a shared recording's name, a title, a report's subject.
function providerOf(name, file, { title = '' }) {
  if (name.startsWith('corpus/')) return `${path.basename(name)} ${title}`;
  return name.startsWith('reports/') ? JSON.parse(readFileSync(path.join(path.dirname(file), 'case.json'))).about
                                     : `${path.basename(name).split('__')[0]}__`;
}

// Returns the recordings of a dialect with the harness's readings: [{name, provider, body, response, reading}].
function recordingsOf(dialect, program, corpus, shared) {
  const files = filesOf(dialect, corpus, shared);
  if (files.length === 0) return [];
  const lines = execFileSync(program, [dialect, ...files], { maxBuffer: 1 << 28 }).toString().split('\n');
  return files.map((file, i) => {
    const reading = JSON.parse(lines[i]);
    const response = responseOf(file, dialect);
    const folder = file.startsWith(`${shared}/`) ? shared : path.dirname(corpus);
    const name = path.relative(folder, file).replace(/(\.rec\.jsonl|\/upstream\.sse)$/, '');
    const body = Buffer.concat(response.chunks).toString('latin1');
    return { name, provider: providerOf(name, file, reading), body, response, reading };
  });
}

async function main(program, corpus, shared, ...flags) {
  const table = new Table(new URL('second_opinions.json', import.meta.url), existsSync(path.join(shared, 'recordings')));
  for (const [dialect, clients] of Object.entries(readers)) {
    const recordings = recordingsOf(dialect, program, path.resolve(corpus), path.resolve(shared));
    for (const { name, provider, body, response, reading } of recordings) {
      const ours = ofHarness(reading, response.end !== 'complete');
      for (const [client, reader] of Object.entries(clients)) {
        if (!isFor(reader, provider, body)) continue;
        const theirs = await opinion(reader, response);
        table.add({ dialect, client, name, body, why: theirs.why ?? '' }, differences(ours, theirs, dialect));
      }
    }
  }
  if (flags.includes('--counts')) table.save();
  const wrong = table.wrong();
  for (const text of wrong) console.log(text);
  console.log(`${table.summary()}, ${wrong.length} wrong`);
  return wrong.length > 0 ? 1 : 0;
}

// Clients leave unawaited promises that fail.
process.on('unhandledRejection', () => {});
process.on('uncaughtException', () => {});
globalThis.AI_SDK_LOG_WARNINGS = false;
try {
  process.exit(await main(...process.argv.slice(2)));
} catch (error) {
  console.error(error);
  process.exit(2);
}
