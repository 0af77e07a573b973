// A WebSocket server that floods each client with text messages of 200 bytes, as fast as the client reads, at little cost of its own:
// the same prepared frames again and again. Prints its port.
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const BYTES = 200;
const FRAMES = 1000;

const text = JSON.stringify({ text: 'x'.repeat(BYTES - '{"text":""}'.length) });
// Final text frame, length in 16 bits, not masked.
const frame = Buffer.concat([Buffer.from([0x81, 126, BYTES >> 8, BYTES & 0xff]), Buffer.from(text)]);
const chunk = Buffer.concat(Array.from({ length: FRAMES }, () => frame));

const server = createServer();
server.on('upgrade', (request, socket) => {
  const accept = createHash('sha1')
    .update(`${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
    .digest('base64');
  const head = ['HTTP/1.1 101 Switching Protocols', 'Upgrade: websocket', 'Connection: Upgrade'];
  socket.write(`${[...head, `Sec-WebSocket-Accept: ${accept}`].join('\r\n')}\r\n\r\n`);
  const fill = (): void => {
    while (socket.writable && socket.write(chunk));
  };
  socket.on('drain', fill).on('error', () => undefined);
  // Nothing that the client says matters, but it has to be read.
  socket.on('data', () => undefined);
  fill();
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
process.stdin.on('end', () => process.exit()).resume();
