// Reads every recording of a corpus through a running splitproof-proxy with the official clients of each protocol:
//     node every_pair.mjs PROXY MEANINGS CONTRACTS CORPUS
//
// MEANINGS is a program that prints the expected answers of a protocol's clients; CLIENT_PACKAGES has the clients.
// Prints the differences last, and then exits with 1.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { clients } from './ask.mjs';
import { startProxy } from './proxy.mjs';
import { serveRecordings } from './recorded_upstream.mjs';
import { told } from './told.mjs';

const together = 8;
// In ms. A machine with much other work stands still for seconds; only a stalled upstream makes a client wait.
const patience = { direct: 5_000, proxied: 30_000 };

// Conforming answers that a client reads differently. An unnecessary entry fails.
const noRefusal = 'the client passes the field refusal over';
const exceptions = {
  'ai-sdk-responses': {
    'openai.chat/text-content-refusal': 'the client takes a refusal for a filter',
    'openai.chat/text-refusal': 'the client takes a refusal for a filter',
  },
  'ai-sdk-compatible': {
    'openai.responses/refusal-behind-text': noRefusal,
    'openai.responses/refusal-multibyte': noRefusal,
    'openai.responses/refusal-only-in-item': noRefusal,
    'openai.responses/refusal-plain': noRefusal,
  },
};

// Starts a proxy that reads that protocol, with short timeouts for a silent upstream.
async function startImpatientProxy(program, protocol, upstream) {
  const folder = mkdtempSync(path.join(tmpdir(), 'every-pair-'));
  const config = path.join(folder, 'proxy.yaml');
  writeFileSync(config, 'timeouts: {idle: 3s}\n');
  const proxy = await startProxy(program, upstream, ['--config', config, '--upstream-protocol', protocol]);
  rmSync(folder, { recursive: true });
  return proxy;
}

// Returns the expected answers of `protocol`'s clients for every recording of the corpus: {upstream: [meaning...]}.
function meaningsFor(program, contracts, corpus, protocol) {
  const ran = spawnSync(program, [contracts, protocol, corpus], { encoding: 'utf8', maxBuffer: 1 << 28 });
  assert.equal(ran.status, 0, ran.stderr);
  const lines = ran.stdout.split('\n').filter((line) => line).map((line) => JSON.parse(line));
  const groups = {};
  for (const line of lines) (groups[line.upstream] ??= []).push(line);
  return groups;
}

function sorted(calls) {
  const key = ({ name, input }) => JSON.stringify([name, input]);
  return [...calls].sort((a, b) => (key(a) < key(b) ? -1 : 1));
}

function checkCalls(got, meaning) {
  const wanted = meaning.parts
    .filter(({ kind }) => kind === 'call')
    .map(({ id, name, input, arguments: text }) => ({ id, name, input: input === 'object' ? JSON.parse(text) : {}, cut: input === 'cut' }));
  const [a, b] = meaning.calls_in_order ? [got, wanted] : [sorted(got), sorted(wanted)];
  assert.deepEqual(a.map(({ name }) => name), b.map(({ name }) => name));
  b.forEach(({ id, input, cut }, i) => {
    if (id !== null) assert.equal(a[i].id, id);
    if (!cut) assert.deepEqual(a[i].input, input);
  });
  assert.equal(new Set(got.map(({ id }) => id)).size, got.length, 'two calls have one id');
}

// `got` is the result or the exception of ask.mjs's client.
function check(got, meaning) {
  if (meaning.failure) {
    assert.ok(got.throws || got.told.failed, `the answer fails (${meaning.failure}), and the client takes it for whole`);
    return;
  }
  assert.equal(got.throws, undefined);
  assert.ok(!got.told.failed, 'the answer is whole, and the client takes it for failed');
  const prose = (...kinds) =>
    meaning.parts.filter(({ kind }) => kinds.includes(kind)).map(({ text }) => text).join('');
  assert.equal(got.told.text, prose('text', 'refusal'));
  if (got.told.thinking !== undefined) assert.equal(got.told.thinking, prose('thinking'));
  checkCalls(got.told.calls, meaning);
  assert.equal(got.told.finish, meaning.finish);
  for (const count of ['prompt', 'completion'])
    if (meaning.usage[count] !== undefined) assert.equal(got.told.usage?.[count], meaning.usage[count], count);
}

// If both sides use one protocol, the client reads the same with and without the proxy. An incomplete answer has to
// fail, whatever the client does with it. For an invalid answer, the proxy may send an error.
function checkRelayed(got, direct, meaning, body) {
  if (meaning.failure === 'cut_off') {
    check(got, meaning);
    return;
  }
  if (!meaning.sound || (direct.throws && got.throws)) return;
  if (meaning.failure === 'reported' || direct.throws) {
    check(got, meaning);
    return;
  }
  assert.equal(got.throws, undefined, 'the client reads it without the proxy');
  // Clients invent ids if the upstream has none.
  const known = ({ calls, ...rest }) =>
    ({ ...rest, calls: calls.map((call) => ({ ...call, id: body.includes(call.id) ? call.id : null })) });
  assert.deepEqual(known(got.told), known(direct.told));
}

async function readBy(client, protocol, url, meaning, timeout) {
  let timer;
  const late = new Promise((_, fail) => { timer = setTimeout(() => fail(new Error('says nothing and waits')), timeout); });
  try {
    const read = clients[protocol][client](url, readFileSync(meaning.file), meaning.id);
    return { told: told[client](await Promise.race([read, late])) };
  } catch (error) {
    return { throws: `${error?.name ?? 'Error'}: ${error?.message ?? JSON.stringify(error)}` };
  } finally {
    clearTimeout(timer);
  }
}

// Compares all readings of one client for one upstream, and returns the differences.
async function checkPair(client, protocol, url, meanings, upstream) {
  const listed = exceptions[client] ?? {};
  const left = [...meanings];
  const wrong = [];
  const say = (id, why) => wrong.push(`${id} to ${client}: ${why}\n`);
  const work = async () => {
    for (let meaning = left.shift(); meaning; meaning = left.shift()) {
      const got = await readBy(client, protocol, url, meaning, patience.proxied);
      try {
        if (meaning.upstream !== protocol) check(got, meaning);
        else {
          const direct = await readBy(client, protocol, upstream, meaning, patience.direct);
          checkRelayed(got, direct, meaning, readFileSync(meaning.file, 'utf8'));
        }
        if (listed[meaning.id]) say(meaning.id, 'is listed as an exception, and is read rightly');
      } catch (error) {
        if (!listed[meaning.id]) say(meaning.id, `${error.message}${got.throws ? `\nit throws ${got.throws}` : ''}`);
      }
    }
  };
  await Promise.all(Array.from({ length: together }, work));
  return wrong;
}

// Returns the text that names the upstreams of the proxy. The harness reads more of them.
function upstreamsOf(program) {
  const help = spawnSync(program, ['--help'], { encoding: 'utf8' }).stdout;
  return help.split('\n').find((line) => line.includes('--upstream-protocol'));
}

async function main(program, meaningsProgram, contracts, corpus) {
  const upstreams = upstreamsOf(program);
  const wrong = [];
  let read = 0;
  for (const protocol of Object.keys(clients)) {
    for (const [upstream, meanings] of Object.entries(meaningsFor(meaningsProgram, contracts, corpus, protocol))) {
      if (!upstreams.includes(upstream)) continue;
      const served = await serveRecordings(new Map(meanings.map(({ id, file }) => [id, file])));
      const proxy = await startImpatientProxy(program, upstream, served);
      for (const client of Object.keys(clients[protocol]).filter((id) => told[id])) {
        const failed = await checkPair(client, protocol, proxy.url, meanings, served.replace(/\/v1$/, ''));
        console.log(`${upstream} to ${client}: ${meanings.length} recordings, ${failed.length} read wrong`);
        wrong.push(...failed);
        read += meanings.length;
      }
      proxy.stop();
    }
  }
  assert.ok(read > 1000, `only ${read} streams`);
  writeSync(2, wrong.join('\n'));
  process.exit(wrong.length > 0 ? 1 : 0);
}

await main(...process.argv.slice(2));
