import { pipe, type RawConfig } from '@levada/connect-runtime-core';
import type { LogProducer } from '@levada/connect-runtime-core/platform';
import { logSink } from '@levada/connect-runtime-core/sinks';
import { grpcSource } from '@levada/source-grpc';
import { benchDescriptors } from './descriptors.ts';
import { openSink } from './sinks.ts';
import type { Counts } from './usage.ts';

export interface ConnectorRun {
  readonly port: number;
  /** `discard`, `embedded`, or the address of a broker. */
  readonly target: string;
  /** Whether the time from sending to acknowledgement is taken. */
  readonly timed: boolean;
  readonly counts: Counts;
}

/** Position of the eighteen digits of the time of sending in a record, after `{"id":"`. */
const TIME_AT = 7;
const TIME_END = 25;

/** The whole connector, with defaults, from the generator into a log. It runs until its process ends. */
export async function runConnector({ port, target, timed, counts }: ConnectorRun): Promise<void> {
  const sink = await openSink(target, 'bench');
  const source = grpcSource.fromConfig(config(port));
  const run = pipe(source, logSink(timed ? timing(sink.producer, counts) : sink.producer));
  run.done.catch((error: unknown) => {
    console.error(error);
    process.exit(1);
  });
  counts.messages = () => run.status().RecordsProduced;
  counts.dropped = () => run.status().MessagesDropped;
}

/** The defaults of a worker. */
function config(port: number): RawConfig {
  return {
    'grpc.server.host': '127.0.0.1',
    'grpc.server.port': String(port),
    'grpc.service.name': 'levada.bench.Feed',
    'grpc.method.name': 'Watch',
    'grpc.proto.descriptor': benchDescriptors().toString('base64'),
    'platform.topic': 'bench',
    'grpc.queue.full.policy': 'drop_newest',
  };
}

/** Takes the time when a batch was acknowledged. */
function timing(producer: LogProducer, counts: Counts): LogProducer {
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
      for (const time of times) counts.latencies.push(now - time);
      return result;
    },
  };
}

function sentAt(value: Uint8Array | null): number {
  return Number(Buffer.from(value?.subarray(TIME_AT, TIME_END) ?? []).toString('latin1')) / 1e6;
}
