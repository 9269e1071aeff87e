// ai (Vercel), streamText with one of its providers: `ai-sdk.mjs PACKAGE FACTORY [METHOD]`. A call of a tool that the request
// lacks is reported with its raw text.
import readline from "node:readline";
import { jsonSchema, streamText, tool } from "ai";

globalThis.AI_SDK_LOG_WARNINGS = false;  // they would go to the standard output
const [from, factory, method] = process.argv.slice(2);
const { [factory]: create } = await import(from);
const write = (line) => process.stdout.write(JSON.stringify(line) + "\n");
const json = (input) => (typeof input === "string" ? input : JSON.stringify(input));
// Responses has no word for an end that is not early but the status.
const unnamed = method === "responses" ? { stop: "completed", "tool-calls": "completed" } : {};

function tools_of({ tools = [] }) {
  const inputSchema = jsonSchema({ type: "object", additionalProperties: true });
  const names = tools.flatMap((one) => one.functionDeclarations ?? [one.function ?? one]).map(({ name }) => name);
  return Object.fromEntries(names.filter(Boolean).map((name) => [name, tool({ inputSchema })]));
}

async function read({ url, request }) {
  const answer = { text: "", thinking: "", calls: [], stop: null, usage: null, error: null };
  const provider = create({ name: "any", baseURL: url, apiKey: "none", includeUsage: true });
  const model = method ? provider[method](request.model) : provider(request.model);
  const options = { model, tools: tools_of(request), maxRetries: 0, onError: () => {} };
  try {
    for await (const part of streamText({ ...options, prompt: "When does the tide turn?" }).fullStream) {
      if (part.type === "text-delta") write({ told: { text: (answer.text += part.text) } });
      if (part.type === "reasoning-delta") answer.thinking += part.text;
      if (part.type === "tool-call" && !part.providerExecuted)
        answer.calls.push({ id: part.toolCallId, name: part.toolName, arguments: json(part.input) });
      if (part.type === "finish") {
        answer.stop = part.rawFinishReason ?? unnamed[part.finishReason];
        answer.usage = { input: part.totalUsage.inputTokens, output: part.totalUsage.outputTokens };
      }
      if (part.type === "error") answer.error ??= String(part.error?.message ?? part.error);
    }
  } catch (error) {
    answer.error ??= String(error.message);
  }
  write({ answer });
}

readline.createInterface({ input: process.stdin }).on("line", (line) => read(JSON.parse(line).read));
