// The table in second_opinions.json. `readers` counts the shared recordings that each client reads. `rows` explain the
// differences, in this form:
//     {dialect, client, differs, reason, shared, recordings?, holds?, throws?, reads?}
// `client` and `differs` are a string or a list; `*` is any. `recordings` are globs of names. `holds` is a pattern of the body,
// `throws` a pattern of the client's error. `reads` is the client's reading: nothing, failed or unknown. `shared` counts the
// differences in shared recordings. A row explains a difference if all its members fit. The first such row counts.
import { readFileSync, writeFileSync } from 'node:fs';

const quoted = (text) => text.replace(/[.+?^${}()|[\]\\]/g, '\\$&');
const glob = (pattern) => new RegExp(`^${pattern.split('*').map(quoted).join('.*')}$`);

const isNothing = (value) => ['', 0, 'none'].includes(value) || (Array.isArray(value) && value.length === 0);
const reads = { nothing: isNothing, failed: (value) => value === 'failed', unknown: (value) => value === 'unknown' };

// True if the row explains the difference: each member that the row has fits.
function explains(row, { dialect, client, what, name, body, theirs, why }) {
  const isAmong = (one, among) => [].concat(among).some((each) => each === one || each === '*');
  return row.dialect === dialect && isAmong(client, row.client) && isAmong(what, row.differs) &&
    (!row.recordings || [].concat(row.recordings).some((pattern) => glob(pattern).test(name))) &&
    (!row.holds || new RegExp(row.holds, 's').test(body)) &&
    (!row.throws || new RegExp(row.throws, 's').test(why)) &&
    (!row.reads || reads[row.reads](theirs));
}

const short = (value) => {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 300 ? `${text.slice(0, 300)}...` : text;
};

export class Table {
  #file;
  #hasShared;
  #table;
  #found = [];
  #read = {};  // dialect -> client -> number of recordings
  #readShared = {};

  // `hasShared`: the shared recordings are there, and so their counts are checked.
  constructor(file, hasShared) {
    this.#file = file;
    this.#hasShared = hasShared;
    this.#table = JSON.parse(readFileSync(file));
  }

  // Adds what a client read in a recording, and its differences from the harness.
  add(reading, differences) {
    const { dialect, client, name } = reading;
    const count = (counts) => {
      counts[dialect] ??= {};
      counts[dialect][client] = (counts[dialect][client] ?? 0) + 1;
    };
    count(this.#read);
    if (name.startsWith('recordings/')) count(this.#readShared);
    for (const one of differences) this.#found.push({ ...reading, ...one });
  }

  // Maps each row to the differences that it explains, and null to the unexplained differences.
  #explained() {
    const explained = new Map([...this.#table.rows, null].map((row) => [row, []]));
    for (const one of this.#found) explained.get(this.#table.rows.find((row) => explains(row, one)) ?? null).push(one);
    return explained;
  }

  // Returns a sentence for everything that differs from the table.
  wrong() {
    const sentences = [];
    const shared = (differences) => differences.filter(({ name }) => name.startsWith('recordings/')).length;
    for (const [row, differences] of this.#explained()) {
      if (row === null) {
        for (const { name, what, ours, theirs, client, why } of differences) {
          const readings = `the harness reads ${short(ours)}, ${client} reads ${short(theirs)}`;
          sentences.push(`${name}: ${what}: ${readings}${why && ` (${short(why)})`}`);
        }
      } else if (differences.length === 0 && (this.#hasShared || row.shared === 0)) {
        sentences.push(`no recording needs this row: ${short(row)}`);
      } else if (this.#hasShared && shared(differences) !== row.shared) {
        sentences.push(`${shared(differences)} differences in shared recordings, ${row.shared} listed: ${short(row)}`);
      }
    }
    if (this.#hasShared && JSON.stringify(this.#readShared) !== JSON.stringify(this.#table.readers))
      sentences.push(`read: ${JSON.stringify(this.#readShared)}, listed: ${JSON.stringify(this.#table.readers)}`);
    return sentences;
  }

  // Writes the counts of this run into the file.
  save() {
    for (const [row, differences] of this.#explained())
      if (row) row.shared = differences.filter(({ name }) => name.startsWith('recordings/')).length;
    this.#table.readers = this.#readShared;
    const rows = this.#table.rows.map((row) => `  ${JSON.stringify(row)}`).join(',\n');
    const readers = Object.entries(this.#table.readers)
      .map(([dialect, counts]) => `  ${JSON.stringify(dialect)}: ${JSON.stringify(counts)}`);
    writeFileSync(this.#file, `{"readers": {\n${readers.join(',\n')}\n},\n"rows": [\n${rows}\n]}\n`);
  }

  summary() {
    const read = Object.entries(this.#read).flatMap(([dialect, counts]) =>
      Object.entries(counts).map(([client, count]) => `${dialect}: ${client} read ${count} recordings`));
    return `${read.join('\n')}\n${this.#found.length} differences, ${this.#table.rows.length} rows`;
  }
}
