// Passes Anthropic Messages on, event by event. HUNT_BUGS names the seeded bugs (bugs.mjs) that it has: "none", "all", or
// their numbers. HUNT_LOG is a file that gets the number of each bug that acted.
import {appendFileSync} from 'node:fs';
import http from 'node:http';

import {bugs} from './bugs.mjs';
import {placeOf, readEvent, splitEvents} from './events.mjs';

const named = process.env.HUNT_BUGS ?? 'none';
const active = named === 'all' ? [...bugs.keys()] : named === 'none' ? [] : named.split(',').map(Number);

// One answer of the upstream.
class Relay {
  constructor(send) {
    this.send = send;
    this.rest = Buffer.alloc(0);  // the unfinished event
    this.states = new Map(active.map(number => [number, {}]));
    this.effect = '';  // on the next event
    this.last = undefined;
  }

  feed(chunk) {
    const {events, rest} = splitEvents(Buffer.concat([this.rest, chunk]));
    this.rest = rest;
    for (const bytes of events) this.pass(bytes);
    this.step({cut: {...placeOf(rest), length: chunk.length, events: events.length}});
  }

  pass(bytes) {
    const event = readEvent(bytes, this.last);
    this.last = event;
    this.step({event});
    if (this.effect !== 'lose') this.send(bytes);
    if (this.effect === 'twice') this.send(bytes);
    if (this.effect === 'garble') this.send(Buffer.from('data: {"type":\n\n'));
    this.effect = '';
  }

  end() {
    if (this.rest.length > 0) this.send(this.rest);
  }

  step(at) {
    for (const [number, state] of this.states) {
      const effect = bugs.get(number)(state, at);
      if (!effect) continue;
      this.effect = effect;
      if (process.env.HUNT_LOG) appendFileSync(process.env.HUNT_LOG, `${number}\n`);
    }
  }
}

http.createServer((request, response) => {
  const body = [];
  request.on('data', piece => body.push(piece)).on('end', () => {
    const headers = {...request.headers};
    for (const name of ['host', 'connection', 'content-length', 'transfer-encoding']) delete headers[name];
    const call = http.request(process.env.UPSTREAM + request.url, {method: request.method, headers}, answer => {
      const {connection, 'transfer-encoding': coding, ...kept} = answer.headers;
      response.writeHead(answer.statusCode, kept);
      response.flushHeaders();
      const relay = new Relay(bytes => response.write(bytes));
      answer.on('data', chunk => relay.feed(chunk));
      answer.on('end', () => {
        relay.end();
        response.end();
      });
      answer.on('error', () => response.destroy());
    });
    const fail = () => response.headersSent ? response.destroy() : response.writeHead(502).end();
    response.on('close', () => call.destroy());
    call.on('error', fail);
    call.on('upgrade', (_, socket) => {
      socket.destroy();
      fail();
    });
    call.end(Buffer.concat(body));
  });
}).listen(Number(process.env.PORT), '127.0.0.1');
