// A chat model of LangChain: `langchain.mjs PACKAGE CLASS`. LangChain joins the pieces.
import readline from "node:readline";

const [from, name] = process.argv.slice(2);
const { [name]: Model } = await import(from);
console.log = console.warn = () => {};  // they would go to the standard output
const write = (line) => process.stdout.write(JSON.stringify(line) + "\n");
const parts = ({ content }, type) => (Array.isArray(content) ? content : []).filter((part) => part.type === type);
const text_of = (message) =>
  (typeof message.content === "string" ? message.content : parts(message, "text").map(({ text }) => text).join(""));

function answer_of(message) {
  const { finish_reason, stop_reason } = { ...message.additional_kwargs, ...message.response_metadata };
  const usage = message.usage_metadata;
  return {
    text: text_of(message),
    thinking: parts(message, "thinking").map(({ thinking }) => thinking).join(""),
    calls: [...message.tool_calls, ...message.invalid_tool_calls].map(({ id, name, args }) => (
      { id: String(id ?? ""), name: String(name ?? ""), arguments: typeof args === "string" ? args : JSON.stringify(args ?? {}) })),
    stop: finish_reason ?? stop_reason ?? null,
    usage: usage && { input: usage.input_tokens, output: usage.output_tokens },
  };
}

async function read({ url, request: { model, tools } }) {
  let message;
  try {
    const options = { model, apiKey: "none", maxRetries: 0, streamUsage: true };
    const chat = new Model({ ...options, anthropicApiUrl: url, configuration: { baseURL: url } });
    for await (const piece of await (tools ? chat.bindTools(tools) : chat).stream("When does the tide turn?")) {
      message = message ? message.concat(piece) : piece;
      write({ told: { text: text_of(message) } });
    }
    write({ answer: answer_of(message) });
  } catch (error) {
    write({ answer: { text: message ? text_of(message) : "", error: String(error.message) } });
  }
}

readline.createInterface({ input: process.stdin }).on("line", (line) => read(JSON.parse(line).read));
