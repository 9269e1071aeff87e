// @fal-ai/client 1.10.1: a character in two reads becomes U+FFFD.
import http from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { createFalClient } from "@fal-ai/client";

const body = Buffer.from(`data: ${JSON.stringify({ text: "Zürich" })}\n\n`);
const server = http.createServer(async (request, response) => {
  response.writeHead(200, { "content-type": "text/event-stream" }).write(body.subarray(0, body.indexOf("ü") + 1));
  await wait(100);
  response.end(body.subarray(body.indexOf("ü") + 1));
}).listen(0, "127.0.0.1");
await wait(50);
const url = `http://127.0.0.1:${server.address().port}`;
const fal = createFalClient({ credentials: "none:none", suppressLocalCredentialsWarning: true });
for await (const data of await fal.stream("any/any", { input: {}, url })) var { text } = data;
console.log(text);  // expected: Zürich
process.exit(text === "Zürich" ? 1 : 0);
