// undici 6.21.0: an empty id does not reset the last event id, although the standard says so.
import { Dispatcher, EventSource } from "undici";

class Network extends Dispatcher {
  dispatch(options, handler) {
    handler.onConnect(() => {});
    handler.onHeaders(200, ["content-type", "text/event-stream"].map((text) => Buffer.from(text)), () => {}, "OK");
    handler.onData(Buffer.from("id: 4\ndata: a\n\nid\ndata: b\n\n"));
    return true;
  }
}

const seen = [];
new EventSource("http://127.0.0.1/", { dispatcher: new Network() }).onmessage = ({ lastEventId }) => seen.push(lastEventId);
setTimeout(() => {
  console.log(JSON.stringify(seen));  // expected: ["4",""]
  process.exit(seen[1] === "" ? 1 : 0);
}, 200);
