// Serves Anthropic clients from a Chat Completions upstream:
// node chat_to_anthropic.js --port N --upstream URL [--prefix PATH]
// Planted bug: it never sends message_stop.
const http = require('http');

const flag = name => process.argv[process.argv.indexOf('--' + name) + 1];
const prefix = process.argv.includes('--prefix') ? flag('prefix') : '';
const upstream = new URL(flag('upstream') + '/chat/completions');

const textOf = content => typeof content === 'string' ? content : content.map(part => part.text || '').join('');

http.createServer((req, res) => {
  if (req.url !== prefix + '/v1/messages') return res.writeHead(404).end('{"error":"no such path"}');
  let body = '';
  req.on('data', piece => body += piece).on('end', () => {
    const asked = JSON.parse(body);
    const messages = asked.messages.map(message => ({role: message.role, content: textOf(message.content)}));
    const out = http.request(upstream, {method: 'POST', headers: {'content-type': 'application/json'}}, answer => {
      res.writeHead(200, {'content-type': 'text/event-stream'});
      const send = data => res.write(`event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`);
      send({type: 'message_start', message: {id: 'msg_1', type: 'message', role: 'assistant', model: asked.model,
        content: [], stop_reason: null, stop_sequence: null, usage: {input_tokens: 1, output_tokens: 1}}});
      send({type: 'content_block_start', index: 0, content_block: {type: 'text', text: ''}});
      let rest = '';
      answer.setEncoding('utf8');
      answer.on('data', piece => {
        rest += piece;
        const lines = rest.split('\n');
        rest = lines.pop();
        for (const line of lines) {
          if (!line.startsWith('data: {')) continue;
          const chunk = JSON.parse(line.slice(6));
          const text = chunk.choices && chunk.choices[0] && chunk.choices[0].delta && chunk.choices[0].delta.content;
          if (text) send({type: 'content_block_delta', index: 0, delta: {type: 'text_delta', text}});
        }
      }).on('end', () => {
        send({type: 'content_block_stop', index: 0});
        send({type: 'message_delta', delta: {stop_reason: 'end_turn', stop_sequence: null}, usage: {output_tokens: 1}});
        res.end();
      });
    });
    out.on('error', error => res.writeHead(502).end(JSON.stringify({error: error.message})));
    out.end(JSON.stringify({model: asked.model, messages, stream: true}));
  });
}).listen(Number(flag('port')), '127.0.0.1');
