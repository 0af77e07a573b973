import { systemClock } from '@levada/connect-runtime-core';
import type { GrpcStatus } from '../../src/model/grpc-status.ts';
import type { Call, CallOptions, Channel, ChannelOptions } from '../../src/transport/channel.ts';
import { openChannel } from '../../src/transport/open-channel.ts';
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

/** A channel to a port on loopback; {@link closeChannels} closes it. */
export async function peerChannel(port: number, more: Partial<ChannelOptions> = {}): Promise<Channel> {
  const channel = await openChannel({
    endpoint: { host: '127.0.0.1', port },
    connectTimeoutMs: 10_000,
    keepaliveTimeMs: 0,
    keepaliveTimeoutMs: 10_000,
    clock: systemClock,
    signal: new AbortController().signal,
    ...more,
  });
  open.add(channel);
  return channel;
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
