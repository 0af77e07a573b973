import { systemClock } from '@levada/connect-runtime-core';
import type { Call, CallOptions, Channel, ChannelOptions } from '../src/transport/channel.ts';

/** Options of a plaintext channel to a server on loopback, without keepalive. */
export function channelOptions(port: number, changes: Partial<ChannelOptions> = {}): ChannelOptions {
  return {
    endpoint: { host: '127.0.0.1', port },
    connectTimeoutMs: 10_000,
    keepaliveTimeMs: 0,
    keepaliveTimeoutMs: 1000,
    clock: systemClock,
    signal: new AbortController().signal,
    ...changes,
  };
}

/** A call and what it delivered so far. */
export interface RecordedCall extends Call {
  readonly messages: readonly Buffer[];
  /** Messages as text. */
  readonly texts: () => readonly string[];
  readonly oversized: readonly number[];
}

/** Makes a call that records what it delivers. The request is sent, and no more follows. */
export function startCall(channel: Channel, changes: Partial<CallOptions> = {}): RecordedCall {
  const messages: Buffer[] = [];
  const oversized: number[] = [];
  const call = channel.call({
    path: '/test.Feed/Stream',
    metadata: [],
    maxMessageBytes: 4 * 1024 * 1024,
    compression: 'identity',
    onMessage: (message) => messages.push(message as Buffer),
    onOversized: (bytes) => oversized.push(bytes),
    ...changes,
  });
  call.send(Buffer.from('request'));
  call.half();
  return Object.assign(call, {
    messages,
    oversized,
    texts: () => messages.map((message) => message.toString()),
  });
}
