// Compares the harness's reading of real streams with an official client's.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';

export const parsed = (text, otherwise) => (text ? JSON.parse(text) : otherwise);

// Calls `compare(body, reading, name)` for each line of FILE, the output of upstream_readings, with at least `least`
// lines. `compare` throws if they differ. `exceptions` maps streams with another reading to the reason; an unnecessary
// one fails. Prints the differences, and then the script exits with 1.
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
