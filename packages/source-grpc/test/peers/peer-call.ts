import { systemClock } from '@levada/connect-runtime-core';
import { grpcJs } from '../../src/grpc-js/index.ts';
import type { GrpcStatus } from '../../src/model/grpc-status.ts';
import type { Call, CallOptions, Channel, ChannelOptions } from '../../src/transport/channel.ts';
import { http2Transport, type Transport } from '../../src/transport/transport.ts';
import { requestBytes } from './test-events.ts';

/** A call of a test, and what came of it so far. */
export interface PeerCall {
  readonly call: Call;
  /** Copies, in order. */
  readonly messages: readonly Uint8Array[];
  /** Lengths of the messages above the limit, in order. */
  readonly oversized: readonly number[];
  readonly ended: Promise<GrpcStatus>;
}

const open = new Set<Channel>();

/** Closes the channels of a test. */
export async function closeChannels(): Promise<void> {
  await Promise.all([...open].map((channel) => channel.close()));
  open.clear();
}

/** A transport that is tested, and what only ours does. */
export interface TestedTransport {
  readonly name: 'node:http2' | 'grpc-js';
  readonly transport: Transport;
}

/** The transports that run through the same tests. */
export const testedTransports: readonly TestedTransport[] = [
  { name: 'node:http2', transport: http2Transport },
  { name: 'grpc-js', transport: grpcJs() as Transport },
];

/** Makes channels to a port on loopback; {@link closeChannels} closes them. */
export type OpenPeerChannel = (port: number, more?: Partial<ChannelOptions>) => Promise<Channel>;

/** See {@link OpenPeerChannel}. */
export function channelsOver({ transport }: TestedTransport): OpenPeerChannel {
  return async (port, more = {}) => {
    const channel = await transport.open({
      endpoint: { host: '127.0.0.1', port },
      connectTimeoutMs: 10_000,
      keepaliveTimeMs: 0,
      keepaliveTimeoutMs: 10_000,
      calls: { maxMessageBytes: 4_194_304, compression: 'identity' },
      clock: systemClock,
      signal: new AbortController().signal,
      ...more,
    });
    open.add(channel);
    return channel;
  };
}

/** Starts a call of the given method and sends nothing. */
export function startCall(channel: Channel, more: Partial<CallOptions> = {}): PeerCall {
  const messages: Uint8Array[] = [];
  const oversized: number[] = [];
  const call = channel.call({
    path: '/teststream.TestStreamService/StreamEvents',
    metadata: [],
    maxMessageBytes: 4_194_304,
    compression: 'identity',
    onMessage: (message) => messages.push(Uint8Array.from(message)),
    onOversized: (bytes) => oversized.push(bytes),
    ...more,
  });
  return { call, messages, oversized, ended: call.ended };
}

/** The README of the peers explains the filter. */
export interface Asked extends Partial<CallOptions> {
  readonly filter: string;
  readonly intervalMs?: number;
}

/** Starts a call of `StreamEvents`. */
export function streamEvents(channel: Channel, { filter, intervalMs = 0, ...more }: Asked): PeerCall {
  const started = startCall(channel, more);
  started.call.send(requestBytes(filter, intervalMs));
  started.call.half();
  return started;
}
