// Reads one partition from its end on, and prints, for every ten seconds as one line of JSON, how long records took from their
// sender to here. Records hold "T:" and the 16 digits of the sender's clock in microseconds. An own client, so that it uses little
// of the machine. Arguments: <host:port of the broker> <topic>
import { once } from 'node:events';
import { createConnection } from 'node:net';
import process from 'node:process';

const WINDOW_MS = 10_000;
const LIST_OFFSETS = { key: 2, version: 1 };
const FETCH = { key: 1, version: 4 };
/** Latency in steps of 10 µs, up to 10 s. */
const STEP_MICROS = 10;
const STEPS = 1_000_000;
const MARK = Buffer.from('T:');
const DIGITS = 16;

const [bootstrap = '', topic = ''] = process.argv.slice(2);
const [host = '', port = ''] = bootstrap.split(':');
const socket = createConnection({ host, port: Number(port), noDelay: true });
await once(socket, 'connect');

let parts: Buffer[] = [];
let size = 0;
let wanted: ((answer: Buffer) => void) | undefined;
socket.on('data', (part) => {
  parts.push(part);
  size += part.length;
  if (size < 4) return;
  const all = parts.length === 1 ? part : Buffer.concat(parts);
  parts = [all];
  const length = all.readInt32BE(0);
  if (size < 4 + length) return;
  parts = [];
  size = 0;
  wanted?.(all.subarray(8, 4 + length));
});

function ask({ key, version }: { key: number; version: number }, body: Buffer): Promise<Buffer> {
  const head = Buffer.alloc(14);
  head.writeInt32BE(10 + body.length, 0);
  head.writeInt16BE(key, 4);
  head.writeInt16BE(version, 6);
  // One request at a time needs no correlation; no client id.
  head.writeInt16BE(-1, 12);
  return new Promise((resolve) => {
    wanted = resolve;
    socket.write(Buffer.concat([head, body]));
  });
}

const name = Buffer.concat([Buffer.of(0, topic.length), Buffer.from(topic)]);

function int32(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [at, value] of values.entries()) bytes.writeInt32BE(value, 4 * at);
  return bytes;
}

function int64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64BE(value);
  return bytes;
}

async function endOffset(): Promise<bigint> {
  // Replica -1, one topic, its partition 0, latest.
  const answer = await ask(LIST_OFFSETS, Buffer.concat([int32(-1, 1), name, int32(1, 0), int64(-1n)]));
  return answer.readBigInt64BE(answer.length - 8);
}

/** Record batches from an offset on, as soon as there are any. */
async function fetchFrom(offset: bigint): Promise<Buffer> {
  const limits = Buffer.concat([int32(-1, 500, 1, 16 * 1024 * 1024), Buffer.of(0)]);
  const answer = await ask(
    FETCH,
    Buffer.concat([limits, int32(1), name, int32(1, 0), int64(offset), int32(16 * 1024 * 1024)]),
  );
  // Throttle, one topic, one partition: id, error, high watermark, last stable offset, aborted transactions, records.
  let at = 4 + 4 + name.length + 4 + 4;
  const error = answer.readInt16BE(at);
  if (error !== 0) throw new Error(`fetch was answered with error ${error}`);
  at += 2 + 8 + 8;
  at += 4 + 16 * Math.max(0, answer.readInt32BE(at));
  return answer.subarray(at + 4);
}

let counts = new Uint32Array(STEPS);
let count = 0;
let most = 0;
let windowEnd = 0;
let window = 0;

function note(text: string, now: number): void {
  const micros = Math.max(0, now - Number(text));
  // The same two bytes may be part of a header.
  if (Number.isNaN(micros)) return;
  const step = Math.min(STEPS - 1, Math.floor(micros / STEP_MICROS));
  counts[step] = (counts[step] as number) + 1;
  most = Math.max(most, micros);
  count += 1;
}

function percentileMs(share: number): number {
  let left = count * share;
  for (let step = 0; step < STEPS; step += 1) {
    left -= counts[step] as number;
    if (left <= 0) return ((step + 1) * STEP_MICROS) / 1000;
  }
  return (STEPS * STEP_MICROS) / 1000;
}

/** A window begins with the first record. */
function closeWindow(now: number): void {
  if (windowEnd === 0) windowEnd = now + WINDOW_MS * 1000;
  if (now < windowEnd) return;
  const figures = { window, count, p50: percentileMs(0.5), p99: percentileMs(0.99), max: most / 1000 };
  process.stdout.write(`${JSON.stringify(figures)}\n`);
  window += 1;
  windowEnd += WINDOW_MS * 1000;
  counts = new Uint32Array(STEPS);
  count = 0;
  most = 0;
}

let offset = await endOffset();
process.stdout.write('ready\n');
for (;;) {
  const batches = await fetchFrom(offset);
  const now = Number(process.hrtime.bigint() / 1000n);
  let at = 0;
  while (at + 61 <= batches.length) {
    const end = at + 12 + batches.readInt32BE(at + 8);
    if (end > batches.length) break;
    closeWindow(now);
    offset = batches.readBigInt64BE(at) + BigInt(batches.readInt32BE(at + 23)) + 1n;
    for (let mark = batches.indexOf(MARK, at); mark >= 0 && mark < end; mark = batches.indexOf(MARK, mark)) {
      mark += MARK.length;
      note(batches.toString('latin1', mark, mark + DIGITS), now);
    }
    at = end;
  }
}
