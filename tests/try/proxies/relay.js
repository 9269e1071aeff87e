// Passes Chat Completions on. Planted bugs: no content-type, and text is decoded read by read.
const http = require('http');

http.createServer((req, res) => {
  if (!req.url.endsWith('/chat/completions')) return res.writeHead(404).end();
  let body = '';
  req.on('data', piece => body += piece).on('end', () => {
    const to = new URL(process.env.OPENAI_BASE_URL + '/chat/completions');
    const out = http.request(to, {method: 'POST', headers: {'content-type': 'application/json'}}, answer => {
      res.writeHead(answer.statusCode);
      answer.on('data', piece => res.write(piece.toString('utf8'))).on('end', () => res.end());
    });
    out.on('error', () => res.writeHead(502).end());
    out.end(body);
  });
}).listen(process.env.PORT, '127.0.0.1');
