// A WebSocket server that sends text messages of one length, in its own process. Arguments: bytes, and messages per second (0: as
// fast as they are read), or `idle`. Prints its port.
import { createHash } from 'node:crypto';
import { type AddressInfo, createServer, type Socket } from 'node:net';

const bytes = Number(process.argv[2]);
const idle = process.argv[3] === 'idle';
const perSecond = idle ? 0 : Number(process.argv[3]);
/** Messages in one write. */
const CHUNK = Math.max(1, Math.floor(65_536 / bytes));
const HEAD = bytes < 126 ? 2 : 4;
/** Digits of the time at the start of each message, in nanoseconds of the machine's monotonic clock. */
const DIGITS = 20;

let feed: Socket | undefined;
let blocked = false;

const template = frames(CHUNK);

const server = createServer((socket) => {
  socket.setNoDelay(true);
  socket.on('error', () => undefined);
  socket.once('data', (first) => upgrade(socket, first.toString('latin1')));
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
process.stdin.on('end', () => process.exit()).resume();

function upgrade(socket: Socket, head: string): void {
  const key = /^sec-websocket-key: (.+)$/im.exec(head)?.[1]?.trim() ?? '';
  const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
  );
  feed = socket;
  socket.on('close', () => process.exit());
  if (idle) return;
  socket.on('drain', () => {
    blocked = false;
    if (perSecond === 0) fill();
  });
  if (perSecond === 0) fill();
  else pace(performance.now(), 0);
}

/** Sends until the connection is full. */
function fill(): void {
  while (!blocked && feed !== undefined) send(feed, CHUNK);
}

/** Sends what is due, each millisecond; what a late timer missed follows at once. */
function pace(start: number, done: number): void {
  const due = Math.floor(((performance.now() - start) * perSecond) / 1000);
  for (let left = due - done; left > 0 && feed !== undefined; left -= CHUNK)
    send(feed, Math.min(CHUNK, left));
  setTimeout(() => pace(start, due), 1);
}

function send(socket: Socket, count: number): void {
  const size = HEAD + bytes;
  let data = template.subarray(0, count * size);
  if (perSecond > 0) {
    data = Buffer.from(data);
    const now = process.hrtime.bigint().toString().padStart(DIGITS, '0');
    for (let i = 0; i < count; i += 1) data.write(now, i * size + HEAD, 'latin1');
  }
  blocked = !socket.write(data);
}

function frames(count: number): Buffer {
  const payload = '0'.repeat(DIGITS).padEnd(bytes, ' {"symbol":"ABC","price":101.25}');
  const head = bytes < 126 ? Buffer.from([0x81, bytes]) : Buffer.from([0x81, 126, bytes >> 8, bytes & 255]);
  return Buffer.concat(Array.from({ length: count }, () => Buffer.concat([head, Buffer.from(payload)])));
}
