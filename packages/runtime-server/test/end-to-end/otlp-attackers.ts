// Clients that mean harm, each for as long as the test lasts. They connect from addresses of this machine alone.
import { connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { dataFrame, exportHeaders, frameOf, opening, prefixed, resetFrame } from '@levada/test-peers/http2';
import { requestText } from '@levada/test-peers/otlp';
import { onTestFinished } from 'vitest';
import type { OtlpPorts } from './otlp-connector.ts';

/** Connections of attackers, and the answers to them. */
export interface Attack {
  /** Connections made, by kind of attack. */
  readonly connections: Readonly<Record<string, number>>;
  /** Status lines over HTTP, such as `HTTP/1.1 400`. */
  readonly statuses: ReadonlySet<string>;
  /** Ends it and all its connections. */
  stop(): void;
}

type Random = (least: number, most: number) => number;

/** One connection of an attacker: what it writes once connected. */
type Attacker = (socket: Socket, random: Random) => void;

const MiB = 1024 * 1024;
/** A mebibyte of zeros is a kilobyte. */
const bomb = gzipSync(Buffer.alloc(64 * MiB));
const gzipped = { 'Content-Encoding': 'gzip', 'Content-Length': String(bomb.length) };
const resets = Buffer.concat(
  Array.from({ length: 200 }, (_, i) => Buffer.concat([exportHeaders(1 + 2 * i), resetFrame(1 + 2 * i)])),
);
const pings = Buffer.concat(
  Array.from({ length: 2000 }, () => frameOf('ping', { payload: Buffer.alloc(8) })),
);
const settings = Buffer.concat(Array.from({ length: 2000 }, () => frameOf('settings', {})));

const garbage = (random: Random): Buffer =>
  Buffer.from(Array.from({ length: random(1, 400) }, () => random(0, 255)));

const onGrpc: Readonly<Record<string, Attacker>> = {
  'rapid resets': (socket) => socket.write(Buffer.concat([opening, resets])),
  'frame floods': (socket, random) =>
    socket.write(Buffer.concat([opening, random(0, 1) === 0 ? pings : settings])),
  'garbage over gRPC': (socket, random) => socket.write(garbage(random)),
  'garbage after the preface': (socket, random) => socket.write(Buffer.concat([opening, garbage(random)])),
  'bombs over gRPC': (socket) => {
    const compressed = exportHeaders(1, { 'grpc-encoding': 'gzip' });
    const pieces = Array.from({ length: Math.ceil(bomb.length / 16_000) }, (_, i) =>
      bomb.subarray(i * 16_000, (i + 1) * 16_000),
    );
    const head = prefixed(Buffer.alloc(0), { flag: 1, length: bomb.length });
    const body = [head, ...pieces].map((piece, i) => dataFrame(1, piece, { end: i === pieces.length }));
    socket.write(Buffer.concat([opening, compressed, ...body]));
  },
  'announced gigabytes over gRPC': (socket) =>
    socket.write(
      Buffer.concat([
        opening,
        exportHeaders(1),
        dataFrame(1, prefixed(Buffer.alloc(10), { length: 2 ** 31 })),
      ]),
    ),
};

const onHttp: Readonly<Record<string, Attacker>> = {
  'garbage over HTTP': (socket, random) => socket.write(garbage(random)),
  'bombs over HTTP': (socket) => socket.write(Buffer.concat([Buffer.from(requestText(gzipped)), bomb])),
  'announced gigabytes over HTTP': (socket) =>
    socket.write(requestText({ 'Content-Length': String(8 * 1024 * MiB) })),
  'endless chunks': (socket) => {
    const chunk = Buffer.concat([Buffer.from('100000\r\n'), Buffer.alloc(MiB), Buffer.from('\r\n')]);
    const write = (): void => void (socket.destroyed || socket.write(chunk, write));
    socket.write(requestText({ 'Transfer-Encoding': 'chunked' }), write);
  },
  'broken exports': (socket, random) => {
    const body = garbage(random);
    const head = requestText({ 'Content-Length': String(body.length) });
    socket.write(Buffer.concat([Buffer.from(head), body]));
  },
  'wrong requests': (socket, random) => {
    const starts = ['GET /v1/traces HTTP/1.1', 'POST /v1/nothing HTTP/1.1', 'TRACE / HTTP/1.1'];
    socket.write(requestText({}, { start: starts[random(0, 2)] ?? '' }));
  },
};

/** Connections that say a byte now and then, on each port. */
const SLOW = 50;
const SLOW_MS = 200;
/** Connections of each other kind that are open at once, and how long each lasts at most. */
const AT_ONCE = 3;
const LIFE_MS = 1000;
/** Between two connections of an attacker. */
const PAUSE_MS = 20;

/** Attacks both receivers in all ways at once, until it is stopped or the test is over. */
export function attack(ports: OtlpPorts, random: Random): Attack {
  const connections: Record<string, number> = {};
  const statuses = new Set<string>();
  const open = new Set<Socket>();
  let attacking = true;
  const opened = (kind: string, port: number): Socket => {
    connections[kind] = (connections[kind] ?? 0) + 1;
    const socket = connect(port, '127.0.0.1');
    open.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => open.delete(socket));
    socket.on('data', (chunk) => {
      for (const [status] of chunk.toString('latin1').matchAll(/HTTP\/1\.1 \d{3}/g)) statuses.add(status);
    });
    return socket;
  };
  const again = (kind: string, port: number, attacker: Attacker): void => {
    if (!attacking) return;
    const socket = opened(kind, port);
    socket.on('connect', () => attacker(socket, random));
    const timer = setTimeout(() => socket.destroy(), LIFE_MS);
    socket.on('close', () => {
      clearTimeout(timer);
      setTimeout(() => again(kind, port, attacker), PAUSE_MS);
    });
  };
  const all = (port: number, attackers: Readonly<Record<string, Attacker>>): void => {
    for (const [kind, attacker] of Object.entries(attackers)) {
      for (let i = 0; i < AT_ONCE; i += 1) again(kind, port, attacker);
    }
  };
  all(ports.grpc, onGrpc);
  all(ports.http, onHttp);
  const slow = [ports.grpc, ports.http].flatMap((port) =>
    Array.from({ length: SLOW }, () => opened('slow clients', port)),
  );
  const bytes = [opening, Buffer.from(requestText({ 'Content-Length': '100' }))];
  let at = 0;
  const dripping = setInterval(() => {
    slow.forEach((socket, i) => {
      const from = bytes[i < SLOW ? 0 : 1] as Buffer;
      if (!socket.destroyed && at < from.length) socket.write(from.subarray(at, at + 1));
    });
    at += 1;
  }, SLOW_MS);
  const stop = (): void => {
    attacking = false;
    clearInterval(dripping);
    for (const socket of open) socket.destroy();
  };
  onTestFinished(stop);
  return { connections, statuses, stop };
}
