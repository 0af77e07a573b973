import { type ClientHttp2Stream, constants } from 'node:http2';
import { gzipSync } from 'node:zlib';
import type { Clock, Timer } from '@levada/connect-runtime-core';
import { framed } from '@levada/grpc-wire';
import { type GrpcStatus, localStatus } from '../model/grpc-status.ts';
import type { Call, CallOptions } from './channel.ts';
import { ForeignBody } from './foreign-body.ts';
import { HeaderLimit } from './header-limits.ts';
import { HeldBytes } from './held-bytes.ts';
import { resetStatus } from './http2-codes.ts';
import { InboundMessages } from './inbound-messages.ts';
import { type RawStream, takeOver } from './raw-stream.ts';
import { missingStatus, type ResponseHeaders, responseHead, trailerStatus } from './response-head.ts';

export interface Http2CallOptions {
  readonly stream: ClientHttp2Stream;
  readonly call: CallOptions;
  readonly clock: Clock;
  /** Why the connection ended, if that is what ended the stream; `error` is what the stream heard. */
  readonly connectionEnd: (error: unknown) => GrpcStatus | undefined;
  readonly onEnded: () => void;
  /** The server sends more headers than are accepted, and may continue: its connection is of no use. */
  readonly onTooManyHeaders: (status: GrpcStatus) => void;
}

/** How long the body of an answer that is no gRPC may take, in milliseconds. */
const FOREIGN_BODY_MS = 1000;

/** One stream of a session. */
export class Http2Call implements Call {
  readonly ended: Promise<GrpcStatus>;
  readonly #options: Http2CallOptions;
  readonly #ended = Promise.withResolvers<GrpcStatus>();
  readonly #raw: RawStream;
  readonly #held = new HeldBytes();
  readonly #headers = new HeaderLimit();
  /** Undefined until the headers of the answer are known. */
  #reader: InboundMessages | undefined;
  #foreign: ForeignBody | undefined;
  #foreignTimer: Timer | undefined;
  #paused = false;
  #reading = false;
  #halfClosed = false;
  #trailers: GrpcStatus | undefined;
  #error: unknown;
  /** How the call ends once everything that was held is delivered. */
  #outcome: GrpcStatus | undefined;
  #over = false;

  constructor(options: Http2CallOptions) {
    this.#options = options;
    this.ended = this.#ended.promise;
    const { stream } = options;
    stream.on('headers', (_headers, _flags, raw) => {
      this.#admits(raw, 'informational');
    });
    stream.on('response', (headers, flags, raw) => {
      if (this.#admits(raw, 'final'))
        this.#onHead(headers, (flags & constants.NGHTTP2_FLAG_END_STREAM) !== 0);
    });
    stream.on('trailers', (trailers, _flags, raw) => {
      // Messages before them are still delivered, and nothing follows.
      this.#trailers ??= this.#headers.count(raw, 'final') ?? trailerStatus(trailers);
    });
    stream.on('error', (error) => {
      this.#error ??= error;
    });
    stream.on('close', () => this.#conclude());
    this.#raw = takeOver(stream, {
      onBytes: (chunk) => this.#onBytes(chunk),
      onEnd: (closed) => this.#onEnd(closed),
    });
  }

  send(message: Uint8Array): void {
    const { stream, call } = this.#options;
    if (!this.#over && stream.writable) stream.write(requestFrame(message, call.compression));
  }

  half(): void {
    if (!this.#over) this.#options.stream.end();
  }

  pause(): void {
    this.#paused = true;
    this.#halt();
  }

  resume(): void {
    if (!this.#paused || this.#over) return;
    this.#paused = false;
    this.#halt();
    // Called during the delivery of a message: the read in progress will see it.
    if (this.#reading) return;
    this.#readHeld();
    if (!this.#paused) this.#raw.readOn();
  }

  cancel(): void {
    this.end(localStatus('CANCELLED', 'the call was cancelled'));
  }

  /** Ends the call with this status, and says so to the server. Does nothing when it has ended. */
  end(status: GrpcStatus): void {
    if (this.#over) return;
    this.#finish(status);
    this.#options.stream.close(constants.NGHTTP2_CANCEL);
  }

  /** Whether the headers are within the limit. Otherwise the call ends, and its connection with it. */
  #admits(raw: readonly string[], kind: 'informational' | 'final'): boolean {
    if (this.#over) return false;
    const problem = this.#headers.count(raw, kind);
    if (problem === undefined) return true;
    this.end(problem);
    this.#options.onTooManyHeaders(problem);
    return false;
  }

  #onHead(headers: ResponseHeaders, last: boolean): void {
    if (this.#over || this.#reader !== undefined) return;
    const head = responseHead(headers, last);
    const { call, clock } = this.#options;
    const encoding = head.kind === 'messages' ? head.encoding : 'identity';
    this.#reader = new InboundMessages({ ...call, encoding });
    this.#halt();
    if (head.kind === 'over') {
      // What may follow is no message.
      this.#held.clear();
      this.#outcome = head.status;
    }
    if (head.kind === 'foreign') {
      this.#foreign = new ForeignBody(head.status);
      this.#foreignTimer = clock.after(FOREIGN_BODY_MS, () => this.#conclude());
    }
    this.#readHeld();
  }

  #onBytes(chunk: Buffer): boolean {
    if (this.#over) return true;
    if (this.#foreign !== undefined) {
      if (this.#foreign.append(chunk)) this.#conclude();
      return true;
    }
    if (this.#reader === undefined || this.#paused || this.#held.length > 0) {
      this.#held.append(chunk);
      return !this.#paused;
    }
    const taken = this.#read(this.#reader, chunk);
    if (taken < chunk.length && !this.#over) this.#held.append(chunk.subarray(taken));
    return !this.#paused;
  }

  /** Returns how much was read: all, unless a message made somebody pause. */
  #read(reader: InboundMessages, chunk: Buffer): number {
    this.#reading = true;
    try {
      const taken = reader.read(chunk);
      if (reader.fault === undefined) return taken;
      this.end(reader.fault);
    } catch (error) {
      this.end(localStatus('INTERNAL', 'the receiver of a message failed', error));
    } finally {
      this.#reading = false;
    }
    return chunk.length;
  }

  #readHeld(): void {
    if (this.#reader === undefined) return;
    if (this.#foreign !== undefined) {
      for (; this.#held.length > 0; this.#held.drop(this.#held.peek().length))
        this.#onBytes(this.#held.peek());
    }
    while (this.#held.length > 0 && !this.#paused && !this.#over) {
      this.#held.drop(this.#read(this.#reader, this.#held.peek()));
    }
    this.#settle();
  }

  /** The server ended its half. Its trailers are reported in the same turn, but later. */
  #onEnd(closed: boolean): void {
    if (closed || this.#halfClosed) return;
    this.#halfClosed = true;
    process.nextTick(() => this.#conclude());
  }

  /** Nothing more arrives. */
  #conclude(): void {
    if (this.#over || this.#outcome !== undefined) return;
    // What is no gRPC was not read, so that its end cannot be in order.
    const trailers =
      this.#foreign !== undefined && this.#trailers?.code === 'OK' ? undefined : this.#trailers;
    this.#outcome = trailers ?? this.#foreign?.status() ?? this.#brokenOff();
    this.#settle();
    if (!this.#over) this.#options.call.onEndedUnread?.(this.#outcome);
  }

  #brokenOff(): GrpcStatus {
    if (this.#halfClosed) return missingStatus;
    const { stream, connectionEnd } = this.#options;
    return connectionEnd(this.#error) ?? resetStatus(stream.rstCode);
  }

  /** Ends the call if it is decided how, and everything that arrived is delivered. */
  #settle(): void {
    if (this.#outcome === undefined || this.#held.length > 0 || this.#over) return;
    const truncated = this.#outcome.code === 'OK' && this.#reader?.partial === true;
    this.#finish(truncated ? localStatus('INTERNAL', 'the call ended within a message') : this.#outcome);
    const { stream } = this.#options;
    if (!this.#halfClosed || !stream.writableFinished) stream.close(constants.NGHTTP2_CANCEL);
  }

  #finish(status: GrpcStatus): void {
    this.#over = true;
    this.#halt();
    this.#foreignTimer?.cancel();
    this.#held.clear();
    this.#options.onEnded();
    this.#ended.resolve(status);
  }

  #halt(): void {
    if (this.#reader !== undefined) this.#reader.halted = this.#paused || this.#over;
  }
}

function requestFrame(message: Uint8Array, compression: 'identity' | 'gzip'): Buffer {
  return compression === 'gzip' ? framed(gzipSync(message), { compressed: true }) : framed(message);
}
