// Serves a client over the pipe protocol of docs/clients.md. `read` gets the answer to fill and the request, and calls
// `told` when the text has grown. What it throws is the error of the answer.
import readline from "node:readline";

const write = (line) => process.stdout.write(JSON.stringify(line) + "\n");

export function serve(read) {
  readline.createInterface({ input: process.stdin }).on("line", async (line) => {
    const answer = { text: "", thinking: "", calls: [], stop: null, usage: {}, error: null };
    try {
      await read(answer, JSON.parse(line).read, (text) => write({ told: { text } }));
    } catch (error) {
      answer.error = String(error.message);
    }
    write({ answer });
  });
}

export async function open(url, request) {
  return await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(request) });
}
