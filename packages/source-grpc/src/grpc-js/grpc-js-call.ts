import { type Client, type ClientDuplexStream, Metadata, type StatusObject } from '@grpc/grpc-js';
import { type GrpcStatus, localStatus } from '../model/grpc-status.ts';
import type { Call, CallOptions } from '../transport/channel.ts';
import { sentMetadata } from '../transport/request-headers.ts';
import { grpcJsStatus } from './grpc-js-status.ts';

/** `WriteFlags.NoCompress`, which grpc-js takes and does not export. */
const NO_COMPRESS = 2;

const raw = (bytes: Buffer): Buffer => bytes;

export interface GrpcJsCallContext {
  /** Whether the channel sends pings. */
  readonly pings: boolean;
  readonly onEnded: (call: GrpcJsCall) => void;
}

/**
 * A call of grpc-js. Made as one with streams both ways, which is the same on the wire and lets requests be sent one by one.
 * While it is paused grpc-js holds 16 messages and the server the rest.
 */
export class GrpcJsCall implements Call {
  readonly ended: Promise<GrpcStatus>;
  readonly #ended = Promise.withResolvers<GrpcStatus>();
  readonly #options: CallOptions;
  readonly #stream: ClientDuplexStream<Buffer, Buffer>;
  readonly #onEnded: (call: GrpcJsCall) => void;
  /** What the call ends with when all that came before it is delivered. */
  #outcome: GrpcStatus | undefined;
  #drained = false;
  #over = false;

  /** Throws when the metadata cannot be sent. */
  constructor(client: Client, options: CallOptions, { pings, onEnded }: GrpcJsCallContext) {
    this.#options = options;
    this.#onEnded = onEnded;
    this.ended = this.#ended.promise;
    this.#stream = client.makeBidiStreamRequest(options.path, raw, raw, metadataOf(options));
    this.#stream.on('data', (message: Buffer) => this.#receive(message));
    this.#stream.on('status', (status: StatusObject) => {
      this.#outcome ??= grpcJsStatus(status, { pings });
      this.#settle();
    });
    this.#stream.on('end', () => {
      this.#drained = true;
      this.#settle();
    });
    // The status says the same.
    this.#stream.on('error', () => undefined);
  }

  send(message: Uint8Array): void {
    if (this.#over || this.#outcome !== undefined) return;
    const bytes = Buffer.from(message.buffer, message.byteOffset, message.byteLength);
    if (this.#options.compression === 'gzip') this.#stream.write(bytes);
    else this.#stream.write(bytes, NO_COMPRESS);
  }

  half(): void {
    if (!this.#over) this.#stream.end();
  }

  pause(): void {
    this.#stream.pause();
  }

  resume(): void {
    if (!this.#over) this.#stream.resume();
  }

  cancel(): void {
    this.end(localStatus('CANCELLED', 'the call was cancelled'));
  }

  /** Ends the call with this status. Does nothing when it has ended. */
  end(status: GrpcStatus): void {
    if (this.#over) return;
    this.#finish(status);
    this.#stream.cancel();
    // What is held is not delivered any more.
    this.#stream.resume();
  }

  #receive(message: Buffer): void {
    if (this.#over) return;
    const { maxMessageBytes, onMessage, onOversized } = this.#options;
    try {
      if (message.length > maxMessageBytes) onOversized(message.length);
      else onMessage(message);
    } catch (error) {
      this.end(localStatus('INTERNAL', 'the receiver of a message failed', error));
    }
  }

  #settle(): void {
    if (this.#outcome !== undefined && this.#drained && !this.#over) this.#finish(this.#outcome);
  }

  #finish(status: GrpcStatus): void {
    this.#over = true;
    this.#onEnded(this);
    this.#ended.resolve(status);
  }
}

function metadataOf({ metadata }: CallOptions): Metadata {
  const sent = new Metadata();
  for (const [name, values] of sentMetadata(metadata)) {
    for (const value of values) {
      if (!name.endsWith('-bin')) sent.add(name, value);
      // grpc-js writes several binary values of one name in fields of their own.
      else for (const part of value.split(',')) sent.add(name, Buffer.from(part, 'base64'));
    }
  }
  return sent;
}
