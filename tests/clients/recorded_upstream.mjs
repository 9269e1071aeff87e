// An upstream that plays recordings: a request for the model `openai.chat/text-plain` gets the recording of that id, in
// its original chunks, and with its ending.
import { readFileSync } from 'node:fs';
import net from 'node:net';

// Returns the chunks and the ending of a recording's file; docs/recordings.md.
export function chunksOf(file) {
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line)
    .map((line) => JSON.parse(line));
  const chunks = lines
    .slice(1, -1)
    .map((line) => (line.text === undefined ? Buffer.from(line.base64, 'base64') : Buffer.from(line.text)));
  return { head: lines[0], chunks, end: lines.at(-1).end };
}

// Kiro gets the model with the user's text, Gemini and Bedrock in the path.
function modelOf(request, path) {
  const named = /\/models?\/([^/:?]+)/.exec(path);
  return named
    ? decodeURIComponent(named[1])
    : (request.model ?? request.conversationState.currentMessage.userInputMessage.modelId);
}

function answer(socket, { head, chunks, end }) {
  const type = head.response.headers['content-type'] ?? 'text/event-stream';
  const fields = `Content-Type: ${type}\r\nTransfer-Encoding: chunked`;
  socket.write(`HTTP/1.1 ${head.response.status} Recorded\r\n${fields}\r\n\r\n`);
  for (const chunk of chunks) {
    socket.write(Buffer.concat([Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n')]));
  }
  if (end === 'complete') socket.write('0\r\n\r\n');
  if (end === 'closed') socket.end();
  if (end === 'reset') socket.write('', () => socket.resetAndDestroy());
}

// Takes requests from a connection, one after another.
function serve(socket, choose) {
  let bytes = '';
  socket.setNoDelay(true);
  socket.setEncoding('latin1');
  socket.on('error', () => socket.destroy());  // the proxy leaves as soon as it has the whole message
  socket.on('data', (more) => {
    bytes += more;
    for (;;) {
      const body = bytes.indexOf('\r\n\r\n') + 4;
      if (body < 4) return;
      const length = Number(/content-length: *(\d+)/i.exec(bytes.slice(0, body))?.[1] ?? 0);
      if (bytes.length < body + length) return;
      if (length === 0) {  // a client that looks whether the server is there
        bytes = bytes.slice(body);
        socket.write('HTTP/1.1 200 Recorded\r\nContent-Length: 0\r\n\r\n');
        continue;
      }
      const request = JSON.parse(Buffer.from(bytes.slice(body, body + length), 'latin1').toString());
      const path = bytes.split(' ', 2)[1];
      bytes = bytes.slice(body + length);
      answer(socket, chunksOf(choose(request, path)));
    }
  });
}

// Serves `files`, a map of ids to files, on a free port and resolves to the base URL.
export function serveRecordings(files) {
  return serveChosen((request, path) => files.get(modelOf(request, path)));
}

// The same for the file that `choose` names for the JSON of a request and its path.
export function serveChosen(choose) {
  return new Promise((resolve) => {
    const server = net.createServer((socket) => serve(socket, choose));
    server.listen(0, '127.0.0.1', () => {
      server.unref();
      resolve(`http://127.0.0.1:${server.address().port}/v1`);
    });
  });
}
