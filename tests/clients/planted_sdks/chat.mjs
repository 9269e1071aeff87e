// Reads chat completions line by line. Bugs: decoder, buffer, choices, name, index, trim, cut, made, status.
import { open, serve } from "./pipe.mjs";

const bug = process.argv[2];

// Yields the data of each event. The events have one data line each.
async function* events(body) {
  const decoder = new TextDecoder();
  let text = "";
  try {
    for await (const bytes of body) {
      text += bug === "decoder" ? new TextDecoder().decode(bytes) : decoder.decode(bytes, { stream: true });
      const lines = text.split("\n");
      text = lines.pop();
      if (bug === "buffer") text = "";
      for (const line of lines) {
        if (!line.startsWith("data:")) continue;
        const data = line.slice(5).trim();
        yield data;
      }
    }
  } catch (error) {
    if (bug !== "cut") throw error;
  }
}

function take(answer, chunk) {
  if (chunk.error) throw new Error(chunk.error.message);
  if (bug === "choices" && chunk.choices.length === 0) return;
  if (chunk.usage) answer.usage = { input: chunk.usage.prompt_tokens, output: chunk.usage.completion_tokens };
  const choice = chunk.choices?.find((one) => one.index === 0);
  if (!choice) return;
  const text = choice.delta.content ?? "";
  answer.text += bug === "trim" ? text.trim() : text;
  answer.stop = choice.finish_reason ?? answer.stop;
  for (const piece of choice.delta.tool_calls ?? []) {
    const { name = "", arguments: json = "" } = piece.function;
    const call = (answer.calls[piece.index] ??= { id: piece.id, name: "", arguments: "" });
    call.name = bug === "name" ? call.name + name : call.name || name;
    (bug === "index" ? answer.calls.at(-1) : call).arguments += json;
  }
}

serve(async (answer, { url, request }, told) => {
  const response = await open(`${url}/chat/completions`, request);
  if (!response.ok && bug !== "status") throw new Error(`status ${response.status}`);
  let ended = false;
  for await (const data of events(response.body)) {
    ended = data === "[DONE]";
    if (ended) break;
    take(answer, JSON.parse(data));
    told(answer.text);
  }
  if (bug === "made") answer.stop ??= "stop";
  else if (bug !== "cut" && bug !== "status" && !ended && answer.stop === null) throw new Error("the stream broke off");
});
