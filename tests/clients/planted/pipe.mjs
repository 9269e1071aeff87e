// Serves a reader of event streams over the pipe protocol of docs/clients.md. `make` returns a new reader with
// feed(bytes, report) and end(report).
import readline from "node:readline";

const write = (line) => process.stdout.write(JSON.stringify(line) + "\n");
const report = (type, data, id) => write({ event: { event: type, data, id } });

export function serve(make) {
  let reader;
  readline.createInterface({ input: process.stdin }).on("line", (line) => {
    const told = JSON.parse(line);
    try {
      if (told.open) reader = make();
      else if (told.feed !== undefined) reader.feed(Buffer.from(told.feed, "base64"), report);
      else reader.end(report);
    } catch (error) {
      write({ error: String(error.message) });
    }
    write({ ack: true });
  });
}
