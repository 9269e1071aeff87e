// Passes Chat Completions on for clients with the key "letmein".
const http = require('http');

http.createServer((req, res) => {
  if (req.headers.authorization !== 'Bearer letmein') return res.writeHead(401).end('{"error":"wrong key"}');
  if (req.url !== '/v1/chat/completions') return res.writeHead(404).end();
  let body = '';
  req.on('data', piece => body += piece).on('end', () => {
    const to = new URL(process.env.OPENAI_BASE_URL + '/chat/completions');
    const out = http.request(to, {method: 'POST', headers: {'content-type': 'application/json'}}, answer => {
      res.writeHead(answer.statusCode, {'content-type': answer.headers['content-type']});
      answer.pipe(res);
    });
    out.on('error', () => res.writeHead(502).end());
    out.end(body);
  });
}).listen(process.env.PORT, '127.0.0.1');
