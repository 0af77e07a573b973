// What a flood of each class costs before the server ends it: our own HTTP/2 server and node:http2, which is given every bound that
// it knows. `npm run bench -- http2-floods [frames]`. A flood is sent on one connection after the other, in chunks, by a client
// that reads. Printed are the connections that it took, the requests that reached the handler, and CPU milliseconds of the process.
import { createServer as createHttp2Server } from 'node:http2';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '@levada/connect-runtime-core';
import {
  dataFrame,
  END_HEADERS,
  frameOf,
  headerBlock as literals,
  PREFACE,
  resetFrame,
  settingsFrame,
  windowFrame,
} from '@levada/test-peers/http2-frames';
import { ResetBudgets } from '../src/http2/guard/reset-budgets.ts';
import { ServerConnection } from '../src/http2/guard/server-connection.ts';
import { usualLimits } from '../src/http2/session/settings.ts';

const FRAMES = Number(process.argv[2] ?? 100_000);
const CHUNK_FRAMES = 500;
/** Time for the last answers, or the end of the connection. */
const QUIET_MS = 300;

const fields = { ':method': 'POST', ':scheme': 'http', ':path': '/a', ':authority': 'b', te: 'trailers' };
const request = (streamId: number): Buffer =>
  frameOf('headers', { flags: END_HEADERS, streamId, payload: literals(fields) });

/** Frame number `at` of a flood on a connection; `first` opens what the flood needs. */
interface Flood {
  readonly first?: Buffer;
  readonly frame: (at: number) => Buffer;
}

const floods: Readonly<Record<string, Flood>> = {
  'rapid reset': {
    frame: (at) => Buffer.concat([request(2 * at + 1), resetFrame(2 * at + 1)]),
  },
  MadeYouReset: {
    frame: (at) => Buffer.concat([request(2 * at + 1), windowFrame(2 * at + 1, 0)]),
  },
  CONTINUATION: {
    first: frameOf('headers', { streamId: 1, payload: literals(fields) }),
    frame: () => frameOf('continuation', { streamId: 1, payload: Buffer.of(0x88) }),
  },
  PING: { frame: () => frameOf('ping', { payload: Buffer.alloc(8) }) },
  SETTINGS: { frame: () => settingsFrame() },
  PRIORITY: { frame: () => frameOf('priority', { streamId: 1, payload: Buffer.alloc(5) }) },
  'WINDOW_UPDATE of the connection': { frame: () => windowFrame(0, 1) },
  'empty DATA': { first: request(1), frame: () => dataFrame(1, Buffer.alloc(0)) },
  'unknown frames': { frame: () => frameOf(200, { payload: Buffer.alloc(8) }) },
};

let requests = 0;
const count = (): void => {
  requests += 1;
};

function own(): Server {
  const options = {
    handler: { onForeign: () => undefined, onRequest: count },
    limits: { ...usualLimits, keptHeaders: new Set<string>(), includedHeaders: new Set<string>() },
    resets: new ResetBudgets(),
    clock: systemClock,
    maxAgeMs: Number.POSITIVE_INFINITY,
    graceMs: 0,
  };
  return createServer({ noDelay: true }, (socket) => {
    socket.on('error', () => undefined);
    new ServerConnection(socket, options);
  });
}

function library(): Server {
  const server = createHttp2Server({
    settings: {
      initialWindowSize: usualLimits.streamWindowBytes,
      maxConcurrentStreams: usualLimits.maxStreams,
    },
    maxSessionMemory: 10,
    maxOutstandingPings: 10,
    maxSettings: 32,
    maxSessionInvalidFrames: 1000,
    maxSessionRejectedStreams: 100,
    streamResetBurst: 1000,
    streamResetRate: 33,
  });
  server.on('sessionError', () => undefined);
  server.on('stream', (stream) => {
    count();
    stream.on('error', () => undefined);
  });
  return server as unknown as Server;
}

async function suffer(server: Server, flood: Flood): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  requests = 0;
  const sender = process.cpuUsage();
  let connections = 0;
  for (let sent = 0; sent < FRAMES; ) {
    connections += 1;
    sent += await attack(port, flood, FRAMES - sent);
  }
  const { user, system } = process.cpuUsage(sender);
  server.close();
  return `${connections} connections, ${requests} requests, ${Math.round((user + system) / 1000)} ms`;
}

/** Sends frames until the server ends the connection; returns how many were sent. */
async function attack(port: number, { first, frame }: Flood, most: number): Promise<number> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  socket.on('error', () => undefined);
  socket.resume();
  socket.write(Buffer.concat([PREFACE, settingsFrame(), ...(first === undefined ? [] : [first])]));
  let sent = 0;
  while (sent < most && socket.writable) {
    const count = Math.min(CHUNK_FRAMES, most - sent);
    const frames = Array.from({ length: count }, (_, index) => frame(sent + index));
    await new Promise((resolve) => socket.write(Buffer.concat(frames), resolve));
    sent += count;
    await new Promise((resolve) => setImmediate(resolve));
  }
  if (socket.writable) await sleep(QUIET_MS);
  socket.destroy();
  return sent;
}

console.log(`${FRAMES} frames of each flood; CPU of server and sender together\n`);
console.log('| Flood | own | node:http2 |\n|---|---|---|');
for (const [name, flood] of Object.entries(floods)) {
  console.log(`| ${name} | ${await suffer(own(), flood)} | ${await suffer(library(), flood)} |`);
}
process.exit();
