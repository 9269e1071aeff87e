// eventsource-parser 3.1.1: the last event of a stream whose lines end in CR is never reported, even at the end.
import { createParser } from "eventsource-parser";

const seen = [];
const parser = createParser({ onEvent: ({ data }) => seen.push(data) });
parser.feed("data: Flood\r\rdata: Slack\r\r");
parser.reset({ consume: true });
console.log(JSON.stringify(seen));  // expected: ["Flood","Slack"]
process.exit(seen.length === 2 ? 1 : 0);
