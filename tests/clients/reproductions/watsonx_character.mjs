// @ibm-cloud/watsonx-ai 1.7.16: a character in two reads becomes U+FFFD.
import http from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { WatsonXAI } from "@ibm-cloud/watsonx-ai";
import { NoAuthAuthenticator } from "ibm-cloud-sdk-core";

const body = Buffer.from(`data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: "Zürich" } }] })}\n\n`);
const server = http.createServer(async (request, response) => {
  response.writeHead(200, { "content-type": "text/event-stream" }).write(body.subarray(0, body.indexOf("ü") + 1));
  await wait(100);
  response.end(body.subarray(body.indexOf("ü") + 1));
}).listen(0, "127.0.0.1");
await wait(50);
const serviceUrl = `http://127.0.0.1:${server.address().port}`;
const client = WatsonXAI.newInstance({ version: "2024-05-31", serviceUrl, authenticator: new NoAuthAuthenticator() });
const asked = { modelId: "any", projectId: "any", messages: [{ role: "user", content: "Hi" }], returnObject: true };
for await (const { data } of await client.textChatStream(asked)) var text = data.choices[0].delta.content;
console.log(text);  // expected: Zürich
process.exit(text === "Zürich" ? 1 : 0);
