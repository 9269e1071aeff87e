// openai 6.49.0: the helper responses.stream fails at an event of an unknown type, and the whole answer is lost.
import http from "node:http";
import { once } from "node:events";
import OpenAI from "openai";

const response = { id: "resp_1", object: "response", status: "in_progress", output: [] };
const events = [{ type: "response.created", response }, { type: "response.tide.turned" },
                { type: "response.completed", response: { ...response, status: "completed" } }];
const server = http.createServer((request, answer) => {
  answer.writeHead(200, { "content-type": "text/event-stream" });
  answer.end(events.map((event, sequence_number) => `data: ${JSON.stringify({ ...event, sequence_number })}\n\n`).join(""));
}).listen(0, "127.0.0.1");
await once(server, "listening");
const client = new OpenAI({ baseURL: `http://127.0.0.1:${server.address().port}`, apiKey: "none", maxRetries: 0 });
const end = await client.responses.stream({ model: "any", input: "Hi" }).finalResponse().catch((error) => error);
console.log(end.message ?? end.status);  // expected: completed
process.exit(end.status === "completed" ? 1 : 0);
