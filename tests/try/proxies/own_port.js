// The relay of relay.js at a free port of its own choice, whatever it is offered, next to another port that it only opens.
require('net').createServer(socket => socket.end()).listen(0, '127.0.0.1');
process.env.PORT = 0;
require('./relay.js');
