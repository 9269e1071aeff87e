// portkey-ai 3.1.0: a character in two reads becomes U+FFFD.
import http from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { Portkey } from "portkey-ai";

const body = Buffer.from(`data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: "Zürich" } }] })}\n\ndata: [DONE]\n\n`);
const cut = body.indexOf("ü") + 1;
const server = http.createServer(async (request, response) => {
  response.writeHead(200, { "content-type": "text/event-stream" }).write(body.subarray(0, cut));
  await wait(100);
  response.end(body.subarray(cut));
}).listen(0, "127.0.0.1");
await wait(50);
const client = new Portkey({ baseURL: `http://127.0.0.1:${server.address().port}`, apiKey: "none" });
let text = "";
for await (const { choices } of await client.chat.completions.create({ model: "any", messages: [], stream: true }))
  text += choices[0].delta.content;
console.log(text);  // expected: Zürich
process.exit(text === "Zürich" ? 1 : 0);
