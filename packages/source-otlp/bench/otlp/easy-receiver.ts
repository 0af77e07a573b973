// The same receiver the easy way: express or grpc-js, protobufjs, JSON.stringify; and the same log.
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import express from 'express';
import { BatchingProducer } from './batching-producer.ts';
import { type ProtobufjsExport, protobufjsExports } from './protobufjs-exports.ts';
import type { ReceiverSettings } from './receiver-settings.ts';
import { openSink } from './sinks.ts';
import type { Counts } from './usage.ts';

type Message = ReturnType<ProtobufjsExport['decode']>;

/** Decodes and queues exports; `take` returns false when the queue is full. */
interface Intake {
  readonly decode: (body: Buffer) => Message;
  readonly take: (message: Message, body: Buffer) => boolean;
}

const MAX_BYTES = 16 * 1_048_576;

/** Runs until its process ends. */
export async function openEasy(settings: ReceiverSettings): Promise<{ port: number; counts: Counts }> {
  const { signal, format, transport } = settings;
  const producer = new BatchingProducer(await openSink(settings.target));
  const exports = protobufjsExports()(signal);
  const intake: Intake = {
    decode: (body) => exports.decode(body),
    take: (message, body) =>
      producer.offer(
        format === 'json' ? exports.json(message) : Buffer.from(body.toString('base64'), 'latin1'),
      ),
  };
  const port = await (transport === 'http' ? openExpress(signal, intake) : openGrpcJs(signal, intake));
  const counts = { exports: () => producer.stored, dropped: () => producer.dropped, latencies: [] };
  return { port, counts };
}

function openExpress(signal: string, { decode, take }: Intake): Promise<number> {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.use(express.raw({ type: 'application/x-protobuf', limit: '16mb' }));
  app.post(`/v1/${signal}`, (request, response) => {
    const { body } = request as IncomingMessage & { readonly body: Buffer };
    const taken = take(decode(body), body);
    response
      .status(taken ? 200 : 503)
      .type('application/x-protobuf')
      .send(Buffer.alloc(0));
  });
  return new Promise((resolve) => {
    const server = createServer(app);
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}

const services: Readonly<Record<string, string>> = {
  traces: '/opentelemetry.proto.collector.trace.v1.TraceService/Export',
  metrics: '/opentelemetry.proto.collector.metrics.v1.MetricsService/Export',
  logs: '/opentelemetry.proto.collector.logs.v1.LogsService/Export',
};

interface Decoded {
  readonly message: Message;
  readonly body: Buffer;
}

function openGrpcJs(signal: string, { decode, take }: Intake): Promise<number> {
  const server = new Server({ 'grpc.max_receive_message_length': MAX_BYTES });
  const empty = Buffer.alloc(0);
  const method = {
    path: services[signal] ?? '',
    requestStream: false as const,
    responseStream: false as const,
    requestSerialize: ({ body }: Decoded) => body,
    requestDeserialize: (body: Buffer): Decoded => ({ message: decode(body), body }),
    responseSerialize: (answer: Buffer) => answer,
    responseDeserialize: (answer: Buffer) => answer,
  };
  server.addService(
    { Export: method },
    {
      Export: ({ request }: { request: Decoded }, done: (error: object | null, answer?: Buffer) => void) => {
        if (take(request.message, request.body)) done(null, empty);
        else done({ code: 14, details: 'queue full' });
      },
    },
  );
  return new Promise((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) =>
      error === null ? resolve(port) : reject(error),
    );
  });
}
