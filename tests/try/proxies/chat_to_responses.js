// Serves Responses clients, at /responses alone, from a Chat Completions upstream. PORT and OPENAI_BASE_URL say where.
// Planted bug: it never sends response.completed.
const http = require('http');

http.createServer((req, res) => {
  if (req.method !== 'POST' || req.url !== '/responses') return res.writeHead(404).end();
  let body = '';
  req.on('data', piece => body += piece).on('end', async () => {
    const asked = JSON.parse(body);
    const answer = await fetch(process.env.OPENAI_BASE_URL + '/chat/completions', {
      method: 'POST',
      headers: {'content-type': 'application/json', authorization: 'Bearer ' + process.env.OPENAI_API_KEY},
      body: JSON.stringify({model: asked.model, stream: true, messages: [{role: 'user', content: JSON.stringify(asked.input)}]}),
    });
    res.writeHead(200, {'content-type': 'text/event-stream'});
    let number = 0;
    const send = data => res.write(`event: ${data.type}\ndata: ${JSON.stringify({...data, sequence_number: number++})}\n\n`);
    const item = {id: 'msg_1', type: 'message', role: 'assistant', status: 'in_progress', content: []};
    const at = {item_id: 'msg_1', output_index: 0, content_index: 0};
    const response = {id: 'resp_1', object: 'response', created_at: 1, model: asked.model, status: 'in_progress', output: []};
    send({type: 'response.created', response});
    send({type: 'response.output_item.added', output_index: 0, item});
    send({type: 'response.content_part.added', ...at, part: {type: 'output_text', text: '', annotations: []}});
    let text = '', rest = '';
    const decoder = new TextDecoder();
    for await (const piece of answer.body) {
      const lines = (rest + decoder.decode(piece, {stream: true})).split('\n');
      rest = lines.pop();
      for (const line of lines) {
        if (!line.startsWith('data: {')) continue;
        const delta = JSON.parse(line.slice(6)).choices?.[0]?.delta?.content;
        if (!delta) continue;
        text += delta;
        send({type: 'response.output_text.delta', ...at, delta});
      }
    }
    const part = {type: 'output_text', text, annotations: []};
    send({type: 'response.output_text.done', ...at, text});
    send({type: 'response.content_part.done', ...at, part});
    send({type: 'response.output_item.done', output_index: 0, item: {...item, status: 'completed', content: [part]}});
    res.end();
  });
}).listen(process.env.PORT);
