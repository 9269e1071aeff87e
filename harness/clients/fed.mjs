// The pipe protocol for a library that reads event streams from the network. Its adapter plays the network: `open()` begins a
// stream and returns {feed, end, close}. Each `feed` is one read of the body. The library has handled a read after a few
// rounds of the event loop, because nothing else delays it.
import readline from "node:readline";

const rounds = 8;
export const write = (line) => process.stdout.write(JSON.stringify(line) + "\n");
export const failed = (error) => write({ error: String(error.message) });

// Reports the events of an EventSource, of any type. Events without data are about the connection. Some libraries dispatch
// null.
export function reporting(source) {
  source.dispatchEvent = (event) => {
    const { type, data, lastEventId } = event ?? {};
    if (data !== undefined) write({ event: { event: type, data, id: lastEventId || null } });
  };
  return source;
}

// A fetch with one answer, for a library that takes one. A later request waits for ever: the library connects again.
export function answering(fetching) {
  const stream = {};
  const body = new ReadableStream({ start: (controller) => Object.assign(stream, { controller }) });
  const answers = [Promise.resolve(new Response(body, { headers: { "content-type": "text/event-stream" } }))];
  const close = fetching(() => answers.shift() ?? new Promise(() => {}));
  const end = (how) => (how === "complete" ? stream.controller.close() : stream.controller.error(new TypeError("terminated")));
  return { feed: (bytes) => stream.controller.enqueue(bytes), end, close };
}

export function serve(open) {
  let stream;
  const take = async (told) => {
    try {
      if (told.open) stream = open();
      if (told.feed) stream.feed(Buffer.from(told.feed, "base64"));
      if (told.end) stream.end(told.end);
    } catch (error) {
      failed(error);
    }
    for (let round = 0; round < rounds; ++round) await new Promise(setImmediate);
    if (told.end) stream.close();
    write({ ack: true });
  };
  let before = Promise.resolve();
  readline.createInterface({ input: process.stdin }).on("line", (line) => (before = before.then(() => take(JSON.parse(line)))));
}
