// A gRPC server that answers the one call it gets with messages of one length, in its own process. Arguments: bytes, messages
// per second (0: as fast as they are taken), and how they lie in frames: `single`, a DATA frame for each, as servers in Go and
// Java send, or `packed`, frames of 16 KB with as many as fit, as a server in Node sends under load. Prints its port. HTTP/2
// flow control is what holds it up. With a fourth argument, `held`, it sends only between the lines `go` and `stop` of its
// standard input, and answers `count` with the number of messages sent so far.
import { type AddressInfo, createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { dataFrame, HEAD_BYTES } from '@levada/test-peers/http2-frames';
import { encodeEvent, TIME_DIGITS, TIME_OFFSET } from './event.ts';
import { type OpenStream, serveHttp2 } from './http2-sender.ts';

const bytes = Number(process.argv[2]);
const perSecond = Number(process.argv[3]);
const shape = process.argv[4] ?? 'single';

/** Default of SETTINGS_MAX_FRAME_SIZE. */
const FRAME_BYTES = 16_384;
/** Below half of HTTP/2's default window: then a receiver that widens it at half never waits for us while we wait for it. */
const BLOCK_BYTES = 32_000;
const BLOCKS_PER_WRITE = 8;
/** What waits in this process for the kernel to take it: several writes, so that it never waits for us. */
const HIGH_WATER_BYTES = 1_048_576;
const PREFIX = 5;

/** Frames with whole messages, prebuilt for one stream. */
interface Block {
  readonly frames: Buffer;
  readonly dataBytes: number;
}

let sent = 0;
let held = process.argv[5] === 'held';
/** Continues to send on the connection that there is. */
let resume = (): void => undefined;

const message = encodeEvent(bytes);
const prefixed = Buffer.concat([Buffer.from([0, 0, 0, 0, 0]), message]);
prefixed.writeUInt32BE(bytes, 1);
const perBlock = Math.max(1, Math.floor(BLOCK_BYTES / prefixed.length));

const server = createServer({ highWaterMark: HIGH_WATER_BYTES, noDelay: true }, (socket) => {
  let stream: OpenStream | undefined;
  let block: Block | undefined;
  socket.on('error', () => undefined);
  socket.on('close', () => process.exit());
  serveHttp2(socket, {
    onStream: (opened) => {
      stream = opened;
      block = perSecond === 0 ? prebuilt(opened.id, BLOCKS_PER_WRITE) : undefined;
      resume = () => (perSecond === 0 ? fill() : pace(opened, performance.now(), 0));
      if (!held) resume();
    },
    onRoom: fill,
  });

  /** Sends until a window or the connection is full. */
  function fill(): void {
    if (held || stream === undefined || block === undefined) return;
    const [size, data] = [block.frames.length / BLOCKS_PER_WRITE, block.dataBytes / BLOCKS_PER_WRITE];
    while (!socket.writableNeedDrain) {
      const count = Math.min(BLOCKS_PER_WRITE, Math.floor(stream.window() / data));
      if (count <= 0) return;
      stream.write(block.frames.subarray(0, count * size), count * data);
      sent += count * perBlock;
    }
  }
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
createInterface({ input: process.stdin })
  .on('line', command)
  .on('close', () => process.exit());

function command(line: string): void {
  if (line === 'count') process.stdout.write(`${sent}\n`);
  else held = line === 'stop';
  if (line === 'go') resume();
}

/** Sends what is due, each millisecond; what a late timer missed, or what found no room, follows at once. */
function pace(stream: OpenStream, start: number, before: number): void {
  if (held) return;
  let done = before;
  const due = Math.floor(((performance.now() - start) * perSecond) / 1000);
  while (done < due && stream.window() >= prefixed.length) {
    const count = Math.min(due - done, perBlock, Math.floor(stream.window() / prefixed.length));
    sendTimed(stream, count);
    sent += count;
    done += count;
  }
  setTimeout(() => pace(stream, start, done), 1);
}

function sendTimed(stream: OpenStream, count: number): void {
  const frames = Buffer.concat(Array.from({ length: count }, () => framed(stream.id, prefixed)));
  const now = process.hrtime.bigint().toString().padStart(TIME_DIGITS, '0');
  const size = frames.length / count;
  for (let at = 0; at < count; at += 1)
    frames.write(now, at * size + HEAD_BYTES + PREFIX + TIME_OFFSET, 'latin1');
  stream.write(frames, count * prefixed.length);
}

function prebuilt(id: number, blocks: number): Block {
  const data = Buffer.concat(Array.from({ length: perBlock }, () => prefixed));
  const frames =
    shape === 'packed'
      ? framed(id, data)
      : Buffer.concat(Array.from({ length: perBlock }, () => framed(id, prefixed)));
  return {
    frames: Buffer.concat(Array.from({ length: blocks }, () => frames)),
    dataBytes: data.length * blocks,
  };
}

/** DATA frames of the greatest length, and one with the rest. */
function framed(id: number, data: Buffer): Buffer {
  const frames: Buffer[] = [];
  for (let at = 0; at < data.length; at += FRAME_BYTES)
    frames.push(dataFrame(id, data.subarray(at, at + FRAME_BYTES)));
  return Buffer.concat(frames);
}
