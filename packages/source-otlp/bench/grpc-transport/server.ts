// Receives exports over gRPC and answers them, nothing else. Arguments: who receives, seconds to warm up and to measure. Prints
// its port, then the requests per second and the CPU time of each, counted from the first request on.
import { createServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import { systemClock } from '@levada/connect-runtime-core';
import { otlpSchema } from '../../src/model/otlp-schema.ts';
import { accepted } from '../../src/receive/admission/export-outcome.ts';
import { openGrpcReceiver } from '../../src/receive/grpc/open-grpc-receiver.ts';
import { lastRefusal } from '../../src/receive/http/last-answer.ts';

const MAX_BYTES = 4 * 1024 * 1024;
const [, , who = 'own', warmUp = '1', seconds = '2'] = process.argv;
let requests = 0;

const receivers: Readonly<Record<string, () => Promise<number>>> = {
  own: openOwn,
  'grpc-js': openGrpcJs,
  'node:http2': openBare,
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
  const request = {
    waitForRoom: () => undefined,
    reserve: () => true,
    submit: () => {
      count();
      return accepted;
    },
    release: () => undefined,
  };
  const receiver = await openGrpcReceiver({
    intake: { admit: () => request, countRefusal: () => undefined },
    signals: new Set(['traces', 'metrics', 'logs']),
    address: '127.0.0.1',
    port: 0,
    tls: undefined,
    maxRequestBytes: MAX_BYTES,
    maxCompressedBytes: MAX_BYTES,
    maxConnections: 100,
    clock: systemClock,
    schema: otlpSchema(),
    socketMode: 0o660,
    includedHeaders: new Set(),
    connectionAge: undefined,
    onConnectionFailure: () => undefined,
    answerHttp1: lastRefusal,
    http2: 'levada',
    elsewhere: () => undefined,
    onError: (error) => process.stderr.write(`${error.message}\n`),
  });
  return receiver.port;
}

async function openGrpcJs(): Promise<number> {
  const server = new Server({ 'grpc.max_receive_message_length': MAX_BYTES });
  const bytes = (value: Buffer): Buffer => value;
  const method = {
    path: '/opentelemetry.proto.collector.trace.v1.TraceService/Export',
    requestStream: false,
    responseStream: false,
    requestSerialize: bytes,
    requestDeserialize: bytes,
    responseSerialize: bytes,
    responseDeserialize: bytes,
  };
  const empty = Buffer.alloc(0);
  server.addService(
    { Export: method },
    {
      Export: (_call: unknown, done: (error: null, answer: Buffer) => void) => {
        count();
        done(null, empty);
      },
    },
  );
  return new Promise((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) =>
      error === null ? resolve(port) : reject(error),
    );
  });
}

/** The least that anything on node:http2 can do: it takes what comes for a message. */
async function openBare(): Promise<number> {
  const server = createServer({ settings: { initialWindowSize: 1024 * 1024 } });
  const empty = Buffer.alloc(5);
  server.on('stream', (stream) => {
    stream.on('end', () => {
      count();
      stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }));
      stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
      stream.end(empty);
    });
    stream.resume();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}
