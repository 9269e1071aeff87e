// @langchain/openai 1.6.0: a finish_reason that comes twice becomes "stopstop".
import http from "node:http";
import { once } from "node:events";
import { ChatOpenAI } from "@langchain/openai";

const chunk = (delta, finish_reason) => `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
const body = chunk({ role: "assistant", content: "Ebb" }, null) + chunk({}, "stop") + chunk({}, "stop") + "data: [DONE]\n\n";
const server = http.createServer((request, response) => {
  response.writeHead(200, { "content-type": "text/event-stream" }).end(body);
}).listen(0, "127.0.0.1");
await once(server, "listening");
const chat = new ChatOpenAI({ model: "any", apiKey: "none", configuration: { baseURL: `http://127.0.0.1:${server.address().port}` } });
let message;
for await (const piece of await chat.stream("Hi")) message = message ? message.concat(piece) : piece;
console.log(message.response_metadata.finish_reason);  // expected: stop
process.exit(message.response_metadata.finish_reason === "stop" ? 1 : 0);
