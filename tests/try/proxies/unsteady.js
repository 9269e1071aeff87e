// Starts chat_to_anthropic.js with a second fault: node unsteady.js crash|hang --port N --upstream URL
// `crash` ends the process at every third request. `hang` does not answer every fifth request.
const http = require('http');

const [fault] = process.argv.splice(2, 1);
const create = http.createServer;
let requests = 0;

http.createServer = serve => create((req, res) => {
  ++requests;
  if (fault === 'crash' && requests % 3 === 0) process.exit(3);
  if (fault === 'hang' && requests % 5 === 0) return;
  serve(req, res);
});
require('./chat_to_anthropic.js');
