// A small translator of Chat Completions streams into Anthropic Messages streams, as a testee of splitproof.
// It handles plain text and sequential tool calls. docs/pipe.md lists its gaps and their findings.
import { createInterface } from "node:readline";

const STOP_REASONS = { stop: "end_turn", length: "max_tokens", tool_calls: "tool_use" };

class Translator {
  constructor(request) {
    this.model = request.model ?? "";
    this.decoder = new TextDecoder(); // keeps the bytes of a character that a chunk cuts
    this.unread = "";
    this.block = null; // the open block: "text", or the index of a call
    this.blocks = 0;
    this.stopReason = null;
    this.usage = {};
    this.over = false;
  }

  *feed(chunk) {
    this.unread += this.decoder.decode(chunk, { stream: true });
    for (let end; !this.over && (end = this.unread.indexOf("\n\n")) >= 0; ) {
      const event = this.unread.slice(0, end);
      this.unread = this.unread.slice(end + 2);
      if (event.startsWith("data: ")) yield* this.read(event.slice(6));
    }
  }

  *end() {
    if (!this.over) yield ["error", { error: { type: "api_error", message: "the upstream's answer broke off" } }];
  }

  *read(data) {
    if (data === "[DONE]") return yield* this.finish();
    const chunk = JSON.parse(data);
    this.usage = chunk.usage ?? this.usage;
    if (this.model !== null) {
      const message = { id: `msg_${chunk.id}`, type: "message", role: "assistant", model: this.model, content: [],
        stop_reason: null, stop_sequence: null, usage: { input_tokens: 0, output_tokens: 0 } };
      yield ["message_start", { message }];
      this.model = null;
    }
    for (const { delta, finish_reason } of chunk.choices) {
      if (delta.content) {
        yield* this.open("text", { type: "text", text: "" });
        yield this.delta({ type: "text_delta", text: delta.content });
      }
      for (const { index, id, function: { name, arguments: json } } of delta.tool_calls ?? []) {
        yield* this.open(index, { type: "tool_use", id, name, input: {} });
        if (json) yield this.delta({ type: "input_json_delta", partial_json: json });
      }
      this.stopReason = finish_reason ?? this.stopReason;
    }
  }

  *open(block, content_block) {
    if (this.block === block) return;
    yield* this.close();
    yield ["content_block_start", { index: this.blocks, content_block }];
    this.block = block;
  }

  delta(delta) {
    return ["content_block_delta", { index: this.blocks, delta }];
  }

  *close() {
    if (this.block === null) return;
    yield ["content_block_stop", { index: this.blocks++ }];
    this.block = null;
  }

  *finish() {
    yield* this.close();
    const usage = { input_tokens: this.usage.prompt_tokens ?? 0, output_tokens: this.usage.completion_tokens ?? 0 };
    const stop_reason = STOP_REASONS[this.stopReason] ?? "end_turn";
    yield ["message_delta", { delta: { stop_reason, stop_sequence: null }, usage }];
    yield ["message_stop", {}];
    this.over = true;
  }
}

const textOf = (content) =>
  typeof content === "string" ? content
    : (content ?? []).filter((block) => block.type === "text").map((block) => block.text).join("\n");

// Returns the request to the upstream for a client's request.
function chatRequest(request) {
  const messages = [];
  if (request.system) messages.push({ role: "system", content: textOf(request.system) });
  for (const { role, content } of request.messages) {
    const blocks = Array.isArray(content) ? content : [];
    for (const block of blocks.filter((one) => one.type === "tool_result"))
      messages.push({ role: "tool", tool_call_id: block.tool_use_id, content: textOf(block.content) });
    const tool_calls = blocks.filter((one) => one.type === "tool_use").map((call) => ({
      id: call.id, type: "function", function: { name: call.name, arguments: JSON.stringify(call.input) },
    }));
    const text = textOf(content);
    if (tool_calls.length > 0) messages.push({ role: "assistant", content: text || null, tool_calls });
    else if (text) messages.push({ role, content: text });
  }
  const asked = { model: request.model, max_tokens: request.max_tokens, messages,
    stream: true, stream_options: { include_usage: true } };
  const tools = (request.tools ?? []).map((tool) => ({ type: "function",
    function: { name: tool.name, description: tool.description ?? "", parameters: tool.input_schema } }));
  return tools.length > 0 ? { ...asked, tools } : asked;
}

const say = (word) => process.stdout.write(JSON.stringify(word) + "\n");

let translator;
for await (const line of createInterface({ input: process.stdin })) {
  const told = JSON.parse(line);
  let events = [];
  if ("open" in told) {
    translator = new Translator(told.open.request);
    say({ ask: { path: "/v1/chat/completions", body: chatRequest(told.open.request) } });
  } else if ("feed" in told) events = translator.feed(Buffer.from(told.feed, "base64"));
  else events = translator.end();
  for (const [type, data] of events) {
    const event = `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
    say({ out: Buffer.from(event).toString("base64") });
  }
  say({ ack: true });
}
