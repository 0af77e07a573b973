import type { BenchRequest } from './requests.ts';

/** What receives, and how. */
export interface ReceiverSettings {
  /** `easy`: the same receiver built of express or grpc-js, and protobufjs. `node:http2`: ours, over that instead of our own HTTP/2. */
  readonly receiver: 'own' | 'easy' | 'node:http2';
  readonly transport: 'http' | 'grpc';
  readonly signal: BenchRequest['signal'];
  readonly format: 'json' | 'protobuf';
  readonly ackMode: 'queued' | 'produced' | 'spool';
  /** `discard`, `embedded`, or the address of a broker. */
  readonly target: string;
  /** Whether the time from sending to acknowledgement is taken. */
  readonly timed: boolean;
  /** Reads OTLP/JSON by `JSON.parse` and a walk over objects instead of our own reader. */
  readonly jsonParse?: boolean;
}
