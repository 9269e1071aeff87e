// Reads every recording of a corpus through a running splitproof-proxy with Anthropic's TypeScript SDK:
//     node official_sdk.mjs PROXY FOLDER
//
// FOLDER has meanings.jsonl, CLIENT_PACKAGES the SDK. Prints the differences, and then exits with 1.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';

import { checkError, checkMessage, checkSoFar, checkTable, checkWhole, inMessages } from './meanings.mjs';
import { startProxy } from './proxy.mjs';
import { assembled, iterated, load, raw, whole } from './readings.mjs';
import { serveRecordings } from './recorded_upstream.mjs';

// Conforming answers that `stream()` cannot read to their end. An unnecessary entry fails.
const brokenArguments =
  'the block of a call is stopped before the error, and the SDK parses its arguments then: it throws what its parser ' +
  'says and never sees the error';
const unreadable = {
  'openai.chat/tool-arguments-broken': brokenArguments,
  'openai.chat/tool-arguments-cumulative': brokenArguments,
  'openai.chat/renamed-broken': brokenArguments,
  'openai.chat/tool-arguments-overlapping': brokenArguments,
  'openai.chat/tool-arguments-unquoted': brokenArguments,
};

const together = 8;

// Compares the result of `stream()` with the events on the wire and the meaning.
function checkStreamed(streamed, wire, meaning) {
  if (unreadable[meaning.id]) {
    assert.ok(streamed.error && streamed.error.type === undefined, 'is listed as unreadable, and was read');
    assert.deepEqual(streamed.events, wire.events.slice(0, streamed.events.length));
    return;
  }
  assert.deepEqual(streamed.events, wire.events);
  if (streamed.error) {
    checkError(streamed.error, meaning, wire);
    checkSoFar(streamed.snapshot, meaning);
  } else {
    checkMessage(streamed.message, meaning);
  }
}

// Reads one recording in each way and throws at the first mistake.
async function check(client, url, meaning) {
  assert.equal(meaning.broken, undefined);
  const wire = await raw(url, meaning.id);
  const streamed = await assembled(client, meaning.id);
  const each = await iterated(client, meaning.id);
  const once = await whole(client, meaning.id);
  checkStreamed(streamed, wire, meaning);
  assert.deepEqual(each.events, wire.events);
  if (streamed.error) {
    checkError(each.error, meaning, wire);
    checkError(once.error, meaning, { events: [], failure: wire.failure });
  } else {
    assert.equal(each.error, undefined);
    assert.equal(once.error, undefined);
    checkWhole(once.message, streamed.message, meaning);
  }
}

async function main(program, folder) {
  const SDK = await load(process.env.CLIENT_PACKAGES);
  const meanings = readFileSync(path.join(folder, 'meanings.jsonl'), 'utf8')
    .split('\n')
    .filter((line) => line)
    .map((line) => inMessages(JSON.parse(line)))
    .filter(({ upstream }) => upstream === 'openai.chat');
  assert.ok(meanings.length >= 200, `only ${meanings.length} recordings`);
  checkTable(meanings);
  const upstream = await serveRecordings(new Map(meanings.map((meaning) => [meaning.id, meaning.file])));
  const { stop, url } = await startProxy(program, upstream, ['--seed', '1']);
  const client = new SDK({ baseURL: url, apiKey: 'none', maxRetries: 0, timeout: 30000 });
  const failed = new Map();
  for (const id of Object.keys(unreadable)) {
    if (!meanings.some((meaning) => meaning.id === id)) failed.set(id, 'is listed as unreadable, and is no recording');
  }
  const left = [...meanings];
  const work = async () => {
    for (let meaning = left.shift(); meaning; meaning = left.shift()) {
      await check(client, url, meaning).catch((error) => failed.set(meaning.id, error.stack));
    }
  };
  await Promise.all(Array.from({ length: together }, work));
  stop();
  for (const [id, why] of failed) console.log(`${id}: ${why}\n`);
  console.log(`${meanings.length} recordings, ${failed.size} read wrong`);
  process.exitCode = failed.size > 0 ? 1 : 0;
}

await main(...process.argv.slice(2));
