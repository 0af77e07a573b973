// Sends exports to both receivers as fast as they are answered, until it is killed. Writes what it was answered to standard
// output, a line of JSON every 100 ms.
// Run: node otlp-flood-sender.ts <gRPC port> <HTTP port>
import { type ClientHttp2Session, connect as connectHttp2, type IncomingHttpHeaders } from 'node:http2';
import { connect } from 'node:net';
import { realisticRequest } from '@levada/test-peers/otlp-requests';
import { type OtlpSchema, otlpSchema } from '../../../source-otlp/src/model/otlp-schema.ts';
import { threeSignals } from './otlp-numbered.ts';

/** Connections over HTTP, each with one request under way. */
const HTTP_CONNECTIONS = 64;
/** Connections over gRPC, each with so many calls under way. */
const GRPC_CONNECTIONS = 8;
const GRPC_CALLS = 16;
/** Spans, metrics or log records of a request: some 90 kB, 20 kB and 300 bytes, in turns. */
const ITEMS = [400, 100, 1] as const;

const [grpcPort, httpPort] = process.argv.slice(2).map(Number);
const answers: Record<string, number> = {};
const schema = otlpSchema();
const requests = ITEMS.flatMap((count) =>
  threeSignals.map((signal) => ({ signal, body: bodyOf(schema, signal, count) })),
);
let turn = 0;

function bodyOf(of: OtlpSchema, signal: (typeof threeSignals)[number], count: number): Buffer {
  return Buffer.from(realisticRequest(of, signal, count));
}

function next(): (typeof requests)[number] {
  turn += 1;
  return requests[turn % requests.length] as (typeof requests)[number];
}

function answered(status: string): void {
  answers[status] = (answers[status] ?? 0) + 1;
}

/** One connection; a further one when it ends. */
function overHttp(port: number): void {
  const socket = connect(port, '127.0.0.1');
  const send = (): void => {
    const { signal, body } = next();
    const head = [
      `POST /v1/${signal} HTTP/1.1`,
      'Host: collector',
      'Content-Type: application/x-protobuf',
      `Content-Length: ${body.length}`,
    ];
    socket.cork();
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    socket.write(body);
    socket.uncork();
  };
  socket.on('connect', send);
  socket.on('data', (chunk) => {
    const status = /^HTTP\/1\.1 (\d+)/.exec(chunk.toString('latin1'))?.[1];
    if (status === undefined) return;
    answered(`http ${status}`);
    send();
  });
  socket.on('error', () => undefined);
  socket.on('close', () => {
    answered('http closed');
    setTimeout(() => overHttp(port), 50);
  });
}

function overGrpc(port: number): void {
  const session = connectHttp2(`http://127.0.0.1:${port}`);
  session.on('error', () => undefined);
  session.on('close', () => {
    answered('grpc closed');
    setTimeout(() => overGrpc(port), 50);
  });
  session.on('connect', () => {
    for (let i = 0; i < GRPC_CALLS; i += 1) call(session);
  });
}

const services = { traces: 'trace', metrics: 'metrics', logs: 'logs' } as const;
const service = { traces: 'TraceService', metrics: 'MetricsService', logs: 'LogsService' } as const;

function call(session: ClientHttp2Session): void {
  if (session.destroyed || session.closed) return;
  const { signal, body } = next();
  const prefix = Buffer.alloc(5);
  prefix.writeUInt32BE(body.length, 1);
  const stream = session.request({
    ':method': 'POST',
    ':path': `/opentelemetry.proto.collector.${services[signal]}.v1.${service[signal]}/Export`,
    'content-type': 'application/grpc',
    te: 'trailers',
  });
  const onHeaders = ({ 'grpc-status': status }: IncomingHttpHeaders): void => {
    if (typeof status === 'string') answered(`grpc ${status}`);
  };
  stream.on('response', onHeaders);
  stream.on('trailers', onHeaders);
  stream.on('error', () => undefined);
  stream.on('close', () => call(session));
  stream.resume();
  stream.end(Buffer.concat([prefix, body]));
}

for (let i = 0; i < HTTP_CONNECTIONS; i += 1) overHttp(httpPort as number);
for (let i = 0; i < GRPC_CONNECTIONS; i += 1) overGrpc(grpcPort as number);
setInterval(() => process.stdout.write(`${JSON.stringify(answers)}\n`), 100);
// The process that started it is gone.
process.stdin.on('end', () => process.exit()).resume();
