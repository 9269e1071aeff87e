// Compares `splitproof decode` of AWS event streams with AWS's own codec for JavaScript: `aws_frames.mjs SPLITPROOF
// FOLDER...`, folders of recordings (.rec.jsonl) or bodies (.bin). If the codec refuses a frame, `decode` must stop at
// the same frame and report it.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const require = createRequire(join(process.env.CLIENT_PACKAGES, 'package.json'));
const { EventStreamCodec } = require('@smithy/eventstream-codec');
const codec = new EventStreamCodec((bytes) => Buffer.from(bytes).toString('utf8'), (text) => Buffer.from(text, 'utf8'));

function valueOf({type, value}) {
  switch (type) {
    case 'string':
    case 'boolean':
    case 'byte':
    case 'short':
    case 'integer':
      return value;
    case 'long':
      return Number(value.valueOf());
    case 'timestamp':
      return value.valueOf();
    case 'binary':
      return Buffer.from(value).toString('base64');
    case 'uuid':
      return Buffer.from(value.replaceAll('-', ''), 'hex').toString('base64');
  }
  throw new Error(`a header of type ${type}`);
}

// The codec's frames, and whether it refused one.
function byCodec(body) {
  const frames = [];
  for (let at = 0; at < body.length;) {
    if (body.length - at < 12) return {frames, refused: true};
    const size = body.readUInt32BE(at);
    try {
      const {headers, body: payload} = codec.decode(body.subarray(at, at + size));
      const data = Buffer.from(payload);
      const named = Object.fromEntries(Object.entries(headers).map(([name, header]) => [name, valueOf(header)]));
      const frame = {headers: named, bytes: [at, at + size]};
      if (Buffer.compare(Buffer.from(data.toString('utf8'), 'utf8'), data) === 0) frame.data = data.toString('utf8');
      else frame.base64 = data.toString('base64');
      frames.push(frame);
    } catch {
      return {frames, refused: true};
    }
    at += size;
  }
  return {frames, refused: false};
}

function bodyOf(path) {
  if (!path.endsWith('.rec.jsonl')) return readFileSync(path);
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n').slice(1).map((line) => JSON.parse(line));
  return Buffer.concat(lines.filter((line) => !line.end)
                           .map((line) => line.base64 === undefined ? Buffer.from(line.text, 'utf8')
                                                                    : Buffer.from(line.base64, 'base64')));
}

const sorted = (value) => JSON.stringify(value, (_, member) => member && typeof member === 'object' && !Array.isArray(member)
    ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => a < b ? -1 : 1)) : member);

const [splitproof, ...folders] = process.argv.slice(2);
const scratch = mkdtempSync(join(tmpdir(), 'aws-frames-'));
let bodies = 0, frames = 0, refused = 0, different = 0;
for (const folder of folders.filter(existsSync)) {
  for (const name of readdirSync(folder).sort()) {
    if (!name.endsWith('.rec.jsonl') && !name.endsWith('.bin')) continue;
    const body = bodyOf(join(folder, name));
    const wanted = byCodec(body);
    const file = join(scratch, 'body');
    writeFileSync(file, body);
    const faults = join(scratch, 'faults');
    const out = execFileSync('/bin/sh', ['-c', '"$0" decode "$1" --as kiro.eventstream 2>"$2" || [ $? = 2 ]', splitproof, file, faults],
                             {encoding: 'utf8', maxBuffer: 1 << 28});
    const got = out.split('\n').filter(Boolean).map((line) => JSON.parse(line));
    const said = readFileSync(faults, 'utf8') !== '';
    const same = said === wanted.refused && got.length === wanted.frames.length &&
        got.every(({event, ...frame}, i) => sorted(frame) === sorted(wanted.frames[i]));
    if (!same) {
      console.error(`${name}: decode reads ${got.length} frames${said ? ' and stops' : ''}, the codec ` +
                    `${wanted.frames.length}${wanted.refused ? ' and stops' : ''}`);
      ++different;
    }
    ++bodies;
    frames += wanted.frames.length;
    refused += wanted.refused ? 1 : 0;
  }
}
rmSync(scratch, {recursive: true});
console.log(`${bodies} bodies, ${frames} frames, ${refused} bodies that the codec refuses, ${different} read otherwise`);
if (different > 0 || frames === 0) process.exit(1);
