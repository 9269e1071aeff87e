// sse.js 2.8.0: an event without its blank line is reported at the end of the stream.
import { SSE } from "sse.js";

globalThis.XMLHttpRequest = class extends EventTarget {
  open() {}
  send() { Object.assign(this, { status: 200, responseText: "data: Flo" }); }
};
const seen = [];
const source = new SSE("http://127.0.0.1/");
source.addEventListener("message", ({ data }) => seen.push(data));
source.xhr.dispatchEvent(new Event("load"));
console.log(JSON.stringify(seen));  // expected: []
process.exit(seen.length === 0 ? 1 : 0);
