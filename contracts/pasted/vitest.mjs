// A test of the smallest upstream stream that shows a bug of a translator.
//
// @RULE@: @SAYS@
// Found: @MESSAGE@
// Made by splitproof shrink of @CASE@.

import http from 'node:http';
import { expect, test } from 'vitest';

// FILL IN: have your translator answer this request, with `upstream` ("http://127.0.0.1:PORT") as its provider, and return
// the body of its answer.
async function translate(upstream, request) {
  throw new Error('fill in translate()');
}
// END

const request = @REQUEST@;

// What the provider sends, one write each.
const chunks = [
@CHUNKS@
];

// What has to come out of it.
const expected = @EXPECTED@;

function events(body) {
  const all = [];
  let event, data;
  for (const line of body.split(/\r\n|\n|\r/)) {
    const [, field, value] = /^([^:]*):? ?(.*)$/s.exec(line);
    if (line === '') {
      if (data !== undefined) all.push({ event, data: data.join('\n') });
      event = data = undefined;
    } else if (field === 'data') (data ??= []).push(value);
    else if (field === 'event') event = value;
  }
  return all;
}

@READER@

test(@TITLE@, async () => {
  const provider = http.createServer(async (asked, answer) => {
    for await (const ignored of asked);
    answer.socket.setNoDelay(true);
    answer.writeHead(@STATUS@, { 'content-type': @CONTENT_TYPE@ });
    answer.flushHeaders();
    for (const chunk of chunks) {
      answer.write(chunk);
      await new Promise((later) => setTimeout(later, 30));
    }
    @ENDING@
  });
  await new Promise((listening) => provider.listen(0, '127.0.0.1', listening));
  try {
    const body = await translate(`http://127.0.0.1:${provider.address().port}`, request);
@OF_ORDER@    const { answer, problems } = read(events(body));
@OF_ORDER@    expect(problems).toEqual([]);
@NOT_OF_ORDER@    const { answer } = read(events(body));
    expect(answer).toMatchObject(expected);
  } finally {
    provider.closeAllConnections();
    provider.close();
  }
});
