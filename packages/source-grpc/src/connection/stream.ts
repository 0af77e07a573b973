import type { Clock, Timer } from '@levada/connect-runtime-core';
import type { GrpcStatus } from '../model/grpc-status.ts';
import type { MethodDefinition } from '../model/session.ts';
import type { Call, Channel, ChannelOptions, MetadataEntry } from '../transport/channel.ts';
import type { Transport } from '../transport/transport.ts';

/** How one stream is made and what it tells. */
export interface StreamOptions {
  readonly transport: Transport;
  readonly channel: Omit<ChannelOptions, 'signal' | 'clock'>;
  readonly clock: Clock;
  readonly maxMessageBytes: number;
  readonly compression: 'identity' | 'gzip';
  /** A stream without a message for this long is given up. 0: never. */
  readonly idleTimeoutMs: number;
  readonly metadata: (signal: AbortSignal) => Promise<readonly MetadataEntry[]>;
  readonly definition: (
    channel: Channel,
    metadata: readonly MetadataEntry[],
    signal: AbortSignal,
  ) => Promise<MethodDefinition>;
  readonly request: (definition: MethodDefinition) => Uint8Array;
  /** The call is made on a ready connection. Messages follow. */
  readonly onStarted: (definition: MethodDefinition, peer: string) => void;
  readonly onMessage: (message: Uint8Array) => void;
  readonly onOversized: (bytes: number) => void;
  /** See `CallOptions`. */
  readonly onEndedUnread: (status: GrpcStatus) => void;
  readonly onIdle: (idleMs: number) => void;
  /** Monotonic time of the last message of any stream. */
  readonly lastMessageAt: () => number | undefined;
}

/** One connection with one server-streaming call. Runs once. */
export class Stream {
  readonly #options: StreamOptions;
  readonly #abort = new AbortController();
  #call: Call | undefined;
  #idle: Timer | undefined;
  /** Since when a message could have come, beside those that came: monotonic milliseconds. */
  #readingSince = 0;
  #paused = false;
  #idledOut = false;
  #over = false;

  constructor(options: StreamOptions) {
    this.#options = options;
  }

  /**
   * From dialling to the end of the stream; resolves with its status when everything of it is closed. Rejects with a
   * ConnectorError when no call could be made.
   */
  async run(): Promise<GrpcStatus> {
    const { transport, channel: channelOptions, clock } = this.#options;
    const { signal } = this.#abort;
    const channel = await transport.open({ ...channelOptions, clock, signal });
    try {
      const metadata = await this.#options.metadata(signal);
      const definition = await this.#options.definition(channel, metadata, signal);
      signal.throwIfAborted();
      return await this.#stream(channel, metadata, definition);
    } finally {
      this.#over = true;
      this.#idle?.cancel();
      await channel.close();
    }
  }

  /** Ends it: the call is cancelled, or the attempt given up. Idempotent. */
  stop(): void {
    if (this.#call === undefined) this.#abort.abort();
    else this.#call.cancel();
  }

  /** Ends it at once without notifying the server. */
  terminate(): void {
    this.#abort.abort();
  }

  /** Stops reading, so that the server is held up. */
  pause(): void {
    this.#paused = true;
    this.#call?.pause();
  }

  resume(): void {
    if (!this.#paused) return;
    this.#paused = false;
    this.#readingSince = this.#options.clock.monotonic();
    this.#call?.resume();
  }

  async #stream(
    channel: Channel,
    metadata: readonly MetadataEntry[],
    definition: MethodDefinition,
  ): Promise<GrpcStatus> {
    const { request, onMessage, onOversized, onEndedUnread, maxMessageBytes, compression, clock } =
      this.#options;
    const { parent, name } = definition.method;
    const message = request(definition);
    const call = channel.call({
      path: `/${parent.typeName}/${name}`,
      metadata,
      maxMessageBytes,
      compression,
      onMessage,
      onOversized,
      onEndedUnread,
    });
    this.#call = call;
    this.#readingSince = clock.monotonic();
    this.#options.onStarted(definition, channel.peer);
    call.send(message);
    call.half();
    this.#watchIdle();
    const status = await call.ended;
    return this.#idledOut
      ? { ...status, code: 'CANCELLED', message: 'no message for too long', source: 'local' }
      : status;
  }

  /** One timer for the whole stream, set again only when it fires: nothing is done per message. */
  #watchIdle(): void {
    const { idleTimeoutMs, clock } = this.#options;
    if (idleTimeoutMs === 0) return;
    const leftMs = this.#paused ? idleTimeoutMs : idleTimeoutMs - this.#idleMs();
    // When this process stood still, its timers run before it reads what arrived meanwhile: look again after that.
    this.#idle = clock.after(leftMs, () => setImmediate(() => this.#look()));
  }

  #look(): void {
    const idleMs = this.#idleMs();
    if (this.#over) return;
    if (this.#paused || idleMs < this.#options.idleTimeoutMs) {
      this.#watchIdle();
      return;
    }
    this.#idledOut = true;
    this.#options.onIdle(Math.round(idleMs));
    this.#call?.cancel();
  }

  #idleMs(): number {
    const { clock, lastMessageAt } = this.#options;
    return clock.monotonic() - Math.max(this.#readingSince, lastMessageAt() ?? 0);
  }
}
