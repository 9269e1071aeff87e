// Runs Claude Code and Codex, directly and by `splitproof record -- AGENT`, and compares all that they print:
//     node recorded_agents.mjs SPLITPROOF CORPUS
//
// PATH has the agents: npm install -g @anthropic-ai/claude-code @openai/codex. Codex is run over HTTP and over a WebSocket. The
// provider plays recordings of CORPUS. Exits with 77 if no agent is installed, and with 1 if an agent prints something else.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import readline from 'node:readline';
import { isDeepStrictEqual } from 'node:util';

import { serveChosen } from './recorded_upstream.mjs';

const key = ['sk', 'tide-house-4711-'.repeat(3) + 'end'].join('-');
const prompt = 'How high is the tide?';

// Each agent asks once for each of its recordings. After the result of a call it gets `last`.
const agents = [
  {
    name: 'claude',
    protocol: 'anthropic.messages',
    base: '',
    recordings: 'text-plain tool-plain tool-parallel thinking-multibyte thinking-interleaved thinking-omitted',
    last: 'text-plain',
    command: ['claude', '-p', prompt, '--output-format', 'stream-json', '--verbose', '--include-partial-messages', '--max-turns', '3'],
  },
  {
    name: 'codex',
    protocol: 'openai.responses',
    base: '/v1',
    recordings: 'text-plain tool-plain tool-parallel text-multibyte text-escapes text-obfuscated',
    last: 'text-plain',
    command: codex(false),
  },
  {
    name: 'codex',
    protocol: 'openai.responses',
    base: '/v1',
    recordings: 'text-plain text-multibyte',
    over: 'a WebSocket',
    command: codex(true),
  },
];

function codex(overSocket) {
  const provider = `{name="p",base_url="$OPENAI_BASE_URL",env_key="OPENAI_API_KEY",wire_api="responses",supports_websockets=${overSocket}}`;
  const options = `-c model=m -c model_provider=p -c "model_providers.p=${provider.replaceAll('"', '\\"')}"`;
  return ['sh', '-c', `exec codex exec --json --skip-git-repo-check -s read-only ${options} '${prompt}'`];
}

// Starts the provider of one recording. Resolves to its address and a function that ends it.
async function startProvider(splitproof, corpus, agent, name) {
  const file = (of) => path.join(corpus, agent.protocol, `${of}.rec.jsonl`);
  if (agent.over === undefined) {
    const hasResult = (request) => /"(function_call_output|tool_result)"/.test(JSON.stringify(request));
    const url = await serveChosen((request) => file(hasResult(request) ? agent.last : name));
    return { url: new URL(url).origin, stop: () => {} };
  }
  const child = spawn(splitproof, ['upstream', file(name), '--listen', '127.0.0.1:0'], { stdio: ['ignore', 'pipe', 'ignore'] });
  const url = await new Promise((resolve) => readline.createInterface({ input: child.stdout }).once('line', resolve));
  return { url, stop: () => child.kill() };
}

// Returns the lines of JSON without ids and times, which each run draws anew.
function printed(text) {
  const plain = (key, value) => (/^(uuid|session_id|thread_id|cwd|memory_paths|timestamp)$|_ms$/.test(key) ? undefined : value);
  return text.split('\n').filter((line) => line).map((line) => JSON.parse(JSON.stringify(JSON.parse(line), plain)));
}

// Runs a command in an empty home. Resolves to what it prints and its exit code.
function run(command, folder, addresses) {
  mkdirSync(folder);
  const env = {
    ...process.env, ...addresses, HOME: folder, CODEX_HOME: folder, ANTHROPIC_API_KEY: key, OPENAI_API_KEY: key,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', DISABLE_AUTOUPDATER: '1',
  };
  const child = spawn(command[0], command.slice(1), { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'], timeout: 60000 });
  const text = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr']) child[stream].setEncoding('utf8').on('data', (more) => { text[stream] += more; });
  return new Promise((resolve) => child.on('close', (code) => resolve({ lines: printed(text.stdout), stderr: text.stderr, code })));
}

// Returns the difference that the recorder makes for one recording, or "".
async function difference(splitproof, corpus, agent, name, folder) {
  const provider = await startProvider(splitproof, corpus, agent, name);
  const out = path.join(folder, 'recorded');
  const record = [splitproof, 'record', '--to', provider.url + agent.base, '--protocol', agent.protocol, '--out', out, '--'];
  // The same folder for both, as agents print it.
  const home = path.join(folder, 'home');
  const direct = await run(agent.command, home, { ANTHROPIC_BASE_URL: provider.url, OPENAI_BASE_URL: `${provider.url}/v1` });
  rmSync(home, { recursive: true });
  const recorded = await run([...record, ...agent.command], home, {});
  provider.stop();
  const files = readdirSync(out).map((file) => readFileSync(path.join(out, file), 'utf8'));
  if (direct.code !== 0 || direct.lines.length < 3) return `exit code ${direct.code} without the recorder: ${direct.stderr}`;
  if (recorded.code !== direct.code) return `exit code ${recorded.code}: ${recorded.stderr}`;
  if (!isDeepStrictEqual(recorded.lines, direct.lines)) return `${JSON.stringify(direct.lines)}\nrecorded: ${JSON.stringify(recorded.lines)}`;
  if (files.length === 0 || !/, [1-9]\d* sound/.test(recorded.stderr)) return `no sound recording: ${recorded.stderr}`;
  return files.some((text) => text.includes(key)) ? 'a recording has the key' : '';
}

async function main(splitproof, corpus) {
  const isInstalled = ({ name }) => process.env.PATH.split(path.delimiter).some((folder) => existsSync(path.join(folder, name)));
  const missing = new Set(agents.filter((agent) => !isInstalled(agent)).map(({ name }) => name));
  for (const name of missing) console.error(`${name} is not installed`);
  if (missing.size === new Set(agents.map(({ name }) => name)).size) process.exit(77);
  let runs = 0;
  let failed = 0;
  for (const agent of agents.filter(isInstalled)) {
    for (const name of agent.recordings.split(' ')) {
      const folder = mkdtempSync(path.join(os.tmpdir(), 'recorded-agents-'));
      const found = await difference(path.resolve(splitproof), path.resolve(corpus), agent, name, folder);
      rmSync(folder, { recursive: true });
      runs += 1;
      if (found === '') continue;
      failed += 1;
      console.log(`${agent.name}${agent.over ? ` over ${agent.over}` : ''}, ${agent.protocol}/${name}: ${found}`);
    }
  }
  console.log(`${runs} recordings, ${failed} differences`);
  process.exit(failed === 0 ? 0 : 1);
}

await main(...process.argv.slice(2));
