// Holds what the harness reads in real streams against what an official client assembles of them.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';

export const parsed = (text, otherwise) => (text ? JSON.parse(text) : otherwise);

// Calls `compare(body, reading, name)` for each line of FILE, what upstream_readings printed, of which there are at least
// `least`; it throws where they differ. `exceptions` names streams that are read otherwise, with the reason; one that is not
// needed fails. Prints what differs, and then the script ends with 1.
export async function compareEach(file, least, exceptions, compare) {
  const readings = readFileSync(file, 'utf8').split('\n').filter((line) => line).map((line) => JSON.parse(line));
  assert.ok(readings.length >= least, `only ${readings.length} streams`);
  const needed = new Set();
  let failed = 0;
  for (const reading of readings) {
    const name = path.basename(reading.file);
    try {
      await compare(readFileSync(reading.file), reading, name);
    } catch (error) {
      needed.add(name);
      if (exceptions[name]) continue;
      ++failed;
      console.log(`${name}: ${error.stack}\n`);
    }
  }
  for (const name of Object.keys(exceptions)) {
    if (needed.has(name)) continue;
    ++failed;
    console.log(`${name} is listed as an exception, and is read alike`);
  }
  console.log(`${readings.length} streams, ${needed.size} exceptions, ${failed} read wrong`);
  process.exitCode = failed > 0 ? 1 : 0;
}
