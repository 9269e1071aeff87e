// A running splitproof-proxy on the loopback, without the environment's own proxies.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

// Returns {url, stop} of `program` with `args`, listening on a port that the kernel chose.
export async function startProxy(program, upstream, args = []) {
  const child = spawn(program, ['--listen', '127.0.0.1:0', '--upstream', upstream, ...args], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: Object.fromEntries(Object.entries(process.env).filter(([name]) => !/_proxy$/i.test(name))),
  });
  const [line] = await once(createInterface(child.stdout), 'line');
  return { url: /http:\S+$/.exec(line)[0], stop: () => child.kill() };
}
