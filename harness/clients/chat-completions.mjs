// An SDK for chat completions, as a stream: `chat-completions.mjs PACKAGE [EXPORT]`. The adapter joins the pieces by their
// index, as the documents say.
import readline from "node:readline";

const [from, name = "default"] = process.argv.slice(2);
const { [name]: Client } = await import(from);
const write = (line) => process.stdout.write(JSON.stringify(line) + "\n");

async function read({ url, request }) {
  const answer = { text: "", calls: [], stop: null, usage: null, error: null };
  const client = new Client({ baseURL: url, apiKey: "none", maxRetries: 0 });
  try {
    for await (const chunk of await client.chat.completions.create({ ...request, stream: true })) {
      if (chunk.usage) answer.usage = { input: chunk.usage.prompt_tokens, output: chunk.usage.completion_tokens };
      const choice = chunk.choices?.find(({ index }) => index === 0);
      if (!choice) continue;
      answer.stop = choice.finish_reason ?? answer.stop;
      for (const piece of choice.delta?.tool_calls ?? []) {
        const call = (answer.calls[piece.index] ??= { id: "", name: "", arguments: "" });
        call.id ||= String(piece.id ?? "");
        call.name ||= String((piece.function ?? piece.custom)?.name ?? "");
        call.arguments += piece.function?.arguments ?? piece.custom?.input ?? "";
      }
      if (!choice.delta?.content) continue;
      answer.text += choice.delta.content;
      write({ told: { text: answer.text } });
    }
  } catch (error) {
    answer.error = String(error.message);
  }
  write({ answer: { ...answer, calls: answer.calls.filter(Boolean) } });
}

readline.createInterface({ input: process.stdin }).on("line", (line) => read(JSON.parse(line).read));
