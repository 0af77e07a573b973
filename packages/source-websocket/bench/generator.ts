// A WebSocket server that sends text messages of one length, in its own process. Arguments: bytes, and messages per second (0: as
// fast as they are read), or `idle`. Prints its port. With a third argument, `held`, it sends only between the lines `go` and `stop`
// of its standard input, and answers `count` with the number of messages sent so far.
import { createHash } from 'node:crypto';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';

const bytes = Number(process.argv[2]);
const idle = process.argv[3] === 'idle';
const perSecond = idle ? 0 : Number(process.argv[3]);
/** Messages in one write. */
const CHUNK = Math.max(1, Math.floor(65_536 / bytes));
const HEAD = bytes < 126 ? 2 : 4;
/** Digits of the time at the start of each message, in nanoseconds of the machine's monotonic clock. */
const DIGITS = 20;

let sent = 0;
let feed: Socket | undefined;
let blocked = false;
let held = process.argv[4] === 'held';

const template = frames(CHUNK);

const server = createServer((socket) => {
  socket.setNoDelay(true);
  socket.on('error', () => undefined);
  socket.once('data', (first) => upgrade(socket, first.toString('latin1')));
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
createInterface({ input: process.stdin })
  .on('line', command)
  .on('close', () => process.exit());

function command(line: string): void {
  if (line === 'count') process.stdout.write(`${sent}\n`);
  else held = line === 'stop';
  if (line === 'go') start();
}

function start(): void {
  if (held || idle || feed === undefined) return;
  if (perSecond === 0) fill();
  else pace(performance.now(), 0);
}

function upgrade(socket: Socket, head: string): void {
  const key = /^sec-websocket-key: (.+)$/im.exec(head)?.[1]?.trim() ?? '';
  const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
  );
  feed = socket;
  socket.on('data', (frame) => answerPing(socket, frame));
  socket.on('close', () => process.exit());
  socket.on('drain', () => {
    blocked = false;
    if (perSecond === 0) fill();
  });
  start();
}

/** Clients that hear nothing for long send a ping, which is masked and comes alone (RFC 6455, 5.5.2). */
function answerPing(socket: Socket, frame: Buffer): void {
  if (frame[0] !== 0x89) return;
  const length = (frame[1] ?? 0) & 0x7f;
  const mask = frame.subarray(2, 6);
  const payload = frame.subarray(6, 6 + length).map((byte, at) => byte ^ (mask[at % 4] ?? 0));
  socket.write(Buffer.concat([Buffer.from([0x8a, length]), payload]));
}

/** Sends until the connection is full. */
function fill(): void {
  while (!held && !blocked && feed !== undefined) send(feed, CHUNK);
}

/** Sends what is due, each millisecond; what a late timer missed follows at once. */
function pace(start: number, done: number): void {
  if (held) return;
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
  sent += count;
  blocked = !socket.write(data);
}

function frames(count: number): Buffer {
  const payload = '0'.repeat(DIGITS).padEnd(bytes, ' {"symbol":"ABC","price":101.25}');
  const head = bytes < 126 ? Buffer.from([0x81, bytes]) : Buffer.from([0x81, 126, bytes >> 8, bytes & 255]);
  return Buffer.concat(Array.from({ length: count }, () => Buffer.concat([head, Buffer.from(payload)])));
}
