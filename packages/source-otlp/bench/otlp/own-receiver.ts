import { pipe } from '@levada/connect-runtime-core';
import type { LogProducer } from '@levada/connect-runtime-core/platform';
import { logSink } from '@levada/connect-runtime-core/sinks';
import { otlpSource } from '@levada/source-otlp';
import type { ReceiverSettings } from './receiver-settings.ts';
import { openSink, temporaryFolder, topic } from './sinks.ts';
import type { Counts } from './usage.ts';

/** The whole connector with its defaults, into a log. It runs until its process ends. */
export async function openOwn(settings: ReceiverSettings): Promise<{ port: number; counts: Counts }> {
  const { transport, ackMode, format, timed } = settings;
  const producer = await openSink(settings.target);
  const latencies: number[] = [];
  const source = otlpSource({
    address: '127.0.0.1',
    grpcPort: 0,
    httpPort: 0,
    grpc: transport === 'grpc',
    http: transport === 'http',
    http2Server: settings.receiver === 'node:http2' ? 'node' : 'levada',
    format,
    topics: { traces: topic, metrics: topic, logs: topic },
    ackMode,
    ...(ackMode === 'spool' ? { spool: { path: temporaryFolder() } } : {}),
  });
  const run = pipe(source, logSink(timed ? timing(producer, latencies) : producer));
  run.done.catch((error: unknown) => {
    console.error(error);
    process.exit(1);
  });
  await source.ready();
  const { GrpcPort, HttpPort } = run.status();
  return {
    port: transport === 'grpc' ? GrpcPort : HttpPort,
    counts: {
      exports: () => run.status().RecordsProduced,
      dropped: () => run.status().TotalMessagesDropped,
      latencies,
    },
  };
}

/** Takes the time when a batch was acknowledged. */
function timing(producer: LogProducer, latencies: number[]): LogProducer {
  return {
    get pendingBytes() {
      return producer.pendingBytes;
    },
    flush: () => producer.flush(),
    close: (options) => producer.close(options),
    send: async (records) => {
      // The memory of the values is used again afterwards.
      const times = records.map((record) => sentAt(record.value));
      const result = await producer.send(records);
      const now = Number(process.hrtime.bigint()) / 1e6;
      for (const time of times) latencies.push(now - time);
      return result;
    },
  };
}

const START = '"startTimeUnixNano":"';

/** Milliseconds of the monotonic clock, which the sender shares. */
function sentAt(value: Uint8Array | null): number {
  const text = Buffer.from(value?.buffer ?? new ArrayBuffer(), value?.byteOffset, value?.length);
  const at = text.indexOf(START, 0, 'latin1') + START.length;
  return Number(text.toString('latin1', at, text.indexOf('"', at, 'latin1'))) / 1e6;
}
