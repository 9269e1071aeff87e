// Compares the rules' claims about clients with the clients themselves: `harm.mjs HARM.jsonl CONTRACTS`. Each line of
// the first names a client, a stream that violates a rule, and its control. The client's result has to differ between
// the two, or it has to refuse one of them, or with another message. Prints the false claims, and then exits with 1.
// Clients that do not run here, such as Claude Code and Codex, are counted and skipped.
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
