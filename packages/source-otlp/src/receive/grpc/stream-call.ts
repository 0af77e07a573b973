import { type ContentEncoding, inflateNow, MessageReader, type MessageSink } from '@levada/grpc-wire';
import { errorCode } from '../../http2/frames/protocol.ts';
import type { Http2Stream, StreamListener } from '../../http2/session/server-stream.ts';
import { answerStatus, beginAnswer, endAnswer } from './answer.ts';
import { encodingFault, fault, type GrpcStatus } from './grpc-status.ts';

/** What a call that lasts is for. One object for all calls; none of the methods throws. */
export interface StreamMethod {
  /** Each message of the client gets one answer, framed, or ends the call. */
  answer(request: Uint8Array): Buffer | GrpcStatus;
  /** Milliseconds without a question after which the call ends. */
  readonly idleMs: number;
  /** Only the first message may be a question; once it is answered, the call stays open for as long as the client likes. */
  readonly watches: boolean;
  /** Sent before a call that watches is ended by this side, framed. */
  readonly farewell?: Buffer;
}

export interface StreamCallOptions {
  readonly stream: Http2Stream;
  readonly method: StreamMethod;
  /** `grpc-encoding`. */
  readonly encoding: string;
  readonly now: () => number;
}

/** Longest question, before and after inflation. */
const MAX_QUESTION_BYTES = 16 * 1024;
/** Most that waits for a client that asks, but does not read. */
const MAX_UNREAD_BYTES = 256 * 1024;

/** A call that stays open: a health watch, or reflection. */
export class StreamCall implements StreamListener, MessageSink {
  readonly viewBytes = -1;
  readonly firstBytes = 4096;
  readonly #options: StreamCallOptions;
  readonly #reader = new MessageReader(this);
  #answered = false;
  #ended = false;
  #askedAt: number;

  constructor(options: StreamCallOptions) {
    this.#options = options;
    this.#askedAt = options.now();
  }

  sweep(now: number): void {
    const { method } = this.#options;
    if (this.#answered && method.watches) return;
    if (now - this.#askedAt >= method.idleMs) this.#end(fault('timeout', 'no question for too long').status);
  }

  drain(): void {
    const { farewell } = this.#options.method;
    if (this.#answered && farewell !== undefined) this.#send(farewell);
    this.#end(fault('unavailable', 'the receiver is stopping').status);
  }

  onBytes(chunk: Buffer): void {
    this.#reader.read(chunk);
  }

  onEnd(): void {
    if (this.#reader.partial) this.#end(fault('invalid', 'the call ends within a message').status);
    else if (!this.#answered) this.#end(fault('unsupported', 'call without a message').status);
    else if (!this.#options.method.watches) this.#end(undefined);
  }

  onClosed(): void {
    this.#ended = true;
    this.#reader.stop();
  }

  onPrefix(flag: number, length: number): boolean {
    const { method, encoding } = this.#options;
    const broken =
      this.#answered && method.watches
        ? fault('unsupported', 'call with more than one message, expected one')
        : encodingFault(flag, encoding);
    if (broken !== undefined) return this.#end(broken.status);
    if (length <= MAX_QUESTION_BYTES) return true;
    const text = `message of ${length} bytes, expected at most ${MAX_QUESTION_BYTES}`;
    return this.#end(fault('too_large', text).status);
  }

  onHeld(): boolean {
    return true;
  }

  onMessage(question: Uint8Array): void {
    const { method, now } = this.#options;
    this.#askedAt = now();
    const answer = method.answer(question);
    if ('code' in answer) this.#end(answer);
    else this.#send(answer);
  }

  onCompressed(payload: Buffer): void {
    const { encoding } = this.#options;
    let question: Uint8Array;
    try {
      // As small as it is, it needs no thread.
      question = inflateNow(payload, encoding as ContentEncoding, MAX_QUESTION_BYTES);
    } catch {
      this.#end(fault('invalid', 'message cannot be inflated').status);
      return;
    }
    this.onMessage(question);
  }

  #send(frame: Buffer): void {
    const { stream } = this.#options;
    if (!this.#answered) beginAnswer(stream);
    this.#answered = true;
    stream.send(frame);
    if (stream.unsentBytes > MAX_UNREAD_BYTES) stream.reset(errorCode.enhanceYourCalm);
  }

  /** Undefined: it ends well. Returns false, for those who are asked whether to read on. */
  #end(status: GrpcStatus | undefined): false {
    if (this.#ended) return false;
    this.#ended = true;
    this.#reader.stop();
    const { stream } = this.#options;
    if (this.#answered) endAnswer(stream, status);
    else if (status !== undefined) answerStatus(stream, status);
    return false;
  }
}
