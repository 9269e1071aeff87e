// Answers every chat with the same stream, and never calls an upstream.
const http = require('http');

http.createServer((req, res) => {
  if (!req.url.endsWith('/chat/completions')) return res.writeHead(404).end();
  res.writeHead(200, {'content-type': 'text/event-stream'});
  const chunk = {id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm',
    choices: [{index: 0, delta: {role: 'assistant', content: 'Hello'}, finish_reason: 'stop'}]};
  res.end(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`);
}).listen(process.env.PORT, '127.0.0.1');
