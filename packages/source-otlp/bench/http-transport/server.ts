// Receives exports over HTTP and answers them, nothing else. Arguments: who receives, seconds to warm up and to measure. Prints
// its port, then the requests per second and the CPU time of each, counted from the first request on.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemClock } from '@levada/connect-runtime-core';
import express from 'express';
import type { ExportRequest } from '../../src/receive/admission/export-intake.ts';
import { accepted } from '../../src/receive/admission/export-outcome.ts';
import { defaultHttpTimeouts } from '../../src/receive/http/http-receiver-options.ts';
import { openHttpReceiver } from '../../src/receive/http/open-http-receiver.ts';

const [, , who = 'own', warmUp = '1', seconds = '2'] = process.argv;
let requests = 0;

const receivers: Readonly<Record<string, () => Promise<number>>> = {
  own: openOwn,
  express: openExpress,
  'node:http': openBare,
};
process.stdin.on('end', () => process.exit()).resume();
process.stdout.write(`${await receivers[who]?.()}\n`);

function count(): void {
  if (requests++ === 0) setTimeout(measure, Number(warmUp) * 1000);
}

function measure(): void {
  const before = requests;
  const start = performance.now();
  const cpu = process.cpuUsage();
  setTimeout(() => {
    const done = requests - before;
    const { user, system } = process.cpuUsage(cpu);
    const perSecond = (done / (performance.now() - start)) * 1000;
    process.stdout.write(`${JSON.stringify({ perSecond, cpuMicros: (user + system) / done })}\n`);
  }, Number(seconds) * 1000);
}

async function openOwn(): Promise<number> {
  const request: ExportRequest = {
    waitForRoom: () => undefined,
    reserve: () => true,
    submit: () => {
      count();
      return accepted;
    },
    release: () => {},
  };
  const receiver = await openHttpReceiver({
    intake: { admit: () => request, countRefusal: () => {} },
    signals: new Set(['traces']),
    paths: new Map([['/v1/traces', 'traces']]),
    address: '127.0.0.1',
    port: 0,
    tls: undefined,
    cors: undefined,
    timeouts: defaultHttpTimeouts,
    maxRequestBytes: 16 * 1024 * 1024,
    maxCompressedBytes: 4 * 1024 * 1024,
    maxConnections: 1000,
    clock: systemClock,
    onError: () => {},
    socketMode: 0o660,
    includedHeaders: new Set(),
    connectionAge: undefined,
    onConnectionFailure: () => undefined,
    http2: 'levada',
    elsewhere: () => undefined,
  });
  return receiver.port;
}

function openExpress(): Promise<number> {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.use(express.raw({ type: 'application/x-protobuf', limit: '16mb' }));
  app.post('/v1/traces', (_, response) => {
    count();
    response.status(200).type('application/x-protobuf').send(Buffer.alloc(0));
  });
  return listen(createServer(app));
}

/** What Node itself costs: no checks, no limits. */
function openBare(): Promise<number> {
  const headers = { 'Content-Type': 'application/x-protobuf', 'Content-Length': 0 };
  return listen(
    createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        count();
        response.writeHead(200, headers).end();
      });
    }),
  );
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}
