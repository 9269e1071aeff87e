// Holds what rules claim that clients do against what these do: `harm.mjs HARM.jsonl CONTRACTS`. Each line of the first names a
// client, a stream that breaks a rule and its control; the client has to make something else of the one than of the other,
// or to refuse one of them, or with other words. Prints the claims that are not so, and then ends with 1. A client that does not run here, as
// Claude Code and Codex do not, is counted and passed over.
import { readFileSync } from 'node:fs';
import path from 'node:path';

import { ask, clients } from './ask.mjs';

const [file, contracts] = process.argv.slice(2);
const claims = readFileSync(file, 'utf8').split('\n').filter(Boolean).map((line) => JSON.parse(line));

const made = new Map();  // by protocol and stream
async function madeOf(protocol, stream) {
  const key = `${protocol} ${stream}`;
  if (!made.has(key)) made.set(key, await ask(protocol, readFileSync(path.join(contracts, stream))));
  return made.get(key);
}

let asked = 0;
let elsewhere = 0;
let untrue = 0;
for (const { rule, protocol, client, stream, control, does } of claims) {
  if (!clients[protocol]?.[client]) {
    ++elsewhere;
    continue;
  }
  ++asked;
  const broken = (await madeOf(protocol, stream))[client];
  const sound = (await madeOf(protocol, control))[client];
  if (JSON.stringify(broken) !== JSON.stringify(sound)) continue;
  ++untrue;
  console.log(`${rule}: ${client} is said to fail on ${stream} ("${does}"), and makes the same of it as of its control`);
}
console.log(`${asked} claims asked, ${elsewhere} of clients that do not run here, ${untrue} untrue`);
process.exit(untrue > 0 ? 1 : 0);
