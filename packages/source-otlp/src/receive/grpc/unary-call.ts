import {
  type ContentEncoding,
  InflateError,
  type Inflater,
  MessageReader,
  type MessageSink,
} from '@levada/grpc-wire';
import type { Http2Stream, StreamListener } from '../../http2/session/server-stream.ts';
import type { Refusal } from '../admission/export-outcome.ts';
import { answerMessage, answerStatus } from './answer.ts';
import { encodingFault, type Fault, fault, type GrpcStatus } from './grpc-status.ts';

/** The outcome of a request: its framed answer, or the status that ends the call. */
export type UnaryAnswer = Buffer | GrpcStatus;

/** What a call with one request and one answer is for. None of the methods throws or rejects. */
export interface UnaryMethod {
  readonly maxRequestBytes: number;
  readonly maxCompressedBytes: number;
  /** More memory for the request: `bytes` in all. False when there is none. */
  reserve(bytes: number): boolean;
  /** The request, inflated. Called at most once, and not when the client is gone. */
  handle(request: Uint8Array): UnaryAnswer | Promise<UnaryAnswer>;
  /** Counts a call that ends without {@link handle}. */
  countRefusal(refusal: Refusal): void;
  /** The call was answered, or its client is gone. Called once. */
  release(): void;
}

export interface UnaryCallOptions {
  readonly stream: Http2Stream;
  readonly method: UnaryMethod;
  readonly inflater: Inflater;
  /** `grpc-encoding`. */
  readonly encoding: string;
  /** Monotonic time at which the whole request must have arrived. */
  readonly dueAt: number;
}

/** A call with one request and one answer. */
export class UnaryCall implements StreamListener, MessageSink {
  readonly viewBytes = -1;
  readonly firstBytes = 4096;
  readonly ownMemory = true;
  readonly #options: UnaryCallOptions;
  readonly #reader: MessageReader;
  #state: 'reading' | 'taking' | 'answered' | 'over' = 'reading';
  #request: { readonly compressed: boolean; readonly payload: Buffer } | undefined;
  /** A thread reads the request: whatever happens to the call, the memory is in use. */
  #inflating = false;
  /** What is being read, which is gone afterwards. */
  #chunk: Buffer | undefined;

  constructor(options: UnaryCallOptions) {
    this.#options = options;
    this.#reader = new MessageReader(this);
  }

  sweep(now: number): void {
    if (this.#state === 'reading' && now >= this.#options.dueAt) {
      this.#fail(fault('timeout', 'the request did not arrive in time'));
    }
  }

  /** It ends by itself. */
  drain(): void {}

  onBytes(chunk: Buffer): void {
    if (this.#state !== 'reading') return;
    this.#chunk = chunk;
    this.#reader.read(chunk);
    this.#chunk = undefined;
  }

  onEnd(): void {
    if (this.#state !== 'reading') return;
    if (this.#reader.partial) this.#fail(fault('invalid', 'the request ends within a message'));
    else if (this.#request !== undefined) this.#inflate(this.#request);
    else this.#fail(fault('unsupported', 'request without a message, expected one'));
  }

  onClosed(): void {
    const isGone = this.#state !== 'answered';
    this.#state = 'over';
    this.#reader.stop();
    this.#request = undefined;
    if (isGone && !this.#inflating) this.#options.method.release();
  }

  onPrefix(flag: number, length: number): boolean {
    const { method, encoding } = this.#options;
    if (this.#request !== undefined) {
      return this.#fail(fault('unsupported', 'request with more than one message, expected one'));
    }
    const broken = encodingFault(flag, encoding);
    if (broken !== undefined) return this.#fail(broken);
    const isCompressed = flag === 1;
    const limit = isCompressed ? method.maxCompressedBytes : method.maxRequestBytes;
    if (length <= limit) return true;
    const what = isCompressed ? 'compressed message' : 'message';
    return this.#fail(fault('too_large', `${what} of ${length} bytes, expected at most ${limit}`));
  }

  onHeld(bytes: number): boolean {
    return this.#options.method.reserve(bytes) || this.#fail(createRoomFault());
  }

  onMessage(payload: Buffer): void {
    this.#request = { compressed: false, payload: this.#keep(payload) };
  }

  onCompressed(payload: Buffer): void {
    this.#request = { compressed: true, payload: this.#keep(payload) };
  }

  #keep(payload: Buffer): Buffer {
    if (payload.buffer !== this.#chunk?.buffer) return payload;
    const own = Buffer.allocUnsafeSlow(payload.length);
    own.set(payload);
    return own;
  }

  #inflate({ compressed, payload }: { readonly compressed: boolean; readonly payload: Buffer }): void {
    this.#state = 'taking';
    if (!compressed) {
      this.#take(payload);
      return;
    }
    const { inflater, encoding, method } = this.#options;
    try {
      const body = inflater.inflate(payload, encoding as ContentEncoding, method.maxRequestBytes);
      if (!(body instanceof Promise)) this.#takeInflated(body);
      else {
        this.#inflating = true;
        body.then(
          (inflated) => this.#resume(() => this.#takeInflated(inflated)),
          (error) => this.#resume(() => this.#fail(createInflateFault(error))),
        );
      }
    } catch (error) {
      this.#fail(createInflateFault(error));
    }
  }

  #resume(resume: () => void): void {
    this.#inflating = false;
    if (this.#state === 'over') this.#options.method.release();
    else resume();
  }

  #takeInflated(body: Uint8Array): void {
    if (this.#state === 'taking' && this.onHeld(body.length)) this.#take(body);
  }

  #take(request: Uint8Array): void {
    this.#request = undefined;
    const answer = this.#options.method.handle(request);
    if (answer instanceof Promise) void answer.then((later) => this.#answer(later));
    else this.#answer(answer);
  }

  /** Returns false, for those who are asked whether to read on. */
  #fail({ refusal, status }: Fault): false {
    if (this.#state === 'over' || this.#state === 'answered') return false;
    this.#reader.stop();
    this.#options.method.countRefusal(refusal);
    this.#answer(status);
    return false;
  }

  #answer(answer: UnaryAnswer): void {
    if (this.#state === 'over') return;
    this.#state = 'answered';
    const { stream, method } = this.#options;
    method.release();
    if ('code' in answer) answerStatus(stream, answer);
    else answerMessage(stream, answer);
  }
}

function createRoomFault(): Fault {
  return fault('unavailable', 'too many bytes of requests are held at once');
}

function createInflateFault(error: unknown): Fault {
  if (!(error instanceof InflateError)) return fault('unavailable', 'the request cannot be inflated');
  const reasons = { too_large: 'too_large', corrupt: 'invalid', busy: 'unavailable' } as const;
  return fault(reasons[error.reason], error.message);
}
