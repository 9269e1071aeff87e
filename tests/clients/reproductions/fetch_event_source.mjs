// @microsoft/fetch-event-source 2.0.1: reports an event without data, skips a byte order mark in each line, and loses the line
// ends between empty data lines.
import { createRequire } from "node:module";

const { fetchEventSource } = createRequire(import.meta.url)("@microsoft/fetch-event-source");
Object.assign(globalThis, { window: globalThis, document: new EventTarget() });

async function read(text) {
  const seen = [];
  const fetch = async () => new Response(text, { headers: { "content-type": "text/event-stream" } });
  await fetchEventSource("http://127.0.0.1/", { fetch, openWhenHidden: true, onmessage: ({ data }) => seen.push(data) });
  return JSON.stringify(seen);
}

const found = [await read("id: 4\n\n"), await read("data: a\n\uFEFFdata: b\n\n"), await read("data\ndata\ndata\n\n")];
console.log(found.join(" "));  // expected: [] ["a"] ["\n\n"]
process.exit(found.join(" ") === '[] ["a"] ["\\n\\n"]' ? 1 : 0);
