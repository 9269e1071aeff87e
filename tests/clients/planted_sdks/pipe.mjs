// Serves a client over the pipe protocol of docs/clients.md. `read` gets the answer to fill and the request, and calls
// `told` when the text has grown. What it throws is the error of the answer. `next` sends the next request, if there is one.
import readline from "node:readline";

const write = (line) => process.stdout.write(JSON.stringify(line) + "\n");

export function serve(read, next) {
  readline.createInterface({ input: process.stdin }).on("line", async (line) => {
    const answer = { text: "", thinking: "", calls: [], stop: null, usage: {}, error: null };
    try {
      const given = JSON.parse(line).read;
      await read(answer, given, (text) => write({ told: { text } }));
      if (given.next) await next(answer, given);
    } catch (error) {
      answer.error = String(error.message);
    }
    write({ answer });
  });
}

export async function open(url, request, headers = {}) {
  const body = JSON.stringify(request);
  return await fetch(url, { method: "POST", headers: { "content-type": "application/json", ...headers }, body });
}
