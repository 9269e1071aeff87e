// Reads messages block by block, with the types of the event lines. Bugs: crlf, unknown, thinking, usage, id, error, held,
// and of the next request: forgets, mixed.
import { open, serve } from "./pipe.mjs";

const bug = process.argv[2];
const headers = { "anthropic-version": "2023-06-01" };
const known = ["message_start", "content_block_start", "content_block_delta", "content_block_stop", "message_delta", "message_stop"];

// Yields [type, data]. A CR at the end of a read may be the first half of a CR LF.
async function* events(body) {
  const decoder = new TextDecoder();
  let text = "";
  let type = "";
  let data = [];
  for await (const bytes of body) {
    text += decoder.decode(bytes, { stream: true });
    const keep = bug !== "crlf" && text.endsWith("\r") ? "\r" : "";
    const lines = text.slice(0, text.length - keep.length).split(/\r\n|\r|\n/);
    text = lines.pop() + keep;
    for (const line of lines) {
      if (line === "") {
        if (data.length > 0) yield [type, data.join("\n")];
        [type, data] = ["", []];
      }
      if (line.startsWith("event:")) type = line.slice(6).trim();
      if (line.startsWith("data:")) data.push(line.slice(5).trimStart());
    }
  }
}

let thoughts = [];  // of the last answer, for the next request

function begin(answer, blocks, { index, content_block: block }) {
  blocks[index] = { kind: block.type };
  if (block.type === "thinking") thoughts.push(blocks[index].thought = { type: "thinking", thinking: "", signature: "" });
  answer.text += block.text ?? "";
  if (block.type !== "tool_use") return;
  blocks[index].call = { id: bug === "id" ? String(index) : block.id, name: block.name, arguments: "" };
  answer.calls.push(blocks[index].call);
}

function add(answer, block, delta) {
  if (delta.type === "text_delta") answer.text += delta.text;
  if (delta.type === "thinking_delta") answer[bug === "thinking" ? "text" : "thinking"] += delta.thinking;
  if (delta.type === "thinking_delta" && block.thought) block.thought.thinking += delta.thinking;
  if (delta.type === "signature_delta" && block.thought) block.thought.signature = delta.signature;
  if (delta.type === "input_json_delta" && block.call) block.call.arguments += delta.partial_json;
}

function count(answer, usage) {
  if (bug === "usage" && "output" in answer.usage) return;
  const { input_tokens, cache_creation_input_tokens, cache_read_input_tokens, output_tokens } = usage ?? {};
  if (input_tokens !== undefined && input_tokens !== null)
    answer.usage.input = input_tokens + (cache_creation_input_tokens ?? 0) + (cache_read_input_tokens ?? 0);
  if (output_tokens !== undefined) answer.usage.output = output_tokens;
}

serve(async (answer, { url, request }, told) => {
  const response = await open(`${url}/v1/messages`, request, headers);
  if (!response.ok) throw new Error(`status ${response.status}`);
  const blocks = [];
  thoughts = [];
  let late = "";
  for await (const [type, data] of events(response.body)) {
    if (type === "error" && bug === "error") return;
    if (type === "error") throw new Error(JSON.parse(data).error.message);
    if (bug === "unknown" && !known.includes(type)) throw new Error(`unknown event ${type}`);
    if (!known.includes(type)) continue;
    const event = JSON.parse(data);
    if (type === "message_start") count(answer, event.message.usage);
    if (type === "content_block_start") begin(answer, blocks, event);
    if (type === "content_block_delta") add(answer, blocks[event.index], event.delta);
    if (type === "message_delta") {
      answer.stop = event.delta.stop_reason;
      count(answer, event.usage);
    }
    told(bug === "held" ? late : answer.text);
    late = answer.text;
    if (type === "message_stop") return;
  }
  throw new Error("the stream broke off");
}, async ({ text, calls }, { url, request, next }) => {
  const said = text ? [{ type: "text", text }] : [];
  const called = calls.map(({ id, name, arguments: json }) => ({ type: "tool_use", id, name, input: JSON.parse(json || "{}") }));
  const made = calls.map(({ id }, place) => (
    { type: "tool_result", tool_use_id: bug === "mixed" ? calls.at(-1 - place).id : id, content: next.results[place] }));
  const content = bug === "forgets" ? called : [...thoughts, ...said, ...called];
  const messages = [...request.messages, { role: "assistant", content },
                    { role: "user", content: made.length > 0 ? made : next.question }];
  await (await open(`${url}/v1/messages`, { ...request, messages }, headers)).text();
});
